// SPDX-License-Identifier: GPL-2.0
/* Blue Gene/L as a machine: its numbers, parameters and set-up. */
#include "bgl.h"
#include "core/crc.h"

static const char *const bgl_vc_names[] = { "D0", "D1", "BN", "BP" };
static const char *const routing_names[] = { "dynamic", "deterministic", NULL };
static const char *const hints_names[] = { "authentic", "minimal", NULL };
static const char *const bubble_names[] = { "full", "plain", "one", NULL };
static const char *const crc_names[] = { "lazy", "full", NULL };
static const char *const listener_names[] = { "drop", "hold", NULL };
static const char *const injection_names[] = { "finite", "infinite", NULL };
static const char *const switch_names[] = { "off", "on", NULL };

#define CHOICE(name_, names_, def_, live_, help_) \
	{ .name = name_, .help = help_, .values = names_, .def = def_, .live = live_ }
#define NUMBER(name_, min_, max_, def_, live_, help_) \
	{ .name = name_, .help = help_, .min = min_, .max = max_, .def = def_, .live = live_ }

const struct torus_param bgl_params[] = {
	[BGL_P_ROUTING] = CHOICE("routing", routing_names, 0, false,
		"of synthetic packets"),
	[BGL_P_HINTS] = CHOICE("hints", hints_names, 0, false,
		"cutoff registers at boot: the machine's, or minimal for odd lengths"),
	[BGL_P_BUBBLE] = CHOICE("bubble", bubble_names, 0, false,
		"bubble VCs: packets count as full-sized, true-sized, or enter with room for one"),
	[BGL_P_CRC] = CHOICE("crc", crc_names, 0, true,
		"compute CRCs of every packet at every hop, or only where it matters"),
	[BGL_P_BER] = NUMBER("ber", 0, ~0ull, 0, true,
		"bit-error rate of every link, units of 2^-64"),
	[BGL_P_RX_STALL] = NUMBER("rx_stall", 0, 1ull << 48, 0, true,
		"ticks until a packet is dropped whose reader does not read; 0: never"),
	[BGL_P_NO_LISTENER] = CHOICE("no_listener", listener_names, 0, true,
		"packets to a FIFO group that nobody holds"),
	[BGL_P_INJECTION] = CHOICE("injection", injection_names, 0, false,
		"injection FIFOs of synthetic sources"),
	[BGL_P_JSQ] = CHOICE("jsq", switch_names, 1, false,
		"join the shortest queue, else at random"),
	[BGL_P_SLQ_FRACTION] = NUMBER("slq_fraction", 0, 100, 75, false,
		"percent of cycles that serve the longest queue"),
	[BGL_P_IN_NETWORK_FRACTION] = NUMBER("in_network_fraction", 0, 100, 100, false,
		"percent of cycles that prefer packets in the network"),
	[BGL_P_STRICT_INJECTION] = CHOICE("strict_injection", switch_names, 0, false,
		"injection leaves alone every link that the network wants"),
	[BGL_P_BUSES] = NUMBER("buses", 1, 6, 2, false,
		"transfer buses from a receiver to the senders"),
	[BGL_P_DYNAMIC_VCS] = NUMBER("dynamic_vcs", 1, 2, 2, false,
		"dynamic VCs in use"),
	[BGL_P_VC_BYTES] = NUMBER("vc_bytes", 512, 4096, 1024, false,
		"buffer of each VC: a power of two"),
	[BGL_P_LATENCY] = NUMBER("latency", 8, 512, 20, false,
		"ticks until a header is routable: 8 header, 8 pipeline, 2 arbitration, 2 wire"),
	[BGL_P_ACK_DELAY] = NUMBER("ack_delay", 8, 512, 20, false,
		"ticks until an acknowledgement or token is back"),
	[BGL_P_TIMEOUT] = NUMBER("timeout", 400, 65535, 1024, false,
		"ticks without acknowledgement until a packet is sent again"),
	[BGL_P_RETRIES] = NUMBER("retries", 1, 1000000, 100, false,
		"time-outs without progress until a link is parked"),
	[BGL_P_HOP_LIMIT] = NUMBER("hop_limit", 0, 65535, 0, false,
		"hops until a packet is dropped; 0: twice the sum of the lengths"),
	[BGL_P_INJECT_PACKET] = NUMBER("inject_packet", 0, 65535, 0, false,
		"processor's ticks (four cycles each) to inject a synthetic packet"),
	[BGL_P_INJECT_CHUNK] = NUMBER("inject_chunk", 0, 65535, 0, false,
		"and for each of its chunks"),
	[BGL_P_RECEIVE_PACKET] = NUMBER("receive_packet", 0, 65535, 0, false,
		"to receive one"),
	[BGL_P_RECEIVE_CHUNK] = NUMBER("receive_chunk", 0, 65535, 0, false,
		"and for each of its chunks"),
};

static void bgl_wants(struct bgl_machine *m, u64 dynamic_vcs)
{
	u32 hints, dir;

	for (hints = 1; hints < 64; hints++) {
		u32 first = 0;

		for (dir = BGL_DIRS; dir--;)
			if (hints & bgl_hint_bit(dir) && (TORUS_RULE(dimension_order) || !first))
				first = dir;
		for (dir = 0; dir < BGL_DIRS; dir++)
			if (hints & bgl_hint_bit(dir))
				m->want_dynamic[hints] |=
					(dynamic_vcs > 1 ? 3u : 1u) << (dir * BGL_VCS);
		/* dimension order: the bubble VC knows only the first direction */
		m->want_normal[hints] = 1u << (first * BGL_VCS + TORUS_BGL_BN);
		m->want_priority[hints] = 1u << (first * BGL_VCS + TORUS_BGL_BP);
		if (TORUS_RULE(bubble_escape))
			m->want_dynamic[hints] |= m->want_normal[hints];
	}
}

static int bgl_configure(struct torus_fabric *f, struct torus_error *err)
{
	const u64 *p = f->cfg.params;
	struct bgl_machine *m = f->machine;
	u32 dim, sum = 0, log2 = 0;

	if (p[BGL_P_VC_BYTES] & (p[BGL_P_VC_BYTES] - 1))
		return torus_fail(err, EINVAL, "vc_bytes=%llu: not a power of two",
				  p[BGL_P_VC_BYTES]);
	if (!m->regs)
		m->regs = torus_alloc((size_t)f->nodes * sizeof(*m->regs));
	if (!m->regs)
		return torus_fail(err, ENOMEM, "no memory for the registers of %u nodes", f->nodes);
	memset(m->want_dynamic, 0, sizeof(m->want_dynamic));
	bgl_wants(m, p[BGL_P_DYNAMIC_VCS]);
	m->vc_chunks = (u32)p[BGL_P_VC_BYTES] / BGL_CHUNK_BYTES;
	while (m->vc_chunks >> (log2 + 1))
		log2++;
	m->range_shift = log2 - 2;
	m->enter_chunks = p[BGL_P_BUBBLE] == BGL_BUBBLE_ONE ? BGL_PACKET_CHUNKS :
							      2 * BGL_PACKET_CHUNKS;
	m->plain = p[BGL_P_BUBBLE] == BGL_BUBBLE_PLAIN;
	m->buses = (u32)p[BGL_P_BUSES];
	m->jsq = p[BGL_P_JSQ];
	m->strict_injection = p[BGL_P_STRICT_INJECTION];
	m->slq = (u8)(p[BGL_P_SLQ_FRACTION] * 255 / 100);
	m->inject_first = (u8)((100 - p[BGL_P_IN_NETWORK_FRACTION]) * 255 / 100);
	m->timing.latency = (u32)p[BGL_P_LATENCY];
	m->timing.ack_delay = (u32)p[BGL_P_ACK_DELAY];
	m->timing.timeout = (u32)p[BGL_P_TIMEOUT];
	m->timing.window_bytes = 2048;
	m->timing.retries = (u32)p[BGL_P_RETRIES];
	for (dim = 0; dim < f->cfg.geo.ndims; dim++)
		sum += f->cfg.geo.dims[dim];
	f->hop_limit = p[BGL_P_HOP_LIMIT] ? (u32)p[BGL_P_HOP_LIMIT] : 2 * sum;
	f->lookahead = m->timing.latency < m->timing.ack_delay ? m->timing.latency :
								 m->timing.ack_delay;
	f->overhead_ticks = BGL_OVERHEAD_TICKS;
	f->rx_stall = p[BGL_P_RX_STALL];
	f->bubble_kept = p[BGL_P_BUBBLE] == BGL_BUBBLE_FULL;
	f->hold = p[BGL_P_NO_LISTENER];
	f->crc_full = p[BGL_P_CRC];
	f->injection_infinite = p[BGL_P_INJECTION];
	f->ber = p[BGL_P_BER];
	f->cost = (struct torus_cost){
		.inject_packet = (u32)p[BGL_P_INJECT_PACKET],
		.inject_chunk = (u32)p[BGL_P_INJECT_CHUNK],
		.receive_packet = (u32)p[BGL_P_RECEIVE_PACKET],
		.receive_chunk = (u32)p[BGL_P_RECEIVE_CHUNK],
	};
	return 0;
}

static void bgl_release(struct torus_fabric *f)
{
	struct bgl_machine *m = f->machine;

	torus_free(m->regs, (size_t)f->nodes * sizeof(*m->regs));
	m->regs = NULL;
}

static void bgl_node_init(struct torus_fabric *f, u32 node)
{
	bgl_node_reset(f, node);
	bgl_regs_reset(f, node);
}

/* "A 24-bit CRC is appended to each packet": header and body. */
static u32 bgl_packet_crc(const u8 *bytes, u32 len)
{
	return torus_crc24(TORUS_CRC24_INIT, bytes, len);
}

static void bgl_timing(struct torus_fabric *f, u32 node, u32 dir, struct torus_link_timing *t)
{
	*t = bgl_machine(f)->timing;
	t->timeout = bgl_machine(f)->regs[node].timeout[dir];
}

/* r0..r5, rH, i0..i2, iH, 5 bytes of padding: chunks held. */
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
	.vcs = BGL_VCS,
	.vc_names = bgl_vc_names,
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
	.bubble_vcs = 1u << TORUS_BGL_BN | 1u << TORUS_BGL_BP,
	.crc_bytes = TORUS_CRC24_BYTES,
	.crc_generator = 0x1864cfb,
	.ticks_per_chunk = BGL_CHUNK_BYTES,
	.tick_fs = BGL_TICK_FS,
	.machine_bytes = sizeof(struct bgl_machine),
	.params = bgl_params,
	.nparams = BGL_PARAMS,
	.regs = bgl_reg_list,
	.nregs = &bgl_reg_count,
	.node_bytes = bgl_node_bytes,
	.configure = bgl_configure,
	.release = bgl_release,
	.node_init = bgl_node_init,
	.size = bgl_size,
	.check = bgl_check,
	.make = bgl_make,
	.checksum_skip = bgl_checksum_skip,
	.inject_route = bgl_inject_route,
	.steps = bgl_steps,
	.intact = bgl_header_intact,
	.crc = bgl_packet_crc,
	.image = bgl_image,
	.adopt = bgl_adopt,
	.reg_read = bgl_reg_read,
	.reg_write = bgl_reg_write,
	.timing = bgl_timing,
	.router = &bgl_router_ops,
	.status = bgl_status,
};
