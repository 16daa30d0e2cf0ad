// SPDX-License-Identifier: GPL-2.0
/*
 * Figures 2 and 4 of Adiga et al. (2005): response time in light traffic on 32K nodes, by routing,
 * VCs and paths, and by arbitration policy. The paper prints no points of the curves, and only one
 * number about them: JSQ reduces "the average response time .. by about 20%" "at 95% link
 * utilization".
 */
#include <math.h>
#include <stdio.h>

#include "bgl_work.h"
#include "figure.h"

/* Early assumptions: random arbitration, 350 MB/s, infinite injection FIFOs. */
#define RANDOM		"injection=infinite link_mbps=350 jsq=off slq_fraction=0"
#define BASE		"injection=infinite link_mbps=350"
#define TWO_VCS		" vc_bytes=2048"

#define NODES		4096
#define WARMUP		60000
#define CYCLES		80000
#define LOADS_MAX	8
#define US_NS		1000.0
#define SET_MAX		160

/* Link utilization for which the paper prints a number. */
#define HEAVY_USE	0.95
#define HEAVY_WARMUP	160000
#define HEAVY_CYCLES	200000
#define SAME_USE	0.002
#define SAID		20.0	/* percent */
#define SAID_NEAR	2.0
/* limit in percent: smaller benefits are the paper's "little", larger ones its "clear" benefit */
#define LITTLE		10.0

/**
 * struct response_policy - a curve
 * @id: part of the ids of its rows
 * @name: name in labels
 * @set: parameters of the fabric
 */
struct response_policy {
	const char *id;
	const char *name;
	const char *set;
};

/**
 * struct response - a figure
 * @says: statements of the paper
 * @runs: description of our configuration, appended to the shape
 * @policies: curves
 * @npolicies: number of entries in @policies
 * @loads: loads of the points, as fractions of the peak; 0 ends the array
 * @judge: function that adds rows. Its argument is the latency in microseconds, by policy and load
 */
struct response {
	const char *says;
	const char *runs;
	const struct response_policy *policies;
	u32 npolicies;
	double loads[LOADS_MAX];
	int (*judge)(struct paper_figure *figure, const struct response *response,
		     const struct paper_request *request, const u32 *dims,
		     double latency[][LOADS_MAX]);
};

static const u32 paper_dims[3] = { 32, 32, 32 };

/* Check whether the machine is large enough for the paper's statements about 32K nodes. */
static bool large(const u32 *dims)
{
	return paper_bgl_nodes(dims) >= NODES;
}

static struct paper_bgl uniform(const u32 *dims, const struct paper_request *request,
				const char *set, double load)
{
	return (struct paper_bgl){
		.dims = { dims[0], dims[1], dims[2] },
		.set = set,
		.pattern = TORUS_PATTERN_UNIFORM,
		.load = load,
		.warmup = WARMUP,
		.cycles = CYCLES,
		.parts = PAPER_PARTS,
		.threads = request->threads,
		.seed = request->seed,
	};
}

static double latency_us(const struct paper_bgl_run *run)
{
	return run->figures.latency_mean_ticks * run->tick_ns / US_NS;
}

static int response_run(const struct paper_source *source, const struct paper_request *request,
			struct paper_figure *figure)
{
	const struct response *response = source->argument;
	double latency[PAPER_SERIES_MAX][LOADS_MAX] = { };
	char shape[PAPER_LABEL_MAX];
	struct paper_bgl_run found;
	u32 dims[3], i, j;
	int status;

	paper_bgl_shape(request, NODES, paper_dims, dims);
	snprintf(figure->says, PAPER_TEXT_MAX, "%s", response->says);
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "%s (paper: 32x32x32), Poisson arrivals, uniform destinations, packets of 256 "
		 "bytes, warm-up %u, window %u ticks; %s",
		 paper_bgl_shape_text(dims, shape, sizeof(shape)), WARMUP, CYCLES,
		 response->runs);
	figure->xlabel = "load, of the peak";
	figure->ylabel = "mean latency, us";
	figure->log_y = true;
	for (i = 0; i < response->npolicies; i++) {
		const struct response_policy *policy = &response->policies[i];
		struct paper_series *series = paper_series(figure, policy->name);

		for (j = 0; j < LOADS_MAX && response->loads[j] > 0; j++) {
			struct paper_bgl work = uniform(dims, request, policy->set,
							response->loads[j]);

			status = paper_bgl(&work, &found);
			if (status)
				return status;
			figure->cpu_s += found.cpu_s;
			latency[i][j] = latency_us(&found);
			/*
			 * a saturated run has no steady latency: the mean latency depends on the
			 * length of the window
			 */
			if (found.figures.saturated)
				latency[i][j] = NAN;
			paper_point(series, response->loads[j], latency[i][j]);
			if (found.figures.saturated)
				paper_point_saturated(series);
		}
	}
	return response->judge(figure, response, request, dims, latency);
}

/* ----------------------------------------------------------------- figure 2 */

static const struct response_policy routings[] = {
	{ "det", "deterministic", RANDOM " routing=deterministic escape_bytes=4096" },
	{ "1vc-1path", "1 VC, 1 path",
	  RANDOM " dynamic_vcs=1 buses=1 vc_bytes=4096 escape_bytes=1024" },
	{ "2vc-1path", "2 VCs, 1 path", RANDOM " buses=1" TWO_VCS " escape_bytes=1024" },
	{ "2vc-2path", "2 VCs, 2 paths", RANDOM TWO_VCS " escape_bytes=1024" },
	{ "4vc-1path", "4 VCs, 1 path", RANDOM " dynamic_vcs=4 buses=1 vc_bytes=1024" },
	{ "4vc-4path", "4 VCs, 4 paths", RANDOM " dynamic_vcs=4 buses=4 vc_bytes=1024" },
};

/*
 * Add a row that compares the latency of policy @a with policy @b. If @judged, policy @a must not
 * be slower.
 */
static void beside(struct paper_figure *figure, const struct response *response, u32 a, u32 b,
		   u32 load, bool judged, double latency[][LOADS_MAX])
{
	struct paper_row *row = paper_value(figure, "us", latency[a][load],
					    "latency-%g-%s-%s|at %g: %s; other: %s",
					    response->loads[load], response->policies[a].id,
					    response->policies[b].id, response->loads[load],
					    response->policies[a].name, response->policies[b].name);

	if (judged)
		paper_bound(row, PAPER_OURS, PAPER_AT_MOST, latency[b][load]);
	else
		paper_compare(row, PAPER_OURS, latency[b][load]);
}

/*
 * Add a row for the percentage by which policy @a reduces the latency of policy @b. If @judged,
 * @demand selects "at least" or "at most" LITTLE.
 */
static void gain(struct paper_figure *figure, const struct response *response, u32 a, u32 b,
		 u32 load, enum paper_demand demand, bool judged, double latency[][LOADS_MAX])
{
	struct paper_row *row = paper_row(figure, "at %g: %s takes off %s", response->loads[load],
					  response->policies[a].name, response->policies[b].name);

	paper_id(row, "taken-%g-%s", response->loads[load], response->policies[a].id);
	row->unit = "%";
	row->ours = 100 * (1 - latency[a][load] / latency[b][load]);
	if (judged)
		paper_bound(row, PAPER_PRINTED, demand, LITTLE);
}

/*
 * Indices of two loads. At HALF, no routing is saturated; at HEAVY, no routing with dynamic VCs is
 * saturated.
 */
#define HALF		1
#define HEAVY		3

static int judge_routings(struct paper_figure *figure, const struct response *response,
			  const struct paper_request *request, const u32 *dims,
			  double latency[][LOADS_MAX])
{
	beside(figure, response, 3, 0, HALF, large(dims), latency);
	beside(figure, response, 3, 1, HEAVY, large(dims), latency);
	beside(figure, response, 2, 1, HEAVY, false, latency);
	beside(figure, response, 3, 2, HEAVY, false, latency);
	beside(figure, response, 4, 2, HEAVY, false, latency);
	beside(figure, response, 5, 3, HEAVY, false, latency);
	gain(figure, response, 3, 0, HALF, PAPER_AT_LEAST, large(dims), latency);
	gain(figure, response, 2, 1, HALF, PAPER_AT_MOST, large(dims), latency);
	gain(figure, response, 4, 2, HALF, PAPER_AT_MOST, large(dims), latency);
	gain(figure, response, 5, 3, HALF, PAPER_AT_MOST, large(dims), latency);
	gain(figure, response, 2, 1, HEAVY, PAPER_AT_MOST, large(dims), latency);
	gain(figure, response, 4, 2, HEAVY, PAPER_AT_MOST, large(dims), latency);
	gain(figure, response, 5, 3, HEAVY, PAPER_AT_MOST, large(dims), latency);
	paper_note(figure, "\"Clear benefit\", \"little\" and \"marginal\" are taken for at least, "
			   "and for at most, %g %% of the latency.", LITTLE);
	paper_note(figure, "Deterministic packets use the bubble VC only, which has 4 KB here; "
			   "where more is offered than carried there is no mean latency (-).");
	return SIM_OK;
}

static const struct response figure_2 = {
	.says = "32K nodes, random destinations: response time for deterministic and dynamic "
		"routing, one or more dynamic VCs, one or more paths from receivers to senders; "
		"simpler, random arbitration, 350 MB/s. Points are not in the text. It says: a "
		"clear benefit of dynamic over deterministic routing; little benefit in more "
		"dynamic VCs unless there are more paths too; only marginal benefit from 2 VCs, 2 "
		"paths to 4 VCs, 4 paths.",
	.runs = "4 KB of buffers a link + 1 KB for the escape, random arbitration (jsq=off "
		"slq_fraction=0), infinite injection FIFOs, 350 MB/s",
	.policies = routings,
	.npolicies = sizeof(routings) / sizeof(routings[0]),
	.loads = { 0.2, 0.5, 0.7, 0.8, 0.9, 0.95 },
	.judge = judge_routings,
};

/* ----------------------------------------------------------------- figure 4 */

static const struct response_policy policies[] = {
	{ "base", "base (random)", RANDOM TWO_VCS " escape_bytes=1024" },
	{ "jsq", "JSQ", BASE " jsq=on slq_fraction=0" TWO_VCS " escape_bytes=1024" },
	{ "slq", "SLQ", BASE " jsq=off slq_fraction=75" TWO_VCS " escape_bytes=1024" },
	{ "jsq-slq", "JSQ and SLQ", BASE " jsq=on slq_fraction=75" TWO_VCS " escape_bytes=1024" },
};

#define MODERATE	2	/* index of the load that the paper calls moderate */

static double interval(const struct paper_bgl_run *run,
		       double (*value)(const struct paper_part *part))
{
	return PAPER_STUDENT * paper_bgl_spread(run, 0, value) / sqrt(PAPER_PARTS);
}

static int judge_policies(struct paper_figure *figure, const struct response *response,
			  const struct paper_request *request, const u32 *dims,
			  double latency[][LOADS_MAX])
{
	struct paper_bgl_run found[3];
	struct paper_row *row;
	double said;
	u32 i;

	if (!large(dims)) {
		paper_note(figure, "The comparison at equal utilisation wants %u nodes or more.",
			   NODES);
		paper_value(figure, "%", 100 * (1 - latency[1][3] / latency[0][3]),
			    "JSQ reduces latency at load %g by", response->loads[3]);
		return SIM_OK;
	}
	for (i = 0; i < 3; i++) {
		struct paper_bgl work = uniform(dims, request, policies[i].set, HEAVY_USE);
		int status;

		work.warmup = HEAVY_WARMUP;
		work.cycles = HEAVY_CYCLES;
		status = paper_bgl_tune(&work, HEAVY_USE, &found[i]);
		if (status)
			return status;
		figure->cpu_s += found[i].cpu_s;
		row = paper_value(figure, "of 1", found[i].figures.utilization,
				  "busy-%s|%s: link utilisation measured", policies[i].id,
				  policies[i].name);
		paper_near(row, PAPER_SETTING, HEAVY_USE, SAME_USE);
		paper_value(figure, "us", latency_us(&found[i]), "%s: mean latency there",
			    policies[i].name);
	}
	row = paper_row(figure, "base and JSQ: utilisations differ, 95 %%");
	paper_id(row, "busy-apart");
	row->unit = "of 1";
	row->ours = fabs(found[1].figures.utilization - found[0].figures.utilization) +
		    hypot(interval(&found[0], paper_part_use), interval(&found[1], paper_part_use));
	paper_bound(row, PAPER_GOAL, PAPER_AT_MOST, SAME_USE);
	row = paper_value(figure, "%", 100 * (1 - latency_us(&found[1]) / latency_us(&found[0])),
			  "taken-busy-jsq|JSQ reduces latency at that utilisation by");
	paper_near(row, PAPER_PRINTED, SAID, SAID_NEAR);
	said = row->ours;
	row = paper_value(figure, "%", 100 * (1 - latency_us(&found[2]) / latency_us(&found[0])),
			  "taken-busy-slq|SLQ reduces it by; other: JSQ");
	paper_bound(row, PAPER_OURS, PAPER_AT_MOST, said);
	gain(figure, response, 2, 0, 0, PAPER_AT_MOST, true, latency);
	row = paper_value(figure, "us", latency[1][MODERATE],
			  "latency-%g-jsq|at %g: JSQ's latency; other: base",
			  response->loads[MODERATE], response->loads[MODERATE]);
	paper_bound(row, PAPER_OURS, PAPER_AT_MOST, latency[0][MODERATE]);
	gain(figure, response, 1, 0, 0, PAPER_AT_MOST, false, latency);
	paper_note(figure, "At equal utilisation: for each policy the load is tuned until the "
			   "links are measured to be busy 0.95 +- %g of the time (warm-up %u, "
			   "window %u ticks in %u parts; half widths of the mean latencies' 95 %% "
			   "intervals: base %.1f, JSQ %.1f us).",
		   0.001, HEAVY_WARMUP, HEAVY_CYCLES, PAPER_PARTS,
		   interval(&found[0], paper_part_latency) * found[0].tick_ns / US_NS,
		   interval(&found[1], paper_part_latency) * found[1].tick_ns / US_NS);
	return SIM_OK;
}

static const struct response figure_4 = {
	.says = "32K nodes, random destinations: response time for different arbitration policies. "
		"Points are not in the text. It says: in light traffic SLQ provides little "
		"benefit, since queues are not that full, but JSQ does reduce response time in "
		"moderate traffic; at 95 % link utilisation the average response time is reduced "
		"by about 20 %.",
	.runs = "two dynamic VCs of 2 KB + 1 KB for the escape, two paths, base: random "
		"arbitration; SLQ in 75 % of the cycles; infinite injection FIFOs, 350 MB/s",
	.policies = policies,
	.npolicies = sizeof(policies) / sizeof(policies[0]),
	.loads = { 0.2, 0.4, 0.6, 0.8, 0.9 },
	.judge = judge_policies,
};

const struct paper_source paper_bgl_response[] = {
	{ "fig2", "response time in light traffic, by routing, VCs and paths", response_run,
	  &figure_2 },
	{ "fig4", "response time in light traffic, by arbitration policy", response_run,
	  &figure_4 },
	{ }
};
