// SPDX-License-Identifier: GPL-2.0
/*
 * Blue Gene/L's router: what its hot operations are.  (Paper, Torus network.)
 *
 * Four VCs a direction: two dynamic ones, the bubble VC (deterministic packets,
 * and the escape of dynamic ones), and the high-priority bubble VC.
 *
 * Arbitration in three phases:
 *   first   each head chooses a direction and VC: of the dynamic pairs that are
 *           possible and available, the one with the most tokens downstream
 *           (JSQ, two-bit ranges, ties at random), else the bubble escape
 *   second  each receiver presents its best: high priority, then in an SLQ cycle
 *           the fullest VC (two-bit ranges), else at random
 *   third   each link serves the best request: high priority, packets already in
 *           the network, then SLQ or random again
 */
#include "bgl.h"

#define R(name)		bgl_##name
#define R_DIRS		BGL_DIRS
#define R_VCS		BGL_VCS
#define R_INJECT	(BGL_GROUPS * TORUS_BGL_INJECT_FIFOS)
#define R_MASK		u32
#define R_SLOTS_T	u32
#define R_COUNT		u8

#define BGL_DYNAMIC_MASK	0x333333u	/* D0 and D1 of each direction */
#define BGL_PRIORITY_SLOTS	0x88888888u	/* BP of each direction, both IH */
#define BGL_VC_SLOT_MASK	0x00ffffffu

/* Coordinates of the neighbours, of the node's own: registers 02-04. */
struct bgl_node_extra {
	u8 neighbor[BGL_DIRS];
};

struct router_node;

/* One arbitration's draws: which kind of cycle it is in each phase. */
struct bgl_pass {
	u32 random;
	bool slq_input;
	bool slq_output;
	u32 network;		/* preference of requests from the network */
};

torus_inline u32 bgl_full_size(const struct bgl_machine *m, const struct torus_packet *p)
{
	return m->plain ? p->chunks : BGL_PACKET_CHUNKS;
}

/*
 * "Each packet on the bubble is accounted for as if it were a full-sized
 * packet"; tokens of dynamic VCs go by the packet's size.
 */
torus_inline u32 bgl_tokens(const struct bgl_machine *m, const struct torus_packet *p, u32 vc)
{
	if (vc >= TORUS_BGL_BN && TORUS_RULE(bubble_full_size))
		return bgl_full_size(m, p);
	return p->chunks;
}

/*
 * "A VC is marked as unavailable unless space is available to handle a
 * full-sized packet"; entering a bubble VC asks for two.
 */
torus_inline bool bgl_enough(const struct bgl_machine *m, u32 tokens, u32 vc, bool enter)
{
	if (vc >= TORUS_BGL_BN && enter && TORUS_RULE(bubble_enter_two))
		return tokens >= m->enter_chunks;
	return TORUS_RULE(token_full_packet) ? tokens >= BGL_PACKET_CHUNKS : true;
}

torus_inline u32 bgl_range(const struct bgl_machine *m, u32 chunks)
{
	u32 r = chunks >> m->range_shift;

	return r > 3 ? 3 : r;
}

torus_inline u32 bgl_wire_ticks(const struct bgl_machine *m, const struct torus_packet *p)
{
	return p->chunks * BGL_CHUNK_BYTES + (TORUS_RULE(wire_overhead) ? BGL_OVERHEAD_TICKS : 0);
}

/* "Two transfer buses from each receiver": of its VCs two can send at a time. */
torus_inline u32 bgl_buses(const struct bgl_machine *m)
{
	return TORUS_RULE(two_buses) ? m->buses : BGL_VCS;
}

#define R_tokens	bgl_tokens
#define R_enough	bgl_enough
#define R_range		bgl_range
#define R_wire_ticks	bgl_wire_ticks
#define R_receive_ticks(m, p)	((u32)(p)->chunks * BGL_CHUNK_BYTES)
#define R_priority(p)	((p)->flags & TORUS_PACKET_PRIORITY)
#define R_receive_fifo(p, slot)	\
	(R_priority(p) ? TORUS_BGL_RECEIVE_PRIORITY : (u32)(slot) / BGL_VCS)
#define R_payload(p)	((u32)(p)->chunks * BGL_CHUNK_BYTES - \
			 TORUS_BGL_HEADER_BYTES - TORUS_BGL_SOFTWARE_BYTES)
#define R_BUSES		bgl_buses
#define R_PRIORITY_SLOTS	BGL_PRIORITY_SLOTS

torus_inline u32 bgl_route(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			   const struct torus_packet *p, bool *cont);
torus_inline u32 bgl_choose(const struct bgl_machine *m, const struct router_node *n, u32 mask,
			    u32 random);
torus_inline struct bgl_pass bgl_pass(const struct bgl_machine *m, struct router_node *n);
torus_inline u64 bgl_key_input(const struct bgl_pass *pass, const struct router_node *n, u32 slot,
			       u32 choice, u32 random);
torus_inline u64 bgl_key_output(const struct bgl_pass *pass, const struct router_node *n,
				u64 winner);
torus_inline void bgl_depart(const struct router_node *n, struct torus_packet *p, u32 dir);

#define R_route		bgl_route
#define R_choose	bgl_choose
#define R_pass		bgl_pass
#define R_key_input	bgl_key_input
#define R_key_output	bgl_key_output
#define R_depart	bgl_depart

#include "core/router.h"
#include "core/router_ops.h"

/**
 * bgl_node_bytes() - memory of a node
 * @cfg: ignored: all nodes are alike
 * @cold: out: of its registers
 *
 * Return: of its router.
 */
size_t bgl_node_bytes(const struct torus_config *cfg, size_t *cold)
{
	*cold = sizeof(struct bgl_regs);
	return sizeof(struct router_node);
}

/*
 * "The routing is accomplished entirely by examining the hint bits and virtual
 * channels; i.e., there are no routing tables."  No hint bit left: arrived.
 */
torus_inline u32 bgl_route(struct torus_domain *d, struct router_node *n, u32 node, u32 slot,
			   const struct torus_packet *p, bool *cont)
{
	const struct bgl_machine *m = d->machine;
	const struct bgl_fields *h = bgl_fields_const(p);
	u32 hints = h->hints, want, bubble;

	if (!hints)
		return p->dst == node ? 0 : R_DROP;
	if (h->dynamic)
		want = m->want_dynamic[hints];
	else
		want = p->flags & TORUS_PACKET_PRIORITY ? m->want_priority[hints] :
							  m->want_normal[hints];
	/* a hint where there is no link: the edge of a mesh */
	want &= n->exists;
	if (torus_unlikely(!want))
		return R_DROP;
	/* "a packet already on the bubble VC", in the direction it came */
	bubble = want & ~BGL_DYNAMIC_MASK;
	*cont = bubble && slot < R_VC_SLOTS && (bubble >> slot & 1);
	return want;
}

torus_inline u32 bgl_choose(const struct bgl_machine *m, const struct router_node *n, u32 mask,
			    u32 random)
{
	u32 x = TORUS_RULE(dynamic_before_bubble) ? mask & BGL_DYNAMIC_MASK : 0;
	u32 i;

	mask = x ? x : mask;
	if (torus_likely(m->jsq) && TORUS_RULE(jsq)) {
		x = mask & n->range_hi;
		mask = x ? x : mask;
		x = mask & n->range_lo;
		mask = x ? x : mask;
	}
	if (!(mask & (mask - 1)))
		return torus_ctz(mask);
	/* the low half: the key goes by the high one */
	for (i = (random & 0xffff) * torus_popcount(mask) >> 16; i; i--)
		mask &= mask - 1;
	return torus_ctz(mask);
}

/* True in @fraction of 256 cases; 255 stands for all. */
torus_inline bool bgl_draw(u32 random, u8 fraction)
{
	return (random & 0xff) < fraction || fraction == 255;
}

torus_inline struct bgl_pass bgl_pass(const struct bgl_machine *m, struct router_node *n)
{
	u32 r = router_random(n);

	return (struct bgl_pass){
		.random = r,
		.slq_input = bgl_draw(r, n->slq),
		.slq_output = bgl_draw(r >> 8, n->slq),
		.network = !bgl_draw(r >> 16, n->inject_first),
	};
}

/* Key: high priority, fullness range, chance; the low half says who and what. */
torus_inline u64 bgl_key_input(const struct bgl_pass *pass, const struct router_node *n, u32 slot,
			       u32 choice, u32 random)
{
	u32 key = random >> 4;

	if (pass->slq_input && TORUS_RULE(slq))
		key |= (n->full[slot] >> 3 > 3 ? 3u : n->full[slot] >> 3u) << 28;
	if (TORUS_RULE(priority_first))
		key |= (BGL_PRIORITY_SLOTS >> slot & 1) << 31;
	return (u64)key << 32 | 1u << 31 | slot << 8 | choice;
}

torus_inline u64 bgl_key_output(const struct bgl_pass *pass, const struct router_node *n,
				u64 winner)
{
	u32 slot = winner >> 8 & 0xff;
	u32 key = (u32)(winner >> 32) & 0x8fffffffu;
	u32 level = n->full[slot] >> 3 > 3 ? 3u : n->full[slot] >> 3u;

	key = (key & 0x80000000u) | (key & 0x0fffffffu) >> 1;
	if (TORUS_RULE(in_network_priority))
		key |= ((BGL_VC_SLOT_MASK >> slot & 1) == pass->network) << 30;
	if (pass->slq_output && TORUS_RULE(slq_output))
		key |= level << 28;
	return (u64)key << 32 | (u32)winner;
}

/*
 * "Hint bits are set to 0 when a packet leaves a node in a direction such that
 * it will arrive at its destination in that dimension, as determined by the
 * neighbor coordinate registers."
 */
torus_inline void bgl_depart(const struct router_node *n, struct torus_packet *p, u32 dir)
{
	struct bgl_fields *h = bgl_fields(p);

	if (n->extra.neighbor[dir] == h->dest[TORUS_DIM(dir)] && TORUS_RULE(hint_clearing))
		h->hints &= (u8)~(TORUS_BGL_HINT_XP >> dir);
}

/**
 * bgl_run() - the hot loop
 * @d: the domain
 * @until: stop before this tick
 */
void bgl_run(struct torus_domain *d, u64 until)
{
	router_run(d, until);
}

/**
 * bgl_node_reset() - a node's router at rest
 * @f: the fabric
 * @node: number of the node
 */
void bgl_node_reset(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);
	const struct bgl_machine *m = bgl_machine(f);

	router_init(d, node, f->cfg.seed);
	router_node(d, node)->slq = m->slq;
	router_node(d, node)->inject_first = m->inject_first;
}

/* The neighbour coordinate registers as departing packets see them. */
void bgl_set_neighbor(struct torus_fabric *f, u32 node, u32 dir, u8 coord)
{
	router_node(torus_domain_of(f, node), node)->extra.neighbor[dir] = coord;
}

u8 bgl_get_neighbor(struct torus_fabric *f, u32 node, u32 dir)
{
	return router_node(torus_domain_of(f, node), node)->extra.neighbor[dir];
}

/* Register 0B as the arbiters see it. */
void bgl_set_arbitration(struct torus_fabric *f, u32 node, u8 slq, u8 inject_first)
{
	struct router_node *n = router_node(torus_domain_of(f, node), node);

	n->slq = slq;
	n->inject_first = inject_first;
}

static u32 bgl_four_bytes(const u8 *counts)
{
	return (u32)counts[0] << 24 | (u32)counts[1] << 16 | (u32)counts[2] << 8 | counts[3];
}

/* Sender's tokens, a byte a VC (registers 3E-43). */
u32 bgl_vc_tokens(struct torus_fabric *f, u32 node, u32 dir)
{
	return bgl_four_bytes(&router_node(torus_domain_of(f, node), node)->tokens[dir * BGL_VCS]);
}

/* Receiver's VC fullness, a byte a VC (38-3D). */
u32 bgl_vc_fullness(struct torus_fabric *f, u32 node, u32 dir)
{
	return bgl_four_bytes(&router_node(torus_domain_of(f, node), node)->full[dir * BGL_VCS]);
}

/* Chunks in injection FIFO @fifo of the node, both groups counted through. */
u32 bgl_inject_chunks(struct torus_fabric *f, u32 node, u32 fifo)
{
	return router_node(torus_domain_of(f, node), node)->full[R_VC_SLOTS + fifo];
}

static u32 bgl_op_tokens(struct torus_fabric *f, const struct torus_packet *p, u32 vc)
{
	return bgl_tokens(bgl_machine(f), p, vc);
}

const struct torus_router_ops bgl_router_ops = ROUTER_OPS(bgl_run, bgl_op_tokens);
