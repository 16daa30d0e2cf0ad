// SPDX-License-Identifier: GPL-2.0
/* Error messages and notes of a call, as text and as JSON. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "../common/escape.h"
#include "../machine/machine.h"
#include "ctl.h"
#include "oneline.h"
#include "../report/json.h"
#include "diag.h"

#define DIAG_MAX	1024

static void diag_json(const struct ctl *ctl, const char *kind, const char *text)
{
	struct json_object *doc = json_object_new_object();

	report_add_text(doc, kind, text);
	if (ctl->object)
		report_add_text(doc, "object", ctl->object);
	if (ctl->command)
		report_add_text(doc, "command", ctl->command);
	if (ctl->file) {
		report_add_text(doc, "file", ctl->file);
		report_add_u64(doc, "line", ctl->line);
	}
	torus_escape_json(stderr,
			  json_object_to_json_string_ext(doc, JSON_C_TO_STRING_NOSLASHESCAPE |
							 (ctl->pretty ? JSON_C_TO_STRING_PRETTY |
							  JSON_C_TO_STRING_SPACED :
							  JSON_C_TO_STRING_PLAIN)));
	json_object_put(doc);
}

static void diag(const struct ctl *ctl, const char *kind, const char *text)
{
	if (ctl->muted)
		return;
	/* flush standard output first, so that the message follows the output on a terminal */
	output_flush();
	if (ctl->json) {
		diag_json(ctl, kind, text);
		return;
	}
	torus_escape_message(stderr, "%s: ", program_invocation_short_name);
	if (ctl->file)
		torus_escape_message(stderr, "%s:%u: ", ctl->file, ctl->line);
	if (ctl->object)
		fprintf(stderr, "%s%s%s: ", ctl->object, ctl->command ? " " : "",
			ctl->command ? ctl->command : "");
	torus_escape_message(stderr, "%s%s\n", strcmp(kind, "note") ? "" : "note: ", text);
}

/**
 * ctl_error - print an error message
 * @format: text of the message
 *
 * With -j the message is a JSON document on standard error with the member "error", and the members
 * "object" and "command" if they are known. If the command is from a file, the document also has
 * the members "file" and "line".
 */
void ctl_error(const struct ctl *ctl, const char *format, ...)
{
	char text[DIAG_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag(ctl, "error", text);
}

/**
 * ctl_reject - reject an argument with an error message
 * @format: format of the message: the value, and the reason why it is rejected
 *
 * Return: CTL_USAGE.
 */
int ctl_reject(struct ctl *ctl, const char *format, ...)
{
	char text[DIAG_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag(ctl, "error", text);
	return CTL_USAGE;
}

/**
 * ctl_print_usage - print the usage line of a command
 * @object: name of the object
 * @command: name of the command; "" if the object is its own command
 * @usage: arguments of the command; ARCH is replaced by the names of all machines
 */
void ctl_print_usage(FILE *out, const char *object, const char *command, const char *usage)
{
	const struct torus_machine *const *machine;
	const char *arch = strstr(usage, "ARCH");

	fprintf(out, "torusctl %s%s%s%s", object, *command ? " " : "", command,
		*usage ? " " : "");
	fprintf(out, "%.*s", arch ? (int)(arch - usage) : (int)strlen(usage), usage);
	for (machine = torus_machines; arch && *machine; machine++)
		fprintf(out, "%s%s", machine == torus_machines ? "" : "|", (*machine)->name);
	fprintf(out, "%s\n", arch ? arch + strlen("ARCH") : "");
}

/**
 * ctl_usage - reject a call with an error message and the usage line
 * @format: format of the reason for the message
 *
 * The usage line is omitted if the call is from a file, or if messages are JSON.
 *
 * Return: CTL_USAGE.
 */
int ctl_usage(struct ctl *ctl, const char *format, ...)
{
	char text[DIAG_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag(ctl, "error", text);
	if (!ctl->json && !ctl->file && !ctl->muted) {
		fputs("usage: ", stderr);
		ctl_print_usage(stderr, ctl->object, ctl->command ? ctl->command : "", ctl->usage);
	}
	return CTL_USAGE;
}

/**
 * ctl_connect - connect a call to the module, unless it is connected already
 *
 * Return: CTL_OK, CTL_FAILED after an error message, or CTL_WORDS if the module must not be called.
 */
int ctl_connect(struct ctl *ctl)
{
	struct torus_nl *nl;

	if (ctl->words_only)
		return CTL_WORDS;
	if (ctl->nl)
		return CTL_OK;
	nl = torus_nl_new();
	if (!nl) {
		ctl_error(ctl, "out of memory");
		return CTL_FAILED;
	}
	if (torus_nl_connect(nl)) {
		ctl_error(ctl, "%s", torus_nl_error(nl));
		torus_nl_free(nl);
		return CTL_FAILED;
	}
	ctl->nl = nl;
	return CTL_OK;
}

/**
 * ctl_failed - print the module's error message about the last request
 *
 * Return: CTL_FAILED.
 */
int ctl_failed(struct ctl *ctl)
{
	ctl_error(ctl, "%s", torus_nl_error(ctl->nl));
	return CTL_FAILED;
}

/* Print a note, on standard error as ctl_error(). */
void ctl_note(const struct ctl *ctl, const char *text)
{
	diag(ctl, "note", text);
}

/**
 * ctl_done - print the module's note about the last request, if there is one
 *
 * Return: CTL_OK.
 */
int ctl_done(struct ctl *ctl)
{
	if (*torus_nl_note(ctl->nl))
		diag(ctl, "note", torus_nl_note(ctl->nl));
	return CTL_OK;
}
