/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Second stage (STAGES 2): a bank of at most 64 queues in front of each output. The last output is
 * the processor port. Each queue belongs to an input and a VC, and has its own read port and
 * capacity.
 *
 *    stage 1   Each input (receiver of a direction, or injection slot) presents its best
 *              head that has a queue with space. The packet crosses to that queue. Until
 *              its last byte has left, the input is busy and the buffer is in use.
 *    stage 2   Each free output serves the best head of its bank whose VC has tokens.
 *              The port serves heads that its NIC can accept.
 *
 * Space of a queue is reserved when a packet starts to cross, and freed when the packet's last byte
 * has left the node. With FREE_ON_START it is freed when the first byte leaves: if outputs are as
 * fast as inputs, the next packet cannot arrive faster than this packet leaves.
 */
#ifdef ROUTER_MEMBERS

#if ROUTER_STAGES == 2
#ifndef ROUTER_BANK
#error "ROUTER_BANK: queues of a bank of the second stage, at most 64"
#endif
#if ROUTER_BANK < 1 || ROUTER_BANK > 64
#error "ROUTER_BANK: queues of a bank of the second stage, at most 64"
#endif

#define ROUTER_PORT		ROUTER_DIRS	/* output to the processor */
#define ROUTER_BANKS		(ROUTER_DIRS + 1)
#define ROUTER_INPUTS		(ROUTER_DIRS + (ROUTER_INJECT_PORT ? 1 : ROUTER_INJECT))
#define ROUTER_NO_QUEUE		(~0u)	/* no queue: the output accepts no packets from the input */
#define ROUTER_CHOICE_PORT	0xff		/* alternative: the processor port */

#if ROUTER_DIRS > 31
#error "ROUTER_DIRS: at most 31 with STAGES 2, one bank more than directions"
#endif

/* A packet's @slot has the number of its queue, and a snapshot accepts numbers of slots only. */
#if ROUTER_DIRS * ROUTER_VCS + TORUS_INJECT_MAX - ROUTER_BANK < 0
#error "ROUTER_BANK: more queues than numbers of slots in a snapshot"
#endif

/* A mask of the queues of a bank. */
#if ROUTER_BANK <= 32
typedef u32 router_queues_t;
#else
typedef u64 router_queues_t;
#endif

#define ROUTER_QUEUE_BIT(queue)	((router_queues_t)1 << (queue))

/**
 * struct router_bank - the queues in front of an output
 * @waiting: queues with a packet
 * @busy: queues whose read port is transferring
 * @head: first packet of the bank, TORUS_NONE if the bank is empty
 * @tail: last packet of the bank, valid if the bank is not empty
 * @full: chunks reserved in each queue
 *
 * Only a few of a bank's queues have packets at a time, and most of these have one. Therefore the
 * packets of all queues are in one list. A list per queue would take most of a node's memory. A
 * packet has the number of its queue in @slot. The list begins with the head of each queue in
 * @waiting, so that an arbitration visits no other packets. The list has the packets of each queue
 * in order; the order of packets of different queues has no effect. A bank of 24 queues fills one
 * cache line.
 */
struct router_bank {
	router_queues_t waiting;
	router_queues_t busy;
	u32 head, tail;
	router_count_t full[ROUTER_BANK];
} torus_align;

/*
 * @crossing: slots of inputs from which a packet is crossing to the second stage.
 *
 * @due_slots: slots with a change since the last arbitration: a new head, a free input, space in a
 *   queue. Other slots did not win in that arbitration (no queue had space, or the input took
 *   another packet), and would not win now.
 *
 * @due_outputs: outputs with a change since the last arbitration: a free link, a new head, tokens.
 */
#define ROUTER_STAGE_MASKS	router_slots_t crossing, due_slots; u32 due_outputs;
#define ROUTER_STAGE_MEMBERS	struct router_bank bank[ROUTER_BANKS];
#else
#define ROUTER_STAGE_MASKS
#define ROUTER_STAGE_MEMBERS
#endif

#elif ROUTER_STAGES == 2

#include "core/router/bank.h"

/* Mask of all slots of the input to which a slot belongs. */
torus_inline router_slots_t router_input_bits(u32 slot)
{
	if (slot < ROUTER_LINK_SLOTS || ROUTER_INJECT_LIKE_VCS)
		return ROUTER_PORT_BITS(slot / ROUTER_VCS);
	return ROUTER_INJECT_PORT ? (router_slots_t)~ROUTER_LINK_BITS : ROUTER_BIT(slot);
}

/* VC of the packets in a slot. */
torus_inline u32 router_slot_vc(u32 slot)
{
	return slot < ROUTER_LINK_SLOTS ? slot % ROUTER_VCS : 0;
}

torus_inline bool router_stage_room(const machine_params_t *m, const struct router_node *n,
				    u32 output, u32 queue, const struct torus_packet *p)
{
	return n->bank[output].full[queue] + p->chunks <=
	       machine_stage_capacity(m, output, queue);
}

/* Find the alternatives of a slot's head whose queue has space. */
static router_mask_t router_stage_open(const machine_params_t *m, const struct router_node *n,
				       u32 slot, const struct torus_packet *p)
{
	router_mask_t want = router_want(m, n, slot), open = 0;
	u32 input = router_input_of(slot);

	for (; want; want &= want - 1) {
		u32 i = torus_ctz(want), out = i / ROUTER_VCS;
		u32 queue = machine_stage_queue(out, input, i % ROUTER_VCS);

		open |= (router_mask_t)router_stage_room(m, n, out, queue, p) << i;
	}
	return open;
}

/* ------------------------------------------------------------------------- events */

torus_inline void router_prefetch_done(struct torus_domain *d, u32 node, u32 output, u32 queue)
{
	const struct router_node *n = router_node(d, node);

	torus_prefetch(n);
	torus_prefetch(&n->bank[output]);
}

/* Index of a bank's first packet while a packet is still leaving: most likely this one is next. */
torus_inline u32 router_behind(struct torus_domain *d, u32 node, u32 output, u32 queue)
{
	return router_node(d, node)->bank[output].head;
}

/* Slots whose head may cross to the second stage in the next arbitration. */
torus_inline router_slots_t router_due_slots(const struct router_node *n)
{
	return n->ready & ~n->crossing & n->due_slots;
}

/*
 * Prefetch the banks and counters of the outputs that arbitration will serve, and the queues of the
 * slots that it will serve with the banks that their heads want.
 */
torus_inline void router_prefetch_banks(struct torus_domain *d, u32 node)
{
	const struct router_node *n = router_node(d, node);
	u32 due = n->due_outputs & ((1u << ROUTER_BANKS) - 1), i;
	router_slots_t slots = router_due_slots(n);

	for (; slots; slots &= slots - 1) {
		u32 slot = torus_ctz(slots);
		router_mask_t want = router_want(d->machine, n, slot);
		/* without an alternative, the head has arrived and wants the bank of the port */
		u32 output = want ? torus_ctz(want) / ROUTER_VCS : ROUTER_PORT;

		torus_prefetch(&n->q[slot]);
		torus_prefetch(&n->bank[output]);
	}
	for (; due; due &= due - 1) {
		u32 output = torus_ctz(due);

		for (i = 0; i < sizeof(struct router_bank); i += 64)
			torus_prefetch((const char *)&n->bank[output] + i);
		if (output < ROUTER_DIRS)
			torus_prefetch(router_hot(d, node, output));
	}
}

/*
 * Prefetch the head packets that arbitration will compare, at inputs and in the banks of outputs.
 */
torus_inline void router_prefetch_heads(struct torus_domain *d, u32 node)
{
	const struct router_node *n = router_node(d, node);
	router_slots_t slots = router_due_slots(n);
	u32 due = n->due_outputs & ((1u << ROUTER_BANKS) - 1);

	for (; slots; slots &= slots - 1)
		torus_prefetch(router_packet(d, n, torus_ctz(slots)));
	for (; due; due &= due - 1) {
		const struct router_bank *b = &n->bank[torus_ctz(due)];

		/* most banks have at most two packets */
		if (!router_bank_ready(b))
			continue;
		router_prefetch_packet(d, b->head);
		router_prefetch_packet(d, b->tail);
	}
}

/*
 * Mark an output for arbitration after a change, if the output is free and its bank has heads.
 * Return: true if the output was marked.
 */
torus_inline bool router_output_acts(struct router_node *n, u32 output)
{
	u32 free = output < ROUTER_DIRS ? n->link >> (output * ROUTER_VCS) & 1 : !n->sink_busy;
	bool acts = free & (router_bank_ready(&n->bank[output]) != 0);

	n->due_outputs |= (u32)acts << output;
	return acts;
}

/* Check whether a slot of a free input has a head and is in @due_slots. */
torus_inline bool router_inputs_act(const struct router_node *n)
{
	return router_due_slots(n) != 0;
}

torus_inline void router_on_done(struct torus_domain *d, const struct torus_short *ev)
{
	struct router_node *n = router_node(d, ev->node);
	bool acts;

	router_link_done(d, n, ev);
	router_bank_free(n, ev->bank, ev->queue, ev->tokens);
	acts = router_output_acts(n, ev->bank);
	router_touch_if(d, n, ev->node, acts | (!ROUTER_FREE_ON_START && router_inputs_act(n)));
}

torus_inline void router_on_received(struct torus_domain *d, const struct torus_event *ev)
{
	struct router_node *n = router_node(d, ev->node);
	bool acts;

	n->sink_busy = 0;
	router_bank_free(n, ROUTER_PORT, ev->queue, torus_packet_at(d, ev->pkt)->chunks);
	acts = router_output_acts(n, ROUTER_PORT);
	router_touch_if(d, n, ev->node, acts | (!ROUTER_FREE_ON_START && router_inputs_act(n)));
	router_received(d, ev);
}

/*
 * Drop a packet whose header reaches the bank of a link that was declared dead during the crossing.
 */
static bool router_stage_lost(struct torus_domain *d, struct router_node *n,
			      const struct torus_event *ev)
{
	u32 chunks = torus_packet_at(d, ev->pkt)->chunks;

	if (ev->bank == ROUTER_PORT || !(n->slow >> ev->bank & 1) ||
	    !torus_link_at(d, ev->node, ev->bank)->dead)
		return false;
	router_bank_give(n, ev->bank, ev->queue, chunks);
	torus_stats_drop(d, ev->node, ev->pkt, TORUS_DROP_LINK_DEAD);
	return true;
}

torus_inline void router_on_stage_head(struct torus_domain *d, const struct torus_event *ev)
{
	struct router_node *n = router_node(d, ev->node);

	if (torus_likely(!n->slow) || !router_stage_lost(d, n, ev))
		router_bank_append(d, &n->bank[ev->bank], ev->queue, ev->pkt);
	router_touch_if(d, n, ev->node, router_output_acts(n, ev->bank));
}

/* Process the end of a crossing to a bank: the packet's last byte has left its input. */
torus_inline void router_on_stage_done(struct torus_domain *d, const struct torus_short *ev)
{
	struct router_node *n = router_node(d, ev->node);
	u32 slot = ev->queue;

	n->crossing &= ~router_input_bits(slot);
	n->due_slots |= router_input_bits(slot);
	if (slot >= ROUTER_LINK_SLOTS)
		n->refill |= ROUTER_BIT(slot);
	router_port_free(d, n, ev->node, slot, ev->tokens);
	router_touch_if(d, n, ev->node, n->refill || router_inputs_act(n));
}

/*
 * Process an event of the second stage from TORUS_LANE_ANY; false if the event is of another kind.
 */
static bool router_stage_event(struct torus_domain *d, const struct torus_event *ev)
{
	struct torus_short s = {
		.node = ev->node, .tokens = (u16)ev->tokens, .queue = ev->queue,
	};

	if (ev->kind == TORUS_EV_STAGE_HEAD)
		router_on_stage_head(d, ev);
	else if (ev->kind == TORUS_EV_STAGE_DONE)
		router_on_stage_done(d, &s);
	else
		return false;
	return true;
}

/*
 * Mark what the next arbitration will serve even without a change: packets at the port that the NIC
 * has not accepted.
 *
 * This is the whole state between two ticks. An event that gives a slot or output work also touches
 * the node. The bits of other slots and outputs have no effect: they are set again with the change
 * that gives these work.
 */
torus_inline void router_due_again(struct router_node *n)
{
	n->due_outputs = n->touched & ROUTER_WAITS ? 1u << ROUTER_PORT : 0;
	n->due_slots = 0;
}

/* -------------------------------------------------------------------- arbitration */

/* Stage 1: move the winner of an input to its queue. */
static void router_cross(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			 u32 choice)
{
	const machine_params_t *m = d->machine;
	u32 pkt = n->q[slot].head, input = router_input_of(slot);
	struct torus_packet *p = torus_packet_at(d, pkt);
	u32 out = choice == ROUTER_CHOICE_PORT ? ROUTER_PORT : choice / ROUTER_VCS;
	u32 vc = choice == ROUTER_CHOICE_PORT ? router_slot_vc(slot) : choice % ROUTER_VCS;
	u32 queue = machine_stage_queue(out, input, vc), held = router_held(m, p, slot);

	router_pop(n, slot, p);
	router_winner_input(n, slot);
	n->port_busy |= ROUTER_BIT(slot);
	n->crossing |= router_input_bits(slot);
	n->bank[out].full[queue] = (router_count_t)(n->bank[out].full[queue] + p->chunks);
	torus_wheel_push_whole(&d->wheel, TORUS_LANE_STAGE_HEAD, d->now + machine_stage_latency(m),
			       (struct torus_event){
		.kind = TORUS_EV_STAGE_HEAD, .node = node, .pkt = pkt, .bank = (u8)out,
		.queue = (u8)queue,
	});
	torus_wheel_push_short(&d->wheel, TORUS_LANE_STAGE_DONE, d->now + machine_stage_ticks(m, p),
			       (struct torus_short){
		.node = node, .queue = (u8)slot, .tokens = (u16)held,
	});
}

/*
 * Select the alternative that a slot's head requests; ~0 if no queue has space, or the head has
 * arrived and is INVALID.
 */
static u32 router_stage_choice(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			       u32 random)
{
	const machine_params_t *m = d->machine;
	const struct torus_packet *p = router_packet(d, n, slot);
	router_mask_t open;
	u32 queue, first;

	if (n->local >> slot & 1) {
		queue = machine_stage_queue(ROUTER_PORT, router_input_of(slot),
					    router_slot_vc(slot));
		/* the tail of an INVALID packet will discard the packet */
		return !(p->flags & TORUS_PACKET_INVALID) &&
		       router_stage_room(m, n, ROUTER_PORT, queue, p) ? ROUTER_CHOICE_PORT : ~0u;
	}
	open = router_stage_open(m, n, slot, p);
	if (open)
		return machine_choose(m, n, open, random);
	first = torus_ctz(router_want(m, n, slot));
	router_stalled(d, n, node, first / ROUTER_VCS, TORUS_STALL_BUS);
	router_trace_stall(d, node, first, TORUS_STALL_BUS, n->q[slot].head);
	return ~0u;
}

static void router_stage_inputs(struct torus_domain *d, struct router_node *n, u32 node,
				const machine_pass_t *pass, u32 random)
{
	router_slots_t cand = router_due_slots(n);

	while (cand) {
		router_slots_t input = cand & router_input_bits(torus_ctz(cand));
		u64 best = 0;

		cand &= ~input;
		for (; input; input &= input - 1) {
			u32 slot = torus_ctz(input), spread = router_spread(random, slot);
			u32 choice = router_stage_choice(d, n, node, slot, spread), key;
			u64 bid;

			if (choice == ~0u)
				continue;
			key = machine_key_input(d, pass, n, slot, choice, spread);
			bid = ROUTER_BID(key, slot, choice);
			best = bid > best ? bid : best;
		}
		if (best)
			router_cross(d, n, node, ROUTER_BID_SLOT(best), ROUTER_BID_CHOICE(best));
	}
}

/* Check whether a packet may leave on a VC: the link's other end must have space. */
torus_inline bool router_stage_may_leave(const machine_params_t *m, const struct router_node *n,
					 u32 output, u32 vc, const struct torus_packet *p)
{
	u32 i = output * ROUTER_VCS + vc;

	if (ROUTER_TRUE_SIZE_CREDITS)
		return n->tokens[i] >= machine_tokens(m, p, vc);
	return n->room[0] >> i & 1;
}

/* Count the loser of two heads that compete for one output. @pkt: the packet that lost. */
torus_inline void router_stage_lost_turn(struct torus_domain *d, struct router_node *n, u32 node,
					 u32 output, u32 queue, u32 pkt)
{
	router_stalled(d, n, node, output, TORUS_STALL_LOST);
	router_trace_stall(d, node, output * ROUTER_VCS + machine_stage_vc(output, queue),
			   TORUS_STALL_LOST, pkt);
}

/*
 * Find the best of the heads of queues @cand, which are ready, of an output.
 *
 * @best: [out] its place. Return: its queue; TORUS_NONE if no head may leave.
 */
static u32 router_stage_best(struct torus_domain *d, struct router_node *n, u32 node, u32 output,
			     router_queues_t cand, const machine_pass_t *pass,
			     struct router_place *best)
{
	u32 pkt = n->bank[output].head, before = TORUS_NONE;
	u64 best_bid = 0;

	/* the heads are at the front of the list */
	for (; cand; before = pkt, pkt = torus_packet_at(d, pkt)->next) {
		const struct torus_packet *p = torus_packet_at(d, pkt);
		u32 queue = p->slot, vc = machine_stage_vc(output, queue);
		u64 bid;

		if (!(cand & ROUTER_QUEUE_BIT(queue)))
			continue;
		cand &= ~ROUTER_QUEUE_BIT(queue);
		if (output < ROUTER_DIRS &&
		    !router_stage_may_leave(d->machine, n, output, vc, p)) {
			router_stalled(d, n, node, output, TORUS_STALL_TOKEN);
			router_trace_stall(d, node, output * ROUTER_VCS + vc, TORUS_STALL_TOKEN,
					   pkt);
			continue;
		}
		bid = (u64)machine_key_stage(d, pass, n, output, queue, p) << 32 | 1u << 31 | queue;
		if (best_bid && output < ROUTER_DIRS)
			router_stage_lost_turn(d, n, node, output,
					       (u32)(bid < best_bid ? bid : best_bid) & 0xff,
					       bid < best_bid ? pkt : best->pkt);
		if (bid > best_bid) {
			best_bid = bid;
			best->pkt = pkt;
			best->before = before;
		}
	}
	return best_bid ? (u32)best_bid & 0xff : TORUS_NONE;
}

static void router_stage_send(struct torus_domain *d, struct router_node *n, u32 node, u32 output,
			      u32 queue, const struct router_place *place)
{
	struct torus_packet *p = router_bank_remove(d, &n->bank[output], place);

	router_bank_leave(n, output, queue, p->chunks);
	router_winner_output(n, output, queue);
	torus_wheel_push_short(&d->wheel, TORUS_LANE_DONE,
			       d->now + machine_wire_ticks(d->machine, p), (struct torus_short){
		.node = node, .bank = (u8)output, .queue = (u8)queue, .tokens = p->chunks,
	});
	router_send(d, n, node, place->pkt, p, output, machine_stage_vc(output, queue));
}

/* Receive or drop the head of a queue at the port; false if the packet waits. */
static bool router_stage_receive(struct torus_domain *d, struct router_node *n, u32 node, u32 queue,
				 const struct router_place *place)
{
	struct torus_packet *p = torus_packet_at(d, place->pkt);
	u32 drop;

	if (!router_admit(d, node, p, queue, &drop)) {
		if (drop == TORUS_DROP_MAX)
			return false;
		router_bank_remove(d, &n->bank[ROUTER_PORT], place);
		router_bank_leave(n, ROUTER_PORT, queue, p->chunks);
		router_bank_free(n, ROUTER_PORT, queue, p->chunks);
		torus_stats_drop(d, node, place->pkt, drop);
		router_touch(d, n, node);
		return true;
	}
	router_bank_remove(d, &n->bank[ROUTER_PORT], place);
	router_bank_leave(n, ROUTER_PORT, queue, p->chunks);
	n->sink_busy = 1;
	router_winner_output(n, ROUTER_PORT, queue);
	torus_wheel_push_whole(&d->wheel, TORUS_LANE_RECEIVED,
			       d->now + machine_receive_ticks(d->machine, p),
			       (struct torus_event){
		.kind = TORUS_EV_RECEIVED, .node = node, .pkt = place->pkt, .bank = ROUTER_PORT,
		.queue = (u8)queue,
	});
	return true;
}

static void router_stage_outputs(struct torus_domain *d, struct router_node *n, u32 node,
				 const machine_pass_t *pass)
{
	u32 due = n->due_outputs & ((1u << ROUTER_DIRS) - 1);

	for (; due; due &= due - 1) {
		u32 output = torus_ctz(due), queue;
		router_queues_t ready = router_bank_ready(&n->bank[output]);
		struct router_place place torus_uninit;

		if (!ready || !(n->link >> (output * ROUTER_VCS) & 1))
			continue;
		queue = router_stage_best(d, n, node, output, ready, pass, &place);
		if (queue != TORUS_NONE)
			router_stage_send(d, n, node, output, queue, &place);
	}
}

/*
 * Serve the processor port. Return: true if the NIC has not accepted a packet; it may do so in any
 * later tick.
 */
static bool router_stage_port(struct torus_domain *d, struct router_node *n, u32 node,
			      const machine_pass_t *pass)
{
	router_queues_t cand = router_bank_ready(&n->bank[ROUTER_PORT]);

	while (cand && !n->sink_busy) {
		struct router_place place torus_uninit;
		u32 queue = router_stage_best(d, n, node, ROUTER_PORT, cand, pass, &place);

		cand &= ~ROUTER_QUEUE_BIT(queue);
		router_stage_receive(d, n, node, queue, &place);
	}
	return router_bank_ready(&n->bank[ROUTER_PORT]) && !n->sink_busy;
}

static void router_arbitrate(struct torus_domain *d, struct router_node *n, u32 node,
			     struct router_grants *grants)
{
	machine_pass_t pass;

	router_refill(d, n, node);
	if (torus_unlikely(n->touched & (ROUTER_LIVE | ROUTER_EAGER)))
		router_due_all(n);
	n->touched &= (u8)~ROUTER_WAITS;
	pass = machine_pass(d->machine, n);
	router_stage_outputs(d, n, node, &pass);
	if (n->due_outputs >> ROUTER_PORT & 1 && router_stage_port(d, n, node, &pass))
		n->touched |= ROUTER_WAITS;
	router_stage_inputs(d, n, node, &pass, ROUTER_NO_RANDOM ? 0 : router_random(n));
	router_due_again(n);
}

#else /* one stage: no banks */

torus_inline bool router_output_acts(struct router_node *n, u32 output)
{
	return false;
}

torus_inline void router_prefetch_banks(struct torus_domain *d, u32 node)
{
}

torus_inline void router_prefetch_heads(struct torus_domain *d, u32 node)
{
}

torus_inline void router_prefetch_bank(struct torus_domain *d, u32 node, u32 output)
{
}

torus_inline void router_prefetch_done(struct torus_domain *d, u32 node, u32 dir, u32 slot)
{
	router_prefetch(d, node, slot);
	/*
	 * The end of a transfer returns tokens to a neighbour in peer[]. With many directions,
	 * peer[] extends beyond the cache line that router_prefetch() fetched after want_dir.
	 */
	torus_prefetch(&router_node(d, node)->peer[ROUTER_DIRS - 1]);
}

torus_inline u32 router_behind(struct torus_domain *d, u32 node, u32 dir, u32 slot)
{
	return router_node(d, node)->q[slot].head;
}

torus_inline bool router_stage_event(struct torus_domain *d, const struct torus_event *ev)
{
	return false;
}

#endif
