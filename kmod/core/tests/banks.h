/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine for tests of the second router stage. It has two dimensions, two VCs with a dateline in
 * each dimension, and five banks of twelve queues. The oldest packet goes first.
 */
#ifndef TORUS_CORE_TESTS_BANKS_H
#define TORUS_CORE_TESTS_BANKS_H

#include "rig.h"
#include "core/base/crc.h"

#define ROUTER_DIRS	4
#define ROUTER_VCS	2
#define ROUTER_INJECT	2
#define ROUTER_CHUNKS	32
#define ROUTER_STAGES	2
#define ROUTER_BANK	12
#define ROUTER_ROUND_ROBIN	1

#define CHUNK_BYTES	32
#define PACKET_CHUNKS	8
#define CROSS_TICKS	4	/* ticks of a chunk over the crossbar */
#define CROSS_LATENCY	6
#define LATENCY		20
#define ACK_DELAY	10

/* Header of a packet: one bit per dimension whose dateline it has crossed. */
struct banks_header {
	u8 crossed;
	u8 spare[11];
};

struct banks_node {
	u8 dateline;		/* links across it */
};

struct banks_pass {
	u32 random;
};

struct banks_machine {
	struct torus_link_timing timing;
	const struct torus_geometry *geo;
	bool datelines;
	u32 capacity;		/* of a queue in front of an output, in chunks */
};

#define machine_params_t	struct banks_machine
#define machine_node_t		struct banks_node
#define machine_pass_t		struct banks_pass
#define machine_run		banks_run
#define machine_route		banks_route
#define machine_choose		banks_choose
#define machine_pass		banks_draw
#define machine_key_input	banks_key_input
#define machine_key_stage	banks_key_stage
#define machine_depart		banks_depart
#define machine_tokens		banks_tokens
#define machine_room		banks_room
#define machine_capacity	banks_capacity
#define machine_far		banks_far
#define machine_wire_ticks	banks_wire_ticks
#define machine_receive_ticks	banks_wire_ticks
#define machine_payload		banks_payload
#define machine_deliver		banks_deliver
#define machine_inject_slot	banks_inject_slot
#define machine_prefetch	banks_prefetch
#define machine_stage_queue	banks_queue
#define machine_stage_vc	banks_queue_vc
#define machine_stage_capacity	banks_queue_capacity
#define machine_stage_ticks	banks_cross_ticks
#define machine_stage_latency	banks_cross_latency

#include "core/link/control.h"
#include "core/router/machine.h"

static s32 banks_way(const struct torus_geometry *g, u32 dim, u32 from, u32 to)
{
	s32 n = (s32)g->dims[dim], plus = (s32)to - (s32)from;

	plus += plus < 0 ? n : 0;
	return 2 * plus <= n ? plus : plus - n;
}

/* Route in dimension order by the shorter way, on VC 1 after the dateline. */
static struct router_way banks_route(struct torus_domain *d, const struct router_node *n, u32 node,
				     u32 slot, struct torus_packet *p)
{
	const struct banks_machine *m = d->machine;
	const struct banks_header *h = (const struct banks_header *)p->header;
	u32 at[TORUS_DIMS_MAX], to[TORUS_DIMS_MAX], dim, dir, vc;

	torus_geometry_coords(m->geo, node, at);
	torus_geometry_coords(m->geo, p->dst, to);
	for (dim = 0; dim < 2 && at[dim] == to[dim]; dim++)
		;
	if (dim == 2)
		return ROUTER_HERE;
	dir = 2 * dim + (banks_way(m->geo, dim, at[dim], to[dim]) < 0);
	if (!(n->exists & ROUTER_DIR_BITS(dir)))
		return ROUTER_DROP(TORUS_DROP_NO_ROUTE);
	vc = m->datelines && (h->crossed >> dim & 1 || n->own.dateline >> dir & 1);
	return ROUTER_WAY((router_mask_t)1 << (dir * ROUTER_VCS + vc), false);
}

static u32 banks_choose(const struct banks_machine *m, const struct router_node *n,
			router_mask_t mask, u32 random)
{
	return torus_ctz(mask);
}

static struct banks_pass banks_draw(const struct banks_machine *m, struct router_node *n)
{
	return (struct banks_pass){ router_random(n) };
}

/* Rank the slots of an input in round robin order, starting after its last winner. */
static u32 banks_key_input(struct torus_domain *d, const struct banks_pass *pass,
			   const struct router_node *n, u32 slot, u32 choice, u32 random)
{
	return (n->last_input[router_input_of(slot)] - slot) & 0xff;
}

/* Rank packets in a bank by age: the oldest packet wins. */
static u32 banks_key_stage(struct torus_domain *d, const struct banks_pass *pass,
			   const struct router_node *n, u32 output, u32 queue,
			   const struct torus_packet *p)
{
	return (u32)(d->now - p->born);
}

static void banks_depart(struct torus_domain *d, const struct router_node *n,
			 struct torus_packet *p, u32 dir)
{
	struct banks_header *h = (struct banks_header *)p->header;

	h->crossed |= (u8)((n->own.dateline >> dir & 1) << TORUS_DIM(dir));
}

static u32 banks_tokens(const struct banks_machine *m, const struct torus_packet *p, u32 vc)
{
	return p->chunks;
}

static u32 banks_room(const struct banks_machine *m, u32 vc, u32 tokens)
{
	return tokens >= PACKET_CHUNKS ? ROUTER_GO_ON : 0;
}

static u32 banks_capacity(const struct banks_machine *m, u32 vc)
{
	return 2 * PACKET_CHUNKS;
}

static u32 banks_far(const struct banks_machine *m, const struct router_node *n, u32 dir)
{
	return 0;
}

static u32 banks_wire_ticks(const struct banks_machine *m, const struct torus_packet *p)
{
	return p->chunks * CHUNK_BYTES;
}

static u32 banks_payload(const struct banks_machine *m, const struct torus_packet *p)
{
	return p->chunks * CHUNK_BYTES;
}

static u32 banks_deliver(const struct torus_packet *p, u32 slot)
{
	return 0;
}

static u32 banks_inject_slot(u32 queue)
{
	return queue;
}

torus_inline void banks_prefetch(const struct banks_machine *m, u32 node)
{
}

static u32 banks_queue(u32 output, u32 input, u32 vc)
{
	return input * ROUTER_VCS + vc;
}

static u32 banks_queue_vc(u32 output, u32 queue)
{
	return queue % ROUTER_VCS;
}

static u32 banks_queue_capacity(const struct banks_machine *m, u32 output, u32 queue)
{
	return m->capacity;
}

static u32 banks_cross_ticks(const struct banks_machine *m, const struct torus_packet *p)
{
	return p->chunks * CROSS_TICKS;
}

static u32 banks_cross_latency(const struct banks_machine *m)
{
	return CROSS_LATENCY;
}

#include "core/router/loop.h"
#include "core/router/ops.h"
#include "core/run/windows.h"

/* --------------------------------------------------------------- the machine */

static const char *const banks_vcs[] = { "V0", "V1" };
static const struct torus_router_ops banks_ops = ROUTER_OPS(banks_vcs);
static const struct torus_param banks_params[] = {
	{ .name = "datelines", .max = 1, .def = 1 },
	{ .name = "capacity", .min = PACKET_CHUNKS, .max = 32, .def = PACKET_CHUNKS },
};
static const u32 banks_nregs;

static u64 banks_tick_fs(const struct torus_config *cfg)
{
	return 5000000;
}

static const struct torus_router_ops *banks_router(const struct torus_config *cfg)
{
	return &banks_ops;
}

static size_t banks_node_bytes(const struct torus_config *cfg, size_t *cold)
{
	*cold = 0;
	return sizeof(struct router_node);
}

static int banks_configure(struct torus_fabric *f, struct torus_error *err)
{
	struct banks_machine *m = f->machine;

	m->timing = (struct torus_link_timing){
		.latency = LATENCY, .ack_delay = ACK_DELAY, .timeout = 1000,
		.window_bytes = 2048, .retries = 100,
	};
	m->geo = &f->cfg.geo;
	m->datelines = f->cfg.params[0];
	m->capacity = (u32)f->cfg.params[1];
	f->lookahead = ACK_DELAY;
	f->hop_limit = 100;
	return 0;
}

static void banks_node_init(struct torus_fabric *f, u32 node)
{
	struct torus_domain *d = torus_domain_of(f, node);
	u32 at[TORUS_DIMS_MAX], dir;

	router_init(d, node, f->cfg.seed);
	torus_geometry_coords(&f->cfg.geo, node, at);
	for (dir = 0; dir < ROUTER_DIRS; dir++)
		if (TORUS_MINUS(dir) ? !at[TORUS_DIM(dir)] :
				       at[TORUS_DIM(dir)] + 1 == f->cfg.geo.dims[TORUS_DIM(dir)])
			router_node(d, node)->own.dateline |= (u8)(1u << dir);
}

static void banks_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks)
{
	packet->chunks = (u8)chunks;
	memset(packet->header, 0, sizeof(packet->header));
}

static u32 banks_inject_route(struct torus_fabric *f, u32 node, struct torus_packet *packet)
{
	return 0;
}

static s32 banks_steps(struct torus_fabric *f, u32 dim, u32 from, u32 to)
{
	return banks_way(&f->cfg.geo, dim, from, to);
}

static bool banks_intact(const u8 *header)
{
	return true;
}

static u32 banks_crc(const u8 *bytes, u32 len)
{
	return torus_crc24(TORUS_CRC24_INIT, bytes, len);
}

static void banks_image(const struct torus_packet *packet, u32 seq, u8 *bytes)
{
	memcpy(bytes, &packet->dst, sizeof(packet->dst));
	bytes[4] = seq;
}

static bool banks_adopt(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet)
{
	return false;
}

static void banks_timing(struct torus_fabric *f, u32 node, u32 dir, struct torus_link_timing *t)
{
	*t = ((struct banks_machine *)f->machine)->timing;
}

static const struct torus_arch banks_arch = {
	.name = "banks", .dims_min = 2, .dims_max = 2, .length_max = 16, .nodes_max = 256,
	.groups = 1, .inject_fifos = 2, .receive_fifos = 1, .fifo_chunks = 32,
	.chunk_bytes = CHUNK_BYTES, .packet_chunks_max = PACKET_CHUNKS, .header_bytes = 8,
	.crc_bytes = TORUS_CRC24_BYTES, .crc_generator = 0x1864cfb,
	.ticks_per_chunk = CHUNK_BYTES, .machine_bytes = sizeof(struct banks_machine),
	.params = banks_params, .nparams = COUNT(banks_params), .nregs = &banks_nregs,
	.tick_fs = banks_tick_fs, .router = banks_router, .node_bytes = banks_node_bytes,
	.configure = banks_configure, .node_init = banks_node_init, .make = banks_make,
	.inject_route = banks_inject_route, .steps = banks_steps, .intact = banks_intact,
	.crc = banks_crc, .image = banks_image, .adopt = banks_adopt, .timing = banks_timing,
};

static struct torus_fabric *banks_deep_fabric(u32 x, u32 y, u32 domains, bool datelines,
					      u32 capacity)
{
	struct torus_config cfg = {
		.arch = &banks_arch, .seed = 5, .domains = domains,
		.params = { datelines, capacity },
	};
	u32 dims[] = { x, y };
	struct torus_fabric *f;
	struct torus_error err;

	if (torus_config_shape(&cfg, 2, dims, 0, &err) || torus_fabric_create(&cfg, &f, &err))
		fail_msg("%s", err.text);
	return f;
}

static struct torus_fabric *banks_fabric(u32 x, u32 y, u32 domains, bool datelines)
{
	return banks_deep_fabric(x, y, domains, datelines, PACKET_CHUNKS);
}

static void census(struct torus_fabric *f)
{
	struct torus_check check;

	assert_int_equal(torus_check_fabric(f, &check), 0);
	assert_true(check.conserved);
	assert_int_equal(check.wrong, 0);
}

#endif
