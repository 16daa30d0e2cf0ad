/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of packets of a bank of the second stage, which has the packets of all queues of the
 * bank. Included by output_queues.h, which has struct router_bank.
 */
#ifndef TORUS_CORE_ROUTER_BANK_H
#define TORUS_CORE_ROUTER_BANK_H

/**
 * struct router_place - place of a packet in the list of a bank
 * @pkt: the packet
 * @before: the packet before it in the list, TORUS_NONE if @pkt is the first
 */
struct router_place {
	u32 pkt;
	u32 before;
};

/* Queues of a bank with a head and a free read port. */
torus_inline router_queues_t router_bank_ready(const struct router_bank *b)
{
	return b->waiting & ~b->busy;
}

/* Prefetch the bank of an output: when a token arrives, heads of the bank may leave. */
torus_inline void router_prefetch_bank(struct torus_domain *d, u32 node, u32 output)
{
	torus_prefetch(&router_node(d, node)->bank[output]);
}

/* Find the first packet of @queue in a bank's list from @pkt on; TORUS_NONE if there is none. */
torus_inline u32 router_queue_from(struct torus_domain *d, u32 pkt, u32 queue)
{
	while (pkt != TORUS_NONE && torus_packet_at(d, pkt)->slot != queue)
		pkt = torus_packet_at(d, pkt)->next;
	return pkt;
}

/* Insert a packet as the first packet of a bank's list. */
torus_inline void router_bank_put_first(struct torus_domain *d, struct router_bank *b, u32 pkt)
{
	if (b->head == TORUS_NONE)
		b->tail = pkt;
	torus_packet_at(d, pkt)->next = b->head;
	b->head = pkt;
}

/* Unlink a packet from a bank's list. */
torus_inline void router_bank_unlink(struct torus_domain *d, struct router_bank *b,
				     const struct router_place *place)
{
	u32 next = torus_packet_at(d, place->pkt)->next;

	if (place->before == TORUS_NONE)
		b->head = next;
	else
		torus_packet_at(d, place->before)->next = next;
	if (b->tail == place->pkt)
		b->tail = place->before;
}

/* Find the first packet of a queue; @place: [out] its place, TORUS_NONE if there is no packet. */
static void router_bank_head(struct torus_domain *d, const struct router_bank *b, u32 queue,
			     struct router_place *place)
{
	u32 pkt, before = TORUS_NONE;

	for (pkt = b->head; pkt != TORUS_NONE && torus_packet_at(d, pkt)->slot != queue;
	     before = pkt, pkt = torus_packet_at(d, pkt)->next)
		;
	*place = (struct router_place){ .pkt = pkt, .before = before };
}

/* Append a packet to a bank's queue. */
torus_inline void router_bank_append(struct torus_domain *d, struct router_bank *b, u32 queue,
				     u32 pkt)
{
	struct torus_packet *p = torus_packet_at(d, pkt);

	p->slot = (u8)queue;
	if (!(b->waiting & ROUTER_QUEUE_BIT(queue))) {
		router_bank_put_first(d, b, pkt);
		b->waiting |= ROUTER_QUEUE_BIT(queue);
		return;
	}
	p->next = TORUS_NONE;
	torus_packet_at(d, b->tail)->next = pkt;
	b->tail = pkt;
}

/*
 * Move the first packet of a queue, which has lost its head, to the heads. Without such a packet
 * the queue does not wait any more.
 */
static void router_bank_next(struct torus_domain *d, struct router_bank *b, u32 queue)
{
	struct router_place next;

	router_bank_head(d, b, queue, &next);
	if (next.pkt == TORUS_NONE) {
		b->waiting &= ~ROUTER_QUEUE_BIT(queue);
	} else if (next.before != TORUS_NONE) {
		router_bank_unlink(d, b, &next);
		router_bank_put_first(d, b, next.pkt);
	}
}

/* Remove a packet from a bank's list. The packet's chunks are still in @full. */
torus_inline struct torus_packet *router_bank_remove(struct torus_domain *d, struct router_bank *b,
						     const struct router_place *place)
{
	struct torus_packet *p = torus_packet_at(d, place->pkt);

	router_bank_unlink(d, b, place);
	/* with no other chunks in the queue, there is no other packet to look for */
	if (b->full[p->slot] == p->chunks)
		b->waiting &= ~ROUTER_QUEUE_BIT(p->slot);
	else
		router_bank_next(d, b, p->slot);
	return p;
}

/* Free @chunks of an output's queue. Slots that want this output will request it again. */
torus_inline void router_bank_give(struct router_node *n, u32 output, u32 queue, u32 chunks)
{
	struct router_bank *b = &n->bank[output];

	b->full[queue] = (router_count_t)(b->full[queue] - chunks);
	n->due_slots |= output < ROUTER_DIRS ? n->want_dir[output] : n->local;
}

/* Process the start of a packet's transfer out of a queue. */
torus_inline void router_bank_leave(struct router_node *n, u32 output, u32 queue, u32 chunks)
{
	n->bank[output].busy |= ROUTER_QUEUE_BIT(queue);
	if (ROUTER_FREE_ON_START)
		router_bank_give(n, output, queue, chunks);
}

/* Process the end of a packet's transfer out of a queue. */
torus_inline void router_bank_free(struct router_node *n, u32 output, u32 queue, u32 chunks)
{
	if (!ROUTER_FREE_ON_START)
		router_bank_give(n, output, queue, chunks);
	n->bank[output].busy &= ~ROUTER_QUEUE_BIT(queue);
}

/* The packets of one queue: a part of a bank's list. */
struct router_bank_queue {
	u32 head, tail;
};

/* Split the list of a bank into the lists of its queues. */
static void router_bank_split(struct torus_domain *d, struct router_bank *b,
			      struct router_bank_queue *q)
{
	u32 queue, pkt;

	for (queue = 0; queue < ROUTER_BANK; queue++)
		q[queue].head = TORUS_NONE;
	for (pkt = b->head; pkt != TORUS_NONE; pkt = torus_packet_at(d, pkt)->next) {
		queue = torus_packet_at(d, pkt)->slot;
		if (q[queue].head == TORUS_NONE)
			q[queue].head = pkt;
		else
			torus_packet_at(d, q[queue].tail)->next = pkt;
		q[queue].tail = pkt;
	}
	b->head = TORUS_NONE;
	b->waiting = 0;
}

/* Make the list of a bank of the lists of its queues. The order of its heads has no effect. */
static void router_bank_unite(struct torus_domain *d, struct router_bank *b,
			      const struct router_bank_queue *q)
{
	u32 queue, pkt, next;

	for (queue = 0; queue < ROUTER_BANK; queue++)
		for (pkt = q[queue].head; pkt != TORUS_NONE; pkt = next) {
			next = pkt == q[queue].tail ? TORUS_NONE : torus_packet_at(d, pkt)->next;
			router_bank_append(d, b, queue, pkt);
		}
}

#endif
