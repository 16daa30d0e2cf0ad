/* SPDX-License-Identifier: GPL-2.0 */
/* Figures and tables of the papers: parameters, results, and the list of all figures. */
#ifndef TORUS_PAPER_H
#define TORUS_PAPER_H

#include "../sim/run/measure.h"
#include "../sim/base/command.h"
#include "../sim/base/message.h"

/*
 * A family of figures is a file with an array of struct paper_source. A figure writes its
 * results into a struct paper_figure, which print.c prints and draws.
 */

#define PAPER_TEXT_MAX		1200
#define PAPER_LABEL_MAX		80
#define PAPER_ID_MAX		48
#define PAPER_ROWS_MAX		64
#define PAPER_NOTES_MAX		24
#define PAPER_SERIES_MAX	6
#define PAPER_POINTS_MAX	512

/**
 * struct paper_request - parameters of a figure
 * @full: simulate the paper's own size
 * @nodes: maximum number of nodes; 0: as many as a run of a minute allows
 * @threads: number of threads
 * @seed: seed of the run, or of the first of several
 */
struct paper_request {
	bool full;
	u32 nodes;
	u32 threads;
	u64 seed;
};

/* Source of the number with which our number is compared. */
enum paper_origin {
	PAPER_NOWHERE,		/* there is no other number */
	PAPER_PRINTED,		/* the other number is printed in the paper */
	PAPER_DERIVED,		/* the other number is computed from numbers printed in the paper */
	PAPER_FORMULA,		/* a closed form */
	PAPER_OURS,		/* the other number is a number of ours */
	PAPER_GOAL,		/* the other number is a bound that we chose */
	/*
	 * the number is printed in the paper and set in our configuration, so ours is not a result
	 */
	PAPER_SETTING,
	/*
	 * our parameters were fitted to the number that the paper prints, so ours is not a result
	 */
	PAPER_FITTED,
};

/* Condition that our number must meet. */
enum paper_demand {
	PAPER_RELATIVE,		/* the difference is at most a fraction of the other number */
	/* the difference is at most the tolerance, which has the row's unit */
	PAPER_ABSOLUTE,
	PAPER_AT_LEAST,		/* our number is at least the other number */
	PAPER_AT_MOST,		/* our number is at most the other number */
};

/**
 * struct paper_row - our number, compared with another one
 * @id: unique word within the figure; empty if nothing refers to the row
 * @label: description of the number
 * @unit: unit of both numbers
 * @origin: enum paper_origin
 * @other: the other number
 * @ours: our number
 * @demand: condition that our number must meet
 * @tolerance: allowed difference for PAPER_RELATIVE and PAPER_ABSOLUTE; 0: no verdict
 * @misprint: true if the other number is known to be wrong
 * @claim: true if the other number is a measurement of the paper. The verdict is then whether our
 *    number reproduces the measurement
 * @incomparable: reason why we have no number to compare; NULL if we have a number
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
 * struct paper_verdicts - number of rows by verdict
 * @judged: number of rows with a verdict
 * @agree: rows within the tolerance, or reproduced
 * @differ: rows outside the tolerance, or not reproduced
 * @incomparable: claims without a number of ours
 */
struct paper_verdicts {
	u32 judged;
	u32 agree;
	u32 differ;
	u32 incomparable;
};

/**
 * struct paper_series - a curve
 * @name: name in the legend
 * @points: number of points
 * @x: horizontal coordinates
 * @y: vertical coordinates
 * @saturated: by point: the run was saturated
 */
struct paper_series {
	char name[PAPER_LABEL_MAX];
	u32 points;
	double x[PAPER_POINTS_MAX];
	double y[PAPER_POINTS_MAX];
	bool saturated[PAPER_POINTS_MAX];
};

/**
 * struct paper_figure - results of a figure or table
 * @says: statements of the paper
 * @configuration: description of our configuration
 * @rows: our numbers, with the numbers with which they are compared
 * @notes: remarks
 * @series: curves
 * @xlabel: label of the horizontal axis
 * @ylabel: label of the vertical axis
 * @log_y: true if the vertical axis is logarithmic
 * @cpu_s: CPU time in seconds
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
 * @name: name of the figure: liu2012-fig5, ..
 * @title: content of the figure
 * @run: computes our numbers; returns SIM_OK, or the exit status after an error message
 * @argument: parameters of the figure, for @run
 */
struct paper_source {
	const char *name;
	const char *title;
	int (*run)(const struct paper_source *source, const struct paper_request *request,
		   struct paper_figure *figure);
	const void *argument;
};

extern const struct sim_command sim_paper_command;

/*
 * Families of figures that are defined in kncube_*.c. Each array ends with an entry without a name.
 */
extern const struct paper_source paper_kncube_curves[];
extern const struct paper_source paper_kncube_tables[];
extern const struct paper_source paper_kncube_distance[];
extern const struct paper_source paper_kncube_rates[];
/* Families of figures that are defined in bgl_*.c and link_errors.c. */
extern const struct paper_source paper_bgl_response[];
extern const struct paper_source paper_bgl_hot[];
extern const struct paper_source paper_bgl_escape[];
extern const struct paper_source paper_bgl_exchange[];
extern const struct paper_source paper_bgl_hardware[];
extern const struct paper_source paper_bgl_pingpong[];
extern const struct paper_source paper_bgl_verification[];
extern const struct paper_source paper_bgl_speed[];
extern const struct paper_source paper_link_errors[];
/* Defined in xt_*.c. */
extern const struct paper_source paper_xt_balance[];
extern const struct paper_source paper_xt_gain[];
extern const struct paper_source paper_xt_placement[];
/* Defined in tofu_*.c. */
extern const struct paper_source paper_tofu_views[];
extern const struct paper_source paper_tofu_engines[];
extern const struct paper_source paper_tofu_io[];
extern const struct paper_source paper_tofu_barrier[];
extern const struct paper_source paper_tofu_utilization[];

#endif /* TORUS_PAPER_H */
