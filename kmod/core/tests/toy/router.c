// SPDX-License-Identifier: GPL-2.0
/* Router file of the toy machine. */
#include "toy.h"

/* State of a node; @wraps: mask of its links that close rings. */
struct toy_node {
	u16 wraps;
};

/* An arbitration uses no random number. */
struct toy_pass {
	u8 nothing;
};

#define ROUTER_DIRS		TOY_DIRS
#define ROUTER_VCS		TOY_VCS
#define ROUTER_INJECT		TOY_SLOTS
#define ROUTER_CHUNKS		255
#define ROUTER_STAGES		2
#define ROUTER_BANK		TOY_BANK
#define ROUTER_ROUND_ROBIN		1
#define ROUTER_NIC_DELIVERY		1

#define machine_params_t	struct toy_machine
#define machine_node_t		struct toy_node
#define machine_pass_t		struct toy_pass

#define machine_run		toy_run
#define machine_route		toy_route
#define machine_choose		toy_choose
#define machine_pass		toy_draw
#define machine_key_input	toy_key_input
#define machine_depart		toy_depart
#define machine_tokens		toy_tokens
#define machine_room		toy_room
#define machine_capacity	toy_capacity
#define machine_far		toy_far
#define machine_wire_ticks	toy_wire_ticks
#define machine_receive_ticks	toy_receive_ticks
#define machine_payload		toy_payload
#define machine_deliver		toy_deliver
#define machine_inject_slot	toy_inject_slot
#define machine_prefetch	toy_prefetch
#define machine_admit		toy_admit
#define machine_take		toy_take_packet
#define machine_refill		toy_refill
#define machine_stage_queue	toy_stage_queue
#define machine_stage_vc	toy_stage_vc
#define machine_stage_capacity	toy_stage_capacity
#define machine_stage_ticks	toy_stage_ticks
#define machine_stage_latency	toy_stage_latency
#define machine_key_stage	toy_key_stage

#include "core/router/machine.h"

static const struct toy_fields *toy_fields(const struct torus_packet *p)
{
	return (const struct toy_fields *)p->header;
}

/* Route in dimension order by the shorter way. */
static struct router_way toy_route(struct torus_domain *d, const struct router_node *n, u32 node,
				   u32 slot, struct torus_packet *p)
{
	const struct torus_geometry *g = &d->f->cfg.geo;
	const struct toy_machine *m = d->machine;
	const struct toy_fields *h = toy_fields(p);
	u32 at[TORUS_DIMS_MAX], to[TORUS_DIMS_MAX], dim, dir, vc;

	torus_geometry_coords(g, node, at);
	torus_geometry_coords(g, p->dst, to);
	for (dim = 0; dim < g->ndims && at[dim] == to[dim]; dim++)
		;
	if (dim == g->ndims)
		return ROUTER_HERE;
	dir = 2 * dim + (d->f->arch->steps(d->f, dim, at[dim], to[dim]) < 0);
	if (m->one_way && dir == 9)
		return ROUTER_DROP(TORUS_DROP_MACHINE + TOY_DROP_ONE_WAY);
	vc = m->dateline && h->dim == dim && h->crossed;
	return ROUTER_WAY((router_mask_t)1 << (dir * ROUTER_VCS + vc), false);
}

static u32 toy_choose(const struct toy_machine *m, const struct router_node *n,
		      router_mask_t mask, u32 random)
{
	return torus_ctz(mask);
}

static struct toy_pass toy_draw(const struct toy_machine *m, struct router_node *n)
{
	return (struct toy_pass){ 0 };
}

static u32 toy_age(const struct torus_domain *d, const struct torus_packet *p)
{
	u64 age = d->now - p->born;

	return age < 0xffff ? (u32)age : 0xffff;
}

static u32 toy_key_input(struct torus_domain *d, const struct toy_pass *pass,
			 const struct router_node *n, u32 slot, u32 choice, u32 random)
{
	const struct toy_machine *m = d->machine;
	u32 input = slot < ROUTER_LINK_SLOTS ? slot / ROUTER_VCS :
		    slot - ROUTER_LINK_SLOTS + ROUTER_DIRS;

	if (!m->turns)
		return toy_age(d, router_packet(d, n, slot));
	return n->last_input[input] != slot;
}

/* Rank the queues of a bank in round robin order, starting after the last winner. */
static u32 toy_key_stage(struct torus_domain *d, const struct toy_pass *pass,
			 const struct router_node *n, u32 output, u32 queue,
			 const struct torus_packet *p)
{
	const struct toy_machine *m = d->machine;
	u32 last = n->last_output[output] == 255 ? TOY_BANK - 1 : n->last_output[output];

	if (!m->turns)
		return toy_age(d, p);
	return TOY_BANK - (queue + TOY_BANK - last - 1) % TOY_BANK;
}

static void toy_depart(struct torus_domain *d, const struct router_node *n,
		       struct torus_packet *p, u32 dir)
{
	struct toy_fields *h = (struct toy_fields *)p->header;

	if (h->dim != TORUS_DIM(dir))
		h->crossed = 0;
	h->dim = (u8)TORUS_DIM(dir);
	h->crossed |= n->own.wraps >> dir & 1;
}

static u32 toy_tokens(const struct toy_machine *m, const struct torus_packet *p, u32 vc)
{
	return p->chunks;
}

static u32 toy_room(const struct toy_machine *m, u32 vc, u32 tokens)
{
	return tokens >= TOY_PACKET_CHUNKS ? ROUTER_GO_ON : 0;
}

static u32 toy_capacity(const struct toy_machine *m, u32 vc)
{
	return m->buffer;
}

static u32 toy_far(const struct toy_machine *m, const struct router_node *n, u32 dir)
{
	return 0;
}

static u32 toy_wire_ticks(const struct toy_machine *m, const struct torus_packet *p)
{
	return p->chunks * 4 + 2;
}

static u32 toy_receive_ticks(const struct toy_machine *m, const struct torus_packet *p)
{
	return p->chunks * 2;
}

static u32 toy_payload(const struct toy_machine *m, const struct torus_packet *p)
{
	return p->chunks * TOY_CHUNK_BYTES - TOY_HEADER_BYTES;
}

static u32 toy_deliver(const struct torus_packet *p, u32 slot)
{
	return toy_fields(p)->put ? ROUTER_TO_MACHINE : p->src % TOY_RECEIVE;
}

static bool toy_admit(struct torus_domain *d, u32 node, const struct torus_packet *p, u32 *drop)
{
	const struct toy_machine *m = d->machine;

	if (m->memory[node] + p->chunks <= TOY_MEMORY_CHUNKS)
		return true;
	*drop = TORUS_DROP_MACHINE + TOY_DROP_FULL;
	return false;
}

static void toy_take_packet(struct torus_domain *d, u32 node, u32 pkt)
{
	d->f->arch->take(d, node, pkt);
}

/* The toy machine's NIC generates no packets. */
static void toy_refill(struct torus_domain *d, u32 node)
{
}

static u32 toy_inject_slot(u32 queue)
{
	return queue % TOY_SLOTS;
}

torus_inline void toy_prefetch(const struct toy_machine *m, u32 node)
{
}

static u32 toy_stage_queue(u32 output, u32 input, u32 vc)
{
	return input * ROUTER_VCS + vc;
}

static u32 toy_stage_vc(u32 output, u32 queue)
{
	return queue % ROUTER_VCS;
}

static u32 toy_stage_capacity(const struct toy_machine *m, u32 output, u32 queue)
{
	return m->buffer;
}

static u32 toy_stage_ticks(const struct toy_machine *m, const struct torus_packet *p)
{
	return p->chunks;
}

static u32 toy_stage_latency(const struct toy_machine *m)
{
	return 2;
}

static const char *const toy_vc_names[] = { "R0", "R1" };

#include "core/router/loop.h"
#include "core/router/ops.h"

const struct torus_router_ops toy_router = ROUTER_OPS(toy_vc_names);

void toy_node_init(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);

	router_init(d, node, f->cfg.seed);
	router_node(d, node)->own.wraps = (u16)toy_link_wraps(&f->cfg.geo, node);
	((struct toy_machine *)f->machine)->memory[node] = 0;
}
