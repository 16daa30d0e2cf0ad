// SPDX-License-Identifier: GPL-2.0
/*
 * Run the workload of Liu et al. (2012): Poisson sources and uniform destinations on k-ary
 * n-cubes.
 */
#include <math.h>
#include <string.h>

#include "../report/ratios.h"
#include "arch/arch.h"
#include "../sim/base/signals.h"
#include "core/workload/pattern.h"
#include "core/workload/workload.h"
#include "gather.h"
#include "kncube_work.h"
#include "core/run/fabric.h"
#include "run.h"

#define NS_FS		1e6
/* lowest load that the core's fixed-point fraction represents with sufficient precision */
#define LOAD_LEAST	0.000002

static bool cube_config(struct torus_config *config, u32 k, u32 n)
{
	struct torus_error err;
	u32 dims[TORUS_DIMS_MAX];
	u32 i;

	for (i = 0; i < n; i++)
		dims[i] = k;
	if (!torus_arch_config(config, "kncube", &err) &&
	    !torus_config_shape(config, n, dims, 0, &err))
		return true;
	sim_reject("%s", err.text);
	return false;
}

/**
 * paper_bytes - compute the memory of a k-ary n-cube
 * @k: length of each dimension
 * @n: number of dimensions
 *
 * Return: bytes; ~0 if the shape is invalid.
 */
u64 paper_bytes(u32 k, u32 n)
{
	struct torus_config config;

	return cube_config(&config, k, n) ? torus_config_bytes(&config) : ~0ull;
}

/**
 * paper_radix - find the largest cube of a family
 * @n: number of dimensions
 * @k: length of each dimension in the paper
 * @nodes: maximum number of nodes
 *
 * Return: length of each dimension, at least 2. Lengths above 4 are reduced in steps of 2.
 */
u32 paper_radix(u32 n, u32 k, u32 nodes)
{
	while (k > 2 && pow(k, n) > nodes)
		k = k > 4 ? k - 2 : k - 1;
	return k;
}

/**
 * paper_hops - compute the mean number of hops of uniform traffic without packets to oneself
 * @k: length of each dimension
 * @n: number of dimensions
 */
double paper_hops(u32 k, u32 n)
{
	double nodes = pow(k, n);
	double line = k % 2 ? (k - 1.0 / k) / 4 : k / 4.0;

	return n * line * nodes / (nodes - 1);
}

/**
 * paper_gap - compute the mean number of ticks between two packets of the whole machine
 * @k: length of each dimension
 * @n: number of dimensions
 * @load: fraction of the peak
 */
double paper_gap(u32 k, u32 n, double load)
{
	/* a node has two links in a dimension */
	return paper_hops(k, n) / n * PAPER_LINK_TICKS / 2 / load / pow(k, n);
}

static void take_counters(struct torus_fabric *fabric, struct paper_cube *cube)
{
	struct torus_fabric_counters counters;
	u32 i;

	torus_fabric_counters(fabric, &counters);
	for (i = 0; i < 32; i++)
		cube->by_hops[i] = counters.hop_packets[i] ?
				   (double)counters.hop_latency_sum[i] / counters.hop_packets[i] :
				   NAN;
}

/* Convert a packet rate of the whole machine (per ns) to a load. */
static double rate_load(struct torus_fabric *fabric, const struct torus_traffic *traffic,
			double rate)
{
	const struct torus_config *config = torus_fabric_config(fabric);
	double gap = config->geo.nodes / rate * NS_FS / config->arch->tick_fs(config);

	return ldexp((double)torus_pattern_peak_gap(fabric, traffic), -16) / gap;
}

static int kncube_work_measure(struct torus_fabric *fabric, struct sim_run_config *options,
			       const struct paper_work *work, struct paper_cube *cube)
{
	struct sim_measure found;
	double load = work->load;
	int status;

	if (work->rate > 0)
		load = rate_load(fabric, &options->load.traffic, work->rate);
	load = load > LOAD_LEAST ? load : LOAD_LEAST;
	options->load.traffic.load = (u64)ldexp(load, 32);
	status = paper_measure(fabric, options, &found);
	if (status)
		return status;
	cube->result = found.result;
	report_figures(&found.context, &found.result, &cube->figures);
	take_counters(fabric, cube);
	cube->tick_ns = found.result.tick_fs / NS_FS;
	cube->rate = found.result.win_generated / (cube->figures.window_ticks * cube->tick_ns);
	cube->population = found.result.win_population_ticks / cube->figures.window_ticks;
	cube->cpu_s = found.perf.cpu_s;
	cube->wall_s = found.perf.wall_s;
	return SIM_OK;
}

static int kncube_work_simulate(const struct paper_work *work, struct paper_cube *cube)
{
	struct sim_run_config options = { .threads = work->threads };
	struct torus_fabric *fabric;
	int status;

	memset(cube, 0, sizeof(*cube));
	if (!cube_config(&options.config, work->k, work->n))
		return SIM_USAGE;
	options.config.domains = work->threads;
	options.config.seed = work->seed ? work->seed : 1;
	options.load.traffic = (struct torus_traffic){
		.pattern = TORUS_PATTERN_UNIFORM,
		.size_min = 256,
		.size_max = 256,
		.warmup = work->warmup,
		.cycles = work->cycles,
	};
	status = sim_fabric_new(&options, &fabric);
	if (status)
		return status;
	status = kncube_work_measure(fabric, &options, work, cube);
	torus_fabric_destroy(fabric);
	return status;
}

/**
 * paper_cube - run uniform traffic on a k-ary n-cube
 * @work: the workload
 * @cube: [out] results
 *
 * Return: SIM_OK, or the exit status after an error message.
 */
int paper_cube(const struct paper_work *work, struct paper_cube *cube)
{
	int status;

	if (paper_gather(cube, sizeof(*cube), &status))
		return status;
	return paper_gather_keep(cube, sizeof(*cube), kncube_work_simulate(work, cube));
}
