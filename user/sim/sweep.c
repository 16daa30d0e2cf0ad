// SPDX-License-Identifier: GPL-2.0
/* torus-sim sweep: latency and throughput against load. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../words/words.h"
#include "interrupt.h"
#include "measure.h"
#include "plot.h"
#include "sim.h"

#define POINTS_MAX	1000
#define WORD_MAX	32
#define HAIR		0.000001
#define JSON_FLAGS	(JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED)

/**
 * struct sweep - loads, and what was measured at each
 * @options: what was asked for; its load is that of the point being measured
 * @first: first load
 * @step: between two loads
 * @points: loads that are to be measured
 * @done: loads that have been measured
 * @measures: what was measured at each of them
 */
struct sweep {
	struct sim_options options;
	double first;
	double step;
	u32 points;
	u32 done;
	struct sim_measure *measures;
};

/* ------------------------------------------------------------------ loads */

/*
 * Loads are counted in decimals: the third of 0.1:1:0.1 has the bits, and so the
 * hash, of `run --load 0.3`.
 */
static const char *load_word(const struct sweep *sweep, u32 point, char *word)
{
	snprintf(word, WORD_MAX, "%.9g", sweep->first + point * sweep->step);
	return word;
}

static bool loads_part(const char *what, const char *start, const char *end, double *value)
{
	char word[WORD_MAX];
	struct word_why why;
	u64 load;

	snprintf(word, sizeof(word), "%.*s", (int)(end - start), start);
	if (!word_load(what, word, &load, &why)) {
		sim_bad("%s", why.text);
		return false;
	}
	*value = strtod(word, NULL);
	return true;
}

/* FIRST:LAST:STEP */
static bool loads_parse(struct sweep *sweep, const char *word)
{
	const char *last_at = strchr(word, ':');
	const char *step_at = last_at ? strchr(last_at + 1, ':') : NULL;
	double points;
	double last;

	if (!step_at || strchr(step_at + 1, ':')) {
		sim_bad("loads %s: not FIRST:LAST:STEP", word);
		return false;
	}
	if (!loads_part("loads: first", word, last_at, &sweep->first) ||
	    !loads_part("loads: last", last_at + 1, step_at, &last) ||
	    !loads_part("loads: step", step_at + 1, word + strlen(word), &sweep->step))
		return false;
	if (last < sweep->first) {
		sim_bad("loads %s: the last is less than the first", word);
		return false;
	}
	/* 0.1 is no binary number: the last point may be a hair beyond the last load. */
	points = floor((last - sweep->first) / sweep->step + HAIR) + 1;
	if (points > POINTS_MAX) {
		sim_bad("loads %s: more than %d loads", word, POINTS_MAX);
		return false;
	}
	sweep->points = (u32)points;
	return true;
}

/* --------------------------------------------------------------- measuring */

static int measure_point(struct sweep *sweep, struct torus_fabric *fabric,
			 struct sim_progress *progress)
{
	struct sim_measure *measure = &sweep->measures[sweep->done];
	char word[WORD_MAX];
	char name[WORD_MAX + 16];
	struct torus_error err;
	struct word_why why;
	u64 load;
	int status;

	if (sweep->done && torus_fabric_reset(fabric, sweep->options.config.seed, &err))
		return sim_failed("%s", err.text);
	load_word(sweep, sweep->done, word);
	snprintf(name, sizeof(name), "sweep: load %s", word);
	sim_command_set(name);
	status = word_load("load", word, &load, &why) ? SIM_OK : sim_bad("%s", why.text);
	if (!status) {
		sweep->options.load.traffic.load = load;
		status = sim_measure(fabric, &sweep->options, progress, measure);
	}
	if (!status) {
		sweep->done++;
		progress->done++;
		/* What went wrong is told where it did; the points measured are shown. */
		status = sim_measure_status(measure);
	}
	sim_command_set("sweep");
	return status;
}

/* All points; the first thing that goes wrong is how the call ends. */
static int measure_all(struct sweep *sweep, struct torus_fabric *fabric)
{
	struct sim_progress progress;
	int status = SIM_OK;

	sim_progress_begin(&progress, sweep->options.progress, sweep->points);
	while (sweep->done < sweep->points && !status)
		status = measure_point(sweep, fabric, &progress);
	sim_progress_end(&progress);
	return status;
}

/* ---------------------------------------------------------------- printing */

static void print_json(const struct sweep *sweep)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *points = json_object_new_array();
	struct json_object *saturation = NULL;
	u32 i;

	for (i = 0; i < sweep->done; i++) {
		const struct sim_measure *measure = &sweep->measures[i];
		struct report_figures figures;

		json_object_array_add(points, sim_measure_json(measure));
		report_figures(&measure->context, &measure->result, &figures);
		if (figures.saturated && !saturation)
			saturation = report_double(ldexp(measure->context.traffic.load, -32));
	}
	json_object_object_add(doc, "loads", json_object_new_string(sweep->options.loads));
	/* The least load that was too much, or null. */
	json_object_object_add(doc, "saturation_load", saturation);
	json_object_object_add(doc, "points", points);
	puts(json_object_to_json_string_ext(doc, JSON_FLAGS));
	json_object_put(doc);
}

static const char *const outcomes[] = {
	[SIM_RUNNING] = "interrupted",
	[SIM_DONE] = "done",
	[SIM_DEADLOCKED] = "deadlocked",
	[SIM_NO_MEMORY] = "no_memory",
	[SIM_WAITING] = "waiting",
	[SIM_STUCK] = "stuck",
};

static void print_csv(const struct sweep *sweep)
{
	char word[WORD_MAX];
	u32 i;

	puts("load,percent_of_peak,link_utilization,payload_utilization,"
	     "latency_mean_cycles,latency_p50_cycles,latency_p99_cycles,latency_max_cycles,"
	     "latency_mean_ns,hops_mean,packets_delivered,in_flight,backlog,saturated,steady,"
	     "little,delivery_hash,outcome,cpu_s");
	for (i = 0; i < sweep->done; i++) {
		const struct sim_measure *measure = &sweep->measures[i];
		const struct torus_result *result = &measure->result;
		struct report_figures figures;

		report_figures(&measure->context, result, &figures);
		printf("%s,%.9g,%.9g,%.9g,%.9g,%llu,%llu,%llu,%.9g,%.9g,%llu,%llu,%llu,%d,%d,"
		       "%.9g,%016llx,%s,%.6f\n",
		       load_word(sweep, i, word), figures.percent_of_peak, figures.utilization,
		       figures.payload_utilization, figures.latency_mean_ticks,
		       result->win_latency_p50, result->win_latency_p99, result->win_latency_max,
		       figures.latency_mean_ticks * result->tick_fs / 1e6, figures.hops_mean,
		       result->win_delivered, result->in_flight, result->backlog,
		       figures.saturated, figures.steady, figures.little, result->hash,
		       outcomes[measure->outcome], measure->perf.cpu_s);
	}
}

/* What the points have in common. */
static void print_title(FILE *out, const struct sweep *sweep)
{
	const struct sim_options *options = &sweep->options;
	const struct torus_geometry *geo = &options->config.geo;
	char shape[WORD_SHAPE_MAX];
	char dim[WORD_DIM_MAX];
	u32 i;

	fprintf(out, "%s %s", options->config.arch->name,
		word_shape_text(geo->nshape, geo->shape, shape, sizeof(shape)));
	fputs(geo->mesh ? " mesh " : "", out);
	for (i = 0; i < geo->ndims; i++)
		if (geo->mesh & (1u << i))
			fputs(word_dim_name(i, dim, sizeof(dim)), out);
	fprintf(out, ", %s, %u", options->load.pattern,
		options->load.traffic.size_min);
	if (options->load.traffic.size_min != options->load.traffic.size_max)
		fprintf(out, " to %u", options->load.traffic.size_max);
	fprintf(out, " bytes, seed %llu", options->config.seed);
}

static void print_text(const struct sweep *sweep)
{
	char word[WORD_MAX];
	u32 i;

	print_title(stdout, sweep);
	printf("\n\n%8s %9s %9s %9s %9s %9s %9s %7s  %s\n", "load", "% of peak", "links %",
	       "mean", "p50", "p99", "max", "hops", "");
	for (i = 0; i < sweep->done; i++) {
		const struct sim_measure *measure = &sweep->measures[i];
		const struct torus_result *result = &measure->result;
		struct report_figures figures;

		report_figures(&measure->context, result, &figures);
		printf("%8s %9.2f %9.2f %9.1f %9llu %9llu %9llu %7.3f  %s%s%s\n",
		       load_word(sweep, i, word), figures.percent_of_peak,
		       100 * figures.utilization, figures.latency_mean_ticks,
		       result->win_latency_p50, result->win_latency_p99,
		       result->win_latency_max, figures.hops_mean,
		       figures.saturated ? "saturated" : figures.steady ? "" : "not steady",
		       measure->outcome == SIM_DONE ? "" : ", ",
		       measure->outcome == SIM_DONE ? "" : outcomes[measure->outcome]);
	}
	if (sweep->done)
		printf("\nlatency in ticks of %.6g ns\n",
		       sweep->measures[0].result.tick_fs / 1e6);
}

/* ---------------------------------------------------------------- plotting */

static void plot_points(FILE *script, const struct sweep *sweep)
{
	char word[WORD_MAX];
	u32 i;

	fputs("$points << EOD\n", script);
	for (i = 0; i < sweep->done; i++) {
		const struct sim_measure *measure = &sweep->measures[i];
		struct report_figures figures;

		report_figures(&measure->context, &measure->result, &figures);
		fprintf(script, "%s %.9g %llu %.9g %.9g\n", load_word(sweep, i, word),
			figures.latency_mean_ticks, measure->result.win_latency_p99,
			figures.percent_of_peak, 100 * figures.payload_utilization);
	}
	fputs("EOD\n", script);
}

/* The title may hold a file's name, whose bytes are nothing that gnuplot should obey. */
static void plot_title(FILE *script, const struct sweep *sweep)
{
	char *title = NULL;
	size_t size, i;
	FILE *text = open_memstream(&title, &size);

	if (!text)
		return;
	print_title(text, sweep);
	if (fclose(text))
		size = 0;
	for (i = 0; i < size; i++) {
		if (title[i] == '\'')
			fputc('\'', script);
		fputc(iscntrl((unsigned char)title[i]) ? '?' : title[i], script);
	}
	free(title);
}

static void plot_draw(FILE *script, const struct sweep *sweep)
{
	plot_points(script, sweep);
	fputs("set multiplot layout 2,1 title '", script);
	plot_title(script, sweep);
	fputs("'\n"
	      "set grid\n"
	      "set xrange [0:]\n"
	      "set yrange [0:]\n"
	      "set key left top\n"
	      "set xlabel 'offered load, fraction of the peak'\n"
	      "set ylabel 'latency, ticks'\n"
	      "plot $points using 1:2 with linespoints lw 2 pt 7 title 'mean',\\\n"
	      "     $points using 1:3 with linespoints lw 2 pt 5 title '99th percentile'\n"
	      "set ylabel '%'\n"
	      "plot $points using 1:4 with linespoints lw 2 pt 7 title 'carried, % of peak',\\\n"
	      "     $points using 1:5 with linespoints lw 2 pt 5 title 'payload, % of all "
	      "links',\\\n"
	      "     $points using 1:(100*$1) with lines dt 2 lc rgb 'gray' title 'offered'\n"
	      "unset multiplot\n", script);
}

/* ----------------------------------------------------------------- command */

static void print(const struct sweep *sweep)
{
	if (sweep->options.json)
		print_json(sweep);
	else if (sweep->options.csv)
		print_csv(sweep);
	else
		print_text(sweep);
}

/* With a fabric, and perhaps a picture: measure, draw, print. */
static int sweep_fabric(struct sweep *sweep, struct sim_plot *plot)
{
	struct torus_fabric *fabric;
	int drawn = SIM_OK;
	int status;

	status = sim_fabric_new(&sweep->options, &fabric);
	if (!status) {
		sim_interrupt_watch();
		status = measure_all(sweep, fabric);
		torus_fabric_destroy(fabric);
	}
	if (plot && sweep->done)
		plot_draw(sim_plot_script(plot), sweep);
	if (plot)
		drawn = sim_plot_close(plot, sweep->done);
	/* Without a point, what was typed did not fit the fabric: that has been told. */
	if (sweep->done)
		print(sweep);
	return status ? status : drawn;
}

static int sweep_run(int argc, char **argv)
{
	struct sweep sweep = { .points = 0 };
	struct sim_plot *plot = NULL;
	int status;
	u32 i;

	status = sim_options_parse(&sweep.options, SIM_FOR_SWEEP, argc, argv);
	if (status)
		return status == SIM_HELP ? SIM_OK : status;
	if (!loads_parse(&sweep, sweep.options.loads))
		status = SIM_USAGE;
	if (!status && sweep.options.plot)
		status = sim_plot_open(sweep.options.plot, &plot);
	if (!status) {
		sweep.measures = calloc(sweep.points, sizeof(*sweep.measures));
		if (sweep.measures)
			status = sweep_fabric(&sweep, plot);
		else
			status = sim_failed("no memory for %u loads", sweep.points);
		for (i = 0; sweep.measures && i < sweep.points; i++)
			sim_series_free(&sweep.measures[i].series);
		free(sweep.measures);
	}
	sim_options_free(&sweep.options);
	return status;
}

const struct sim_command sim_sweep_command = {
	.name = "sweep",
	.help = "latency and throughput against load",
	.run = sweep_run,
};
