// SPDX-License-Identifier: GPL-2.0
/*
 * All-to-all of Adiga et al. (2005): figure 6 and the text around it, for 32x32x32, an asymmetric
 * torus, lines and planes. Figure 11 is in bgl_hardware.c.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bgl_work.h"
#include "figure.h"

#define PACKET_BYTES	256
#define PAYLOAD_BYTES	240
#define WIRE_TICKS	270.0
#define PERCENT		100.0

/* --------------------------------------------------------------- the window */

#define WARMUP		40000
#define CYCLES		80000
#define PART		10000

/* Return the number of packets per pair that keeps the exchange busy during the whole window. */
static u64 rounds(const u32 *dims, double ticks)
{
	double hops = 0;
	u32 i;

	for (i = 0; i < 3; i++)
		hops = fmax(hops, dims[i] / 4.0);
	/* a node has two links per dimension */
	return (u64)(2 * ticks / ((paper_bgl_nodes(dims) - 1) * hops * WIRE_TICKS / 2)) + 1;
}

/* ----------------------------------------------------------------- figure 6 */

#define NODES_6		4096
#define SAID_USE	98.0	/* percent */
#define SAID_PAYLOAD	87.0
#define NEAR		1.5
/* maximum percentage: our value for the paper's "a very low percentage" */
#define FEW		1.0
/* maximum difference in percentage points: our value for the paper's "marginal" */
#define MARGINAL	2.0
/* maximum fill level in percent: our value for the paper's "few of the VC buffers are full" */
#define HALF_FULL	50.0

/**
 * struct routing - a curve of figure 6
 * @id: part of the ids of its rows
 * @name: name in labels
 * @set: parameters of the fabric
 */
struct routing {
	const char *id;
	const char *name;
	const char *set;
};

static const struct routing routings[] = {
	{ "det", "deterministic", "injection=infinite routing=deterministic escape_bytes=3072" },
	{ "1vc", "1 dynamic VC",
	  "injection=infinite dynamic_vcs=1 vc_bytes=2048 escape_bytes=1024" },
	{ "2vc", "2 dynamic VCs", "injection=infinite vc_bytes=1024 escape_bytes=1024" },
};

#define ROUTINGS	((u32)(sizeof(routings) / sizeof(routings[0])))
#define FINITE		"vc_bytes=1024 escape_bytes=1024"	/* two dynamic VCs */

/* Return the fill level of the buffers of all VCs but the priority VC, in percent. */
static double held(const struct paper_bgl_run *run)
{
	return PERCENT * paper_bgl_mean(run, WARMUP, paper_part_held) * 32 / 3072;
}

static void judge_6(struct paper_figure *figure, const struct paper_bgl_run *run, u32 i, bool most)
{
	struct paper_row *row = paper_row(figure, "%s: links are busy", routings[i].name);
	const char *id = routings[i].id;

	paper_id(row, "busy-%s", id);
	row->unit = "%";
	row->ours = PERCENT * run->figures.utilization;
	if (most)
		paper_near(row, PAPER_PRINTED, SAID_USE, NEAR);
	row = paper_value(figure, "%", held(run), "full-%s|%s: buffers are full to", id,
			  routings[i].name);
	if (most)
		paper_bound(row, PAPER_PRINTED, PAPER_AT_MOST, HALF_FULL);
	row = paper_row(figure, "%s: packets on the bubble VC", routings[i].name);
	paper_id(row, "bubble-%s", id);
	row->unit = "%";
	row->ours = PERCENT * run->result.vc_packets[TORUS_BGL_BN] /
		    (run->result.vc_packets[TORUS_BGL_D0] + run->result.vc_packets[TORUS_BGL_D1] +
		     run->result.vc_packets[TORUS_BGL_BN]);
	if (!most)
		return;
	paper_bound(row, PAPER_GOAL, PAPER_AT_MOST, FEW);
	row = paper_value(figure, "%", PERCENT * run->figures.payload_utilization,
			  "payload-%s|%s: payload on the links", id, routings[i].name);
	paper_near(row, PAPER_PRINTED, SAID_PAYLOAD, NEAR);
}

/* Add a row for "Infinite injection FIFOs have little effect during the middle of a run." */
static int judge_finite(struct paper_figure *figure, struct paper_bgl *work,
			struct paper_bgl_run *found, double infinite, bool large)
{
	struct paper_row *row;
	int status;

	work->set = FINITE;
	status = paper_bgl(work, found);
	if (status)
		return status;
	figure->cpu_s += found->cpu_s;
	row = paper_value(figure, "%", PERCENT * found->figures.utilization,
			  "finite|2 dynamic VCs, finite FIFOs; other: infinite");
	if (large)
		paper_near(row, PAPER_OURS, PERCENT * infinite, MARGINAL);
	return SIM_OK;
}

static int run_6(const struct paper_source *source, const struct paper_request *request,
		 struct paper_figure *figure)
{
	static const u32 paper_dims[3] = { 32, 32, 32 };
	struct paper_bgl_run *found = malloc(sizeof(*found));
	int status = found ? SIM_OK : sim_error("out of memory");
	struct paper_bgl work = {
		.pattern = TORUS_PATTERN_ALLTOALL,
		.warmup = WARMUP,
		.cycles = CYCLES,
		.parts = CYCLES / PART,
		.threads = request->threads,
		.seed = request->seed,
	};
	double use[ROUTINGS] = { };
	char shape[PAPER_LABEL_MAX];
	struct paper_row *row;
	bool large;
	u32 i, j;

	paper_bgl_shape(request, NODES_6, paper_dims, work.dims);
	large = paper_bgl_nodes(work.dims) >= NODES_6;
	work.packets = rounds(work.dims, WARMUP + CYCLES);
	snprintf(figure->says, PAPER_TEXT_MAX,
		 "32K nodes, all-to-all, equal total buffers (3 KB for nonpriority). Points are "
		 "not in the text. It says: dynamic routing has a benefit over deterministic; "
		 "there is marginal benefit in going from one to two dynamic VCs; average link "
		 "utilisation is approximately 98 %%, headers, trailers and token-acks included; "
		 "the payload (240 of 256 bytes) occupies 87 %% of the links; a very low "
		 "percentage flows on the escape bubble VC; few of the VC buffers are full.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "%s (paper: 32x32x32), all-to-all, packets of 256 bytes, the middle of the run: "
		 "ticks %u to %u; 3 KB of buffers: one bubble VC; 2 KB and 1 KB of escape; 1 KB, 1 "
		 "KB and 1 KB of escape; infinite injection FIFOs, JSQ, 75 %% SLQ",
		 paper_bgl_shape_text(work.dims, shape, sizeof(shape)), WARMUP, WARMUP + CYCLES);
	figure->xlabel = "K ticks";
	figure->ylabel = "part of the time in which the links are busy";
	for (i = 0; !status && i < ROUTINGS; i++) {
		struct paper_series *series = paper_series(figure, routings[i].name);

		work.set = routings[i].set;
		status = paper_bgl(&work, found);
		if (status)
			break;
		figure->cpu_s += found->cpu_s;
		use[i] = found->figures.utilization;
		judge_6(figure, found, i, i == ROUTINGS - 1 && large);
		for (j = 0; j < found->parts; j++)
			paper_point(series, found->part[j].end / 1000.0, found->part[j].use);
	}
	if (!status)
		status = judge_finite(figure, &work, found, use[ROUTINGS - 1], large);
	free(found);
	if (status)
		return status;
	row = paper_value(figure, "%", PERCENT * use[2],
			  "dynamic|dynamic, two VCs; other: deterministic");
	if (large)
		paper_bound(row, PAPER_OURS, PAPER_AT_LEAST, PERCENT * use[0]);
	row = paper_value(figure, "%", PERCENT * use[2], "two-vcs|two dynamic VCs; other: one");
	if (large)
		paper_bound(row, PAPER_OURS, PAPER_AT_LEAST, PERCENT * use[1]);
	row = paper_value(figure, "points", PERCENT * (use[2] - use[1]),
			  "two-vcs-gain|two dynamic VCs more than one");
	if (large)
		paper_bound(row, PAPER_PRINTED, PAPER_AT_MOST, MARGINAL);
	return SIM_OK;
}

/* --------------------------------------------------------------- asymmetric */

#define NODES_ASYMMETRIC 1024	/* limit without --full, so that a run takes a minute */
#define PAPERS_ASYMMETRIC (32 * 16 * 16)

static const char *const queues[] = {
	"injection=infinite", "injection=finite",
	"injection=infinite dynamic_vcs=1 vc_bytes=2048 escape_bytes=1024",
};

/* Runs. ONE_VC is not in the paper: it has one dynamic VC, with the buffer sizes of figure 6. */
enum { INFINITE_FIFOS, FINITE_FIFOS, ONE_VC, ASYMMETRIC_RUNS };

static const char *const asymmetric_names[] = {
	"infinite FIFOs", "finite FIFOs", "one dynamic VC (assumed)",
};

static const char *const asymmetric_ids[] = { "infinite", "finite", "1vc" };

static const double paces[] = { 0.8, 0.9, 0.95 };

#define PACES		(sizeof(paces) / sizeof(paces[0]))

static void judge_asymmetric(struct paper_figure *figure, const struct paper_bgl_run *run,
			     u32 which, bool paper)
{
	const char *name = asymmetric_names[which], *id = asymmetric_ids[which];
	struct paper_row *row;

	row = paper_value(figure, "%", PERCENT * run->figures.utilization,
			  "busy-%s|%s: links are busy", id, name);
	if (paper)
		paper_near(row, PAPER_PRINTED, 49, 4);
	row = paper_value(figure, "%", PERCENT * run->figures.payload_utilization,
			  "payload-%s|%s: payload on the links", id, name);
	if (paper)
		paper_near(row, PAPER_PRINTED, 44, 4);
	row = paper_value(figure, "%", run->figures.percent_of_peak, "peak-%s|%s: of the peak", id,
			  name);
	if (paper)
		paper_near(row, PAPER_PRINTED, 74, 4);
	paper_value(figure, "%", PERCENT * run->figures.dim_utilization[0],
		    "x-%s|%s: x links are busy", id, name);
}

static void judge_x_links(struct paper_figure *figure, const u32 *dims)
{
	double busiest = fmax(dims[0], fmax(dims[1], dims[2])), busy;
	struct paper_row *row;

	row = paper_row(figure, "all-when-x-busy|all links, when those of x are always busy");
	row->unit = "%";
	busy = PERCENT * (dims[0] + dims[1] + dims[2]) / (3 * busiest);
	row->ours = busy;
	paper_near(row, PAPER_SETTING, 66.7, 0.1);
	row = paper_value(figure, "%", busy * PAYLOAD_BYTES / WIRE_TICKS,
			  "payload-when-x-busy|payload, when the links of x are always busy");
	paper_near(row, PAPER_SETTING, 59, 0.5);
}

/* Add a row that compares two ways to inject packets: the value @ours must be at least @other. */
static void judge_least(struct paper_figure *figure, const char *id, const char *label, double ours,
			double other, bool judged)
{
	struct paper_row *row = paper_id(paper_row(figure, "%s", label), "%s", id);

	row->unit = "%";
	row->ours = ours;
	if (judged)
		paper_bound(row, PAPER_OURS, PAPER_AT_LEAST, other);
}

static int run_asymmetric(const struct paper_source *source, const struct paper_request *request,
			  struct paper_figure *figure)
{
	static const u32 paper_dims[3] = { 32, 16, 16 };
	struct paper_bgl_run *found = malloc(sizeof(*found));
	int status = found ? SIM_OK : sim_error("out of memory");
	struct paper_bgl work = {
		.pattern = TORUS_PATTERN_ALLTOALL,
		.packets = 1,
		.threads = request->threads,
		.seed = request->seed,
	};
	double peak[ASYMMETRIC_RUNS] = { }, best = 0;
	char shape[PAPER_LABEL_MAX];
	bool paper;
	u32 i;

	paper_bgl_shape(request, NODES_ASYMMETRIC, paper_dims, work.dims);
	paper = paper_bgl_nodes(work.dims) == PAPERS_ASYMMETRIC;
	snprintf(figure->says, PAPER_TEXT_MAX,
		 "All-to-all on 32x16x16: an average link utilisation of 49 %% and payload "
		 "utilisation of 44 %%, 74 %% of the peak, which is 66.7 %%: even if every x link "
		 "is 100 %% busy, y and z can be at most 50 %%. It calls that somewhat pessimistic "
		 "because of the infinite injection FIFOs, and believes that flow control of "
		 "injection by software can come closer.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "%s (paper: 32x16x16), all-to-all, one packet of 256 bytes a pair, from the first "
		 "to the last packet",
		 paper_bgl_shape_text(work.dims, shape, sizeof(shape)));
	for (i = 0; !status && i < ASYMMETRIC_RUNS; i++) {
		work.set = queues[i];
		status = paper_bgl(&work, found);
		if (status)
			break;
		figure->cpu_s += found->cpu_s;
		judge_asymmetric(figure, found, i, i != FINITE_FIFOS && paper);
		peak[i] = found->figures.percent_of_peak;
	}
	if (paper)
		judge_x_links(figure, work.dims);
	if (!status)
		judge_least(figure, "finite", "finite FIFOs; other: infinite", peak[FINITE_FIFOS],
			    peak[INFINITE_FIFOS], paper);
	work.set = "";
	for (i = 0; !status && i < PACES; i++) {
		struct paper_row *row;

		work.pacing = paces[i];
		status = paper_bgl(&work, found);
		if (status)
			break;
		figure->cpu_s += found->cpu_s;
		row = paper_value(figure, "%", found->figures.percent_of_peak,
				  "packets enter at %g of the peak's rate", paces[i]);
		best = fmax(best, row->ours);
	}
	if (!status)
		judge_least(figure, "paced", "best of these; other: not paced", best,
			    peak[INFINITE_FIFOS], paper_bgl_nodes(work.dims) >= NODES_ASYMMETRIC);
	free(found);
	paper_note(figure, "Assumed: one dynamic VC of 2 KB and 1 KB of escape in place of the "
			   "default's two of 1 KB, as in figure 6's curve with one dynamic VC. The "
			   "paper does not say which buffers its asymmetric run had.");
	paper_note(figure, "At 32x16x16 infinite FIFOs reach 67.6 %% of the peak and the paper 74; "
			   "sources that fill two of six FIFOs (source_fifos=2) reach 70.6. One "
			   "FIFO, other seeds and arbitration were tried, and 400 packets a node "
			   "to random others (70.6, with three FIFOs 70.3). The assumed buffers "
			   "reach 73.2, with links busy for 48.8 %% and payload for 43.4 %%.");
	paper_note(figure, "Flow control of injection: a node lets its packets into its injection "
			   "FIFOs at a fraction of the rate that the peak allows, and no faster. "
			   "The percentages are of the same peak, from the first to the last "
			   "packet.");
	return status;
}

/* ---------------------------------------------------------- lines and planes */

#define NODES_SUBSET	4096
/* minimum percentage of the peak: our value for the paper's "near-peak performance" */
#define NEAR_PEAK	90.0

/**
 * struct subset - an exchange within a part of the machine
 * @pattern: enum torus_pattern
 * @words: name of the part in labels
 * @packets: packets per pair
 */
struct subset {
	u32 pattern;
	const char *words;
	u64 packets;
};

static int run_subset(const struct paper_source *source, const struct paper_request *request,
		      struct paper_figure *figure)
{
	static const u32 paper_dims[3] = { 32, 32, 32 };
	static const char *const names[] = { "infinite FIFOs", "finite FIFOs" };
	const struct subset *subset = source->argument;
	struct paper_bgl_run *found = malloc(sizeof(*found));
	int status = found ? SIM_OK : sim_error("out of memory");
	struct paper_bgl work = {
		.pattern = subset->pattern,
		.packets = subset->packets,
		.threads = request->threads,
		.seed = request->seed,
	};
	char shape[PAPER_LABEL_MAX];
	struct paper_row *row;
	u32 i;

	paper_bgl_shape(request, NODES_SUBSET, paper_dims, work.dims);
	snprintf(figure->says, PAPER_TEXT_MAX,
		 "Three-dimensional FFTs often require the equivalent of an all-to-all, but on a "
		 "subset of the nodes consisting of either a plane or a line in the torus: "
		 "simulations also resulted in near-peak performance. There is no number.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "%s, all %s of it at once, %llu packets of 256 bytes a pair, from the first to "
		 "the last packet",
		 paper_bgl_shape_text(work.dims, shape, sizeof(shape)), subset->words,
		 subset->packets);
	for (i = 0; !status && i < 2; i++) {
		work.set = queues[i];
		status = paper_bgl(&work, found);
		if (status)
			break;
		figure->cpu_s += found->cpu_s;
		row = paper_value(figure, "%", found->figures.percent_of_peak,
				  "peak-%s|%s: of the peak", asymmetric_ids[i], names[i]);
		if (paper_bgl_nodes(work.dims) >= 512)
			paper_bound(row, PAPER_GOAL, PAPER_AT_LEAST, NEAR_PEAK);
	}
	free(found);
	return status;
}

static const struct subset lines = { TORUS_PATTERN_ALLTOALL_LINE, "lines along x", 40 };
static const struct subset planes = { TORUS_PATTERN_ALLTOALL_PLANE, "planes of x and y", 4 };

const struct paper_source paper_bgl_exchange[] = {
	{ "fig6", "link utilisation during all-to-all", run_6, NULL },
	{ "alltoall-asymmetric", "all-to-all on an asymmetric torus", run_asymmetric, NULL },
	{ "alltoall-line", "all-to-all within lines", run_subset, &lines },
	{ "alltoall-plane", "all-to-all within planes", run_subset, &planes },
	{ }
};
