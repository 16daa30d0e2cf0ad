/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets and pending events of a snapshot. A packet is written with the buffer or event that
 * refers to it, an event with its node, both in a canonical order. Therefore the file depends only
 * on the state, not on the division into domains.
 */
#ifndef TORUS_CORE_STATE_SNAPSHOT_EVENTS_H
#define TORUS_CORE_STATE_SNAPSHOT_EVENTS_H

#include "core/state/snapshot.h"
#include "core/state/domain.h"

/* Data that is written with an event; the machine's router selects it. */
enum torus_event_load {
	TORUS_EVENT_INVALID,	/* the router does not know such an event */
	TORUS_EVENT_BARE,
	TORUS_EVENT_PACKET,	/* a packet to which only the event refers */
	TORUS_EVENT_TAIL,	/* place of a packet at the node; or it has left */
	TORUS_EVENT_RECREATED,	/* nothing: the event follows from other state */
};

/**
 * struct torus_snapshot_event - a pending event and its tick
 * @at: the tick
 * @ev: the event
 */
struct torus_snapshot_event {
	u64 at;
	struct torus_event ev;
};

/**
 * struct torus_snapshot_events - pending events in canonical order
 * @list: sorted by node, then by tick
 * @count: number of events
 * @cap: capacity of @list
 */
struct torus_snapshot_events {
	struct torus_snapshot_event *list;
	size_t count;
	size_t cap;
};

/**
 * struct torus_moving - transfers that a node's pending events imply
 * @sending: bit d: a packet or control packet is being sent in direction d
 * @granted: bit d: the router may start a packet in direction d
 * @coming: chunks on their way, by reception FIFO
 */
struct torus_moving {
	u32 sending;
	u32 granted;
	u32 coming[TORUS_RECEIVE_MAX];
};

void torus_snapshot_packet(struct torus_snapshot *snap, struct torus_domain *d, u32 node, u32 *pkt);
void torus_snapshot_packets(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			    u32 *head, u32 *tail);
bool torus_packet_crc_right(struct torus_domain *d, u32 pkt);
int torus_snapshot_events_collect(struct torus_fabric *f, struct torus_snapshot_events *all);
void torus_snapshot_events_free(struct torus_snapshot_events *all);
void torus_snapshot_node_events(struct torus_snapshot *snap, struct torus_fabric *f, u32 node,
				struct torus_snapshot_events *all, size_t *at);
void torus_snapshot_events_schedule(struct torus_fabric *f,
				    const struct torus_snapshot_events *all);
bool torus_snapshot_events_has(const struct torus_snapshot_events *all, enum torus_event_kind kind,
			       u64 at);

#endif /* TORUS_CORE_STATE_SNAPSHOT_EVENTS_H */
