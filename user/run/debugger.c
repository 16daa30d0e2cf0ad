// SPDX-License-Identifier: GPL-2.0
/* The programs of --debugger and --valgrind, which start the program of ranks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../parse/integer.h"
#include "debugger.h"
#include "log.h"
#include "mpirun.h"
#include "run.h"

/* Read the rank before the colon. Return the text after the colon, or @text if there is no rank. */
static const char *rank_parse(const char *text, uint32_t *rank, struct parse_error *why)
{
	size_t digits = strspn(text, "0123456789");
	char word[24];

	if (!digits || text[digits] != ':')
		return text;
	snprintf(word, sizeof(word), "%.*s", (int)digits, text);
	return parse_u32("--debugger", word, 0, UINT32_MAX, rank, why) ? text + digits + 1 : NULL;
}

/**
 * run_debugger_parse - parse the value of --debugger
 * @debugger: [in, out] all zero or from an earlier call; the rank, and the words of the command
 * @text: [RANK:]COMMAND, whose words are quoted as in a shell
 * @why: [out] the reason for the rejection
 *
 * Return: true, or false if the value is rejected.
 */
bool run_debugger_parse(struct run_debugger *debugger, const char *text, struct parse_error *why)
{
	const char *command = rank_parse(text, &debugger->rank, why);

	if (!command)
		return false;
	run_debugger_free(debugger);
	switch (wordexp(command, &debugger->command, WRDE_NOCMD)) {
	case 0:
		break;
	case WRDE_NOSPACE:
		return parse_fail(why, "--debugger %s: out of memory", text);
	default:
		return parse_fail(why, "--debugger %s: must be words, quoted as in a shell, "
				  "without ; & | < > ( ) { } and without commands in $(..)", text);
	}
	return debugger->command.we_wordc ||
	       parse_fail(why, "--debugger %s: must have a command, such as \"gdb --args\"", text);
}

/* Find a program as execvp(3) does. Return 0 or an errno. */
static int program_find(const char *name)
{
	const char *directories = getenv("PATH"), *at, *end;
	int error = ENOENT;
	char path[RUN_PATH_MAX];
	struct stat file;

	if (strchr(name, '/'))
		directories = "";
	else if (!directories)
		directories = "/bin:/usr/bin";
	for (at = directories; at; at = *end ? end + 1 : NULL) {
		end = at + strcspn(at, ":");
		snprintf(path, sizeof(path), "%.*s%s%s", (int)(end - at), at,
			 end > at ? "/" : "", name);
		if (stat(path, &file))
			continue;
		if (S_ISREG(file.st_mode) && !access(path, X_OK))
			return 0;
		error = EACCES;
	}
	return error;
}

/* Name a program that cannot be started. Return 0, or the exit status of torus-run. */
static int program_check(const char *option, const char *name)
{
	int error = program_find(name);

	if (!error)
		return 0;
	run_log("%s: program %s: %s", option, name, strerror(error));
	return error == ENOENT ? RUN_NO_FILE : RUN_NO_EXEC;
}

/**
 * run_debugger_make - make the command line of a rank with a debugger
 * @debugger: from run_debugger_parse(); its @words are set
 * @option: name of the option, for messages
 * @program: the program and its arguments
 *
 * Both programs are searched for, so that a missing one is reported before a rank starts.
 *
 * Return: 0, or the exit status of torus-run after an error message.
 */
int run_debugger_make(struct run_debugger *debugger, const char *option, char **program)
{
	size_t own = debugger->command.we_wordc, count = 0;
	int status = program_check(option, debugger->command.we_wordv[0]);

	if (!status)
		status = program_check(option, program[0]);
	if (status)
		return status;
	while (program[count])
		count++;
	debugger->words = calloc(own + count + 1, sizeof(*debugger->words));
	if (!debugger->words)
		return run_log("%s: out of memory", option);
	memcpy(debugger->words, debugger->command.we_wordv, own * sizeof(*debugger->words));
	memcpy(debugger->words + own, program, count * sizeof(*program));
	return 0;
}

/**
 * run_debugger_free - free the command
 * @debugger: the command; all zero, or from run_debugger_parse()
 */
void run_debugger_free(struct run_debugger *debugger)
{
	if (debugger->command.we_wordv)
		wordfree(&debugger->command);
	debugger->command = (wordexp_t){ .we_wordc = 0 };
	free(debugger->words);
	debugger->words = NULL;
}
