/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The torus router (Adiga et al. (2005), Torus network: arbitration in three phases).
 *
 * It is compiled twice: as the machine's own router (router.c: two dynamic VCs, one
 * escape VC) and as the router of the design studies (router_study.c: up to four
 * dynamic VCs, a pair of escape VCs). Those files define:
 *
 *   ROUTER_VCS          VCs of a link: dynamic, escape and priority VCs
 *   ROUTER_WAYS         bits of the number of a set of alternatives, see enum bgl_way
 *   machine_run         name of the function that runs a domain
 *   BGL_ROUTER          name of the router
 *   BGL_DYNAMIC_VCS     number of dynamic VCs, which come first
 *   BGL_ESCAPE          first escape VC, which deterministic packets use, too
 *   BGL_PAIR            1: a second escape VC follows it (dateline pair)
 *   BGL_WANT            the machine's table of alternatives in this router's width
 *
 * The phases of an arbitration:
 *
 *   first   each head packet selects one direction and VC: of the dynamic ones that are
 *           hinted and available, the one with the most tokens downstream
 *           (JSQ, two-bit ranges, ties at random), otherwise the escape VC
 *   second  each receiver selects its best request: high priority, then packets that are
 *           not on the bypass, then in an SLQ cycle the fullest VC (two-bit ranges),
 *           otherwise at random
 *   third   each link serves the best request: high priority, then packets already in
 *           the network in their share of the cycles (in_network_fraction), then by SLQ
 *           or at random as in the second phase
 */
#ifndef BGL_DYNAMIC_VCS
#error "routing.h is included by a router file"
#endif

#include "bgl.h"
#include "cable.h"

#define ROUTER_DIRS		BGL_DIRS
#define ROUTER_INJECT		(BGL_GROUPS * TORUS_BGL_INJECT_FIFOS)
#define ROUTER_CHUNKS		128	/* for vc_bytes=4096 */
#define ROUTER_BUBBLE		1
#define ROUTER_RANGES		1
#define ROUTER_BUSES		1
#define ROUTER_PRIORITY		1
#define ROUTER_DEPOSIT		1
#define ROUTER_BYPASS		1
#define ROUTER_GAP		1
#define ROUTER_CONTROL		1
#define ROUTER_UNBLOCKING	1
#define ROUTER_STRICT_INJECTION	1

/**
 * struct bgl_node - machine-specific state of a node in the hot loop
 *
 * @neighbor: coordinates of the neighbours: registers 03, 04
 * @far: bit masks of links between midplanes [0] and between racks [1]
 * @slq: fraction of SLQ cycles, in 256ths; 255: all
 * @inject_first: fraction of cycles that prefer injection, in 256ths; 255: all
 * @dateline: bit mask of links that cross the dateline of their dimension
 */
struct bgl_node {
	u8 neighbor[BGL_DIRS];
	u8 far[2];
	u8 slq;
	u8 inject_first;
	u8 dateline;
};

/* Random choices of one arbitration, which determine the kind of cycle of each phase. */
struct bgl_pass {
	u32 random;
	bool slq_input;
	bool slq_output;
	u32 network;		/* 1: prefer requests of the network; 0: prefer injection */
};

#define machine_params_t		struct bgl_machine
#define machine_node_t			struct bgl_node
#define machine_pass_t			struct bgl_pass
#define machine_route			bgl_route
#define machine_choose			bgl_choose
#define machine_pass			bgl_draw
#define machine_key_input		bgl_key_input
#define machine_key_output		bgl_key_output
#define machine_depart			bgl_depart
#define machine_tokens			bgl_tokens
#define machine_room			bgl_room
#define machine_capacity		bgl_capacity
#define machine_far			bgl_far
#define machine_wire_ticks		bgl_wire_ticks
#define machine_receive_ticks		bgl_receive_ticks
#define machine_payload			bgl_payload
#define machine_deliver			bgl_receive_fifo
#define machine_inject_slot		bgl_inject_slot
#define machine_prefetch		bgl_prefetch
#define machine_ways			bgl_ways
#define machine_buses			bgl_buses
#define machine_priority_slots		bgl_priority_slots
#define machine_priority		bgl_priority
#define machine_deposit			bgl_deposited
#define machine_bypass_open		bgl_bypass_open
#define machine_buffer_ticks		bgl_buffer_ticks
#define machine_gap			bgl_gap
#define machine_control_ticks		bgl_control_ticks
#define machine_unblocking		bgl_unblocking
#define machine_strict_injection	bgl_strict_injection
#define machine_cold			bgl_cold

#include "core/router/machine.h"

/* Bit mask with VC 0 of every direction. */
#define BGL_EACH_DIR	((router_mask_t)1 | (router_mask_t)1 << ROUTER_VCS | \
			 (router_mask_t)1 << 2 * ROUTER_VCS | (router_mask_t)1 << 3 * ROUTER_VCS | \
			 (router_mask_t)1 << 4 * ROUTER_VCS | (router_mask_t)1 << 5 * ROUTER_VCS)
#define BGL_DYNAMIC_MASK	(BGL_EACH_DIR * ((1u << BGL_DYNAMIC_VCS) - 1))
#define BGL_PRIORITY		(ROUTER_VCS - 1)

/*
 * Return the VC that stands for @vc in registers, which know D0, D1, BN and BP: D1 for further
 * dynamic VCs, BN for both escape VCs.
 */
torus_inline u32 bgl_reg_vc(u32 vc)
{
	if (vc == BGL_PRIORITY)
		return BGL_REG_BP;
	if (vc >= BGL_ESCAPE)
		return BGL_REG_BN;
	return vc ? BGL_REG_D1 : BGL_REG_D0;
}

/*
 * Return the priority slots: the priority VC of each direction, and the priority injection FIFO
 * of each group.
 */
torus_inline router_slots_t bgl_priority_slots(void)
{
	return (router_slots_t)BGL_EACH_DIR << BGL_PRIORITY |
	       ROUTER_BIT(ROUTER_LINK_SLOTS + TORUS_BGL_INJECT_PRIORITY) |
	       ROUTER_BIT(ROUTER_LINK_SLOTS + TORUS_BGL_INJECT_FIFOS + TORUS_BGL_INJECT_PRIORITY);
}

/* Check whether a VC avoids deadlock by a bubble in each ring. */
torus_inline bool bgl_bubble(const struct bgl_machine *m, u32 vc)
{
	return BGL_PAIR ? m->bubble_vcs >> vc & 1 : vc >= BGL_ESCAPE;
}

torus_inline u32 bgl_full_size(const struct bgl_machine *m, const struct torus_packet *p)
{
	return m->plain ? p->chunks : BGL_PACKET_CHUNKS;
}

/*
 * Return the tokens that a packet takes. "Each packet on the bubble is accounted for as if it
 * were a full-sized packet"; on another VC its own size counts.
 */
torus_inline u32 bgl_tokens(const struct bgl_machine *m, const struct torus_packet *p, u32 vc)
{
	if (bgl_bubble(m, vc))
		return bgl_full_size(m, p);
	return p->chunks;
}

/*
 * Check for enough tokens. "A VC is marked as unavailable unless space is available to handle a
 * full-sized packet"; entering a bubble VC by default needs space for two.
 */
torus_inline bool bgl_enough(const struct bgl_machine *m, u32 tokens, u32 vc, bool enter)
{
	if (bgl_bubble(m, vc) && enter)
		return tokens >= m->enter_chunks;
	return tokens >= BGL_PACKET_CHUNKS;
}

/* Return "two bits that indicate one of four ranges of available downstream tokens." */
torus_inline u32 bgl_range(const struct bgl_machine *m, u32 tokens, u32 vc)
{
	u32 r = tokens * m->range_scale[vc] >> 16;

	return r > 3 ? 3 : r;
}

/* Return one of the "two-bit (four ranges) FIFO fullness indicators." */
torus_inline u32 bgl_fullness(const struct bgl_machine *m, u32 full, u32 slot)
{
	u32 r = full * m->fullness_scale[slot] >> 16;

	return r > 3 ? 3 : r;
}

torus_inline u32 bgl_wire_ticks(const struct bgl_machine *m, const struct torus_packet *p)
{
	return p->chunks * BGL_CHUNK_BYTES + m->overhead;
}

/* Return the ticks in which a packet enters a reception FIFO, at one byte per tick. */
torus_inline u32 bgl_receive_ticks(const struct bgl_machine *m, const struct torus_packet *p)
{
	return p->chunks * BGL_CHUNK_BYTES;
}

/*
 * Return the reception FIFO: "one high-priority and one dedicated to each of the incoming
 * directions."
 */
torus_inline u32 bgl_receive_fifo(const struct torus_packet *p, u32 slot)
{
	if (p->flags & TORUS_PACKET_PRIORITY)
		return TORUS_BGL_RECEIVE_PRIORITY;
	return slot / ROUTER_VCS;
}

/*
 * Return the number of transfer buses: "two transfer buses (paths) coming out of each receiver", so
 * that two of its VCs can send at a time.
 */
torus_inline u32 bgl_buses(const struct bgl_machine *m)
{
	return m->buses;
}

torus_inline u32 bgl_capacity(const struct bgl_machine *m, u32 vc)
{
	return m->capacity[vc];
}

/* Classify a count of tokens with the table that bgl_fill_room() has computed. */
torus_inline u32 bgl_room(const struct bgl_machine *m, u32 vc, u32 tokens)
{
	return m->room[vc][tokens];
}

torus_inline u32 bgl_payload(const struct bgl_machine *m, const struct torus_packet *p)
{
	return p->chunks * BGL_CHUNK_BYTES - TORUS_BGL_HEADER_BYTES - TORUS_BGL_SOFTWARE_BYTES;
}

/*
 * Return the slot of an injection FIFO: each FIFO has a slot of its own. FIFOs are numbered through
 * both groups.
 */
torus_inline u32 bgl_inject_slot(u32 queue)
{
	return queue;
}

torus_inline void bgl_prefetch(const struct bgl_machine *m, u32 node)
{
	if (torus_unlikely(m->regs))
		torus_prefetch(&m->regs[node].cutoff);
}

torus_inline bool bgl_priority(const struct torus_packet *p)
{
	return p->flags & TORUS_PACKET_PRIORITY;
}

torus_inline bool bgl_deposited(const struct torus_packet *p)
{
	return p->flags & TORUS_PACKET_DEPOSIT;
}

torus_inline u32 bgl_buffer_ticks(const struct bgl_machine *m)
{
	return m->vc_delay;
}

torus_inline bool bgl_gap(const struct bgl_machine *m)
{
	return m->gap;
}

torus_inline u32 bgl_control_ticks(const struct bgl_machine *m)
{
	return m->control_ticks;
}

torus_inline bool bgl_unblocking(const struct bgl_machine *m)
{
	return m->unblocking;
}

torus_inline bool bgl_strict_injection(const struct bgl_machine *m)
{
	return m->strict_injection;
}

torus_inline void *bgl_cold(const struct bgl_machine *m)
{
	return m->cold;
}

/* Return the ticks that a cable between midplanes or racks adds to a link's latency. */
torus_inline u32 bgl_far(const struct bgl_machine *m, const struct router_node *n, u32 dir)
{
	if (torus_unlikely(n->own.far[0] >> dir & 1))
		return m->midplane_ticks;
	return torus_unlikely(n->own.far[1] >> dir & 1) ? m->rack_ticks : 0;
}

/*
 * Check register 07: a receiver's bypass is closed while one of its VCs holds more than its
 * threshold, not counting the packet that requests the bypass.
 */
torus_inline bool bgl_bypass_open(const struct bgl_machine *m, const struct router_node *n,
				 u32 node, u32 slot, u32 held)
{
	static const u8 boot[] = {
		BGL_BYPASS_OPEN, BGL_BYPASS_OPEN, BGL_BYPASS_OPEN, BGL_BYPASS_OPEN,
	};
	const u8 *most = m->regs ? m->regs[node].bypass : boot;
	u32 first = slot / ROUTER_VCS * ROUTER_VCS, vc;

	for (vc = 0; vc < ROUTER_VCS; vc++) {
		u32 of = bgl_reg_vc(vc);
		u32 full = n->full[first + vc] - (first + vc == slot ? held : 0);

		if (full > most[of])
			return false;
	}
	return true;
}

torus_inline router_mask_t bgl_ways(const struct bgl_machine *m, const struct router_node *n,
				     router_want_t way)
{
	/* a hint may name a missing link at the edge of a mesh */
	return m->want.BGL_WANT[way] & n->exists;
}

/*
 * Select the second escape VC, "the higher-numbered of the pair", for a packet that has crossed
 * the dateline of its dimension.
 */
torus_inline u32 bgl_dateline(const struct bgl_machine *m, const struct bgl_fields *h, u32 way)
{
	router_mask_t escape;

	if (!BGL_PAIR || !m->dateline)
		return way;
	escape = (router_mask_t)m->want.BGL_WANT[way] & BGL_EACH_DIR << BGL_ESCAPE;
	if (escape && h->crossed >> TORUS_DIM(torus_ctz(escape) / ROUTER_VCS) & 1)
		way |= BGL_WAY_CROSSED;
	return way;
}

/*
 * Compute a packet's alternatives. "The routing is accomplished entirely by examining the hint
 * bits and virtual channels; i.e., there are no routing tables." A packet without hint bits has
 * arrived, or is dropped if this is not its destination.
 */
torus_inline struct router_way bgl_route(struct torus_domain *d, const struct router_node *n,
					 u32 node, u32 slot, struct torus_packet *p)
{
	const struct bgl_machine *m = d->machine;
	const struct bgl_fields *h = bgl_fields_const(p);
	u32 way = h->hints, dynamic = !!h->dynamic, priority = !!(p->flags & TORUS_PACKET_PRIORITY);
	router_mask_t want;

	if (!way)
		return p->dst == node ? ROUTER_HERE : ROUTER_DROP(TORUS_DROP_NO_ROUTE);
	way |= BGL_WAY_DYNAMIC * dynamic | BGL_WAY_PRIORITY * (priority & (dynamic ^ 1));
	way = bgl_dateline(m, h, way);
	want = bgl_ways(m, n, (router_want_t)way);
	if (torus_unlikely(!want))
		return ROUTER_DROP(TORUS_DROP_NO_ROUTE);
	/*
	 * "A packet already on the bubble VC" does not enter a ring if it continues in the
	 * direction in which it arrived. Slots and alternatives have the same numbers.
	 */
	return ROUTER_WAY((router_want_t)way, (want & ~BGL_DYNAMIC_MASK) >> slot & 1);
}

torus_inline u32 bgl_choose(const struct bgl_machine *m, const struct router_node *n,
			    router_mask_t mask, u32 random)
{
	router_mask_t x = mask & BGL_DYNAMIC_MASK;
	u32 i;

	mask = x ? x : mask;
	if (torus_likely(m->jsq)) {
		x = mask & n->range_hi;
		mask = x ? x : mask;
		x = mask & n->range_lo;
		mask = x ? x : mask;
	}
	if (!(mask & (mask - 1)))
		return torus_ctz(mask);
	/* use the low half of @random: the high half has the most weight in the arbitration key */
	i = (random & 0xffff) * router_count_bits(mask) >> 16;
	mask &= mask - (i > 0);
	mask &= mask - (i > 1);
	mask &= mask - (i > 2);
	for (; torus_unlikely(i > 3); i--)
		mask &= mask - 1;
	return torus_ctz(mask);
}

/* Return true with probability @fraction / 256; 255 means always. */
torus_inline bool bgl_chance(u32 random, u8 fraction)
{
	return ((random & 0xff) < fraction) | (fraction == 255);
}

torus_inline struct bgl_pass bgl_draw(const struct bgl_machine *m, struct router_node *n)
{
	u32 r = router_random(n);

	return (struct bgl_pass){
		.random = r,
		.slq_input = bgl_chance(r, n->own.slq),
		.slq_output = bgl_chance(r >> 8, n->own.slq),
		.network = !bgl_chance(r >> 16, n->own.inject_first),
	};
}

/*
 * Return the key of a request in the second phase. The key's parts, by descending weight: high
 * priority, not on the bypass, fullness range, random bits.
 */
torus_inline u32 bgl_key_input(struct torus_domain *d, const struct bgl_pass *pass,
			       const struct router_node *n, u32 slot, u32 choice, u32 random)
{
	u32 key = random >> 4;

	/* "a packet on the bypass channel always receives the lowest priority" */
	if (!router_on_bypass(n, slot))
		key |= 1u << 30;
	key |= (bgl_fullness(d->machine, n->full[slot], slot) & -(u32)pass->slq_input) << 28;
	key |= (u32)(bgl_priority_slots() >> slot & 1) << 31;
	return key;
}

torus_inline u32 bgl_key_output(struct torus_domain *d, const struct bgl_pass *pass,
				const struct router_node *n, u32 slot, u32 dir, u32 key)
{
	key = (key & 0x80000000u) | (key & 0x0fffffffu) >> 1;
	key |= (u32)((slot < ROUTER_LINK_SLOTS) == pass->network) << 30;
	key |= (bgl_fullness(d->machine, n->full[slot], slot) & -(u32)pass->slq_output) << 28;
	return key;
}

/*
 * Clear the hint bit when a packet departs to its last node in a dimension. "Hint bits are set
 * to 0 when a packet leaves a node in a direction such that it will arrive at its destination
 * in that dimension, as determined by the neighbor coordinate registers."
 */
torus_inline void bgl_depart(struct torus_domain *d, const struct router_node *n,
			    struct torus_packet *p, u32 dir)
{
	const struct bgl_machine *m = d->machine;
	struct bgl_fields *h = bgl_fields(p);

	if (BGL_PAIR && m->dateline)
		h->crossed |= (n->own.dateline >> dir & 1) << TORUS_DIM(dir);
	h->hints &= (u8)~((TORUS_BGL_HINT_XP >> dir) &
			  -(n->own.neighbor[dir] == h->dest[TORUS_DIM(dir)]));
}

#include "core/router/loop.h"
#include "core/router/ops.h"

/* Compute the table of bgl_room(): free space by VC and count of tokens. */
static void bgl_fill_room(struct bgl_machine *m)
{
	u32 vc, t;

	for (vc = 0; vc < ROUTER_VCS; vc++)
		for (t = 0; t < 256; t++)
			m->room[vc][t] = (u8)((bgl_enough(m, t, vc, false) ? ROUTER_GO_ON : 0) |
					      (bgl_enough(m, t, vc, true) ? ROUTER_MAY_ENTER : 0) |
					      ROUTER_RANGE(bgl_range(m, t, vc)));
}

/*
 * Record in @far and @dateline which links of a node have long cables, and which links cross a
 * dateline.
 */
static void router_node_links(struct torus_fabric *f, u32 node, struct router_node *n)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 coords[TORUS_DIMS_MAX], dir;

	torus_geometry_coords(g, node, coords);
	for (dir = 0; dir < BGL_DIRS; dir++) {
		u32 at = coords[TORUS_DIM(dir)], cable;

		if (n->peer[dir] == TORUS_NONE)
			continue;
		/* the dateline is between the maximum coordinate and 0 */
		if (BGL_PAIR && (dir & 1 ? !at : at + 1 == g->dims[TORUS_DIM(dir)]))
			n->own.dateline |= (u8)(1u << dir);
		cable = bgl_cable_of(g, node, dir);
		n->own.far[0] |= (u8)((cable == BGL_CABLE_MIDPLANE) << dir);
		n->own.far[1] |= (u8)((cable == BGL_CABLE_RACK) << dir);
	}
}

static void router_node_reset(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);
	const struct bgl_machine *m = bgl_machine(f);
	struct router_node *n = router_node(d, node);

	router_init(d, node, f->cfg.seed);
	n->own.slq = m->slq;
	n->own.inject_first = m->inject_first;
	n->bypass_mode = m->bypass ? ROUTER_BYPASS_OPEN : ROUTER_BYPASS_OFF;
	router_node_links(f, node, n);
}

static void router_set_neighbor(struct torus_fabric *f, u32 node, u32 dir, u8 coord)
{
	router_node(torus_domain_of(f, node), node)->own.neighbor[dir] = coord;
}

static u8 router_get_neighbor(struct torus_fabric *f, u32 node, u32 dir)
{
	return router_node(torus_domain_of(f, node), node)->own.neighbor[dir];
}

static void router_set_arbitration(struct torus_fabric *f, u32 node, u8 slq, u8 inject_first)
{
	struct router_node *n = router_node(torus_domain_of(f, node), node);

	n->own.slq = slq;
	n->own.inject_first = inject_first;
}

static void router_set_bypass(struct torus_fabric *f, u32 node, bool watched)
{
	struct router_node *n = router_node(torus_domain_of(f, node), node);

	if (bgl_machine(f)->bypass)
		n->bypass_mode = watched ? ROUTER_BYPASS_WATCHED : ROUTER_BYPASS_OPEN;
}

/* Pack counts of D0, D1, the first escape (BN) and BP, one byte each. */
static u32 bgl_four_bytes(const u8 *counts)
{
	return (u32)counts[0] << 24 | (u32)counts[1] << 16 | (u32)counts[BGL_ESCAPE] << 8 |
	       counts[BGL_PRIORITY];
}

static u32 router_vc_tokens(struct torus_fabric *f, u32 node, u32 dir)
{
	const struct router_node *n = router_node(torus_domain_of(f, node), node);

	return bgl_four_bytes(&n->tokens[dir * ROUTER_VCS]);
}

static u32 router_vc_fullness(struct torus_fabric *f, u32 node, u32 dir)
{
	const struct router_node *n = router_node(torus_domain_of(f, node), node);

	return bgl_four_bytes(&n->full[dir * ROUTER_VCS]);
}

static u32 router_inject_chunks(struct torus_fabric *f, u32 node, u32 fifo)
{
	return router_node(torus_domain_of(f, node), node)->full[ROUTER_LINK_SLOTS + fifo];
}

const struct bgl_router BGL_ROUTER = {
	.ops = ROUTER_OPS(bgl_vc_names),
	.fill_room = bgl_fill_room,
	.node_reset = router_node_reset,
	.set_neighbor = router_set_neighbor,
	.get_neighbor = router_get_neighbor,
	.set_arbitration = router_set_arbitration,
	.set_bypass = router_set_bypass,
	.vc_tokens = router_vc_tokens,
	.vc_fullness = router_vc_fullness,
	.reg_vc = bgl_reg_vc,
	.inject_chunks = router_inject_chunks,
};
