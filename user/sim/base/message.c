// SPDX-License-Identifier: GPL-2.0
/* Messages of torus-sim on standard error, and the exit status that each kind stands for. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../common/escape.h"
#include "message.h"
#include "../transport/procs.h"

#define TELL_MAX	512	/* bytes of what is kept of a message */

/* What a thread's messages name: command and file; and the command that was typed. */
static __thread const char *command_name;
static __thread const char *source_name;
static const char *command_typed;

/**
 * sim_command_typed - name the command of this process in messages, unless sim_command_set()
 * @name: name of the command
 */
void sim_command_typed(const char *name)
{
	command_typed = name;
	sim_command_set(NULL);
}

/**
 * sim_command_set - name the command in all messages of this thread
 * @name: its name, or more; NULL: the command that was typed
 */
void sim_command_set(const char *name)
{
	command_name = name ? name : command_typed;
}

/**
 * sim_source_set - name the file of a rejected value in all messages of this thread
 * @file: name of the file; NULL: the value is from the command line
 */
void sim_source_set(const char *file)
{
	source_name = file;
}

static void tell(const char *format, va_list args)
{
	char text[TELL_MAX], *said;

	if (vasprintf(&said, format, args) < 0)
		said = NULL;
	/* of several processes one speaks for all, unless another ends alone */
	flockfile(stderr);	/* threads that simulate side by side tell one after the other */
	snprintf(text, sizeof(text), "%s%s%s%s", command_name ? command_name : "",
		 command_name ? ": " : "", source_name ? source_name : "", source_name ? ": " : "");
	if (sim_procs_hushed()) {
		strncat(text, said ? said : format, sizeof(text) - strlen(text) - 1);
		sim_procs_hush(text);
	} else {
		/* The answer so far, so that the two stand in order on a terminal. */
		fflush(stdout);
		/* in one piece: a launcher of several processes puts its own between two */
		torus_escape_message(stderr, "torus-sim: %s%s\n", text, said ? said : format);
	}
	funlockfile(stderr);
	free(said);
}

/**
 * sim_message - print a message that is no part of the result
 * @format: text of the message
 */
void sim_message(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(format, args);
	va_end(args);
}

/**
 * sim_reject - reject an option or a value with an error message
 * @format: the value and the reason
 *
 * Return: SIM_USAGE.
 */
int sim_reject(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(format, args);
	va_end(args);
	return SIM_USAGE;
}

/**
 * sim_error - print the reason for a failure
 * @format: the reason
 *
 * Return: SIM_FAILED.
 */
int sim_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(format, args);
	va_end(args);
	return SIM_FAILED;
}
