// SPDX-License-Identifier: GPL-2.0
/* Format an event of a trace as a line of text or of JSON. */
#include <string.h>

#include <json-c/json.h>

#include "../../common/escape.h"
#include "../../report/json.h"
#include "core/base/geometry.h"
#include "core/base/node_number.h"
#include "core/state/stop.h"
#include "../../report/report.h"
#include "../../parse/parse.h"
#include "event.h"
#include "trace.h"

#define COLUMN_NODE	12	/* minimum width of a column with coordinates */

static const char *const names[] = {
	[TORUS_TRACE_INJECT] = "inject",
	[TORUS_TRACE_ROUTE] = "route",
	[TORUS_TRACE_STALL] = "stall",
	[TORUS_TRACE_HOP] = "hop",
	[TORUS_TRACE_ERROR] = "error",
	[TORUS_TRACE_RESEND] = "resend",
	[TORUS_TRACE_DELIVER] = "deliver",
	[TORUS_TRACE_DROP] = "drop",
	/* events without a line in a trace, at which a run can stop */
	[TORUS_TRACE_ACK] = "ack",
	[TORUS_STOP_INTERRUPT] = "interrupt",
};

static const char *const stalls[TORUS_STALL_MAX] = {
	[TORUS_STALL_TOKEN] = "token",
	[TORUS_STALL_LOST] = "lost",
	[TORUS_STALL_BUBBLE] = "bubble",
	[TORUS_STALL_BUS] = "bus",
};

static bool is_about_link(const struct sim_event *e)
{
	return e->what == TORUS_TRACE_STALL || e->what == TORUS_TRACE_HOP ||
	       e->what == TORUS_TRACE_ERROR || e->what == TORUS_TRACE_RESEND;
}

/* Check whether an event belongs to a VC: errors and retransmissions belong only to a link. */
static bool is_about_vc(const struct sim_event *e)
{
	return e->what == TORUS_TRACE_STALL || e->what == TORUS_TRACE_HOP;
}

static const char *vc_name(const struct torus_fabric *fabric, u32 vc)
{
	return fabric->router->vc_names[vc];
}

/**
 * sim_event_name - the name of an event
 * @event: event that sim_event_find() finds: enum torus_trace_event, or TORUS_STOP_INTERRUPT
 *
 * Return: the name.
 */
const char *sim_event_name(u32 event)
{
	return names[event];
}

/**
 * sim_event_find - find an event at which a run can stop
 * @name: the event's name
 * @mask: [out] 1 << event
 *
 * Return: false if there is no such event.
 */
bool sim_event_find(const char *name, u32 *mask)
{
	u32 i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i] && !strcmp(names[i], name)) {
			*mask = 1u << i;
			return true;
		}
	return false;
}

/**
 * sim_event_is_json - check whether a trace file has JSON lines
 * @path: name of the file
 *
 * Return: true if the name ends in .json or .jsonl.
 */
bool sim_event_is_json(const char *path)
{
	const char *end = strrchr(path, '.');

	return end && (!strcmp(end, ".json") || !strcmp(end, ".jsonl"));
}

/* ----------------------------------------------------------------------- text */

/**
 * sim_event_head - print the header of a text trace
 * @out: output stream
 * @fabric: the fabric
 */
void sim_event_head(FILE *out, const struct torus_fabric *fabric)
{
	char shape[PARSE_SHAPE_MAX];

	fprintf(out, "# %s %s, a tick is %.3f ns\n", fabric->arch->name,
		torus_geometry_shape(&fabric->cfg.geo, shape, sizeof(shape)),
		fabric->tick_fs / 1e6);
	fprintf(out, "#%13s %-8s%-*s %-*s %10s %-*s %s\n", "tick", "event", COLUMN_NODE, "node",
		COLUMN_NODE, "packet: from", "number", COLUMN_NODE, "to", "link, VC and more");
}

static void text_ways(FILE *out, const struct torus_fabric *fabric, u64 ways)
{
	char dir[PARSE_DIR_MAX];
	u32 i;

	if (!ways)
		fputs(" arrived", out);
	for (; ways; ways &= ways - 1) {
		i = (u32)__builtin_ctzll(ways);
		fprintf(out, " %s:%s", torus_direction_name(i / fabric->vcs, dir, sizeof(dir)),
			vc_name(fabric, i % fabric->vcs));
	}
}

/**
 * sim_event_text - print an event as text
 * @out: output stream
 * @fabric: the fabric
 * @e: the event
 */
void sim_event_text(FILE *out, const struct torus_fabric *fabric, const struct sim_event *e)
{
	const struct torus_geometry *geo = &fabric->cfg.geo;
	char node[PARSE_COORDS_MAX], src[PARSE_COORDS_MAX], dst[PARSE_COORDS_MAX];
	char dir[PARSE_DIR_MAX];

	fprintf(out, "%14llu %-8s%-*s %-*s %10u %-*s", (unsigned long long)e->at, names[e->what],
		COLUMN_NODE, torus_geometry_text(geo, e->node, node, sizeof(node)),
		COLUMN_NODE, torus_geometry_text(geo, e->src, src, sizeof(src)), e->seq,
		COLUMN_NODE, torus_geometry_text(geo, e->dst, dst, sizeof(dst)));
	if (is_about_link(e))
		fprintf(out, " %s", torus_direction_name(e->dir, dir, sizeof(dir)));
	if (is_about_vc(e))
		fprintf(out, ":%s", vc_name(fabric, e->vc));
	switch (e->what) {
	case TORUS_TRACE_INJECT:
		fprintf(out, " bytes %u waited %llu", e->chunks * fabric->arch->chunk_bytes,
			(unsigned long long)e->about);
		break;
	case TORUS_TRACE_ROUTE:
		text_ways(out, fabric, e->about);
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
			fprintf(out, " %s", torus_drop_name(fabric->arch, (u32)e->about));
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

static void add_ways(struct json_object *line, const struct torus_fabric *fabric, u64 ways)
{
	struct json_object *list = json_object_new_array();

	for (; ways; ways &= ways - 1) {
		struct json_object *way = json_object_new_object();
		u32 i = (u32)__builtin_ctzll(ways);

		add_dir(way, i / fabric->vcs);
		report_add_text(way, "vc", vc_name(fabric, i % fabric->vcs));
		json_object_array_add(list, way);
	}
	json_object_object_add(line, "ways", list);
}

/* Add the JSON members that depend on the kind of event. */
static void add_more(struct json_object *line, const struct torus_fabric *fabric,
		     const struct sim_event *e)
{
	const char *reason = NULL;

	switch (e->what) {
	case TORUS_TRACE_INJECT:
		report_add_u64(line, "bytes", e->chunks * fabric->arch->chunk_bytes);
		report_add_u64(line, "wait", e->about);
		break;
	case TORUS_TRACE_ROUTE:
		add_ways(line, fabric, e->about);
		break;
	case TORUS_TRACE_STALL:
		reason = stalls[e->about];
		break;
	case TORUS_TRACE_HOP:
		report_add_u64(line, "wait", e->about);
		break;
	case TORUS_TRACE_DROP:
		if (!(e->flags & TORUS_PACKET_INVALID))
			reason = torus_drop_name(fabric->arch, (u32)e->about);
		break;
	}
	if (reason)
		report_add_text(line, "reason", reason);
}

/**
 * sim_event_json - print an event as a line of JSON
 * @out: output stream
 * @fabric: the fabric
 * @e: the event
 */
void sim_event_json(FILE *out, const struct torus_fabric *fabric, const struct sim_event *e)
{
	const struct torus_geometry *geo = &fabric->cfg.geo;
	struct json_object *line = json_object_new_object();

	report_add_u64(line, "tick", e->at);
	report_add_text(line, "event", names[e->what]);
	report_add_u64(line, "node", torus_node_number(geo, e->node));
	report_add_u64(line, "source", torus_node_number(geo, e->src));
	report_add_u64(line, "number", e->seq);
	report_add_u64(line, "destination", torus_node_number(geo, e->dst));
	report_add_u64(line, "hops", e->hops);
	if (is_about_link(e))
		add_dir(line, e->dir);
	if (is_about_vc(e))
		report_add_text(line, "vc", vc_name(fabric, e->vc));
	add_more(line, fabric, e);
	if (e->flags & TORUS_PACKET_INVALID)
		report_add_bool(line, "invalid", true);
	torus_escape_json(out, json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN));
	json_object_put(line);
}
