// SPDX-License-Identifier: GPL-2.0
/* What was typed. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "../../common/escape.h"
#include "../../common/version.h"
#include "beside.h"

#define VERSION		"torus-perf " TORUS_VERSION ", ABI %d\n"
#define USAGE		2
#define LONGEST		(16u << 20)
#define COUNT_LONGEST	1000000u
#define TIME_LONGEST	60000u
#define PIECE		(64u << 10)

static const struct option long_options[] = {
	{ "fabric", required_argument, NULL, 'f' },
	{ "ranks", required_argument, NULL, 'n' },
	{ "between", required_argument, NULL, 'B' },
	{ "transports", required_argument, NULL, 'T' },
	{ "beside", required_argument, NULL, 'b' },
	{ "poll", no_argument, NULL, 'p' },
	{ "block", no_argument, NULL, 'l' },
	{ "sizes", required_argument, NULL, 's' },
	{ "piece", required_argument, NULL, 'P' },
	{ "rounds", required_argument, NULL, 'r' },
	{ "count", required_argument, NULL, 'c' },
	{ "time", required_argument, NULL, 't' },
	{ "json", no_argument, NULL, 'j' },
	{ "pretty", no_argument, NULL, 'y' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static const char help[] =
	"torus-perf lat|bw|rate [OPTION]...\n"
	"\n"
	"Sends the same messages by the torus and by sockets, pipes and shared memory, in turns,\n"
	"and prints the medians of the ratios.\n"
	"\n"
	"  lat                half of a round trip\n"
	"  bw                 bytes a second one way\n"
	"  rate               messages a second one way\n"
	"\n"
	"  -f, --fabric NAME  the torus; without it only what needs none is measured\n"
	"  -n, --ranks N      processes (2)\n"
	"      --between WHO  neighbors (pairs of ranks), all (pairs) or one (many to one)\n"
	"      --transports LIST  of unix-datagram, unix-stream, udp, tcp, pipe, ring,\n"
	"                     torus-packet, torus-message (all)\n"
	"  -b, --beside NAME  that to whose blocking calls the ratios are (unix-datagram)\n"
	"      --poll         the others poll only\n"
	"      --block        the others block only\n"
	"  -s, --sizes LIST   lengths in bytes, like 1,64,4k,1m\n"
	"      --piece BYTES  longer messages leave in pieces of so many (64k)\n"
	"  -r, --rounds N     of all in turns (9)\n"
	"  -c, --count N      messages of a round (as many as take --time)\n"
	"      --time MS      milliseconds of each in a round, about (100)\n"
	"  -j, --json         answer as one JSON document\n"
	"      --pretty       with line breaks\n"
	"  -h, --help         print this\n"
	"  -V, --version      print the version\n";

const char *const measures[] = {
	[MEASURE_LAT] = "lat", [MEASURE_BW] = "bw", [MEASURE_RATE] = "rate", NULL,
};

const char *const betweens[] = {
	[BETWEEN_NEIGHBORS] = "neighbors", [BETWEEN_ALL] = "all", [BETWEEN_ONE] = "one", NULL,
};

/**
 * struct typed - what is put together when all words are known
 * @transports: bit i: transports[i] is wanted
 * @beside: index of that which the others stand beside
 * @poll: ways that poll were asked for
 * @block: ways that block
 */
struct typed {
	unsigned int transports;
	unsigned int beside;
	bool poll;
	bool block;
};

static int bad(const char *what, const char *word, const char *reason)
{
	torus_escape_message(stderr, "torus-perf: %s %s: %s\n", what, word, reason);
	return USAGE;
}

/* Return: the word's place in a list that NULL ends, -1: it is not in it. */
static int word_find(const char *const *list, const char *word)
{
	int i;

	for (i = 0; list[i]; i++)
		if (!strcmp(list[i], word))
			return i;
	return -1;
}

static int transport_find(const char *word, size_t length)
{
	unsigned int i;

	for (i = 0; i < transport_count; i++)
		if (strlen(transports[i].name) == length &&
		    !strncmp(transports[i].name, word, length))
			return i;
	return -1;
}

static int read_transports(struct typed *typed, const char *list)
{
	const char *at = list;
	size_t length;
	int found;

	for (typed->transports = 0;; at += length + 1) {
		length = strcspn(at, ",");
		found = transport_find(at, length);
		if (found < 0)
			return bad("transports", list, "not names that --help lists");
		typed->transports |= 1u << found;
		if (!at[length])
			return 0;
	}
}

static int read_beside(struct typed *typed, const char *word)
{
	int found = transport_find(word, strlen(word));

	if (found < 0)
		return bad("beside", word, "not a name that --help lists");
	typed->beside = found;
	return 0;
}

static int read_between(struct call *call, const char *word)
{
	int found = word_find(betweens, word);

	if (found < 0)
		return bad("between", word, "neither neighbors nor all nor one");
	call->between = found;
	return 0;
}

static int read_sizes(struct call *call, const char *list)
{
	int ret = sizes_read(&call->sizes, list, 1, LONGEST);

	if (!ret)
		return 0;
	return bad("sizes", list, ret == -ENOMEM ? "no memory" :
		   "not lengths from 1 to 16m like 1,64,4k,1m");
}

static bool read_number(const char *word, __u32 least, __u32 most, __u32 *value)
{
	return size_number(word, word + strlen(word), most, value) && *value >= least;
}

static int take_number(struct call *call, int option, const char *word)
{
	switch (option) {
	case 'n':
		return read_number(word, 2, RANKS_MAX, &call->ranks) ? 0 :
		       bad("ranks", word, "not a number from 2 to 64");
	case 'P':
		return read_number(word, 1, PIECE, &call->piece) ? 0 :
		       bad("piece", word, "not a length from 1 to 64k");
	case 'r':
		return read_number(word, 1, ROUNDS_MAX, &call->rounds) ? 0 :
		       bad("rounds", word, "not a number from 1 to 1000");
	case 'c':
		return read_number(word, 1, COUNT_LONGEST, &call->count) ? 0 :
		       bad("count", word, "not a number from 1 to 1000000");
	default:
		return read_number(word, 1, TIME_LONGEST, &call->time_ms) ? 0 :
		       bad("time", word, "not milliseconds from 1 to 60000");
	}
}

static int take_option(struct call *call, struct typed *typed, int option, const char *word)
{
	switch (option) {
	case 'f':
		call->fabric = word;
		return 0;
	case 'B':
		return read_between(call, word);
	case 'T':
		return read_transports(typed, word);
	case 'b':
		return read_beside(typed, word);
	case 's':
		return read_sizes(call, word);
	case 'p':
		typed->poll = true;
		return 0;
	case 'l':
		typed->block = true;
		return 0;
	case 'j':
		call->json = true;
		return 0;
	case 'y':
		call->pretty = true;
		return 0;
	default:
		return take_number(call, option, word);
	}
}

static int ways_make(struct call *call, struct typed *typed)
{
	bool named = typed->transports, torus;
	unsigned int i;

	if (!named)
		typed->transports = (1u << transport_count) - 1;
	typed->transports |= 1u << typed->beside;
	call->ways[call->nways++] = (struct way) { .transport = typed->beside };
	for (i = 0; i < transport_count; i++) {
		if (!(typed->transports >> i & 1))
			continue;
		torus = transports[i].torus && !call->fabric;
		if (torus && (named || i == typed->beside))
			return bad("transport", transports[i].name, "needs a fabric: -f NAME");
		if (torus)
			continue;
		if (i != typed->beside && (typed->block || !typed->poll))
			call->ways[call->nways++] = (struct way) { .transport = i };
		if (typed->poll || !typed->block)
			call->ways[call->nways++] = (struct way) { .transport = i, .poll = true };
	}
	return -1;
}

static int finish(struct call *call, struct typed *typed, int argc, char **argv)
{
	static const __u32 lengths[][4] = {
		[MEASURE_LAT] = { 1, 200, 4096, 65536 },
		[MEASURE_BW] = { 200, 4096, 65536, 1u << 20 },
		[MEASURE_RATE] = { 1, 64, 200, 1024 },
	};
	unsigned int i;
	int measure;

	if (optind == argc)
		return bad("measure", "is missing", "lat, bw or rate");
	measure = word_find(measures, argv[optind]);
	if (measure < 0)
		return bad("measure", argv[optind], "neither lat nor bw nor rate");
	if (optind + 1 < argc)
		return bad("word", argv[optind + 1], "one too many");
	call->measure = measure;
	if (call->between == BETWEEN_NEIGHBORS && call->ranks % 2)
		return bad("ranks", "odd", "between neighbors they are pairs");
	for (i = call->sizes.count ? 4 : 0; i < 4; i++)
		if (!sizes_add(&call->sizes, lengths[measure][i]))
			return bad("sizes", "", "no memory");
	return ways_make(call, typed);
}

/**
 * beside_options - understand what was typed
 * @call: gets it
 * @argc: number of words
 * @argv: the words
 *
 * Return: -1 to go on, else the exit status.
 */
int beside_options(struct call *call, int argc, char **argv)
{
	struct typed typed = { 0 };
	int option, status;

	*call = (struct call) { .ranks = 2, .piece = PIECE, .rounds = 9, .time_ms = 100 };
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":f:n:b:s:r:c:jhV", long_options, NULL)) >= 0) {
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
				   "unknown (torus-perf --help lists them)" :
				   "its value is missing");
		status = take_option(call, &typed, option, optarg);
		if (status)
			return status;
	}
	return finish(call, &typed, argc, argv);
}
