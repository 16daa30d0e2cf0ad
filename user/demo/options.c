// SPDX-License-Identifier: GPL-2.0
/* The command line. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "../common/answer.h"
#include "../common/escape.h"
#include "demo.h"

#define LENGTH_MAX	65536u

struct options options = {
	.laps = 4,
	.iterations = 4,
	.halo_bytes = 2048,
	.rounds = 1,
	.length_max = LENGTH_MAX,
	.timeout_s = 300,
	/* There are far more processes than processors. */
	.spins = 1,
	.yields = 1,
};

static void options_usage(FILE *to)
{
	fprintf(to,
		"torus-demo FABRIC [OPTION]...\n"
		"  --laps N         laps of the ring's token (4)\n"
		"  --iterations N   halo exchanges (4)\n"
		"  --halo BYTES     length of a halo message (2048)\n"
		"  --rounds N       all-to-alls (1, at most 200)\n"
		"  --length BYTES   longest message of the all-to-all (65536)\n"
		"  --timeout S      give up after so many seconds (300)\n"
		"  --spins N        looks at the rings before a wait yields (1)\n"
		"  --yields N       and yields before it sleeps (1)\n"
		"  --progress       a line every two seconds; a terminal gets one that changes\n"
		"  --json           print one JSON document\n"
		"  --help           print this\n"
		"A process at every node; the exit status is 0 if all bytes were right.\n");
}

static unsigned long options_number(const char *option, const char *text, unsigned long min,
				    unsigned long max)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || value < min || value > max) {
		torus_escape_message(stderr,
				     "torus-demo: --%s %s: a number of %lu to %lu is wanted\n",
				     option, text, min, max);
		exit(2);
	}
	return value;
}

/**
 * options_parse() - read the command line into options; ends the program if it is wrong
 * @argc: as main()
 * @argv: as main()
 */
void options_parse(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "laps", required_argument, NULL, 'l' },
		{ "iterations", required_argument, NULL, 'i' },
		{ "halo", required_argument, NULL, 'b' },
		{ "rounds", required_argument, NULL, 'r' },
		{ "length", required_argument, NULL, 'n' },
		{ "timeout", required_argument, NULL, 't' },
		{ "spins", required_argument, NULL, 's' },
		{ "yields", required_argument, NULL, 'y' },
		{ "progress", no_argument, NULL, 'p' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int opt;

	opterr = 0;
	options.progress = isatty(STDERR_FILENO);
	while ((opt = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		switch (opt) {
		case 'l':
			options.laps = options_number("laps", optarg, 0, 1000000);
			break;
		case 'i':
			options.iterations = options_number("iterations", optarg, 0, 1000000);
			break;
		case 'b':
			options.halo_bytes = options_number("halo", optarg, 1, 1 << 24);
			break;
		case 'r':
			options.rounds = options_number("rounds", optarg, 0, 200);
			break;
		case 'n':
			options.length_max = options_number("length", optarg, 2, 1 << 24);
			break;
		case 't':
			options.timeout_s = options_number("timeout", optarg, 1, 1000000);
			break;
		case 's':
			options.spins = options_number("spins", optarg, 0, 1000000);
			break;
		case 'y':
			options.yields = options_number("yields", optarg, 0, 1000000);
			break;
		case 'p':
			options.progress = true;
			options.lines = true;
			break;
		case 'j':
			options.json = true;
			break;
		case 'h':
			options_usage(stdout);
			exit(torus_answer_end("torus-demo", 0, 1));
		default:
			options_usage(stderr);
			exit(2);
		}
	}
	if (optind + 1 != argc) {
		options_usage(stderr);
		exit(2);
	}
	options.fabric = argv[optind];
}
