// SPDX-License-Identifier: GPL-2.0
/* Sort events of packets, and format each as a line of text or of JSON. */
#include <string.h>

#include <json-c/json.h>

#include "core/base/geometry.h"
#include "core/base/node_number.h"
#include "core/base/packet.h"
#include "core/run/report.h"
#include "core/state/stop.h"
#include "../common/escape.h"
#include "../parse/parse.h"
#include "json.h"
#include "packet_event.h"

#define COLUMN_NODE	12	/* minimum width of a column with coordinates */

static const char *const stalls[TORUS_STALL_MAX] = {
	[TORUS_STALL_TOKEN] = "token",
	[TORUS_STALL_LOST] = "lost",
	[TORUS_STALL_BUBBLE] = "bubble",
	[TORUS_STALL_BUS] = "bus",
};

static bool is_about_link(const struct packet_event *e)
{
	return e->what == TORUS_TRACE_STALL || e->what == TORUS_TRACE_HOP ||
	       e->what == TORUS_TRACE_ERROR || e->what == TORUS_TRACE_RESEND;
}

/* Check whether an event belongs to a VC: errors and retransmissions belong only to a link. */
static bool is_about_vc(const struct packet_event *e)
{
	return e->what == TORUS_TRACE_STALL || e->what == TORUS_TRACE_HOP;
}

static const char *vc_name(const struct torus_config *config, u32 vc)
{
	return config->arch->router(config)->vc_names[vc];
}

static int by(u64 x, u64 y)
{
	return (x > y) - (x < y);
}

/**
 * packet_event_order - compare two events, for qsort()
 * @a: an event
 * @b: another event
 *
 * Events are sorted by tick, node and packet. Events of one packet are in the order of cause and
 * effect. So the order does not depend on the number of domains.
 *
 * Return: below, equal to or above 0.
 */
int packet_event_order(const void *a, const void *b)
{
	const struct packet_event *x = a, *y = b;
	int order = by(x->at, y->at);

	order = order ? order : by(x->node, y->node);
	order = order ? order : by(x->src, y->src);
	order = order ? order : by(x->seq, y->seq);
	order = order ? order : by(x->dst, y->dst);
	order = order ? order : by(x->what, y->what);
	order = order ? order : by(x->dir, y->dir);
	order = order ? order : by(x->vc, y->vc);
	order = order ? order : by(x->about, y->about);
	order = order ? order : by(x->hops, y->hops);
	return order ? order : by(x->flags, y->flags);
}

/* ----------------------------------------------------------------------- text */

/**
 * packet_event_head - print the header of a text trace
 * @out: output stream
 * @config: configuration of the fabric
 */
void packet_event_head(FILE *out, const struct torus_config *config)
{
	char shape[PARSE_SHAPE_MAX];

	fprintf(out, "# %s %s, a tick is %.3f ns\n", config->arch->name,
		torus_geometry_shape(&config->geo, shape, sizeof(shape)),
		config->arch->tick_fs(config) / 1e6);
	fprintf(out, "#%13s %-8s%-*s %-*s %10s %-*s %s\n", "tick", "event", COLUMN_NODE, "node",
		COLUMN_NODE, "packet: from", "number", COLUMN_NODE, "to", "link, VC and more");
}

static void text_ways(FILE *out, const struct torus_config *config, u64 ways)
{
	u32 i, vcs = config->arch->router(config)->vcs;
	char dir[PARSE_DIR_MAX];

	if (!ways)
		fputs(" arrived", out);
	for (; ways; ways &= ways - 1) {
		i = (u32)__builtin_ctzll(ways);
		fprintf(out, " %s:%s", torus_direction_name(i / vcs, dir, sizeof(dir)),
			vc_name(config, i % vcs));
	}
}

/**
 * packet_event_text - print an event as text
 * @out: output stream
 * @config: configuration of the fabric
 * @e: the event
 */
void packet_event_text(FILE *out, const struct torus_config *config, const struct packet_event *e)
{
	const struct torus_geometry *geo = &config->geo;
	char node[PARSE_COORDS_MAX], src[PARSE_COORDS_MAX], dst[PARSE_COORDS_MAX];
	char dir[PARSE_DIR_MAX];

	fprintf(out, "%14llu %-8s%-*s %-*s %10u %-*s", (unsigned long long)e->at,
		torus_stop_name(e->what),
		COLUMN_NODE, torus_geometry_text(geo, e->node, node, sizeof(node)),
		COLUMN_NODE, torus_geometry_text(geo, e->src, src, sizeof(src)), e->seq,
		COLUMN_NODE, torus_geometry_text(geo, e->dst, dst, sizeof(dst)));
	if (is_about_link(e))
		fprintf(out, " %s", torus_direction_name(e->dir, dir, sizeof(dir)));
	if (is_about_vc(e))
		fprintf(out, ":%s", vc_name(config, e->vc));
	switch (e->what) {
	case TORUS_TRACE_INJECT:
		fprintf(out, " bytes %u waited %llu", e->chunks * config->arch->chunk_bytes,
			(unsigned long long)e->about);
		break;
	case TORUS_TRACE_ROUTE:
		text_ways(out, config, e->about);
		break;
	case TORUS_TRACE_STALL:
		fprintf(out, " %s", stalls[e->about]);
		break;
	case TORUS_TRACE_HOP:
		fprintf(out, " hops %u", e->hops);
		if (e->about)
			fprintf(out, " waits %llu", (unsigned long long)e->about);
		break;
	case TORUS_TRACE_DELIVER:
		fprintf(out, " hops %u", e->hops);
		break;
	case TORUS_TRACE_DROP:
		if (!(e->flags & TORUS_PACKET_INVALID))
			fprintf(out, " %s", torus_drop_name(config->arch, (u32)e->about));
		break;
	}
	fputs(e->flags & TORUS_PACKET_INVALID ? " invalid\n" : "\n", out);
}

/* ----------------------------------------------------------------------- JSON */

static void add_dir(struct json_object *line, u32 dir)
{
	char name[PARSE_DIR_MAX];

	report_add_text(line, "dir", torus_direction_name(dir, name, sizeof(name)));
}

static void add_ways(struct json_object *line, const struct torus_config *config, u64 ways)
{
	struct json_object *list = json_object_new_array();
	u32 vcs = config->arch->router(config)->vcs;

	for (; ways; ways &= ways - 1) {
		struct json_object *way = json_object_new_object();
		u32 i = (u32)__builtin_ctzll(ways);

		add_dir(way, i / vcs);
		report_add_text(way, "vc", vc_name(config, i % vcs));
		json_object_array_add(list, way);
	}
	json_object_object_add(line, "ways", list);
}

/* Add the JSON members that depend on the kind of event. */
static void add_more(struct json_object *line, const struct torus_config *config,
		     const struct packet_event *e)
{
	const char *reason = NULL;

	switch (e->what) {
	case TORUS_TRACE_INJECT:
		report_add_u64(line, "bytes", e->chunks * config->arch->chunk_bytes);
		report_add_u64(line, "wait", e->about);
		break;
	case TORUS_TRACE_ROUTE:
		add_ways(line, config, e->about);
		break;
	case TORUS_TRACE_STALL:
		reason = stalls[e->about];
		break;
	case TORUS_TRACE_HOP:
		report_add_u64(line, "wait", e->about);
		break;
	case TORUS_TRACE_DROP:
		if (!(e->flags & TORUS_PACKET_INVALID))
			reason = torus_drop_name(config->arch, (u32)e->about);
		break;
	}
	if (reason)
		report_add_text(line, "reason", reason);
}

/**
 * packet_event_json - print an event as a line of JSON
 * @out: output stream
 * @config: configuration of the fabric
 * @e: the event
 */
void packet_event_json(FILE *out, const struct torus_config *config, const struct packet_event *e)
{
	const struct torus_geometry *geo = &config->geo;
	struct json_object *line = json_object_new_object();

	report_add_u64(line, "tick", e->at);
	report_add_text(line, "event", torus_stop_name(e->what));
	report_add_u64(line, "node", torus_node_number(geo, e->node));
	report_add_u64(line, "source", torus_node_number(geo, e->src));
	report_add_u64(line, "number", e->seq);
	report_add_u64(line, "destination", torus_node_number(geo, e->dst));
	report_add_u64(line, "hops", e->hops);
	if (is_about_link(e))
		add_dir(line, e->dir);
	if (is_about_vc(e))
		report_add_text(line, "vc", vc_name(config, e->vc));
	add_more(line, config, e);
	if (e->flags & TORUS_PACKET_INVALID)
		report_add_bool(line, "invalid", true);
	torus_escape_json(out, json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN));
	json_object_put(line);
}

/**
 * packet_event_lost - print that events are missing
 * @out: output stream
 * @json: print JSON
 * @tick: no event before this tick is missing
 * @events: number of events
 */
void packet_event_lost(FILE *out, bool json, u64 tick, u64 events)
{
	if (json)
		fprintf(out, "{\"event\":\"lost\",\"tick\":%llu,\"events\":%llu}\n",
			(unsigned long long)tick, (unsigned long long)events);
	else
		fprintf(out, "lost %llu events from tick %llu on\n", (unsigned long long)events,
			(unsigned long long)tick);
}

/* Check whether a file has events as lines of JSON: its name ends in .json or .jsonl. */
bool packet_event_is_json(const char *path)
{
	const char *end = strrchr(path, '.');

	return end && (!strcmp(end, ".json") || !strcmp(end, ".jsonl"));
}
