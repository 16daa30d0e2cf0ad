// SPDX-License-Identifier: GPL-2.0
/* Command line of torus-perf. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../common/option.h"
#include "perf.h"
#include "options.h"
#include "transport.h"

#define USAGE		2
#define LONGEST		(16u << 20)
#define COUNT_LONGEST	1000000u
#define TIME_LONGEST	60000u
#define PIECE		(64u << 10)

const char *const measures[] = {
	[MEASURE_LAT] = "lat", [MEASURE_BW] = "bw", [MEASURE_RATE] = "rate", NULL,
};

#define EACH_BETWEEN(X)	X(NEIGHBORS, neighbors) X(ALL, all) X(ONE, one)
#define BETWEEN_NAME(between, name)	[BETWEEN_##between] = #name,
#define BETWEEN_WORD(between, name)	" " #name

const char *const betweens[] = { EACH_BETWEEN(BETWEEN_NAME) };

/**
 * struct perf_args - the command line before its options are combined
 * @call: options that are used unchanged
 * @transports: bit mask: bit i selects transports[i]
 * @base: index of the transport with which the others are compared
 * @poll: --poll was given; if neither or both of @poll and @block are true, measure in both ways
 * @block: --block was given
 */
struct perf_args {
	struct call call;
	unsigned int transports;
	unsigned int base;
	bool poll;
	bool block;
};

/* Find a word in a list that ends with NULL. Return: the index of the word, or -1. */
static int parse_find(const char *const *list, const char *word)
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

static bool take_transports(void *into, const struct option_row *row, const char *list,
			    struct parse_error *why)
{
	struct perf_args *typed = into;
	const char *at = list;
	size_t length;
	int found;

	for (typed->transports = 0;; at += length + 1) {
		length = strcspn(at, ",");
		found = transport_find(at, length);
		if (found < 0)
			return parse_fail(why, "--%s %s: must be names that --help lists",
					  row->name, list);
		typed->transports |= 1u << found;
		if (!at[length])
			return true;
	}
}

static bool take_beside(void *into, const struct option_row *row, const char *word,
			struct parse_error *why)
{
	struct perf_args *typed = into;
	int found = transport_find(word, strlen(word));

	typed->base = found;
	return found >= 0 ||
	       parse_fail(why, "--%s %s: must be a name that --help lists", row->name, word);
}

#define TRANSPORTS	"unix-datagram unix-stream udp tcp pipe ring torus-packet torus-message"
#define OF_CALL(member)	.offset = offsetof(struct perf_args, call.member)
#define AT(member)	.offset = offsetof(struct perf_args, member)

static const struct option_table table = {
	.name = "torus-perf",
	.status = USAGE,
	.usage = "torus-perf lat|bw|rate [OPTION]...\n\n"
		 "Sends the same messages in turn through the torus, sockets, pipes and shared "
		 "memory,\nand prints the medians of the ratios.\n\n"
		 "  lat                half of a round trip\n"
		 "  bw                 bytes per second in one direction\n"
		 "  rate               messages per second in one direction\n",
	.words = "lat bw rate",
	.tail = "\nTransports: " TRANSPORTS "\n",
	.rows = (const struct option_row[]){
		{ "fabric", 'f', "NAME",
		  "fabric of the torus transports; without it, they are not measured",
		  OF_CALL(fabric), .values = "@fabric" },
		{ "ranks", 'n', "N", "number of processes (2)", OF_CALL(ranks), .take = size_option,
		  .min = 2, .max = RANKS_MAX },
		{ "between", 0, "WHO",
		  "neighbors (pairs of ranks), all (pairs) or one (many to one)", OF_CALL(between),
		  .take = option_choice, .values = &(EACH_BETWEEN(BETWEEN_WORD))[1] },
		{ "transports", 0, "LIST", "transports to measure, like udp,pipe (all)",
		  .take = take_transports, .values = TRANSPORTS },
		{ "beside", 'b', "NAME",
		  "transport to compare with, with blocking calls (unix-datagram)",
		  .take = take_beside, .values = TRANSPORTS },
		{ "poll", 0, NULL, "measure the other transports by polling only", AT(poll) },
		{ "block", 0, NULL, "measure the other transports by blocking calls only",
		  AT(block) },
		{ "sizes", 's', "LIST", "lengths in bytes, like 1,64,4k,1m", OF_CALL(sizes),
		  .take = sizes_option, .min = 1, .max = LONGEST },
		{ "piece", 0, "BYTES", "maximum length of a piece of a message (64k)",
		  OF_CALL(piece), .take = size_option, .min = 1, .max = PIECE },
		{ "rounds", 'r', "N", "number of rounds; each measures all transports (9)",
		  OF_CALL(rounds), .take = size_option,
		  .min = 1, .max = ROUNDS_MAX },
		{ "count", 'c', "N", "messages in a round (all that fit in --time)", OF_CALL(count),
		  .take = size_option, .min = 1, .max = COUNT_LONGEST },
		{ "time", 0, "MS", "approximate milliseconds for each transport in a round (100)",
		  OF_CALL(time_ms), .take = size_option, .min = 1, .max = TIME_LONGEST },
		{ "json", 'j', NULL, "print one JSON document", OF_CALL(json) },
		{ "pretty", 0, NULL, "print JSON with line breaks", OF_CALL(pretty) },
		OPTION_HELP,
		OPTION_VERSION,
		{ },
	},
};

static int ways_make(struct perf_args *typed)
{
	struct call *call = &typed->call;
	bool named = typed->transports, torus;
	unsigned int i;

	if (!named)
		typed->transports = (1u << transport_count) - 1;
	typed->transports |= 1u << typed->base;
	call->ways[call->nways++] = (struct perf_way) { .transport = typed->base };
	for (i = 0; i < transport_count; i++) {
		if (!(typed->transports >> i & 1))
			continue;
		torus = transports[i].torus && !call->fabric;
		if (torus && (named || i == typed->base))
			return option_bad(&table, "transport %s: requires a fabric: -f NAME",
					  transports[i].name);
		if (torus)
			continue;
		if (i != typed->base && (typed->block || !typed->poll))
			call->ways[call->nways++] = (struct perf_way) { .transport = i };
		if (typed->poll || !typed->block)
			call->ways[call->nways++] = (struct perf_way) {
				.transport = i, .poll = true,
			};
	}
	return 0;
}

static int finish(struct perf_args *typed, int argc, char **argv)
{
	static const uint32_t lengths[][4] = {
		[MEASURE_LAT] = { 1, 200, 4096, 65536 },
		[MEASURE_BW] = { 200, 4096, 65536, 1u << 20 },
		[MEASURE_RATE] = { 1, 64, 200, 1024 },
	};
	struct call *call = &typed->call;
	int measure, status;
	const char *word;
	unsigned int i;

	status = option_word(&table, argc, argv, "measure is missing: lat, bw or rate", &word);
	if (status)
		return status;
	measure = parse_find(measures, word);
	if (measure < 0)
		return option_bad(&table, "measure %s: must be lat, bw or rate", word);
	call->measure = measure;
	if (call->between == BETWEEN_NEIGHBORS && call->ranks % 2)
		return option_bad(&table, "--ranks %u: must be even with --between neighbors",
				  call->ranks);
	for (i = call->sizes.count ? 4 : 0; i < 4; i++)
		if (!sizes_add(&call->sizes, lengths[measure][i]))
			return option_bad(&table, "sizes: out of memory");
	return ways_make(typed);
}

/**
 * perf_options - read the command line
 * @call: [out] options
 * @argc: number of words
 * @argv: the words
 *
 * Return: 0, OPTION_DONE after --help, --version or --options, or the exit status of an error.
 */
int perf_options(struct call *call, int argc, char **argv)
{
	struct perf_args typed = {
		.call = { .ranks = 2, .piece = PIECE, .rounds = 9, .time_ms = 100 },
	};
	int status = option_read(&table, argc, argv, &typed);

	if (!status)
		status = finish(&typed, argc, argv);
	*call = typed.call;
	return status;
}
