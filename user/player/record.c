// SPDX-License-Identifier: GPL-2.0
/* The events of a trace: checked, counted, and encoded as numbers. */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "core/base/geometry.h"
#include "core/run/config.h"
#include "../common/array.h"
#include "../parse/shape.h"
#include "record.h"

#define FILTERS		"record fewer with --trace-window FROM:TO, --trace-packets or --trace-links"
#define TICK_MAX	(1ull << 53)	/* integers above it are no numbers of JavaScript */

static const char *const kinds[] = { PLAYER_KINDS };

/**
 * player_record_machine - set machine and shape of a record without events
 * @record: the record
 * @arch: name of the machine
 * @shape: lengths of the dimensions, as on a command line
 * @why: [out] reason for a rejection
 *
 * Return: false if the machine does not exist, or cannot have the shape.
 */
bool player_record_machine(struct player_record *record, const char *arch, const char *shape,
			   struct parse_error *why)
{
	struct parse_list list;
	struct torus_error err;

	if (!parse_shape("shape", shape, &list, why))
		return false;
	if (torus_arch_config(&record->config, arch, &err) ||
	    torus_config_shape(&record->config, list.count, list.numbers, 0, &err)) {
		record->config.arch = NULL;
		return parse_fail(why, "%s", err.text);
	}
	return true;
}

/**
 * player_record_kind - find a kind of event
 * @word: its name
 * @kind: [out] its number
 *
 * Return: false if there is no such kind.
 */
bool player_record_kind(const char *word, u32 *kind)
{
	u32 i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(word, kinds[i])) {
			*kind = i;
			return true;
		}
	return false;
}

/**
 * player_record_link - check that the event of a link names a direction of the machine
 * @record: the record, with a machine
 * @kind: kind of the event
 * @more: rest of the line, which begins with the direction if the event is about a link
 * @why: [out] reason for a rejection
 *
 * Return: false if the direction is missing or does not exist.
 */
bool player_record_link(const struct player_record *record, u32 kind, const char *more,
			struct parse_error *why)
{
	const char *name = kinds[kind];
	char word[PARSE_DIR_MAX];
	size_t length = strcspn(more, ": ");
	u32 dir;

	if (strcmp(name, "stall") && strcmp(name, "hop") && strcmp(name, "error") &&
	    strcmp(name, "resend"))
		return true;
	if (!length || length >= sizeof(word))
		return parse_fail(why, "%s: must be followed by a direction like x+", name);
	memcpy(word, more, length);
	word[length] = '\0';
	if (!parse_dir(word, &dir, why))
		return false;
	if (TORUS_DIM(dir) >= record->config.geo.ndims)
		return parse_fail(why, "direction %s: the machine has %u dimensions", word,
				  record->config.geo.ndims);
	return true;
}

static bool put_number(struct player_record *record, u64 value)
{
	unsigned char *byte;

	do {
		byte = torus_array_add(&record->bytes, &record->nbytes);
		if (!byte)
			return false;
		*byte = (unsigned char)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
		value >>= 7;
	} while (value);
	return true;
}

/* Note the coordinates of a node, from which the page of a part of a machine is made. */
static bool use_node(struct player_record *record, u32 node)
{
	const struct torus_geometry *geo = &record->config.geo;
	u32 coords[TORUS_DIMS_MAX], dim, number;

	if (geo->nodes <= PLAYER_NODES_MAX)
		return true;
	torus_geometry_coords(geo, node, coords);
	for (dim = 0; dim < geo->ndims; dim++)
		if (!player_intern(&record->used[dim], &coords[dim], sizeof(coords[dim]), &number))
			return false;
	return true;
}

/**
 * player_record_add - append an event
 * @record: the record, with a machine
 * @event: the event; its nodes are inside the machine
 * @why: [out] reason for a rejection
 *
 * Return: false if the event is rejected, or without memory.
 */
bool player_record_add(struct player_record *record, const struct player_event *event,
		       struct parse_error *why)
{
	const u32 packet[] = { event->src, event->number, event->dst };
	u32 number, text;

	if (record->events == PLAYER_EVENTS_MAX)
		return parse_fail(why, "more than %u events: " FILTERS, PLAYER_EVENTS_MAX);
	if (event->tick < record->last)
		return parse_fail(why, "tick %llu follows tick %llu: events must be sorted by tick",
				  event->tick, record->last);
	if (event->tick >= TICK_MAX)
		return parse_fail(why, "tick %llu: must be below 2^53", event->tick);
	if (!use_node(record, event->node) ||
	    !player_intern(&record->packets, packet, sizeof(packet), &number) ||
	    !player_intern(&record->texts, event->more, event->length, &text) ||
	    !put_number(record, event->tick - record->last) || !put_number(record, event->kind) ||
	    !put_number(record, event->node) || !put_number(record, number) ||
	    !put_number(record, text))
		return parse_fail(why, "out of memory");
	record->last = event->tick;
	record->events++;
	return true;
}

/**
 * player_record_lose - note that the trace lacks events
 * @record: [in, out] the trace
 * @at: first tick of these events
 * @events: number of these events
 */
void player_record_lose(struct player_record *record, u64 at, u64 events)
{
	if (!record->lost)
		record->lost_at = at;
	record->lost += events;
}

/**
 * player_record_check - check that a complete record can be shown
 * @record: the record
 * @why: [out] reason for a rejection
 *
 * If the machine has too many nodes, the page shows the coordinates that occur in events.
 *
 * Return: false if there is no machine, or if there are too many nodes.
 */
bool player_record_check(const struct player_record *record, struct parse_error *why)
{
	const struct torus_geometry *geo = &record->config.geo;
	u64 nodes = 1;
	u32 dim;

	if (!record->config.arch)
		return parse_fail(why, "has no event; must be a file of torus-sim run --trace or "
				  "torusctl record");
	if (geo->nodes <= PLAYER_NODES_MAX)
		return true;
	for (dim = 0; dim < geo->ndims && nodes <= PLAYER_NODES_MAX; dim++)
		nodes *= record->used[dim].count;
	if (nodes <= PLAYER_NODES_MAX)
		return true;
	return parse_fail(why, "more than %u nodes: the machine has %u, and the events need all "
			  "coordinates of too many; record fewer with --trace-packets \"NODE to "
			  "NODE\" or --trace-links \"NODE DIR\"", PLAYER_NODES_MAX, geo->nodes);
}

/**
 * player_record_free - free the events
 * @record: the record
 */
void player_record_free(struct player_record *record)
{
	u32 dim;

	free(record->bytes);
	player_intern_free(&record->packets);
	player_intern_free(&record->texts);
	for (dim = 0; dim < TORUS_DIMS_MAX; dim++)
		player_intern_free(&record->used[dim]);
}
