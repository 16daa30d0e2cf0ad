// SPDX-License-Identifier: GPL-2.0
/* A line of JSON of a trace: an event, or the number of events that are missing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "core/base/geometry.h"
#include "core/base/node_number.h"
#include "json.h"

/* Get a member that must be an integer of at most @max. */
static bool json_number(struct json_object *line, const char *key, u64 max, u64 *value,
			struct parse_error *why)
{
	struct json_object *member;
	int64_t number;

	if (!json_object_object_get_ex(line, key, &member))
		return parse_fail(why, "\"%s\" is missing", key);
	number = json_object_get_int64(member);
	if (!json_object_is_type(member, json_type_int) || number < 0 || (u64)number > max)
		return parse_fail(why, "\"%s\": %s: must be an integer from 0 to %llu", key,
				  json_object_get_string(member), max);
	*value = (u64)number;
	return true;
}

static bool json_node(const struct player_record *record, struct json_object *line,
		      const char *key, u32 *node, struct parse_error *why)
{
	const struct torus_geometry *geo = &record->config.geo;
	u64 number;

	if (!json_number(line, key, geo->numbering.last, &number, why))
		return false;
	*node = torus_node_index(geo, (u32)number);
	return *node != TORUS_NONE ||
	       parse_fail(why, "\"%s\": %llu: no node has this number", key, number);
}

static const char *json_text(struct json_object *line, const char *key)
{
	struct json_object *member;

	if (!json_object_object_get_ex(line, key, &member) ||
	    !json_object_is_type(member, json_type_string))
		return NULL;
	return json_object_get_string(member);
}

static void put_way(FILE *out, struct json_object *way)
{
	const char *dir = json_text(way, "dir"), *vc = json_text(way, "vc");

	fprintf(out, "%s%s%s", dir ? dir : "", vc ? ":" : "", vc ? vc : "");
}

/* Print a member as the text form of a trace has it: the number after a name. */
static void put_number(FILE *out, struct json_object *line, const char *key, const char *name)
{
	struct json_object *member;

	if (json_object_object_get_ex(line, key, &member))
		fprintf(out, " %s %lld", name, (long long)json_object_get_int64(member));
}

/* Print what follows the packet in the text form of a trace. */
static void put_more(FILE *out, struct json_object *line, const char *kind)
{
	struct json_object *member;
	size_t i;

	put_way(out, line);
	if (!strcmp(kind, "route") && json_object_object_get_ex(line, "ways", &member) &&
	    json_object_is_type(member, json_type_array)) {
		for (i = 0; i < json_object_array_length(member); i++) {
			fputs(i ? " " : "", out);
			put_way(out, json_object_array_get_idx(member, i));
		}
		if (!i)
			fputs("arrived", out);
	}
	if (!strcmp(kind, "inject")) {
		put_number(out, line, "bytes", "bytes");
		put_number(out, line, "wait", "waited");
	} else {
		if (!strcmp(kind, "hop") || !strcmp(kind, "deliver"))
			put_number(out, line, "hops", "hops");
		if (json_object_object_get_ex(line, "wait", &member) &&
		    json_object_get_int64(member))
			put_number(out, line, "wait", "waits");
	}
	if (json_text(line, "reason"))
		fprintf(out, " %s", json_text(line, "reason"));
	if (json_object_object_get_ex(line, "invalid", &member) && json_object_get_boolean(member))
		fputs(" invalid", out);
}

static bool json_event(struct player_record *record, struct json_object *line, const char *kind,
		       struct parse_error *why)
{
	struct player_event event = { .tick = 0 };
	char *more = NULL, *text;
	size_t length = 0;
	u64 number;
	bool good;
	FILE *out;

	if (!player_record_kind(kind, &event.kind))
		return parse_fail(why, "\"event\": %s: is no event of a trace", kind);
	if (!json_number(line, "tick", INT64_MAX, &event.tick, why) ||
	    !json_node(record, line, "node", &event.node, why) ||
	    !json_node(record, line, "source", &event.src, why) ||
	    !json_number(line, "number", ~0u, &number, why) ||
	    !json_node(record, line, "destination", &event.dst, why))
		return false;
	event.number = (u32)number;
	out = open_memstream(&more, &length);
	if (out)
		put_more(out, line, kind);
	if (!out || fclose(out)) {
		free(more);
		return parse_fail(why, "out of memory");
	}
	text = more + strspn(more, " ");
	event.more = text;
	event.length = strlen(text);
	good = player_record_link(record, event.kind, text, why) &&
	       player_record_add(record, &event, why);
	free(more);
	return good;
}

static bool json_lost(struct player_record *record, struct json_object *object,
		      struct parse_error *why)
{
	u64 at, lost;

	if (!json_number(object, "tick", INT64_MAX, &at, why) ||
	    !json_number(object, "events", INT64_MAX, &lost, why))
		return false;
	player_record_lose(record, at, lost);
	return true;
}

/**
 * player_json_line - read a line of JSON
 * @record: [in, out] the record, with a machine
 * @line: the line without its newline
 * @why: [out] reason for a rejection
 *
 * Return: false if the line is rejected.
 */
bool player_json_line(struct player_record *record, const char *line, struct parse_error *why)
{
	struct json_object *object;
	const char *kind;
	bool good;

	if (!record->config.arch)
		return parse_fail(why, "JSON has no machine: --arch and --shape are required");
	object = json_tokener_parse(line);
	kind = object ? json_text(object, "event") : NULL;
	if (!kind)
		good = parse_fail(why, "must be a JSON object with a text \"event\"");
	else if (!strcmp(kind, "lost"))
		good = json_lost(record, object, why);
	else
		good = json_event(record, object, kind, why);
	json_object_put(object);
	return good;
}
