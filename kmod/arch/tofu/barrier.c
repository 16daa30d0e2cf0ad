// SPDX-License-Identifier: GPL-2.0
/* Barrier channels: gates, and what they send: see barrier.h. */
#include "core/state/packets.h"
#include "core/state/tni.h"
#include "arch/tofu/barrier.h"
#include "arch/tofu/header.h"
#include "arch/tofu/nic.h"

const char *const tofu_drop_names[] = {
	[TOFU_DROP_GATE_UNSET] = "gate_unset",
	[TOFU_DROP_GATE_STRANGER] = "gate_stranger",
	[TOFU_DROP_GATE_OVERRUN] = "gate_overrun",
	[TOFU_DROP_GATE_MALFORMED] = "gate_malformed",
	[TOFU_DROP_ENGINE_MALFORMED] = "engine_malformed",
};

/**
 * struct tofu_waiting - packets that a channel's gates have sent, first to last
 * @head: the first, TORUS_NONE: none waits
 * @tail: the last
 *
 * A packet's @entered is the tick before which it does not go.
 */
struct tofu_waiting {
	u32 head;
	u32 tail;
};

/**
 * struct tofu_channel - a TNI's gates, and what they send
 * @f: the fabric
 * @node: index of the node
 * @tni: number of the engine
 * @sent: packets that its gates have sent
 * @loop_until: tick when the last packet to the own node is there
 * @out: packets for the injection slot
 * @loop: packets to the own node
 * @gates: the gates
 */
struct tofu_channel {
	struct torus_fabric *f;
	u32 node;
	u32 tni;
	u64 sent;
	u64 loop_until;
	struct tofu_waiting out;
	struct tofu_waiting loop;
	struct tofu_gates gates;
};

/**
 * struct tofu_barrier - a fabric's barrier channels
 * @done: who is told of results
 * @owner: for @done
 * @channels: places in @channel
 * @made: of these, channels that there are
 * @channel: by node, then TNI; NULL where nobody has asked for gates
 */
struct tofu_barrier {
	tofu_barrier_done *done;
	void *owner;
	size_t channels;
	u32 made;
	struct tofu_channel *channel[];
};

static size_t barrier_room(size_t channels)
{
	return sizeof(struct tofu_barrier) + channels * sizeof(struct tofu_channel *);
}

static struct tofu_channel *channel_at(const struct torus_fabric *f, u32 node, u32 tni)
{
	const struct tofu_machine *m = f->machine;

	if (!m->barrier || tni >= m->tnis)
		return NULL;
	return m->barrier->channel[(size_t)node * m->tnis + tni];
}

/* ------------------------------------------------------------------- sending */

static void waiting_push(struct torus_domain *d, struct tofu_waiting *w, u32 pkt)
{
	if (w->head == TORUS_NONE)
		w->head = pkt;
	else
		torus_packet_at(d, w->tail)->next = pkt;
	w->tail = pkt;
}

/* The first packet if its time has come, else TORUS_NONE. */
static u32 waiting_due(struct torus_domain *d, const struct tofu_waiting *w)
{
	/* its low 48 bits: the tick is at most 2^47 away */
	if (w->head == TORUS_NONE ||
	    torus_packet_since(d->now, torus_packet_at(d, w->head)->entered) >> 47)
		return TORUS_NONE;
	return w->head;
}

static void waiting_pop(struct torus_domain *d, struct tofu_waiting *w)
{
	struct torus_packet *p = torus_packet_at(d, w->head);

	w->head = w->head == w->tail ? TORUS_NONE : p->next;
	p->next = TORUS_NONE;
	p->entered = d->now;
}

/* Header and fields of a barrier packet; false where there is no such node, or no way to it. */
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
	/* a path keeps the order, paths in turns would not: see gate.h */
	if (from->path == TOFU_GATE_PATH_DEFAULT)
		fields->path = (u8)tofu_path_of(g, TOFU_FIXED, ch->node, p->dst);
	if (torus_unlikely(ch->f->dead) && p->dst != ch->node) {
		u32 path = tofu_path_around(ch->f, ch->node, p->dst, fields->path, true);

		if (path == TORUS_NONE)
			return false;
		fields->path = (u8)path;
	}
	return tofu_path_stays(ch->f, ch->node, p->dst, fields->path);
}

/* How often a gate has been set when a packet for it is sent; it is set with the fabric held. */
static u32 gate_turn(const struct torus_fabric *f, u32 node, u64 vbg)
{
	const struct tofu_channel *ch = channel_at(f, node, tofu_vbg_tni(vbg));

	return ch ? ch->gates.turn[tofu_vbg_gate(vbg)] : 0;
}

static void channel_wake(struct torus_domain *d, const struct tofu_channel *ch, u64 at)
{
	torus_wheel_push(&d->wheel, at, (struct torus_event){
		.kind = TORUS_EV_SOURCE, .node = ch->node, .pkt = TORUS_NONE,
	});
}

/* Tick when a packet that a gate sends now may leave, or has come to the own node. */
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

/* A gate sends a packet: struct tofu_gate_ops. */
static void channel_send(void *context, const struct tofu_gate_packet *packet)
{
	struct tofu_channel *ch = context;
	const struct tofu_machine *m = ch->f->machine;
	struct torus_domain *d = torus_domain_of(ch->f, ch->node);
	struct torus_packet p = { .src = ch->node, .next = TORUS_NONE, .body = TORUS_NONE };
	u32 pkt = torus_pool_get(&d->pool);
	bool known = packet_address(ch, packet, &p);
	u64 due = channel_due(d, ch, &p);
	u8 *bytes;

	p.body = torus_bodies_get(&d->bodies);
	if (pkt == TORUS_NONE || p.body == TORUS_NONE) {
		d->failed = true;
		return;
	}
	p.seq = (u32)(ch->sent++ * m->tnis + ch->tni);
	p.born = d->now;
	p.entered = due;
	if (known)
		p.generation = gate_turn(ch->f, p.dst, packet->dest);
	torus_pool_fill(&d->pool, pkt, &p);
	if (!known) {
		torus_tally_inject(d, torus_packet_at(d, pkt));
		torus_tally_drop(d, ch->node, pkt, TORUS_DROP_NO_ROUTE);
		return;
	}
	bytes = torus_body_at(&d->bodies, p.body)->bytes;
	memset(bytes, 0, p.chunks * TOFU_CHUNK_BYTES);
	tofu_image(&p, 0, bytes);
	tofu_gate_packet_pack(packet, bytes + TORUS_TOFU_HEADER_BYTES);
	waiting_push(d, p.dst == ch->node ? &ch->loop : &ch->out, pkt);
	channel_wake(d, ch, due);
}

static void channel_done(void *context, u32 gate)
{
	const struct tofu_channel *ch = context;
	const struct tofu_machine *m = ch->f->machine;

	if (m->barrier->done)
		m->barrier->done(m->barrier->owner, ch->node, ch->gates.self | gate);
}

static const struct tofu_gate_ops channel_ops = { .send = channel_send, .done = channel_done };

/* What is due goes to the own node's gates, or into the slot as far as that has room. */
static void channel_refill(struct torus_domain *d, struct tofu_channel *ch)
{
	const struct tofu_machine *m = d->machine;
	u32 pkt;

	for (pkt = waiting_due(d, &ch->loop); pkt != TORUS_NONE; pkt = waiting_due(d, &ch->loop)) {
		const struct torus_packet *p = torus_packet_at(d, pkt);

		waiting_pop(d, &ch->loop);
		torus_tally_inject(d, torus_packet_at(d, pkt));
		torus_tni_sent(d, ch->node, ch->tni, p);
		/* an id may name a TNI that no node has: by the port that a router would choose */
		torus_tni_received(d, ch->node, tofu_engine_of(p) % m->tnis, p);
		tofu_barrier_take(d, ch->node, pkt);
	}
	for (pkt = waiting_due(d, &ch->out); pkt != TORUS_NONE; pkt = waiting_due(d, &ch->out)) {
		/* the first group's FIFO of the engine's number leads to its slot */
		if (ch->f->router->inject_room(ch->f, ch->node, ch->tni) <
		    torus_packet_at(d, pkt)->chunks)
			return;
		waiting_pop(d, &ch->out);
		torus_tally_inject(d, torus_packet_at(d, pkt));
		ch->f->router->inject(d, ch->node, ch->tni, pkt);
	}
}

/**
 * tofu_barrier_refill() - injection slots of a node have room, while it is arbitrated
 * @d: the domain, of a fabric with barrier channels
 * @node: the node
 */
void tofu_barrier_refill(struct torus_domain *d, u32 node)
{
	const struct tofu_machine *m = d->machine;
	u32 tni;

	if (d->f->injection_held)
		return;
	for (tni = 0; tni < m->tnis; tni++) {
		struct tofu_channel *ch = channel_at(d->f, node, tni);

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

/* What the gates say to a packet. */
static u32 packet_take(struct torus_domain *d, u32 node, const struct torus_packet *p)
{
	struct torus_fabric *f = d->f;
	struct tofu_channel *ch = channel_at(f, node,
					     ((const struct tofu_fields *)p->header)->sw);
	const u8 *bytes;
	u32 gate;

	if (!ch)
		return TOFU_GATE_UNSET;
	if (torus_fabric_partition(f, p->src) != torus_fabric_partition(f, node))
		return TOFU_GATE_STRANGER;
	if (p->body == TORUS_NONE)
		return TOFU_GATE_MALFORMED;
	bytes = torus_body_at(&d->bodies, p->body)->bytes + TORUS_TOFU_HEADER_BYTES;
	gate = bytes[TOFU_GATE_TNI_AT + 1];
	/* sent to those who had the gate before */
	if (gate < TOFU_GATES && p->generation != ch->gates.turn[gate])
		return TOFU_GATE_STRANGER;
	return tofu_gates_take(&ch->gates, bytes,
			       p->chunks * TOFU_CHUNK_BYTES - TORUS_TOFU_HEADER_BYTES);
}

/**
 * tofu_barrier_take() - a barrier packet has arrived
 * @d: the destination's domain
 * @node: the destination
 * @pkt: the packet; it is delivered, or dropped with what the gates say, and freed
 */
void tofu_barrier_take(struct torus_domain *d, u32 node, u32 pkt)
{
	u32 answer = packet_take(d, node, torus_packet_at(d, pkt));

	if (answer) {
		torus_tally_drop(d, node, pkt, TORUS_DROP_MACHINE + drop_of(answer));
		return;
	}
	torus_tally_deliver(d, node, torus_packet_at(d, pkt));
	torus_packet_free(d, pkt);
}

/* --------------------------------------------------------------------- set-up */

/**
 * tofu_barrier_open() - a fabric gets barrier channels
 * @f: the fabric, held; without any
 * @done: told of results; NULL: who starts operations polls
 * @owner: for @done
 * @err: why not
 *
 * They last as long as the fabric.
 *
 * Return: 0, -EBUSY if it has them, -ENOMEM.
 */
int tofu_barrier_open(struct torus_fabric *f, tofu_barrier_done *done, void *owner,
		      struct torus_error *err)
{
	struct tofu_machine *m = f->machine;
	size_t channels = (size_t)f->nodes * m->tnis;
	u32 i;

	if (m->barrier)
		return torus_fail(err, EBUSY, "the fabric's barrier gates are taken");
	for (i = 0; i < f->ndomains; i++)
		if (torus_received_init(&f->domain[i]))
			return torus_fail(err, ENOMEM,
					  "no memory for the barrier packets of %u nodes",
					  f->nodes);
	/* its packets have bytes */
	if (torus_link_crcs_init(f))
		return torus_fail(err, ENOMEM, "no memory for the link CRCs of %u nodes", f->nodes);
	torus_packets_widen(f);
	m->barrier = torus_alloc(barrier_room(channels));
	if (!m->barrier)
		return torus_fail(err, ENOMEM, "no memory for %zu barrier channels", channels);
	m->barrier->done = done;
	m->barrier->owner = owner;
	m->barrier->channels = channels;
	return 0;
}

static void channel_rest(struct tofu_channel *ch)
{
	ch->sent = 0;
	ch->loop_until = 0;
	ch->out.head = TORUS_NONE;
	ch->loop.head = TORUS_NONE;
}

/**
 * tofu_barrier_gates() - the gates of a TNI
 * @f: the fabric, held, with barrier channels
 * @node: index of the node
 * @tni: number of the engine
 * @err: why there are none
 *
 * The channel is made if need be.  The gates are allocated and set while the fabric is held;
 * operations start and are polled then, or in an operation of a client of the same node.
 *
 * Return: the gates, or NULL: no such node or engine, no memory.
 */
struct tofu_gates *tofu_barrier_gates(struct torus_fabric *f, u32 node, u32 tni,
				      struct torus_error *err)
{
	struct tofu_machine *m = f->machine;
	u32 at[TORUS_DIMS_MAX];
	struct tofu_channel *ch;

	if (node >= f->nodes || tni >= m->tnis) {
		torus_fail(err, EINVAL, "node %u, engine %u: the fabric has %u nodes of %u engines",
			   node, tni, f->nodes, m->tnis);
		return NULL;
	}
	ch = channel_at(f, node, tni);
	if (ch)
		return &ch->gates;
	ch = torus_alloc(sizeof(*ch));
	if (!ch) {
		torus_fail(err, ENOMEM, "no memory for the gates of node %u", node);
		return NULL;
	}
	ch->f = f;
	ch->node = node;
	ch->tni = tni;
	channel_rest(ch);
	torus_geometry_coords(&f->cfg.geo, node, at);
	tofu_gates_init(&ch->gates, tofu_vbg(at, tni, 0), &channel_ops, ch);
	m->barrier->channel[(size_t)node * m->tnis + tni] = ch;
	m->barrier->made++;
	return &ch->gates;
}

/**
 * tofu_barrier_made() - has a TNI's channel been made?
 * @f: the fabric, held
 * @node: index of the node
 * @tni: number of the engine
 *
 * Return: whether tofu_barrier_gates() takes no memory any more.
 */
bool tofu_barrier_made(const struct torus_fabric *f, u32 node, u32 tni)
{
	return channel_at(f, node, tni);
}

/**
 * tofu_barrier_engine_bytes() - memory of a channel
 *
 * Return: bytes that the first use of a TNI's gates takes.
 */
size_t tofu_barrier_engine_bytes(void)
{
	return sizeof(struct tofu_channel);
}

/**
 * tofu_barrier_sent() - packets that gates have sent
 * @f: the fabric, held
 *
 * Return: of all channels, since the fabric's start or reset.
 */
u64 tofu_barrier_sent(const struct torus_fabric *f)
{
	const struct tofu_barrier *b = ((const struct tofu_machine *)f->machine)->barrier;
	u64 sum = 0;
	size_t i;

	for (i = 0; b && i < b->channels; i++)
		sum += b->channel[i] ? b->channel[i]->sent : 0;
	return sum;
}

/**
 * tofu_barrier_reset() - channels of a node at rest, as the fabric's reset leaves them
 * @f: the fabric, held; its packets are gone
 * @node: the node
 *
 * Gates stay allocated and set.
 */
void tofu_barrier_reset(struct torus_fabric *f, u32 node)
{
	const struct tofu_machine *m = f->machine;
	u32 tni;

	for (tni = 0; m->barrier && tni < m->tnis; tni++) {
		struct tofu_channel *ch = channel_at(f, node, tni);

		if (!ch)
			continue;
		channel_rest(ch);
		tofu_gates_reset(&ch->gates);
	}
}

/**
 * tofu_barrier_later() - memory that barrier channels take
 * @f: the fabric
 *
 * Return: bytes; 0 without channels.
 */
size_t tofu_barrier_later(const struct torus_fabric *f)
{
	const struct tofu_barrier *b = ((const struct tofu_machine *)f->machine)->barrier;

	return b ? barrier_room(b->channels) + b->made * sizeof(struct tofu_channel) : 0;
}

/**
 * tofu_barrier_free() - give the channels back
 * @f: the fabric, on its way out
 */
void tofu_barrier_free(struct torus_fabric *f)
{
	struct tofu_machine *m = f->machine;
	struct tofu_barrier *b = m->barrier;
	size_t i;

	if (!b)
		return;
	for (i = 0; i < b->channels; i++)
		torus_free(b->channel[i], sizeof(*b->channel[i]));
	m->barrier = NULL;
	torus_free(b, barrier_room(b->channels));
}
