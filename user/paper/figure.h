/* SPDX-License-Identifier: GPL-2.0 */
/* Build a figure of a paper: its rows, curves and verdicts. */
#ifndef TORUS_PAPER_FIGURE_H
#define TORUS_PAPER_FIGURE_H

#include <math.h>

#include "paper.h"

struct paper_row *paper_value(struct paper_figure *figure, const char *unit, double ours,
			      const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Add a row without a number of ours. The caller may set the number and the unit later. */
#define paper_row(figure, ...)	paper_value(figure, "", NAN, __VA_ARGS__)
struct paper_row *paper_id(struct paper_row *row, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void paper_note(struct paper_figure *figure, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void paper_compare(struct paper_row *row, enum paper_origin origin, double other);
void paper_near(struct paper_row *row, enum paper_origin origin, double other, double tolerance);
void paper_claim(struct paper_row *row, double other, double tolerance);
void paper_relative(struct paper_row *row, enum paper_origin origin, double other,
		    double tolerance);
void paper_incomparable(struct paper_figure *figure, const char *id, const char *label,
			const char *why);
void paper_bound(struct paper_row *row, enum paper_origin origin, enum paper_demand demand,
		 double other);

struct paper_series *paper_series(struct paper_figure *figure, const char *name);
void paper_point(struct paper_series *series, double x, double y);
void paper_point_saturated(struct paper_series *series);
double paper_difference(const struct paper_row *row);
bool paper_judged(const struct paper_row *row);
void paper_count(const struct paper_figure *figure, struct paper_verdicts *verdicts);
const char *paper_verdict(const struct paper_row *row);
const char *paper_demand(const struct paper_row *row);
double paper_tolerance(const struct paper_row *row, const char **unit);
const char *paper_origin(const struct paper_row *row);

#endif
