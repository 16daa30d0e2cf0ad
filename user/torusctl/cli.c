// SPDX-License-Identifier: GPL-2.0
/*
 * The command line: options, an object, a command and its arguments.
 *
 * Most arguments are parsed before the module is called, so that an invalid argument is reported
 * even if no module is loaded.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../common/option.h"
#include "../common/version.h"
#include "../config/args.h"
#include "batch.h"
#include "cli.h"
#include "../config/ctl.h"
#include "../config/dry_run.h"
#include "help.h"
#include "../config/lookup.h"
#include "../config/oneline.h"
#include "print/output.h"
#include "../config/diag.h"
#include "../report/json.h"

#define OPTIONS	"-j -p -s -d -br -o -t -q -b -check -force -V -h"

static bool is_help(const char *word)
{
	return !strcmp(word, "help") || !strcmp(word, "-h") || !strcmp(word, "--help");
}

static int run_object(struct ctl *ctl, const struct ctl_object *object, struct ctl_args *args)
{
	const struct ctl_command *command = object->commands;
	const char *word = args->at < args->count ? args->words[args->at] : NULL;
	bool alone = !*command->name;
	struct ctl_args help = { .words = (char *[]){ (char *)object->name, NULL }, .count = 1 };

	if (word && is_help(word))
		return ctl_help(ctl, &help);
	ctl->object = object->name;
	ctl->usage = command->usage;
	if (!alone) {
		word = word ? ctl_next(args) : object->fallback;
		if (!word) {
			ctl_reject(ctl, "a command is missing");
			if (!ctl->json && !ctl->file)
				ctl_help_object(stderr, object);
			return CTL_USAGE;
		}
		command = ctl_find_command(ctl, object, word);
		if (!command)
			return CTL_USAGE;
		ctl->command = command->name;
		ctl->usage = command->usage;
		if (args->at < args->count && is_help(args->words[args->at])) {
			ctl_print_usage(stdout, object->name, command->name, command->usage);
			return CTL_OK;
		}
	}
	return command->run(ctl, args);
}

#define AT(member)	.offset = offsetof(struct ctl, member)

/* Options of a call. Each option sets a flag in struct ctl. */
static const struct option_row rows[] = {
	{ "json", 'j', AT(json) }, { "pretty", 'p', AT(pretty) },
	{ "statistics", 's', AT(statistics) }, { "stats", AT(statistics) },
	{ "details", 'd', AT(details) }, { "brief", AT(brief) }, { "br", AT(brief) },
	{ "oneline", 'o', AT(oneline) }, { "timestamp", 't', AT(timestamp) },
	{ "quiet", 'q', AT(quiet) }, { "check", AT(check) }, { "force", AT(force) },
};

static const struct option_row *find_option(const char *name, char letter)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (letter ? rows[i].letter == letter : !strcmp(name, rows[i].name))
			return &rows[i];
	return NULL;
}

static bool cli_take_option(struct ctl *ctl, const char *word)
{
	const struct option_row *row;
	const char *letter;

	if (word[0] != '-' || !word[1])
		return false;
	/* as in ip(8), one dash is accepted in place of two */
	row = find_option(word + (word[1] == '-' ? 2 : 1), 0);
	if (row)
		return option_store(ctl, row, NULL, NULL);
	/* accept several one-letter options after one dash, like -js */
	for (letter = word + 1; *letter; letter++)
		if (!find_option("", *letter))
			return false;
	for (letter = word + 1; *letter; letter++)
		option_store(ctl, find_option("", *letter), NULL, NULL);
	return true;
}

/* Remove the options from the list of arguments. Options may be at any position. */
static void cli_take_options(struct ctl *ctl, struct ctl_args *args)
{
	int kept = 0;
	int i;

	for (i = 0; i < args->count; i++)
		if (!cli_take_option(ctl, args->words[i]))
			args->words[kept++] = args->words[i];
	args->count = kept;
}

static int version(const struct ctl *ctl)
{
	struct json_object *doc = json_object_new_object();

	report_add_u64(doc, "abi", TORUS_ABI_VERSION);
	report_add_text(doc, "program", "torusctl");
	report_add_text(doc, "version", torus_version());
	output_answer(ctl, doc, "{program} {version}, ABI {abi}\n");
	return CTL_OK;
}

static bool is_batch(const char *word)
{
	return !strcmp(word, "-b") || !strcmp(word, "-batch") || !strcmp(word, "--batch");
}

/**
 * ctl_run_words - run one call
 * @ctl: [in, out] the call; options in @args are added
 * @args: its arguments
 *
 * Return: CTL_OK, CTL_FAILED, CTL_USAGE or CTL_DEADLOCK.
 */
int ctl_run_words(struct ctl *ctl, struct ctl_args *args)
{
	const struct ctl_object *object;
	const char *word;

	cli_take_options(ctl, args);
	if (ctl->oneline)
		output_oneline();
	word = ctl_next(args);
	if (!word) {
		if (ctl->json || ctl->file)
			return ctl_reject(ctl, "an object is missing");
		ctl_help_all(stderr);
		return CTL_USAGE;
	}
	if (!strcmp(word, "-V") || !strcmp(word, "-version") || !strcmp(word, "--version"))
		return version(ctl);
	if (is_help(word))
		return ctl_help(ctl, args);
	if (is_batch(word)) {
		if (ctl->file)
			return ctl_reject(ctl, "%s: not accepted in a file of commands", word);
		word = ctl_next(args);
		if (!word)
			return ctl_reject(ctl, "-b: the name of a file is missing (- is standard "
					  "input)");
		if (args->at < args->count)
			return ctl_reject(ctl, "unexpected argument: %s", args->words[args->at]);
		return ctl->check ? restore_check_file(ctl, word) : ctl_batch(ctl, word);
	}
	if (*word == '-')
		return ctl_reject(ctl, "unknown option %s (there are: %s)", word, OPTIONS);
	if (ctl->check)
		return restore_check_words(ctl, args->words, (unsigned int)args->count);
	object = ctl_find_object(ctl, ctl_objects, word);
	return object ? run_object(ctl, object, args) : CTL_USAGE;
}

/**
 * ctl_stoppable - let SIGINT and SIGTERM end this process, for a command that runs until a signal
 *
 * A shell starts background processes with SIGINT ignored, so the default must be restored. Such a
 * command flushes its output at once, so a signal leaves nothing to clean up.
 */
void ctl_stoppable(void)
{
	const struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t both;

	sigemptyset(&both);
	sigaddset(&both, SIGINT);
	sigaddset(&both, SIGTERM);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigprocmask(SIG_UNBLOCK, &both, NULL);
}
