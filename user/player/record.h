/* SPDX-License-Identifier: GPL-2.0 */
/* The events of a trace, in the form in which the page has them. */
#ifndef TORUS_PLAYER_RECORD_H
#define TORUS_PLAYER_RECORD_H

#include <stdbool.h>

#include "core/state/config.h"
#include "../common/why.h"
#include "intern.h"

#define PLAYER_NODES_MAX	4096u
#define PLAYER_EVENTS_MAX	1000000u

/* Kinds of events, by number; the page has the same list. */
#define PLAYER_KINDS	\
	"inject", "route", "stall", "hop", "error", "resend", "deliver", "drop", "ack", "interrupt"

/**
 * struct player_event - an event of a trace
 * @tick: tick
 * @kind: index in PLAYER_KINDS
 * @node: index of the node
 * @src: index of the packet's source
 * @number: number of the packet at its source
 * @dst: index of the packet's destination
 * @more: rest of the line as text: link, VC and details; not terminated
 * @length: number of bytes of @more
 */
struct player_event {
	u64 tick;
	u32 kind;
	u32 node;
	u32 src;
	u32 number;
	u32 dst;
	const char *more;
	size_t length;
};

/**
 * struct player_record - a trace
 * @config: machine and shape; @config.arch is NULL until they are known
 * @bytes: the events: five numbers per event, 7 bits per byte, lowest bits first: ticks since the
 *	last event, kind, node, index in @packets, index in @texts
 * @nbytes: number of bytes
 * @events: number of events
 * @last: tick of the last event
 * @packets: the packets: source, number and destination as three u32
 * @texts: the rests of lines
 * @used: by dimension: the coordinates of the events' nodes, as u32; empty unless the machine has
 *	more than PLAYER_NODES_MAX nodes
 * @lost: number of events that the trace says it does not have
 * @lost_at: first tick of these events
 */
struct player_record {
	struct torus_config config;
	unsigned char *bytes;
	size_t nbytes;
	u32 events;
	u64 last;
	struct player_intern packets;
	struct player_intern texts;
	struct player_intern used[TORUS_DIMS_MAX];
	u64 lost;
	u64 lost_at;
};

bool player_record_machine(struct player_record *record, const char *arch, const char *shape,
			   struct parse_error *why);
bool player_record_add(struct player_record *record, const struct player_event *event,
		       struct parse_error *why);
void player_record_lose(struct player_record *record, u64 at, u64 events);
bool player_record_check(const struct player_record *record, struct parse_error *why);
bool player_record_kind(const char *word, u32 *kind);
bool player_record_link(const struct player_record *record, u32 kind, const char *more,
			struct parse_error *why);
void player_record_free(struct player_record *record);

#endif /* TORUS_PLAYER_RECORD_H */
