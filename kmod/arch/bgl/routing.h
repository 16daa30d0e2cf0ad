/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The torus router (BG/L paper, Torus network: arbitration in three phases), one
 * source for the machine's own router (router.c: two dynamic VCs, one escape)
 * and for the one of the design studies (router_study.c: up to four dynamic VCs,
 * a pair of escapes).  Those define
 *
 *   R(name)             the prefix, see core/router.h
 *   R_VCS               VCs of a link: the dynamic ones, the escapes, priority
 *   R_MASK, R_SLOTS_T   wide enough for R_DIRS * R_VCS, and the injection FIFOs
 *   BGL_DYNAMIC_VCS     dynamic VCs, the first ones
 *   BGL_ESCAPE          the first escape VC; deterministic packets go by it too
 *   BGL_PAIR            there is a second one behind it (dateline pair)
 *   BGL_WANT            the machine's tables of alternatives in that width
 *
 *   first   each head asks for one direction and VC: of the dynamic pairs that are
 *           possible and available, the one with the most tokens downstream
 *           (JSQ, two-bit ranges, ties at random), else the escape
 *   second  each receiver presents its best: high priority, then in an SLQ cycle
 *           the fullest VC (two-bit ranges), else at random
 *   third   each link serves the best request: high priority, packets already in
 *           the network, then SLQ or random again
 */
#ifndef BGL_DYNAMIC_VCS
#error "routing.h is included by a router file"
#endif

#include "bgl.h"

#define R_DIRS		BGL_DIRS
#define R_INJECT	(BGL_GROUPS * TORUS_BGL_INJECT_FIFOS)
#define R_COUNT		u8

/* A bit of every direction, for VC 0. */
#define BGL_EACH_DIR	((R_MASK)1 | (R_MASK)1 << R_VCS | (R_MASK)1 << 2 * R_VCS | \
			 (R_MASK)1 << 3 * R_VCS | (R_MASK)1 << 4 * R_VCS | (R_MASK)1 << 5 * R_VCS)
#define BGL_DYNAMIC_MASK	(BGL_EACH_DIR * ((1u << BGL_DYNAMIC_VCS) - 1))
#define BGL_PRIORITY		(R_VCS - 1)
/* The priority VC of each direction, both IH. */
#define BGL_PRIORITY_SLOTS	((R_SLOTS_T)BGL_EACH_DIR << BGL_PRIORITY | \
	(R_SLOTS_T)1 << (R_DIRS * R_VCS + TORUS_BGL_INJECT_PRIORITY) | \
	(R_SLOTS_T)1 << (R_DIRS * R_VCS + TORUS_BGL_INJECT_FIFOS + TORUS_BGL_INJECT_PRIORITY))

/* Coordinates of the neighbours: registers 03, 04. */
struct R(node_extra) {
	u8 neighbor[BGL_DIRS];
	u8 dateline;		/* links that cross the dateline of their dimension */
};

struct router_node;

/* One arbitration's draws: which kind of cycle it is in each phase. */
#define bgl_pass	R(pass)
struct bgl_pass {
	u32 random;
	bool slq_input;
	bool slq_output;
	u32 network;		/* preference of requests from the network */
};

/* Is the VC kept free of deadlock by a bubble in each ring? */
torus_inline bool R(bubble)(const struct bgl_machine *m, u32 vc)
{
	return BGL_PAIR ? m->bubble_vcs >> vc & 1 : vc >= BGL_ESCAPE;
}

torus_inline u32 R(full_size)(const struct bgl_machine *m, const struct torus_packet *p)
{
	return m->plain ? p->chunks : BGL_PACKET_CHUNKS;
}

/*
 * "Each packet on the bubble is accounted for as if it were a full-sized
 * packet"; tokens of dynamic VCs go by the packet's size.
 */
torus_inline u32 R(tokens)(const struct bgl_machine *m, const struct torus_packet *p, u32 vc)
{
	if (R(bubble)(m, vc))
		return R(full_size)(m, p);
	return p->chunks;
}

/*
 * "A VC is marked as unavailable unless space is available to handle a
 * full-sized packet"; entering a bubble VC asks for two.
 */
torus_inline bool R(enough)(const struct bgl_machine *m, u32 tokens, u32 vc, bool enter)
{
	if (R(bubble)(m, vc) && enter)
		return tokens >= m->enter_chunks;
	return tokens >= BGL_PACKET_CHUNKS;
}

/* "Two bits that indicate one of four ranges of available downstream tokens." */
torus_inline u32 R(range)(const struct bgl_machine *m, u32 tokens, u32 vc)
{
	u32 r = tokens * m->range_scale[vc] >> 16;

	return r > 3 ? 3 : r;
}

/* "Two-bit (four ranges) FIFO fullness indicators." */
torus_inline u32 R(fullness)(const struct bgl_machine *m, u32 full, u32 slot)
{
	u32 r = full * m->fullness_scale[slot] >> 16;

	return r > 3 ? 3 : r;
}

torus_inline u32 R(wire_ticks)(const struct bgl_machine *m, const struct torus_packet *p)
{
	return p->chunks * BGL_CHUNK_BYTES + m->overhead;
}

/* The reception FIFO takes a byte a tick. */
torus_inline u32 R(receive_ticks)(const struct bgl_machine *m, const struct torus_packet *p)
{
	return p->chunks * BGL_CHUNK_BYTES;
}

/* "One high-priority and one dedicated to each of the incoming directions." */
torus_inline u32 R(receive_fifo)(const struct torus_packet *p, u32 slot)
{
	if (p->flags & TORUS_PACKET_PRIORITY)
		return TORUS_BGL_RECEIVE_PRIORITY;
	return slot / R_VCS;
}

/* "Two transfer buses from each receiver": of its VCs two can send at a time. */
torus_inline u32 R(buses)(const struct bgl_machine *m)
{
	return m->buses;
}

#define R_far	R(far_ticks)
#define R_tokens	R(tokens)
#define R_enough	R(enough)
#define R_range		R(range)
#define R_capacity(m, vc)	((m)->capacity[vc])
#define R_wire_ticks	R(wire_ticks)
#define R_receive_ticks	R(receive_ticks)
#define R_priority(p)	((p)->flags & TORUS_PACKET_PRIORITY)
#define R_deposit(p)	((p)->flags & TORUS_PACKET_DEPOSIT)
#define R_receive_fifo(p, slot)	R(receive_fifo)(p, slot)
#define R_payload(p)	((u32)(p)->chunks * BGL_CHUNK_BYTES - \
			 TORUS_BGL_HEADER_BYTES - TORUS_BGL_SOFTWARE_BYTES)
#define R_BUSES		R(buses)
#define R_CONTROL_TICKS	BGL_CONTROL_TICKS
#define R_PRIORITY_SLOTS	BGL_PRIORITY_SLOTS
#define R_bypass_open(m, n, node, slot, held)	R(bypass_open)(m, n, node, slot, held)

torus_inline R_MASK R(route)(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			     const struct torus_packet *p, bool *cont);
torus_inline u32 R(choose)(const struct bgl_machine *m, const struct router_node *n, R_MASK mask,
			   u32 random);
torus_inline struct bgl_pass R(draw_pass)(const struct bgl_machine *m, struct router_node *n);
torus_inline u64 R(key_input)(const struct bgl_machine *m, const struct bgl_pass *pass,
			      const struct router_node *n, u32 slot, u32 choice, u32 random);
torus_inline u64 R(key_output)(const struct bgl_machine *m, const struct bgl_pass *pass,
			       const struct router_node *n, u64 winner);
torus_inline void R(depart)(const struct bgl_machine *m, const struct router_node *n,
			    struct torus_packet *p, u32 dir);

#define R_route		R(route)
#define R_choose	R(choose)
#define R_pass		R(draw_pass)
#define R_key_input	R(key_input)
#define R_key_output	R(key_output)
#define R_depart	R(depart)

torus_inline bool R(bypass_open)(const struct bgl_machine *m, const struct router_node *n,
				 u32 node, u32 slot, u32 held);
torus_inline u32 R(far_ticks)(const struct bgl_machine *m, const struct router_node *n, u32 dir);

#include "core/router/router.h"
#include "core/router/ops.h"

/* A cable between midplanes or racks is longer than one within a midplane. */
torus_inline u32 R(far_ticks)(const struct bgl_machine *m, const struct router_node *n, u32 dir)
{
	if (torus_unlikely(n->far[0] >> dir & 1))
		return m->midplane_ticks;
	return torus_unlikely(n->far[1] >> dir & 1) ? m->rack_ticks : 0;
}

/*
 * Register 07: a receiver's bypass is closed while one of its VCs holds too much,
 * the packet that would take it not counted.
 */
torus_inline bool R(bypass_open)(const struct bgl_machine *m, const struct router_node *n,
				 u32 node, u32 slot, u32 held)
{
	const u8 *most = m->regs[node].bypass;
	u32 first = slot / R_VCS * R_VCS, vc;

	for (vc = 0; vc < R_VCS; vc++) {
		/* thresholds are of D0, D1, BN, BP; further VCs go with their kind's last */
		u32 of = vc == BGL_PRIORITY ? 3 : vc >= BGL_ESCAPE ? 2 : vc ? 1 : 0;
		u32 full = n->full[first + vc] - (first + vc == slot ? held : 0);

		if (full > most[of])
			return false;
	}
	return true;
}

/*
 * The escape of a packet that has crossed the dateline of its dimension is "the
 * higher-numbered of the pair".
 */
torus_inline R_MASK R(dateline)(const struct bgl_machine *m, const struct bgl_fields *h,
				R_MASK want)
{
	R_MASK escape = want & BGL_EACH_DIR << BGL_ESCAPE;

	if (!BGL_PAIR || !m->dateline || !escape)
		return want;
	if (h->crossed >> TORUS_DIM(torus_ctz(escape) / R_VCS) & 1)
		want ^= escape | escape << 1;
	return want;
}

/*
 * "The routing is accomplished entirely by examining the hint bits and virtual
 * channels; i.e., there are no routing tables."  No hint bit left: arrived.
 */
torus_inline R_MASK R(route)(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			     const struct torus_packet *p, bool *cont)
{
	const struct bgl_machine *m = d->machine;
	const struct bgl_fields *h = bgl_fields_const(p);
	u32 hints = h->hints;
	R_MASK want, bubble;

	if (!hints)
		return p->dst == node ? 0 : R_DROP;
	if (h->dynamic)
		want = m->want.BGL_WANT.dynamic[hints];
	else
		want = p->flags & TORUS_PACKET_PRIORITY ? m->want.BGL_WANT.priority[hints] :
							  m->want.BGL_WANT.normal[hints];
	want = R(dateline)(m, h, want);
	/* a hint where there is no link: the edge of a mesh */
	want &= n->exists;
	if (torus_unlikely(!want))
		return R_DROP;
	/* "a packet already on the bubble VC", in the direction it came */
	bubble = want & ~BGL_DYNAMIC_MASK;
	/* no bits beyond those of the VCs */
	*cont = bubble >> slot & 1;
	return want;
}

torus_inline u32 R(choose)(const struct bgl_machine *m, const struct router_node *n, R_MASK mask,
			   u32 random)
{
	R_MASK x = mask & BGL_DYNAMIC_MASK;
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
	/* the low half: the key goes by the high one */
	i = (random & 0xffff) * torus_popcount(mask) >> 16;
	mask &= mask - (i > 0);
	mask &= mask - (i > 1);
	mask &= mask - (i > 2);
	for (; torus_unlikely(i > 3); i--)
		mask &= mask - 1;
	return torus_ctz(mask);
}

/* True in @fraction of 256 cases; 255 stands for all. */
torus_inline bool R(draw)(u32 random, u8 fraction)
{
	return ((random & 0xff) < fraction) | (fraction == 255);
}

torus_inline struct bgl_pass R(draw_pass)(const struct bgl_machine *m, struct router_node *n)
{
	u32 r = router_random(n);

	return (struct bgl_pass){
		.random = r,
		.slq_input = R(draw)(r, n->slq),
		.slq_output = R(draw)(r >> 8, n->slq),
		.network = !R(draw)(r >> 16, n->inject_first),
	};
}

/* Key: high priority, fullness range, chance; the low half says who and what. */
torus_inline u64 R(key_input)(const struct bgl_machine *m, const struct bgl_pass *pass,
			      const struct router_node *n, u32 slot, u32 choice, u32 random)
{
	u32 key = random >> 4;

	/* "a packet on the bypass channel always receives the lowest priority" */
	if (!(n->bypass >> slot & 1))
		key |= 1u << 30;

	key |= (R(fullness)(m, n->full[slot], slot) & -(u32)pass->slq_input) << 28;
	key |= (u32)(BGL_PRIORITY_SLOTS >> slot & 1) << 31;
	return (u64)key << 32 | 1u << 31 | slot << 8 | choice;
}

torus_inline u64 R(key_output)(const struct bgl_machine *m, const struct bgl_pass *pass,
			       const struct router_node *n, u64 winner)
{
	u32 slot = winner >> 8 & 0xff;
	u32 key = (u32)(winner >> 32) & 0x8fffffffu;

	key = (key & 0x80000000u) | (key & 0x0fffffffu) >> 1;
	key |= (u32)((slot < R_VC_SLOTS) == pass->network) << 30;
	key |= (R(fullness)(m, n->full[slot], slot) & -(u32)pass->slq_output) << 28;
	return (u64)key << 32 | (u32)winner;
}

/*
 * "Hint bits are set to 0 when a packet leaves a node in a direction such that
 * it will arrive at its destination in that dimension, as determined by the
 * neighbor coordinate registers."
 */
torus_inline void R(depart)(const struct bgl_machine *m, const struct router_node *n,
			    struct torus_packet *p, u32 dir)
{
	struct bgl_fields *h = bgl_fields(p);

	if (BGL_PAIR && m->dateline)
		h->crossed |= (n->extra.dateline >> dir & 1) << TORUS_DIM(dir);
	h->hints &= (u8)~((TORUS_BGL_HINT_XP >> dir) &
			  -(n->extra.neighbor[dir] == h->dest[TORUS_DIM(dir)]));
}

static void R(run)(struct torus_domain *d, u64 until)
{
	router_run(d, until);
}

/* Links that are longer than those within a midplane, and those with a dateline. */
static void R(node_links)(struct torus_fabric *f, u32 node, struct router_node *n)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 coords[TORUS_DIMS_MAX], dir;

	torus_geometry_coords(g, node, coords);
	for (dir = 0; dir < BGL_DIRS; dir++) {
		u32 at = coords[TORUS_DIM(dir)], cable;

		if (n->peer[dir] == TORUS_NONE)
			continue;
		/* between the maximum coordinate and 0 */
		if (BGL_PAIR && (dir & 1 ? !at : at + 1 == g->dims[TORUS_DIM(dir)]))
			n->extra.dateline |= (u8)(1u << dir);
		cable = bgl_cable_of(g, node, dir);
		n->far[0] |= (u8)((cable == BGL_CABLE_MIDPLANE) << dir);
		n->far[1] |= (u8)((cable == BGL_CABLE_RACK) << dir);
	}
}

static void R(node_reset)(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);
	const struct bgl_machine *m = bgl_machine(f);
	struct router_node *n = router_node(d, node);

	if (!node) {
		struct bgl_machine *all = f->machine;
		u32 vc, t;

		for (vc = 0; vc < R_VCS; vc++)
			for (t = 0; t < 256; t++)
				all->said[vc][t] = (u8)(R_enough(m, t, vc, false) |
							R_enough(m, t, vc, true) << 1 |
							R_range(m, t, vc) << 2);
	}
	router_init(d, node, f->cfg.seed);
	n->slq = m->slq;
	n->inject_first = m->inject_first;
	n->bypass_mode = m->bypass ? R_BYPASS_OPEN : R_BYPASS_OFF;
	R(node_links)(f, node, n);
}

static void R(set_neighbor)(struct torus_fabric *f, u32 node, u32 dir, u8 coord)
{
	router_node(torus_domain_of(f, node), node)->extra.neighbor[dir] = coord;
}

static u8 R(get_neighbor)(struct torus_fabric *f, u32 node, u32 dir)
{
	return router_node(torus_domain_of(f, node), node)->extra.neighbor[dir];
}

static void R(set_arbitration)(struct torus_fabric *f, u32 node, u8 slq, u8 inject_first)
{
	struct router_node *n = router_node(torus_domain_of(f, node), node);

	n->slq = slq;
	n->inject_first = inject_first;
}

static void R(set_bypass)(struct torus_fabric *f, u32 node, bool watched)
{
	struct router_node *n = router_node(torus_domain_of(f, node), node);

	if (bgl_machine(f)->bypass)
		n->bypass_mode = watched ? R_BYPASS_WATCHED : R_BYPASS_OPEN;
}

/* A byte each: D0, D1, the first escape (BN), BP. */
static u32 R(four_bytes)(const u8 *counts)
{
	return (u32)counts[0] << 24 | (u32)counts[1] << 16 | (u32)counts[BGL_ESCAPE] << 8 |
	       counts[BGL_PRIORITY];
}

static u32 R(vc_tokens)(struct torus_fabric *f, u32 node, u32 dir)
{
	return R(four_bytes)(&router_node(torus_domain_of(f, node), node)->tokens[dir * R_VCS]);
}

static u32 R(vc_fullness)(struct torus_fabric *f, u32 node, u32 dir)
{
	return R(four_bytes)(&router_node(torus_domain_of(f, node), node)->full[dir * R_VCS]);
}

static u32 R(inject_chunks)(struct torus_fabric *f, u32 node, u32 fifo)
{
	return router_node(torus_domain_of(f, node), node)->full[R_VC_SLOTS + fifo];
}

static u32 R(op_tokens)(struct torus_fabric *f, const struct torus_packet *p, u32 vc)
{
	return R(tokens)(bgl_machine(f), p, vc);
}

const struct bgl_router R(router) = {
	.ops = ROUTER_OPS(R(run), R(op_tokens), R(vc_names)),
	.node_reset = R(node_reset),
	.set_neighbor = R(set_neighbor),
	.get_neighbor = R(get_neighbor),
	.set_arbitration = R(set_arbitration),
	.set_bypass = R(set_bypass),
	.vc_tokens = R(vc_tokens),
	.vc_fullness = R(vc_fullness),
	.inject_chunks = R(inject_chunks),
};
