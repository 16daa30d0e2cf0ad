// SPDX-License-Identifier: GPL-2.0
/* Build a figure of a paper: its rows, curves and verdicts. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "figure.h"
#include "paper.h"

/**
 * paper_value - add a row with a number of ours to a figure
 * @unit: unit of the number
 * @ours: our number
 * @format: label of the row, or "ID|LABEL"; see paper_id() for ids
 *
 * Return: the row. If the figure has PAPER_ROWS_MAX rows, the last row is replaced.
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
 * CLAIMS.md and scripts/papers.list refer to the row by its id. Every row with a verdict needs an
 * id. Rows made in a loop compose the id from a stem and the case, like data-2048.
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
 * paper_compare - add a number with which ours is compared, without a verdict
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
 * paper_near - require that our number differs from another one by at most a tolerance
 * @origin: source of the other number
 * @other: the other number
 * @tolerance: allowed difference, in the row's unit
 */
void paper_near(struct paper_row *row, enum paper_origin origin, double other, double tolerance)
{
	paper_compare(row, origin, other);
	row->demand = PAPER_ABSOLUTE;
	row->tolerance = tolerance;
}

/**
 * paper_relative - require that our number differs from another one by at most a fraction of it
 * @origin: source of the other number
 * @other: the other number, not 0
 * @tolerance: allowed difference as a fraction of @other
 */
void paper_relative(struct paper_row *row, enum paper_origin origin, double other,
		    double tolerance)
{
	paper_compare(row, origin, other);
	row->demand = PAPER_RELATIVE;
	row->tolerance = tolerance;
}

/**
 * paper_incomparable - add a claim of the paper for which we have no number to compare
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
 * paper_claim - compare our number with a measurement that the paper prints
 * @other: the paper's number
 * @tolerance: half width of the interval that counts as reproduced
 *
 * The verdict of a claim that is not reproduced is "not reproduced"; it counts as different.
 */
void paper_claim(struct paper_row *row, double other, double tolerance)
{
	paper_near(row, PAPER_PRINTED, other, tolerance);
	row->claim = true;
}

/**
 * paper_bound - require that our number meets a bound
 * @origin: source of the bound
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
 * paper_note - add a remark to a figure
 * @format: text of the note, as for printf()
 *
 * After PAPER_NOTES_MAX notes, further notes are discarded.
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
 * paper_series - add a curve to a figure
 * @name: name of the curve
 *
 * Return: the curve. If the figure has PAPER_SERIES_MAX curves, the last one is replaced.
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
 * paper_point - add a point to a curve
 *
 * After PAPER_POINTS_MAX points, further points are discarded.
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
 * Latency and population of a saturated run depend on the length of the window.
 */
void paper_point_saturated(struct paper_series *series)
{
	series->saturated[series->points - 1] = true;
}

/**
 * paper_difference - compute the relative difference of our number from the other one
 *
 * Return: the difference as a fraction of the other number; NAN if the row has no number of ours,
 * or if the other number is missing or 0.
 */
double paper_difference(const struct paper_row *row)
{
	if (row->origin == PAPER_NOWHERE || isnan(row->ours) || !(fabs(row->other) > 0))
		return NAN;
	return (row->ours - row->other) / fabs(row->other);
}

/* Check whether our number meets the row's condition. NAN never meets a condition. */
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
 * paper_judged - check whether a row has a verdict
 *
 * If we set a number as the paper states it, or fitted it to the paper's numbers, the number is not
 * a result. The row of such a number has a verdict only if the row's condition is not met. Four
 * other kinds of rows have no verdict: a misprint, a claim that cannot be compared, a row without
 * another number, and a row without a condition.
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
 * paper_verdict - get the verdict of a row
 *
 * Return: the verdict, or the reason why the row has none, as a word; empty if the row has no
 * condition.
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
 * paper_count - count a figure's rows by verdict
 * @verdicts: [out] the counts
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
 * paper_demand - get the name of a row's condition
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
 * paper_tolerance - get the tolerance of a row and its unit
 * @row: the row
 * @unit: [out] unit of the tolerance. A row in percent has a tolerance in points; a relative
 *    tolerance is in percent of the other number
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
 * paper_origin - get the name of the other number's source
 *
 * Return: the source as a word; an empty string if there is no other number.
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
