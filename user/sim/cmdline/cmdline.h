/* SPDX-License-Identifier: GPL-2.0 */
/* Options of run and sweep as words of the command line, not yet parsed. */
#ifndef TORUS_SIM_CMDLINE_CMDLINE_H
#define TORUS_SIM_CMDLINE_CMDLINE_H

#include <stddef.h>

#include "../../common/option.h"
#include "run_config.h"
#include "routing_tables.h"

struct sim_config;

#define SIM_SETS_MAX	64
#define SIM_OVERS_MAX	8

/**
 * struct sim_cmdline - the words of the options of run and sweep, not yet parsed
 *
 * A member has the name of its option (@saturation: --find-saturation), and is NULL if the option
 * was not given. @tables, @sets, @faults, @overs, @trace_packets, @trace_links and @series_of are
 * lists of repeatable options; each has a count.
 *
 * Five members are not options. @command is SIM_FOR_RUN or SIM_FOR_SWEEP. @argc and @argv are the
 * command line. @ranks: the processes that share the run; NULL if there is only one. @words owns
 * the words that were read from the file of --config or from the checkpoint of --restore
 * (config.c).
 */
struct sim_cmdline {
	const char *arch;
	const char *shape;
	const char *mesh;
	const char *pattern;
	const char *load;
	const char *loads;
	const char *saturation;
	const char *packets;
	const char *size;
	const char *cycles;
	const char *warmup;
	const char *seed;
	const char *threads;
	const char *domains;
	const char *apart;
	const char *until;
	const char *limit;
	const char *replicate;
	const char *plot;
	const char *series;
	const char *series_links;
	const char *heatmap;
	const char *statistics;
	const char *histogram;
	const char *links;
	const char *trace;
	const char *trace_window;
	const char *trace_limit;
	const char *stop_at;
	const char *step;
	const char *checkpoint;
	const char *every;
	const char *restore;
	const char *op;
	const char *length;
	const char *json;
	const char *csv;
	const char *progress;
	const char *rank_timeout;
	const char *config;
	const char *write_config;
	unsigned int command;
	int argc;
	char **argv;
	struct torus_procs *ranks;
	struct sim_config *words;
	struct sim_table tables[SIM_TABLES_MAX];
	unsigned int ntables;
	const char *sets[SIM_SETS_MAX];
	unsigned int nsets;
	const char *faults[SIM_FAULTS_MAX];
	unsigned int nfaults;
	const char *overs[SIM_OVERS_MAX];
	unsigned int novers;
	const char *trace_packets[SIM_TRACE_MAX];
	unsigned int ntrace_packets;
	const char *trace_links[SIM_LINKS_MAX];
	unsigned int ntrace_links;
	const char *series_of[SIM_LINKS_MAX];
	unsigned int nseries_of;
};

/*
 * Flags of an option, stored in struct option_row.groups together with SIM_FOR_RUN and
 * SIM_FOR_SWEEP.
 */
#define SIM_OF_POINTS	(1u << 7)	/* points of a sweep may differ in this option */
/* sim_config_json() omits the option */
#define SIM_OF_ANSWER	(1u << 8)
/* the option is accepted only on the command line, not in a configuration file */
#define SIM_OF_LINE	(1u << 9)
/* the option is accepted on the command line together with --restore */
#define SIM_OF_RESTORE	(1u << 10)

#define SIM_PLACE(member)	offsetof(struct sim_cmdline, member)

/**
 * struct sim_list - a list of words in struct sim_cmdline, for a repeatable option
 * @words: array of words
 * @count: number of words
 * @max: capacity of @words, in words
 */
struct sim_list {
	const char **words;
	unsigned int *count;
	unsigned int max;
};

const struct option_row *sim_cmdline_row(size_t i);
bool sim_cmdline_list(struct sim_cmdline *typed, const struct option_row *row,
		      struct sim_list *list);
const char **sim_cmdline_at(struct sim_cmdline *typed, const struct option_row *row);
int sim_cmdline_take(struct sim_cmdline *typed, const struct option_row *row, const char *word);
int sim_cmdline_table(struct sim_cmdline *typed, const char *file, const char *at);
void sim_cmdline_free(struct sim_cmdline *typed);
int sim_cmdline_read(struct sim_cmdline *typed, unsigned int command, int argc, char **argv);
const char **sim_cmdline_place(struct sim_cmdline *typed, const char *key);

#endif /* TORUS_SIM_CMDLINE_CMDLINE_H */
