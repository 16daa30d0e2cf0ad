/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Injection FIFOs and the router's injection slots.
 *
 * If a machine has a slot for each injection FIFO, the slot is the FIFO: packets go directly into
 * the slot, whose space is that of the FIFO. If a machine has more FIFOs than slots, or a path
 * through the NIC to the own node, each FIFO is a queue in this file. A queue has its own
 * torus_arch.fifo_chunks. A slot serves its queues round robin, one packet at a time. A queue whose
 * packet does not fit yet keeps its turn, so that short packets do not starve long ones.
 *
 * If a machine has this path, packets to the own node use it, one packet at a time. A packet waits
 * at the head of its queue until the path is free and its reception FIFO admits it.
 */
#ifndef TORUS_CORE_NIC_INJECT_QUEUE_H
#define TORUS_CORE_NIC_INJECT_QUEUE_H

#include "core/state/domain.h"

struct torus_snapshot;
struct torus_check;
struct torus_moving;
struct torus_snapshot_events;

/* Maximum chunks of a FIFO: the range of a queue's counter. */
#define TORUS_QUEUE_CHUNKS_MAX	0xffffu

/*
 * The next two functions implement torus_fifo_room() and torus_inject_put() for machines with
 * queues.
 */
u32 torus_queues_room(struct torus_fabric *f, u32 node, u32 fifo);
void torus_queues_put(struct torus_domain *d, u32 node, u32 fifo, u32 pkt);

/* Free chunks of an injection FIFO; @fifo counts through all groups of the node. */
torus_inline u32 torus_fifo_room(struct torus_fabric *f, u32 node, u32 fifo)
{
	return torus_likely(!f->domain->queues) ? f->router->inject_room(f, node, fifo) :
						  torus_queues_room(f, node, fifo);
}

/*
 * Append a packet to an injection FIFO that has space. The node is being arbitrated, or the caller
 * has it arbitrated in the next run (router->touch()).
 */
torus_inline void torus_inject_put(struct torus_domain *d, u32 node, u32 fifo, u32 pkt)
{
	if (torus_likely(!d->queues))
		d->f->router->inject(d, node, fifo, pkt);
	else
		torus_queues_put(d, node, fifo, pkt);
}

/*
 * Move packets of a node's queues into slots with space, or to the own node, during the arbitration
 * of the node.
 */
void torus_queues_feed(struct torus_domain *d, u32 node);

/* Check whether a packet waits for an injection slot of a node. */
bool torus_queues_wait(const struct torus_domain *d, u32 node, u32 slot);

/* Schedule a check of a node's queues for the next tick (fabric locked). */
torus_inline void torus_queues_look(struct torus_fabric *f, u32 node)
{
	if (torus_unlikely(torus_domain_of(f, node)->queues))
		f->router->refill(f, node);
}

/* Drop the packets in a node's queues (fabric locked). */
void torus_queues_flush(struct torus_fabric *f, u32 node, u32 reason);

/* Memory of a machine's queues, in bytes per node; 0: the slots are the FIFOs. */
size_t torus_queues_node_bytes(const struct torus_config *cfg);

int torus_queues_init(struct torus_fabric *f);
void torus_queues_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node);
void torus_queues_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			 const struct torus_snapshot_events *events, struct torus_moving *moving);
void torus_queues_reset(struct torus_domain *d);
void torus_queues_free(struct torus_fabric *f);

/* Count the packets of a domain's queues in a census. */
void torus_queues_census(struct torus_domain *d, struct torus_check *c);

#endif
