// SPDX-License-Identifier: GPL-2.0
/*
 * The SeaStar router (Abts et al. (2007), section 2.1): "both input-queued and output-queued". It
 * has six input ports with one buffer per VC, and the processor port. In front of each of the
 * seven outputs are 24 staging buffers, "one for each input source (five network ports, and one
 * processor port), each with four VCs".
 */
#include "router.h"
#include "table.h"

/**
 * struct xt_node - the machine's data of a node
 * @table: number of the table of input 0
 * @partition: partition of @table; XT_OWN_TABLES: the inputs of the node have different tables
 * @datelines: mask of the outputs that lead over a dateline
 *
 * If no cable is broken, all inputs of a node share a table.
 */
struct xt_node {
	u32 table;
	u8 partition;
	u8 datelines;
};

#define XT_OWN_TABLES		0xff

/* An arbitration needs no random numbers. */
struct xt_pass {
	u8 nothing;
};

#define ROUTER_DIRS		XT_DIRS
#define ROUTER_VCS		XT_VCS
#define ROUTER_INJECT		XT_CLASSES	/* one injection FIFO per class, all at one port */
#define ROUTER_INJECT_PORT	1
#define ROUTER_CHUNKS		4096
#define ROUTER_STAGES		2
#define ROUTER_BANK		XT_BANK
#define ROUTER_ROUND_ROBIN		1
#define ROUTER_ONE_ALTERNATIVE		1
#define ROUTER_WAYS			8
#define ROUTER_WAY_END			(1 + XT_DIRS * XT_VCS)
#define ROUTER_FREE_ON_START		1
#define ROUTER_TRUE_SIZE_CREDITS	1
#define ROUTER_TABLES			1
#define ROUTER_NO_RANDOM		1

#define machine_params_t	struct xt_machine
#define machine_node_t		struct xt_node
#define machine_pass_t		struct xt_pass

#define machine_run		xt_run
#define machine_route		xt_route
#define machine_ways		xt_ways
#define machine_choose		xt_choose
#define machine_pass		xt_draw
#define machine_key_input	xt_key_input
#define machine_depart		xt_depart
#define machine_tokens		xt_tokens
#define machine_room		xt_room
#define machine_capacity	xt_capacity
#define machine_far		xt_far
#define machine_wire_ticks	xt_wire_ticks
#define machine_receive_ticks	xt_receive_ticks
#define machine_payload		xt_payload
#define machine_deliver		xt_deliver
#define machine_inject_slot	xt_inject_slot
#define machine_prefetch	xt_prefetch
#define machine_prefetch_route	xt_prefetch_route
#define machine_stage_queue	xt_stage_queue
#define machine_stage_vc	xt_stage_vc
#define machine_stage_capacity	xt_stage_capacity
#define machine_stage_ticks	xt_stage_ticks
#define machine_stage_latency	xt_stage_latency
#define machine_key_stage	xt_key_stage

#include "core/router/machine.h"

_Static_assert(sizeof(struct router_node) == 960, "a node takes 15 cache lines");

#define DROP(reason)	ROUTER_DROP(TORUS_DROP_MACHINE + (reason))

/*
 * Return the port at which a slot's packets arrive. Packets that travel in direction x+ arrive at
 * the port of x-.
 */
static u32 xt_port(u32 slot)
{
	return slot < ROUTER_LINK_SLOTS ? TORUS_REVERSE(slot / ROUTER_VCS) : XT_PROCESSOR;
}

/*
 * Return the link and the VC on which a packet leaves; the code of this alternative (ROUTER_WAYS)
 * is its number plus 1. The table's VC applies if the packet enters a dimension, "due to a turn in
 * from another dimension, or .. injected by the processor at that node" (section 3). A packet that
 * continues straight keeps its VC. "The dateline will switch any packet from VC0 to VC1": when the
 * packet leaves, because "until the packet reaches the output port of the dateline node" it has not
 * crossed it (3.4).
 */
static struct router_way xt_leave(const struct router_node *n, u32 slot, u32 entry, u32 class)
{
	u32 dir = entry & TORUS_XT_PORT, vc = !!(entry & TORUS_XT_VC1);

	if (slot < ROUTER_LINK_SLOTS && slot / ROUTER_VCS == dir)
		vc = slot % 2;
	if (n->own.datelines >> dir & 1) {
		if (vc)
			return DROP(XT_DROP_DATELINE);
		vc = 1;
	}
	return ROUTER_WAY((router_want_t)(dir * ROUTER_VCS + 2 * class + vc + 1), false);
}

static router_mask_t xt_ways(const struct xt_machine *m, const struct router_node *n,
			     router_want_t way)
{
	return (router_mask_t)(1ull << way >> 1);
}

static u32 xt_entry(const struct xt_routes *r, const struct router_node *n, u32 node, u32 port,
		    u32 nid)
{
	if (torus_unlikely(n->own.partition == XT_OWN_TABLES))
		return xt_table_entry(r, node, port, nid);
	return xt_node_entry(r, n->own.table, n->own.partition, nid);
}

/*
 * Read the input's table "to lookup the destination port and virtual channel of the incoming
 * packet" (2.2).
 */
static struct router_way xt_route(struct torus_domain *d, const struct router_node *n, u32 node,
				  u32 slot, struct torus_packet *p)
{
	const struct xt_machine *m = d->machine;
	struct xt_fields *h = xt_fields(p);
	u32 port = xt_port(slot), entry = xt_entry(m->routes, n, node, port, h->nid);
	u32 out = entry & TORUS_XT_PORT;

	/*
	 * the time that a packet waited in its injection FIFO, outside the router, does not count
	 * as age
	 */
	if (port == XT_PROCESSOR)
		h->since = (u32)d->now;
	if (out == XT_PROCESSOR)
		return p->dst == node && port != XT_PROCESSOR ? ROUTER_HERE :
								ROUTER_DROP(TORUS_DROP_NO_ROUTE);
	/* "the SeaStar router does not allow 180 degree turns within the network" */
	if (out == port)
		return DROP(XT_DROP_TURN_BACK);
	/* reject a link that does not exist; the port of a missing table entry is such a link */
	if (!(n->exists & ROUTER_DIR_BITS(out)))
		return ROUTER_DROP(TORUS_DROP_NO_ROUTE);
	return xt_leave(n, slot, entry, h->class);
}

static u32 xt_choose(const struct xt_machine *m, const struct router_node *n, router_mask_t mask,
		     u32 random)
{
	return torus_ctz(mask);
}

static struct xt_pass xt_draw(const struct xt_machine *m, struct router_node *n)
{
	return (struct xt_pass){ 0 };
}

/* Return a packet's age, including its wait at this router, in router cycles. The age saturates. */
static u32 xt_age(const struct torus_domain *d, const struct torus_packet *p)
{
	const struct xt_fields *h = (const struct xt_fields *)p->header;
	u32 waited = (u32)d->now - h->since, age;

	/*
	 * On a live link the packet may arrive later than @since, which was set at its departure:
	 * the delay counts as age. A wait of 2^31 ticks or more counts as 0.
	 */
	waited = (s32)waited < 0 ? 0 : waited / XT_FLIT_TICKS;
	age = waited < XT_AGE_MAX ? h->age + waited : XT_AGE_MAX;
	return age < XT_AGE_MAX ? age : XT_AGE_MAX;
}

/*
 * Return an arbitration key. arbitration=age: "Oldest first". Packets of equal age, which are
 * frequent because the age saturates, win in turns. arbitration=rr: packets win in turns only.
 */
static u32 xt_key(struct torus_domain *d, const struct torus_packet *p, u32 turn)
{
	const struct xt_machine *m = d->machine;

	return m->turns ? turn : xt_age(d, p) << 8 | turn;
}

static u32 xt_key_input(struct torus_domain *d, const struct xt_pass *pass,
			const struct router_node *n, u32 slot, u32 choice, u32 random)
{
	return xt_key(d, router_packet(d, n, slot),
		      router_turn(slot, n->last_input[router_input_of(slot)], ROUTER_SLOTS));
}

static u32 xt_key_stage(struct torus_domain *d, const struct xt_pass *pass,
			const struct router_node *n, u32 output, u32 queue,
			const struct torus_packet *p)
{
	return xt_key(d, p, router_turn(queue, n->last_output[output], XT_BANK));
}

/*
 * Store the age in the header, and the tick at which the packet arrives at the next router: there
 * its wait begins.
 */
static void xt_depart(struct torus_domain *d, const struct router_node *n, struct torus_packet *p,
		      u32 dir)
{
	const struct xt_machine *m = d->machine;
	struct xt_fields *h = xt_fields(p);

	h->age = (u16)xt_age(d, p);
	h->since = (u32)d->now + m->timing.latency;
}

static u32 xt_tokens(const struct xt_machine *m, const struct torus_packet *p, u32 vc)
{
	return p->chunks;
}

/*
 * "Virtual cut-through": a packet leaves only if there is free space for all of it;
 * TRUE_SIZE_CREDITS ensures this.
 */
static u32 xt_room(const struct xt_machine *m, u32 vc, u32 tokens)
{
	return tokens ? ROUTER_GO_ON : 0;
}

static u32 xt_capacity(const struct xt_machine *m, u32 vc)
{
	return m->buffer;
}

static u32 xt_far(const struct xt_machine *m, const struct router_node *n, u32 dir)
{
	return 0;
}

/*
 * Return the ticks that a packet takes on a link or at the processor port: one flit per router
 * cycle.
 */
static u32 xt_wire_ticks(const struct xt_machine *m, const struct torus_packet *p)
{
	return p->chunks * XT_FLIT_TICKS;
}

static u32 xt_receive_ticks(const struct xt_machine *m, const struct torus_packet *p)
{
	return p->chunks * XT_FLIT_TICKS;
}

static u32 xt_payload(const struct xt_machine *m, const struct torus_packet *p)
{
	return (p->chunks - 1u) * XT_FLIT_BYTES;
}

/* Return the reception FIFO: one per class. */
static u32 xt_deliver(const struct torus_packet *p, u32 slot)
{
	return ((const struct xt_fields *)p->header)->class;
}

static u32 xt_inject_slot(u32 queue)
{
	return queue % XT_CLASSES;
}

torus_inline void xt_prefetch(const struct xt_machine *m, u32 node)
{
}

torus_inline void xt_prefetch_route(const struct xt_machine *m, const struct router_node *n,
				    const struct torus_packet *p)
{
	xt_node_entry_prefetch(m->routes, n->own.table, n->own.partition,
			       ((const struct xt_fields *)p->header)->nid);
}

/*
 * Return the staging buffer of an input and VC: "One for each input source .. each with four VCs".
 * An output has no buffer for the input of its own port.
 */
static u32 xt_stage_queue(u32 output, u32 input, u32 vc)
{
	u32 own = output == ROUTER_PORT ? ROUTER_DIRS : TORUS_REVERSE(output);

	if (input == own)
		return ROUTER_NO_QUEUE;
	return (input - (input > own)) * ROUTER_VCS + vc;
}

static u32 xt_stage_vc(u32 output, u32 queue)
{
	return queue % ROUTER_VCS;
}

static u32 xt_stage_capacity(const struct xt_machine *m, u32 output, u32 queue)
{
	return m->staging;
}

static u32 xt_stage_ticks(const struct xt_machine *m, const struct torus_packet *p)
{
	return p->chunks * XT_FLIT_TICKS;
}

static u32 xt_stage_latency(const struct xt_machine *m)
{
	return m->crossbar;
}

static const char *const xt_vc_names[] = { "VC0", "VC1", "VC2", "VC3" };

#include "core/router/loop.h"
#include "core/router/ops.h"

const struct torus_router_ops xt_router = ROUTER_OPS(xt_vc_names);

/*
 * Return a mask of the outputs that lead over a dateline: for each dimension in which the node is a
 * dateline node, both links.
 */
static u8 xt_datelines(const struct torus_geometry *g, u32 node, const u32 *dateline)
{
	u32 coords[TORUS_DIMS_MAX], dim, mask = 0;

	torus_geometry_coords(g, node, coords);
	for (dim = 0; dim < XT_DIMS; dim++)
		if (coords[dim] == dateline[dim])
			mask |= 3u << (2 * dim);
	return (u8)mask;
}

/* Copy the data from the tables that a node reads for each packet. */
static void xt_set_node(struct torus_fabric *f, u32 node)
{
	const struct xt_routes *r = ((const struct xt_machine *)f->machine)->routes;
	struct xt_node *own = &router_node(torus_domain_of(f, node), node)->own;
	const u32 *table = &r->input[node * XT_INPUTS];
	u32 input;

	own->datelines = xt_datelines(&f->cfg.geo, node, r->dateline);
	own->table = table[0];
	own->partition = r->table[table[0]].partition;
	for (input = 1; input < XT_INPUTS; input++)
		if (table[input] != table[0])
			own->partition = XT_OWN_TABLES;
}

/**
 * xt_set_routes() - make all nodes use the tables and datelines of the machine
 * @f: the fabric, which has tables; no run may be in progress
 */
void xt_set_routes(struct torus_fabric *f)
{
	u32 node;

	for (node = 0; node < f->nodes; node++)
		if (torus_node_here(f, node))
			xt_set_node(f, node);
}

void xt_node_init(struct torus_fabric *f, u32 node)
{
	const struct xt_machine *m = f->machine;
	struct torus_domain *d = torus_domain_of(f, node);

	router_init(d, node, f->cfg.seed);
	if (m->routes)
		xt_set_node(f, node);
}
