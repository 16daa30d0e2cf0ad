// SPDX-License-Identifier: GPL-2.0
/* What was typed. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/escape.h"
#include "../common/version.h"
#include "pingpong.h"

#define VERSION		"torus-pingpong " TORUS_VERSION ", ABI %d\n"
#define USAGE		2
#define SIZE_MAX_BYTES	(1u << 20)	/* of the default sizes */
#define LARGEST		(1u << 30)
#define ROUNDS_MAX	1000000u

static const struct option long_options[] = {
	{ "sizes", required_argument, NULL, 's' },
	{ "max", required_argument, NULL, 'm' },
	{ "rounds", required_argument, NULL, 'r' },
	{ "partner", required_argument, NULL, 'p' },
	{ "timeout", required_argument, NULL, 't' },
	{ "ordered", no_argument, NULL, 'o' },
	{ "json", no_argument, NULL, 'j' },
	{ "pretty", no_argument, NULL, 'P' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
	"torus-run -f FABRIC -n 2 torus-pingpong [OPTION]...\n"
	"\n"
	"Sends messages between rank 0 and another to and fro, and prints how long they took\n"
	"in simulated and in wall time.\n"
	"\n"
	"  -s, --sizes LIST   lengths in bytes, like 0,64,4k,1m (0, 1, 2, 4 and so on)\n"
	"  -m, --max BYTES    the longest of these powers of two (1m)\n"
	"  -r, --rounds N     messages there and back a length (100, fewer of long ones)\n"
	"  -p, --partner R    the rank that answers rank 0 (the last)\n"
	"  -t, --timeout S    give up when the other is silent for so many seconds (none)\n"
	"  -o, --ordered      packets travel in order, by one path\n"
	"  -j, --json         answer as one JSON document\n"
	"      --pretty       with line breaks\n"
	"  -h, --help         print this\n"
	"  -V, --version      print the version\n";

static int bad(const char *what, const char *word, const char *reason)
{
	torus_escape_message(stderr, "torus-pingpong: %s %s: %s\n", what, word, reason);
	return USAGE;
}

static int read_sizes(struct pingpong *call, const char *list)
{
	int ret = sizes_read(&call->sizes, list, 0, LARGEST);

	if (!ret)
		return 0;
	return bad("sizes", list, ret == -ENOMEM ? "no memory" :
		   "not lengths up to 1024m like 0,64,4k,1m");
}

static int read_timeout(struct pingpong *call, const char *word)
{
	char *end;
	double seconds = strtod(word, &end);

	if (*word < '0' || *word > '9' || *end || !(seconds > 0) || seconds > 2e6)
		return bad("timeout", word, "not a number of seconds, more than 0, up to 2000000");
	call->timeout_ms = seconds * 1000 < 1 ? 1 : seconds * 1000;
	return 0;
}

static int take_option(struct pingpong *call, int option, const char *word, __u32 *max)
{
	switch (option) {
	case 's':
		return read_sizes(call, word);
	case 'm':
		return size_number(word, word + strlen(word), LARGEST, max) ? 0 :
		       bad("max", word, "not a length up to 1024m");
	case 'r':
		return size_number(word, word + strlen(word), ROUNDS_MAX, &call->rounds) &&
		       call->rounds ? 0 : bad("rounds", word, "not a number from 1 to 1000000");
	case 'p':
		call->last = false;
		return size_number(word, word + strlen(word), TORUS_JOB_RANKS_MAX,
				   &call->partner) && call->partner ? 0 :
		       bad("partner", word, "not a rank from 1 on");
	case 't':
		return read_timeout(call, word);
	case 'o':
		call->route = TORUS_ROUTE_ORDERED;
		return 0;
	case 'j':
		call->json = true;
		return 0;
	default:
		call->pretty = true;
		return 0;
	}
}

static int default_sizes(struct pingpong *call, __u32 max)
{
	__u64 bytes;

	if (!sizes_add(&call->sizes, 0))
		return bad("sizes", "", "no memory");
	for (bytes = 1; bytes <= max; bytes *= 2)
		if (!sizes_add(&call->sizes, bytes))
			return bad("sizes", "", "no memory");
	return 0;
}

/**
 * pingpong_options - understand what was typed
 * @call: gets it
 * @argc: number of words
 * @argv: the words
 *
 * Return: -1 to go on, else the exit status.
 */
int pingpong_options(struct pingpong *call, int argc, char **argv)
{
	__u32 max = SIZE_MAX_BYTES;
	int option, status;

	*call = (struct pingpong) {
		.last = true, .timeout_ms = -1, .route = TORUS_ROUTE_DYNAMIC,
	};
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":s:m:r:p:t:ojhV", long_options, NULL)) >= 0) {
		if (option == 'h') {
			fputs(help, stdout);
			return 0;
		}
		if (option == 'V') {
			printf(VERSION, TORUS_ABI_VERSION);
			return 0;
		}
		if (option == '?' || option == ':')
			return bad("option", argv[optind - 1], option == '?' ?
				   "unknown (torus-pingpong --help lists them)" :
				   "its value is missing");
		status = take_option(call, option, optarg, &max);
		if (status)
			return status;
	}
	if (optind < argc)
		return bad("word", argv[optind], "one too many");
	if (!call->sizes.count && default_sizes(call, max))
		return USAGE;
	return -1;
}
