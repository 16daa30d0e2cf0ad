// SPDX-License-Identifier: GPL-2.0
/*
 * Table of the options of run and sweep. The words of the command line are stored without parsing,
 * except the time of --table.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../parse/pattern.h"
#include "../../parse/time.h"
#include "arch/arch.h"
#include "../../machine/machine.h"
#include "../../parse/parse.h"
#include "core/run/params.h"
#include "core/state/stop.h"
#include "config.h"
#include "../base/message.h"
#include "cmdline.h"

#define BOTH		(SIM_FOR_RUN | SIM_FOR_SWEEP)
#define EACH		(BOTH | SIM_OF_POINTS)
#define ANSWER		(BOTH | SIM_OF_ANSWER)
#define PLACE(member)	.offset = SIM_PLACE(member), .take = take_row

static bool take_row(void *into, const struct option_row *row, const char *word,
		     struct parse_error *why);

static const struct option_row rows[] = {
	{ "arch", 0, "A", "the machine; A:XxYxZ is the machine and its shape",
	  PLACE(arch), .groups = EACH, .values = "@machine" },
	{ "shape", 0, "XxYxZ", "lengths of the dimensions", PLACE(shape), .groups = EACH },
	{ "mesh", 0, "DIMS", "dimensions that are a mesh, like x,z or xz (default: none)",
	  PLACE(mesh), .groups = EACH },
	{ "pattern", 0, "P", "pattern of senders and destinations",
	  PLACE(pattern), .groups = EACH, .values = "@pattern" },
	{ "load", 0, "F",
	  "open loop: offered load, a fraction of the pattern's peak (above 0, at most 2)",
	  PLACE(load), .groups = EACH },
	{ "loads", 0, "FIRST:LAST:STEP", "open loop: list of offered loads, see --load",
	  PLACE(loads), .groups = SIM_FOR_SWEEP },
	{ "find-saturation", 0, NULL,
	  "find the highest load at which at least 0.99 of the offered packets are accepted",
	  PLACE(saturation), .groups = SIM_FOR_SWEEP },
	{ "over", 0, "KEY=VALUES",
	  "vary KEY over VALUES, which are A,B,C or FIRST:LAST:STEP; KEY is load or any other "
	  "option with a value, or a key of --set; several are combined",
	  PLACE(overs), .groups = SIM_FOR_SWEEP },
	{ "packets", 0, "N",
	  "closed loop: packets per source and destination (alltoall*, hotregion, "
	  "file:NAME), per root (fills) or per node, measured to the last delivery",
	  PLACE(packets), .groups = EACH },
	{ "size", 0, "BYTES|MIN:MAX",
	  "bytes of a packet with the header that software sees "
	  "(default: 256; on xt 72)",
	  PLACE(size), .groups = EACH },
	{ "cycles", 0, "N", "ticks of the measured window (default: 100000)",
	  PLACE(cycles), .groups = EACH },
	{ "warmup", 0, "N",
	  "ticks before the window (default: 20000), "
	  "or auto: until the latency is steady (MSER-5)",
	  PLACE(warmup), .groups = EACH },
	{ "seed", 0, "N", "seed of all random streams (default: 1)", PLACE(seed), .groups = EACH },
	{ "replicate", 0, "N",
	  "run N times, with consecutive seeds: mean and 95 % interval of each figure",
	  PLACE(replicate), .groups = BOTH },
	{ "until", 0, "P%",
	  "double the window, starting with --cycles, until the half width of the 95 % "
	  "confidence interval of the mean latency is at most P %",
	  PLACE(until), .groups = BOTH },
	{ "limit", 0, "N",
	  "maximum ticks of the window of --until, and of --warmup auto "
	  "(default: 100 times --cycles)",
	  PLACE(limit), .groups = BOTH },
	{ "threads", 0, "N",
	  "threads that simulate (default: 1; for a sweep, one for each processor)",
	  PLACE(threads), .groups = BOTH | SIM_OF_RESTORE },
	{ "domains", 0, "N", "parts that are simulated in parallel (default: one for each thread)",
	  PLACE(domains), .groups = BOTH | SIM_OF_RESTORE },
	{ "apart", 0, NULL,
	  "simulate each domain separately; by default the domains of a thread are merged",
	  PLACE(apart), .groups = BOTH | SIM_OF_RESTORE },
	{ "set", 0, "KEY=VALUE",
	  "set a parameter of the machine, or of the workload: region=2x2x2 region_at=X,Y,Z "
	  "share=F for hotregion, hot=\"NODE NODE ..\" share=F for hotspot, root_at=X,Y,Z for "
	  "fills, arrivals=poisson|bernoulli, burst=N mean packets in a burst, reply=BYTES of "
	  "the reply to each packet, outstanding=N requests of a node without a reply, "
	  "class=0|1 on machines with two classes, pacing=F injection rate of a node with "
	  "--packets, a fraction of the peak; "
	  "or of computed routing tables: policy=initial|v1|v2|v3|one (v3), "
	  "datelines=X,Y,Z|auto|none, ties=split|plus, broken=\"NODE DIR, ..\", absent=..; "
	  "may be given many times",
	  PLACE(sets), .groups = BOTH, .values = "@set" },
	{ "table", 0, "FILE",
	  "load routing tables from a file of torusctl route dump instead of computed ones; "
	  "with at TICK after the name, from that tick on; may be given many times",
	  PLACE(tables), .groups = BOTH },
	{ "fault", 0, "WORDS",
	  "faults: \"NODE|all DIR|all FAULT... [at TICK] [for TICKS]\"; FAULT is state up|down, "
	  "ber P, corrupt N, escape N, drop-ack N, drop-nack N, corrupt-ack N, ecc-single N, "
	  "ecc-double N, parity N or delay TICKS, as for torusctl link set; may be given many "
	  "times",
	  PLACE(faults), .groups = SIM_FOR_RUN },
	{ "series", 0, "N",
	  "print the results of N equal parts of the window, also by direction and VC",
	  PLACE(series), .groups = SIM_FOR_RUN },
	{ "series-links", 0, "FILE",
	  "write the counters of each link in each of these parts to FILE as CSV",
	  PLACE(series_links), .groups = SIM_FOR_RUN | SIM_OF_ANSWER },
	{ "series-of", 0, "WHICH",
	  "write only these links: \"NODE|all DIR|all\"; may be given many times",
	  PLACE(series_of), .groups = SIM_FOR_RUN | SIM_OF_ANSWER },
	{ "heatmap", 0, "FILE",
	  "draw the utilization of the links of each node in the window, one map per dimension, "
	  "as text (- is standard output) or as .svg",
	  PLACE(heatmap), .groups = SIM_FOR_RUN | SIM_OF_ANSWER },
	{ "statistics", 0, NULL,
	  "print latency histograms (source queue, network, by hops), offered and "
	  "accepted packets, bytes and flits, and fairness between nodes",
	  PLACE(statistics), .groups = BOTH },
	{ "histogram", 0, "FILE",
	  "like --statistics, and write the histograms to FILE as CSV, .svg or .png",
	  PLACE(histogram), .groups = SIM_FOR_RUN | SIM_OF_ANSWER | SIM_OF_RESTORE },
	{ "links", 0, "FILE", "write the counters of all links to FILE as CSV",
	  PLACE(links), .groups = SIM_FOR_RUN | SIM_OF_ANSWER | SIM_OF_RESTORE },
	{ "trace", 0, "FILE",
	  "write packet events to FILE (inject, route, stall, hop, error, resend, deliver, "
	  "drop), as text, or as lines of JSON if the name ends in .json or .jsonl",
	  PLACE(trace), .groups = SIM_FOR_RUN | SIM_OF_ANSWER },
	{ "trace-packets", 0, "WHICH",
	  "trace only these packets: \"NODE|all [to NODE|all] [N|N-M]\", source, destination, "
	  "and numbers of the source's packets from 0; may be given many times",
	  PLACE(trace_packets), .groups = SIM_FOR_RUN | SIM_OF_ANSWER },
	{ "trace-links", 0, "WHICH",
	  "trace only these links: \"NODE|all DIR|all\"; may be given many times",
	  PLACE(trace_links), .groups = SIM_FOR_RUN | SIM_OF_ANSWER },
	{ "trace-window", 0, "FROM:TO", "trace only these ticks",
	  PLACE(trace_window), .groups = SIM_FOR_RUN | SIM_OF_ANSWER },
	{ "trace-limit", 0, "N",
	  "maximum number of events in the trace (default: 1000000); the last line contains "
	  "the number of further events",
	  PLACE(trace_limit), .groups = SIM_FOR_RUN | SIM_OF_ANSWER },
	{ "stop-at", 0, "WHEN",
	  "stop at a tick (50000 or 2ms), or after the tick of an event at one of these nodes: "
	  "\"EVENT [NODE]..\", where EVENT is an event of --trace, ack or interrupt [CAUSE]; print "
	  "the events of the last tick",
	  PLACE(stop_at), .groups = SIM_FOR_RUN | SIM_OF_ANSWER | SIM_OF_RESTORE,
	  .values = TORUS_STOP_LIST },
	{ "step", 0, NULL,
	  "wait for Enter before each tick (with --stop-at: after the stop), and print its "
	  "events; a line with a number N advances by N ticks",
	  PLACE(step), .groups = SIM_FOR_RUN | SIM_OF_ANSWER | SIM_OF_RESTORE },
	{ "checkpoint", 0, "FILE",
	  "write the state of the run to FILE, periodically and when it is interrupted",
	  PLACE(checkpoint), .groups = SIM_FOR_RUN | SIM_OF_LINE | SIM_OF_RESTORE },
	{ "every", 0, "TIME",
	  "simulated time between two checkpoints, as 50000 (ticks) or 2ms",
	  PLACE(every), .groups = SIM_FOR_RUN | SIM_OF_LINE | SIM_OF_RESTORE },
	{ "restore", 0, "FILE",
	  "continue the run that --checkpoint has saved to FILE, with its options; only "
	  "--threads, --domains, --apart, --checkpoint, --every, --stop-at, --step and the "
	  "form of the output can be given as well",
	  PLACE(restore), .groups = SIM_FOR_RUN | SIM_OF_LINE | SIM_OF_RESTORE },
	{ "op", 0, "OP",
	  "operation: packet, or put or get: --packets N is then the number of RDMA operations "
	  "(default: packet)",
	  PLACE(op), .groups = SIM_FOR_RUN, .values = "packet put get" },
	{ "length", 0, "N", "bytes of a put or get (default: 8)",
	  PLACE(length), .groups = SIM_FOR_RUN },
	{ "json", 0, NULL, "print one JSON document",
	  PLACE(json), .groups = ANSWER | SIM_OF_RESTORE },
	{ "csv", 0, NULL, "print CSV: a header, and a line for each run or setting",
	  PLACE(csv), .groups = ANSWER | SIM_OF_RESTORE },
	{ "plot", 0, "FILE",
	  "draw latency and throughput against load, with gnuplot, as .svg or .png",
	  PLACE(plot), .groups = SIM_FOR_SWEEP | SIM_OF_ANSWER },
	{ "progress", 0, NULL, "show progress even if standard error is no terminal",
	  PLACE(progress), .groups = ANSWER | SIM_OF_RESTORE },
	{ "rank-timeout", 0, "TIME",
	  "with several ranks: end if a rank has sent nothing for TIME, like 30s, while another "
	  "rank waits for it (default: never)",
	  PLACE(rank_timeout), .groups = BOTH | SIM_OF_LINE | SIM_OF_RESTORE },
	{ "config", 0, "FILE",
	  "read options from FILE, a JSON object with their names as keys; options on the "
	  "command line override them",
	  PLACE(config), .groups = BOTH | SIM_OF_LINE },
	{ "write-config", 0, "FILE",
	  "write a file for --config, with the values of all options and keys",
	  PLACE(write_config), .groups = BOTH | SIM_OF_LINE },
	/* --help must be the last row, because it has no member in struct sim_cmdline */
	{ .name = "help", .help = "print this", .groups = BOTH },
	{ },
};

/* number of rows, not counting --help and the end mark */
#define ROWS	(sizeof(rows) / sizeof(rows[0]) - 2)

/* -------------------------------------------------------------------- help text */

static void help_more(void)
{
	const struct torus_arch *const *arch;
	char list[256];

	parse_pattern_list(list, sizeof(list));
	printf("\nPatterns:\n  ");
	option_wrap(2, 2, list);
	fputs("\nrun also accepts " PARSE_TIMED "FILE: packets at given ticks, with lines\n"
	      "TICK SOURCE DESTINATION BYTES.\n"
	      "\nMachines (torus-sim keys A lists the keys of --set):\n", stdout);
	for (arch = torus_archs; *arch; arch++) {
		printf("  %-8s", (*arch)->name);
		option_wrap(10, 10, (*arch)->help);
	}
}

/* ---------------------------------------------------------------------- parsing */

/**
 * sim_cmdline_table - add a file of routing tables
 * @typed: the options
 * @file: name of the file
 * @at: time from which the routers use the tables, as typed
 *
 * Return: SIM_OK, or SIM_USAGE after an error message.
 */
int sim_cmdline_table(struct sim_cmdline *typed, const char *file, const char *at)
{
	struct sim_table *table = &typed->tables[typed->ntables];
	struct parse_error why;

	if (typed->ntables == SIM_TABLES_MAX)
		return sim_reject("--table %s: must be given at most %d times",
				  file, SIM_TABLES_MAX);
	*table = (struct sim_table){ .file = file, .typed = at };
	typed->ntables++;
	return parse_time("at", table->typed, &table->at, &why) ? SIM_OK :
	       sim_reject("--table %s: %s", file, why.text);
}

/* Parse the file of --table, and an optional "at TICK" after it. */
static int read_table(struct sim_cmdline *typed, const char *file)
{
	char **next = typed->argv + optind;
	const char *at = "0";

	if (optind < typed->argc && !strcmp(*next, "at")) {
		if (!next[1])
			return sim_reject("--table %s at: its value is missing", file);
		at = next[1];
		optind += 2;
	}
	return sim_cmdline_table(typed, file, at);
}

/**
 * sim_cmdline_row - get an option by its index
 * @i: index, from 0; --help is not counted
 *
 * Return: the option; NULL after the last one.
 */
const struct option_row *sim_cmdline_row(size_t i)
{
	return i < ROWS ? &rows[i] : NULL;
}

/**
 * sim_cmdline_at - the member of @typed that stores an option's word
 * @typed: the options
 * @row: an option that is not a list
 *
 * Return: pointer to the member.
 */
const char **sim_cmdline_at(struct sim_cmdline *typed, const struct option_row *row)
{
	return (const char **)((char *)typed + row->offset);
}

/**
 * sim_cmdline_list - the list that stores the words of a repeatable option
 * @typed: the options
 * @row: the option
 * @list: [out] the array, its count and its capacity
 *
 * Return: false if the option is not repeatable, or is --table, whose list consists of structs
 * instead of words.
 */
bool sim_cmdline_list(struct sim_cmdline *typed, const struct option_row *row,
		      struct sim_list *list)
{
	switch (row->offset) {
	case SIM_PLACE(sets):
		*list = (struct sim_list){ typed->sets, &typed->nsets, SIM_SETS_MAX };
		return true;
	case SIM_PLACE(faults):
		*list = (struct sim_list){ typed->faults, &typed->nfaults, SIM_FAULTS_MAX };
		return true;
	case SIM_PLACE(overs):
		*list = (struct sim_list){ typed->overs, &typed->novers, SIM_OVERS_MAX };
		return true;
	case SIM_PLACE(trace_packets):
		*list = (struct sim_list){ typed->trace_packets, &typed->ntrace_packets,
					   SIM_TRACE_MAX };
		return true;
	case SIM_PLACE(trace_links):
		*list = (struct sim_list){ typed->trace_links, &typed->ntrace_links,
					   SIM_LINKS_MAX };
		return true;
	case SIM_PLACE(series_of):
		*list = (struct sim_list){ typed->series_of, &typed->nseries_of, SIM_LINKS_MAX };
		return true;
	}
	return false;
}

/**
 * sim_cmdline_take - store the word of an option, or append it to its list
 * @typed: the options
 * @row: the option, not --table
 * @word: value, which must outlive @typed; "" for an option without a value
 *
 * Return: SIM_OK, or SIM_USAGE after an error message.
 */
int sim_cmdline_take(struct sim_cmdline *typed, const struct option_row *row, const char *word)
{
	struct sim_list list;

	if (!sim_cmdline_list(typed, row, &list)) {
		*sim_cmdline_at(typed, row) = word;
		return SIM_OK;
	}
	if (*list.count == list.max)
		return sim_reject("--%s %s: must be given at most %u times",
				  row->name, word, list.max);
	list.words[(*list.count)++] = word;
	return SIM_OK;
}

/*
 * Callback of option_read(): store an option of the command line. After a failure, the error
 * message is already printed.
 */
static bool take_row(void *into, const struct option_row *row, const char *word,
		     struct parse_error *why)
{
	(void)why;
	return row->offset == SIM_PLACE(tables) ? !read_table(into, word) :
						  !sim_cmdline_take(into, row, word ? word : "");
}

/**
 * sim_cmdline_place - get the member that stores an option, if points of a sweep may differ in this
 * option
 * @typed: the options
 * @key: name of the option, without dashes
 *
 * Return: pointer to the member; NULL if there is no such option.
 */
const char **sim_cmdline_place(struct sim_cmdline *typed, const char *key)
{
	size_t i;

	for (i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].name, key) && (rows[i].groups & SIM_OF_POINTS))
			return sim_cmdline_at(typed, &rows[i]);
	return NULL;
}

/**
 * sim_cmdline_read - read the options of a command
 * @typed: [out] the words of the options; after SIM_OK, sim_cmdline_free() frees them
 * @command: SIM_FOR_RUN or SIM_FOR_SWEEP
 * @argc: number of words
 * @argv: the words; the first is the command's name
 *
 * Return: SIM_OK; SIM_USAGE or SIM_FAILED after an error message; or OPTION_DONE after printing
 * the help text.
 */
int sim_cmdline_read(struct sim_cmdline *typed, unsigned int command, int argc, char **argv)
{
	const struct option_table table = {
		.usage = command == SIM_FOR_RUN ?
			 "torus-sim run --arch A --shape XxYxZ --pattern P --load F|--packets N\n"
			 "              [OPTION]...\n" :
			 "torus-sim sweep --arch A --shape XxYxZ --pattern P\n"
			 "                --loads FIRST:LAST:STEP|--over KEY=VALUES [OPTION]...\n",
		.rows = rows, .more = help_more, .group = command, .in_order = true,
		.status = SIM_USAGE, .bad = sim_reject,
	};
	int status;

	*typed = (struct sim_cmdline){ .command = command, .argc = argc, .argv = argv };
	/* Reject the first word that is not an option: the commands take only options. */
	status = option_read(&table, argc, argv, typed);
	if (!status)
		status = option_end(&table, argc, argv, 0);
	/* with --restore the options are in the checkpoint; checkpoint.c rejects --config */
	if (!status && typed->config && !typed->restore)
		status = sim_config_read(typed, command);
	if (status)
		sim_cmdline_free(typed);
	return status;
}

/**
 * sim_cmdline_free - free the words that were read from a configuration file or a checkpoint
 * @typed: the options
 */
void sim_cmdline_free(struct sim_cmdline *typed)
{
	sim_config_free(typed->words);
	typed->words = NULL;
}
