/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The k-ary n-cube's router with finite buffers: virtual cut-through, VCs with one buffer each,
 * arbiters by age or round robin. routing_rules.h has the routing
 * rules.
 *
 * A mask has 64 bits, and the size of a node depends on its number of slots. Routers are therefore
 * compiled for three, seven and ten dimensions. Their files define these macros and then include
 * this one:
 *
 *   ROUTER_DIRS, ROUTER_VCS, ROUTER_INJECT    numbers of directions, VCs, injection slots
 *   KNCUBE_ROUTER                                 name of the router
 *   machine_run                               name of the function that runs a domain
 */

/**
 * struct kncube_place - the machine's data of a node
 * @at: coordinates of the node
 */
struct kncube_place {
	u16 at[ROUTER_DIRS / 2];
};

/* Random number of one arbitration, which selects one of several equally empty buffers. */
struct kncube_pass {
	u32 random;
};

#define ROUTER_CHUNKS		(KNCUBE_VC_BYTES_MAX / KNCUBE_CHUNK_BYTES)
#define ROUTER_BUBBLE		1
#define ROUTER_ROUND_ROBIN		1
#define ROUTER_ANY_DIMS		1
#define ROUTER_SURE_LINKS	1

#define machine_params_t	struct kncube_machine
#define machine_node_t		struct kncube_place
#define machine_pass_t		struct kncube_pass

#define machine_route		kncube_find_direction
#define machine_choose		kncube_choose
#define machine_pass		kncube_draw
#define machine_key_input	kncube_key_input
#define machine_key_output	kncube_key_output
#define machine_depart		kncube_depart
#define machine_tokens		kncube_tokens
#define machine_room		kncube_room
#define machine_capacity	kncube_capacity
#define machine_far		kncube_far
#define machine_wire_ticks	kncube_wire_ticks
#define machine_receive_ticks	kncube_receive_ticks
#define machine_payload		kncube_payload
#define machine_deliver		kncube_deliver
#define machine_inject_slot	kncube_inject_slot
#define machine_prefetch	kncube_prefetch

#include "core/router/machine.h"

torus_inline struct kncube_bound *kncube_bound(struct torus_packet *p)
{
	return (struct kncube_bound *)p->header;
}

/* Return the node that a packet is travelling to: its relay or its destination. */
torus_inline u32 kncube_target(const struct torus_packet *p, const struct kncube_bound *h)
{
	return h->ways & KNCUBE_RELAYED ? h->relay : p->dst;
}

torus_inline u32 kncube_coord(const struct torus_geometry *g, u32 node, u32 dim)
{
	return node / g->stride[dim] % g->dims[dim];
}

/* Return the mask of VCs @vcs in each of the directions @dirs. */
torus_inline router_mask_t kncube_each(u32 dirs, u32 vcs)
{
	router_mask_t mask = 0;

	for (; dirs; dirs &= dirs - 1)
		mask |= (router_mask_t)vcs << (torus_ctz(dirs) * ROUTER_VCS);
	return mask;
}

/* Return the alternatives of a packet. A packet at its relay starts its path to the destination. */
static struct router_way kncube_find_direction(struct torus_domain *d, const struct router_node *n,
					       u32 node, u32 slot, struct torus_packet *p)
{
	const struct kncube_machine *m = d->machine;
	struct kncube_bound *h = kncube_bound(p);
	struct kncube_hop came = { .dir = slot / ROUTER_VCS, .vc = slot % ROUTER_VCS };
	struct kncube_choice c;
	enum kncube_phase phase;
	router_mask_t want;
	u32 dim;

	if (h->ways == KNCUBE_RELAYED)
		h->ways = kncube_directions(m->geo, node, p->dst);
	if (!h->ways)
		return ROUTER_HERE;
	phase = h->ways & KNCUBE_RELAYED ? KNCUBE_TO_RELAY : KNCUBE_TO_END;
	dim = TORUS_DIM(kncube_first(h->ways & ~KNCUBE_RELAYED));
	c = kncube_ordered(&m->vcs, m->geo, h->ways & ~KNCUBE_RELAYED, phase, n->own.at[dim],
			   kncube_coord(m->geo, kncube_target(p, h), dim),
			   slot < ROUTER_LINK_SLOTS ? came : KNCUBE_HOP_NONE);
	want = (router_mask_t)c.vcs << (c.dir * ROUTER_VCS);
	if (m->vcs.free)
		want |= kncube_each(h->ways, m->vcs.free);
	return ROUTER_WAY(want, c.on);
}

/* Return the alternatives of @mask that lead to the emptiest buffers. */
torus_inline router_mask_t kncube_emptiest(const struct router_node *n, router_mask_t mask)
{
	router_mask_t best = 0;
	u32 most = 0;

	for (; mask; mask &= mask - 1) {
		u32 i = torus_ctz(mask);

		if (n->tokens[i] < most)
			continue;
		best = n->tokens[i] > most ? 0 : best;
		best |= (router_mask_t)1 << i;
		most = n->tokens[i];
	}
	return best;
}

/*
 * Select an alternative: prefer adaptive VCs (m->free_mask) to escape VCs. Among these, select one
 * of the emptiest buffers at random.
 */
torus_inline u32 kncube_choose(const struct kncube_machine *m, const struct router_node *n,
			       router_mask_t mask, u32 random)
{
	router_mask_t x = mask & (router_mask_t)m->free_mask;
	u32 i;

	mask = x ? x : mask;
	if (!(mask & (mask - 1)))
		return torus_ctz(mask);
	mask = kncube_emptiest(n, mask);
	for (i = (random & 0xffff) * router_count_bits(mask) >> 16; i; i--)
		mask &= mask - 1;
	return torus_ctz(mask);
}

torus_inline struct kncube_pass kncube_draw(const struct kncube_machine *m, struct router_node *n)
{
	return (struct kncube_pass){ .random = router_random(n) };
}

/*
 * Return a packet's age in ticks since its generation; the age saturates. For a packet generated at
 * tick 0, as in closed loop, count from the tick at which the packet entered its injection FIFO.
 */
torus_inline u32 kncube_age(struct torus_domain *d, const struct router_node *n, u32 slot)
{
	const struct torus_packet *p = router_packet(d, n, slot);
	u64 age = torus_packet_since(d->now, p->born ? p->born : p->entered);

	return age >> 32 ? ~0u : (u32)age;
}

/*
 * Return the key of a packet among those of its input. With arbitration=age, the oldest packet
 * wins, so that no packet is overtaken indefinitely. With arbitration=rr, packets win in turns.
 */
torus_inline u32 kncube_key_input(struct torus_domain *d, const struct kncube_pass *pass,
				  const struct router_node *n, u32 slot, u32 choice, u32 random)
{
	const struct kncube_machine *m = d->machine;

	if (!m->turns)
		return kncube_age(d, n, slot);
	return router_turn(slot, n->last_input[router_input_of(slot)], ROUTER_SLOTS);
}

/*
 * Return the key of a packet among those that request an output. With arbitration=rr, packets in
 * the network win in turns, and packets to be injected come after them.
 */
torus_inline u32 kncube_key_output(struct torus_domain *d, const struct kncube_pass *pass,
				   const struct router_node *n, u32 slot, u32 dir, u32 key)
{
	const struct kncube_machine *m = d->machine;

	if (!m->turns)
		return key;
	return (u32)(slot < ROUTER_LINK_SLOTS) << 8 |
	       router_turn(slot, n->last_output[dir], ROUTER_SLOTS);
}

/* Clear the packet's direction in a dimension if the next node has the target's coordinate. */
static void kncube_depart(struct torus_domain *d, const struct router_node *n,
			  struct torus_packet *p, u32 dir)
{
	const struct kncube_machine *m = d->machine;
	const struct torus_geometry *g = m->geo;
	struct kncube_bound *h = kncube_bound(p);
	u32 dim = TORUS_DIM(dir), at = n->own.at[dim], last = g->dims[dim] - 1;

	if (TORUS_MINUS(dir))
		at = at ? at - 1 : last;
	else
		at = at == last ? 0 : at + 1;
	if (at == kncube_coord(g, kncube_target(p, h), dim))
		h->ways &= ~(1u << dir);
}

/* Count each packet in a bubble VC as one of maximum size, so that free space fits any packet. */
static u32 kncube_tokens(const struct kncube_machine *m, const struct torus_packet *p, u32 vc)
{
	return m->vcs.bubble >> vc & 1 ? KNCUBE_PACKET_CHUNKS : p->chunks;
}

/*
 * Return the moves that free space permits. Virtual cut-through needs space for a whole packet;
 * entering a bubble must leave space for another one.
 */
static u32 kncube_room(const struct kncube_machine *m, u32 vc, u32 tokens)
{
	u32 enter = m->vcs.bubble >> vc & 1 ? 2 * KNCUBE_PACKET_CHUNKS : KNCUBE_PACKET_CHUNKS;

	return (tokens >= KNCUBE_PACKET_CHUNKS ? ROUTER_GO_ON : 0) |
	       (tokens >= enter ? ROUTER_MAY_ENTER : 0);
}

static u32 kncube_capacity(const struct kncube_machine *m, u32 vc)
{
	return m->buffer;
}

static u32 kncube_far(const struct kncube_machine *m, const struct router_node *n, u32 dir)
{
	return 0;
}

static u32 kncube_wire_ticks(const struct kncube_machine *m, const struct torus_packet *p)
{
	return p->chunks * KNCUBE_CHUNK_BYTES;
}

static u32 kncube_receive_ticks(const struct kncube_machine *m, const struct torus_packet *p)
{
	return p->chunks * KNCUBE_CHUNK_BYTES;
}

static u32 kncube_payload(const struct kncube_machine *m, const struct torus_packet *p)
{
	return p->chunks * KNCUBE_CHUNK_BYTES;
}

/*
 * Return the sink that receives a packet. There is one sink per direction, and sinks accept all
 * packets.
 */
static u32 kncube_deliver(const struct torus_packet *p, u32 slot)
{
	return slot / ROUTER_VCS;
}

static u32 kncube_inject_slot(u32 queue)
{
	return queue % ROUTER_INJECT;
}

torus_inline void kncube_prefetch(const struct kncube_machine *m, u32 node)
{
}

static const char *const kncube_names[KNCUBE_VCS_MAX] = { "VC0", "VC1", "VC2", "VC3" };

#include "core/router/loop.h"
#include "core/router/ops.h"

static void kncube_reset(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);
	u32 at[TORUS_DIMS_MAX], dim;

	router_init(d, node, f->cfg.seed);
	torus_geometry_coords(&f->cfg.geo, node, at);
	for (dim = 0; dim < f->cfg.geo.ndims; dim++)
		router_node(d, node)->own.at[dim] = (u16)at[dim];
}

const struct kncube_router KNCUBE_ROUTER = {
	.ops = ROUTER_OPS(kncube_names),
	.dims = ROUTER_DIRS / 2,
	.reset = kncube_reset,
};
