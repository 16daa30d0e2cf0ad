// SPDX-License-Identifier: GPL-2.0
/* Print a figure as text and as JSON, and draw it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "../sim/base/json.h"
#include "figure.h"
#include "paper.h"
#include "print.h"

#define WIDTH		96
#define NUMBER_MAX	32
#define HEAD		"%-10s"
#define LINES_MAX	40	/* maximum number of lines in a table of points */
#define TIMES_FROM	900	/* difference in percent from which on a ratio is printed instead */

/* Print a text in lines of up to WIDTH columns. All lines but the first are indented. */
static void print_words(FILE *out, const char *head, const char *text)
{
	int column = fprintf(out, HEAD, head);

	while (*text) {
		int length = (int)strcspn(text, " ");

		if (column + length >= WIDTH)
			column = fprintf(out, "\n" HEAD, "") - 1;
		column += fprintf(out, "%.*s%s", length, text, text[length] ? " " : "");
		text += length + (text[length] == ' ');
	}
	fputc('\n', out);
}

static const char *number_text(double value, char *text, size_t size)
{
	if (isnan(value))
		snprintf(text, size, "-");
	else if (fabs(value) >= 1000000 || (fabs(value) < 0.001 && fabs(value) > 0))
		snprintf(text, size, "%.5g", value);
	else
		snprintf(text, size, "%.6g", value);
	return text;
}

static void print_verdict(FILE *out, const struct paper_row *row)
{
	const char *unit;
	double tolerance = paper_tolerance(row, &unit);

	if (!paper_judged(row)) {
		if (*paper_verdict(row))
			fprintf(out, "  %s", paper_verdict(row));
		return;
	}
	if (row->demand == PAPER_AT_LEAST || row->demand == PAPER_AT_MOST)
		fprintf(out, "  %s: ", paper_demand(row));
	else
		fprintf(out, "  +- %.3g %s: ", tolerance, unit);
	fputs(paper_verdict(row), out);
}

static void print_row(FILE *out, const struct paper_row *row)
{
	double difference = 100 * paper_difference(row);
	char other[NUMBER_MAX];
	char ours[NUMBER_MAX];

	fprintf(out, "  %-44s %11s %11s %-10s %-11s", row->label,
		number_text(row->other, other, sizeof(other)),
		number_text(row->ours, ours, sizeof(ours)), row->unit, paper_origin(row));
	if (!isnan(difference) && fabs(difference) < TIMES_FROM)
		fprintf(out, " %+8.2f %%", difference);
	else if (!isnan(difference))
		fprintf(out, " x %-8.4g", row->ours / row->other);
	print_verdict(out, row);
	fputc('\n', out);
	if (row->incomparable)
		fprintf(out, "  %-44s %s\n", "", row->incomparable);
}

/* Print the number of rows with each verdict. */
static void print_count(FILE *out, const struct paper_figure *figure)
{
	struct paper_verdicts verdicts;

	paper_count(figure, &verdicts);
	fprintf(out, "%-10s%u judged", "verdicts", verdicts.judged);
	if (verdicts.judged)
		fprintf(out, ": %u agree, %u differ", verdicts.agree, verdicts.differ);
	if (verdicts.incomparable)
		fprintf(out, "; %u not comparable", verdicts.incomparable);
	fputc('\n', out);
}

/* Format a value of a curve, in brackets if its run is saturated. */
static const char *point(const struct paper_series *series, u32 i, char *text)
{
	char value[NUMBER_MAX];
	bool marked;

	if (i >= series->points)
		return "-";
	number_text(series->y[i], value, sizeof(value));
	marked = series->saturated[i] && !isnan(series->y[i]);
	snprintf(text, NUMBER_MAX + 2, marked ? "(%s)" : "%s", value);
	return text;
}

static bool any_saturated(const struct paper_figure *figure)
{
	u32 i, j;

	for (i = 0; i < figure->nseries; i++)
		for (j = 0; j < figure->series[i].points; j++)
			if (figure->series[i].saturated[j])
				return true;
	return false;
}

/* Print at most LINES_MAX points of the curves as text. JSON and picture contain all points. */
static void print_series(FILE *out, const struct paper_figure *figure)
{
	u32 step = (figure->series[0].points + LINES_MAX - 1) / LINES_MAX;
	char text[NUMBER_MAX + 2];
	u32 i, j;

	fprintf(out, "\n  %16s", figure->xlabel);
	for (i = 0; i < figure->nseries; i++)
		fprintf(out, " %22s", figure->series[i].name);
	fprintf(out, "   (%s)\n", figure->ylabel);
	for (j = 0; j < figure->series[0].points; j += step) {
		fprintf(out, "  %16s", number_text(figure->series[0].x[j], text, sizeof(text)));
		for (i = 0; i < figure->nseries; i++)
			fprintf(out, " %22s", point(&figure->series[i], j, text));
		fputc('\n', out);
	}
	if (any_saturated(figure))
		fputs("  (in brackets, or -: the run is saturated)\n", out);
}

/**
 * paper_text - print a figure as text
 */
void paper_text(FILE *out, const struct paper_source *source,
		const struct paper_request *request, const struct paper_figure *figure)
{
	u32 i;

	fprintf(out, "%s: %s\n\n", source->name, source->title);
	print_words(out, "paper", figure->says);
	print_words(out, "here", figure->configuration);
	fprintf(out, "%-10s%.1f s of processors, %u threads, seed %llu%s\n", "cost",
		figure->cpu_s, request->threads, request->seed,
		request->full ? ", the paper's size" : "");
	print_count(out, figure);
	if (figure->nrows)
		fprintf(out, "\n  %-44s %11s %11s %-10s %-11s %10s\n", "", "other", "ours", "unit",
			"other is", "difference");
	for (i = 0; i < figure->nrows; i++)
		print_row(out, &figure->rows[i]);
	if (figure->nseries)
		print_series(out, figure);
	if (figure->nnotes)
		fputc('\n', out);
	for (i = 0; i < figure->nnotes; i++)
		print_words(out, "note", figure->notes[i]);
}

/* --------------------------------------------------------------------- JSON */

static void put_text(struct json_object *doc, const char *key, const char *text)
{
	json_object_object_add(doc, key, *text ? json_object_new_string(text) : NULL);
}

static void put_double(struct json_object *doc, const char *key, double value)
{
	json_object_object_add(doc, key, isnan(value) ? NULL : report_double(value));
}

static struct json_object *json_row(const struct paper_row *row)
{
	struct json_object *doc = json_object_new_object();
	const char *unit;
	double tolerance = paper_tolerance(row, &unit);

	put_text(doc, "id", row->id);
	put_text(doc, "label", row->label);
	put_text(doc, "unit", row->unit);
	put_double(doc, "other", row->other);
	put_text(doc, "other_is", paper_origin(row));
	put_double(doc, "ours", row->ours);
	put_double(doc, "difference", paper_difference(row));
	put_double(doc, "tolerance", tolerance);
	put_text(doc, "tolerance_unit", unit);
	put_text(doc, "demand", paper_judged(row) ? paper_demand(row) : "");
	put_text(doc, "verdict", paper_verdict(row));
	put_text(doc, "why", row->incomparable ? row->incomparable : "");
	return doc;
}

static struct json_object *json_series(const struct paper_series *series)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *points = json_object_new_array();
	struct json_object *saturated = json_object_new_array();
	u32 i;

	for (i = 0; i < series->points; i++) {
		struct json_object *point = json_object_new_array();

		json_object_array_add(point, report_double(series->x[i]));
		json_object_array_add(point, isnan(series->y[i]) ? NULL :
				      report_double(series->y[i]));
		json_object_array_add(points, point);
		if (series->saturated[i])
			json_object_array_add(saturated, json_object_new_uint64(i));
	}
	put_text(doc, "name", series->name);
	json_object_object_add(doc, "points", points);
	json_object_object_add(doc, "saturated", saturated);
	return doc;
}

/**
 * paper_json - print a figure as JSON
 */
void paper_json(const struct paper_source *source, const struct paper_request *request,
		const struct paper_figure *figure)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *rows = json_object_new_array();
	struct json_object *series = json_object_new_array();
	struct json_object *notes = json_object_new_array();
	struct paper_verdicts verdicts;
	u32 i;

	paper_count(figure, &verdicts);
	for (i = 0; i < figure->nrows; i++)
		json_object_array_add(rows, json_row(&figure->rows[i]));
	for (i = 0; i < figure->nseries; i++)
		json_object_array_add(series, json_series(&figure->series[i]));
	for (i = 0; i < figure->nnotes; i++)
		json_object_array_add(notes, json_object_new_string(figure->notes[i]));
	put_text(doc, "name", source->name);
	put_text(doc, "title", source->title);
	put_text(doc, "says", figure->says);
	put_text(doc, "configuration", figure->configuration);
	json_object_object_add(doc, "full", json_object_new_boolean(request->full));
	json_object_object_add(doc, "threads", json_object_new_uint64(request->threads));
	json_object_object_add(doc, "seed", json_object_new_uint64(request->seed));
	json_object_object_add(doc, "judged", json_object_new_uint64(verdicts.judged));
	json_object_object_add(doc, "differ", json_object_new_uint64(verdicts.differ));
	json_object_object_add(doc, "rows", rows);
	if (figure->nseries) {
		put_text(doc, "xlabel", figure->xlabel);
		put_text(doc, "ylabel", figure->ylabel);
	}
	json_object_object_add(doc, "series", series);
	json_object_object_add(doc, "notes", notes);
	put_double(doc, "cpu_s", figure->cpu_s);
	sim_json_print(doc);
}

/* ------------------------------------------------------------------ picture */

static void draw_series(FILE *script, const struct paper_figure *figure)
{
	u32 i, j;

	for (i = 0; i < figure->nseries; i++) {
		const struct paper_series *series = &figure->series[i];

		fprintf(script, "$s%u << EOD\n", i);
		for (j = 0; j < series->points; j++)
			if (isnan(series->y[j]))
				fprintf(script, "%.9g NaN 0\n", series->x[j]);
			else
				fprintf(script, "%.9g %.9g %d\n", series->x[j], series->y[j],
					series->saturated[j]);
		fputs("EOD\n", script);
	}
	fprintf(script, "set xlabel '%s'\nset ylabel '%s'\n%s\nplot", figure->xlabel,
		figure->ylabel, figure->log_y ? "set logscale y" : "set yrange [0:]");
	for (i = 0; i < figure->nseries; i++)
		fprintf(script, "%s $s%u using 1:2 with linespoints lw 2 pt %u title '%s'",
			i ? "," : "", i, 5 + 2 * i, figure->series[i].name);
	/* draw white inner points, so that the points of saturated runs become hollow */
	for (i = 0; any_saturated(figure) && i < figure->nseries; i++)
		fprintf(script, ", $s%u using 1:($3 > 0 ? $2 : NaN) with points pt %u ps 0.6 "
				"lc rgb 'white' notitle", i, 5 + 2 * i);
	if (any_saturated(figure))
		fputs(", NaN with points pt 6 lc rgb 'black' title 'hollow: saturated'", script);
	fputc('\n', script);
}

static bool has_ratio(const struct paper_row *row)
{
	return !isnan(paper_difference(row)) && row->other > 0;
}

/* Draw a picture without data, because the figure of a very small machine may have no numbers. */
static void draw_nothing(FILE *script)
{
	fputs("unset tics\nset xrange [0:1]\nset yrange [0:1]\n"
	      "set label 'no numbers at this size' at 0.5, 0.5 center\n"
	      "plot NaN title ''\n", script);
}

/*
 * Draw the ratio of our number to the other one, for rows with two numbers. If there is no such
 * row, draw our numbers.
 */
static void draw_rows(FILE *script, const struct paper_figure *figure)
{
	double least = INFINITY, most = -INFINITY;
	bool ratios = false;
	u32 i;

	for (i = 0; i < figure->nrows; i++)
		ratios |= has_ratio(&figure->rows[i]);
	fputs("$rows << EOD\n", script);
	for (i = 0; i < figure->nrows; i++) {
		const struct paper_row *row = &figure->rows[i];
		double value = ratios ? row->ours / row->other : row->ours;

		if (ratios ? !has_ratio(row) : isnan(row->ours))
			continue;
		fprintf(script, "\"%s\" %.9g\n", row->label, value);
		least = fmin(least, value);
		most = fmax(most, value);
	}
	fputs("EOD\n", script);
	if (least > most) {
		draw_nothing(script);
		return;
	}
	/* gnuplot warns if a range is empty */
	if (least == most)
		fprintf(script, "set xrange [%.9g:%.9g]\n", least - 1, least + 1);
	fprintf(script,
		"set lmargin 38\n"
		"set xtics rotate by -40\n"
		"set offsets graph 0.05, graph 0.05, 1, 1\n"
		"set xlabel '%s'\n"
		"plot $rows using 2:(-$0):ytic(1) with points pt 7 title ''\n",
		ratios ? "ours / other" : "ours");
}

/**
 * paper_draw - write a gnuplot script that draws a figure
 */
void paper_draw(FILE *script, const struct paper_source *source, const struct paper_figure *figure)
{
	fprintf(script, "set title \"%s: %s\"\nset grid\nset key left top\n", source->name,
		source->title);
	if (figure->nseries)
		draw_series(script, figure);
	else
		draw_rows(script, figure);
}
