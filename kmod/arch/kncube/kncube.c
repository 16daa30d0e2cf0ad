// SPDX-License-Identifier: GPL-2.0
/*
 * The k-ary n-cube of paper 003 as a machine.
 *
 * The paper prints no parameters, but each row of its tables gives 2621 to 2655
 * ns a hop at light load.  A tick is a byte at 175 MB/s; 256 bytes of a packet,
 * 184 ticks of link delay and 22 of processing make 462 ticks, 2640 ns.  The
 * share of processing is small enough that links saturate before the one
 * processing unit does, up to ten dimensions.
 */
#include "kncube.h"

static const struct torus_param kn_params[] = {
	[KN_P_LINK_DELAY - TORUS_P_MACHINE] = TORUS_PARAM_NUMBER("link_delay", TORUS_UNIT_TICKS,
		0, 65536, 184, false, "ticks of a hop besides the packet's bytes"),
	[KN_P_PROCESSING - TORUS_P_MACHINE] = TORUS_PARAM_NUMBER("processing", TORUS_UNIT_TICKS,
		1, 65536, 22, false, "ticks of the processing unit a packet"),
};

/* Links make no errors (the paper's second assumption), and nothing can be full. */
static const struct torus_lack kn_lacks[] = {
	{ TORUS_P_CRC, "has no CRCs: its links make no errors" },
	{ TORUS_P_BER, "has no errors on its links" },
	{ TORUS_P_RX_STALL, "has no readers: a packet that arrives is gone" },
	{ TORUS_P_NO_LISTENER, "has no FIFO groups for programs" },
	{ TORUS_P_INJECTION, "has no injection FIFOs: its queues are unbounded" },
	{ TORUS_P_SOURCE_FIFOS, "has no injection FIFOs: its queues are unbounded" },
	{ TORUS_P_SOURCE_ORDER, "has no injection FIFOs: its queues are unbounded" },
	{ TORUS_P_HOP_LIMIT, "has no packets that go astray" },
	{ TORUS_P_INJECT_PACKET, "has its processing unit's time in `processing`" },
	{ TORUS_P_INJECT_CHUNK, "has its processing unit's time in `processing`" },
	{ TORUS_P_RECEIVE_PACKET, "has its processing unit's time in `processing`" },
	{ TORUS_P_RECEIVE_CHUNK, "has its processing unit's time in `processing`" },
};

static const u32 kn_nregs;

static int kn_configure(struct torus_fabric *f, struct torus_error *err)
{
	struct kn_machine *m = f->machine;

	m->link_delay = (u32)f->cfg.params[KN_P_LINK_DELAY];
	m->processing = (u32)f->cfg.params[KN_P_PROCESSING];
	m->geo = &f->cfg.geo;
	f->lookahead = KN_CHUNK_BYTES + m->link_delay;
	f->hop_limit = 0xffff;
	f->overhead_ticks = m->link_delay;
	return 0;
}

static void kn_make(struct torus_fabric *f, struct torus_packet *packet, u32 chunks)
{
	packet->chunks = (u8)chunks;
	memset(packet->header, 0, sizeof(packet->header));
}

static u32 kn_inject_route(struct torus_fabric *f, u32 node, struct torus_packet *packet)
{
	return TORUS_REFUSE_NONE;
}

/* As Blue Gene/L's: a byte at 175 MB/s. */
static u64 kn_tick_fs(const struct torus_config *cfg)
{
	return 5714286;
}

static const struct torus_router_ops *kn_router(const struct torus_config *cfg)
{
	return &kn_router_ops;
}

const struct torus_arch torus_arch_kncube = {
	.name = "kncube",
	.help = "k-ary n-cube: e-cube routing, unbounded first come first served queues",
	.dims_min = 1,
	.dims_max = TORUS_DIMS_MAX,
	.length_max = 65535,
	.nodes_max = 1u << 30,
	.groups = 1,
	.inject_fifos = 1,
	.fifo_chunks = KN_PACKET_CHUNKS,
	.chunk_bytes = KN_CHUNK_BYTES,
	.packet_chunks_max = KN_PACKET_CHUNKS,
	.ticks_per_chunk = KN_CHUNK_BYTES,
	.machine_bytes = sizeof(struct kn_machine),
	.params = kn_params,
	.nparams = KN_PARAMS,
	.lacks = kn_lacks,
	.nlacks = sizeof(kn_lacks) / sizeof(*kn_lacks),
	.nregs = &kn_nregs,
	.tick_fs = kn_tick_fs,
	.router = kn_router,
	.node_bytes = kn_node_bytes,
	.configure = kn_configure,
	.node_init = kn_node_init,
	.make = kn_make,
	.inject_route = kn_inject_route,
};
