/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A node in the hot loop, and small functions that read or change one of its members. Included by
 * machine.h. Each option declares its members itself.
 */
#ifndef TORUS_ROUTER_NODE_H
#define TORUS_ROUTER_NODE_H

/*
 * Include the options' files for the members that they add to a node. options.h is included again
 * later, for their code.
 */
#define ROUTER_MEMBERS
#include "core/router/options.h"
#undef ROUTER_MEMBERS

/* Number of hot counters per link: packets of each VC, chunks of each VC. */
#define ROUTER_HOT		(2 * ROUTER_VCS)

/*
 * Queues of slots begin at a cache line. With two stages, they follow the counts directly, because
 * the banks after them need whole lines; a queue still is in one line.
 */
#if ROUTER_STAGES == 2
#define ROUTER_QUEUES_ALIGN	__attribute__((aligned(8)))
#else
#define ROUTER_QUEUES_ALIGN	torus_align
#endif

/**
 * struct router_node - a node of the hot loop
 * @room: alternatives whose VC has enough tokens: [0] to continue in a ring, [1] to enter it
 * @link: free links; all VCs' bits of a link are equal
 * @exists: existing links; all VCs' bits of a link are equal
 * @ready: slots with a routed head and a free read port
 * @local: slots whose head has arrived at its destination; valid only for slots in @ready
 * @refill: injection slots to fill: space became free, or a source has a packet
 * @port_busy: slots whose read port is transferring
 * @sink_busy: reception buses in use
 * @slow: links whose protocol is simulated (live links)
 * @touched: flags TORUS_TOUCHED, TORUS_AGAIN, ROUTER_WAITS ..
 * @want_dir: slots whose head wants a direction, by direction
 * @own: the machine's own data
 * @peer: neighbours by direction, TORUS_NONE without a link; in loopback, the node itself
 * @want: alternatives that a slot's head wants, by slot
 * @rng: state of the node's random numbers
 * @stall: stalls of each link by reason, modulo 256, see router_stalled()
 * @tokens: free chunks in the buffer to which an alternative leads, by alternative
 * @full: chunks in each slot
 * @q: queue of packets of each slot
 *
 * Members are in the order in which the hot loop reads them. With six directions, four VCs and
 * eight injection slots the node has eight cache lines. Line 0 has data that each event and
 * arbitration reads. Lines 1 and 2 have the wanted links and alternatives, lines 2 and 3 counts,
 * lines 4 to 7 queues.
 */
struct router_node {
	router_mask_t room[1 + ROUTER_BUBBLE];
	router_mask_t link;
	router_mask_t exists;
	ROUTER_RANGES_MEMBERS
	router_slots_t ready;
	router_slots_t local;
	router_slots_t refill;
	router_slots_t port_busy;
	ROUTER_BUBBLE_MEMBERS
	ROUTER_BUSES_MEMBERS
	ROUTER_DEPOSIT_MEMBERS
	ROUTER_STAGE_MASKS
	router_sinks_t sink_busy;
	router_dirs_t slow;
	u8 touched;
	router_slots_t want_dir[ROUTER_DIRS] torus_align;
	machine_node_t own;
	u32 peer[ROUTER_DIRS];
	ROUTER_ROUND_ROBIN_MEMBERS
	ROUTER_PORTS_MEMBERS
	router_want_t want[ROUTER_SLOTS];
	u32 rng;
	ROUTER_BYPASS_MEMBERS
	ROUTER_BUSES_COUNTS
	u8 stall[ROUTER_DIRS][TORUS_STALL_MAX];
	router_count_t tokens[ROUTER_LINK_SLOTS];
	router_count_t full[ROUTER_SLOTS];
	struct {
		u32 head, tail;
	} q[ROUTER_SLOTS] ROUTER_QUEUES_ALIGN;
	ROUTER_STAGE_MEMBERS
} torus_align;

/*
 * Data of options that is kept outside of the nodes, so that the hot loop need not fetch it while
 * the options are disabled. The machine allocates it if one is enabled, see machine_cold().
 */
#if ROUTER_GAP || ROUTER_CONTROL || ROUTER_UNBLOCKING
#define ROUTER_COLD 1
struct router_cold {
	ROUTER_GAP_MEMBERS
	ROUTER_CONTROL_MEMBERS
	ROUTER_UNBLOCKING_MEMBERS
};
#define ROUTER_COLD_BYTES	sizeof(struct router_cold)

torus_inline struct router_cold *router_cold(const machine_params_t *m, u32 node)
{
	return (struct router_cold *)machine_cold(m) + node;
}
#else
#define ROUTER_COLD 0
#define ROUTER_COLD_BYTES	0
#endif

torus_inline struct router_node *router_node(struct torus_domain *d, u32 node)
{
	return (struct router_node *)(d->nodes + (size_t)node * sizeof(struct router_node));
}

/* Number of directions of a node of this fabric; the stride of its counters. */
torus_inline u32 router_dirs(const struct torus_domain *d)
{
	return ROUTER_ANY_DIMS ? d->f->dirs : ROUTER_DIRS;
}

torus_inline u32 *router_hot(struct torus_domain *d, u32 node, u32 dir)
{
	return d->hot + ((size_t)node * router_dirs(d) + dir) * ROUTER_HOT;
}

/* Packet at the head of a slot, which is not empty. */
torus_inline struct torus_packet *router_packet(struct torus_domain *d, const struct router_node *n,
						u32 slot)
{
	return torus_packet_at(d, n->q[slot].head);
}

/* --------------------------------------------------------------------- fetching ahead */

#define ROUTER_LINE(n, member)	torus_prefetch((const char *)(n) + \
					       offsetof(struct router_node, member))

/* Prefetch the part of a node that a header, or the end of a transfer, accesses. */
torus_inline void router_prefetch(struct torus_domain *d, u32 node, u32 slot)
{
	const struct router_node *n = router_node(d, node);

	torus_prefetch(n);
	ROUTER_LINE(n, want_dir);
	/* with many directions, want_dir takes more than one cache line */
	if (sizeof(n->want_dir) > 64)
		torus_prefetch((const char *)n->want_dir + 64);
	torus_prefetch(&n->full[slot]);
	torus_prefetch(&n->want[slot]);
	torus_prefetch(&n->q[slot]);
}

/* Prefetch the part of a node that tokens change. */
torus_inline void router_prefetch_tokens(struct torus_domain *d, const struct torus_short *ev)
{
	const struct router_node *n = router_node(d, ev->node);

	torus_prefetch(n);
	torus_prefetch(&n->tokens[ev->dir * ROUTER_VCS + ev->vc]);
}

/*
 * Bytes of a node that its arbitration reads. With KEYS_WITHOUT_COUNTS these exclude the chunk
 * counts, which are prefetched for winners only. Two stages read the tokens, but no slot's chunks.
 */
#define ROUTER_ARBITRATED	(ROUTER_KEYS_WITHOUT_COUNTS ?			\
				 offsetof(struct router_node, tokens) :		\
				 ROUTER_STAGES == 2 ?				\
				 offsetof(struct router_node, full) :		\
				 offsetof(struct router_node, q))

/* Prefetch the part of a node that its arbitration reads. */
torus_inline void router_prefetch_arbitration(struct torus_domain *d, u32 node)
{
	const char *n = (const char *)router_node(d, node);
	u32 i;

	for (i = 0; i < ROUTER_ARBITRATED; i += 64)
		torus_prefetch(n + i);
}

/*
 * Prefetch the node's first source and injection slots: arbitration will ask the source for a
 * packet.
 */
torus_inline void router_prefetch_source(struct torus_domain *d, u32 node)
{
	const struct router_node *n = router_node(d, node);
	u32 i;

	torus_prefetch(&n->q[ROUTER_LINK_SLOTS]);
	torus_prefetch(&n->full[ROUTER_LINK_SLOTS]);
	machine_prefetch(d->machine, node);
	for (i = 0; d->queues && i < d->queues_stride; i += 64)
		torus_prefetch(d->queues + (size_t)node * d->queues_stride + i);
	if (d->sources)
		torus_prefetch(&d->sources[(size_t)node * d->f->workload->streams]);
}

torus_inline void router_prefetch_packet(struct torus_domain *d, u32 pkt)
{
	/* if @pkt is TORUS_NONE, prefetch packet 0: this saves a branch */
	torus_packet_prefetch(torus_packet_at(d, pkt + (pkt == TORUS_NONE)));
}

/* --------------------------------------------------------------------------- touching */

/* Further flags in @touched, in addition to TORUS_TOUCHED and TORUS_AGAIN. */
#define ROUTER_WAITS	4	/* the last arbitration left packets that could move */
/*
 * A link of the node is live. Its events free the link after the other events of the tick, so the
 * node is arbitrated after each event.
 */
#define ROUTER_LIVE	8
#define ROUTER_EAGER	16	/* an option counts or delays each event: arbitrate after each */

/* With STAGES 2: mark all slots and outputs for arbitration. */
torus_inline void router_due_all(struct router_node *n)
{
#if ROUTER_STAGES == 2
	n->due_slots = (router_slots_t)~0ull;
	n->due_outputs = ~0u;
#endif
}

torus_inline void router_touch(struct torus_domain *d, struct router_node *n, u32 node)
{
	router_due_all(n);
	torus_touch(d, &n->touched, node);
}

/*
 * Touch a node for arbitration in this tick, if that can have an effect. @acts: the last event
 * gives the node work. ROUTER_WAITS: the previous arbitration left work.
 */
torus_inline void router_touch_if(struct torus_domain *d, struct router_node *n, u32 node,
				  bool acts)
{
	u32 flags = n->touched;
	u32 need = acts | ((flags & (ROUTER_WAITS | ROUTER_LIVE | ROUTER_EAGER)) != 0);

	d->touched[d->ntouched] = node;
	d->ntouched += need & ~flags & TORUS_TOUCHED;
	n->touched = (u8)(flags | need);
}

torus_inline void router_again(struct torus_domain *d, struct router_node *n, u32 node, u64 at)
{
	torus_touch_again(d, &n->touched, node, at);
}

/* --------------------------------------------------------------------------- reading */

torus_inline u32 router_random(struct router_node *n)
{
	u32 x = n->rng;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	n->rng = x;
	return x;
}

torus_inline u32 router_count_bits(router_mask_t mask)
{
	return sizeof(mask) == sizeof(u32) ? torus_popcount32((u32)mask) : torus_popcount(mask);
}

/* Derive a number that differs between the slots of one arbitration. */
torus_inline u32 router_spread(u32 random, u32 slot)
{
	u32 x = (random ^ (slot * 0x9e3779b9u)) * 0x85ebca6bu;

	return x ^ (x >> 15);
}

torus_inline router_mask_t router_mask_of(const machine_params_t *m, const struct router_node *n,
					  router_want_t want)
{
#if ROUTER_WAYS
	return machine_ways(m, n, want);
#else
	return want;
#endif
}

/* Alternatives of a slot's head. */
torus_inline router_mask_t router_want(const machine_params_t *m, const struct router_node *n,
				       u32 slot)
{
	return router_mask_of(m, n, n->want[slot]);
}

/* Neighbour whose packets arrive here travelling in direction @dir. */
torus_inline u32 router_reverse_peer(const struct router_node *n, u32 dir)
{
	return n->peer[TORUS_REVERSE(dir)];
}

/*
 * Number of the input that a slot belongs to. Input d is the receiver of direction d. Injection
 * slots have the following inputs, or with INJECT_PORT one common input.
 */
torus_inline u32 router_input_of(u32 slot)
{
	if (slot < ROUTER_LINK_SLOTS || ROUTER_INJECT_LIKE_VCS)
		return slot / ROUTER_VCS;
	return ROUTER_DIRS + (ROUTER_INJECT_PORT ? 0 : slot - ROUTER_LINK_SLOTS);
}

/* Number of chunks that a packet adds to the fill count of a slot. */
torus_inline u32 router_held(const machine_params_t *m, const struct torus_packet *p, u32 slot)
{
	if (slot >= ROUTER_LINK_SLOTS)
		return p->chunks;
	return p->flags & TORUS_PACKET_NOTOKEN ? 0 : machine_tokens(m, p, slot % ROUTER_VCS);
}

/* Slots whose head wants a link of @link. */
torus_inline router_slots_t router_wanting(const struct router_node *n, router_mask_t link)
{
	router_slots_t slots = 0;
	u32 i;

#pragma GCC unroll 16
	for (i = 0; i < ROUTER_DIRS; i++)
		slots |= n->want_dir[i] & -(router_slots_t)(link >> (i * ROUTER_VCS) & 1);
	return slots;
}

/* -------------------------------------------------------------------------- counting */

/*
 * Stalls are counted in bytes of the node, which arbitration has in the cache. Each overflow of a
 * byte adds one to a 16-bit counter, in units of 256. The 16-bit counters are allocated at the
 * first overflow.
 */
torus_inline u16 *router_stalls(struct torus_domain *d, u32 node, u32 dir)
{
	size_t link = (size_t)torus_domain_local(d, node) * router_dirs(d) + dir;

	return d->stalls + link * TORUS_STALL_MAX;
}

static void router_stall_overflow(struct torus_domain *d, u32 node, u32 dir, u32 why)
{
	if (!d->stalls)
		d->stalls = torus_grow(torus_stalls_bytes(d));
	if (!d->stalls) {
		d->failed = true;
		return;
	}
	if (++router_stalls(d, node, dir)[why] == 0xffff)
		torus_counters_fold(d);
}

torus_inline void router_stalled(struct torus_domain *d, struct router_node *n, u32 node, u32 dir,
				 u32 why)
{
	if (torus_unlikely(!++n->stall[dir][why]))
		router_stall_overflow(d, node, dir, why);
}

static torus_cold void router_report_stall(struct torus_domain *d, u32 node, u32 choice, u32 why,
					   u32 pkt)
{
	torus_trace_emit(d, TORUS_TRACE_STALL, node, choice / ROUTER_VCS, choice % ROUTER_VCS,
			 why, torus_packet_at(d, pkt));
}

/*
 * Report to the tracer that a packet was counted as stalled; @choice: the alternative that it
 * requested.
 */
torus_inline void router_trace_stall(struct torus_domain *d, u32 node, u32 choice, u32 why,
				     u32 pkt)
{
	if (torus_traced(d))
		router_report_stall(d, node, choice, why, pkt);
}

#include "core/router/options.h"

#endif
