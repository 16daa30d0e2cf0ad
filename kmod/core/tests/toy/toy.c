// SPDX-License-Identifier: GPL-2.0
/* The toy machine: its node numbers, parameters and headers. */
#include "core/base/crc.h"
#include "core/base/node_number.h"
#include "toy.h"

static const char *const arbiter_names[] = { "age", "turns", NULL };
static const char *const switch_names[] = { "off", "on", NULL };
static const char *const drop_names[TOY_DROPS] = { "one_way", "memory_full" };

#define OWN(param)	((param) - TORUS_P_MACHINE)

static const struct torus_param params[] = {
	[OWN(TOY_P_ARBITER)] = TORUS_PARAM_CHOICE("arbiter", arbiter_names, 0, false,
		"order in which packets win"),
	[OWN(TOY_P_DATELINE)] = TORUS_PARAM_CHOICE("dateline", switch_names, 1, false,
		"a second VC after a ring's last link"),
	[OWN(TOY_P_ONE_WAY)] = TORUS_PARAM_CHOICE("one_way", switch_names, 0, true,
		"packets that turn into b- are dropped"),
	[OWN(TOY_P_BUFFER)] = TORUS_PARAM_NUMBER("buffer", TORUS_UNIT_NONE, 8, 255, 16, false,
		"chunks of each buffer"),
	[OWN(TOY_P_LATENCY)] = TORUS_PARAM_NUMBER("latency", TORUS_UNIT_TICKS, 4, 5000, 10, false,
		"ticks until a header is routable"),
};

static const struct torus_lack lacks[] = {
	{ TORUS_P_INJECT_CHUNK, "copies all chunks of a packet at once" },
};

static const u32 no_regs;

static int toy_shape(struct torus_geometry *g, struct torus_error *err)
{
	static const u32 group[3] = { 2, 3, 2 };

	if (g->mesh & 1u << 4)
		return torus_fail(err, EINVAL, "dimension b is no mesh");
	memcpy(g->dims + 3, group, sizeof(group));
	g->ndims = 6;
	g->mesh |= 1u << 3 | 1u << 5;
	return 0;
}

static void toy_numbering(const struct torus_config *cfg, struct torus_geometry *g)
{
	const u32 x = g->dims[0], y = g->dims[1];
	const u32 stride[6] = { TOY_NUMBERS, TOY_NUMBERS * x, TOY_NUMBERS * x * y, 1, 2, 6 };

	memcpy(g->numbering.stride, stride, sizeof(stride));
}

static int toy_configure(struct torus_fabric *f, struct torus_error *err)
{
	const u64 *p = f->cfg.params;
	struct toy_machine *m = f->machine;

	m->timing.latency = (u32)p[TOY_P_LATENCY];
	m->timing.ack_delay = 10;
	m->timing.timeout = 2000 + 4 * m->timing.latency;
	m->timing.window_bytes = 2048;
	m->timing.retries = 100;
	m->buffer = (u32)p[TOY_P_BUFFER];
	m->turns = p[TOY_P_ARBITER];
	m->dateline = p[TOY_P_DATELINE];
	m->one_way = p[TOY_P_ONE_WAY];
	f->lookahead = m->timing.latency < 10 ? m->timing.latency : 10;
	f->overhead_ticks = 2;
	if (!m->memory)
		m->memory = torus_alloc((size_t)f->nodes * sizeof(*m->memory));
	return m->memory ? 0 : torus_fail(err, ENOMEM, "no memory");
}

static void toy_release(struct torus_fabric *f)
{
	struct toy_machine *m = f->machine;

	torus_free(m->memory, (size_t)f->nodes * sizeof(*m->memory));
	m->memory = NULL;
}

static u64 toy_tick_fs(const struct torus_config *cfg)
{
	return 1000000;
}

static const struct torus_router_ops *toy_pick_router(const struct torus_config *cfg)
{
	return &toy_router;
}

static size_t toy_node_bytes(const struct torus_config *cfg, size_t *cold)
{
	*cold = sizeof(u32);
	return toy_router.node_bytes;
}

/*
 * Return a mask of directions: the node's links that close rings, from the last coordinate to 0 or
 * back.
 */
u32 toy_link_wraps(const struct torus_geometry *g, u32 node)
{
	u32 coords[TORUS_DIMS_MAX], dim, wraps = 0;

	torus_geometry_coords(g, node, coords);
	for (dim = 0; dim < g->ndims; dim++) {
		wraps |= (u32)(coords[dim] == g->dims[dim] - 1) << (2 * dim);
		wraps |= (u32)!coords[dim] << (2 * dim + 1);
	}
	return wraps;
}

/* ------------------------------------------------------------------ packets */

static u32 toy_number(const u8 *bytes)
{
	return (u32)bytes[0] << 24 | (u32)bytes[1] << 16 | (u32)bytes[2] << 8 | bytes[3];
}

static u32 toy_size(const u8 *bytes)
{
	return (bytes[4] & 0x7f) < TOY_PACKET_CHUNKS ? (bytes[4] & 0x7fu) + 1 : 0;
}

static u32 toy_check(struct torus_fabric *f, u32 node, u32 group, u32 fifo, bool priority,
		     const u8 *bytes, struct torus_packet *packet)
{
	u32 dst = torus_node_index(&f->cfg.geo, toy_number(bytes));
	struct toy_fields *h = (struct toy_fields *)packet->header;

	if (dst == TORUS_NONE)
		return TORUS_REFUSE_DESTINATION;
	memset(packet, 0, sizeof(*packet));
	packet->src = node;
	packet->dst = dst;
	packet->chunks = (u8)toy_size(bytes);
	packet->group = bytes[5] & 1;
	h->number = toy_number(bytes);
	h->put = !!(bytes[4] & TOY_PUT);
	return TORUS_REFUSE_NONE;
}

static void toy_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks)
{
	struct toy_fields *h = (struct toy_fields *)packet->header;

	memset(h, 0, sizeof(*h));
	h->number = torus_node_number(&f->cfg.geo, packet->dst);
	packet->chunks = (u8)chunks;
}

static u32 toy_inject_route(struct torus_fabric *f, u32 node, struct torus_packet *packet)
{
	return TORUS_REFUSE_NONE;
}

static s32 toy_steps(struct torus_fabric *f, u32 dim, u32 from, u32 to)
{
	s32 n = (s32)f->cfg.geo.dims[dim], plus = (s32)to - (s32)from;

	if (f->cfg.geo.mesh >> dim & 1)
		return plus;
	plus += plus < 0 ? n : 0;
	return 2 * plus <= n ? plus : plus - n;
}

static void toy_image(const struct torus_packet *packet, u32 seq, u8 *bytes)
{
	const struct toy_fields *h = (const struct toy_fields *)packet->header;

	bytes[0] = (u8)(h->number >> 24);
	bytes[1] = (u8)(h->number >> 16);
	bytes[2] = (u8)(h->number >> 8);
	bytes[3] = (u8)h->number;
	bytes[4] = (u8)((packet->chunks - 1) | (h->put ? TOY_PUT : 0));
	bytes[5] = packet->group;
	bytes[6] = seq;
	bytes[7] = torus_crc8(0, bytes, 7);
}

static bool toy_intact(const u8 *bytes)
{
	return torus_crc8(0, bytes, 7) == bytes[7];
}

static bool toy_adopt(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet)
{
	struct toy_fields *h = (struct toy_fields *)packet->header;
	u32 dst = torus_node_index(&f->cfg.geo, toy_number(bytes));

	if (dst == TORUS_NONE || toy_size(bytes) != packet->chunks)
		return false;
	packet->dst = dst;
	packet->group = bytes[5] & 1;
	h->number = toy_number(bytes);
	return true;
}

static u32 toy_crc(const u8 *bytes, u32 len)
{
	return torus_crc24(TORUS_CRC24_INIT, bytes, len);
}

static void toy_timing(struct torus_fabric *f, u32 node, u32 dir, struct torus_link_timing *t)
{
	*t = ((const struct toy_machine *)f->machine)->timing;
}

/* ---------------------------------------------------------------------- NIC */

static u32 toy_loop(struct torus_fabric *f, u32 node, const struct torus_packet *packet,
		    u32 *ticks)
{
	const struct toy_fields *h = (const struct toy_fields *)packet->header;

	*ticks = TOY_LOOP_TICKS + packet->chunks;
	return h->put ? TORUS_NONE : 0;
}

static void toy_take(struct torus_domain *d, u32 node, u32 pkt)
{
	const struct toy_machine *m = d->machine;
	struct torus_packet *p = torus_packet_at(d, pkt);

	m->memory[node] += p->chunks;
	torus_stats_deliver(d, node, p);
	torus_completion_delivered(d, p);
	torus_packet_free(d, pkt);
}

const struct torus_arch toy_arch = {
	.name = "toy",
	.help = "what core's tests need and no machine has",
	.dims_min = 3,
	.dims_max = 3,
	.length_max = 64,
	.nodes_max = 1u << 16,
	.groups = TOY_GROUPS,
	.inject_fifos = TOY_FIFOS,
	.receive_fifos = TOY_RECEIVE,
	.fifo_chunks = TOY_FIFO_CHUNKS,
	.chunk_bytes = TOY_CHUNK_BYTES,
	.packet_chunks_max = TOY_PACKET_CHUNKS,
	.header_bytes = TOY_HEADER_BYTES,
	.payload_overhead = TOY_HEADER_BYTES,
	.crc_bytes = TORUS_CRC24_BYTES,
	.crc_generator = 0x1864cfb,
	.ticks_per_chunk = 4,
	.machine_bytes = sizeof(struct toy_machine),
	.params = params,
	.nparams = TOY_P_END - TORUS_P_MACHINE,
	.lacks = lacks,
	.nlacks = 1,
	.nregs = &no_regs,
	.drops = drop_names,
	.ndrops = TOY_DROPS,
	.shape = toy_shape,
	.numbering = toy_numbering,
	.tick_fs = toy_tick_fs,
	.router = toy_pick_router,
	.node_bytes = toy_node_bytes,
	.configure = toy_configure,
	.release = toy_release,
	.node_init = toy_node_init,
	.size = toy_size,
	.check = toy_check,
	.make = toy_make,
	.inject_route = toy_inject_route,
	.loop = toy_loop,
	.take = toy_take,
	.steps = toy_steps,
	.intact = toy_intact,
	.crc = toy_crc,
	.image = toy_image,
	.adopt = toy_adopt,
	.timing = toy_timing,
};
