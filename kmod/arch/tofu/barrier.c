// SPDX-License-Identifier: GPL-2.0
/* Send and receive the packets of barrier gates: see barrier.h. */
#include "arch/tofu/inject.h"
#include "core/state/packets.h"
#include "core/state/tni.h"
#include "arch/tofu/barrier.h"
#include "arch/tofu/channel.h"
#include "arch/tofu/header.h"

const char *const tofu_drop_names[] = {
	[TOFU_DROP_GATE_UNSET] = "gate_unset",
	[TOFU_DROP_GATE_STRANGER] = "gate_stranger",
	[TOFU_DROP_GATE_OVERRUN] = "gate_overrun",
	[TOFU_DROP_GATE_MALFORMED] = "gate_malformed",
	[TOFU_DROP_ENGINE_MALFORMED] = "engine_malformed",
};

/* Ticks until a channel retries, after it found no memory for a packet. */
#define RETRY_TICKS	4096u

_Static_assert(TORUS_TOFU_HEADER_BYTES + TOFU_GATE_BYTES_MAX <= TOFU_QUEUE_BYTES &&
	       !(TOFU_QUEUE_BYTES % TOFU_CHUNK_BYTES), "a place takes each gate's packet");

/* ------------------------------------------------------------------- sending */

/* Return the first packet of a queue if it may leave now, else NULL. */
static struct tofu_queued *queue_due(const struct torus_domain *d, struct tofu_channel *ch,
				     const struct tofu_gate_queue *queue)
{
	struct tofu_queued *q;

	if (queue->head == TOFU_QUEUE_NONE)
		return NULL;
	q = &ch->places.place[queue->head];
	/*
	 * @entered has the low 48 bits of a tick at most 2^47 ticks away: a difference above 2^47
	 * is a future tick
	 */
	return torus_packet_since(d->now, q->p.entered) >> 47 ? NULL : q;
}

/*
 * Fill in the header and fields of a barrier packet. Return false if the destination does not
 * exist, no route leads to it, or the route leaves the partition.
 */
static bool packet_address(const struct tofu_channel *ch, const struct tofu_gate_packet *from,
			   struct torus_packet *p)
{
	const struct torus_geometry *g = &ch->f->cfg.geo;
	struct tofu_fields *fields = tofu_fields(p);
	u32 dest[TORUS_DIMS_MAX] = { 0 }, at[TORUS_DIMS_MAX];

	tofu_vbg_coords(from->dest, dest);
	p->dst = torus_geometry_node(g, dest);
	if (p->dst == TORUS_NONE)
		return false;
	tofu_make(ch->f, p, (TORUS_TOFU_HEADER_BYTES + tofu_gate_packet_bytes(from) +
			     TOFU_CHUNK_BYTES - 1) / TOFU_CHUNK_BYTES);
	torus_geometry_coords(g, ch->node, at);
	fields->order = tofu_order_at(ch->f->machine, at);
	fields->fifo = TORUS_TOFU_FIFO_GATE;
	fields->sw = (u16)tofu_vbg_tni(from->dest);
	fields->path = from->path;
	/*
	 * use a fixed path, which keeps the order of packets (see gate.h); alternating paths do not
	 */
	if (from->path == TOFU_GATE_PATH_DEFAULT)
		fields->path = (u8)tofu_path_of(g, TOFU_FIXED, ch->node, p->dst);
	if (torus_unlikely(ch->f->dead) && p->dst != ch->node) {
		u32 path = tofu_path_around(ch->f, ch->node, p->dst, fields->path, true);

		if (path == TORUS_NONE)
			return false;
		fields->path = (u8)path;
	}
	return tofu_path_stays_in_partition(ch->f, ch->node, p->dst, fields->path);
}

/*
 * Return the destination gate's tofu_gates.turn, 0 without a channel. The packet records it.
 * The fabric's lock is held while a gate is set.
 */
static u32 gate_turn(const struct torus_fabric *f, u32 node, u64 vbg)
{
	const struct tofu_channel *ch = tofu_channel_at(f, node, tofu_vbg_tni(vbg));

	return ch ? ch->gates.turn[tofu_vbg_gate(vbg)] : 0;
}

static void channel_wake(struct torus_domain *d, const struct tofu_channel *ch, u64 at)
{
	torus_wheel_push(&d->wheel, at, (struct torus_event){
		.kind = TORUS_EV_SOURCE, .node = ch->node, .pkt = TORUS_NONE,
	});
}

/*
 * Return the tick at which a packet that a gate sends now may leave. For a packet to the own
 * node, return the tick at which it has arrived.
 */
static u64 channel_due(struct torus_domain *d, struct tofu_channel *ch,
		       const struct torus_packet *p)
{
	const struct tofu_machine *m = ch->f->machine;
	u64 at = d->now + m->gate_delay;

	if (p->dst != ch->node)
		return at;
	if (ch->loop_until > at)
		at = ch->loop_until;
	ch->loop_until = at + (u64)p->chunks * TOFU_CHUNK_TICKS;
	return ch->loop_until;
}

/*
 * Drop a gate's packet that cannot be sent, because its destination is unreachable or the gate's
 * queue is full.
 */
static void channel_drop(struct torus_domain *d, const struct tofu_channel *ch,
			 const struct torus_packet *p, u32 reason)
{
	u32 pkt = torus_pool_get(&d->pool);

	/* without memory for a packet the drop is not counted */
	if (pkt == TORUS_NONE)
		return;
	torus_pool_fill(&d->pool, pkt, p);
	torus_stats_inject(d, torus_packet_at(d, pkt));
	torus_stats_drop(d, ch->node, pkt, reason);
}

/* Send a gate's packet (send() of struct tofu_gate_ops). */
static void channel_send(void *context, const struct tofu_gate_packet *packet)
{
	struct tofu_channel *ch = context;
	const struct tofu_machine *m = ch->f->machine;
	struct torus_domain *d = torus_domain_of(ch->f, ch->node);
	struct torus_packet p = {
		.src = ch->node, .next = TORUS_NONE, .body = TORUS_NONE, .born = d->now,
	};
	u32 gate = tofu_vbg_gate(packet->source);
	bool known = packet_address(ch, packet, &p);
	struct tofu_queued *q;

	if (ch->gates.queued[gate] >= TOFU_GATE_QUEUED) {
		channel_drop(d, ch, &p, TORUS_DROP_MACHINE + TOFU_DROP_GATE_OVERRUN);
		return;
	}
	p.entered = channel_due(d, ch, &p);
	p.seq = (u32)(ch->sent++ * m->tnis + ch->tni);
	if (!known) {
		channel_drop(d, ch, &p, TORUS_DROP_NO_ROUTE);
		return;
	}
	p.generation = gate_turn(ch->f, p.dst, packet->dest);
	/* this cannot fail: there is an entry for each packet that the gates may have */
	q = tofu_gate_queue_push(&ch->places, p.dst == ch->node ? &ch->loop : &ch->out);
	ch->gates.queued[gate]++;
	q->p = p;
	q->gate = (u8)gate;
	memset(q->bytes, 0, p.chunks * TOFU_CHUNK_BYTES);
	tofu_image(&p, 0, q->bytes);
	tofu_gate_packet_pack(packet, q->bytes + TORUS_TOFU_HEADER_BYTES);
	channel_wake(d, ch, p.entered);
}

static void channel_done(void *context, u32 gate)
{
	const struct tofu_channel *ch = context;
	const struct tofu_machine *m = ch->f->machine;

	if (m->barrier->done)
		m->barrier->done(m->barrier->owner, ch->node, ch->gates.self | gate);
}

const struct tofu_gate_ops tofu_channel_ops = { .send = channel_send, .done = channel_done };

/*
 * Move the first packet of a queue to the domain's pool. Return TORUS_NONE if no memory is
 * available; the channel then retries later.
 */
static u32 channel_pop(struct torus_domain *d, struct tofu_channel *ch,
		       struct tofu_gate_queue *queue)
{
	struct tofu_queued *q = &ch->places.place[queue->head];
	u32 pkt = torus_pool_get(&d->pool), body = torus_bodies_get(&d->bodies);

	if (pkt == TORUS_NONE || body == TORUS_NONE) {
		if (pkt != TORUS_NONE)
			torus_pool_put(&d->pool, pkt);
		if (body != TORUS_NONE)
			torus_bodies_put(&d->bodies, body);
		channel_wake(d, ch, d->now + RETRY_TICKS);
		return TORUS_NONE;
	}
	q->p.body = body;
	q->p.entered = d->now;
	torus_pool_fill(&d->pool, pkt, &q->p);
	memcpy(torus_body_at(&d->bodies, body)->bytes, q->bytes, q->p.chunks * TOFU_CHUNK_BYTES);
	ch->gates.queued[q->gate]--;
	tofu_gate_queue_pop(&ch->places, queue);
	torus_stats_inject(d, torus_packet_at(d, pkt));
	return pkt;
}

/* Deliver the due packets for the own node. Inject other due packets while the slot has space. */
static void channel_refill(struct torus_domain *d, struct tofu_channel *ch)
{
	const struct tofu_machine *m = d->machine;
	const struct tofu_queued *q;
	u32 pkt;

	while (queue_due(d, ch, &ch->loop)) {
		const struct torus_packet *p;

		pkt = channel_pop(d, ch, &ch->loop);
		if (pkt == TORUS_NONE)
			break;
		p = torus_packet_at(d, pkt);
		torus_tni_sent(d, ch->node, ch->tni, p);
		/*
		 * a VBG ID may name a TNI that no node has: count the packet at the port that a
		 * router would choose
		 */
		torus_tni_received(d, ch->node, tofu_engine_of(p) % m->tnis, p);
		tofu_barrier_take(d, ch->node, pkt);
	}
	while ((q = queue_due(d, ch, &ch->out))) {
		/* FIFO number @tni feeds the injection slot of engine @tni */
		if (ch->f->router->inject_room(ch->f, ch->node, ch->tni) < q->p.chunks)
			return;
		pkt = channel_pop(d, ch, &ch->out);
		if (pkt == TORUS_NONE)
			return;
		ch->f->router->inject(d, ch->node, ch->tni, pkt);
	}
}

/*
 * Inject waiting gate packets of a node. Called during the node's arbitration when its
 * injection slots have space or a wake-up is due.
 *
 * @d: the domain, of a fabric with barrier channels
 */
void tofu_barrier_refill(struct torus_domain *d, u32 node)
{
	const struct tofu_machine *m = d->machine;
	u32 tni;

	if (d->f->injection_held)
		return;
	for (tni = 0; tni < m->tnis; tni++) {
		struct tofu_channel *ch = tofu_channel_at(d->f, node, tni);

		if (ch)
			channel_refill(d, ch);
	}
}

/* ----------------------------------------------------------------- receiving */

static u32 drop_of(u32 answer)
{
	switch (answer) {
	case TOFU_GATE_STRANGER:
		return TOFU_DROP_GATE_STRANGER;
	case TOFU_GATE_OVERRUN:
		return TOFU_DROP_GATE_OVERRUN;
	case TOFU_GATE_MALFORMED:
		return TOFU_DROP_GATE_MALFORMED;
	default:
		return TOFU_DROP_GATE_UNSET;
	}
}

/* Deliver a packet to the gates of its engine, and return their result. */
static u32 packet_take(struct torus_domain *d, u32 node, const struct torus_packet *p)
{
	struct torus_fabric *f = d->f;
	struct tofu_channel *ch = tofu_channel_at(f, node,
					     ((const struct tofu_fields *)p->header)->sw);
	const u8 *bytes;
	u32 gate;

	if (!ch)
		return TOFU_GATE_UNSET;
	if (torus_fabric_partition(f, p->src) != torus_fabric_partition(f, node))
		return TOFU_GATE_STRANGER;
	/* an undetected transmission error may have led a user's packet here */
	if (p->body == TORUS_NONE || p->flags & TORUS_PACKET_USER)
		return TOFU_GATE_MALFORMED;
	bytes = torus_body_at(&d->bodies, p->body)->bytes + TORUS_TOFU_HEADER_BYTES;
	gate = bytes[TOFU_GATE_TNI_AT + 1];
	/* the packet was sent to an earlier owner of the gate */
	if (gate < TOFU_GATES && p->generation != ch->gates.turn[gate])
		return TOFU_GATE_STRANGER;
	return tofu_gates_take(&ch->gates, bytes,
			       p->chunks * TOFU_CHUNK_BYTES - TORUS_TOFU_HEADER_BYTES);
}

/*
 * Receive a barrier packet at its destination.
 *
 * @d: the destination's domain
 * @pkt: the packet. It is delivered, or dropped for the reason that the gates return. In both cases
 *   it is freed
 */
void tofu_barrier_take(struct torus_domain *d, u32 node, u32 pkt)
{
	u32 answer = packet_take(d, node, torus_packet_at(d, pkt));

	if (answer) {
		torus_stats_drop(d, node, pkt, TORUS_DROP_MACHINE + drop_of(answer));
		return;
	}
	torus_stats_deliver(d, node, torus_packet_at(d, pkt));
	torus_packet_free(d, pkt);
}
