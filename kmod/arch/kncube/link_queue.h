/* SPDX-License-Identifier: GPL-2.0 */
/* Queues of packets that wait long for a link of station_router.c, and the node of that file. */
#ifndef TORUS_ARCH_KNCUBE_LINK_QUEUE_H
#define TORUS_ARCH_KNCUBE_LINK_QUEUE_H

#include "arch/kncube/kncube.h"

/* Event: the processing unit has finished @pkt. */
#define KNCUBE_EV_PROCESSED	TORUS_EV_OWN
/* Event: the link in direction @dir is free for the first packet of its queue. */
#define KNCUBE_EV_LINK_FREE	(TORUS_EV_OWN + 1)

/*
 * A packet that its link starts after this number of ticks or more joins the link's queue. So does
 * every packet while others are in this queue. Otherwise, the packet's arrival is pushed into the
 * wheel, which inspects the event once per turn.
 */
#define KNCUBE_NEAR_TICKS	(8 * TORUS_WHEEL_SIZE)

/**
 * struct kncube_node - a node
 * @unit_free: tick at which the processing unit has finished all its packets
 * @arrived: packets that arrived in this tick, linked by next
 * @processed: packet whose processing ended in this tick
 * @touched: TORUS_TOUCHED, TORUS_AGAIN
 * @refill: the source has a packet
 * @spare: unused
 * @queued: mask: bit d is set if packets wait in the queue of the link in direction d
 * @link_free: by direction: tick at which the link has sent all packets given to it
 */
struct kncube_node {
	u64 unit_free;
	u32 arrived;
	u32 processed;
	u8 touched;
	u8 refill;
	u8 spare[2];
	u32 queued;
	u64 link_free[];
};

/**
 * struct kncube_queue - packets that wait for a link, first come first served
 * @next: tick at which the link is free for the first packet
 * @own: number of packets of the node's own source. They are counted, not stored, and drawn again
 *       from their numbers when the link starts them. They are before all stored packets
 * @own_chunks: chunks of the counted packets
 * @own_identity: sum of torus_packet_identity() of the counted packets
 * @number: number of the first counted packet at the source; the other counted packets are the next
 *   packets of the source that leave by this link
 * @entered: tick at which the counted packets joined
 * @packets: number of stored packets
 * @chunks: chunks of the stored packets
 * @identity: sum of torus_packet_identity() of the stored packets
 * @head: first record, TORUS_NONE: none. A record is a packet and the packets after it that differ
 *   from it only by consecutive sequence numbers; its torus_packet.body is the number of these
 *   packets
 * @tail: last record
 */
struct kncube_queue {
	u64 next;
	u64 own;
	u64 own_chunks;
	u64 own_identity;
	u64 number;
	u64 entered;
	u64 packets;
	u64 chunks;
	u64 identity;
	u32 head;
	u32 tail;
};

torus_inline struct kncube_node *kncube_node(const struct torus_domain *d, u32 node)
{
	return torus_domain_node(d, node);
}

/* Return the queue of a link. The node must have queues. */
torus_inline struct kncube_queue *kncube_queue(const struct torus_fabric *f, u32 node, u32 dir)
{
	const struct kncube_machine *m = f->machine;

	return &m->queues[node][dir];
}

/* Return the ticks that a link needs for packets. */
torus_inline u64 kncube_link_ticks(const struct kncube_machine *m, u64 packets, u64 chunks)
{
	return packets * m->link_delay + chunks * KNCUBE_CHUNK_BYTES;
}

/**
 * kncube_step() - move a packet along the next link of its route
 * @g: the shape
 * @node: its node
 * @p: the packet, routed; its coordinate, remaining hops and hop count change
 *
 * Return: the next node.
 */
torus_inline u32 kncube_step(const struct torus_geometry *g, u32 node, struct torus_packet *p)
{
	struct kncube_fields *h = (struct kncube_fields *)p->header;
	u32 dim = TORUS_DIM(h->dir), stride = g->stride[dim], last = g->dims[dim] - 1, peer;

	if (TORUS_MINUS(h->dir)) {
		peer = h->coord ? node - stride : node + last * stride;
		h->coord = h->coord ? h->coord - 1 : (u16)last;
	} else {
		peer = h->coord == last ? node - last * stride : node + stride;
		h->coord = h->coord == last ? 0 : h->coord + 1;
	}
	h->left--;
	p->hops++;
	return peer;
}

int kncube_queues_init(struct torus_fabric *f);
void kncube_queues_free(struct torus_fabric *f);
void kncube_queues_reset(struct torus_fabric *f, u32 node);
void kncube_queue_add(struct torus_domain *d, u32 node, u32 dir, u32 pkt, u64 begin);
bool kncube_queue_count(struct torus_domain *d, u32 node, u32 dir, u32 pkt, u64 begin);
void kncube_queue_send(struct torus_domain *d, u32 node, u32 dir);
void kncube_queues_waiting(struct torus_domain *d, u32 node, u32 dirs, u64 *packets, u64 *chunks);
void kncube_queues_census(struct torus_domain *d, u32 node, struct torus_check *check);
void kncube_queues_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node);
void kncube_queues_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node);

#endif /* TORUS_ARCH_KNCUBE_LINK_QUEUE_H */
