// SPDX-License-Identifier: GPL-2.0
/* Messages of torus-sim on standard error, and the exit status that each kind implies. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../common/escape.h"
#include "message.h"
#include "../transport/procs.h"

#define SAVED_MAX	512	/* bytes that are saved of a suppressed message */

/*
 * Names of the command and of the file in this thread's messages; NULL: none. sim_command_set(NULL)
 * copies command_typed to command_name.
 */
static __thread const char *command_name;
static __thread const char *source_name;
static const char *command_typed;

/**
 * sim_command_typed - set this process's command name, the default in messages
 * @name: name of the command
 */
void sim_command_typed(const char *name)
{
	command_typed = name;
	sim_command_set(NULL);
}

/**
 * sim_command_set - set the command name in all messages of this thread
 * @name: the prefix; NULL: the name set by sim_command_typed()
 */
void sim_command_set(const char *name)
{
	command_name = name ? name : command_typed;
}

/**
 * sim_source_set - set the name of the file that contains rejected values, for all messages of this
 * thread
 * @file: name of the file; NULL: the value is from the command line
 */
void sim_source_set(const char *file)
{
	source_name = file;
}

static void message_print(const char *format, va_list args)
{
	char text[SAVED_MAX], *said;

	if (vasprintf(&said, format, args) < 0)
		said = NULL;
	/*
	 * One process prints for all processes. A suppressed process saves its message. Process 0
	 * prints it if no process with a lower number has failed.
	 */
	flockfile(stderr);	/* messages of parallel threads do not mix */
	snprintf(text, sizeof(text), "%s%s%s%s", command_name ? command_name : "",
		 command_name ? ": " : "", source_name ? source_name : "", source_name ? ": " : "");
	if (sim_procs_hushed()) {
		strncat(text, said ? said : format, sizeof(text) - strlen(text) - 1);
		sim_procs_hush(text);
	} else {
		/*
		 * Flush the results so far, so that results and messages appear in order on a
		 * terminal.
		 */
		fflush(stdout);
		/*
		 * write the whole line at once: mpirun may insert its own text between two writes
		 */
		torus_escape_message(stderr, "torus-sim: %s%s\n", text, said ? said : format);
	}
	funlockfile(stderr);
	free(said);
}

/**
 * sim_message - print a message that does not imply an exit status
 * @format: text of the message
 */
void sim_message(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_print(format, args);
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
	message_print(format, args);
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
	message_print(format, args);
	va_end(args);
	return SIM_FAILED;
}
