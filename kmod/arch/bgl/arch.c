// SPDX-License-Identifier: GPL-2.0
/* Description of the Blue Gene/L machine: constants, parameters and set-up. */
#include "arch/bgl/arch.h"
#include "core/nic/group.h"
#include "bgl.h"
#include "core/base/crc.h"
#include "cable.h"
#include "inject.h"
#include "partition_check.h"
#include "registers.h"
#include "registers_error.h"
#include "registers_fifo.h"
#include "registers_resend.h"

static const char *const routing_names[] = { "dynamic", "deterministic", NULL };
static const char *const hints_names[] = { "authentic", "minimal", NULL };
static const char *const bubble_names[] = { "full", "plain", "one", NULL };
static const char *const switch_names[] = { "off", "on", NULL };
static const char *const escape_names[] = { "bubble", "dateline", NULL };
static const char *const control_names[] = { "charged", "simulated", NULL };
static const char *const order_names[] = { "dimension", "direction", NULL };

#define OWN(param)	((param) - TORUS_P_MACHINE)
#define CHOICE		TORUS_PARAM_CHOICE
#define NUMBER		TORUS_PARAM_NUMBER

static const struct torus_param bgl_params[] = {
	[OWN(BGL_P_ROUTING)] = CHOICE("routing", routing_names, 0, false,
		"routing of the packets of a workload"),
	[OWN(BGL_P_HINTS)] = CHOICE("hints", hints_names, 0, false,
		"initial cutoff registers: authentic as in the machine, minimal for shortest paths "
		"in rings of odd length"),
	[OWN(BGL_P_BUBBLE)] = CHOICE("bubble", bubble_names, 0, false,
		"size of a packet in the bubble rule: full of the longest packet, plain of the "
		"packet itself; one: enter with space for one packet"),
	[OWN(BGL_P_JSQ)] = CHOICE("jsq", switch_names, 1, false,
		"on: a packet joins the shortest queue of those permitted; off: a random one"),
	[OWN(BGL_P_SLQ_FRACTION)] = NUMBER("slq_fraction", TORUS_UNIT_PERCENT, 0, 100, 75, false,
		"percent of cycles that serve the longest queue"),
	[OWN(BGL_P_IN_NETWORK_FRACTION)] = NUMBER("in_network_fraction", TORUS_UNIT_PERCENT,
		0, 100, 100, false,
		"percent of cycles that prefer packets in the network"),
	[OWN(BGL_P_STRICT_INJECTION)] = CHOICE("strict_injection", switch_names, 0, false,
		"on: a node injects only on links that no packet in the network requests"),
	[OWN(BGL_P_BUSES)] = NUMBER("buses", TORUS_UNIT_NONE, 1, 6, 2, false,
		"transfer buses from a receiver to the senders"),
	[OWN(BGL_P_DYNAMIC_VCS)] = NUMBER("dynamic_vcs", TORUS_UNIT_NONE, 1, 4, 2, false,
		"number of dynamic VCs of a link: 1, 2 or 4"),
	[OWN(BGL_P_VC_BYTES)] = NUMBER("vc_bytes", TORUS_UNIT_BYTES, 512, 4096, 1024, false,
		"buffer of each VC in bytes, a multiple of 32"),
	[OWN(BGL_P_LATENCY)] = NUMBER("latency", TORUS_UNIT_TICKS, 8, 512, 20, false,
		"ticks until a header is routable: 8 header, 8 pipeline, 2 arbitration, 2 wire"),
	[OWN(BGL_P_ACK_DELAY)] = NUMBER("ack_delay", TORUS_UNIT_TICKS, 8, 512, 20, false,
		"ticks until an acknowledgement or token returns to the sender"),
	[OWN(BGL_P_TIMEOUT)] = NUMBER("timeout", TORUS_UNIT_TICKS, 400, 65535, 1024, false,
		"ticks without an acknowledgement until a packet is sent again"),
	[OWN(BGL_P_RETRIES)] = NUMBER("retries", TORUS_UNIT_NONE, 1, 1000000, 100, false,
		"number of time-outs without progress after which a link is parked"),
	[OWN(BGL_P_ESCAPE)] = CHOICE("escape", escape_names, 0, false,
		"VCs on which dynamic packets escape from deadlock: the bubble VC, or a pair of "
		"VCs with datelines"),
	[OWN(BGL_P_ESCAPE_ORDER)] = CHOICE("escape_order", order_names, 0, false,
		"order of hops of escaping and deterministic packets: x y z (dimension) or x+ y+ "
		"z+ x- y- z- (direction)"),
	[OWN(BGL_P_ESCAPE_BYTES)] = NUMBER("escape_bytes", TORUS_UNIT_BYTES, 0, 4096, 0, false,
		"buffer of each escape and priority VC in bytes, a multiple of 32; 0: the same as "
		"vc_bytes"),
	[OWN(BGL_P_BYPASS)] = CHOICE("bypass", switch_names, 1, false,
		"on: a packet may pass through a node without entering a VC buffer"),
	[OWN(BGL_P_VC_DELAY)] = NUMBER("vc_delay", TORUS_UNIT_TICKS, 0, 512, 0, false,
		"ticks that a packet needs to pass a VC buffer; the bypass avoids them"),
	[OWN(BGL_P_ARBITER_GAP)] = NUMBER("arbiter_gap", TORUS_UNIT_TICKS, 0, 1, 0, false,
		"cycles that a receiver's arbiter pauses after all links that a packet requests "
		"were busy"),
	[OWN(BGL_P_LINK_MBPS)] = NUMBER("link_mbps", TORUS_UNIT_MBPS, 1, 100000, 175, false,
		"bandwidth of a link in million bytes per second; a tick is the time of one byte"),
	[OWN(BGL_P_MIDPLANE_TICKS)] = NUMBER("midplane_ticks", TORUS_UNIT_TICKS, 0, 256, 0, false,
		"ticks that a cable between two midplanes of a rack adds to the latency"),
	[OWN(BGL_P_RACK_TICKS)] = NUMBER("rack_ticks", TORUS_UNIT_TICKS, 0, 256, 0, false,
		"ticks that a cable between two racks adds to the latency"),
	[OWN(BGL_P_UNBLOCKING)] = CHOICE("unblocking", switch_names, 0, false,
		"on: count the returned tokens that let a blocked packet continue"),
	[OWN(BGL_P_CONTROL)] = CHOICE("control", control_names, 0, false,
		"token-ack packets: charged adds 8 of their 14 byte-times to each packet, "
		"simulated sends them"),
};

#define FEMTOSECONDS_MB	1000000000ull	/* femtoseconds per byte at 1 MB/s */

static u64 bgl_tick_fs(const struct torus_config *cfg)
{
	u64 mbps = cfg->params[BGL_P_LINK_MBPS];

	return (FEMTOSECONDS_MB + mbps / 2) / mbps;
}

/*
 * Return the machine's own router if it supports the configuration, else the router of the design
 * studies.
 */
static const struct torus_router_ops *bgl_pick_router(const struct torus_config *cfg)
{
	return cfg->params[BGL_P_DYNAMIC_VCS] > 2 ||
	       cfg->params[BGL_P_ESCAPE] == BGL_ESCAPE_DATELINE ? &bgl_study_router.ops :
								   &bgl_own_router.ops;
}

/*
 * Order of directions on the escape VC with direction order: "Ordered by x+, y+, z+, x-, y-, z-".
 */
static const u8 direction_order[BGL_DIRS] = { 0, 2, 4, 1, 3, 5 };

/*
 * Return the first direction of a packet's escape route, which a deterministic packet follows,
 * too.
 */
static u32 bgl_first(u32 hints, u64 order)
{
	u32 first = 0, i;

	for (i = BGL_DIRS; i--;) {
		u32 dir = order == BGL_ORDER_DIRECTION ? direction_order[i] : i;

		if (hints & bgl_hint_bit(dir))
			first = dir;
	}
	return first;
}

/*
 * Store the alternatives @want of packets with code @way (enum bgl_way). @escape: bit of the first
 * escape VC. Packets that have crossed a dateline use the second escape VC in its place.
 */
static void bgl_want(struct bgl_machine *m, bool wide, u32 way, u64 want, u64 escape)
{
	if (!wide) {
		m->want.narrow[way] = (u32)want;
		return;
	}
	m->want.wide[way] = want;
	m->want.wide[way | BGL_WAY_CROSSED] = want & escape ? want ^ (escape | escape << 1) : want;
}

static void bgl_wants(struct bgl_machine *m, const struct torus_config *cfg)
{
	const struct torus_router_ops *router = bgl_pick_router(cfg);
	bool wide = router == &bgl_study_router.ops;
	u32 vcs = router->vcs, escape = wide ? 4 : TORUS_BGL_BN, hints, dir;
	u64 dynamic_vcs = (1ull << cfg->params[BGL_P_DYNAMIC_VCS]) - 1;

	memset(&m->want, 0, sizeof(m->want));
	for (hints = 1; hints < 64; hints++) {
		u32 first = bgl_first(hints, cfg->params[BGL_P_ESCAPE_ORDER]);
		u64 escape_bit = 1ull << (first * vcs + escape), normal = escape_bit, dynamic = 0;
		u64 priority = 1ull << (first * vcs + vcs - 1);

		for (dir = 0; dir < BGL_DIRS; dir++)
			if (hints & bgl_hint_bit(dir))
				dynamic |= dynamic_vcs << (dir * vcs);
		/* a packet may use the escape VC only in the first direction of its escape route */
		dynamic |= normal;
		bgl_want(m, wide, hints, normal, escape_bit);
		bgl_want(m, wide, hints | BGL_WAY_DYNAMIC, dynamic, escape_bit);
		bgl_want(m, wide, hints | BGL_WAY_PRIORITY, priority, 0);
	}
}

/*
 * Return the factor, in units of 2^-16, that maps 0 .. @chunks to the number of one of four equal
 * ranges.
 */
static u32 bgl_scale(u32 chunks)
{
	return (4 * 65536 + chunks - 1) / chunks;
}

static void bgl_buffers(struct bgl_machine *m, const struct torus_config *cfg)
{
	const struct torus_router_ops *router = bgl_pick_router(cfg);
	bool wide = router == &bgl_study_router.ops;
	u32 vcs = router->vcs, escape = wide ? 4 : TORUS_BGL_BN, vc, dir, i;
	u64 escape_bytes = cfg->params[BGL_P_ESCAPE_BYTES];

	m->vc_chunks = (u32)cfg->params[BGL_P_VC_BYTES] / BGL_CHUNK_BYTES;
	for (vc = 0; vc < vcs; vc++) {
		m->capacity[vc] = (u8)m->vc_chunks;
		if (vc >= escape && escape_bytes)
			m->capacity[vc] = (u8)(escape_bytes / BGL_CHUNK_BYTES);
		m->range_scale[vc] = bgl_scale(m->capacity[vc]);
		for (dir = 0; dir < BGL_DIRS; dir++)
			m->fullness_scale[dir * vcs + vc] = (u16)m->range_scale[vc];
	}
	for (i = 0; i < BGL_GROUPS * TORUS_BGL_INJECT_FIFOS; i++)
		m->fullness_scale[BGL_DIRS * vcs + i] = (u16)bgl_scale(BGL_FIFO_CHUNKS);
	m->dateline = cfg->params[BGL_P_ESCAPE] == BGL_ESCAPE_DATELINE;
	m->bubble_vcs = 1u << (vcs - 1);
	if (!m->dateline)
		m->bubble_vcs |= 1u << escape;
}

/* Return the bytes per node that the enabled options need outside the data of the hot loop. */
static size_t bgl_cold_bytes(const struct torus_config *cfg)
{
	const u64 *p = cfg->params;

	return p[BGL_P_ARBITER_GAP] || p[BGL_P_UNBLOCKING] || p[BGL_P_CONTROL] ?
	       bgl_pick_router(cfg)->cold_bytes : 0;
}

static int bgl_allocate(struct torus_fabric *f, struct torus_error *err)
{
	struct bgl_machine *m = f->machine;

	m->cold_bytes = (size_t)f->nodes * bgl_cold_bytes(&f->cfg);
	if (m->cold_bytes && !m->cold)
		m->cold = torus_alloc(m->cold_bytes);
	if (m->cold_bytes && !m->cold)
		return torus_fail(err, ENOMEM, "no memory for the parameters of %u nodes",
				  f->nodes);
	return 0;
}

static void bgl_boot_cutoffs(struct bgl_machine *m, const struct torus_config *cfg)
{
	const struct torus_geometry *g = &cfg->geo;
	bool minimal = cfg->params[BGL_P_HINTS] == BGL_HINTS_MINIMAL;
	u32 dim, x;

	for (dim = 0; dim < BGL_DIMS; dim++)
		for (x = 0; x < g->dims[dim]; x++)
			m->boot[dim][x] = bgl_cutoffs(g->dims[dim], x, g->mesh >> dim & 1,
						      minimal);
}

static int bgl_configure(struct torus_fabric *f, struct torus_error *err)
{
	const u64 *p = f->cfg.params;
	struct bgl_machine *m = f->machine;
	int ret;

	if (p[BGL_P_DYNAMIC_VCS] == 3)
		return torus_fail(err, EINVAL, "dynamic_vcs=3: must be 1, 2 or 4");
	if (p[BGL_P_VC_BYTES] % BGL_CHUNK_BYTES)
		return torus_fail(err, EINVAL, "vc_bytes=%llu: must be a multiple of %u",
				  p[BGL_P_VC_BYTES], BGL_CHUNK_BYTES);
	if (p[BGL_P_ESCAPE_BYTES] % BGL_CHUNK_BYTES)
		return torus_fail(err, EINVAL, "escape_bytes=%llu: must be a multiple of %u",
				  p[BGL_P_ESCAPE_BYTES], BGL_CHUNK_BYTES);
	if (p[BGL_P_ESCAPE_BYTES] && p[BGL_P_ESCAPE_BYTES] < BGL_ESCAPE_BYTES_MIN)
		return torus_fail(err, ERANGE,
				  "escape_bytes=%llu: must be 0 or at least %u, the size of two "
				  "packets", p[BGL_P_ESCAPE_BYTES], BGL_ESCAPE_BYTES_MIN);
	ret = bgl_allocate(f, err);
	if (ret)
		return ret;
	bgl_boot_cutoffs(m, &f->cfg);
	bgl_wants(m, &f->cfg);
	bgl_buffers(m, &f->cfg);
	f->bubble_vcs = m->bubble_vcs;
	m->bypass = p[BGL_P_BYPASS];
	m->vc_delay = (u32)p[BGL_P_VC_DELAY];
	m->gap = p[BGL_P_ARBITER_GAP];
	m->unblocking = p[BGL_P_UNBLOCKING];
	m->midplane_ticks = (u32)p[BGL_P_MIDPLANE_TICKS];
	m->rack_ticks = (u32)p[BGL_P_RACK_TICKS];
	m->enter_chunks = p[BGL_P_BUBBLE] == BGL_BUBBLE_ONE ? BGL_PACKET_CHUNKS :
							      2 * BGL_PACKET_CHUNKS;
	m->plain = p[BGL_P_BUBBLE] == BGL_BUBBLE_PLAIN;
	((const struct bgl_router *)bgl_pick_router(&f->cfg))->fill_room(m);
	m->buses = (u32)p[BGL_P_BUSES];
	m->jsq = p[BGL_P_JSQ];
	m->strict_injection = p[BGL_P_STRICT_INJECTION];
	m->slq = (u8)(p[BGL_P_SLQ_FRACTION] * 255 / 100);
	m->inject_first = (u8)((100 - p[BGL_P_IN_NETWORK_FRACTION]) * 255 / 100);
	/* "an eight-stage input pipeline" */
	m->timing.latency = (u32)p[BGL_P_LATENCY];
	m->timing.ack_delay = (u32)p[BGL_P_ACK_DELAY];
	m->timing.timeout = (u32)p[BGL_P_TIMEOUT];
	m->timing.window_bytes = 2048;
	m->timing.retries = (u32)p[BGL_P_RETRIES];
	f->lookahead = m->timing.latency < m->timing.ack_delay ? m->timing.latency :
								 m->timing.ack_delay;
	m->control_ticks = p[BGL_P_CONTROL] ? BGL_CONTROL_TICKS : 0;
	f->control_ticks = m->control_ticks;
	m->overhead = BGL_OVERHEAD_TICKS - f->control_ticks;
	f->overhead_ticks = m->overhead;
	f->bubble_kept = p[BGL_P_BUBBLE] == BGL_BUBBLE_FULL;
	return 0;
}

static void bgl_release(struct torus_fabric *f)
{
	struct bgl_machine *m = f->machine;

	torus_free(m->regs, (size_t)f->nodes * sizeof(*m->regs));
	m->regs = NULL;
	torus_free(m->cold, m->cold_bytes);
	m->cold = NULL;
	bgl_resend_free(f);
	bgl_errors_free(f);
}

/*
 * Return the size in bytes of a node in the router. @cold: [out] bytes per node for the enabled
 * options.
 */
static size_t bgl_node_bytes(const struct torus_config *cfg, size_t *cold)
{
	*cold = bgl_cold_bytes(cfg);
	return bgl_pick_router(cfg)->node_bytes;
}

static void bgl_node_init(struct torus_fabric *f, u32 node)
{
	bgl_router_of(f)->node_reset(f, node);
	bgl_regs_reset(f, node);
	bgl_resend_boot(f, node);
}

/* "A 24-bit CRC is appended to each packet": it covers header and body. */
static u32 bgl_packet_crc(const u8 *bytes, u32 len)
{
	return torus_crc24(TORUS_CRC24_INIT, bytes, len);
}

/* Return the ticks that the length of the cable adds to the latency of a link. */
static u32 bgl_cable_ticks(struct torus_fabric *f, u32 node, u32 dir)
{
	const struct bgl_machine *m = bgl_machine(f);

	if (!(m->midplane_ticks | m->rack_ticks))
		return 0;
	switch (bgl_cable_of(&f->cfg.geo, node, dir)) {
	case BGL_CABLE_MIDPLANE:
		return m->midplane_ticks;
	case BGL_CABLE_RACK:
		return m->rack_ticks;
	default:
		return 0;
	}
}

static void bgl_timing(struct torus_fabric *f, u32 node, u32 dir, struct torus_link_timing *t)
{
	u32 cable = bgl_cable_ticks(f, node, dir);

	*t = bgl_machine(f)->timing;
	t->latency += cable;
	t->ack_delay += cable;
	if (bgl_machine(f)->regs)
		t->timeout = bgl_machine(f)->regs[node].timeout[dir];
}

/* Fill in the status bytes, chunks in each FIFO: r0..r5, rH, i0..i2, iH, 5 bytes of padding. */
static void bgl_status(struct torus_fabric *f, u32 node, u32 group, u8 *bytes)
{
	u32 i;

	memset(bytes, 0, 16);
	for (i = 0; i < TORUS_BGL_RECEIVE_FIFOS; i++)
		bytes[i] = (u8)torus_nic_receive_chunks(f, node, group, i);
	for (i = 0; i < TORUS_BGL_INJECT_FIFOS; i++)
		bytes[TORUS_BGL_RECEIVE_FIFOS + i] =
			(u8)bgl_inject_chunks(f, node, group * TORUS_BGL_INJECT_FIFOS + i);
}

const struct torus_arch torus_arch_bgl = {
	.name = "bgl",
	.help = "Blue Gene/L: 3D torus, hint bits, two dynamic VCs and two bubble VCs",
	.dims_min = BGL_DIMS,
	.dims_max = BGL_DIMS,
	.length_max = 256,
	.nodes_max = 1u << 22,
	.groups = BGL_GROUPS,
	.inject_fifos = TORUS_BGL_INJECT_FIFOS,
	.inject_priority = 1u << TORUS_BGL_INJECT_PRIORITY,
	.receive_fifos = TORUS_BGL_RECEIVE_FIFOS,
	.receive_priority = 1u << TORUS_BGL_RECEIVE_PRIORITY,
	.fifo_chunks = BGL_FIFO_CHUNKS,
	.chunk_bytes = BGL_CHUNK_BYTES,
	.packet_chunks_max = BGL_PACKET_CHUNKS,
	.header_bytes = TORUS_BGL_HEADER_BYTES,
	.payload_overhead = TORUS_BGL_HEADER_BYTES + TORUS_BGL_SOFTWARE_BYTES,
	.crc_bytes = TORUS_CRC24_BYTES,
	.crc_generator = 0x1864cfb,
	.ticks_per_chunk = BGL_CHUNK_BYTES,
	.isolates = true,
	.machine_bytes = sizeof(struct bgl_machine),
	.params = bgl_params,
	.nparams = BGL_PARAMS,
	.regs = bgl_reg_list,
	.nregs = &bgl_reg_count,
	.tick_fs = bgl_tick_fs,
	.router = bgl_pick_router,
	.node_bytes = bgl_node_bytes,
	.configure = bgl_configure,
	.release = bgl_release,
	.node_init = bgl_node_init,
	.size = bgl_size,
	.check = bgl_check,
	.make = bgl_make,
	.sane = bgl_sane,
	.snapshot = bgl_regs_snapshot,
	.checksum_skip = bgl_checksum_skip,
	.deposit = bgl_deposit,
	.inject_route = bgl_inject_route,
	.stays_in_partition = bgl_stays_in_partition,
	.steps = bgl_steps,
	.intact = bgl_header_intact,
	.crc = bgl_packet_crc,
	.image = bgl_image,
	.adopt = bgl_adopt,
	.reg_peek = bgl_reg_peek,
	.reg_boot = bgl_reg_boot,
	.later_bytes = bgl_regs_bytes,
	.reg_node_bytes = sizeof(struct bgl_regs),
	.reg_read = bgl_reg_read,
	.reg_write = bgl_reg_write,
	.counters_reset = bgl_resend_counters_reset,
	.error = bgl_error,
	.unmasked = bgl_unmasked,
	.timing = bgl_timing,
	.status = bgl_status,
};
