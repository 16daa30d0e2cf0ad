// SPDX-License-Identifier: GPL-2.0
/*
 * Run workloads of Adiga et al. (2005), and of its earlier report Blumrich et al. (2003), on Blue
 * Gene/L, with counters for each part of the measured window.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../report/ratios.h"
#include "../parse/shape.h"
#include "arch/arch.h"
#include "../sim/base/signals.h"
#include "../sim/base/memory.h"
#include "../sim/run/threads.h"
#include "../sim/transport/procs.h"
#include "../parse/parse.h"
#include "bgl_work.h"
#include "core/workload/pattern.h"
#include "core/workload/workload.h"
#include "gather.h"
#include "run.h"

#define NS_FS		1e6
#define PACKET_BYTES	256
/* interval between progress reports, in nodes times ticks: a fraction of a second */
#define PIECE_NODE_TICKS (1ull << 22)
#define SET_MAX		256
/* maximum number of runs with which paper_bgl_tune() adjusts the load */
#define ROUNDS		6
#define TUNED		0.001

/**
 * struct links - link counters at one tick
 * @clock: tick at which the counters were read
 * @busy: by VC: busy ticks of all links
 * @enter: busy ticks of the links into the hot region
 */
struct links {
	u64 clock;
	double busy[TORUS_VCS_MAX];
	double enter;
};

/* -------------------------------------------------------------------- shape */

/* Return the number of nodes of a shape. */
u32 paper_bgl_nodes(const u32 *dims)
{
	return dims[0] * dims[1] * dims[2];
}

/**
 * paper_bgl_shape - select the paper's shape, or a smaller one of the same proportions
 * @nodes: maximum number of nodes without --full, unless request->nodes is set
 * @paper: the paper's lengths
 * @dims: [out] lengths of the paper. Unless request->full, all lengths above 3 are halved as often
 *    as necessary
 */
void paper_bgl_shape(const struct paper_request *request, u32 nodes, const u32 *paper, u32 *dims)
{
	u32 i, limit = request->nodes ? request->nodes : nodes;

	memcpy(dims, paper, 3 * sizeof(*dims));
	while (!request->full && paper_bgl_nodes(dims) > limit &&
	       (dims[0] > 3 || dims[1] > 3 || dims[2] > 3))
		for (i = 0; i < 3; i++)
			dims[i] = dims[i] > 3 ? dims[i] / 2 : dims[i];
}

/* Format a shape as 16x16x16. */
const char *paper_bgl_shape_text(const u32 *dims, char *text, size_t size)
{
	return parse_shape_text(3, dims, text, size);
}

/* ------------------------------------------------------------------ set-up */

static int take_sets(struct torus_config *config, const char *set)
{
	char text[SET_MAX];
	struct torus_error err;
	char *rest = text;
	char *pair;

	snprintf(text, sizeof(text), "%s", set ? set : "");
	while ((pair = strsep(&rest, " "))) {
		char *value = strchr(pair, '=');

		if (!value)
			continue;
		*value++ = '\0';
		if (torus_config_set(config, pair, value, &err))
			return sim_reject("%s", err.text);
	}
	return SIM_OK;
}

static int bgl_work_options(struct sim_run_config *options, const struct paper_bgl *work)
{
	struct torus_traffic *traffic = &options->load.traffic;
	struct torus_error err;
	u32 i;

	memset(options, 0, sizeof(*options));
	if (torus_arch_config(&options->config, "bgl", &err) ||
	    torus_config_shape(&options->config, 3, work->dims, work->mesh, &err))
		return sim_reject("%s", err.text);
	options->threads = work->threads ? work->threads : 1;
	options->config.domains = options->threads;
	options->config.seed = work->seed ? work->seed : 1;
	*traffic = (struct torus_traffic){
		.pattern = work->pattern,
		.size_min = work->size ? work->size : PACKET_BYTES,
		.size_max = work->size ? work->size : PACKET_BYTES,
		.load = (u64)llround(ldexp(work->load, 32)),
		.packets = work->packets,
		.pacing = (u64)llround(ldexp(work->pacing, 32)),
		.warmup = work->warmup,
		.cycles = work->cycles,
		.share = (u64)llround(ldexp(work->share, 32)),
		.batches = work->parts,
	};
	for (i = 0; i < 3; i++) {
		traffic->region[i] = work->region[i];
		traffic->region_at[i] = work->at[i];
	}
	return take_sets(&options->config, work->set);
}

/* ----------------------------------------------------------------- counting */

static bool in_region(const struct paper_bgl *work, const u32 *at)
{
	u32 i;

	for (i = 0; i < 3; i++)
		if ((at[i] + work->dims[i] - work->at[i]) % work->dims[i] >= work->region[i])
			return false;
	return true;
}

/* Check whether a link leads into the hot region. */
static bool enters(const struct paper_bgl *work, struct torus_fabric *fabric, u32 node, u32 dir)
{
	const struct torus_geometry *geo = &torus_fabric_config(fabric)->geo;
	u32 peer = torus_geometry_neighbor(geo, node, dir);
	u32 at[TORUS_DIMS_MAX];

	if (peer == TORUS_NONE || !work->region[0])
		return false;
	torus_geometry_coords(geo, node, at);
	if (in_region(work, at))
		return false;
	torus_geometry_coords(geo, peer, at);
	return in_region(work, at);
}

static void count_links(const struct paper_bgl *work, struct torus_fabric *fabric,
			struct links *links)
{
	double wire = (work->size ? work->size : PACKET_BYTES) + fabric->overhead_ticks;
	u32 nodes = paper_bgl_nodes(work->dims), node, dir, vc;

	memset(links, 0, sizeof(*links));
	links->clock = torus_fabric_clock(fabric);
	for (node = 0; node < nodes; node++)
		for (dir = 0; dir < torus_fabric_dirs(fabric); dir++) {
			bool into = enters(work, fabric, node, dir);
			struct torus_link_counters c;

			torus_link_counters(fabric, node, dir, &c);
			for (vc = 0; vc < TORUS_VCS_MAX; vc++) {
				links->busy[vc] += c.packets[vc] * wire;
				links->enter += into ? c.packets[vc] * wire : 0;
			}
		}
}

/*
 * Return the interval between two packets of a node at the papers' peak, in ticks times 2^16. At
 * the peak, the links into the hot region are always busy if they share the load equally.
 */
static u64 enter_gap(const struct paper_bgl *work, struct torus_fabric *fabric, u32 nlinks)
{
	u32 bytes = work->size ? work->size : PACKET_BYTES;
	u64 wire = bytes + fabric->overhead_ticks + fabric->control_ticks;
	u64 hot = paper_bgl_nodes(work->region), nodes = paper_bgl_nodes(work->dims);
	u64 share = work->packets ? 1ull << 32 : (u64)llround(ldexp(work->share, 32));
	/*
	 * fraction of the packets from outside the region that enter the region, in units of 2^-20
	 */
	u64 enter = (share >> 12) + (((1ull << 32) - share) >> 12) * hot / nodes;

	return (nodes - hot) * 2 * wire * (enter >> 4) / (2 * (u64)nlinks);
}

/* Convert a load of the links into the region to a fraction of the pattern's peak. */
static u64 enter_load(const struct paper_bgl *work, struct torus_fabric *fabric, u32 nlinks,
		      const struct torus_traffic *traffic)
{
	double gap = (double)enter_gap(work, fabric, nlinks) / work->enter_load;
	struct torus_traffic any = *traffic;

	any.load = 1ull << 32;
	return (torus_pattern_peak_gap(fabric, &any) << 32) / (u64)gap;
}

/*
 * Record the utilization of the least busy and of the busiest link into the hot region, over the
 * whole run.
 */
static void count_entries(const struct paper_bgl *work, struct torus_fabric *fabric,
			  struct paper_bgl_run *run)
{
	u32 nodes = paper_bgl_nodes(work->dims), node, dir;

	run->enter_least = INFINITY;
	for (node = 0; work->region[0] && node < nodes; node++)
		for (dir = 0; dir < torus_fabric_dirs(fabric); dir++) {
			struct torus_link_counters c;
			double use;

			if (!enters(work, fabric, node, dir))
				continue;
			torus_link_counters(fabric, node, dir, &c);
			use = c.busy_ticks / (double)torus_fabric_clock(fabric);
			run->enter_links++;
			run->enter_least = fmin(run->enter_least, use);
			run->enter_most = fmax(run->enter_most, use);
		}
}

static void take_part(struct paper_bgl_run *run, u32 nlinks, const struct torus_point *p,
		      const struct links *a, const struct links *b)
{
	double ticks = b->clock - a->clock;
	struct paper_part *part;
	u32 vc;

	if (run->parts == PAPER_POINTS_MAX || !(ticks > 0))
		return;
	part = &run->part[run->parts++];
	part->end = b->clock;
	for (vc = 0; vc < TORUS_VCS_MAX; vc++) {
		part->vc[vc] = (b->busy[vc] - a->busy[vc]) / (ticks * nlinks);
		part->use += part->vc[vc];
	}
	if (run->enter_links)
		part->enter = (b->enter - a->enter) / (ticks * run->enter_links);
	if (p[1].delivered > p[0].delivered)
		part->latency = (double)(p[1].latency_sum - p[0].latency_sum) /
				(p[1].delivered - p[0].delivered);
	part->in_flight = p[1].in_flight;
	for (vc = 0; vc < TORUS_VCS_MAX; vc++)
		part->held[vc] = (double)p[1].vc_chunks[vc] / nlinks;
	if (p[1].token_needed > p[0].token_needed)
		part->unblocking = (double)(p[1].token_unblocks - p[0].token_unblocks) /
				   (p[1].token_needed - p[0].token_needed);
	part->freed = (double)(p[1].token_unblocks - p[0].token_unblocks) / (ticks * nlinks);
	if (p[1].token_returns > p[0].token_returns)
		part->needed = (double)(p[1].token_needed - p[0].token_needed) /
			       (p[1].token_returns - p[0].token_returns);
}

/* ------------------------------------------------------------------- running */

static u32 count_all(const struct paper_bgl *work, struct torus_fabric *fabric,
		     struct paper_bgl_run *run)
{
	const struct torus_geometry *geo = &torus_fabric_config(fabric)->geo;
	u32 nodes = paper_bgl_nodes(work->dims), node, dir, nlinks = 0;

	run->enter_links = 0;
	for (node = 0; node < nodes; node++)
		for (dir = 0; dir < torus_fabric_dirs(fabric); dir++) {
			nlinks += torus_geometry_neighbor(geo, node, dir) != TORUS_NONE;
			run->enter_links += enters(work, fabric, node, dir);
		}
	return nlinks;
}

static int loop(const struct paper_bgl *work, struct torus_fabric *fabric, struct sim_team *team,
		struct sim_progress *progress, struct paper_bgl_run *run)
{
	u64 budget = PIECE_NODE_TICKS / paper_bgl_nodes(work->dims) / 16 + 1;
	u32 nlinks = count_all(work, fabric, run);
	const struct torus_point *points;
	struct links last, now;
	u32 seen = 0, taken;
	bool more;

	count_links(work, fabric, &last);
	do {
		sim_procs_beat();
		if (sim_interrupted())
			return 128 + sim_interrupted();
		more = sim_team_step(team, budget);
		sim_progress_show(progress, fabric);
		taken = torus_traffic_points(fabric, &points);
		if (taken == seen)
			continue;
		count_links(work, fabric, &now);
		if (taken > 1)
			take_part(run, nlinks, &points[taken - 2], &last, &now);
		seen = taken;
		last = now;
	} while (more);
	return SIM_OK;
}

static int bgl_work_judge(const struct paper_bgl_run *run)
{
	const struct torus_result *result = &run->result;

	if (!result->conservation || !result->tokens)
		return sim_error("self-check: packets or tokens are not all accounted for");
	if (result->done == 2)
		return sim_error("the run stands still at tick %llu: %llu packets are left",
				 result->clock, result->in_flight);
	if (result->done != 1)
		return sim_error("out of memory at tick %llu", result->clock);
	return SIM_OK;
}

static int bgl_work_measure(const struct paper_bgl *work, const struct sim_run_config *options,
			    struct torus_fabric *fabric, struct paper_bgl_run *run)
{
	const struct torus_config *config = &options->config;
	struct report_context context = {
		.arch = config->arch->name,
		.ndims = 3,
		.mesh = work->mesh,
		.traffic = options->load.traffic,
		.seed = config->seed,
		.threads = options->threads,
		.domains = config->domains,
		.ticks_per_byte = 1,
	};
	struct sim_progress progress;
	struct torus_error err;
	struct sim_team *team;
	int status;
	u32 vc;

	memcpy(context.dims, work->dims, sizeof(work->dims));
	count_all(work, fabric, run);
	if (work->enter_load > 0)
		context.traffic.load = enter_load(work, fabric, run->enter_links, &context.traffic);
	if (torus_traffic_start(fabric, &context.traffic, &err))
		return sim_reject("%s", err.text);
	team = sim_team_new(fabric, options->threads);
	if (!team && errno == ENOMEM)
		return sim_error("threads %u: out of memory", options->threads);
	if (!team)
		return sim_error("threads %u: the system cannot create more threads",
				 options->threads);
	run->cpu_s = -sim_cpu_s();
	run->wall_s = -sim_wall_s();
	paper_progress_begin(&progress);
	status = loop(work, fabric, team, &progress, run);
	sim_progress_end(&progress);
	run->cpu_s += sim_cpu_s();
	run->wall_s += sim_wall_s();
	sim_team_free(team);
	if (status)
		return status;
	torus_traffic_result(fabric, &run->result);
	report_figures(&context, &run->result, &run->figures);
	if (work->region[0] && work->packets)
		run->enter_percent = 100 * ldexp((double)enter_gap(work, fabric, run->enter_links),
						 -16) *
				     (double)(work->packets * paper_bgl_nodes(work->region)) /
				     run->figures.window_ticks;
	run->enter_links = 0;
	count_entries(work, fabric, run);
	run->vcs = fabric->vcs;
	for (vc = 0; vc < run->vcs; vc++)
		snprintf(run->vc_names[vc], sizeof(run->vc_names[vc]), "%s",
			 fabric->router->vc_names[vc]);
	run->tick_ns = run->result.tick_fs / NS_FS;
	return bgl_work_judge(run);
}

static int bgl_work_simulate(const struct paper_bgl *work, struct paper_bgl_run *run)
{
	struct sim_run_config options;
	struct torus_fabric *fabric;
	int status;

	memset(run, 0, sizeof(*run));
	status = bgl_work_options(&options, work);
	if (!status)
		status = sim_fabric_new(&options, &fabric);
	if (status)
		return status;
	status = bgl_work_measure(work, &options, fabric, run);
	torus_fabric_destroy(fabric);
	return status;
}

/**
 * paper_bgl - run a workload on Blue Gene/L
 * @work: the workload
 * @run: [out] results
 *
 * Return: SIM_OK, or the exit status after an error message.
 */
int paper_bgl(const struct paper_bgl *work, struct paper_bgl_run *run)
{
	int status;

	if (paper_gather(run, sizeof(*run), &status))
		return status;
	return paper_gather_keep(run, sizeof(*run), bgl_work_simulate(work, run));
}

/*
 * Repeat a run. After each run, correct the load by the difference from the wanted utilization.
 * Stop when the difference is at most TUNED, or after ROUNDS runs.
 */
static int tune(struct paper_bgl work, double use, struct paper_bgl_run *run)
{
	double cpu_s = 0;
	u32 round;

	for (round = 0; round < ROUNDS; round++) {
		int status = paper_bgl(&work, run);

		if (status)
			return status;
		cpu_s += run->cpu_s;
		if (fabs(run->figures.utilization - use) <= TUNED)
			break;
		work.load += use - run->figures.utilization;
	}
	run->cpu_s = cpu_s;
	return SIM_OK;
}

/**
 * paper_bgl_tune - run a workload at the load that results in a given link utilization
 * @work: the workload; its load is tried first
 * @use: wanted utilization, 0 to 1
 * @run: [out] results of the last run
 *
 * Return: SIM_OK, or the exit status after an error message.
 */
int paper_bgl_tune(const struct paper_bgl *work, double use, struct paper_bgl_run *run)
{
	int status;

	if (paper_gather(run, sizeof(*run), &status))
		return status;
	return paper_gather_keep(run, sizeof(*run), tune(*work, use, run));
}

/* ------------------------------------------------------------------- parts */

double paper_part_use(const struct paper_part *part)
{
	return part->use;
}

double paper_part_enter(const struct paper_part *part)
{
	return part->enter;
}

/**
 * paper_bgl_mean - compute the mean of a value over the parts of a run that begin at @from or later
 * @from: tick
 * @value: returns the value of a part
 *
 * Return: the mean; NAN if there is no such part.
 */
double paper_bgl_mean(const struct paper_bgl_run *run, u64 from,
		      double (*value)(const struct paper_part *part))
{
	double sum = 0;
	u32 i, n = 0;

	for (i = 0; i < run->parts; i++)
		if ((i ? run->part[i - 1].end : 0) >= from) {
			sum += value(&run->part[i]);
			n++;
		}
	return n ? sum / n : NAN;
}

double paper_part_unblocking(const struct paper_part *part)
{
	return part->unblocking;
}

double paper_part_returned(const struct paper_part *part)
{
	return part->needed * part->unblocking;
}

double paper_part_freed(const struct paper_part *part)
{
	return part->freed;
}

double paper_part_needed(const struct paper_part *part)
{
	return part->needed;
}

/* Return the mean number of chunks in all VC buffers of a link. */
double paper_part_held(const struct paper_part *part)
{
	double sum = 0;
	u32 vc;

	for (vc = 0; vc < TORUS_VCS_MAX; vc++)
		sum += part->held[vc];
	return sum;
}

double paper_part_latency(const struct paper_part *part)
{
	return part->latency;
}

/**
 * paper_bgl_spread - compute the standard deviation of a value over the parts of a run that begin
 * at @from or later
 * @from: tick
 * @value: returns the value of a part
 *
 * Return: the deviation; NAN with fewer than two such parts.
 */
double paper_bgl_spread(const struct paper_bgl_run *run, u64 from,
			double (*value)(const struct paper_part *part))
{
	double mean = paper_bgl_mean(run, from, value);
	double sum = 0;
	u32 i, n = 0;

	for (i = 0; i < run->parts; i++)
		if ((i ? run->part[i - 1].end : 0) >= from) {
			sum += pow(value(&run->part[i]) - mean, 2);
			n++;
		}
	return n > 1 ? sqrt(sum / (n - 1)) : NAN;
}
