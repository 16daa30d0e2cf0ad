/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets and events as a carrier has them: a packet stands where somebody holds it, and an event
 * with the node that it happens to.  In order of what they are, so that the same state makes the
 * same file however a fabric is divided.
 */
#ifndef TORUS_CORE_CARRIED_H
#define TORUS_CORE_CARRIED_H

#include "core/state/snapshot.h"
#include "core/state/domain.h"

/* What an event has with it, as a machine's router says. */
enum torus_event_load {
	TORUS_EVENT_WRONG,	/* there is no such event */
	TORUS_EVENT_BARE,
	TORUS_EVENT_PACKET,	/* a packet that it alone knows */
	TORUS_EVENT_TAIL,	/* one that waits at its node, or has gone: its place */
	TORUS_EVENT_MADE,	/* who reads makes it again */
};

/**
 * struct torus_pending - an event, and its tick
 * @at: the tick
 * @ev: the event
 */
struct torus_pending {
	u64 at;
	struct torus_event ev;
};

/**
 * struct torus_pendings - events in order
 * @list: by node, then by tick
 * @count: how many
 * @room: how many there is memory for
 */
struct torus_pendings {
	struct torus_pending *list;
	size_t count;
	size_t room;
};

/**
 * struct torus_moving - what a node's events say that is under way there
 * @sending: bit d: a packet or control packet is being sent in direction d
 * @granted: bit d: the router may start a packet in direction d
 * @coming: chunks on their way to each reception FIFO
 */
struct torus_moving {
	u32 sending;
	u32 granted;
	u32 coming[TORUS_RECEIVE_MAX];
};

void torus_carry_packet(struct torus_snapshot *snap, struct torus_domain *d, u32 node, u32 *pkt);
void torus_carry_packets(struct torus_snapshot *snap, struct torus_domain *d, u32 node, u32 *head,
			 u32 *tail);
bool torus_packet_crc_right(struct torus_domain *d, u32 pkt);
int torus_pendings_take(struct torus_fabric *f, struct torus_pendings *all);
void torus_pendings_free(struct torus_pendings *all);
void torus_carry_events(struct torus_snapshot *snap, struct torus_fabric *f, u32 node,
			struct torus_pendings *all, size_t *at);
void torus_pendings_push(struct torus_fabric *f, const struct torus_pendings *all);
bool torus_pendings_has(const struct torus_pendings *all, enum torus_event_kind kind, u64 at);

#endif /* TORUS_CORE_CARRIED_H */
