// SPDX-License-Identifier: GPL-2.0
/*
 * Injection FIFOs that share the router's injection slots, and the path of packets to their own
 * node.
 */
#include "core/nic/inject_queue.h"
#include "core/nic/group.h"
#include "core/state/snapshot_events.h"
#include "core/state/census.h"
#include "core/state/domain.h"
#include "core/state/packets.h"
#include "core/state/tni.h"

/**
 * struct torus_queue - an injection FIFO
 * @head: first packet, TORUS_NONE if empty
 * @tail: last packet
 * @chunks: chunks in the FIFO
 * @turn: used by slot, not by queue: @turn of element s is the index of the queue that slot s
 *   served last
 * @spare: unused
 */
struct torus_queue {
	u32 head;
	u32 tail;
	u16 chunks;
	u8 turn;
	u8 spare;
};

/**
 * struct torus_queues - injection FIFOs of a node
 * @waiting: bit i: FIFO i has a packet
 * @loop_until: tick at which the last byte of @loop arrives
 * @loop: packet on its way to the own node, or TORUS_NONE
 * @loop_fifo: reception FIFO of @loop; TORUS_NONE: the machine takes the packet
 * @queue: the FIFOs
 */
struct torus_queues {
	u64 waiting;
	u64 loop_until;
	u32 loop;
	u32 loop_fifo;
	struct torus_queue queue[];
};

static u32 queue_fifos(const struct torus_arch *arch)
{
	return arch->groups * arch->inject_fifos;
}

size_t torus_queues_node_bytes(const struct torus_config *cfg)
{
	const struct torus_arch *arch = cfg->arch;
	const struct torus_router_ops *router = arch->router(cfg);

	if (!arch->loop && (!router->inject_slots || router->inject_slots >= queue_fifos(arch)))
		return 0;
	/* whole cache lines, which the router prefetches */
	return (sizeof(struct torus_queues) + queue_fifos(arch) * sizeof(struct torus_queue) + 63) &
	       ~(size_t)63;
}

static struct torus_queues *queues_at(const struct torus_domain *d, u32 node)
{
	return (struct torus_queues *)(d->queues + (size_t)node * d->queues_stride);
}

/* Find the slot that a FIFO feeds. */
static u32 queue_slot(const struct torus_fabric *f, u32 fifo)
{
	return f->router->inject_slot ? f->router->inject_slot(fifo) : fifo;
}

static u32 queue_slots(const struct torus_fabric *f)
{
	return f->router->inject_slots ? f->router->inject_slots : queue_fifos(f->arch);
}

/* Compute the mask of the FIFOs that feed each slot. */
static bool queue_map(struct torus_fabric *f)
{
	u32 fifo;

	f->slot_queues = torus_alloc(queue_slots(f) * sizeof(*f->slot_queues));
	for (fifo = 0; f->slot_queues && fifo < queue_fifos(f->arch); fifo++)
		f->slot_queues[queue_slot(f, fifo)] |= 1ull << fifo;
	return f->slot_queues;
}

/**
 * torus_queues_init() - allocate the queues of all nodes, if the machine needs queues
 * @f: the fabric
 *
 * Return: 0 or -ENOMEM.
 */
int torus_queues_init(struct torus_fabric *f)
{
	u32 i, bytes = (u32)torus_queues_node_bytes(&f->cfg);

	if (!bytes)
		return 0;
	f->queues_stride = bytes;
	f->queues = torus_alloc((size_t)f->nodes * bytes);
	for (i = 0; i < f->ndomains; i++) {
		f->domain[i].queues_stride = bytes;
		f->domain[i].queues = f->queues;
	}
	return f->queues && queue_map(f) ? 0 : -ENOMEM;
}

/* Empty the queues of a domain. The caller has freed their packets. */
void torus_queues_reset(struct torus_domain *d)
{
	u32 j, i;

	for (j = 0; d->queues && j < d->count; j++) {
		struct torus_queues *q = queues_at(d, torus_domain_nth(d, j));

		memset(q, 0, d->queues_stride);
		q->loop = TORUS_NONE;
		for (i = 0; i < queue_fifos(d->f->arch); i++)
			q->queue[i].head = TORUS_NONE;
	}
}

/* Free the queues of a fabric. */
void torus_queues_free(struct torus_fabric *f)
{
	torus_free(f->queues, (size_t)f->nodes * f->queues_stride);
	f->queues = NULL;
	torus_free(f->slot_queues, queue_slots(f) * sizeof(*f->slot_queues));
	f->slot_queues = NULL;
}

/**
 * torus_queues_census() - count the packets of a domain's injection FIFOs in a census
 * @d: the domain
 * @c: [in, out] the census
 */
void torus_queues_census(struct torus_domain *d, struct torus_check *c)
{
	u32 j, i, pkt;

	for (j = 0; d->queues && j < d->count; j++) {
		const struct torus_queues *q = queues_at(d, torus_domain_nth(d, j));

		if (q->loop != TORUS_NONE)
			torus_check_packet(c, torus_packet_at(d, q->loop));
		for (i = 0; i < queue_fifos(d->f->arch); i++)
			for (pkt = q->queue[i].head; pkt != TORUS_NONE;) {
				torus_check_packet(c, torus_packet_at(d, pkt));
				pkt = pkt == q->queue[i].tail ? TORUS_NONE :
				      torus_packet_at(d, pkt)->next;
			}
	}
}

/**
 * torus_queues_snapshot() - write or read a node's injection FIFOs
 * @snap: the snapshot
 * @d: domain of a machine that needs queues
 * @node: index of the node
 */
void torus_queues_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node)
{
	u32 fifos = queue_fifos(d->f->arch), loops, i;
	struct torus_queues *q = queues_at(d, node);

	SNAPSHOT_FIELD(snap, q->loop_until);
	loops = q->loop != TORUS_NONE;
	SNAPSHOT_FIELD(snap, loops);
	if (loops) {
		torus_snapshot_packet(snap, d, node, &q->loop);
		SNAPSHOT_FIELD(snap, q->loop_fifo);
		torus_snapshot_check(snap, loops == 1 && q->loop_fifo < d->f->arch->receive_fifos,
				     "a packet for reception FIFO", q->loop_fifo);
	}
	for (i = 0; i < fifos; i++) {
		struct torus_queue *own = &q->queue[i];

		torus_snapshot_packets(snap, d, node, &own->head, &own->tail);
		SNAPSHOT_FIELD(snap, own->chunks);
		SNAPSHOT_FIELD(snap, own->turn);
		torus_snapshot_check(snap, own->turn < fifos, "wrong turn of FIFO", own->turn);
		if (snap->reading)
			q->waiting |= (u64)(own->head != TORUS_NONE) << i;
	}
}

/*
 * Validate a restored packet in an injection FIFO, or on its way to the own node: the packet has
 * not crossed a link, so the flags of link errors must be clear.
 */
static void queue_packet_verify(struct torus_snapshot *snap, const struct torus_packet *p)
{
	torus_snapshot_check(snap, !(p->flags & (TORUS_PACKET_INVALID | TORUS_PACKET_DAMAGED)),
			     "flags of a packet in an injection FIFO =", p->flags);
}

/* Validate the restored packet to the own node: an event must receive it at its tick. */
static void queue_loop_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			      const struct torus_snapshot_events *events,
			      struct torus_moving *moving)
{
	const struct torus_queues *q = queues_at(d, node);
	struct torus_packet *p;
	u32 ticks, fifo;

	if (q->loop == TORUS_NONE)
		return;
	p = torus_packet_at(d, q->loop);
	queue_packet_verify(snap, p);
	if (!torus_snapshot_check(snap, d->f->arch->loop && p->dst == node,
				  "a packet to its own node of source", p->src))
		return;
	fifo = d->f->arch->loop(d->f, node, p, &ticks);
	torus_snapshot_check(snap, q->loop_fifo == fifo, "a packet for reception FIFO",
			     q->loop_fifo);
	torus_snapshot_check(snap, q->loop_until - d->f->clock <= ticks &&
			     torus_snapshot_events_has(events, TORUS_EV_SOURCE, q->loop_until),
			     "tick of a packet to its own node =", q->loop_until);
	if (q->loop_fifo < TORUS_RECEIVE_MAX)
		moving->coming[q->loop_fifo] += p->chunks;
}

/**
 * torus_queues_verify() - validate the restored injection FIFOs of a node
 * @snap: the snapshot
 * @d: domain of a machine that needs queues
 * @node: index of the node
 * @events: pending events of the node
 * @moving: [in, out] chunks on their way to reception FIFOs
 */
void torus_queues_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			 const struct torus_snapshot_events *events, struct torus_moving *moving)
{
	const struct torus_queues *q = queues_at(d, node);
	u32 i, pkt;
	u64 chunks;

	for (i = 0; i < queue_fifos(d->f->arch) && torus_snapshot_ok(snap); i++) {
		const struct torus_queue *own = &q->queue[i];

		for (chunks = 0, pkt = own->head; pkt != TORUS_NONE;) {
			const struct torus_packet *p = torus_packet_at(d, pkt);

			queue_packet_verify(snap, p);
			chunks += p->chunks;
			pkt = pkt == own->tail ? TORUS_NONE : p->next;
		}
		torus_snapshot_check(snap, own->chunks == chunks &&
				     chunks <= d->f->arch->fifo_chunks, "wrong number of chunks in "
									"injection FIFO",
				     i);
	}
	if (torus_snapshot_ok(snap))
		queue_loop_verify(snap, d, node, events, moving);
}

u32 torus_queues_room(struct torus_fabric *f, u32 node, u32 fifo)
{
	const struct torus_queues *q = queues_at(torus_domain_of(f, node), node);
	u32 held = q->waiting >> fifo & 1 ? q->queue[fifo].chunks : 0;

	return held < f->arch->fifo_chunks ? f->arch->fifo_chunks - held : 0;
}

static void queue_pop(struct torus_queues *q, u32 fifo, const struct torus_packet *p)
{
	struct torus_queue *own = &q->queue[fifo];

	own->head = own->head == own->tail ? TORUS_NONE : p->next;
	own->chunks = (u16)(own->chunks - p->chunks);
	if (own->head == TORUS_NONE)
		q->waiting &= ~(1ull << fifo);
}

/*
 * Drop all packets of the queues, except one on its way to the own node: that packet does not wait.
 */
void torus_queues_flush(struct torus_fabric *f, u32 node, u32 reason)
{
	struct torus_domain *d = torus_domain_of(f, node);
	struct torus_queues *q;

	if (!d->queues)
		return;
	for (q = queues_at(d, node); q->waiting; ) {
		u32 fifo = torus_ctz(q->waiting), pkt = q->queue[fifo].head;

		queue_pop(q, fifo, torus_packet_at(d, pkt));
		torus_stats_drop(d, node, pkt, reason);
	}
	torus_queues_look(f, node);
}

/* -------------------------------------------------------------- packets to the own node */

static void queue_wake(struct torus_domain *d, u32 node, u64 at)
{
	torus_wheel_push(&d->wheel, at, (struct torus_event){
		.kind = TORUS_EV_SOURCE, .node = node, .pkt = TORUS_NONE,
	});
}

/*
 * Check whether the packet may enter its reception FIFO. If not, @drop is the reason to drop it, or
 * TORUS_DROP_MAX if it must wait.
 */
static bool queue_loop_admit(struct torus_domain *d, u32 node, struct torus_packet *p, u32 fifo,
			     u32 *drop)
{
	*drop = TORUS_DROP_MAX;
	if (p->flags & TORUS_PACKET_USER)
		return torus_nic_admit(d, node, p, fifo, drop);
	return !d->processors || d->f->load->admit(d, node, p, fifo);
}

/*
 * Start the head packet of a queue on the path to its own node. Return: true if the packet has left
 * the queue.
 */
static bool queue_loop_begin(struct torus_domain *d, struct torus_queues *q, u32 node, u32 fifo)
{
	u32 pkt = q->queue[fifo].head, ticks, to, drop;
	struct torus_packet *p = torus_packet_at(d, pkt);

	if (q->loop != TORUS_NONE)
		return false;
	to = d->f->arch->loop(d->f, node, p, &ticks);
	if (to != TORUS_NONE && !queue_loop_admit(d, node, p, to, &drop)) {
		if (drop == TORUS_DROP_MAX)
			return false;
		queue_pop(q, fifo, p);
		torus_stats_drop(d, node, pkt, drop);
		return true;
	}
	queue_pop(q, fifo, p);
	if (d->tnis)
		torus_tni_sent(d, node, queue_slot(d->f, fifo), p);
	q->loop = pkt;
	q->loop_fifo = to;
	q->loop_until = d->now + (ticks ? ticks : 1);
	queue_wake(d, node, q->loop_until);
	return true;
}

static void queue_loop_end(struct torus_domain *d, struct torus_queues *q, u32 node)
{
	u32 pkt = q->loop, fifo = q->loop_fifo;
	struct torus_packet *p;

	if (pkt == TORUS_NONE || q->loop_until > d->now)
		return;
	q->loop = TORUS_NONE;
	p = torus_packet_at(d, pkt);
	if (d->tnis && fifo != TORUS_NONE)
		torus_tni_received(d, node, d->f->router->port(p), p);
	if (fifo == TORUS_NONE) {
		d->f->arch->take(d, node, pkt);
	} else if (p->flags & TORUS_PACKET_USER) {
		torus_nic_receive(d, node, pkt, fifo);
	} else if (d->hand_over) {
		d->f->load->receive(d, node, pkt, fifo);
	} else {
		torus_stats_deliver(d, node, p);
		torus_packet_free(d, pkt);
	}
}

/* ------------------------------------------------------------------- packets to the router */

/*
 * Serve the next queue of a slot, round robin; false if no packet left a queue. If the packet of
 * the queue whose turn it is does not fit into the slot, the slot serves no later queue, so that
 * short packets do not starve long ones.
 */
static bool queue_serve(struct torus_domain *d, struct torus_queues *q, u32 node, u32 slot)
{
	const struct torus_fabric *f = d->f;
	u32 turn = q->queue[slot].turn;
	u64 left = q->waiting & f->slot_queues[slot];

	while (left) {
		u64 behind = left & ~((2ull << turn) - 1);
		u32 at = torus_ctz(behind ? behind : left), pkt = q->queue[at].head;
		struct torus_packet *p = torus_packet_at(d, pkt);

		left &= ~(1ull << at);
		if (f->arch->loop && p->dst == node) {
			/* a packet that waits for the loop path does not block the router's slot */
			if (!queue_loop_begin(d, q, node, at))
				continue;
		} else {
			if (f->router->inject_room(d->f, node, at) < p->chunks)
				return false;
			queue_pop(q, at, p);
			p->next = TORUS_NONE;
			f->router->inject(d, node, at, pkt);
		}
		q->queue[slot].turn = (u8)at;
		return true;
	}
	return false;
}

void torus_queues_feed(struct torus_domain *d, u32 node)
{
	struct torus_queues *q;
	u32 slot, slots;

	if (torus_likely(!d->queues))
		return;
	q = queues_at(d, node);
	queue_loop_end(d, q, node);
	slots = q->waiting ? queue_slots(d->f) : 0;
	for (slot = 0; slot < slots; slot++)
		while (queue_serve(d, q, node, slot))
			;
}

void torus_queues_put(struct torus_domain *d, u32 node, u32 fifo, u32 pkt)
{
	const struct torus_fabric *f = d->f;
	struct torus_packet *p = torus_packet_at(d, pkt);
	struct torus_queues *q = queues_at(d, node);
	u32 slot = queue_slot(f, fifo);

	p->next = TORUS_NONE;
	/* if no FIFO waits for the slot, and the slot has space, put the packet there directly */
	if (!(q->waiting & f->slot_queues[slot]) && !(f->arch->loop && p->dst == node) &&
	    f->router->inject_room(d->f, node, fifo) >= p->chunks) {
		f->router->inject(d, node, fifo, pkt);
		q->queue[slot].turn = (u8)fifo;
		queue_loop_end(d, q, node);
		return;
	}
	if (q->queue[fifo].head == TORUS_NONE)
		q->queue[fifo].head = pkt;
	else
		torus_packet_at(d, q->queue[fifo].tail)->next = pkt;
	q->queue[fifo].tail = pkt;
	q->queue[fifo].chunks = (u16)(q->queue[fifo].chunks + p->chunks);
	q->waiting |= 1ull << fifo;
	torus_queues_feed(d, node);
}

bool torus_queues_wait(const struct torus_domain *d, u32 node, u32 slot)
{
	return d->queues && queues_at(d, node)->waiting & d->f->slot_queues[slot];
}
