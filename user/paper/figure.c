// SPDX-License-Identifier: GPL-2.0
/* Build a figure: its rows, series and verdicts. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "figure.h"
#include "paper.h"

/**
 * paper_value - add a row with a number of ours
 * @figure: the figure
 * @unit: unit of the number
 * @ours: the number
 * @format: label of the row, or "ID|LABEL"; see paper_id() for ids
 *
 * Return: the row.  If the figure has PAPER_ROWS_MAX rows, the last row is replaced.
 */
struct paper_row *paper_value(struct paper_figure *figure, const char *unit, double ours,
			      const char *format, ...)
{
	char text[PAPER_ID_MAX + PAPER_LABEL_MAX], *label;
	struct paper_row *row;
	va_list args;

	if (figure->nrows < PAPER_ROWS_MAX)
		figure->nrows++;
	row = &figure->rows[figure->nrows - 1];
	*row = (struct paper_row){ .unit = unit, .other = NAN, .ours = ours };
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	label = strchr(text, '|');
	if (label) {
		*label++ = '\0';
		snprintf(row->id, sizeof(row->id), "%.*s", PAPER_ID_MAX - 1, text);
	}
	snprintf(row->label, sizeof(row->label), "%.*s", PAPER_LABEL_MAX - 1,
		 label ? label : text);
	return row;
}

/**
 * paper_id - give a row an id
 * @row: the row
 * @format: its id: lower-case letters, digits, dots and dashes
 *
 * CLAIMS.md and scripts/papers.list refer to the row by its id.  Every row with a verdict needs
 * one.  Rows made in a loop compose it from a stem and the case, as data-2048.
 *
 * Return: @row.
 */
struct paper_row *paper_id(struct paper_row *row, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(row->id, sizeof(row->id), format, args);
	va_end(args);
	return row;
}

/**
 * paper_compare - add a number to compare ours with, without a verdict
 * @row: the row
 * @origin: origin of the number
 * @other: the number
 */
void paper_compare(struct paper_row *row, enum paper_origin origin, double other)
{
	row->origin = origin;
	row->other = other;
}

/**
 * paper_near - a number that ours must come near to
 * @row: the row
 * @origin: where it comes from
 * @other: the number
 * @tolerance: how near, in its unit
 */
void paper_near(struct paper_row *row, enum paper_origin origin, double other, double tolerance)
{
	paper_compare(row, origin, other);
	row->demand = PAPER_ABSOLUTE;
	row->tolerance = tolerance;
}

/**
 * paper_relative - a number that ours must come near to, by a part of it
 * @row: the row
 * @origin: where it comes from
 * @other: the number, not 0
 * @tolerance: how near, a part of it
 */
void paper_relative(struct paper_row *row, enum paper_origin origin, double other,
		    double tolerance)
{
	paper_compare(row, origin, other);
	row->demand = PAPER_RELATIVE;
	row->tolerance = tolerance;
}

/**
 * paper_incomparable - a claim of the paper's that no number of ours can be put beside
 * @figure: the figure
 * @id: id of the row
 * @label: the claim, in a few words
 * @why: the reason
 */
void paper_incomparable(struct paper_figure *figure, const char *id, const char *label,
			const char *why)
{
	paper_id(paper_row(figure, "%s", label), "%s", id)->incomparable = why;
}

/**
 * paper_claim - a measurement that the paper prints
 * @row: the row
 * @other: the number
 * @tolerance: half of the interval in which ours lies
 *
 * Not reproducing it is a result, which the page tells, and no defect.
 */
void paper_claim(struct paper_row *row, double other, double tolerance)
{
	paper_near(row, PAPER_PRINTED, other, tolerance);
	row->claim = true;
}

/**
 * paper_bound - a bound that ours must keep
 * @row: the row
 * @origin: where it comes from
 * @demand: PAPER_AT_LEAST or PAPER_AT_MOST
 * @other: the bound
 */
void paper_bound(struct paper_row *row, enum paper_origin origin, enum paper_demand demand,
		 double other)
{
	paper_compare(row, origin, other);
	row->demand = demand;
}

/**
 * paper_note - something else that is to be said
 * @figure: the figure
 * @format: what
 */
void paper_note(struct paper_figure *figure, const char *format, ...)
{
	va_list args;

	if (figure->nnotes == PAPER_NOTES_MAX)
		return;
	va_start(args, format);
	vsnprintf(figure->notes[figure->nnotes++], PAPER_TEXT_MAX, format, args);
	va_end(args);
}

/**
 * paper_series - a new curve
 * @figure: the figure
 * @name: of the curve
 *
 * Return: the curve.
 */
struct paper_series *paper_series(struct paper_figure *figure, const char *name)
{
	struct paper_series *series;

	if (figure->nseries < PAPER_SERIES_MAX)
		figure->nseries++;
	series = &figure->series[figure->nseries - 1];
	series->points = 0;
	snprintf(series->name, sizeof(series->name), "%s", name);
	return series;
}

/**
 * paper_point - a point of a curve
 * @series: the curve
 * @x: to the right
 * @y: upwards
 */
void paper_point(struct paper_series *series, double x, double y)
{
	if (series->points == PAPER_POINTS_MAX)
		return;
	series->x[series->points] = x;
	series->saturated[series->points] = false;
	series->y[series->points++] = y;
}

/**
 * paper_point_saturated - mark the last point of a curve as one of a saturated run
 * @series: the curve
 *
 * A latency or population there depends on the length of the window.
 */
void paper_point_saturated(struct paper_series *series)
{
	series->saturated[series->points - 1] = true;
}

/**
 * paper_difference - by how much ours differs
 * @row: the row
 *
 * Return: relative to the other, NAN if there is none.
 */
double paper_difference(const struct paper_row *row)
{
	if (row->origin == PAPER_NOWHERE || isnan(row->ours) || !(fabs(row->other) > 0))
		return NAN;
	return (row->ours - row->other) / fabs(row->other);
}

/* A number that is not there keeps nothing. */
static bool kept(const struct paper_row *row)
{
	switch (row->demand) {
	case PAPER_AT_LEAST:
		return row->ours >= row->other;
	case PAPER_AT_MOST:
		return row->ours <= row->other;
	case PAPER_ABSOLUTE:
		return fabs(row->ours - row->other) <= row->tolerance;
	case PAPER_RELATIVE:
		break;
	}
	return fabs(paper_difference(row)) <= row->tolerance;
}

/**
 * paper_judged - is there something that ours must keep?
 * @row: the row
 *
 * What we set by the paper's words, or fitted to its numbers, is no result as long as it holds.
 *
 * Return: true if so.
 */
bool paper_judged(const struct paper_row *row)
{
	if (row->misprint || row->incomparable || row->origin == PAPER_NOWHERE)
		return false;
	if ((row->origin == PAPER_SETTING || row->origin == PAPER_FITTED) && kept(row))
		return false;
	return row->demand == PAPER_AT_LEAST || row->demand == PAPER_AT_MOST || row->tolerance > 0;
}

/**
 * paper_verdict - is that good?
 * @row: the row
 *
 * Return: a word, empty where there is none.
 */
const char *paper_verdict(const struct paper_row *row)
{
	if (row->misprint)
		return "misprint";
	if (row->incomparable)
		return "not comparable";
	if (row->origin == PAPER_SETTING && kept(row))
		return "configuration";
	if (row->origin == PAPER_FITTED && kept(row))
		return "fitted";
	if (!paper_judged(row))
		return "";
	if (row->claim)
		return kept(row) ? "reproduced" : "not reproduced";
	return kept(row) ? "within" : "OUTSIDE";
}

/**
 * paper_count - what became of a figure's rows
 * @figure: the figure
 * @verdicts: out
 */
void paper_count(const struct paper_figure *figure, struct paper_verdicts *verdicts)
{
	u32 i;

	*verdicts = (struct paper_verdicts){ 0 };
	for (i = 0; i < figure->nrows; i++) {
		const struct paper_row *row = &figure->rows[i];

		verdicts->incomparable += !!row->incomparable;
		if (!paper_judged(row))
			continue;
		verdicts->judged++;
		if (kept(row))
			verdicts->agree++;
		else
			verdicts->differ++;
	}
}

/**
 * paper_demand - what the verdict goes by
 * @row: the row
 *
 * Return: a word.
 */
const char *paper_demand(const struct paper_row *row)
{
	static const char *const words[] = {
		[PAPER_RELATIVE] = "relative", [PAPER_ABSOLUTE] = "absolute",
		[PAPER_AT_LEAST] = "at least", [PAPER_AT_MOST] = "at most",
	};

	return words[row->demand];
}

/**
 * paper_tolerance - the tolerance of a row with its unit
 * @row: the row
 * @unit: [out] unit of the tolerance: of percent it is points, a relative tolerance is percent
 *        of the other number
 *
 * Return: the tolerance, NAN if there is none.
 */
double paper_tolerance(const struct paper_row *row, const char **unit)
{
	bool relative = row->demand == PAPER_RELATIVE;

	*unit = "";
	if (!(row->tolerance > 0))
		return NAN;
	*unit = relative ? "% of other" : strcmp(row->unit, "%") ? row->unit : "points";
	return relative ? 100 * row->tolerance : row->tolerance;
}

/**
 * paper_origin - where the other number comes from
 * @row: the row
 *
 * Return: a word.
 */
const char *paper_origin(const struct paper_row *row)
{
	static const char *const words[] = {
		[PAPER_NOWHERE] = "", [PAPER_PRINTED] = "paper",
		[PAPER_DERIVED] = "from paper", [PAPER_FORMULA] = "closed form",
		[PAPER_OURS] = "ours", [PAPER_GOAL] = "to be shown",
		[PAPER_SETTING] = "paper", [PAPER_FITTED] = "paper",
	};

	return words[row->origin];
}
