// SPDX-License-Identifier: GPL-2.0
/*
 * Figures 7 to 9 of Adiga et al. (2005): escape VC architectures under hot-region traffic. Compare
 * an escape VC with the bubble rule and a pair of escape VCs with datelines, in dimension order and
 * in direction order. Show waves of throughput and their cause.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bgl_hot.h"
#include "figure.h"

/* the paper: "Two dynamic 2-KB VCs, two paths, 2-KB escape buffers. Early assumptions." */
#define EARLY		"injection=infinite jsq=off slq_fraction=0 vc_bytes=2048 unblocking=on "
#define BUBBLE		EARLY "escape=bubble "
#define DATELINE	EARLY "escape=dateline "
#define DIMENSION	"escape_order=dimension"
#define DIRECTION	"escape_order=direction"

#define CYCLES		800000
#define CYCLES_WAVES	1200000
#define CYCLES_LONG	2400000
#define CYCLES_FULL	4000000
#define DECLINE_TICKS	200000
#define KILO		1000.0

/* minimum ratio of a curve's variation to that of the bubble, from which we speak of waves */
#define WAVES		2.0
#define CORRELATED	0.7
#define CONSTANT	0.1
/* minimum fraction of the traffic on escape VCs: our value for the paper's "appreciable" */
#define APPRECIABLE	0.1
#define SEEDS		3
#define NOTE_WAVES	"A steep decline: below half of the top; a rise: from there to three " \
			"quarters of it. This network has two states under such a load: one that " \
			"keeps links busy two thirds of the time, and one a tenth to a fifth. " \
			"Whether it comes back from the second hangs on how many injection FIFOs " \
			"a synthetic source fills (source_fifos), which the papers do not say; " \
			"every figure is judged with all six, in turn."

/**
 * struct escape - an escape VC architecture
 * @id: part of the ids of its rows
 * @name: name in labels
 * @set: parameters of the fabric
 */
struct escape {
	const char *id;
	const char *name;
	const char *set;
};

static const struct escape escapes[] = {
	{ "bubble-dim", "bubble, dimension", BUBBLE DIMENSION },
	{ "bubble-dir", "bubble, direction", BUBBLE DIRECTION },
	{ "dateline-dim", "datelines, dimension", DATELINE DIMENSION },
	{ "dateline-dir", "datelines, direction", DATELINE DIRECTION },
};

#define ESCAPES		((u32)(sizeof(escapes) / sizeof(escapes[0])))
#define BUBBLE_PLACE	0
#define DATELINE_PLACE	2

static void describe(struct paper_figure *figure, const struct paper_request *request, u64 cycles,
		     const char *says)
{
	char text[PAPER_TEXT_MAX];

	snprintf(figure->says, PAPER_TEXT_MAX, "%s", says);
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "%s; %llu ticks, throughput of every %u; two dynamic VCs of 2 KB, two paths, "
		 "escape buffers of 2 KB, datelines at the maximum coordinates, random arbitration "
		 "(jsq=off slq_fraction=0), infinite injection FIFOs",
		 paper_hot_text(request, text, sizeof(text)), cycles, PAPER_HOT_PART);
	figure->xlabel = "K ticks";
	figure->ylabel = "throughput: part of the time in which the links are busy";
}

/* Return the coefficient of variation of a value after the throughput's decline. */
static double variation(const struct paper_bgl_run *found,
			double (*value)(const struct paper_part *))
{
	return paper_bgl_spread(found, DECLINE_TICKS, value) /
	       paper_bgl_mean(found, DECLINE_TICKS, value);
}

/*
 * Return the correlation of the throughput and one measure of unblocking, after the throughput's
 * decline.
 */
static double correlation(const struct paper_bgl_run *found,
			  double (*value)(const struct paper_part *))
{
	double use = paper_bgl_mean(found, DECLINE_TICKS, paper_part_use);
	double free = paper_bgl_mean(found, DECLINE_TICKS, value);
	double both = 0, uses = 0, frees = 0;
	u32 i;

	for (i = 1; i < found->parts; i++) {
		const struct paper_part *part = &found->part[i];

		if (part[-1].end < DECLINE_TICKS)
			continue;
		both += (part->use - use) * (value(part) - free);
		uses += pow(part->use - use, 2);
		frees += pow(value(part) - free, 2);
	}
	return both / sqrt(uses * frees);
}

/* Return the fraction of the traffic that uses escape VCs, after the throughput's decline. */
static double escape_share(const struct paper_bgl_run *found)
{
	double all = 0, dynamic = 0;
	u32 i, vc;

	for (i = 1; i < found->parts; i++)
		for (vc = 0; found->part[i - 1].end >= DECLINE_TICKS && vc < found->vcs; vc++) {
			all += found->part[i].vc[vc];
			dynamic += found->vc_names[vc][0] == 'D' ? found->part[i].vc[vc] : 0;
		}
	return 1 - dynamic / all;
}

/**
 * struct waves - number of waves of throughput
 * @falls: declines below half of the maximum
 * @rises: rises after such a decline, to three quarters of the maximum
 */
struct waves {
	u32 falls;
	u32 rises;
};

static struct waves count_waves(const struct paper_bgl_run *found)
{
	struct waves waves = { 0 };
	bool low = false;
	double top = 0;
	u32 i;

	for (i = 0; i < found->parts; i++)
		top = fmax(top, found->part[i].use);
	/*
	 * begin at the maximum: the parts before the maximum contain the first rise, when packets
	 * enter the empty network
	 */
	for (i = 0; i < found->parts && found->part[i].use < top; i++)
		;
	for (; i < found->parts; i++) {
		double use = found->part[i].use;

		if (!low && use < top / 2)
			waves.falls++;
		if (low && use > top * 3 / 4)
			waves.rises++;
		low = low ? use <= top * 3 / 4 : use < top / 2;
	}
	return waves;
}

/*
 * Add rows for "A steep decline, followed by a rise and then another steep decline", as means
 * of several seeds.
 */
static void rows_wild(struct paper_figure *figure, const char *name, const struct waves *waves,
		      bool papers)
{
	struct waves sum = { 0 };
	struct paper_row *row;
	u32 i;

	for (i = 0; i < SEEDS; i++) {
		sum.falls += waves[i].falls;
		sum.rises += waves[i].rises;
	}
	row = paper_value(figure, "", sum.falls / (double)SEEDS,
			  "falls|%s: steep declines, of %u seeds", name, SEEDS);
	if (papers)
		paper_bound(row, PAPER_PRINTED, PAPER_AT_LEAST, 2);
	row = paper_value(figure, "", sum.rises / (double)SEEDS, "rises|%s: rises, of %u seeds",
			  name, SEEDS);
	if (papers)
		paper_bound(row, PAPER_PRINTED, PAPER_AT_LEAST, 1);
}

static void row_waves(struct paper_figure *figure, double bubble, double dateline, bool papers)
{
	struct paper_row *row = paper_value(figure, "times", dateline / bubble,
					    "waves|variation, datelines over bubble, dimension "
					    "order");

	if (papers)
		paper_bound(row, PAPER_GOAL, PAPER_AT_LEAST, WAVES);
	else
		paper_compare(row, PAPER_GOAL, WAVES);
}

/* ----------------------------------------------------------------- figure 7 */

static int run_7(const struct paper_source *source, const struct paper_request *request,
		 struct paper_figure *figure)
{
	struct paper_bgl_run *found = malloc(sizeof(*found));
	int status = found ? SIM_OK : sim_error("out of memory");
	double varies[ESCAPES], mean[ESCAPES];
	struct waves waves[SEEDS];
	struct paper_row *row;
	u32 i, seed;

	describe(figure, request, CYCLES,
		 "4K nodes, a quarter of the packets to an eighth of the machine, which starts at "
		 "0,0,0: throughput against time for the bubble and for a pair of VCs with "
		 "datelines as escape, each in dimension order and in direction order (x+ y+ z+ x- "
		 "y- z-). Points are not in the text. It says: the dimension-ordered dateline pair "
		 "shows particularly poor and wild behavior, with a steep decline in throughput, "
		 "followed by a rise and then another steep decline.");
	for (i = 0; !status && i < ESCAPES; i++) {
		status = paper_hot(request, CYCLES, escapes[i].set, 0, figure, found);
		if (status)
			break;
		paper_hot_curve(figure, escapes[i].name, found, paper_part_use);
		varies[i] = variation(found, paper_part_use);
		row = paper_row(figure, "%s: mean after the decline", escapes[i].name);
		mean[i] = paper_bgl_mean(found, DECLINE_TICKS, paper_part_use);
		row->ours = mean[i];
		if (i == DATELINE_PLACE)
			waves[0] = count_waves(found);
		paper_value(figure, "", varies[i], "%s: variation", escapes[i].name);
		row = paper_row(figure, "%s: traffic on the escape", escapes[i].name);
		row->ours = escape_share(found);
	}
	for (seed = 1; !status && seed < SEEDS; seed++) {
		status = paper_hot(request, CYCLES, escapes[DATELINE_PLACE].set, seed, figure,
				   found);
		waves[seed] = count_waves(found);
	}
	free(found);
	if (status)
		return status;
	rows_wild(figure, escapes[DATELINE_PLACE].name, waves, paper_hot_is_papers(request));
	row_waves(figure, varies[BUBBLE_PLACE], varies[DATELINE_PLACE],
		  paper_hot_is_papers(request));
	for (i = 0; i < ESCAPES; i++) {
		if (i == DATELINE_PLACE)
			continue;
		row = paper_value(figure, "", mean[DATELINE_PLACE], "mean-%s|%s: mean; other: %s",
				  escapes[i].id, escapes[DATELINE_PLACE].name, escapes[i].name);
		if (paper_hot_is_papers(request))
			paper_bound(row, PAPER_OURS, PAPER_AT_MOST, mean[i]);
	}
	paper_note(figure, NOTE_WAVES);
	paper_note(figure, "Variation: standard deviation over mean of the throughputs after %u "
			   "ticks.",
		   DECLINE_TICKS);
	return SIM_OK;
}

/* ----------------------------------------------------------------- figure 8 */

static void curve_vc(struct paper_figure *figure, const struct paper_bgl_run *found, u32 vc)
{
	struct paper_series *series = paper_series(figure, found->vc_names[vc]);
	u32 i;

	for (i = 0; i < found->parts; i++)
		paper_point(series, found->part[i].end / KILO, found->part[i].vc[vc]);
}

static bool used(const struct paper_bgl_run *found, u32 vc)
{
	u32 i;

	for (i = 0; i < found->parts; i++)
		if (found->part[i].vc[vc] > 0)
			return true;
	return false;
}

/*
 * Numbers of FIFOs that a source fills. The papers do not state the number, but the result depends
 * on it. These rows have no verdict.
 */
static const struct escape sources[] = {
	{ "2-turn", "2 FIFOs in turn", DATELINE DIMENSION " source_fifos=2" },
	{ "1", "1 FIFO", DATELINE DIMENSION " source_fifos=1" },
	{ "6-direction", "6 FIFOs by direction", DATELINE DIMENSION " source_order=direction" },
	{ "1-bubble", "1 FIFO, bubble", BUBBLE DIMENSION " source_fifos=1" },
};

#define SOURCES		(sizeof(sources) / sizeof(sources[0]))

static int add_sources(struct paper_figure *figure, const struct paper_request *request,
		       u64 cycles, struct paper_bgl_run *found)
{
	u32 i;

	for (i = 0; i < SOURCES; i++) {
		int status = paper_hot(request, cycles, sources[i].set, 0, figure, found);
		struct waves waves;
		struct paper_row *row;

		if (status)
			return status;
		waves = count_waves(found);
		paper_value(figure, "", waves.falls, "falls-%s|%s: steep declines",
			    sources[i].id, sources[i].name);
		paper_value(figure, "", waves.rises, "rises-%s|%s: rises", sources[i].id,
			    sources[i].name);
		row = paper_row(figure, "%s: mean throughput", sources[i].name);
		row->ours = paper_bgl_mean(found, DECLINE_TICKS, paper_part_use);
	}
	return SIM_OK;
}

static void judge_8(struct paper_figure *figure, const struct paper_bgl_run *found, bool papers)
{
	struct paper_row *row;
	u32 vc;

	paper_hot_curve(figure, "all", found, paper_part_use);
	for (vc = 0; vc < found->vcs; vc++)
		if (used(found, vc))
			curve_vc(figure, found, vc);
	paper_value(figure, "", variation(found, paper_part_use), "variation of throughput");
	row = paper_row(figure, "mean throughput after the decline");
	row->ours = paper_bgl_mean(found, DECLINE_TICKS, paper_part_use);
	row = paper_value(figure, "", escape_share(found), "escape|traffic on the escape VCs");
	if (papers)
		paper_bound(row, PAPER_PRINTED, PAPER_AT_LEAST, APPRECIABLE);
}

static int run_8(const struct paper_source *source, const struct paper_request *request,
		 struct paper_figure *figure)
{
	u64 cycles = request->full ? CYCLES_FULL : CYCLES_LONG;
	struct paper_bgl_run *found = malloc(sizeof(*found));
	int status = found ? SIM_OK : sim_error("out of memory");
	struct waves waves[SEEDS];
	u32 seed;

	describe(figure, request, cycles,
		 "4K nodes, hot region, dimension-ordered dateline pair: throughput on each VC for "
		 "a longer period. Points are not in the text. It says: the decreasing and "
		 "increasing bandwidth waves persist, even over this much longer time scale; an "
		 "appreciable fraction of the traffic flows on the escape VCs.");
	for (seed = 0; !status && seed < SEEDS; seed++) {
		status = paper_hot(request, cycles, escapes[DATELINE_PLACE].set, seed, figure,
				   found);
		if (status)
			break;
		waves[seed] = count_waves(found);
		if (!seed)
			judge_8(figure, found, paper_hot_is_papers(request));
	}
	if (!status) {
		rows_wild(figure, escapes[DATELINE_PLACE].name, waves,
			  paper_hot_is_papers(request));
		status = add_sources(figure, request, cycles, found);
		paper_note(figure, NOTE_WAVES);
		paper_note(figure, "Variation: standard deviation over mean after %u ticks. The "
				   "dateline pair is E0 before a packet has crossed its "
				   "dimension's dateline, E1 from there.",
			   DECLINE_TICKS);
	}
	free(found);
	return status;
}

/* ----------------------------------------------------------------- figure 9 */

/*
 * Three measures of "the fraction of time in which a token-ack is returned that frees at least
 * one previously blocked packet". The first follows the text and gets verdicts.
 */
static const struct counting {
	const char *id;
	const char *name;
	double (*value)(const struct paper_part *part);
} countings[] = {
	{ "tokens", "of all tokens", paper_part_returned },
	{ "waiting", "where somebody waits", paper_part_unblocking },
	{ "tick", "a tick", paper_part_freed },
};

#define COUNTINGS	(sizeof(countings) / sizeof(countings[0]))

/**
 * struct seeds - values of one quantity, one per seed
 */
struct seeds {
	double value[SEEDS];
};

static double seeds_mean(const struct seeds *seeds)
{
	double sum = 0;
	u32 i;

	for (i = 0; i < SEEDS; i++)
		sum += seeds->value[i];
	return sum / SEEDS;
}

static struct paper_row *row_seeds(struct paper_figure *figure, const char *what,
				   const char *counting, const struct seeds *seeds)
{
	struct paper_row *row = paper_row(figure, counting ? "%s, %s" : "%s", what, counting);

	row->ours = seeds_mean(seeds);
	return row;
}

/**
 * struct counted - results of one measure of unblocking
 * @correlation: correlation of the measure with throughput, for datelines
 * @bubble: variation of the measure with the bubble rule
 * @dateline: variation of the measure with datelines
 * @bubble_mean: mean of the measure with the bubble rule
 * @dateline_mean: mean of the measure with datelines
 */
struct counted {
	struct seeds correlation;
	struct seeds bubble;
	struct seeds dateline;
	struct seeds bubble_mean;
	struct seeds dateline_mean;
};

static void count(struct counted *counted, const struct counting *counting, u32 seed,
		  const struct paper_bgl_run *bubble, const struct paper_bgl_run *dateline)
{
	counted->correlation.value[seed] = correlation(dateline, counting->value);
	counted->bubble.value[seed] = variation(bubble, counting->value);
	counted->dateline.value[seed] = variation(dateline, counting->value);
	counted->bubble_mean.value[seed] = paper_bgl_mean(bubble, DECLINE_TICKS, counting->value);
	counted->dateline_mean.value[seed] = paper_bgl_mean(dateline, DECLINE_TICKS,
							    counting->value);
}

static void judge_counting(struct paper_figure *figure, const struct counting *counting,
			   const struct counted *counted, bool judged)
{
	const char *name = counting->name;
	struct paper_row *row = row_seeds(figure, "datelines: correlation", name,
					  &counted->correlation);
	u32 i;

	paper_id(row, "correlation-%s", counting->id);
	if (judged)
		paper_bound(row, PAPER_GOAL, PAPER_AT_LEAST, CORRELATED);
	for (i = 0; i < SEEDS; i++) {
		row = paper_row(figure, "datelines: correlation, %s, seed %u", name, i + 1);
		paper_id(row, "correlation-%s-seed-%u", counting->id, i + 1);
		row->ours = counted->correlation.value[i];
	}
	row = row_seeds(figure, "bubble: variation", name, &counted->bubble);
	paper_id(row, "variation-%s", counting->id);
	if (judged)
		paper_bound(row, PAPER_GOAL, PAPER_AT_MOST, CONSTANT);
	row_seeds(figure, "datelines: variation", name, &counted->dateline);
	row_seeds(figure, "bubble: unblocking", name, &counted->bubble_mean);
	row_seeds(figure, "datelines: unblocking", name, &counted->dateline_mean);
}

/**
 * struct unblocked - results of figure 9
 * @counted: results by measure of unblocking
 * @bubble: variation of throughput with the bubble rule
 * @dateline: variation of throughput with datelines
 */
struct unblocked {
	struct counted counted[COUNTINGS];
	struct seeds bubble;
	struct seeds dateline;
};

static void judge_9(struct paper_figure *figure, const struct unblocked *found, bool papers)
{
	u32 i;

	row_seeds(figure, "bubble: variation of throughput", NULL, &found->bubble);
	row_seeds(figure, "datelines: variation of throughput", NULL, &found->dateline);
	row_waves(figure, seeds_mean(&found->bubble), seeds_mean(&found->dateline), papers);
	for (i = 0; i < COUNTINGS; i++)
		judge_counting(figure, &countings[i], &found->counted[i], papers && !i);
	paper_note(figure, "Numbers without a seed are means of %u.", SEEDS);
}

static void add_needed(struct paper_figure *figure, const struct paper_bgl_run *bubble,
		       const struct paper_bgl_run *dateline)
{
	struct paper_row *row = paper_row(figure, "bubble: tokens that find somebody blocked");

	row->ours = paper_bgl_mean(bubble, DECLINE_TICKS, paper_part_needed);
	row = paper_row(figure, "datelines: tokens that find somebody blocked");
	row->ours = paper_bgl_mean(dateline, DECLINE_TICKS, paper_part_needed);
	paper_hot_curve(figure, "bubble", bubble, paper_part_use);
	paper_hot_curve(figure, "datelines", dateline, paper_part_use);
	paper_hot_curve(figure, "bubble, unblocking", bubble, paper_part_returned);
	paper_hot_curve(figure, "datelines, unblocking", dateline, paper_part_returned);
}

/* Run both escape architectures, the bubble rule and the datelines, with one seed. */
static int run_seed(const struct paper_request *request, u64 cycles, u32 seed,
		    struct paper_figure *figure, struct paper_bgl_run *found,
		    struct unblocked *unblocked)
{
	int status = paper_hot(request, cycles, escapes[BUBBLE_PLACE].set, seed, figure,
			       &found[0]);
	u32 i;

	if (!status)
		status = paper_hot(request, cycles, escapes[DATELINE_PLACE].set, seed, figure,
				   &found[1]);
	if (status)
		return status;
	unblocked->bubble.value[seed] = variation(&found[0], paper_part_use);
	unblocked->dateline.value[seed] = variation(&found[1], paper_part_use);
	for (i = 0; i < COUNTINGS; i++)
		count(&unblocked->counted[i], &countings[i], seed, &found[0], &found[1]);
	if (!seed)
		add_needed(figure, &found[0], &found[1]);
	return SIM_OK;
}

static int run_9(const struct paper_source *source, const struct paper_request *request,
		 struct paper_figure *figure)
{
	u64 cycles = request->full ? CYCLES_LONG : CYCLES_WAVES;
	struct paper_bgl_run *found = malloc(2 * sizeof(*found));
	int status = found ? SIM_OK : sim_error("out of memory");
	struct unblocked unblocked;
	u32 seed;

	describe(figure, request, cycles,
		 "4K nodes, hot region: throughput and unblocking probability (of the token-acks "
		 "returned, those that free at least one previously blocked packet to move) "
		 "against time. Points are not in the text. It says: it is relatively constant for "
		 "the bubble after the initial decline, but varies directly with the throughput "
		 "for the dateline pair.");
	figure->ylabel = "throughput; unblocking probability";
	for (seed = 0; !status && seed < SEEDS; seed++)
		status = run_seed(request, cycles, seed, figure, found, &unblocked);
	if (!status) {
		judge_9(figure, &unblocked, paper_hot_is_papers(request));
		paper_note(figure, "Unblocking probability: of the tokens returned, those that "
				   "give room to at least one packet that was blocked (none of the "
				   "VCs that it wants has room for a full packet). Beside it the "
				   "same of the tokens that find somebody blocked, and of the "
				   "time, a tick and link. Variation and correlation are of what "
				   "comes after %u ticks.",
			   DECLINE_TICKS);
	}
	free(found);
	return status;
}

const struct paper_source paper_bgl_escape[] = {
	{ "fig7", "throughput under a hot region, by escape VC architecture", run_7, NULL },
	{ "fig8", "throughput on each VC, dimension-ordered dateline pair", run_8, NULL },
	{ "fig9", "throughput and unblocking probability, bubble and dateline pair", run_9, NULL },
	{ }
};
