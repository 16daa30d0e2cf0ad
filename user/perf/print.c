// SPDX-License-Identifier: GPL-2.0
/* Print the results of torus-pingpong, as text and as JSON. */
#include <math.h>
#include <stdio.h>
#include <json-c/json.h>
#include "../common/answer.h"
#include "../common/version.h"
#include "../report/print.h"
#include "pingpong.h"
#include "print.h"

static struct json_object *document, *rows;

static const char head_form[] =
	"# fabric {fabric} ({arch}): rank 0 at {coords} and rank {partner} at {partner_coords}, "
	"{hops} hop{!hops=1}s{/}\n"
	"# simulated: one way, from the first packet's entry into its injection FIFO to\n"
	"#            the last byte's arrival; a tick is {tick_fs/1e6%.6g} ns\n"
	"# wall:      half of a round trip on this computer, library and simulation\n"
	"     bytes  rounds    sim ticks       sim ns   sim MB/s      wall us  wall MB/s\n";

static const char row_form[] =
	"{bytes%10u} {rounds%7u} {simulated_ticks_mean%12.1f} {simulated_ns_mean%12.1f} "
	"{simulated_mb_per_s%10.2f} {wall_ns_mean/1e3%12.2f} {wall_mb_per_s%10.2f}\n";

/* Return the number of links on a shortest path between the two ranks' nodes. */
static unsigned int hops(const struct pingpong_pair *pair)
{
	const struct torus_ioc_info *info = pair->info;
	unsigned int sum = 0;
	uint32_t d;

	for (d = 0; d < info->ndims; d++) {
		uint32_t from = pair->coords[0][d], to = pair->coords[1][d];
		uint32_t way = from > to ? from - to : to - from;

		if (!(info->mesh >> d & 1) && info->dims[d] - way < way)
			way = info->dims[d] - way;
		sum += way;
	}
	return sum;
}

static double tick_ns(const struct pingpong_pair *pair)
{
	return pair->info->tick_fs / 1e6;
}

/*
 * Return the rate in megabytes per second (bytes per microsecond), or NAN if no time was measured.
 */
static double rate(const struct pingpong_row *row, double ns)
{
	return ns > 0 ? row->bytes / ns * 1e3 : NAN;
}

static void add_number(struct json_object *object, const char *key, double value)
{
	char text[32];

	if (!isfinite(value)) {
		json_object_object_add(object, key, NULL);
		return;
	}
	snprintf(text, sizeof(text), "%.9g", value);
	json_object_object_add(object, key, json_object_new_double_s(value, text));
}

static void add_u64(struct json_object *object, const char *key, __u64 value)
{
	json_object_object_add(object, key, json_object_new_uint64(value));
}

static void add_coords(const char *key, const struct pingpong_pair *pair, int which)
{
	struct json_object *list = json_object_new_array();
	uint32_t d;

	for (d = 0; d < pair->info->ndims; d++)
		json_object_array_add(list, json_object_new_uint64(pair->coords[which][d]));
	json_object_object_add(document, key, list);
}

static void document_begin(const struct pingpong_pair *pair)
{
	document = json_object_new_object();
	rows = json_object_new_array();
	json_object_object_add(document, "fabric", json_object_new_string(pair->info->fabric));
	json_object_object_add(document, "arch", json_object_new_string(pair->info->arch));
	add_u64(document, "ranks", pair->size);
	add_u64(document, "partner", pair->partner);
	add_u64(document, "node", pair->nodes[0]);
	add_u64(document, "partner_node", pair->nodes[1]);
	add_u64(document, "hops", hops(pair));
	add_u64(document, "tick_fs", pair->info->tick_fs);
	json_object_object_add(document, "sizes", rows);
	json_object_object_add(document, "program", json_object_new_string("torus-pingpong"));
	json_object_object_add(document, "version", json_object_new_string(torus_version()));
}

/**
 * pingpong_begin - print the heading: the two ranks and the meaning of the columns
 * @call: the command line
 * @pair: the two ranks
 */
void pingpong_begin(const struct pingpong *call, const struct pingpong_pair *pair)
{
	document_begin(pair);
	if (call->json)
		return;
	add_coords("coords", pair, 0);
	add_coords("partner_coords", pair, 1);
	report_print(stdout, document, head_form);
	torus_answer_flush();
}

/**
 * pingpong_row - print the results for one length
 * @call: the command line
 * @pair: the two ranks
 * @row: the results
 */
void pingpong_row(const struct pingpong *call, const struct pingpong_pair *pair,
		  const struct pingpong_row *row)
{
	double ns = row->ticks_mean * tick_ns(pair);
	struct json_object *object = json_object_new_object();

	add_u64(object, "bytes", row->bytes);
	add_u64(object, "rounds", row->rounds);
	add_number(object, "simulated_ticks_mean", row->ticks_mean);
	add_u64(object, "simulated_ticks_min", row->ticks_min);
	add_u64(object, "simulated_ticks_max", row->ticks_max);
	add_number(object, "simulated_ns_mean", ns);
	add_number(object, "simulated_mb_per_s", rate(row, ns));
	add_number(object, "wall_ns_mean", row->wall_ns);
	add_number(object, "wall_mb_per_s", rate(row, row->wall_ns));
	report_item(call->json ? rows : NULL, object, row_form);
	if (!call->json)
		torus_answer_flush();
}

/**
 * pingpong_end - print the JSON document, if the output is JSON
 * @call: the command line
 */
void pingpong_end(const struct pingpong *call)
{
	if (document && call->json)
		report_print_json(document, call->pretty);
	else
		json_object_put(document);
	document = NULL;
}
