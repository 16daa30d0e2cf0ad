// SPDX-License-Identifier: GPL-2.0
/*
 * The measured window in parts: a time series, and confidence intervals from the means of the
 * parts (batch means).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../../report/report.h"
#include "series.h"

/* Student's t, two-sided 95 %, by degrees of freedom. */
static const double student[] = {
	0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
	2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
	2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
};

#define STUDENT	(sizeof(student) / sizeof(student[0]))
#define NORMAL	1.959964	/* value for infinite degrees of freedom */

/*
 * Student's t by degrees of freedom. Beyond the table, use an expansion around the normal
 * distribution, whose error is below 0.0002.
 */
static double student_t(unsigned int freedom)
{
	double z = NORMAL, v = freedom;

	if (freedom < STUDENT)
		return student[freedom];
	return z + (pow(z, 3) + z) / (4 * v) +
	       (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * v * v);
}

static double latency(const struct torus_point *p)
{
	u64 delivered = p[1].delivered - p[0].delivered;

	return delivered ? (double)(p[1].latency_sum - p[0].latency_sum) / delivered : NAN;
}

static double rate(const struct torus_point *p)
{
	u64 ticks = p[1].clock - p[0].clock;

	return ticks ? (double)(p[1].delivered - p[0].delivered) / ticks : 0;
}

/**
 * sim_half_width - half the width of the 95 % interval of a mean
 * @values: independent samples
 * @n: number of values, at least 1
 * @mean: [out] mean of the values
 *
 * Return: half width in the unit of the values; NAN for a single value.
 */
double sim_half_width(const double *values, unsigned int n, double *mean)
{
	double sum = 0, squares = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		sum += values[i];
	*mean = sum / n;
	for (i = 0; i < n; i++)
		squares += pow(values[i] - *mean, 2);
	return student_t(n - 1) * sqrt(squares / (n - 1) / n);
}

/* Half width of the 95 % interval of the delivery rate over @n batches, relative to the mean. */
static double half_rate(const struct torus_point *points, unsigned int n)
{
	double values[TORUS_BATCHES_MAX], mean, half;
	unsigned int i;

	for (i = 0; i < n; i++)
		values[i] = rate(&points[i]);
	half = sim_half_width(values, n, &mean);
	return mean > 0 ? half / mean : NAN;
}

/* Half width of the 95 % interval of the mean latency. Batches without deliveries are skipped. */
static double half_latency(const struct torus_point *points, unsigned int n)
{
	double values[TORUS_BATCHES_MAX], mean;
	unsigned int i, count = 0;

	for (i = 0; i < n; i++)
		if (points[i + 1].delivered > points[i].delivered)
			values[count++] = latency(&points[i]);
	return count > 1 ? sim_half_width(values, count, &mean) : NAN;
}

/**
 * sim_series_set - create a series from points
 * @series: [out] the series, freed by sim_series_free()
 * @points: counters at the start of the window and at the end of each part
 * @npoints: number of points
 *
 * Return: 0, or -1 if there is no memory.
 */
int sim_series_set(struct sim_series *series, const struct torus_point *points,
		   unsigned int npoints)
{
	memset(series, 0, sizeof(*series));
	if (npoints < 2)
		return 0;
	series->points = malloc(npoints * sizeof(*points));
	if (!series->points)
		return -1;
	series->npoints = npoints;
	memcpy(series->points, points, npoints * sizeof(*points));
	if (npoints < 3)
		return 0;
	series->batches = npoints - 1;
	series->latency_ticks = half_latency(points, series->batches);
	series->rate = half_rate(points, series->batches);
	return 0;
}

/**
 * sim_series_take - create a series from the points of a workload
 * @series: [out] the series, freed by sim_series_free()
 * @fabric: the fabric, with its workload
 *
 * Return: 0, or -1 if there is no memory.
 */
int sim_series_take(struct sim_series *series, struct torus_fabric *fabric)
{
	const struct torus_point *points;
	unsigned int npoints = torus_traffic_points(fabric, &points);

	return sim_series_set(series, points, npoints);
}

/**
 * sim_series_free - free the points of a series
 * @series: the series
 */
void sim_series_free(struct sim_series *series)
{
	free(series->points);
	series->points = NULL;
	series->npoints = 0;
}

/* Convert a number to JSON; null if it was not measured. */
static struct json_object *json_measured(double value)
{
	return isfinite(value) ? json_object_new_double(value) : NULL;
}

/**
 * sim_series_table - print a line for each part of the window
 * @series: the series
 * @out: output stream
 */
void sim_series_table(const struct sim_series *series, FILE *out)
{
	unsigned int i;

	fprintf(out, "%14s %14s %12s %12s %12s %12s\n", "from tick", "to tick", "injected",
		"delivered", "mean latency", "in flight");
	for (i = 0; i + 1 < series->npoints; i++) {
		const struct torus_point *p = &series->points[i];

		fprintf(out, "%14llu %14llu %12llu %12llu ", p[0].clock, p[1].clock,
			p[1].injected - p[0].injected, p[1].delivered - p[0].delivered);
		report_put(out, 12, 1, latency(p));
		fprintf(out, " %12llu\n", p[1].in_flight);
	}
}

/* Convert the confidence intervals to JSON. */
struct json_object *sim_series_confidence(const struct sim_series *series)
{
	struct json_object *doc = json_object_new_object();

	json_object_object_add(doc, "level", json_object_new_double(0.95));
	json_object_object_add(doc, "batches", json_object_new_int((int)series->batches));
	json_object_object_add(doc, "latency_cycles", json_measured(series->latency_ticks));
	json_object_object_add(doc, "rate", json_measured(series->rate));
	return doc;
}

/* Convert the parts to a JSON array. */
struct json_object *sim_series_json(const struct sim_series *series)
{
	struct json_object *doc = json_object_new_array();
	unsigned int i;

	for (i = 0; i + 1 < series->npoints; i++) {
		const struct torus_point *p = &series->points[i];
		struct json_object *part = json_object_new_object();

		json_object_object_add(part, "start", json_object_new_uint64(p[0].clock));
		json_object_object_add(part, "end", json_object_new_uint64(p[1].clock));
		json_object_object_add(part, "injected",
				       json_object_new_uint64(p[1].injected - p[0].injected));
		json_object_object_add(part, "delivered",
				       json_object_new_uint64(p[1].delivered - p[0].delivered));
		json_object_object_add(part, "latency_mean", json_measured(latency(p)));
		json_object_object_add(part, "packet_hops",
				       json_object_new_uint64(p[1].hops - p[0].hops));
		json_object_object_add(part, "in_flight", json_object_new_uint64(p[1].in_flight));
		json_object_array_add(doc, part);
	}
	return doc;
}
