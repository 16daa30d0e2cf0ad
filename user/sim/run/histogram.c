// SPDX-License-Identifier: GPL-2.0
/* Histograms of latency as a file: CSV or a picture. */
#include <string.h>

#include "histogram.h"
#include "measure.h"
#include "../base/output_file.h"
#include "../base/plot.h"
#include "../base/message.h"

static bool is_picture(const char *path)
{
	const char *end = strrchr(path, '.');

	return end && (!strcmp(end, ".svg") || !strcmp(end, ".png"));
}

/**
 * sim_histogram_check - check that the histograms can be written to a file
 * @option: option that names the file, for the error message
 * @path: the file
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_histogram_check(const char *option, const char *path)
{
	struct sim_plot *plot;
	int status;

	if (!is_picture(path))
		return sim_writable(option, path);
	/* Start gnuplot once, to check before a run that may take an hour that it is installed. */
	status = sim_plot_open(path, &plot);
	return status ? status : sim_plot_close(plot, false);
}

static void csv_rows(FILE *out, const char *what, const char *hops,
		     const struct torus_latency *latency)
{
	u32 i;

	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++)
		if (latency->bucket[i])
			fprintf(out, "%s,%s,%llu,%llu,%llu\n", what, hops, torus_latency_floor(i),
				torus_latency_floor(i + 1) - 1, latency->bucket[i]);
}

static void csv(FILE *out, const struct sim_measure *measure)
{
	const struct torus_latencies *l = measure->statistics.latencies;
	char hops[16];
	u32 i;

	fputs("latency,hops,from_cycles,to_cycles,packets\n", out);
	csv_rows(out, "source", "", &l->source);
	csv_rows(out, "network", "", &measure->statistics.network);
	csv_rows(out, "total", "", &l->total);
	for (i = 0; measure->context.traffic.reply && i < TORUS_LATENCY_CLASSES; i++)
		csv_rows(out, sim_latency_classes[i], "", &l->by_class[i]);
	for (i = 0; i < l->hops; i++) {
		snprintf(hops, sizeof(hops), "%u", i);
		csv_rows(out, "network_by_hops", hops, &l->network[i]);
	}
}

static int csv_file(const struct sim_measure *measure, const char *path)
{
	FILE *out = sim_output_open("--histogram", path);

	if (!out)
		return SIM_FAILED;
	csv(out, measure);
	return sim_output_close(out, "--histogram", path);
}

/*
 * Print the number of packets per tick of latency for each bucket, so that buckets of different
 * widths can be compared.
 */
static void plot_points(FILE *script, const char *name, const struct torus_latency *latency)
{
	u32 i;

	fprintf(script, "$%s << EOD\n", name);
	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++) {
		u64 from = torus_latency_floor(i), to = torus_latency_floor(i + 1);

		if (latency->bucket[i])
			fprintf(script, "%.9g %.9g\n", (from + to - 1) / 2.0,
				(double)latency->bucket[i] / (to - from));
	}
	fputs("EOD\n", script);
}

static void plot_hops(FILE *script, const struct torus_latencies *l)
{
	u32 i;

	fputs("$hops << EOD\n", script);
	for (i = 0; i < l->hops; i++)
		if (sim_latency_count(&l->network[i]))
			fprintf(script, "%u %.9g %.9g %llu\n", i, sim_latency_mean(&l->network[i]),
				sim_latency_quantile(&l->network[i], 0.99), l->network[i].max);
	fputs("EOD\n", script);
}

static void plot_draw(FILE *script, const struct sim_measure *measure)
{
	const struct torus_latencies *l = measure->statistics.latencies;
	bool classes = measure->context.traffic.reply;
	u32 i;

	for (i = 0; classes && i < TORUS_LATENCY_CLASSES; i++)
		plot_points(script, sim_latency_classes[i], &l->by_class[i]);
	plot_points(script, "source", &l->source);
	plot_points(script, "network", &measure->statistics.network);
	plot_points(script, "total", &l->total);
	plot_hops(script, l);
	fprintf(script, "set multiplot layout 2,1 title '%s, seed %llu'\n"
		"set grid\n"
		"set logscale xy\n"
		"set key right top\n"
		"set xlabel 'latency, ticks'\n"
		"set ylabel 'packets a tick of latency'\n"
		"plot $source with linespoints lw 2 title 'source queue',\\\n"
		"     $network with linespoints lw 2 title 'network',\\\n"
		"     $total with linespoints lw 2 title 'total'%s\n"
		"unset logscale\n"
		"set key left top\n"
		"set yrange [0:]\n"
		"set xlabel 'hops'\n"
		"set ylabel 'latency in the network, ticks'\n"
		"plot $hops using 1:2 with linespoints lw 2 title 'mean',\\\n"
		"     $hops using 1:3 with linespoints lw 2 title '99th percentile',\\\n"
		"     $hops using 1:4 with points title 'longest'\n"
		"unset multiplot\n", measure->context.arch,
		(unsigned long long)measure->context.seed, !classes ? "" :
		",\\\n     $request with linespoints title 'requests',\\\n"
		"     $reply with linespoints title 'replies',\\\n"
		"     $round_trip with linespoints title 'there and back'");
}

/**
 * sim_histogram_write - write the histograms of a workload
 * @measure: measurement with statistics
 * @path: the file; the extension .svg or .png selects a picture, else CSV
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after an error message.
 */
int sim_histogram_write(const struct sim_measure *measure, const char *path)
{
	struct sim_plot *plot = NULL;
	int status;

	if (!is_picture(path))
		return csv_file(measure, path);
	status = sim_plot_open(path, &plot);
	if (status)
		return status;
	plot_draw(sim_plot_script(plot), measure);
	return sim_plot_close(plot, true);
}
