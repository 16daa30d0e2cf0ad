// SPDX-License-Identifier: GPL-2.0
/*
 * Speed of the simulator of Blumrich et al. (2003) and Adiga et al. (2005): "a 32K node
 * simulation of fully loaded network advances at about 0.25 microseconds of BG/L time per
 * second of wall clock time", on 16 processors of 375 MHz.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bgl_work.h"
#include "figure.h"

#define NODES		32768
#define LOAD		1.0
/* ticks to simulate on 32K nodes; smaller machines simulate more ticks */
#define CYCLES		20000
#define CYCLES_FULL	100000
#define SMALL_NODES	4096
#define SMALL_LESS	32
#define SAID_US		0.25	/* microseconds of BG/L time per second, as the paper states */
#define SAID_PROCESSORS	16
#define SAID_SPEEDUP	12
#define US_NS		1000.0
#define MILLION		1e6

static int speed_measure(struct paper_figure *figure, const u32 *dims, u64 cycles, u32 threads,
			 struct paper_bgl_run *found)
{
	struct paper_bgl work = {
		.dims = { dims[0], dims[1], dims[2] },
		.pattern = TORUS_PATTERN_UNIFORM,
		.load = LOAD,
		.cycles = cycles,
		.parts = 4,
		.threads = threads,
	};
	int status = paper_bgl(&work, found);
	struct paper_row *row;

	if (status)
		return status;
	figure->cpu_s += found->cpu_s;
	row = paper_value(figure, "us", cycles * found->tick_ns / US_NS / found->wall_s,
			  "%u threads: BG/L time a second", threads);
	paper_compare(row, PAPER_PRINTED, SAID_US);
	row = paper_value(figure, "us", cycles * found->tick_ns / US_NS / found->cpu_s,
			  "%u threads: BG/L time a CPU-second", threads);
	paper_compare(row, PAPER_DERIVED, SAID_US / SAID_PROCESSORS);
	paper_value(figure, "M/s", found->result.hops_total / found->cpu_s / MILLION,
		    "%u threads: packet-hops a CPU-second", threads);
	row = paper_row(figure, "%u threads: links are busy", threads);
	row->ours = found->figures.utilization;
	return SIM_OK;
}

static int speed_run(const struct paper_source *source, const struct paper_request *request,
		     struct paper_figure *figure)
{
	static const u32 paper_dims[3] = { 32, 32, 32 };
	struct paper_bgl_run *one = malloc(2 * sizeof(*one));
	int status = one ? SIM_OK : sim_error("out of memory");
	struct paper_row *row;
	char shape[PAPER_LABEL_MAX];
	u64 cycles;
	u32 dims[3];

	paper_bgl_shape(request, NODES, paper_dims, dims);
	cycles = (request->full ? CYCLES_FULL : CYCLES) * (u64)NODES / paper_bgl_nodes(dims);
	/*
	 * fewer ticks for small machines, which only tests use; they simulate more hops per second
	 */
	if (paper_bgl_nodes(dims) < SMALL_NODES)
		cycles /= SMALL_LESS;
	snprintf(figure->says, PAPER_TEXT_MAX,
		 "A 32K-node simulation of a fully loaded network advances at about 0.25 "
		 "microseconds of BG/L time per second of wall-clock time, on a 16-way POWER3+ of "
		 "375 MHz; speedup typically more than 12 on 16 processors. YAWNS windows of about "
		 "10 cycles.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "%s (paper: 32x32x32), uniform destinations, offered load %g of the peak, packets "
		 "of 256 bytes, %llu ticks from the empty network on; one thread, then two",
		 paper_bgl_shape_text(dims, shape, sizeof(shape)), LOAD, cycles);
	if (!status)
		status = speed_measure(figure, dims, cycles, 1, &one[0]);
	if (!status)
		status = speed_measure(figure, dims, cycles, 2, &one[1]);
	if (!status) {
		row = paper_value(figure, "times", one[0].wall_s / one[1].wall_s,
				  "speedup by the second thread");
		paper_compare(row, PAPER_DERIVED, SAID_SPEEDUP / (double)SAID_PROCESSORS * 2);
		row = paper_value(figure, "", one[0].result.hash == one[1].result.hash,
				  "alike|both runs: deliveries alike");
		paper_bound(row, PAPER_GOAL, PAPER_AT_LEAST, 1);
	}
	free(one);
	if (status)
		return status;
	paper_incomparable(figure, "advance", "0.25 us of BG/L time a second",
			   "of 16 processors of 375 MHz, which we have not");
	paper_incomparable(figure, "speedup", "speedup of more than 12 on 16 processors",
			   "we have two");
	paper_incomparable(figure, "superlinear", "superlinear speed-up",
			   "of 16 private caches of 8 MB, and two cores here share theirs");
	paper_incomparable(figure, "resources", "close to 100 resources a node",
			   "queues of their simulator, which ours does not have one by one");
	paper_note(figure, "Two programs on hardware twenty years apart: the ratio says what a "
			   "machine of today needs, not how good an algorithm is. Wall-clock times "
			   "on processors that others use as well say less than CPU-seconds.");
	return SIM_OK;
}

const struct paper_source paper_bgl_speed[] = {
	{ "speed", "the simulator's own speed", speed_run, NULL },
	{ }
};
