// SPDX-License-Identifier: GPL-2.0
/* Command line of torus-pingpong. */
#include <stdlib.h>
#include <unistd.h>
#include "../common/option.h"
#include "options.h"
#include "pingpong.h"

#define USAGE		2
/* maximum of the message lengths that are measured by default */
#define SIZE_MAX_BYTES	(1u << 20)
#define LARGEST		(1u << 30)
#define ROUNDS_MAX	1000000u

static bool take_timeout(void *into, const struct option_row *row, const char *word,
			 struct parse_error *why)
{
	struct pingpong *call = into;
	char *end;
	double seconds = strtod(word, &end);

	if (*word < '0' || *word > '9' || *end || !(seconds > 0) || seconds > 2e6)
		return parse_fail(why, "--%s %s: must be a number of seconds, more than 0 and "
				  "at most 2000000", row->name, word);
	call->timeout_ms = seconds * 1000 < 1 ? 1 : seconds * 1000;
	return true;
}

#define AT(member)	.offset = offsetof(struct pingpong, member)

static const struct option_table table = {
	.name = "torus-pingpong",
	.status = USAGE,
	.usage = "torus-run -f FABRIC -n 2 torus-pingpong [OPTION]...\n"
		 "\n"
		 "Sends messages back and forth between rank 0 and another rank, and prints "
		 "their\n"
		 "simulated and wall time.\n",
	.rows = (const struct option_row[]){
		{ "sizes", 's', "LIST", "lengths in bytes, like 0,64,4k,1m (0, 1, 2, 4 and so on)",
		  AT(sizes), .take = sizes_option, .max = LARGEST },
		{ "max", 'm', "BYTES", "maximum length, if --sizes is not given (1m)", AT(max),
		  .take = size_option, .max = LARGEST },
		{ "rounds", 'r', "N", "round trips for each length (100, fewer for long messages)",
		  AT(rounds), .take = size_option, .min = 1, .max = ROUNDS_MAX },
		{ "partner", 'p', "R", "rank that answers rank 0 (the last)", AT(partner),
		  .take = size_option, .min = 1, .max = TORUS_JOB_RANKS_MAX },
		{ "timeout", 't', "S",
		  "give up after S seconds without an answer (never)",
		  .take = take_timeout },
		{ "ordered", 'o', NULL, "send all packets in order, by one path", AT(ordered) },
		{ "json", 'j', NULL, "print one JSON document", AT(json) },
		{ "pretty", 0, NULL, "print JSON with line breaks", AT(pretty) },
		OPTION_HELP,
		OPTION_VERSION,
		{ },
	},
};

static bool default_sizes(struct pingpong *call)
{
	__u64 bytes;

	if (!sizes_add(&call->sizes, 0))
		return false;
	for (bytes = 1; bytes <= call->max; bytes *= 2)
		if (!sizes_add(&call->sizes, bytes))
			return false;
	return true;
}

/**
 * pingpong_options - read the command line
 * @call: [out] options
 * @argc: number of words
 * @argv: the words
 *
 * Return: 0, OPTION_DONE after --help, --version or --options, or the exit status of an error.
 */
int pingpong_options(struct pingpong *call, int argc, char **argv)
{
	int status;

	*call = (struct pingpong) { .timeout_ms = -1, .max = SIZE_MAX_BYTES };
	status = option_read(&table, argc, argv, call);
	if (!status)
		status = option_end(&table, argc, argv, 0);
	if (status)
		return status;
	if (!call->sizes.count && !default_sizes(call))
		return option_bad(&table, "sizes: out of memory");
	return 0;
}
