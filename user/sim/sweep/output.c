// SPDX-License-Identifier: GPL-2.0
/* Results of a sweep as text, CSV and JSON. */
#include <math.h>
#include <string.h>

#include <json-c/json.h>

#include "../../common/escape.h"
#include "output.h"
#include "../cmdline/config.h"
#include "../base/json.h"
#include "../../report/json.h"
#include "../../report/ratios.h"
#include "../../parse/shape.h"

#define KEY_WIDTH	8
#define FS_PER_NS	1e6
/* buffer for a value in bytes; the value may be an escaped file name */
#define PARSE_BYTES	TORUS_ESCAPED(4096)

static const char *const outcomes[] = {
	[SIM_RUNNING] = "interrupted",
	[SIM_DONE] = "done",
	[SIM_DEADLOCKED] = "deadlocked",
	[SIM_NO_MEMORY] = "no_memory",
	[SIM_WAITING] = "waiting",
	[SIM_UNANSWERED] = "unanswered",
	[SIM_STUCK] = "stuck",
	[SIM_CROWDED] = "crowded",
};

/*
 * Check whether --loads is the only axis and each load has one seed: such JSON has additional
 * members.
 */
static bool loads_alone(const struct sim_points *points)
{
	return points->typed->loads && points->axes.count == 1 && points->replicas == 1;
}

/* Check whether the points differ in a key. A value of arch may have a shape, as bgl:8x8x8. */
static bool is_axis(const struct sim_points *points, const char *key)
{
	u32 i;

	for (i = 0; i < points->axes.count; i++)
		if (!strcmp(points->axes.axis[i].key, key) ||
		    (!strcmp(key, "shape") && !strcmp(points->axes.axis[i].key, "arch") &&
		     strchr(points->axes.axis[i].values[0], ':')))
			return true;
	return false;
}

/**
 * sim_sweep_print_title - print the options that all points have in common
 * @out: output stream
 * @points: the points
 */
void sim_sweep_print_title(FILE *out, const struct sim_points *points)
{
	const struct sim_run_config *options = &points->base;
	const struct torus_geometry *geo = &options->config.geo;
	char shape[PARSE_SHAPE_MAX];
	char dim[PARSE_DIM_MAX];
	bool machines = is_axis(points, "arch");
	u32 mesh = is_axis(points, "mesh") ? 0 : geo->mesh;
	/*
	 * packet sizes differ, too, if machines differ, because the default size depends on the
	 * machine
	 */
	bool sizes = is_axis(points, "size") || (machines && !points->typed->size);
	u32 i;

	fputs(machines ? "machines" : options->config.arch->name, out);
	if (!is_axis(points, "shape"))
		fprintf(out, " %s",
			parse_shape_text(geo->nshape, geo->shape, shape, sizeof(shape)));
	fputs(mesh ? " mesh " : "", out);
	for (i = 0; i < geo->ndims; i++)
		if (mesh & (1u << i))
			fputs(parse_dim_name(i, dim, sizeof(dim)), out);
	if (!is_axis(points, "pattern"))
		torus_escape_message(out, ", %s", options->load.pattern);
	if (!sizes) {
		fprintf(out, ", %u", options->load.traffic.size_min);
		if (options->load.traffic.size_min != options->load.traffic.size_max)
			fprintf(out, " to %u", options->load.traffic.size_max);
		fputs(" bytes", out);
	}
	if (!is_axis(points, "seed"))
		fprintf(out, ", seed %llu", options->config.seed);
	if (points->replicas > 1)
		fprintf(out, " and %u more", points->replicas - 1);
}

/* ----------------------------------------------------------------------- text */

/* Check whether a truth value of a setting is true for most of its seeds. */
static bool most(const struct sim_setting *setting, enum sim_metric figure)
{
	return setting->mean[figure] > 0.5;
}

/* Width of a key's column. */
static int key_width(const struct sim_axis *axis)
{
	size_t width = strlen(axis->key), length;
	char word[PARSE_BYTES];
	u32 i;

	for (i = 0; i < axis->count; i++) {
		length = strlen(torus_escape(axis->values[i] + axis->set, word, sizeof(word)));
		width = length > width ? length : width;
	}
	return width > KEY_WIDTH ? (int)width : KEY_WIDTH;
}

/* A column of the text output. @scale: factor by which the metric is multiplied. */
struct cell {
	enum sim_metric figure;
	const char *name;
	double scale;
	int digits;
};

static const struct cell cells[] = {
	{ SIM_METRIC_PEAK, "% of peak", 1, 2 }, { SIM_METRIC_LINKS, "links %", 100, 2 },
	{ SIM_METRIC_MEAN, "mean", 1, 1 }, { SIM_METRIC_P50, "p50", 1, 0 },
	{ SIM_METRIC_P99, "p99", 1, 0 }, { SIM_METRIC_MAX, "max", 1, 0 },
};

#define CELLS	(sizeof(cells) / sizeof(cells[0]))

/* Print a metric, followed by the half width of its 95 % interval if there are several seeds. */
static void text_cell(const struct sim_points *points, const struct sim_setting *setting,
		      const struct cell *cell)
{
	if (isnan(setting->mean[cell->figure])) {
		printf(" %9s%*s", "-", points->replicas > 1 ? 10 : 0, "");
		return;
	}
	printf(" %9.*f", cell->digits, cell->scale * setting->mean[cell->figure]);
	if (points->replicas > 1 && isnan(setting->half[cell->figure]))
		printf(" +- %-6s", "-");
	else if (points->replicas > 1)
		printf(" +- %-6.*f", cell->digits ? cell->digits : 1,
		       cell->scale * setting->half[cell->figure]);
}

/* Check whether the tick has different lengths in different settings. */
static bool ticks_differ(const struct sim_points *points)
{
	struct sim_setting setting;
	u64 before = 0;
	u32 i;

	for (i = 0; i < points->axes.settings; i++) {
		if (!sim_points_setting(points, i, &setting))
			continue;
		if (before && setting.first->result.tick_fs != before)
			return true;
		before = setting.first->result.tick_fs;
	}
	return false;
}

/**
 * sim_sweep_print_text - print a line for each setting
 * @points: the points
 */
void sim_sweep_print_text(const struct sim_points *points)
{
	const struct sim_axes *axes = &points->axes;
	const struct sim_measure *last = NULL;
	bool ticks = ticks_differ(points);
	struct sim_setting setting;
	char word[PARSE_BYTES];
	u32 i, j;

	sim_sweep_print_title(stdout, points);
	fputs("\n\n", stdout);
	for (j = 0; j < axes->count; j++)
		printf("%s%*s", j ? " " : "", key_width(&axes->axis[j]), axes->axis[j].key);
	for (j = 0; j < CELLS; j++)
		printf(" %9s%s", cells[j].name, points->replicas > 1 ? " +- 95 %  " : "");
	printf(" %7s%s  %s\n", "hops", ticks ? "  tick ns" : "", "");
	for (i = 0; i < axes->settings; i++) {
		if (!sim_points_setting(points, i, &setting))
			continue;
		for (j = 0; j < axes->count; j++)
			printf("%s%*s", j ? " " : "", key_width(&axes->axis[j]),
			       torus_escape(sim_axes_word(axes, i, j), word, sizeof(word)));
		for (j = 0; j < CELLS; j++)
			text_cell(points, &setting, &cells[j]);
		last = setting.first;
		if (isnan(setting.mean[SIM_METRIC_HOPS]))
			printf(" %7s", "-");
		else
			printf(" %7.3f", setting.mean[SIM_METRIC_HOPS]);
		if (ticks)
			printf(" %8.6g", last->result.tick_fs / FS_PER_NS);
		printf("  %s%s%s\n",
		       most(&setting, SIM_METRIC_SATURATED) ? "saturated" :
		       most(&setting, SIM_METRIC_STEADY) ? "" : "not steady",
		       setting.outcome == SIM_DONE ? "" : ", ",
		       setting.outcome == SIM_DONE ? "" : outcomes[setting.outcome]);
	}
	if (ticks)
		puts("\nlatency in ticks, as long as each line says");
	else if (last)
		printf("\nlatency in ticks of %.6g ns\n", last->result.tick_fs / FS_PER_NS);
}

/* ------------------------------------------------------------------------ CSV */

/* Print a value as a CSV field, quoted if necessary. */
static void csv_word(const char *word)
{
	char text[PARSE_BYTES], *at;

	torus_escape(word, text, sizeof(text));
	if (!strchr(text, '"')) {
		fputs(text, stdout);
		return;
	}
	putchar('"');
	for (at = text; *at; at++)
		printf("%s%c", *at == '"' ? "\"" : "", *at);
	putchar('"');
}

/*
 * Print the CSV header: first the keys in which points differ, then the columns that every sweep
 * has.
 */
static void csv_head(const struct sim_points *points)
{
	u32 i;

	for (i = 0; i < points->axes.count; i++)
		printf("%s,", points->axes.axis[i].key);
	fputs("replicas,", stdout);
	for (i = 0; i < SIM_METRICS; i++) {
		printf("%s,", sim_metric_name(i));
		if (!sim_metric_is_truth(i))
			printf("%s_95,", sim_metric_name(i));
	}
	puts("delivery_hash,outcome");
}

/*
 * Print a number. Print all digits of an integer, because nine significant digits are not enough
 * for a long run.
 */
static void csv_number(double value)
{
	if (isnan(value))	/* not measured */
		putchar(',');
	else if (value == floor(value) && fabs(value) < 1e15)
		printf("%.0f,", value);
	else
		printf("%.9g,", value);
}

static void csv_figure(const struct sim_setting *setting, enum sim_metric figure)
{
	if (sim_metric_is_truth(figure)) {
		printf("%s,", most(setting, figure) ? "true" : "false");
		return;
	}
	csv_number(setting->mean[figure]);
	csv_number(setting->half[figure]);
}

/**
 * sim_sweep_print_csv - print a header, and a line for each setting
 * @points: the points
 */
void sim_sweep_print_csv(const struct sim_points *points)
{
	struct sim_setting setting;
	u32 i, j;

	csv_head(points);
	for (i = 0; i < points->axes.settings; i++) {
		if (!sim_points_setting(points, i, &setting))
			continue;
		for (j = 0; j < points->axes.count; j++) {
			csv_word(sim_axes_word(&points->axes, i, j));
			putchar(',');
		}
		printf("%u,", setting.replicas);
		for (j = 0; j < SIM_METRICS; j++)
			csv_figure(&setting, j);
		printf("%016llx,%s", setting.hash, outcomes[setting.outcome]);
		putchar('\n');
	}
}

/* ----------------------------------------------------------------------- JSON */

/* Convert a setting's values, and the means of its metrics over the seeds, to JSON. */
static struct json_object *json_setting(const struct sim_points *points, u32 number,
					const struct sim_setting *setting)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *over = json_object_new_object();
	struct json_object *figures = json_object_new_object();
	u32 i;

	for (i = 0; i < points->axes.count; i++)
		report_add_text(over, points->axes.axis[i].key,
				sim_axes_word(&points->axes, number, i));
	json_object_object_add(doc, "over", over);
	report_add_u64(doc, "replicas", setting->replicas);
	for (i = 0; i < sim_points_metrics(points); i++) {
		struct json_object *figure;

		if (sim_metric_is_truth(i)) {
			report_add_bool(doc, sim_metric_name(i), most(setting, i));
			continue;
		}
		figure = json_object_new_object();
		report_add_double(figure, "mean", setting->mean[i]);
		if (setting->replicas > 1)
			report_add_double(figure, "half_width", setting->half[i]);
		json_object_object_add(figures, sim_metric_name(i), figure);
	}
	json_object_object_add(doc, "figures", figures);
	return doc;
}

/* Find the lowest saturated load. Return null if no load is saturated. */
static struct json_object *json_saturation(const struct sim_points *points)
{
	struct report_figures figures;
	u32 i;

	for (i = 0; i < points->count; i++) {
		const struct sim_measure *measure = &points->point[i].measure;

		if (!points->point[i].measured)
			continue;
		report_figures(&measure->context, &measure->result, &figures);
		if (figures.saturated)
			return report_double(ldexp(measure->context.traffic.load, -32));
	}
	return NULL;
}

/**
 * sim_sweep_print_json - print one document with all points and settings
 * @points: the points
 */
void sim_sweep_print_json(const struct sim_points *points)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *settings = json_object_new_array();
	struct json_object *list = json_object_new_array();
	struct sim_setting setting;
	struct json_object *one;
	u32 i;

	for (i = 0; i < points->count; i++) {
		if (!points->point[i].measured)
			continue;
		one = sim_measure_json(&points->point[i].measure);
		json_object_object_add(one, "config", sim_points_config(points, i));
		json_object_array_add(list, one);
	}
	if (loads_alone(points)) {
		report_add_text(doc, "loads", points->typed->loads);
		json_object_object_add(doc, "saturation_load", json_saturation(points));
	}
	for (i = 0; i < points->axes.settings; i++)
		if (sim_points_setting(points, i, &setting))
			json_object_array_add(settings, json_setting(points, i, &setting));
	json_object_object_add(doc, "settings", settings);
	json_object_object_add(doc, "points", list);
	json_object_object_add(doc, "config", sim_config_json(points->typed, SIM_FOR_RUN |
							      SIM_FOR_SWEEP));
	sim_json_print(doc);
}
