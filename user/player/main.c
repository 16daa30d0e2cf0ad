// SPDX-License-Identifier: GPL-2.0
/* torus-player: show a trace in a browser. */
#include <stdio.h>
#include <string.h>

#include "../common/answer.h"
#include "../common/escape.h"
#include "../common/option.h"
#include "lines.h"
#include "page.h"

#define FAILED	1
#define USAGE	2

/**
 * struct player_args - the command line
 * @output: name of the page
 * @title: heading of the page, or NULL
 * @arch: machine of JSON lines, or NULL
 * @shape: shape of JSON lines, or NULL
 * @file: name of the trace
 */
struct player_args {
	const char *output;
	const char *title;
	const char *arch;
	const char *shape;
	const char *file;
};

#define AT(member)	.offset = offsetof(struct player_args, member)

static const struct option_table table = {
	.name = "torus-player",
	.status = USAGE,
	.usage = "torus-player FILE -o FILE.html [OPTION]...\n"
		 "\n"
		 "Writes a page that shows a trace of torus-sim, tick by tick.\n",
	.words = "@file",
	.rows = (const struct option_row[]){
		{ "output", 'o', "FILE", "the page; - is standard output", AT(output) },
		{ "title", 't', "TEXT", "heading of the page, like a fabric's name (default: FILE)",
		  AT(title), .values = "-" },
		{ "arch", 'a', "A", "the machine, for JSON lines", AT(arch), .values = "@machine" },
		{ "shape", 's', "XxYxZ", "lengths of the dimensions, for JSON lines", AT(shape),
		  .values = "-" },
		OPTION_HELP,
		OPTION_VERSION,
		{ },
	},
};

static int player_fail(int status, const char *what, const char *text)
{
	torus_answer_flush();
	torus_escape_message(stderr, "torus-player: %s%s%s\n", what, *what ? ": " : "", text);
	return status;
}

static int player_make(const struct player_args *call)
{
	struct player_record record = { .events = 0 };
	struct parse_error why;
	int status = 0;

	if (call->arch && !player_record_machine(&record, call->arch, call->shape, &why))
		return player_fail(USAGE, "", why.text);
	if (!player_read(&record, call->file, &why))
		status = player_fail(USAGE, call->file, why.text);
	else if (!player_page_write(&record, call->title ? call->title : call->file, call->output,
				    &why))
		status = player_fail(FAILED, "", why.text);
	player_record_free(&record);
	return status;
}

static int player_run(int argc, char **argv)
{
	struct player_args call = { .output = NULL };
	int status = option_read(&table, argc, argv, &call);

	if (!status)
		status = option_word(&table, argc, argv, "a trace is missing", &call.file);
	if (status)
		return status == OPTION_DONE ? 0 : status;
	if (!call.output)
		return option_bad(&table, "--output is missing: the name of the page");
	if (!call.arch != !call.shape)
		return option_bad(&table, "--arch and --shape must be given together");
	return player_make(&call);
}

int main(int argc, char **argv)
{
	torus_answer_begin();
	return torus_answer_end("torus-player", player_run(argc, argv), FAILED);
}
