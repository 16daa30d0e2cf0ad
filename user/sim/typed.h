/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_SIM_TYPED_H
#define TORUS_SIM_TYPED_H

#include "options.h"
#include "tables.h"

#define SIM_SETS_MAX	64
#define SIM_OVERS_MAX	8

/**
 * struct sim_typed - the options of run and sweep as they were typed; NULL where there was none
 *
 * A member has the name of its option.  @tables, @sets, @faults, @overs, @trace_packets,
 * @trace_links and @series_of may be given many times, and have a number each.
 */
struct sim_typed {
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
	const char *op;
	const char *length;
	const char *json;
	const char *csv;
	const char *progress;
	const char *help;
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

int sim_typed_read(struct sim_typed *typed, unsigned int command, int argc, char **argv);
const char **sim_typed_place(struct sim_typed *typed, const char *key);

#endif /* TORUS_SIM_TYPED_H */
