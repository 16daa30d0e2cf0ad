/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Injection FIFOs and the router's injection slots.
 *
 * Where a machine has a slot for each injection FIFO, the slot is the FIFO: packets
 * are put into it, and its space is the FIFO's.  Where it has more FIFOs than slots, or
 * a path through the NIC to the own node, each FIFO is a queue here, with
 * torus_arch.fifo_chunks of its own, and a slot serves the queues that lead to it in
 * turns, a packet at a time: one whose packet has no room yet keeps its turn, so that
 * long packets are not starved by short ones.
 *
 * A packet to the own node goes round in the NIC, one at a time, without the router: it
 * waits at the head of its queue until its reception FIFO admits it.
 */
#ifndef TORUS_CORE_NIC_INJECT_QUEUE_H
#define TORUS_CORE_NIC_INJECT_QUEUE_H

#include "core/state/domain.h"

struct torus_snapshot;
struct torus_check;
struct torus_moving;
struct torus_snapshot_events;

/* Chunks that a FIFO may hold: what a queue counts them by. */
#define TORUS_QUEUE_CHUNKS_MAX	0xffffu

/* Free chunks of a queue, and a packet into it: for the two functions below. */
u32 torus_queues_room(struct torus_fabric *f, u32 node, u32 fifo);
void torus_queues_put(struct torus_domain *d, u32 node, u32 fifo, u32 pkt);

/* Free chunks of a node's injection FIFO, all groups' counted through. */
torus_inline u32 torus_fifo_room(struct torus_fabric *f, u32 node, u32 fifo)
{
	return torus_likely(!f->domain->queues) ? f->router->inject_room(f, node, fifo) :
						  torus_queues_room(f, node, fifo);
}

/* Put a packet into an injection FIFO that has room, while its node is arbitrated. */
torus_inline void torus_inject_put(struct torus_domain *d, u32 node, u32 fifo, u32 pkt)
{
	if (torus_likely(!d->queues))
		d->f->router->inject(d, node, fifo, pkt);
	else
		torus_queues_put(d, node, fifo, pkt);
}

/* Move what waits in a node's queues as far as slots have room, while it is arbitrated. */
void torus_queues_feed(struct torus_domain *d, u32 node);

/* Does a packet wait for an injection slot of a node? */
bool torus_queues_wait(const struct torus_domain *d, u32 node, u32 slot);

/* Have a node's queues looked at again in the next tick (fabric held). */
torus_inline void torus_queues_look(struct torus_fabric *f, u32 node)
{
	if (torus_unlikely(torus_domain_of(f, node)->queues))
		f->router->refill(f, node);
}

/* What waits in a node's queues is lost (fabric held). */
void torus_queues_flush(struct torus_fabric *f, u32 node, u32 reason);

/* Bytes a node that the queues of a machine take; 0: its slots are its FIFOs. */
size_t torus_queues_node_bytes(const struct torus_config *cfg);

int torus_queues_init(struct torus_fabric *f);
void torus_queues_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node);
void torus_queues_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			 const struct torus_snapshot_events *events, struct torus_moving *moving);
void torus_queues_reset(struct torus_domain *d);
void torus_queues_free(struct torus_fabric *f);

/* Packets that the queues of a domain hold. */
void torus_queues_census(struct torus_domain *d, struct torus_check *c);

#endif
