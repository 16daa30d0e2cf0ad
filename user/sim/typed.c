// SPDX-License-Identifier: GPL-2.0
/*
 * The options of run and sweep as they were typed: which there are, what their help says, and
 * the word of each.  options.c understands them.
 */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "../machine/machine.h"
#include "../words/words.h"
#include "core/run/params.h"
#include "config.h"
#include "sim.h"
#include "typed.h"

#define HELP_COLUMN	26	/* where explanations begin */

#define BOTH		(SIM_FOR_RUN | SIM_FOR_SWEEP)
#define EACH		(BOTH | SIM_OF_POINTS)
#define ANSWER		(BOTH | SIM_OF_ANSWER)
#define PLACE(member)	SIM_PLACE(member)

static const struct sim_row rows[] = {
	{ "arch", "A", EACH, PLACE(arch), "the machine" },
	{ "shape", "XxYxZ", EACH, PLACE(shape), "lengths of its dimensions" },
	{ "mesh", "DIMS", EACH, PLACE(mesh),
	  "dimensions that are a mesh, like x,z or xz (default: none)" },
	{ "pattern", "P", EACH, PLACE(pattern), "who sends to whom" },
	{ "load", "F", EACH, PLACE(load),
	  "open loop: offered load, a fraction of the pattern's peak, above 0 and up to 2" },
	{ "loads", "FIRST:LAST:STEP", SIM_FOR_SWEEP, PLACE(loads), "offered loads, likewise" },
	{ "find-saturation", NULL, SIM_FOR_SWEEP, PLACE(saturation),
	  "find the load from which less than 0.99 of what is offered is accepted" },
	{ "over", "KEY=VALUES", SIM_FOR_SWEEP, PLACE(overs),
	  "points of the sweep: VALUES are A,B,C or FIRST:LAST:STEP, KEY is load or any other\n"
	  "option that takes a value, or a key of --set; of several, each with each" },
	{ "packets", "N", EACH, PLACE(packets),
	  "closed loop: packets for each source and destination (alltoall*, hotregion,\n"
	  "file:NAME), each root (fills) or each node, measured to the last delivery" },
	{ "size", "BYTES|MIN:MAX", EACH, PLACE(size),
	  "bytes of a packet that software sees, header included\n"
	  "(default: 256; of xt 72)" },
	{ "cycles", "N", EACH, PLACE(cycles),
	  "ticks of the measured window (default: 100000)" },
	{ "warmup", "N", EACH, PLACE(warmup), "ticks before it (default: 20000),\n"
	  "or auto: until the latency is steady, by MSER-5" },
	{ "seed", "N", EACH, PLACE(seed), "of every random stream (default: 1)" },
	{ "replicate", "N", BOTH, PLACE(replicate),
	  "N times, with seeds one apart: mean and 95 % interval of each figure" },
	{ "until", "P%", BOTH, PLACE(until),
	  "make the window longer, from --cycles on, until the 95 % interval of the mean\n"
	  "latency is P % of it, to each side" },
	{ "limit", "N", BOTH, PLACE(limit),
	  "ticks of a window or warm-up that the run finds, at most\n"
	  "(default: 100 times --cycles)" },
	{ "threads", "N", BOTH | SIM_OF_RESTORE, PLACE(threads),
	  "that simulate side by side (default: 1; of points, as many as processors)" },
	{ "domains", "N", BOTH | SIM_OF_RESTORE, PLACE(domains),
	  "parts of the fabric that can (default: as many as threads)" },
	{ "apart", NULL, BOTH | SIM_OF_RESTORE, PLACE(apart),
	  "simulate each domain by itself: else the domains of a thread are one" },
	{ "set", "KEY=VALUE", BOTH, PLACE(sets),
	  "a parameter of the machine, or region=2x2x2 region_at=X,Y,Z share=F for\n"
	  "hotregion, hot=\"NODE NODE ..\" share=F for hotspot, root_at=X,Y,Z for fills,\n"
	  "arrivals=poisson|bernoulli, burst=N packets one after another, as many in the\n"
	  "mean, with pauses between, reply=BYTES that each packet makes its receiver send\n"
	  "back, outstanding=N of a node that have no reply yet at most, class=0|1 of\n"
	  "the packets where the machine has two, or with --packets pacing=F, the\n"
	  "fraction of the peak's rate at which a node's enter,\n"
	  "or what routing tables are to say: policy=initial|v1|v2|v3|one (v3),\n"
	  "datelines=X,Y,Z|auto|none, ties=split|plus, broken=\"NODE DIR, ..\", absent=..;\n"
	  "may be given many times" },
	{ "table", "FILE", BOTH, PLACE(tables),
	  "routing tables as torusctl route dump writes them, instead of computed ones;\n"
	  "at TICK behind the name: from that tick on; may be given many times" },
	{ "fault", "WORDS", SIM_FOR_RUN, PLACE(faults),
	  "\"NODE|all DIR|all FAULT... [at TICK] [for TICKS]\", where FAULT is state up|down,\n"
	  "ber P, corrupt N, escape N, drop-ack N, drop-nack N, corrupt-ack N, ecc-single N,\n"
	  "ecc-double N, parity N or delay TICKS, as for torusctl link set; may be given many\n"
	  "times" },
	{ "series", "N", SIM_FOR_RUN, PLACE(series),
	  "tell the window in N equal parts, a time series, by direction and VC too" },
	{ "series-links", "FILE", SIM_FOR_RUN | SIM_OF_ANSWER, PLACE(series_links),
	  "write what each link did in each of these parts to FILE as CSV" },
	{ "series-of", "WHICH", SIM_FOR_RUN | SIM_OF_ANSWER, PLACE(series_of),
	  "of these links alone: \"NODE|all DIR|all\"; may be given many times" },
	{ "heatmap", "FILE", SIM_FOR_RUN | SIM_OF_ANSWER, PLACE(heatmap),
	  "draw how busy the links of each node were in the window, dimension by dimension:\n"
	  "as text, - for standard output, or as .svg" },
	{ "statistics", NULL, BOTH, PLACE(statistics),
	  "tell latency by histograms (source queue, network, by hops), what was offered and\n"
	  "accepted in packets, bytes and flits, and how alike nodes fare" },
	{ "histogram", "FILE", SIM_FOR_RUN | SIM_OF_ANSWER | SIM_OF_RESTORE, PLACE(histogram),
	  "the same, and write the histograms to FILE as CSV, or drawn as .svg or .png" },
	{ "links", "FILE", SIM_FOR_RUN | SIM_OF_ANSWER | SIM_OF_RESTORE, PLACE(links),
	  "write every link's counters to FILE as CSV" },
	{ "trace", "FILE", SIM_FOR_RUN | SIM_OF_ANSWER, PLACE(trace),
	  "write packets' lives to FILE (inject, route, stall, hop, error, resend, deliver,\n"
	  "drop), as text, or as lines of JSON where its name ends in .json or .jsonl" },
	{ "trace-packets", "WHICH", SIM_FOR_RUN | SIM_OF_ANSWER, PLACE(trace_packets),
	  "of these packets alone: \"NODE|all [to NODE|all] [N|N-M]\", N of the source's,\n"
	  "from 0; may be given many times" },
	{ "trace-links", "WHICH", SIM_FOR_RUN | SIM_OF_ANSWER, PLACE(trace_links),
	  "of these links alone: \"NODE|all DIR|all\"; may be given many times" },
	{ "trace-window", "FROM:TO", SIM_FOR_RUN | SIM_OF_ANSWER, PLACE(trace_window),
	  "of these ticks alone" },
	{ "trace-limit", "N", SIM_FOR_RUN | SIM_OF_ANSWER, PLACE(trace_limit),
	  "events that the trace has at most (default: 1000000); it says how many more there\n"
	  "were" },
	{ "checkpoint", "FILE", SIM_FOR_RUN | SIM_OF_LINE | SIM_OF_RESTORE, PLACE(checkpoint),
	  "write to FILE, now and then, all from which the run can go on; once more when it\n"
	  "is interrupted" },
	{ "every", "TIME", SIM_FOR_RUN | SIM_OF_LINE | SIM_OF_RESTORE, PLACE(every),
	  "from one checkpoint to the next: simulated time, as 50000 ticks or 2ms" },
	{ "restore", "FILE", SIM_FOR_RUN | SIM_OF_LINE | SIM_OF_RESTORE, PLACE(restore),
	  "go on from FILE, which --checkpoint has written, with its options; beside it\n"
	  "--threads, --domains, --apart, --checkpoint, --every and the answer's form" },
	{ "op", "OP", SIM_FOR_RUN, PLACE(op),
	  "packet, or put or get: memory, by engines, --packets N of them (default: packet)" },
	{ "length", "N", SIM_FOR_RUN, PLACE(length), "bytes of a put or get (default: 8)" },
	{ "json", NULL, ANSWER | SIM_OF_RESTORE, PLACE(json),
	  "answer with one JSON document" },
	{ "csv", NULL, SIM_FOR_SWEEP | SIM_OF_ANSWER, PLACE(csv), "answer with CSV" },
	{ "plot", "FILE", SIM_FOR_SWEEP | SIM_OF_ANSWER, PLACE(plot),
	  "draw latency and throughput against load, with gnuplot, as .svg or .png" },
	{ "progress", NULL, ANSWER | SIM_OF_RESTORE, PLACE(progress),
	  "tell how far it is, even where standard error is no terminal" },
	{ "rank-timeout", "TIME", BOTH | SIM_OF_LINE | SIM_OF_RESTORE, PLACE(rank_timeout),
	  "of several ranks: end where one has said nothing for so long, as 30s, while\n"
	  "another waits (default: it is waited for)" },
	{ "config", "FILE", BOTH | SIM_OF_LINE, PLACE(config),
	  "options from FILE, a JSON object with their names as keys; what is typed goes\n"
	  "before what stands there" },
	{ "write-config", "FILE", BOTH | SIM_OF_LINE, PLACE(write_config),
	  "write such a file, with the value of each option and key that is not typed" },
	{ "help", NULL, BOTH | SIM_OF_LINE, PLACE(help), "print this" },
};

#define ROWS	(sizeof(rows) / sizeof(rows[0]))

/* --------------------------------------------------------------------- help */

/* A text of several lines. */
static void help_text(const char *text)
{
	const char *end;

	for (;; text = end + 1) {
		end = strchrnul(text, '\n');
		printf("%.*s\n", (int)(end - text), text);
		if (!*end)
			return;
		printf("%*s", HELP_COLUMN, "");
	}
}

static void help_machine(const struct torus_arch *arch)
{
	struct torus_config config;
	char text[64];
	int length;
	u32 i, j;

	printf("\n%s: %s\n", arch->name, arch->help);
	torus_config_init(&config, arch);
	for (i = 0; i < torus_param_count(arch); i++) {
		const struct torus_param *param = torus_param_at(arch, i);

		if (!param)
			continue;
		length = printf("  %s=%s", param->name,
				torus_config_text(&config, i, text, sizeof(text)));
		for (j = 0; param->values && param->values[j]; j++)
			if (strcmp(param->values[j], text))
				length += printf("|%s", param->values[j]);
		if (length > HELP_COLUMN - 2) {
			putchar('\n');
			length = 0;
		}
		printf("%*s%s\n", HELP_COLUMN - length, "", param->help);
	}
}

static int help(unsigned int command)
{
	const struct torus_arch *const *arch;
	char list[256];
	char left[64];
	size_t i;

	printf("torus-sim %s --arch A --shape XxYxZ --pattern P %s [OPTION]...\n\n",
	       command == SIM_FOR_RUN ? "run" : "sweep",
	       command == SIM_FOR_RUN ? "--load F|--packets N" :
	       "--loads FIRST:LAST:STEP|--over KEY=VALUES");
	for (i = 0; i < ROWS; i++) {
		if (!(rows[i].commands & command))
			continue;
		snprintf(left, sizeof(left), "--%s%s%s", rows[i].name,
			 rows[i].argument ? " " : "", rows[i].argument ? rows[i].argument : "");
		printf("  %-23s ", left);
		help_text(rows[i].help);
	}
	word_pattern_list(list, sizeof(list));
	printf("\nPatterns: %s\n", list);
	fputs("\nMachines, and the keys of --set with their default and other values:\n", stdout);
	for (arch = torus_archs; *arch; arch++)
		help_machine(*arch);
	return SIM_HELP;
}

/* ------------------------------------------------------------------ reading */

/**
 * sim_typed_table - put a file of routing tables on the list
 * @typed: the options
 * @file: its name
 * @at: when routers begin to go by them, as it was typed
 *
 * Return: SIM_OK, or SIM_USAGE after telling why not.
 */
int sim_typed_table(struct sim_typed *typed, const char *file, const char *at)
{
	struct sim_table *table = &typed->tables[typed->ntables];
	struct word_why why;

	if (typed->ntables == SIM_TABLES_MAX)
		return sim_bad("--table %s: more than %d", file, SIM_TABLES_MAX);
	*table = (struct sim_table){ .file = file, .typed = at };
	typed->ntables++;
	return word_time("at", table->typed, &table->at, &why) ? SIM_OK :
	       sim_bad("--table %s: %s", file, why.text);
}

/* FILE, and "at TICK" where that follows. */
static int read_table(struct sim_typed *typed, const char *file, int argc, char **argv)
{
	const char *at = "0";

	if (optind < argc && !strcmp(argv[optind], "at")) {
		if (optind + 1 == argc)
			return sim_bad("--table %s at: its value is missing", file);
		at = argv[optind + 1];
		optind += 2;
	}
	return sim_typed_table(typed, file, at);
}

/* A word that abbreviates no option, or more than one. */
static int read_ambiguous(const char *word, unsigned int command)
{
	size_t length = strcspn(word, "=");
	char many[512] = "";
	size_t used = 0;
	size_t i;

	for (i = 0; i < ROWS; i++)
		if ((rows[i].commands & command) && length > 2 &&
		    !strncmp(word + 2, rows[i].name, length - 2))
			used += scnprintf(many + used, sizeof(many) - used, " --%s", rows[i].name);
	if (used)
		return sim_bad("%s: may be any of:%s", word, many);
	for (i = 0; i < ROWS; i++)
		if (rows[i].commands & command && used < sizeof(many))
			used += scnprintf(many + used, sizeof(many) - used, " --%s", rows[i].name);
	return sim_bad("%s: there is no such option (there are:%s)", word, many);
}

/* The word of argv[] that getopt stumbled over. */
static int read_unknown(char **argv, int value, unsigned int command)
{
	const char *word = argv[optind - 1];

	if (value == ':')
		return sim_bad("%s: its value is missing", word);
	/* An option that takes no value, or a short one: those have a number. */
	if (optopt > 0 && optopt <= (int)ROWS)
		return sim_bad("%s: --%s takes no value", word, rows[optopt - 1].name);
	if (optopt)
		return sim_bad("-%c: there is no such option", optopt);
	return read_ambiguous(word, command);
}

/**
 * sim_typed_row - an option, by number
 * @i: its number, from 0
 *
 * Return: the option; NULL: there are no more.
 */
const struct sim_row *sim_typed_row(size_t i)
{
	return i < ROWS ? &rows[i] : NULL;
}

/**
 * sim_typed_at - where the word of an option stands
 * @typed: the options
 * @row: one that may not be given many times
 *
 * Return: the place.
 */
const char **sim_typed_at(struct sim_typed *typed, const struct sim_row *row)
{
	return (const char **)((char *)typed + row->offset);
}

/**
 * sim_typed_list - the words of an option that may be given many times
 * @typed: the options
 * @row: the option
 * @list: gets where they stand
 *
 * Return: false: it may not, or is table, whose words are a struct each.
 */
bool sim_typed_list(struct sim_typed *typed, const struct sim_row *row, struct sim_list *list)
{
	switch (row->offset) {
	case PLACE(sets):
		*list = (struct sim_list){ typed->sets, &typed->nsets, SIM_SETS_MAX };
		return true;
	case PLACE(faults):
		*list = (struct sim_list){ typed->faults, &typed->nfaults, SIM_FAULTS_MAX };
		return true;
	case PLACE(overs):
		*list = (struct sim_list){ typed->overs, &typed->novers, SIM_OVERS_MAX };
		return true;
	case PLACE(trace_packets):
		*list = (struct sim_list){ typed->trace_packets, &typed->ntrace_packets,
					   SIM_TRACE_MAX };
		return true;
	case PLACE(trace_links):
		*list = (struct sim_list){ typed->trace_links, &typed->ntrace_links,
					   SIM_LINKS_MAX };
		return true;
	case PLACE(series_of):
		*list = (struct sim_list){ typed->series_of, &typed->nseries_of, SIM_LINKS_MAX };
		return true;
	}
	return false;
}

/**
 * sim_typed_take - put the word of an option into its place or onto its list
 * @typed: the options
 * @row: the option, which is not table
 * @word: its value, which stays as long as @typed; "" of one that has none
 *
 * Return: SIM_OK, or SIM_USAGE after telling why not.
 */
int sim_typed_take(struct sim_typed *typed, const struct sim_row *row, const char *word)
{
	struct sim_list list;

	if (!sim_typed_list(typed, row, &list)) {
		*sim_typed_at(typed, row) = word;
		return SIM_OK;
	}
	if (*list.count == list.max)
		return sim_bad("--%s %s: more than %u", row->name, word, list.max);
	list.words[(*list.count)++] = word;
	return SIM_OK;
}

/* An option on the line. */
static int read_row(struct sim_typed *typed, const struct sim_row *row, int argc, char **argv)
{
	if (row->offset == PLACE(tables))
		return read_table(typed, optarg, argc, argv);
	return sim_typed_take(typed, row, optarg ? optarg : "");
}

/**
 * sim_typed_place - where the word of an option stands that points of a sweep may differ in
 * @typed: the options
 * @key: its name, without dashes
 *
 * Return: the place; NULL: there is no such option.
 */
const char **sim_typed_place(struct sim_typed *typed, const char *key)
{
	size_t i;

	for (i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].name, key) && (rows[i].commands & SIM_OF_POINTS))
			return sim_typed_at(typed, &rows[i]);
	return NULL;
}

/**
 * sim_typed_read - read the words behind a command's name
 * @typed: gets them
 * @command: SIM_FOR_RUN or SIM_FOR_SWEEP
 * @argc: words, the command's name the first
 * @argv: the words
 *
 * Return: SIM_OK: sim_typed_free() them; SIM_USAGE or SIM_FAILED after telling why not, or
 * SIM_HELP after printing the help.
 */
int sim_typed_read(struct sim_typed *typed, unsigned int command, int argc, char **argv)
{
	struct option list[ROWS + 1];
	int status = SIM_OK;
	size_t count = 0;
	int value;
	size_t i;

	memset(typed, 0, sizeof(*typed));
	memset(list, 0, sizeof(list));
	for (i = 0; i < ROWS; i++) {
		if (!(rows[i].commands & command))
			continue;
		list[count++] = (struct option){
			.name = rows[i].name,
			.has_arg = rows[i].argument ? required_argument : no_argument,
			.val = (int)i + 1,
		};
	}

	opterr = 0;
	/* "+": what is no option ends them, and is refused below. */
	while (!status && (value = getopt_long(argc, argv, "+:h", list, NULL)) != -1) {
		if (value == 'h') {
			typed->help = "";
			continue;
		}
		if (value == '?' || value == ':') {
			status = read_unknown(argv, value, command);
			break;
		}
		status = read_row(typed, &rows[value - 1], argc, argv);
	}
	if (!status && typed->help)
		return help(command);
	if (!status && optind < argc)
		status = sim_bad("%s: one word too many", argv[optind]);
	/* what is restored has its options with it, and takes no others */
	if (!status && typed->config && !typed->restore)
		status = sim_config_read(typed, command);
	if (status)
		sim_typed_free(typed);
	return status;
}

/**
 * sim_typed_free - give back what was read with the options
 * @typed: read
 */
void sim_typed_free(struct sim_typed *typed)
{
	sim_config_free(typed->words);
	typed->words = NULL;
}
