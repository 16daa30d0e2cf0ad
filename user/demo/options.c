// SPDX-License-Identifier: GPL-2.0
/* Command line of torus-demo. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "../common/answer.h"
#include "../common/option.h"
#include "demo.h"
#include "options.h"

#define LENGTH_MAX	65536u

struct options options = {
	.laps = 4,
	.iterations = 4,
	.halo_bytes = 2048,
	.rounds = 1,
	.length_max = LENGTH_MAX,
	.timeout_s = 300,
	/* Usually there are far more processes than processors: yield and sleep early. */
	.spins = 1,
	.yields = 1,
};

static bool take_number(void *into, const struct option_row *row, const char *word,
			struct parse_error *why)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(word, &end, 10);
	if (errno || end == word || *end || *word == '-' || value < row->min || value > row->max)
		return parse_fail(why, "--%s %s: must be a number from %lu to %lu", row->name,
				  word, (unsigned long)row->min, (unsigned long)row->max);
	*(unsigned int *)((char *)into + row->offset) = value;
	return true;
}

#define NUMBER(member, from, to) \
	.offset = offsetof(struct options, member), .take = take_number, .min = from, .max = to
#define FLAG(member)	.offset = offsetof(struct options, member)

static const struct option_table table = {
	.name = "torus-demo",
	.status = 2,
	.usage = "torus-demo FABRIC [OPTION]...\n",
	.tail = "Runs one process on every node; the exit status is 0 if all bytes were right.\n",
	.words = "@fabric",
	.rows = (const struct option_row[]){
		{ "laps", 0, "N", "laps of the ring's token (4)", NUMBER(laps, 0, 1000000) },
		{ "iterations", 0, "N", "halo exchanges (4)", NUMBER(iterations, 0, 1000000) },
		{ "halo", 0, "BYTES", "length of a halo message (2048)",
		  NUMBER(halo_bytes, 1, 1 << 24) },
		{ "rounds", 0, "N", "all-to-alls (1, at most 200)", NUMBER(rounds, 0, 200) },
		{ "length", 0, "BYTES", "longest message of the all-to-all (65536)",
		  NUMBER(length_max, 2, 1 << 24) },
		{ "timeout", 0, "S", "give up after S seconds (300)",
		  NUMBER(timeout_s, 1, 1000000) },
		{ "spins", 0, "N", "polls of the rings before a wait yields (1)",
		  NUMBER(spins, 0, 1000000) },
		{ "yields", 0, "N", "yields before a wait sleeps (1)", NUMBER(yields, 0, 1000000) },
		{ "progress", 0, NULL,
		  "print progress every two seconds even without a terminal", FLAG(lines) },
		{ "json", 0, NULL, "print one JSON document", FLAG(json) },
		{ .name = "help", .help = "print this" },
		{ },
	},
};

/**
 * options_parse() - read the command line into options
 * @argc: as main()
 * @argv: as main()
 *
 * Exits if the command line is wrong or asks for help.
 */
void options_parse(int argc, char **argv)
{
	int status = option_read(&table, argc, argv, &options);

	if (!status)
		status = option_word(&table, argc, argv, "FABRIC is missing", &options.fabric);
	if (status)
		exit(status == OPTION_DONE ? torus_answer_end("torus-demo", 0, 1) : status);
	options.progress = options.lines || isatty(STDERR_FILENO);
}
