// SPDX-License-Identifier: GPL-2.0
/*
 * Tables 3 to 5 of Liu et al. (2012): event rates. The paper prints rates per core, and we print
 * rates per CPU-second.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure.h"
#include "kncube_work.h"

/**
 * struct column - a column of a table
 * @table: number of the table
 * @machine: the machine on which the paper simulated
 * @processors: number of processors of @machine
 * @events: million events per second, as the paper prints them
 */
struct column {
	u32 table;
	const char *machine;
	double processors;
	double events;
};

static const struct column columns[] = {
	{ 3, "BG/L", 4096, 639 }, { 3, "BG/L", 8192, 1066 }, { 3, "BG/L", 16384, 1681 },
	{ 4, "BG/L", 4096, 638 }, { 4, "BG/L", 8192, 1241 }, { 4, "BG/L", 16384, 1966 },
	{ 5, "BG/P", 4096, 609 }, { 5, "BG/P", 8192, 1192 }, { 5, "BG/P", 16384, 2260 },
	{ 5, "BG/P", 32768, 4002 }, { 5, "BG/P", 65536, 7307 }, { 5, "BG/P", 131072, 12359 },
};

#define COLUMNS		(sizeof(columns) / sizeof(columns[0]))

/*
 * Events per hop of a packet. Table 3 prints 5644 G events for 40 G packets over 48 hops (32-ary
 * 6-cube).
 */
#define PAPER_EVENTS_A_HOP	(5644.0 / 40 / 48)
/* packets per ns that 2^30 nodes send, from table 3 */
#define PAPER_RATE		200.0
#define PAPER_NODES		1073741824.0

#define DIMS		6
#define NODES		262144
#define NODES_FULL	(16u << 20)
#define HOPS		2e7	/* number of hops that a run simulates */
#define HOPS_FULL	2e8
#define HEAVY		0.5

/* Return the number of ticks in which the packets of the machine make @hops hops. */
static u64 ticks_for(u32 k, double load, double hops)
{
	/* a packet occupies one of a node's 2 * DIMS links for PAPER_LINK_TICKS */
	return (u64)(hops * PAPER_LINK_TICKS / (pow(k, DIMS) * 2 * DIMS * load)) + 1;
}

static int rates_measure(struct paper_figure *figure, u32 k, double load, double hops, u32 threads,
			 struct paper_cube *cube)
{
	struct paper_work work = {
		.k = k, .n = DIMS, .load = load, .cycles = ticks_for(k, load, hops),
		.threads = threads,
	};
	int status = paper_cube(&work, cube);

	if (status)
		return status;
	figure->cpu_s += cube->cpu_s;
	paper_value(figure, "M/s", cube->result.hops_total / cube->cpu_s / 1e6,
		    "ours, load %.3g, %u threads: hops/CPU-s", load, threads);
	paper_value(figure, "M/s", cube->result.hops_total / cube->wall_s / 1e6,
		    "ours, load %.3g, %u threads: hops/wall s", load, threads);
	if (load < HEAVY)
		return SIM_OK;
	paper_value(figure, "M/s", cube->result.events / cube->cpu_s / 1e6,
		    "ours, load %.3g, %u threads: events/CPU-s", load, threads);
	return SIM_OK;
}

/*
 * Compare the paper's columns with ours on one thread: hops at the paper's load, events at a
 * heavy load.
 */
static void rates_compare(struct paper_figure *figure, const struct paper_cube *light,
			  const struct paper_cube *heavy)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		const struct column *column = &columns[i];
		double core = column->events * 1e6 / column->processors;
		struct paper_row *row;

		row = paper_row(figure, "table %u, %s, %.0f: events/s a core", column->table,
				column->machine, column->processors);
		row->unit = "M/s";
		row->origin = PAPER_DERIVED;
		row->other = core / 1e6;
		row->ours = heavy->result.events / heavy->cpu_s / 1e6;
		row = paper_row(figure, "table %u, %s, %.0f: hops/s a core", column->table,
				column->machine, column->processors);
		row->unit = "M/s";
		row->origin = PAPER_DERIVED;
		row->other = core / PAPER_EVENTS_A_HOP / 1e6;
		row->ours = light->result.hops_total / light->cpu_s / 1e6;
	}
}

static int rates_run(const struct paper_source *source, const struct paper_request *request,
		     struct paper_figure *figure)
{
	u32 limit = request->full ? NODES_FULL : request->nodes ? request->nodes : NODES;
	u32 k = paper_radix(DIMS, 32, limit);
	double hops = request->full ? HOPS_FULL : fmin(HOPS, HOPS * limit / NODES);
	double load = 8 * PAPER_LINK_TICKS / 2 * 5.714286 / (PAPER_NODES / PAPER_RATE);
	struct paper_cube light, heavy, cube;
	int status;

	snprintf(figure->says, PAPER_TEXT_MAX,
		 "32-ary 6-cube, a billion nodes, 160 to 400 packets/ns, Time Warp on 4096 to "
		 "131072 cores of Blue Gene/L (700 MHz) and Blue Gene/P: committed events a "
		 "second, best 12.359 G. An event is an arrival, a processing or a sending: 2.94 a "
		 "hop (table 3: 5644 G events, 40 G packets, 48 hops).");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "kncube, %u-ary %u-cube, %.3g packet-hops a run, at the load of table 3 (%.3g) "
		 "and at %g; windows (YAWNS) on one thread and on two",
		 k, DIMS, hops, load, HEAVY);
	status = rates_measure(figure, k, load, hops, 1, &light);
	if (!status)
		status = rates_measure(figure, k, load, hops, 2, &cube);
	if (!status)
		status = rates_measure(figure, k, HEAVY, hops, 1, &heavy);
	if (!status)
		status = rates_measure(figure, k, HEAVY, hops, 2, &cube);
	if (status)
		return status;
	rates_compare(figure, &light, &heavy);
	paper_incomparable(figure, "rates", "4.78 and 12.36 G events/s, speed-up to 131072 cores",
			   "we have two cores; theirs stand above by the core");
	paper_incomparable(figure, "efficiency", "efficiency, remote events, secondary rollbacks",
			   "Time Warp's; our windows undo nothing");
	paper_note(figure, "Two programs on two generations of hardware: the ratio says what a "
			   "machine of today needs for the paper's runs, not how good an algorithm "
			   "is. Our hop is %.2f events, theirs %.2f, so hops are the fairer "
			   "measure.",
		   (double)heavy.result.events / heavy.result.hops_total, PAPER_EVENTS_A_HOP);
	paper_note(figure, "At the light load most of what the wheel counts as events are timers "
			   "further ahead than it is long, on their way round: events are told for "
			   "load %g only.",
		   HEAVY);
	paper_note(figure, "CPU-seconds count both threads, and a thread that waits for the other "
			   "spins: on a shared processor their sum grows.");
	return SIM_OK;
}

const struct paper_source paper_kncube_rates[] = {
	{ "liu2012-rates", "event rates of tables 3 to 5", rates_run, NULL },
	{ }
};
