// SPDX-License-Identifier: GPL-2.0
/*
 * Plot of a sweep: latency and throughput against load, else against the last key with only numeric
 * values. Each setting of the other keys is a curve. With several seeds, the 95 % intervals are
 * drawn, too.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../../common/escape.h"
#include "output.h"
#include "plot.h"

#define NAME_MAX_BYTES	128
/* number of the data column that is 1 if the run is saturated */
#define COLUMN_SATURATED	16
/* number of the data column with packets received per node and tick */
#define COLUMN_RATES	10

/*
 * Print a text within a gnuplot string. Quotes of a file's name are doubled and control characters
 * are replaced, so that gnuplot does not interpret them.
 */
static void quoted(FILE *script, const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++) {
		if (text[i] == '\'')
			fputc('\'', script);
		fputc(iscntrl((unsigned char)text[i]) ? '?' : text[i], script);
	}
}

static void title(FILE *script, const struct sim_points *points)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	sim_sweep_print_title(out, points);
	if (fclose(out))
		size = 0;
	quoted(script, text, size);
	free(text);
}

static bool is_number(const char *word)
{
	char *end;

	strtod(word, &end);
	return end != word && !*end;
}

/* Index of the key on the x axis: load, else the last key with only numeric values; -1: none. */
static int axis_right(const struct sim_axes *axes)
{
	int right = -1;
	u32 i, j;

	for (i = 0; i < axes->count; i++) {
		if (!strcmp(axes->axis[i].key, "load"))
			return (int)i;
		for (j = 0; j < axes->axis[i].count; j++)
			if (!is_number(axes->axis[i].values[j] + axes->axis[i].set))
				break;
		if (j == axes->axis[i].count)
			right = (int)i;
	}
	return right;
}

/* Distance of two settings that differ only in adjacent values of the key on the x axis. */
static u32 stride(const struct sim_axes *axes, int right)
{
	u32 step = 1, i;

	for (i = axes->count - 1; (int)i > right; i--)
		step *= axes->axis[i].count;
	return step;
}

/* Check whether a setting is the first point of a curve. */
static bool begins_curve(const struct sim_axes *axes, int right, u32 setting)
{
	return setting / stride(axes, right) % axes->axis[right].count == 0;
}

/* Write the name of a curve: the values of its setting, without the key on the x axis. */
static void curve_name(const struct sim_axes *axes, int right, u32 setting, char *text,
		       size_t size)
{
	char word[NAME_MAX_BYTES];
	size_t used = 0;
	int i;

	text[0] = '\0';
	for (i = 0; i < (int)axes->count && used < size; i++)
		if (i != right)
			used += snprintf(text + used, size - used, "%s%s %s", used ? ", " : "",
					 axes->axis[i].key,
					 torus_escape(sim_axes_word(axes, setting, i), word,
						      sizeof(word)));
}

/* Print the data of a curve: x, each metric with its half width, and 1 if saturated or 0. */
static void curve_points(FILE *script, const struct sim_points *points, int right, u32 first)
{
	static const enum sim_metric drawn[] = {
		SIM_METRIC_MEAN, SIM_METRIC_P99, SIM_METRIC_PEAK, SIM_METRIC_PAYLOAD,
		SIM_METRIC_ACCEPTED, SIM_METRIC_ACCEPTED_BYTES, SIM_METRIC_ACCEPTED_FLITS,
	};
	const struct sim_axes *axes = &points->axes;
	struct sim_setting setting;
	u32 i, j;

	fprintf(script, "$curve%u << EOD\n", first);
	for (i = 0; i < axes->axis[right].count; i++) {
		u32 number = first + i * stride(axes, right);

		if (!sim_points_setting(points, number, &setting))
			continue;
		fprintf(script, "%.9g", strtod(sim_axes_word(axes, number, (u32)right), NULL));
		for (j = 0; j < sizeof(drawn) / sizeof(drawn[0]); j++) {
			double scale = drawn[j] == SIM_METRIC_PAYLOAD ? 100 : 1;

			fprintf(script, " %.9g %.9g", scale * setting.mean[drawn[j]],
				scale * setting.half[drawn[j]]);
		}
		fprintf(script, " %d\n", setting.mean[SIM_METRIC_SATURATED] > 0.5);
	}
	fputs("EOD\n", script);
}

/* Print the plot command for one metric of a curve: the line and its intervals. */
static void curve_line(FILE *script, const struct sim_points *points, u32 curve, int column,
		       u32 style, const char *name, const char *what)
{
	fprintf(script, "$curve%u using 1:%d with linespoints lw 2 lc %u pt %d title '", curve,
		column, style, column == 2 || column == 6 ? 7 : 5);
	quoted(script, name, strlen(name));
	fprintf(script, "%s%s'", name[0] && what[0] ? ", " : "", what);
	/* draw a small white point onto each saturated point, so that it looks hollow */
	fprintf(script, ",\\\n     $curve%u using 1:($%d > 0 ? $%d : NaN) with points pt %d ps 0.6 "
			"lc rgb 'white' notitle", curve, COLUMN_SATURATED, column,
		column == 2 || column == 6 ? 7 : 5);
	if (points->replicas > 1)
		fprintf(script, ",\\\n     $curve%u using 1:%d:%d with yerrorbars lc %u notitle",
			curve, column, column + 1, style);
}

/*
 * Print a panel of the plot: one metric for each curve. If there is only one curve, print two
 * metrics.
 */
static void panel(FILE *script, const struct sim_points *points, int right, int column,
		  const char *first, const char *second)
{
	const struct sim_axes *axes = &points->axes;
	bool alone = axes->settings == axes->axis[right].count;
	char name[NAME_MAX_BYTES];
	u32 i, style = 0;

	for (i = 0; i < axes->settings; i++) {
		if (!begins_curve(axes, right, i))
			continue;
		fputs(style ? ",\\\n     " : "plot ", script);
		curve_name(axes, right, i, name, sizeof(name));
		curve_line(script, points, i, column, ++style, name, alone ? first : "");
		if (!alone)
			continue;
		fputs(",\\\n     ", script);
		curve_line(script, points, i, column + 2, ++style, name, second);
	}
	if (column == 6 && !strcmp(axes->axis[right].key, "load"))
		fputs(",\\\n     100*x with lines dt 2 lc rgb 'gray' title 'offered'", script);
	fputc('\n', script);
}

/*
 * Print the panel of received traffic per node and tick, with three units (packets, bytes, flits)
 * for each curve.
 */
static void panel_rates(FILE *script, const struct sim_points *points, int right)
{
	static const char *const units[] = { "packets", "bytes", "flits" };
	const struct sim_axes *axes = &points->axes;
	char name[NAME_MAX_BYTES];
	u32 i, j, style = 0;

	fputs("set logscale y\nset yrange [*:*]\nset ylabel 'a node and tick'\n", script);
	for (i = 0; i < axes->settings; i++) {
		if (!begins_curve(axes, right, i))
			continue;
		curve_name(axes, right, i, name, sizeof(name));
		for (j = 0; j < sizeof(units) / sizeof(units[0]); j++) {
			fputs(style ? ",\\\n     " : "plot ", script);
			curve_line(script, points, i, COLUMN_RATES + 2 * (int)j, ++style, name,
				   units[j]);
		}
	}
	fputc('\n', script);
}

/**
 * sim_sweep_plot_draw - write the gnuplot commands that draw a sweep
 * @script: input of gnuplot
 * @points: the points, of which at least one was measured
 */
void sim_sweep_plot_draw(FILE *script, const struct sim_points *points)
{
	const struct sim_axes *axes = &points->axes;
	int right = axis_right(axes);
	u32 i;

	for (i = 0; i < axes->settings; i++)
		if (begins_curve(axes, right, i))
			curve_points(script, points, right, i);
	fputs("set multiplot layout 3,1 title '", script);
	title(script, points);
	fprintf(script, "'\n"
		"set grid\n"
		"set xrange [0:]\n"
		"set yrange [0:]\n"
		"set key left top\n"
		"set xlabel '%s'\n"
		"set ylabel 'latency, ticks'\n",
		strcmp(axes->axis[right].key, "load") ? axes->axis[right].key :
		"offered load, fraction of the peak");
	panel(script, points, right, 2, "mean", "99th percentile");
	fputs("set ylabel '%'\n", script);
	panel(script, points, right, 6, "carried, % of peak", "payload, % of all links");
	panel_rates(script, points, right);
	fputs("unset multiplot\n", script);
}

/**
 * sim_sweep_plot_fit - check whether a sweep can be drawn
 * @points: the points
 *
 * Return: true if a key has only numeric values.
 */
bool sim_sweep_plot_fit(const struct sim_points *points)
{
	return axis_right(&points->axes) >= 0;
}
