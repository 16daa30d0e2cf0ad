// SPDX-License-Identifier: GPL-2.0
/* Create, reset and free barrier channels: see barrier.h. */
#include "arch/tofu/barrier.h"
#include "core/link/corruption.h"
#include "core/link/link.h"
#include "core/state/packets.h"
#include "arch/tofu/channel.h"

static size_t barrier_bytes(size_t channels)
{
	return sizeof(struct tofu_barrier) + channels * sizeof(struct tofu_channel *);
}

/*
 * Prepare a fabric for barrier channels. They last as long as the fabric.
 *
 * @f: the fabric, locked
 * @done: called for each result; NULL: the programs that start operations poll for results
 * @owner: argument for @done
 *
 * Return: 0; -EBUSY if the fabric already has barrier channels; -ENOMEM.
 */
int tofu_barrier_open(struct torus_fabric *f, tofu_barrier_done *done, void *owner,
		      struct torus_error *err)
{
	struct tofu_machine *m = f->machine;
	size_t channels = (size_t)f->nodes * m->tnis;
	u32 i;

	if (m->barrier)
		return torus_fail(err, EBUSY, "all barrier gates of the fabric are in use");
	for (i = 0; i < f->ndomains; i++)
		if (torus_received_init(&f->domain[i]))
			return torus_fail(err, ENOMEM,
					  "no memory for the barrier packets of %u nodes",
					  f->nodes);
	/* barrier packets have bytes, so links need CRCs */
	if (torus_link_crcs_init(f))
		return torus_fail(err, ENOMEM, "no memory for the link CRCs of %u nodes", f->nodes);
	torus_packets_widen(f);
	m->barrier = torus_alloc(barrier_bytes(channels));
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
	ch->out.head = TOFU_QUEUE_NONE;
	ch->loop.head = TOFU_QUEUE_NONE;
	tofu_gate_queue_init(&ch->places);
}

static void channel_make(struct torus_fabric *f, u32 node, u32 tni, struct tofu_channel *ch)
{
	struct tofu_machine *m = f->machine;
	u32 at[TORUS_DIMS_MAX], i;

	ch->f = f;
	ch->node = node;
	ch->tni = tni;
	channel_rest(ch);
	torus_geometry_coords(&f->cfg.geo, node, at);
	tofu_gates_init(&ch->gates, tofu_vbg(at, tni, 0), &tofu_channel_ops, ch);
	/*
	 * Packets for the gates of a freed channel may be in flight. Start at the highest count of
	 * all freed channels, so that these packets are recognized.
	 */
	for (i = 0; i < TOFU_GATES; i++)
		ch->gates.turn[i] = m->barrier->turn;
	m->barrier->channel[(size_t)node * m->tnis + tni] = ch;
	m->barrier->made++;
	m->barrier->idle++;
}

/*
 * Return the gates of a TNI; create its channel if necessary.
 *
 * @f: the fabric, locked, with barrier channels
 * @tni: number of the engine
 *
 * The gates are allocated and set while the fabric is locked. The caller of gate operations locks
 * the fabric, or is in an operation of a client of the same node.
 *
 * Return: the gates; NULL with @err set: no such node or engine, or no memory.
 */
struct tofu_gates *tofu_barrier_gates(struct torus_fabric *f, u32 node, u32 tni,
				      struct torus_error *err)
{
	const struct tofu_machine *m = f->machine;
	struct tofu_channel *ch;

	if (node >= f->nodes || tni >= m->tnis) {
		torus_fail(err, EINVAL,
			   "node %u, engine %u: the fabric has %u nodes with %u engines each",
			   node, tni, f->nodes, m->tnis);
		return NULL;
	}
	ch = tofu_channel_at(f, node, tni);
	if (ch)
		return &ch->gates;
	ch = torus_alloc(sizeof(*ch));
	if (!ch) {
		torus_fail(err, ENOMEM, "no memory for the gates of node %u", node);
		return NULL;
	}
	channel_make(f, node, tni, ch);
	return &ch->gates;
}

/*
 * Allocate gates for a program without allocating memory.
 *
 * @f: the fabric, locked, with barrier channels
 * @tni: number of the engine
 * @count: number of gates
 * @supply: memory for a channel, used if the TNI has no channel yet, and the pointer to store with
 *   the first gate
 * @vbgs: [out] the VBG IDs
 *
 * Return: as tofu_gates_alloc().
 */
u32 tofu_barrier_alloc(struct torus_fabric *f, u32 node, u32 tni, u32 count,
		       struct torus_gate_memory *supply, u64 *vbgs)
{
	struct tofu_barrier *b = ((const struct tofu_machine *)f->machine)->barrier;
	struct tofu_channel *ch = tofu_channel_at(f, node, tni);
	u32 answer;

	if (!ch) {
		ch = supply->memory;
		supply->memory = NULL;
		channel_make(f, node, tni, ch);
	}
	b->idle -= !ch->gates.used;
	answer = tofu_gates_alloc(&ch->gates, count, vbgs);
	b->idle += !ch->gates.used;
	if (!answer)
		ch->end[tofu_vbg_gate(vbgs[0])] = supply->end;
	return answer;
}

/*
 * Free a program's gate.
 *
 * @f: the fabric, locked, with barrier channels
 * @vbg: VBG ID of an allocated gate
 */
void tofu_barrier_give(struct torus_fabric *f, u32 node, u64 vbg)
{
	struct tofu_barrier *b = ((const struct tofu_machine *)f->machine)->barrier;
	struct tofu_channel *ch = tofu_channel_at(f, node, tofu_vbg_tni(vbg));
	u32 gate = tofu_vbg_gate(vbg);

	tofu_gates_free(&ch->gates, vbg);
	if (gate < TOFU_ENDS)
		ch->end[gate] = NULL;
	b->idle += !ch->gates.used;
}

/* Return the pointer that an end gate's owner stored (@end of torus_gate_memory), or NULL. */
void *tofu_barrier_end(const struct torus_fabric *f, u32 node, u64 vbg)
{
	const struct tofu_channel *ch = tofu_channel_at(f, node, tofu_vbg_tni(vbg));
	u32 gate = tofu_vbg_gate(vbg);

	return ch && gate < TOFU_ENDS ? ch->end[gate] : NULL;
}

/*
 * Free the channels without allocated gates. The fabric must be locked.
 *
 * A channel is kept until all packets of its gates have left.
 *
 * Return: number of channels without gates that were kept.
 */
u32 tofu_barrier_trim(struct torus_fabric *f)
{
	struct tofu_barrier *b = ((const struct tofu_machine *)f->machine)->barrier;
	size_t i;
	u32 gate;

	for (i = 0; b && b->idle && i < b->channels; i++) {
		struct tofu_channel *ch = b->channel[i];

		if (!ch || ch->gates.used || ch->places.used)
			continue;
		for (gate = 0; gate < TOFU_GATES; gate++)
			if ((s32)(ch->gates.turn[gate] - b->turn) > 0)
				b->turn = ch->gates.turn[gate];
		b->channel[i] = NULL;
		b->made--;
		b->idle--;
		torus_free(ch, sizeof(*ch));
	}
	return b ? b->idle : 0;
}

/* Return the memory in bytes that the first use of a TNI's gates allocates. */
size_t tofu_barrier_engine_bytes(void)
{
	return sizeof(struct tofu_channel);
}

/*
 * Return the number of packets that gates of the existing channels have sent since the fabric's
 * start or reset. Packets dropped because they had no route count too. The fabric must be locked.
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

/*
 * Reset the channels of a node for a reset of the fabric. Gates stay allocated and set.
 *
 * @f: the fabric, locked; its packets have been discarded
 */
void tofu_barrier_reset(struct torus_fabric *f, u32 node)
{
	const struct tofu_machine *m = f->machine;
	u32 tni;

	for (tni = 0; m->barrier && tni < m->tnis; tni++) {
		struct tofu_channel *ch = tofu_channel_at(f, node, tni);

		if (!ch)
			continue;
		channel_rest(ch);
		tofu_gates_reset(&ch->gates);
	}
}

/* Return the memory in bytes that barrier channels use; 0 before tofu_barrier_open(). */
size_t tofu_barrier_later(const struct torus_fabric *f)
{
	const struct tofu_barrier *b = ((const struct tofu_machine *)f->machine)->barrier;

	return b ? barrier_bytes(b->channels) + b->made * sizeof(struct tofu_channel) : 0;
}

/* Free all barrier channels of a fabric that is being destroyed. */
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
	torus_free(b, barrier_bytes(b->channels));
}

/* Return the gates of a TNI, or NULL if it has no channel. */
struct tofu_gates *tofu_barrier_find(const struct torus_fabric *f, u32 node, u32 tni)
{
	struct tofu_channel *ch = tofu_channel_at(f, node, tni);

	return ch ? &ch->gates : NULL;
}

/*
 * Return a number for the moment at which a member leaves a chain.
 *
 * @f: the fabric, locked, with barrier channels
 *
 * In virtual time the number is the fabric's clock, because events of one tick have no order.
 * Otherwise it counts the calls.
 */
u64 tofu_barrier_moment(struct torus_fabric *f)
{
	const struct tofu_machine *m = f->machine;

	return f->cfg.params[TORUS_P_TIME] == TORUS_TIME_VIRTUAL ? f->clock : ++m->barrier->moment;
}
