// SPDX-License-Identifier: GPL-2.0
/*
 * Busy ticks and packets of links in the measured window and in each of its parts. The counters
 * of all links are read at the end of each part, between two steps of the workload.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../../report/json.h"
#include "../../report/report.h"
#include "../../parse/parse.h"
#include "core/base/node_number.h"
#include "core/state/snapshot.h"
#include "core/state/domain.h"
#include "../cmdline/run_config.h"
#include "../base/output_file.h"
#include "../base/message.h"
#include "link_usage.h"

static size_t use_numbers(const struct sim_link_usage *use)
{
	return (size_t)use->fabric->nodes * use->fabric->dirs * use->stride;
}

/* Number of values in a part for each direction: busy ticks, and packets by VC. */
static u32 use_part_stride(const struct sim_link_usage *use)
{
	return 1 + use->fabric->vcs;
}

static u64 *use_part(const struct sim_link_usage *use, u32 part, u32 dir)
{
	return use->parts + ((size_t)part * use->fabric->dirs + dir) * use_part_stride(use);
}

static bool is_link(const struct sim_link_usage *use, u32 node, u32 dir)
{
	return torus_geometry_neighbor(&use->fabric->cfg.geo, node, dir) != TORUS_NONE;
}

/* Read the counters of all links, summed over all processes, into @to. */
static void use_take(const struct sim_link_usage *use, u64 *to)
{
	struct torus_fabric *f = use->fabric;
	struct torus_link_counters c;
	u32 node, dir, vc;
	u64 *first = to;

	memset(to, 0, use_numbers(use) * sizeof(*to));
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++, to += use->stride) {
			if (!torus_link_near(f, node, dir))
				continue;
			if (use->stride == 1) {
				to[0] = torus_link_busy_ticks(f, node, dir);
				continue;
			}
			torus_link_counters(f, node, dir, &c);
			to[0] = c.busy_ticks;
			for (vc = 0; vc < f->vcs; vc++) {
				to[1 + vc] = c.packets[vc];
				to[1 + f->vcs + vc] = c.chunks[vc];
			}
		}
	/* the processes at the two ends of a link each have a part of its counters */
	torus_procs_sum(f, first, use_numbers(use));
}

/* ------------------------------------------------------------------------- CSV */

static void csv_header(FILE *out, const struct torus_fabric *f)
{
	u32 vc;

	fputs("from_tick,to_tick,node,dir,peer,busy_ticks", out);
	for (vc = 0; vc < f->vcs; vc++)
		fprintf(out, ",packets_%s,chunks_%s", f->router->vc_names[vc],
			f->router->vc_names[vc]);
	fputc('\n', out);
}

/*
 * Print a link's row for one part of the window. @end: point at the end of the part; end[-1] is the
 * point at its start.
 */
static void csv_row(const struct sim_link_usage *use, const struct torus_point *end, u32 node,
		    u32 dir,
		    const u64 *before, const u64 *now)
{
	const struct torus_fabric *f = use->fabric;
	const struct torus_geometry *geo = &f->cfg.geo;
	char name[PARSE_DIR_MAX];
	u32 vc;

	if (!sim_links_have(use->options->series_of, use->options->nseries_of, node, dir))
		return;
	fprintf(use->out, "%llu,%llu,%u,%s,%u,%llu", end[-1].clock, end->clock,
		torus_node_number(geo, node), torus_direction_name(dir, name, sizeof(name)),
		torus_node_number(geo, torus_geometry_neighbor(geo, node, dir)),
		now[0] - before[0]);
	for (vc = 0; vc < f->vcs; vc++)
		fprintf(use->out, ",%llu,%llu", now[1 + vc] - before[1 + vc],
			now[1 + f->vcs + vc] - before[1 + f->vcs + vc]);
	fputc('\n', use->out);
}

/* ----------------------------------------------------------------------- parts */

/* Add the counters of the part that ends at @end, and print its rows. */
static void use_add_part(struct sim_link_usage *use, const struct torus_point *end)
{
	const u64 *before = use->last, *now = use->now;
	u32 node, dir, vc;
	u64 *sum;

	for (node = 0; node < use->fabric->nodes; node++)
		for (dir = 0; dir < use->fabric->dirs;
		     dir++, before += use->stride, now += use->stride) {
			if (!is_link(use, node, dir))
				continue;
			sum = use_part(use, use->points - 1, dir);
			for (vc = 0; vc < use_part_stride(use); vc++)
				sum[vc] += now[vc] - before[vc];
			if (use->out)
				csv_row(use, end, node, dir, before, now);
		}
}

/**
 * sim_link_usage_begin - start to count, before the first step
 * @use: [out] initialized; freed by sim_link_usage_free()
 * @fabric: the fabric, with its workload
 * @options: the options, which must outlive @use
 *
 * Return: SIM_OK, or SIM_FAILED after an error message.
 */
int sim_link_usage_begin(struct sim_link_usage *use, struct torus_fabric *fabric,
			 const struct sim_run_config *options)
{
	u64 parts = options->series ? options->load.traffic.batches : 0;
	const char *path = options->series_links;

	*use = (struct sim_link_usage){ .fabric = fabric };
	if (!options->series && !options->heatmap)
		return SIM_OK;
	use->options = options;
	use->stride = options->series ? 1 + 2 * fabric->vcs : 1;
	use->begin = calloc(use_numbers(use), sizeof(*use->begin));
	use->last = parts ? calloc(use_numbers(use), sizeof(*use->last)) : NULL;
	use->now = parts ? calloc(use_numbers(use), sizeof(*use->now)) : NULL;
	use->parts = parts ? calloc(parts * fabric->dirs * use_part_stride(use),
				    sizeof(*use->parts)) : NULL;
	use->end = options->heatmap ? calloc(use_numbers(use), sizeof(*use->end)) : NULL;
	if (!use->begin || (options->heatmap && !use->end) ||
	    (parts && (!use->last || !use->now || !use->parts))) {
		sim_link_usage_free(use);
		return sim_error("out of memory for the counters of the links of %u nodes",
				 fabric->nodes);
	}
	if (!path)
		return SIM_OK;
	use->out = sim_output_open("--series-links", path);
	if (!use->out) {
		sim_link_usage_free(use);
		return SIM_FAILED;
	}
	csv_header(use->out, fabric);
	return SIM_OK;
}

/**
 * sim_link_usage_sample - read the counters if a part begins or ends at this step
 * @use: the counters
 */
void sim_link_usage_sample(struct sim_link_usage *use)
{
	const struct torus_point *points;
	u64 *swap;
	u32 n;

	if (!use->options)
		return;
	n = torus_traffic_points(use->fabric, &points);
	if (n && !use->points) {
		/*
		 * if the window begins at tick 0, keep the initial zeros as start of the window:
		 * its first part may already have ended
		 */
		if (points[0].clock)
			use_take(use, use->begin);
		if (use->last)
			memcpy(use->last, use->begin, use_numbers(use) * sizeof(*use->last));
		use->started = points[0].clock;
		use->points = 1;
	}
	if (n <= use->points || !use->parts)
		return;
	use_take(use, use->now);
	use_add_part(use, &points[n - 1]);
	swap = use->last;
	use->last = use->now;
	use->now = swap;
	use->points = n;
}

/**
 * sim_link_usage_snapshot - save or restore the counters
 * @snap: the snapshot
 * @use: the counters, initialized with the same options
 */
void sim_link_usage_snapshot(struct torus_snapshot *snap, struct sim_link_usage *use)
{
	u64 parts = use->parts ? use->options->load.traffic.batches : 0;

	if (!use->options)
		return;
	SNAPSHOT_FIELD(snap, use->points);
	SNAPSHOT_FIELD(snap, use->started);
	torus_snapshot_check(snap, use->points <= parts + 1, "number of parts of the window =",
			     use->points);
	torus_snapshot_bytes(snap, use->begin, use_numbers(use) * sizeof(*use->begin));
	if (!parts)
		return;
	torus_snapshot_bytes(snap, use->last, use_numbers(use) * sizeof(*use->last));
	torus_snapshot_bytes(snap, use->parts, parts * use->fabric->dirs * use_part_stride(use) *
				   sizeof(*use->parts));
}

/**
 * sim_link_usage_end - read the final counters, and close the file of --series-links
 * @use: the counters
 *
 * Return: SIM_OK, or SIM_FAILED after an error message.
 */
int sim_link_usage_end(struct sim_link_usage *use)
{
	FILE *out = use->out;

	use->out = NULL;
	if (use->end)
		use_take(use, use->end);
	return out ? sim_output_close(out, "--series-links", use->options->series_links) : SIM_OK;
}

/**
 * sim_link_usage_free - free the counters
 * @use: the counters, initialized or zeroed
 */
void sim_link_usage_free(struct sim_link_usage *use)
{
	if (use->out && use->out != stdout)
		fclose(use->out);
	free(use->begin);
	free(use->end);
	free(use->last);
	free(use->now);
	free(use->parts);
	*use = (struct sim_link_usage){ .options = NULL };
}

/* ---------------------------------------------------------------------- output */

static u32 use_links(const struct sim_link_usage *use, u32 dir)
{
	u32 node, links = 0;

	for (node = 0; node < use->fabric->nodes; node++)
		links += is_link(use, node, dir);
	return links;
}

/*
 * Mean utilization (0..1) of the links in one direction, in one part of the window. @ticks: length
 * of the part.
 */
static double use_part_busy(const struct sim_link_usage *use, u32 part, u32 dir, u64 ticks)
{
	u32 links = use_links(use, dir);

	return links && ticks ? use_part(use, part, dir)[0] / ((double)links * ticks) : 0;
}

/**
 * sim_link_usage_table - print the utilization of the links of each direction in each part
 * @use: the counters
 * @out: output stream
 */
void sim_link_usage_table(const struct sim_link_usage *use, FILE *out)
{
	const struct torus_point *points;
	char name[PARSE_DIR_MAX];
	u32 i, dir;

	torus_traffic_points(use->fabric, &points);
	fprintf(out, "%% busy:%7s", "");
	for (dir = 0; dir < use->fabric->dirs; dir++)
		if (use_links(use, dir))
			fprintf(out, " %6s", torus_direction_name(dir, name, sizeof(name)));
	fputc('\n', out);
	for (i = 0; i + 1 < use->points; i++) {
		u64 ticks = points[i + 1].clock - points[i].clock;

		fprintf(out, "%14llu", points[i].clock);
		for (dir = 0; dir < use->fabric->dirs; dir++)
			if (use_links(use, dir))
				fprintf(out, " %6.2f", 100 * use_part_busy(use, i, dir, ticks));
		fputc('\n', out);
	}
}

/**
 * sim_link_usage_json - add the utilization of links and the packets by VC in one part of the
 * window, for each direction
 * @part: [in, out] JSON object of the part, which has start and end already
 * @use: the counters
 * @i: index of the part
 */
void sim_link_usage_json(struct json_object *part, const struct sim_link_usage *use, u32 i)
{
	const struct torus_fabric *f = use->fabric;
	struct json_object *dirs, *one, *packets;
	const struct torus_point *points;
	char name[PARSE_DIR_MAX];
	u32 dir, vc;
	u64 ticks;

	if (i + 1 >= use->points)
		return;
	torus_traffic_points(use->fabric, &points);
	ticks = points[i + 1].clock - points[i].clock;
	dirs = json_object_new_object();
	for (dir = 0; dir < f->dirs; dir++) {
		if (!use_links(use, dir))
			continue;
		one = json_object_new_object();
		packets = json_object_new_object();
		report_add_double(one, "busy", use_part_busy(use, i, dir, ticks));
		for (vc = 0; vc < f->vcs; vc++)
			report_add_u64(packets, f->router->vc_names[vc],
				       use_part(use, i, dir)[1 + vc]);
		json_object_object_add(one, "packets", packets);
		json_object_object_add(dirs, torus_direction_name(dir, name, sizeof(name)), one);
	}
	json_object_object_add(part, "directions", dirs);
}

/**
 * sim_link_usage_of - the utilization of a node's links of a dimension in the window
 * @use: the counters
 * @node: the node
 * @dim: the dimension
 *
 * Return: mean over the node's links of the dimension, 0..1; NAN if it has none.
 */
double sim_link_usage_of(const struct sim_link_usage *use, u32 node, u32 dim)
{
	struct torus_fabric *f = use->fabric;
	u64 ticks = torus_fabric_clock(f) - use->started, busy = 0;
	u32 dir, links = 0;
	size_t i;

	for (dir = 2 * dim; dir < 2 * dim + 2; dir++) {
		if (!is_link(use, node, dir))
			continue;
		i = ((size_t)node * f->dirs + dir) * use->stride;
		busy += use->end[i] - use->begin[i];
		links++;
	}
	if (!links)
		return NAN;
	return ticks ? busy / ((double)links * ticks) : 0;
}
