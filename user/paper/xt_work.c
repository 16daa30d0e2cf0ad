// SPDX-License-Identifier: GPL-2.0
/* Run jobs of Abts et al. (2007) on a Cray XT: partners of each rank, rate and time of a job. */
#include <math.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "core/base/node_number.h"
#include "gather.h"
#include "run.h"
#include "xt_work.h"

/* bytes of the largest packet: a header flit and eight flits of data */
#define PACKET_BYTES	72
/* minimum number of ticks in which the largest packet crosses a node's port */
#define PACKET_TICKS	144
#define FS_PER_S	1e15

/* ------------------------------------------------------------------- partners */

/*
 * Check whether a rank sends data to another rank. In the transposition, blocks of the matrix are
 * distributed cyclically over a grid of R rows and C columns of ranks. Block (i, j) is on rank (i
 * mod R, j mod C) and is sent to (j mod R, i mod C). So (p, q) sends blocks to (s, t) with i = p
 * mod R, i = t mod C, j = q mod C, j = s mod R. Such blocks exist if p = t and q = s modulo the
 * greatest common divisor of R and C.
 */
static bool partners(const struct paper_xt_job *job, u32 from, u32 to)
{
	u32 a = job->rows, b = job->columns;

	if (from == to)
		return false;
	if (!job->rows)
		return true;
	while (b) {
		u32 rest = a % b;

		a = b;
		b = rest;
	}
	return from / job->columns % a == to % job->columns % a &&
	       from % job->columns % a == to / job->columns % a;
}

static u32 count_pairs(const struct paper_xt_job *job)
{
	u32 from, to, n = 0;

	for (from = 0; from < job->ranks; from++)
		for (to = 0; to < job->ranks; to++)
			n += partners(job, from, to);
	return n;
}

static int make_pairs(const struct paper_xt *work, const struct torus_geometry *geo,
		      struct parse_pairs *pairs)
{
	u32 from, to, n = 0;

	pairs->count = count_pairs(work->job);
	pairs->pairs = calloc(pairs->count, sizeof(*pairs->pairs));
	if (!pairs->pairs)
		return sim_error("out of memory for %u pairs of ranks", pairs->count);
	for (from = 0; from < work->job->ranks; from++)
		for (to = 0; to < work->job->ranks; to++) {
			if (!partners(work->job, from, to))
				continue;
			pairs->pairs[n].src = torus_node_number(geo, work->node[from]);
			pairs->pairs[n].dst = torus_node_number(geo, work->node[to]);
			pairs->pairs[n++].weight = 1;
		}
	return SIM_OK;
}

/*
 * Return the number of packets that a rank sends to each partner. If there is a window, the number
 * is so large that no rank finishes before the window ends.
 */
static u64 packets(const struct paper_xt *work)
{
	u64 all = 2 * (work->warmup + work->cycles) / PACKET_TICKS * work->job->ranks;

	/* count the pairs of ranks that exchange packets, because some ranks may have no partner */
	return work->cycles ? all / count_pairs(work->job) + 1 : work->job->packets;
}

/* -------------------------------------------------------------------- running */

static int xt_work_options(struct sim_run_config *options, const struct paper_xt *work)
{
	struct torus_error err;

	*options = (struct sim_run_config){ .threads = work->threads };
	if (torus_arch_config(&options->config, "xt", &err) ||
	    torus_config_shape(&options->config, 3, work->dims, 0, &err) ||
	    (work->key && torus_config_set(&options->config, work->key, work->value, &err)))
		return sim_reject("%s", err.text);
	options->config.domains = work->threads;
	options->config.seed = work->seed;
	options->tables.words[XT_KEY_POLICY] = work->policy;
	options->tables.words[XT_KEY_DATELINES] = work->datelines;
	options->load.traffic = (struct torus_traffic){
		.pattern = TORUS_PATTERN_TABLE, .size_min = PACKET_BYTES, .size_max = PACKET_BYTES,
		.packets = packets(work), .pacing = (u64)llround(ldexp(work->pacing, 32)),
		.warmup = work->warmup, .cycles = work->cycles,
	};
	return SIM_OK;
}

static double mean_balance(const struct sim_balance *balance)
{
	double sum = 0, links = 0;
	u32 dim;

	for (dim = 0; dim < XT_DIMS; dim++) {
		sum += balance->dim[dim].sum;
		links += (double)balance->dim[dim].links;
	}
	return links > 0 ? sum / links : NAN;
}

static int xt_work_measure(const struct sim_run_config *options, struct paper_xt_run *run)
{
	struct sim_measure found;
	int status = paper_run(options, &found);

	if (status)
		return status;
	run->ticks = (double)found.result.clock;
	/* if there is no window, win_delivered counts the packets of the whole run */
	run->rate = (double)found.result.win_delivered * PAPER_XT_DATA * FS_PER_S /
		    ((double)(found.result.window_end - found.result.window_start) *
		     (double)found.result.tick_fs);
	run->balance = mean_balance(&found.balance);
	run->cpu_s = found.perf.cpu_s;
	return SIM_OK;
}

static int xt_work_simulate(const struct paper_xt *work, struct paper_xt_run *run)
{
	struct sim_run_config options;
	int status = xt_work_options(&options, work);

	if (!status)
		status = make_pairs(work, &options.config.geo, &options.pairs);
	if (!status)
		status = xt_work_measure(&options, run);
	free(options.pairs.pairs);
	return status;
}

/**
 * paper_xt - run a job
 * @work: the job
 * @run: [out] results
 *
 * Return: SIM_OK, or the exit status after an error message.
 */
int paper_xt(const struct paper_xt *work, struct paper_xt_run *run)
{
	int status;

	if (paper_gather(run, sizeof(*run), &status))
		return status;
	return paper_gather_keep(run, sizeof(*run), xt_work_simulate(work, run));
}
