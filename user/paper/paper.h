/* SPDX-License-Identifier: GPL-2.0 */
/* Figures and tables of the papers: what is asked of them, what they find, and the list of all. */
#ifndef TORUS_PAPER_H
#define TORUS_PAPER_H

#include "../sim/run/measure.h"
#include "../sim/base/command.h"
#include "../sim/base/message.h"

/*
 * Figures and tables of the papers beside our numbers.  A family of figures is a
 * file with a table of struct paper_source; what it finds it writes into a
 * struct paper_figure, which others print and draw.
 */

#define PAPER_TEXT_MAX		1200
#define PAPER_LABEL_MAX		80
#define PAPER_ID_MAX		48
#define PAPER_ROWS_MAX		64
#define PAPER_NOTES_MAX		24
#define PAPER_SERIES_MAX	6
#define PAPER_POINTS_MAX	512

/**
 * struct paper_request - what was asked for
 * @full: the paper's own size
 * @nodes: at most as many; 0: what fits into a minute
 * @threads: that simulate
 * @seed: of the runs, the first of several
 */
struct paper_request {
	bool full;
	u32 nodes;
	u32 threads;
	u64 seed;
};

/* Where the number beside ours comes from. */
enum paper_origin {
	PAPER_NOWHERE,		/* there is none */
	PAPER_PRINTED,		/* in the paper */
	PAPER_DERIVED,		/* from numbers printed in the paper */
	PAPER_FORMULA,		/* a closed form */
	PAPER_OURS,		/* another number of ours */
	PAPER_GOAL,		/* what was to be shown */
	PAPER_SETTING,		/* in the paper, and what we set: no result */
	PAPER_FITTED,		/* in the paper, and what ours was fitted to: no result */
};

/* How near ours must come to the other one. */
enum paper_demand {
	PAPER_RELATIVE,		/* the tolerance is a part of the other one */
	PAPER_ABSOLUTE,		/* the tolerance is in the row's unit */
	PAPER_AT_LEAST,		/* ours is not below the other one */
	PAPER_AT_MOST,		/* ours is not above it */
};

/**
 * struct paper_row - a number of ours beside another one
 * @id: word that is unique within the figure, empty if nothing refers to the row
 * @label: what it is
 * @unit: of both
 * @origin: enum paper_origin
 * @other: the other one
 * @ours: ours
 * @demand: how near ours must come
 * @tolerance: difference that is allowed, 0: no verdict (relative, absolute)
 * @misprint: the other one is known to be wrong
 * @claim: a measurement of the paper's, which ours reproduces or not
 * @incomparable: why nothing of ours can stand beside the paper's, NULL: it can
 */
struct paper_row {
	char id[PAPER_ID_MAX];
	char label[PAPER_LABEL_MAX];
	const char *unit;
	enum paper_origin origin;
	double other;
	double ours;
	enum paper_demand demand;
	double tolerance;
	bool misprint;
	bool claim;
	const char *incomparable;
};

/**
 * struct paper_verdicts - rows by what became of them
 * @judged: rows with a verdict
 * @agree: within, reproduced
 * @differ: outside, not reproduced
 * @incomparable: claims that nothing can be put beside
 */
struct paper_verdicts {
	u32 judged;
	u32 agree;
	u32 differ;
	u32 incomparable;
};

/**
 * struct paper_series - a curve
 * @name: of it
 * @points: number of points
 * @x: their coordinates along
 * @y: and up
 * @saturated: the run behind the point was offered more than it carried
 */
struct paper_series {
	char name[PAPER_LABEL_MAX];
	u32 points;
	double x[PAPER_POINTS_MAX];
	double y[PAPER_POINTS_MAX];
	bool saturated[PAPER_POINTS_MAX];
};

/**
 * struct paper_figure - what a figure or table amounts to
 * @says: what the paper says of it, in words
 * @configuration: what we ran
 * @rows: numbers
 * @nrows: number of rows
 * @notes: what else is to be said
 * @nnotes: number of notes
 * @series: curves
 * @nseries: number of curves
 * @xlabel: of the curves
 * @ylabel: of the curves
 * @log_y: logarithmic
 * @cpu_s: seconds of processors that it took
 */
struct paper_figure {
	char says[PAPER_TEXT_MAX];
	char configuration[PAPER_TEXT_MAX];
	struct paper_row rows[PAPER_ROWS_MAX];
	u32 nrows;
	char notes[PAPER_NOTES_MAX][PAPER_TEXT_MAX];
	u32 nnotes;
	struct paper_series series[PAPER_SERIES_MAX];
	u32 nseries;
	const char *xlabel;
	const char *ylabel;
	bool log_y;
	double cpu_s;
};

/**
 * struct paper_source - a figure or table of a paper
 * @name: liu2012-fig5, ..
 * @title: what it shows
 * @run: find our numbers; SIM_OK, or how the call is to end after telling why
 * @argument: for @run
 */
struct paper_source {
	const char *name;
	const char *title;
	int (*run)(const struct paper_source *source, const struct paper_request *request,
		   struct paper_figure *figure);
	const void *argument;
};

extern const struct sim_command sim_paper_command;

/* kncube_*.c: each ends with a row without a name. */
extern const struct paper_source paper_kncube_curves[];
extern const struct paper_source paper_kncube_tables[];
extern const struct paper_source paper_kncube_distance[];
extern const struct paper_source paper_kncube_rates[];
/* bgl_*.c */
extern const struct paper_source paper_bgl_response[];
extern const struct paper_source paper_bgl_hot[];
extern const struct paper_source paper_bgl_escape[];
extern const struct paper_source paper_bgl_exchange[];
extern const struct paper_source paper_bgl_hardware[];
extern const struct paper_source paper_bgl_pingpong[];
extern const struct paper_source paper_bgl_verification[];
extern const struct paper_source paper_bgl_speed[];
extern const struct paper_source paper_link_errors[];
/* xt_*.c */
extern const struct paper_source paper_xt_balance[];
extern const struct paper_source paper_xt_gain[];
extern const struct paper_source paper_xt_placement[];
/* tofu_*.c */
extern const struct paper_source paper_tofu_views[];
extern const struct paper_source paper_tofu_engines[];
extern const struct paper_source paper_tofu_io[];
extern const struct paper_source paper_tofu_barrier[];
extern const struct paper_source paper_tofu_utilization[];

#endif /* TORUS_PAPER_H */
