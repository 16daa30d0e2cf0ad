// SPDX-License-Identifier: GPL-2.0
/*
 * The node of Liu et al. (2012), section 2.4: one processing unit, and one link per direction. All
 * serve packets first come first served, from unbounded queues.
 *
 * Because no queue can be full, the departure of a packet is known when it joins a queue. A queue
 * is represented by the tick at which its server is free next (the paper's next_available_time),
 * and a hop is two events. link_queue.c stores packets that wait long for a link.
 *
 *   generate   the packet joins its first link's queue at once (as in the text; the
 *              paper's algorithm 1 would delay it by T_D)
 *   send       the link is free at F: the packet leaves at max(now, F) and arrives T_D
 *              later, busy or not (algorithm 2 omits T_D if the link is busy)
 *   arrive     the processing unit is free at F: it finishes at max(now, F) + T_P
 *   process    at its destination the packet is received, elsewhere it is sent on
 *
 * Order of a node's packets within a tick: the packet whose processing ended, packets generated at
 * the node, arrivals by direction.
 */
#include "core/workload/source.h"
#include "core/state/snapshot_events.h"
#include "core/state/census.h"
#include "core/state/mail.h"
#include "core/state/packets.h"
#include "core/state/trace.h"
#include "core/workload/workload.h"
#include "link_queue.h"
#include "station_router.h"

/*
 * Maximum packets that sources send in tick 0, where a closed loop sends all its packets, before
 * the hot loop returns. The next call continues in tick 0.
 */
#define KNCUBE_SENDS	(1u << 18)

/**
 * kncube_node_bytes() - return the memory of a node in bytes
 * @cfg: configuration with the shape
 * @cold: [out] bytes of its entry in the table of queues
 */
size_t kncube_node_bytes(const struct torus_config *cfg, size_t *cold)
{
	*cold = sizeof(struct kncube_queue *);
	return sizeof(struct kncube_node) + 2 * cfg->geo.ndims * sizeof(u64);
}

/**
 * kncube_node_init() - reset a node to its state without packets
 * @f: the fabric
 * @node: index of the node
 */
void kncube_node_init(struct torus_fabric *f, u32 node)
{
	struct kncube_node *n = kncube_node(torus_domain_of(f, node), node);

	n->arrived = TORUS_NONE;
	n->processed = TORUS_NONE;
	kncube_queues_reset(f, node);
}

/**
 * kncube_route() - select the next direction: e-cube, the highest dimension in which the addresses
 * differ
 * @m: the machine
 * @node: the packet's current node
 * @p: [in, out] the packet, not at its destination
 *
 * "The well-known e-cube algorithm routes packets in decreasing dimension order". In a dimension,
 * the packet takes the shorter way around. If it goes half-way around, it takes plus from even
 * coordinates and minus from odd ones, so that both have the same load. Called at the source and
 * at each change of dimension, so that a hop needs no division.
 */
void kncube_route(const struct kncube_machine *m, u32 node, struct torus_packet *p)
{
	struct kncube_fields *h = (struct kncube_fields *)p->header;
	const struct torus_geometry *g = m->geo;
	u32 dim, n, at = 0, to = 0, dst = p->dst, plus;

	for (dim = g->ndims; dim--;) {
		at = node / g->stride[dim];
		to = dst / g->stride[dim];
		if (at != to)
			break;
		/* reduce both numbers to the lower dimensions */
		node -= at * g->stride[dim];
		dst -= at * g->stride[dim];
	}
	n = g->dims[dim];
	plus = to > at ? to - at : to + n - at;
	h->coord = (u16)at;
	if (g->mesh >> dim & 1 ? to > at : 2 * plus + (at & 1) <= n) {
		h->dir = (u8)(2 * dim);
		h->left = plus;
	} else {
		h->dir = (u8)(2 * dim + 1);
		h->left = n - plus;
	}
}

/* Queue a packet that has to wait long for its link. @own: the node's source has just sent it. */
static torus_cold void kncube_wait(struct torus_domain *d, u32 node, u32 dir, u32 pkt, u64 begin,
				   bool own)
{
	if (!own || !kncube_queue_count(d, node, dir, pkt, begin))
		kncube_queue_add(d, node, dir, pkt, begin);
}

/* Give a packet to its next link. @own: the node's source has just sent it. */
torus_inline void kncube_send(struct torus_domain *d, struct kncube_node *n, u32 node, u32 pkt,
			      bool own)
{
	const struct kncube_machine *m = d->machine;
	struct torus_packet *p = torus_packet_at(d, pkt);
	struct kncube_fields *h = (struct kncube_fields *)p->header;
	u32 dir, peer, *hot;
	u64 begin, at;

	if (!h->left) {
		kncube_route(m, node, p);
		torus_trace_detail(d, TORUS_TRACE_ROUTE, node, 0, 0, 1ull << h->dir, p);
	}
	dir = h->dir;
	peer = kncube_step(m->geo, node, p);
	hot = d->hot + ((size_t)node * d->f->dirs + dir) * 2;
	hot[0]++;
	hot[1] += p->chunks;
	begin = n->link_free[dir] > d->now ? n->link_free[dir] : d->now;
	torus_trace_detail(d, TORUS_TRACE_HOP, node, dir, 0, begin - d->now, p);
	at = begin + kncube_link_ticks(m, 1, p->chunks);
	n->link_free[dir] = at;
	d->stats.begun[0]++;
	d->stats.payload_bytes += p->chunks * KNCUBE_CHUNK_BYTES;
	if (torus_unlikely(begin - d->now >= KNCUBE_NEAR_TICKS || n->queued >> dir & 1)) {
		kncube_wait(d, node, dir, pkt, begin, own);
		return;
	}
	torus_send_packet(d, at, (struct torus_event){
		.kind = TORUS_EV_HEAD, .node = peer, .pkt = pkt, .dir = (u8)dir,
	});
}

torus_inline void kncube_arrive(struct torus_domain *d, struct kncube_node *n, u32 node, u32 pkt)
{
	const struct kncube_machine *m = d->machine;

	if (n->unit_free < d->now)
		n->unit_free = d->now;
	n->unit_free += m->processing;
	torus_wheel_push(&d->wheel, n->unit_free, (struct torus_event){
		.kind = KNCUBE_EV_PROCESSED, .node = node, .pkt = pkt,
	});
}

/* Insert an arrival into the list of the tick's arrivals, in the order of direction. */
static void kncube_note_arrival(struct torus_domain *d, struct kncube_node *n,
				const struct torus_event *ev)
{
	struct torus_packet *p = torus_packet_at(d, ev->pkt);
	u32 *link = &n->arrived;

	p->slot = ev->dir;
	while (*link != TORUS_NONE && torus_packet_at(d, *link)->slot < p->slot)
		link = &torus_packet_at(d, *link)->next;
	p->next = *link;
	*link = ev->pkt;
}

static void kncube_apply(struct torus_domain *d, const struct torus_event *ev)
{
	struct kncube_node *n = kncube_node(d, ev->node);

	switch (ev->kind) {
	case TORUS_EV_HEAD:
		kncube_note_arrival(d, n, ev);
		break;
	case KNCUBE_EV_PROCESSED:
		n->processed = ev->pkt;
		break;
	case TORUS_EV_SOURCE:
		n->refill = 1;
		break;
	case KNCUBE_EV_LINK_FREE:
		kncube_queue_send(d, ev->node, ev->dir);
		return;
	}
	torus_touch(d, &n->touched, ev->node);
}

static bool kncube_event_has_packet(const struct torus_event *ev)
{
	return ev->kind == TORUS_EV_HEAD || ev->kind == KNCUBE_EV_PROCESSED;
}

#define KNCUBE_AHEAD_NODE	12
#define KNCUBE_AHEAD_PACKET	6

static void kncube_events(struct torus_domain *d, u64 now)
{
	struct torus_block *blk, *next;
	u32 i;

	for (blk = torus_wheel_take(&d->wheel, now); blk; blk = next) {
		next = blk->next;
		for (i = 0; i < blk->n && i < KNCUBE_AHEAD_NODE; i++)
			torus_prefetch(kncube_node(d, blk->ev[i].node));
		for (i = 0; i < blk->n; i++) {
			const struct torus_event *ev = &blk->ev[i];

			if (i + KNCUBE_AHEAD_NODE < blk->n)
				torus_prefetch(kncube_node(d, ev[KNCUBE_AHEAD_NODE].node));
			/* KNCUBE_EV_LINK_FREE prefetches packet 0: this does no harm */
			if (i + KNCUBE_AHEAD_PACKET < blk->n &&
			    ev[KNCUBE_AHEAD_PACKET].kind != TORUS_EV_SOURCE)
				torus_prefetch(torus_packet_at(d, ev[KNCUBE_AHEAD_PACKET].pkt));
			if (torus_unlikely(ev->residue)) {
				/*
				 * drop events of stopped sources, which would otherwise stay in
				 * the wheel for up to TORUS_WHEEL_FAR ticks
				 */
				if (ev->kind != TORUS_EV_SOURCE || d->sources)
					torus_wheel_push(&d->wheel, now + ev->residue, *ev);
				d->stats.events--;
				continue;
			}
			kncube_apply(d, ev);
		}
		d->stats.events += blk->n;
		torus_wheel_put(&d->wheel, blk);
	}
}

/*
 * Let a source send all due packets in a tick after tick 0. After injection was held in a closed
 * loop, a source may send any number of packets at once.
 */
torus_inline void kncube_refill(struct torus_domain *d, u32 node)
{
	u64 sends = 0;

	if (torus_likely(torus_workload_open(d->f->workload))) {
		torus_source_refill(d, node);
		return;
	}
	while (!sends) {
		sends = KNCUBE_SENDS;
		torus_source_refill_some(d, node, &sends);
		if (!sends)
			torus_yield();
	}
}

/*
 * Arbitrate a node. @sends: [in, out] packets that its source may still send, or NULL for no
 * limit.
 */
torus_inline void kncube_arbitrate(struct torus_domain *d, u32 node, u64 *sends)
{
	struct kncube_node *n = kncube_node(d, node);
	u32 pkt = n->processed, next;

	if (pkt != TORUS_NONE) {
		struct torus_packet *p = torus_packet_at(d, pkt);

		n->processed = TORUS_NONE;
		if (p->dst == node && torus_unlikely(d->hand_over)) {
			d->f->load->receive(d, node, pkt, 0);
		} else if (p->dst == node) {
			torus_stats_deliver(d, node, p);
			torus_packet_free(d, pkt);
		} else {
			kncube_send(d, n, node, pkt, false);
		}
	}
	if (n->refill) {
		n->refill = 0;
		if (d->sources && !sends)
			kncube_refill(d, node);
		else if (d->sources)
			torus_source_refill_some(d, node, sends);
		/* the source may have more packets to send */
		if (sends && !*sends)
			n->refill = 1;
	}
	for (pkt = n->arrived, n->arrived = TORUS_NONE; pkt != TORUS_NONE; pkt = next) {
		next = torus_packet_at(d, pkt)->next;
		kncube_arrive(d, n, node, pkt);
	}
}

/*
 * Arbitrate the nodes of tick 0, in which sources of a closed loop may send all their packets.
 *
 * Return false after KNCUBE_SENDS packets. Nodes that may have more packets to send are then
 * arbitrated again in this tick. No packet has arrived anywhere yet, so tick 0 has no other work.
 */
static torus_cold bool kncube_begin(struct torus_domain *d)
{
	u64 sends = KNCUBE_SENDS, sent;
	u32 i;

	for (i = 0; i < d->ntouched && sends; i++) {
		kncube_node(d, d->touched[i])->touched &= (u8)~TORUS_TOUCHED;
		kncube_arbitrate(d, d->touched[i], &sends);
	}
	/* sending a packet updates counters as an event does, so count the packets as events */
	sent = KNCUBE_SENDS - sends;
	d->look_at -= sent < d->look_at ? sent : d->look_at;
	if (d->stats.events >= d->look_at)
		torus_counters_look(d);
	if (sends)
		return true;
	/* the last arbitrated node may have more packets, too */
	for (i--; i < d->ntouched; i++) {
		struct kncube_node *n = kncube_node(d, d->touched[i]);

		n->touched &= (u8)~TORUS_TOUCHED;
		torus_touch_again(d, &n->touched, d->touched[i], d->now);
	}
	d->ntouched = 0;
	d->failed |= d->wheel.failed;
	return false;
}

static void kncube_run(struct torus_domain *d, u64 until)
{
	for (;;) {
		u64 now = torus_wheel_next(&d->wheel);
		u32 i;

		now = d->again_at < now ? d->again_at : now;
		if (now >= until)
			break;
		d->now = now;
		/* if the run continues in tick 0, the wheel must be one tick before tick 0 */
		d->wheel.now = now ? now : ~0ull;
		if (d->again_at == now) {
			for (i = 0; i < d->nagain; i++) {
				struct kncube_node *n = kncube_node(d, d->again[i]);

				n->touched &= (u8)~TORUS_AGAIN;
				torus_touch(d, &n->touched, d->again[i]);
			}
			d->nagain = 0;
			d->again_at = ~0ull;
		}
		kncube_events(d, now);
		if (torus_unlikely(!now) && !kncube_begin(d))
			return;
		for (i = now ? 0 : d->ntouched; i < d->ntouched; i++) {
			kncube_node(d, d->touched[i])->touched &= (u8)~TORUS_TOUCHED;
			kncube_arbitrate(d, d->touched[i], NULL);
		}
		d->ntouched = 0;
		if (torus_unlikely(!torus_tick_done(d, now)))
			break;
	}
}

static void kncube_op_touch(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);

	torus_touch_again(d, &kncube_node(d, node)->touched, node, d->wheel.now + 1);
}

static void kncube_op_refill(struct torus_fabric *f, u32 node)
{
	kncube_node(torus_domain_of(f, node), node)->refill = 1;
	kncube_op_touch(f, node);
}

/* "Schedule the packet_send_event immediately." */
static void kncube_op_inject(struct torus_domain *d, u32 node, u32 fifo, u32 pkt)
{
	kncube_send(d, kncube_node(d, node), node, pkt, true);
}

static u32 kncube_op_inject_room(struct torus_fabric *f, u32 node, u32 fifo)
{
	return KNCUBE_PACKET_CHUNKS;
}

/* Return the ticks of packets that were counted when they joined the queue, but not sent yet. */
static u64 kncube_op_backlog(struct torus_fabric *f, u32 node, u32 dir)
{
	u64 free = kncube_node(torus_domain_of(f, node), node)->link_free[dir];

	return free > f->clock ? free - f->clock : 0;
}

/* Check whether the link has started a packet that arrives at @at. */
static bool kncube_begun(const struct torus_fabric *f, const struct torus_packet *p, u64 at)
{
	const struct kncube_machine *m = f->machine;

	return at - p->chunks * KNCUBE_CHUNK_BYTES - m->link_delay < f->clock;
}

/*
 * Add up the packets that have joined a queue and that the link has not started yet. A packet's
 * arrival is known when it joins the queue, and its start follows from the arrival. If all packets
 * have one size, their number follows from the tick at which the link is free.
 */
static void kncube_op_waiting(struct torus_domain *d, u32 node, u32 dir, u64 *packets, u64 *chunks)
{
	const struct kncube_machine *m = d->machine;
	struct torus_fabric *f = d->f;
	const struct torus_block *blk;
	u64 at, n;
	u32 b, i;

	for (i = 0; node == TORUS_NONE && i < d->count; i++)
		kncube_queues_waiting(d, torus_domain_nth(d, i), ~0u, packets, chunks);
	if (node != TORUS_NONE && f->workload && f->workload->chunks_span == 1) {
		n = kncube_op_backlog(f, node, dir) /
		    (f->workload->chunks_min * KNCUBE_CHUNK_BYTES + m->link_delay);
		*packets += n;
		*chunks += n * f->workload->chunks_min;
		return;
	}
	if (node != TORUS_NONE)
		kncube_queues_waiting(torus_domain_of(f, node), node, 1u << dir, packets, chunks);
	for (b = 0; b < TORUS_WHEEL_SIZE; b++) {
		at = d->wheel.now + ((b - d->wheel.now) & TORUS_WHEEL_MASK);
		for (blk = d->wheel.bucket[b][TORUS_LANE_ANY]; blk; blk = blk->next)
			for (i = 0; i < blk->n; i++) {
				const struct torus_event *ev = &blk->ev[i];
				const struct torus_packet *p;

				if (ev->kind != TORUS_EV_HEAD)
					continue;
				if (node != TORUS_NONE &&
				    (ev->dir != dir ||
				     ev->node != torus_geometry_neighbor(m->geo, node, dir)))
					continue;
				p = torus_packet_at(d, ev->pkt);
				if (kncube_begun(f, p, at + ev->residue))
					continue;
				++*packets;
				*chunks += p->chunks;
			}
	}
}

static void kncube_op_stalls(struct torus_fabric *f, u32 node, u32 dir, u64 *stalls)
{
}

static void kncube_op_stalls_fold(struct torus_domain *d, u32 node, u64 *folded)
{
}

/* Count all packets: they are in the wheel or in the queues of links. */
static void kncube_op_census(struct torus_domain *d, struct torus_check *check)
{
	const struct torus_block *blk;
	u32 b, i;

	for (i = 0; i < d->count; i++)
		kncube_queues_census(d, torus_domain_nth(d, i), check);

	for (b = 0; b < TORUS_WHEEL_SIZE; b++)
		for (blk = d->wheel.bucket[b][TORUS_LANE_ANY]; blk; blk = blk->next)
			for (i = 0; i < blk->n; i++)
				if (kncube_event_has_packet(&blk->ev[i]))
					torus_check_packet(check,
							   torus_packet_at(d, blk->ev[i].pkt));
}

static void kncube_op_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node)
{
	struct kncube_node *n = kncube_node(d, node);
	bool again = n->touched & TORUS_AGAIN, refill = n->refill;
	u32 dir;

	torus_snapshot_flag(snap, &again);
	torus_snapshot_flag(snap, &refill);
	SNAPSHOT_FIELD(snap, n->unit_free);
	torus_snapshot_bytes(snap, n->link_free, d->f->dirs * sizeof(*n->link_free));
	torus_snapshot_check(snap, n->unit_free >> 60 == 0, "tick of a processing unit =",
			     n->unit_free);
	for (dir = 0; dir < d->f->dirs; dir++)
		torus_snapshot_check(snap, n->link_free[dir] >> 60 == 0, "tick of a link =",
				     n->link_free[dir]);
	kncube_queues_snapshot(snap, d, node);
	if (!snap->reading)
		return;
	n->refill = refill;
	n->touched = 0;
	if (again)
		torus_touch_again(d, &n->touched, node, d->f->clock);
}

static u32 kncube_op_event(struct torus_fabric *f, const struct torus_event *ev)
{
	switch (ev->kind) {
	case TORUS_EV_HEAD:
		return ev->dir < f->dirs ? TORUS_EVENT_PACKET : TORUS_EVENT_INVALID;
	case KNCUBE_EV_PROCESSED:
		return TORUS_EVENT_PACKET;
	case TORUS_EV_SOURCE:
		return TORUS_EVENT_BARE;
	case KNCUBE_EV_LINK_FREE:
		return TORUS_EVENT_RECREATED;
	default:
		return TORUS_EVENT_INVALID;
	}
}

/*
 * Check that a server handles one packet after the other. The packet that ends at @at takes @ticks,
 * and the previous packet ended at @last. If @last is 0, the packet started before the clock's
 * tick, or in tick 0 if tick 0 has not ended.
 */
static void kncube_verify_turn(struct torus_snapshot *snap, const struct torus_fabric *f, u64 at,
			       u64 ticks,
			       u64 *last)
{
	torus_snapshot_check(snap, *last ? at == *last + ticks : at - f->clock < ticks + !f->clock,
			     "wrong turn of a packet at tick", at);
	*last = at;
}

/* Check the tick @free from which a server is free: its last packet ends at @last. */
static bool kncube_free_right(const struct torus_fabric *f, u64 free, u64 last)
{
	return last ? free == last : free < f->clock || !free;
}

/*
 * Return the tick at which the link's last packet in the wheel arrives. Packets in the link's queue
 * do not count.
 */
static u64 kncube_link_given(const struct torus_fabric *f, const struct kncube_node *n, u32 node,
			     u32 dir)
{
	return n->queued >> dir & 1 ? kncube_queue(f, node, dir)->next : n->link_free[dir];
}

/*
 * Check that the packets in transit match the ticks at which a node's processing unit, and the
 * links that lead to the node, become free.
 */
static void kncube_op_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			     struct torus_snapshot_events *events, struct torus_moving *moving)
{
	u64 unit = 0, link[2 * TORUS_DIMS_MAX] = { 0 };
	const struct kncube_machine *m = d->machine;
	struct torus_fabric *f = d->f;
	u32 dir, from, chunks;
	size_t i;

	for (i = 0; i < events->count && torus_snapshot_ok(snap); i++) {
		const struct torus_snapshot_event *one = &events->list[i];

		if (one->ev.kind == KNCUBE_EV_PROCESSED)
			kncube_verify_turn(snap, f, one->at, m->processing, &unit);
		if (one->ev.kind != TORUS_EV_HEAD)
			continue;
		chunks = torus_packet_at(d, one->ev.pkt)->chunks;
		kncube_verify_turn(snap, f, one->at, kncube_link_ticks(m, 1, chunks),
				   &link[one->ev.dir]);
	}
	torus_snapshot_check(snap, kncube_free_right(f, kncube_node(d, node)->unit_free, unit),
			     "tick of a processing unit =", kncube_node(d, node)->unit_free);
	for (dir = 0; dir < f->dirs; dir++) {
		from = torus_geometry_neighbor(m->geo, node, TORUS_REVERSE(dir));
		if (from != TORUS_NONE && torus_node_here(f, from)) {
			u64 free = kncube_link_given(f, kncube_node(torus_domain_of(f, from), from),
						     from, dir);

			torus_snapshot_check(snap, kncube_free_right(f, free, link[dir]),
					     "tick of a link =", free);
		} else if (from == TORUS_NONE) {
			torus_snapshot_check(snap, !link[dir], "a packet from direction", dir);
		}
	}
	kncube_queues_verify(snap, d, node);
}

static const char *const kncube_vc_names[] = { "FCFS" };

const struct torus_router_ops kncube_router_ops = {
	.vcs = 1,
	.vc_names = kncube_vc_names,
	.interrupts = true,
	.run = kncube_run,
	.touch = kncube_op_touch,
	.refill = kncube_op_refill,
	.inject = kncube_op_inject,
	.inject_room = kncube_op_inject_room,
	.backlog = kncube_op_backlog,
	.waiting = kncube_op_waiting,
	.stalls = kncube_op_stalls,
	.stalls_fold = kncube_op_stalls_fold,
	.census = kncube_op_census,
	.snapshot = kncube_op_snapshot,
	.event = kncube_op_event,
	.verify = kncube_op_verify,
};
