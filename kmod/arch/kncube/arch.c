// SPDX-License-Identifier: GPL-2.0
/*
 * The k-ary n-cube of Liu et al. (2012) as a machine.
 *
 * The paper gives no parameters, but each row of its tables gives 2621 to 2655 ns per hop at light
 * load. A tick is a byte at 175 MB/s. 256 bytes of a packet, 184 ticks of link delay and 22 of
 * processing are 462 ticks, or 2640 ns. The processing time is so short that links saturate before
 * a node's single processing unit, up to ten dimensions.
 */
#include "arch/kncube/arch.h"
#include "core/base/parse_number.h"
#include "core/base/random.h"
#include "core/workload/permutation.h"
#include "core/workload/workload.h"
#include "core/run/config.h"
#include "core/run/params.h"
#include "kncube.h"
#include "link_queue.h"
#include "station_router.h"

static const char *const buffers_names[] = { "infinite", "finite", NULL };
static const char *const arbitration_names[] = { "age", "rr", NULL };

#define OWN(param)	((param) - TORUS_P_MACHINE)
#define CHOICE		TORUS_PARAM_CHOICE
#define NUMBER		TORUS_PARAM_NUMBER

static const struct torus_param kncube_params[] = {
	[OWN(KNCUBE_P_LINK_DELAY)] = NUMBER("link_delay", TORUS_UNIT_TICKS, 0, 65536, 184, false,
		"infinite buffers: ticks of a hop in addition to one tick per byte"),
	[OWN(KNCUBE_P_PROCESSING)] = NUMBER("processing", TORUS_UNIT_TICKS, 1, 65536, 22, false,
		"infinite buffers: ticks of the processing unit per packet"),
	[OWN(KNCUBE_P_BUFFERS)] = CHOICE("buffers", buffers_names, KNCUBE_INFINITE, false,
		"unbounded queues (Liu et al. 2012), or VCs with buffers and virtual cut-through"),
	[OWN(KNCUBE_P_ROUTING)] = CHOICE("routing", kncube_routing_names, KNCUBE_DOR, false,
		"finite buffers: dimension order (dor), minimal adaptive, or through a random node "
		"(valiant)"),
	[OWN(KNCUBE_P_ESCAPE)] = CHOICE("escape", kncube_escape_names, KNCUBE_BUBBLE, false,
		"finite buffers: rule that prevents deadlock in rings"),
	[OWN(KNCUBE_P_VCS)] = NUMBER("vcs", TORUS_UNIT_NONE, 0, KNCUBE_VCS_MAX, 0, false,
		"finite buffers: number of VCs of a link; 0: the smallest number that routing and "
		"escape permit"),
	[OWN(KNCUBE_P_VC_BYTES)] = NUMBER("vc_bytes", TORUS_UNIT_BYTES, KNCUBE_PACKET_BYTES,
		KNCUBE_VC_BYTES_MAX, 1024, false,
		"finite buffers: buffer of each VC in bytes, a multiple of 32"),
	[OWN(KNCUBE_P_LATENCY)] = NUMBER("latency", TORUS_UNIT_TICKS, 8, 4080, 20, false,
		"finite buffers: ticks until a header is routable at the next node"),
	[OWN(KNCUBE_P_CREDIT_DELAY)] = NUMBER("credit_delay", TORUS_UNIT_TICKS, 8, 4080, 20, false,
		"finite buffers: ticks until a token returns to the sender"),
	[OWN(KNCUBE_P_ARBITRATION)] = CHOICE("arbitration", arbitration_names, 0, false,
		"finite buffers: arbitration at inputs and outputs: oldest packet first (age) or "
		"round robin (rr)"),
};

/*
 * Common parameters that the machine lacks: links make no errors (the paper's second assumption),
 * and sinks accept all packets.
 */
static const struct torus_lack kncube_lacks[] = {
	{ TORUS_P_CRC, "has no CRCs: its links make no errors" },
	{ TORUS_P_BER, "has no errors on its links" },
	{ TORUS_P_RX_STALL, "has no readers: nodes consume packets on arrival" },
	{ TORUS_P_NO_LISTENER, "has no FIFO groups for programs" },
	{ TORUS_P_TIME, "has no FIFO groups for programs" },
	{ TORUS_P_PROGRAMS, "has no FIFO groups for programs" },
	{ TORUS_P_LOOK, "has no FIFO groups for programs" },
	{ TORUS_P_ISOLATE, "has no FIFO groups for programs" },
	{ TORUS_P_HOP_LIMIT, "has no packets that take a wrong path" },
	{ TORUS_P_INJECT_PACKET, "uses the parameter processing for the time of its processing "
				 "unit" },
	{ TORUS_P_INJECT_CHUNK, "uses the parameter processing for the time of its processing "
				"unit" },
	{ TORUS_P_RECEIVE_PACKET, "uses the parameter processing for the time of its processing "
				  "unit" },
	{ TORUS_P_RECEIVE_CHUNK, "uses the parameter processing for the time of its processing "
				 "unit" },
	{ TORUS_P_ATTACH, "has no FIFO groups for programs" },
};

/* Parameters that apply only to infinite buffers, or only to finite buffers. */
static const struct {
	u32 param;
	u32 buffers;
} kncube_means[] = {
	{ TORUS_P_INJECTION, KNCUBE_FINITE },
	{ TORUS_P_SOURCE_FIFOS, KNCUBE_FINITE },
	{ TORUS_P_SOURCE_ORDER, KNCUBE_FINITE },
	{ KNCUBE_P_LINK_DELAY, KNCUBE_INFINITE },
	{ KNCUBE_P_PROCESSING, KNCUBE_INFINITE },
	{ KNCUBE_P_ROUTING, KNCUBE_FINITE },
	{ KNCUBE_P_ESCAPE, KNCUBE_FINITE },
	{ KNCUBE_P_VCS, KNCUBE_FINITE },
	{ KNCUBE_P_VC_BYTES, KNCUBE_FINITE },
	{ KNCUBE_P_LATENCY, KNCUBE_FINITE },
	{ KNCUBE_P_CREDIT_DELAY, KNCUBE_FINITE },
	{ KNCUBE_P_ARBITRATION, KNCUBE_FINITE },
};

static const u32 kncube_nregs;

#define KNCUBE_MEANS	(sizeof(kncube_means) / sizeof(*kncube_means))

/* Return the compiled router with finite buffers that is large enough for the dimensions. */
static const struct kncube_router *kncube_router_for(const struct torus_config *cfg)
{
	const struct kncube_router *const routers[] = {
		&kncube_router_3d, &kncube_router_7d, &kncube_router_10d,
	};
	u32 i;

	for (i = 0; routers[i]->dims < cfg->geo.ndims; i++)
		;
	return routers[i];
}

/* Reject a changed parameter that has no meaning with the configured buffers. */
static int kncube_check_buffers(const struct torus_config *cfg, struct torus_error *err)
{
	u32 buffers = (u32)cfg->params[KNCUBE_P_BUFFERS], i;
	char text[TORUS_FRACTION_TEXT];

	for (i = 0; i < KNCUBE_MEANS; i++) {
		const struct torus_param *param = torus_param_at(cfg->arch, kncube_means[i].param);

		if (kncube_means[i].buffers != buffers &&
		    cfg->params[kncube_means[i].param] != param->def)
			return torus_fail(err, EINVAL, "%s=%s: requires buffers=%s", param->name,
					  torus_config_text(cfg, kncube_means[i].param, text,
							    sizeof(text)),
					  buffers_names[kncube_means[i].buffers]);
	}
	return 0;
}

/*
 * Check that a packet's hop counter is large enough for the longest route through a relay, which
 * has two paths.
 */
static int kncube_check_hops(const struct torus_config *cfg, struct torus_error *err)
{
	const struct torus_geometry *g = &cfg->geo;
	u64 links = 0;
	u32 dim;

	for (dim = 0; dim < g->ndims; dim++)
		links += g->mesh >> dim & 1 ? g->dims[dim] - 1 : g->dims[dim] / 2;
	if (cfg->params[KNCUBE_P_ROUTING] == KNCUBE_VALIANT &&
	    2 * links > TORUS_PACKET_HOPS_MAX - 1)
		return torus_fail(err, ERANGE,
				  "routing=valiant: the longest path through a relay has %llu "
				  "links, must be at most %u",
				  2 * links, (u32)TORUS_PACKET_HOPS_MAX - 1);
	return 0;
}

/* Check that the router supports the configured VCs and buffers. */
static int kncube_check_finite(const struct torus_config *cfg, u32 vcs, struct torus_error *err)
{
	const u64 *p = cfg->params;
	u32 least = kncube_vcs_least((u32)p[KNCUBE_P_ROUTING], (u32)p[KNCUBE_P_ESCAPE]);
	u32 most = kncube_router_for(cfg)->ops.vcs;
	u32 bytes = p[KNCUBE_P_ESCAPE] == KNCUBE_BUBBLE ? 2 * KNCUBE_PACKET_BYTES :
							  KNCUBE_PACKET_BYTES;

	if (vcs < least)
		return torus_fail(err, ERANGE,
				  "vcs=%u: must be at least %u with routing=%s escape=%s",
				  vcs, least, kncube_routing_names[p[KNCUBE_P_ROUTING]],
				  kncube_escape_names[p[KNCUBE_P_ESCAPE]]);
	if (vcs > most)
		return torus_fail(err, ERANGE,
				  "vcs=%u: must be at most %u VCs with %u dimensions",
				  vcs, most, cfg->geo.ndims);
	if (p[KNCUBE_P_VC_BYTES] % KNCUBE_CHUNK_BYTES)
		return torus_fail(err, EINVAL, "vc_bytes=%llu: must be a multiple of %u",
				  p[KNCUBE_P_VC_BYTES], KNCUBE_CHUNK_BYTES);
	if (p[KNCUBE_P_VC_BYTES] < bytes)
		return torus_fail(err, ERANGE,
				  "vc_bytes=%llu: must be at least %u, the size of two packets, "
				  "with escape=bubble", p[KNCUBE_P_VC_BYTES], bytes);
	return kncube_check_hops(cfg, err);
}

static int kncube_configure_finite(struct torus_fabric *f, struct torus_error *err)
{
	const u64 *p = f->cfg.params;
	const struct kncube_router *router = kncube_router_for(&f->cfg);
	struct kncube_machine *m = f->machine;
	u32 vcs = (u32)p[KNCUBE_P_VCS], dir;
	int ret;

	if (!vcs)
		vcs = kncube_vcs_least((u32)p[KNCUBE_P_ROUTING], (u32)p[KNCUBE_P_ESCAPE]);
	ret = kncube_check_finite(&f->cfg, vcs, err);
	if (ret)
		return ret;
	kncube_vcs_init(&m->vcs, (u32)p[KNCUBE_P_ROUTING], (u32)p[KNCUBE_P_ESCAPE], vcs);
	m->free_mask = 0;
	for (dir = 0; dir < f->dirs; dir++)
		m->free_mask |= (u64)m->vcs.free << (dir * router->ops.vcs);
	m->valiant = p[KNCUBE_P_ROUTING] == KNCUBE_VALIANT;
	m->turns = p[KNCUBE_P_ARBITRATION];
	m->buffer = (u32)p[KNCUBE_P_VC_BYTES] / KNCUBE_CHUNK_BYTES;
	m->timing.latency = (u32)p[KNCUBE_P_LATENCY];
	m->timing.ack_delay = (u32)p[KNCUBE_P_CREDIT_DELAY];
	f->lookahead = m->timing.latency < m->timing.ack_delay ? m->timing.latency :
								 m->timing.ack_delay;
	f->bubble_vcs = m->vcs.bubble;
	f->bubble_kept = true;
	return 0;
}

static int kncube_configure(struct torus_fabric *f, struct torus_error *err)
{
	struct kncube_machine *m = f->machine;
	int ret = kncube_check_buffers(&f->cfg, err);

	if (ret)
		return ret;
	m->geo = &f->cfg.geo;
	f->hop_limit = 0xffff;
	if (f->cfg.params[KNCUBE_P_BUFFERS] == KNCUBE_FINITE)
		return kncube_configure_finite(f, err);
	m->link_delay = (u32)f->cfg.params[KNCUBE_P_LINK_DELAY];
	m->processing = (u32)f->cfg.params[KNCUBE_P_PROCESSING];
	f->lookahead = KNCUBE_CHUNK_BYTES + m->link_delay;
	f->overhead_ticks = m->link_delay;
	if (kncube_queues_init(f))
		return torus_fail(err, ENOMEM, "no memory for queues of %u nodes", f->nodes);
	return 0;
}

static void kncube_release(struct torus_fabric *f)
{
	kncube_queues_free(f);
}

/*
 * Draw the relay node of Valiant's routing. It depends only on the packet's source and sequence
 * number, not on other packets.
 */
static u32 kncube_relay(const struct torus_fabric *f, const struct torus_packet *p)
{
	u64 rng = torus_random_seed(f->cfg.seed, 6, (u64)p->src << 32 | p->seq);

	return torus_random_below(&rng, f->nodes);
}

static void kncube_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks)
{
	const struct kncube_machine *m = f->machine;
	struct kncube_bound *h = (struct kncube_bound *)packet->header;

	packet->chunks = (u8)chunks;
	memset(packet->header, 0, sizeof(packet->header));
	if (f->cfg.params[KNCUBE_P_BUFFERS] != KNCUBE_FINITE)
		return;
	if (m->valiant) {
		h->relay = kncube_relay(f, packet);
		h->ways = kncube_directions(m->geo, packet->src, h->relay) | KNCUBE_RELAYED;
	} else {
		h->ways = kncube_directions(m->geo, packet->src, packet->dst);
	}
}

/*
 * Check the directions @ways of a packet at @node: one in each dimension in which @node and @target
 * differ, none in the others, and none over the edge of a mesh.
 */
static bool kncube_within(const struct torus_geometry *g, u32 node, u32 ways, u32 target)
{
	u32 at[TORUS_DIMS_MAX], to[TORUS_DIMS_MAX], dim;

	torus_geometry_coords(g, node, at);
	torus_geometry_coords(g, target, to);
	for (dim = 0; dim < g->ndims; dim++)
		if (!(ways >> 2 * dim & 3) != (at[dim] == to[dim]) ||
		    (g->mesh >> dim & 1 && ((ways >> 2 * dim & 1 && to[dim] <= at[dim]) ||
					    (ways >> 2 * dim & 2 && to[dim] >= at[dim]))))
			return false;
	return true;
}

/* Check the header of a packet with finite buffers. An arrived packet has no directions left. */
static bool kncube_bound_sane(const struct torus_fabric *f, u32 node,
			      const struct torus_packet *packet)
{
	const struct kncube_bound *bound = (const struct kncube_bound *)packet->header;
	const struct kncube_machine *m = f->machine;

	if (bound->relay >= f->nodes || (bound->ways & ~KNCUBE_RELAYED) >> f->dirs)
		return false;
	if (bound->ways & KNCUBE_RELAYED)
		return m->valiant && kncube_within(m->geo, node, bound->ways, bound->relay);
	return !bound->ways || kncube_within(m->geo, node, bound->ways, packet->dst);
}

/* Check that a packet's header is possible at a node: its next hops must be on existing links. */
static bool kncube_sane(const struct torus_fabric *f, u32 node, const struct torus_packet *packet)
{
	const struct kncube_fields *free = (const struct kncube_fields *)packet->header;
	const struct torus_geometry *g = &f->cfg.geo;
	u32 at[TORUS_DIMS_MAX], dim = TORUS_DIM(free->dir), room;

	/* sources do not send to themselves */
	if (packet->src == packet->dst)
		return false;
	if (f->cfg.params[KNCUBE_P_BUFFERS] == KNCUBE_FINITE)
		return kncube_bound_sane(f, node, packet);
	if (!free->left)
		return true;
	torus_geometry_coords(g, node, at);
	if (free->dir >= f->dirs || free->coord != at[dim])
		return false;
	room = TORUS_MINUS(free->dir) ? free->coord : g->dims[dim] - 1 - free->coord;
	return free->left <= (g->mesh >> dim & 1 ? room : g->dims[dim] - 1);
}

static u32 kncube_inject_route(struct torus_fabric *f, u32 node, struct torus_packet *packet)
{
	return TORUS_REFUSE_NONE;
}

/* Return the tick length of Blue Gene/L: a byte at 175 MB/s. */
static u64 kncube_tick_fs(const struct torus_config *cfg)
{
	return 5714286;
}

static const struct torus_router_ops *kncube_router(const struct torus_config *cfg)
{
	return cfg->params[KNCUBE_P_BUFFERS] == KNCUBE_FINITE ? &kncube_router_for(cfg)->ops :
								&kncube_router_ops;
}

static size_t kncube_machine_node_bytes(const struct torus_config *cfg, size_t *cold)
{
	if (cfg->params[KNCUBE_P_BUFFERS] != KNCUBE_FINITE)
		return kncube_node_bytes(cfg, cold);
	*cold = 0;
	return kncube_router_for(cfg)->ops.node_bytes;
}

static void kncube_machine_node_init(struct torus_fabric *f, u32 node)
{
	if (f->cfg.params[KNCUBE_P_BUFFERS] == KNCUBE_FINITE)
		kncube_router_for(&f->cfg)->reset(f, node);
	else
		kncube_node_init(f, node);
}

const struct torus_arch torus_arch_kncube = {
	.name = "kncube",
	.help = "k-ary n-cube: unbounded queues, or VCs with buffers and a choice of routings",
	.dims_min = 1,
	.dims_max = TORUS_DIMS_MAX,
	.length_max = 65535,
	.nodes_max = 1u << 30,
	.groups = 1,
	.inject_fifos = KNCUBE_FIFOS,
	.fifo_chunks = KNCUBE_PACKET_CHUNKS,
	.chunk_bytes = KNCUBE_CHUNK_BYTES,
	.packet_chunks_max = KNCUBE_PACKET_CHUNKS,
	.ticks_per_chunk = KNCUBE_CHUNK_BYTES,
	.machine_bytes = sizeof(struct kncube_machine),
	.params = kncube_params,
	.nparams = KNCUBE_PARAMS,
	.lacks = kncube_lacks,
	.nlacks = sizeof(kncube_lacks) / sizeof(*kncube_lacks),
	.nregs = &kncube_nregs,
	.tick_fs = kncube_tick_fs,
	.router = kncube_router,
	.node_bytes = kncube_machine_node_bytes,
	.configure = kncube_configure,
	.release = kncube_release,
	.node_init = kncube_machine_node_init,
	.make = kncube_make,
	.sane = kncube_sane,
	.inject_route = kncube_inject_route,
};
