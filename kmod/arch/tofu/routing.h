/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tofu's router (Ajima et al. (2009), Multiple communications engines).
 *
 * It has ten links, four VCs with a buffer each, and virtual cut-through. "Each engine can
 * transmit and receive packets simultaneously, transmit packets to any direction, and receive
 * packets from any direction": an engine is an injection slot and a reception port. The
 * arbiters of links are round-robin, and so are the ports among the slots that request them.
 *
 * A router file defines TOFU_TNIS, TOFU_ROUTER and machine_run, then includes this header.
 */

/* Machine-specific state of a node: its coordinates. */
struct tofu_node {
	u32 at[TOFU_AXES];
};

/* Arbitration uses no random numbers: @random is 0. */
struct tofu_pass {
	u32 random;
};

#define ROUTER_DIRS		TOFU_DIRS
#define ROUTER_VCS		TOFU_VCS
#define ROUTER_INJECT		TOFU_TNIS
#define ROUTER_PORTS		TOFU_TNIS
#define ROUTER_CHUNKS		(TOFU_BUFFER_BYTES_MAX / TOFU_CHUNK_BYTES)
#define ROUTER_ROUND_ROBIN		1
#define ROUTER_ONE_ALTERNATIVE	1
#define ROUTER_KEYS_WITHOUT_COUNTS	1
#define ROUTER_NIC_DELIVERY		1
#define ROUTER_WAYS		8
#define ROUTER_WAY_END		(1 + TOFU_DIRS * TOFU_VCS)

#define machine_params_t	struct tofu_machine
#define machine_node_t		struct tofu_node
#define machine_pass_t		struct tofu_pass

#define machine_route		tofu_route
#define machine_ways		tofu_ways
#define machine_choose		tofu_choose
#define machine_pass		tofu_draw
#define machine_key_input	tofu_key_input
#define machine_key_output	tofu_key_output
#define machine_depart		tofu_depart
#define machine_tokens		tofu_tokens
#define machine_room		tofu_room
#define machine_capacity	tofu_capacity
#define machine_far		tofu_far
#define machine_wire_ticks	tofu_wire_ticks
#define machine_receive_ticks	tofu_receive_ticks
#define machine_payload		tofu_payload
#define machine_deliver		tofu_deliver
#define machine_port		tofu_port
#define machine_admit		tofu_admit
#define machine_take		tofu_take
#define machine_refill		tofu_refill
#define machine_inject_slot	tofu_inject_slot
#define machine_prefetch	tofu_prefetch

#include "receive.h"
#include "barrier.h"
#include "transmit.h"
#include "core/router/machine.h"
#include "arch/tofu/hop.h"

/*
 * Return the link on which the packets of a slot arrived. Direction and VC determine the phase:
 * within a group, the first phase uses the lower VC of the packet's order, and the last phase the
 * higher VC (route.h).
 */
torus_inline struct tofu_hop tofu_came_by(u32 slot)
{
	u32 dir = slot / ROUTER_VCS, vc = slot % ROUTER_VCS;

	if (slot >= ROUTER_LINK_SLOTS)
		return TOFU_HOP_FIRST;
	return (struct tofu_hop){
		.phase = dir < 2 * TOFU_A ? TOFU_TO_GROUP : vc & 1 ? TOFU_TO_NODE : TOFU_TO_RELAY,
		.dir = dir, .vc = vc,
	};
}

/*
 * Compute the packet's only alternative. Its code (ROUTER_WAYS) is the alternative's number plus 1.
 */
torus_inline struct router_way tofu_route(struct torus_domain *d, const struct router_node *n,
					  u32 node, u32 slot, struct torus_packet *p)
{
	const struct tofu_machine *m = d->machine;
	const struct tofu_fields *h = tofu_fields(p);
	struct tofu_way way = { .path = h->path, .order = h->order };
	struct tofu_hop hop = tofu_came_by(slot);
	u32 axis, next;

	for (axis = 0; axis < TOFU_GROUP_AXES; axis++)
		way.dest[axis] = h->group[axis];
	tofu_slot_coords(h->slot, way.dest);
	if (!tofu_route_next(m->geo, &way, n->own.at, &hop))
		return p->dst == node ? ROUTER_HERE : ROUTER_DROP(TORUS_DROP_NO_ROUTE);
	next = hop.dir * ROUTER_VCS + hop.vc;
	if (torus_unlikely(!(n->exists >> next & 1)))
		return ROUTER_DROP(TORUS_DROP_NO_ROUTE);
	return ROUTER_WAY((router_want_t)(next + 1), false);
}

static router_mask_t tofu_ways(const struct tofu_machine *m, const struct router_node *n,
			       router_want_t way)
{
	return way ? (router_mask_t)1 << (way - 1) : 0;
}

static u32 tofu_choose(const struct tofu_machine *m, const struct router_node *n,
		       router_mask_t mask, u32 random)
{
	return torus_ctz(mask);
}

static struct tofu_pass tofu_draw(const struct tofu_machine *m, struct router_node *n)
{
	return (struct tofu_pass){ 0 };
}

static u32 tofu_key_input(struct torus_domain *d, const struct tofu_pass *pass,
			  const struct router_node *n, u32 slot, u32 choice, u32 random)
{
	return router_turn(slot, n->last_input[router_input_of(slot)], ROUTER_SLOTS);
}

static u32 tofu_key_output(struct torus_domain *d, const struct tofu_pass *pass,
			   const struct router_node *n, u32 slot, u32 dir, u32 key)
{
	return router_turn(slot, n->last_output[dir], ROUTER_SLOTS);
}

/* Do nothing when a packet departs: the next router derives the phase from the link. */
static void tofu_depart(struct torus_domain *d, const struct router_node *n,
			struct torus_packet *p, u32 dir)
{
}

static u32 tofu_tokens(const struct tofu_machine *m, const struct torus_packet *p, u32 vc)
{
	return p->chunks;
}

/*
 * "Virtual cut-through": a packet may leave if the next buffer has space for a packet of
 * maximum size.
 */
static u32 tofu_room(const struct tofu_machine *m, u32 vc, u32 tokens)
{
	return tokens >= TOFU_PACKET_CHUNKS ? ROUTER_GO_ON : 0;
}

static u32 tofu_capacity(const struct tofu_machine *m, u32 vc)
{
	return m->buffer;
}

static u32 tofu_far(const struct tofu_machine *m, const struct router_node *n, u32 dir)
{
	return 0;
}

static u32 tofu_wire_ticks(const struct tofu_machine *m, const struct torus_packet *p)
{
	return p->chunks * TOFU_CHUNK_TICKS;
}

static u32 tofu_receive_ticks(const struct tofu_machine *m, const struct torus_packet *p)
{
	return p->chunks * TOFU_CHUNK_TICKS;
}

static u32 tofu_payload(const struct tofu_machine *m, const struct torus_packet *p)
{
	return p->chunks * TOFU_CHUNK_BYTES - TORUS_TOFU_HEADER_BYTES;
}

static u32 tofu_deliver(const struct torus_packet *p, u32 slot)
{
	u32 fifo = ((const struct tofu_fields *)p->header)->fifo;

	return torus_likely(fifo != TORUS_TOFU_FIFO_GATE) ? fifo : ROUTER_TO_MACHINE;
}

/*
 * Return the reception port of a packet. The FIFOs of all groups are numbered consecutively and
 * assigned to the engines round-robin, as for injection. A gate's or engine's packet names its
 * engine.
 */
static u32 tofu_port(const struct torus_packet *p)
{
	const struct tofu_fields *h = (const struct tofu_fields *)p->header;

	if (torus_unlikely(h->fifo == TORUS_TOFU_FIFO_GATE))
		return tofu_engine_of(p) % TOFU_TNIS;
	return (p->group * TORUS_TOFU_FIFOS + h->fifo) % TOFU_TNIS;
}

/*
 * Always accept packets for gates and engines. Gates drop and report packets that they cannot
 * store. Engines store their replies in memory.
 */
static bool tofu_admit(struct torus_domain *d, u32 node, const struct torus_packet *p, u32 *drop)
{
	return true;
}

static void tofu_take(struct torus_domain *d, u32 node, u32 pkt)
{
	const struct tofu_fields *h = tofu_fields(torus_packet_at(d, pkt));

	if (h->sw >> TORUS_TOFU_KIND_SHIFT == TORUS_TOFU_KIND_ENGINE)
		tofu_rx_packet(d, node, pkt);
	else
		tofu_barrier_take(d, node, pkt);
}

static void tofu_refill(struct torus_domain *d, u32 node)
{
	const struct tofu_machine *m = d->machine;

	if (torus_unlikely(m->barrier))
		tofu_barrier_refill(d, node);
	if (torus_unlikely(m->engines))
		tofu_engine_refill(d, node);
}

static u32 tofu_inject_slot(u32 queue)
{
	return queue % TOFU_TNIS;
}

torus_inline void tofu_prefetch(const struct tofu_machine *m, u32 node)
{
}

static const char *const tofu_vc_names[] = { "VC0", "VC1", "VC2", "VC3" };

#include "core/router/loop.h"
#include "core/router/ops.h"

static void tofu_node_reset(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);

	router_init(d, node, f->cfg.seed);
	torus_geometry_coords(&f->cfg.geo, node, router_node(d, node)->own.at);
}

const struct tofu_router TOFU_ROUTER = {
	.ops = ROUTER_OPS(tofu_vc_names),
	.node_reset = tofu_node_reset,
};
