// SPDX-License-Identifier: GPL-2.0
/*
 * Figures 5 to 7 of Liu et al. (2012): latency against arrival rate of three tori of 256K nodes.
 * The paper prints no points of the curves. It describes the shapes of the curves, and prints
 * values that follow from the shapes of the machines.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure.h"
#include "kncube_work.h"

/**
 * struct kncube_curve - parameters of one of the figures
 * @k: length of each dimension
 * @n: number of dimensions
 * @nodes: maximum number of nodes without --full, so that a run takes a minute
 * @distance: maximum distance of two nodes in hops, as the paper prints it
 */
struct kncube_curve {
	u32 k;
	u32 n;
	u32 nodes;
	double distance;
};

static const double loads[] = { 0.01, 0.1, 0.3, 0.5, 0.7, 0.85, 1.0, 1.1 };

#define LOADS		((u32)(sizeof(loads) / sizeof(loads[0])))
/*
 * product of nodes and ticks for warm-up and window, unless TICKS_MAX, TRANSITS or PACKETS sets a
 * limit
 */
#define NODE_TICKS	1e9
#define TICKS_MAX	80000.0
/* minimum length of warm-up and window, in mean transit times of a packet */
#define TRANSITS	3
#define PACKETS		20000.0	/* minimum number of packets to measure */
#define US_NS		1000.0
#define EXACT		0.000001
/* relative tolerance at loads where packets hardly wait in queues */
#define LIGHT		0.01
#define HEAVY		0.05	/* relative tolerance at loads where queues grow */
/* Ratios that we chose for the words of the paper. */
/* maximum ratio: "latency does not increase with the rate at first" */
#define FLAT		1.1
#define DRAMATIC	2.0	/* minimum ratio: "a dramatic increase of the maximum latency" */

/*
 * Return the utilization of the links of a dimension. It equals the load until links are full. A
 * packet that goes half-way around a ring selects its direction by parity. So if half of the ring's
 * length is odd, every second link has a higher load than the others.
 */
static double link_use(u32 k, double load)
{
	double half = k / 2, more = k % 4 == 2 ? 1 / (half * half) : 0;

	return (fmin(1, load * (1 + more)) + fmin(1, load * (1 - more))) / 2;
}

/*
 * Return the mean utilization of all links. In a window just above saturation the links of the
 * last dimensions are less busy.
 */
static double mean_use(const struct paper_cube *cube, u32 n)
{
	double sum = 0;
	u32 i;

	for (i = 0; i < n; i++)
		sum += cube->figures.dim_utilization[i];
	return sum / n;
}

static void curves_judge(struct paper_figure *figure, const struct kncube_curve *curve, u32 k,
			 const struct paper_cube *light, const struct paper_cube *heavy)
{
	double tick_us = light->tick_ns / US_NS;
	struct paper_row *row;

	row = paper_value(figure, "hops", curve->n * (curve->k / 2),
			  "distance|maximum distance of %u-ary %u-cube", curve->k, curve->n);
	paper_relative(row, PAPER_SETTING, curve->distance, EXACT);
	row = paper_row(figure, "way|longest way taken in %u-ary %u-cube", k, curve->n);
	row->unit = "hops";
	row->origin = PAPER_FORMULA;
	row->other = curve->n * (k / 2);
	row->ours = heavy->result.win_hops_max;
	row->tolerance = EXACT;
	row = paper_row(figure, "latency|mean latency at load %g", loads[0]);
	row->unit = "us";
	row->origin = PAPER_FORMULA;
	row->other = PAPER_HOP_TICKS * light->figures.hops_mean * tick_us;
	row->ours = light->figures.latency_mean_ticks * tick_us;
	row->tolerance = LIGHT;
	row = paper_row(figure, "hops|mean hops");
	row->unit = "hops";
	row->origin = PAPER_FORMULA;
	row->other = paper_hops(k, curve->n);
	row->ours = light->figures.hops_mean;
	row->tolerance = LIGHT;
	row = paper_row(figure, "use|link use at load %g", loads[LOADS - 1]);
	row->origin = PAPER_FORMULA;
	row->other = link_use(k, loads[LOADS - 1]);
	row->ours = mean_use(heavy, curve->n);
	row->tolerance = HEAVY;
	row = paper_value(figure, "times", figure->series[0].y[1] / figure->series[0].y[0],
			  "latency-rise|mean latency at load %g over load %g", loads[1], loads[0]);
	paper_bound(row, PAPER_PRINTED, PAPER_AT_MOST, FLAT);
	row = paper_row(figure, "mean latency by maximum distance, hops' times");
	paper_id(row, "latency-distance");
	row->ours = light->figures.latency_mean_ticks / (PAPER_HOP_TICKS * curve->n * (k / 2));
	paper_relative(row, PAPER_FORMULA, paper_hops(k, curve->n) / (curve->n * (k / 2)), LIGHT);
	row = paper_value(figure, "times", heavy->population / light->population,
			  "alive-rise|packets alive at load %g over load %g; other: rate",
			  loads[LOADS - 1], loads[0]);
	paper_bound(row, PAPER_OURS, PAPER_AT_LEAST, heavy->rate / light->rate);
	row = paper_value(figure, "times",
			  (double)heavy->result.win_latency_max / light->result.win_latency_max,
			  "longest-rise|longest latency at load %g over load %g", loads[LOADS - 1],
			  loads[0]);
	paper_bound(row, PAPER_PRINTED, PAPER_AT_LEAST, DRAMATIC);
}

static void describe(struct paper_figure *figure, const struct kncube_curve *curve, u32 k,
		     u64 ticks)
{
	char smaller[PAPER_LABEL_MAX] = "";

	if (k != curve->k)
		snprintf(smaller, sizeof(smaller), " in the place of %u-ary (--full)", curve->k);
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "kncube, %u-ary %u-cube%s: Poisson arrivals, uniform destinations, packets of 256 "
		 "bytes; a hop takes 256 + 184 ticks of link and 22 of processing (2640 ns); "
		 "warm-up and window %llu ticks each, more where few packets are sent; loads 0.01 "
		 "to 1.1 of what the links can carry",
		 k, curve->n, smaller, ticks);
	snprintf(figure->says, PAPER_TEXT_MAX,
		 "The points of the curves are not in the text. It says: the maximum distance is "
		 "%g hops; latency does not increase with the rate at first; average latency is in "
		 "proportion with the maximum distance; queues lead to a dramatic increase of the "
		 "maximum latency; there is a saturation point.",
		 curve->distance);
}

static int curves_run(const struct paper_source *source, const struct paper_request *request,
		      struct paper_figure *figure)
{
	const struct kncube_curve *curve = source->argument;
	u32 k = request->full ? curve->k :
		paper_radix(curve->n, curve->k, request->nodes ? request->nodes : curve->nodes);
	double transit = PAPER_HOP_TICKS * paper_hops(k, curve->n);
	double small = fmin(TICKS_MAX, NODE_TICKS / pow(k, curve->n));
	u64 ticks = (u64)fmax(small, TRANSITS * transit);
	struct paper_series *mean = paper_series(figure, "mean");
	struct paper_series *most = paper_series(figure, "maximum");
	struct paper_cube light, cube;
	u32 i;

	describe(figure, curve, k, ticks);
	figure->xlabel = "packets/ns";
	figure->ylabel = "latency, us";
	figure->log_y = true;
	for (i = 0; i < LOADS; i++) {
		const struct paper_work work = {
			.k = k, .n = curve->n, .load = loads[i], .warmup = ticks,
			.cycles = (u64)fmax(ticks, PACKETS * paper_gap(k, curve->n, loads[i])),
			.threads = request->threads,
			.seed = request->seed,
		};
		int status = paper_cube(&work, &cube);

		if (status)
			return status;
		if (!i)
			light = cube;
		figure->cpu_s += cube.cpu_s;
		paper_point(mean, cube.rate,
			    cube.figures.latency_mean_ticks * cube.tick_ns / US_NS);
		paper_point(most, cube.rate, cube.result.win_latency_max * cube.tick_ns / US_NS);
		if (cube.figures.saturated) {
			paper_point_saturated(mean);
			paper_point_saturated(most);
		}
	}
	curves_judge(figure, curve, k, &light, &cube);
	paper_note(figure, "Beyond saturation queues grow as long as the run lasts: latencies "
			   "there are those of this window, not of a steady state.");
	if (k != curve->k)
		paper_note(figure, "The rate at which the paper's machine saturates is that of "
				   "this one times %.6g: nodes times their ratio, hops divided by "
				   "theirs.",
			   pow((double)curve->k / k, curve->n - 1));
	return SIM_OK;
}

static const struct kncube_curve fig5 = { 512, 2, 128 * 128, 512 };
static const struct kncube_curve fig6 = { 64, 3, 32 * 32 * 32, 96 };
static const struct kncube_curve fig7 = { 8, 6, 6 * 6 * 6 * 6 * 6 * 6, 24 };

const struct paper_source paper_kncube_curves[] = {
	{ "liu2012-fig5", "512-ary 2-cube: latency against arrival rate", curves_run, &fig5 },
	{ "liu2012-fig6", "64-ary 3-cube: latency against arrival rate", curves_run, &fig6 },
	{ "liu2012-fig7", "8-ary 6-cube: latency against arrival rate", curves_run, &fig7 },
	{ }
};
