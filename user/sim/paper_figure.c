// SPDX-License-Identifier: GPL-2.0
/* A figure in the making. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "paper.h"

/**
 * paper_row - a new row
 * @figure: the figure
 * @format: its label
 *
 * Return: the row; a figure that has too many keeps the last.
 */
struct paper_row *paper_row(struct paper_figure *figure, const char *format, ...)
{
	struct paper_row *row;
	va_list args;

	if (figure->nrows < PAPER_ROWS_MAX)
		figure->nrows++;
	row = &figure->rows[figure->nrows - 1];
	*row = (struct paper_row){ .unit = "", .other = NAN, .ours = NAN };
	va_start(args, format);
	vsnprintf(row->label, sizeof(row->label), format, args);
	va_end(args);
	return row;
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
	series->y[series->points++] = y;
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

/**
 * paper_verdict - is that good?
 * @row: the row
 *
 * Return: a word, empty where there is none.
 */
const char *paper_verdict(const struct paper_row *row)
{
	double difference = paper_difference(row);

	if (row->misprint)
		return "misprint";
	if (!(row->tolerance > 0) || isnan(difference))
		return "";
	return fabs(difference) <= row->tolerance ? "within" : "OUTSIDE";
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
		[PAPER_OURS] = "ours",
	};

	return words[row->origin];
}
