// SPDX-License-Identifier: GPL-2.0
/* Description of the Tofu machine: constants, parameters and set-up. */
#include "arch/tofu/arch.h"
#include "arch/tofu/channel.h"
#include "arch/tofu/command.h"
#include "arch/tofu/inject.h"
#include "arch/tofu/loss.h"
#include "core/nic/group.h"
#include "arch/tofu/barrier.h"
#include "arch/tofu/engine.h"
#include "arch/tofu/header.h"
#include "arch/tofu/gate_ops.h"
#include "core/nic/inject.h"

static const char *const tnis_names[] = { "4", "6", NULL };
static const char *const io_order_names[] = { "last", "first", NULL };

#define OWN(param)	((param) - TORUS_P_MACHINE)
#define NUMBER		TORUS_PARAM_NUMBER

static const struct torus_param tofu_params[TOFU_PARAMS] = {
	[OWN(TOFU_P_PATH)] = TORUS_PARAM_CHOICE("path", tofu_policy_names, TOFU_FIXED, true,
		"path of packets that name none: the shortest, a fixed one per pair of nodes, or "
		"all twelve in turn"),
	[OWN(TOFU_P_TNIS)] = TORUS_PARAM_CHOICE("tnis", tnis_names, TOFU_FOUR_TNIS, false,
		"network engines (TNIs) of a node: 4 as in the paper, or 6 as in the successor"),
	[OWN(TOFU_P_VC_BYTES)] = NUMBER("vc_bytes", TORUS_UNIT_BYTES, TOFU_PACKET_BYTES,
		TOFU_BUFFER_BYTES_MAX, TOFU_BUFFER_BYTES, false,
		"receive buffer of each VC in bytes"),
	[OWN(TOFU_P_RESEND_BYTES)] = NUMBER("resend_bytes", TORUS_UNIT_BYTES, TOFU_PACKET_BYTES,
		TOFU_BUFFER_BYTES_MAX, TOFU_RESEND_BYTES, false,
		"retransmission buffer of each link in bytes"),
	[OWN(TOFU_P_LATENCY)] = NUMBER("latency", TORUS_UNIT_TICKS, 8, 2048, 125, false,
		"ticks from a header's first byte on the link until it is routable"),
	[OWN(TOFU_P_CREDIT_DELAY)] = NUMBER("credit_delay", TORUS_UNIT_TICKS, 8, 2048, 125, false,
		"ticks until credits and acknowledgements return to the sender"),
	[OWN(TOFU_P_TIMEOUT)] = NUMBER("timeout", TORUS_UNIT_TICKS, 256, 1000000, 1024, false,
		"ticks without an acknowledgement until all unacknowledged packets are sent again"),
	[OWN(TOFU_P_RETRIES)] = NUMBER("retries", TORUS_UNIT_NONE, 1, 1000000, 100, false,
		"number of time-outs without progress after which a link is parked"),
	[OWN(TOFU_P_IO_ORDER)] = TORUS_PARAM_CHOICE("io_order", io_order_names, TOFU_IO_LAST, false,
		"position of z in the dimension order of I/O nodes (z = 0); all other nodes use "
		"the opposite one"),
	[OWN(TOFU_P_GATE_DELAY)] = NUMBER("gate_delay", TORUS_UNIT_TICKS, 1, 100000, 25, true,
		"ticks from the event that fires a barrier gate until its packet may leave"),
	[OWN(TOFU_P_ENGINE_DELAY)] = NUMBER("engine_delay", TORUS_UNIT_TICKS, 1, 100000, 498, false,
		"ticks from a put, get or atomic operation until its first packet may leave"),
	[OWN(TOFU_P_MEMORY_DELAY)] = NUMBER("memory_delay", TORUS_UNIT_TICKS, 1, 100000, 498, false,
		"ticks from the last byte of a packet of a put, get or atomic operation until it "
		"is in memory"),
};

static const u32 tofu_nregs;

static int tofu_shape(struct torus_geometry *g, struct torus_error *err)
{
	/* a and c are always meshes, even if the configuration does not say so */
	if (g->mesh >> TOFU_B & 1)
		return torus_fail(err, EINVAL,
				  "mesh b: dimension b is always a ring of three nodes");
	tofu_geometry_extend(g);
	return 0;
}

static void tofu_numbering(const struct torus_config *cfg, struct torus_geometry *g)
{
	tofu_geometry_number(g);
}

static int tofu_check_bytes(u64 bytes, const char *key, struct torus_error *err)
{
	if (!(bytes % TOFU_CHUNK_BYTES))
		return 0;
	return torus_fail(err, EINVAL, "%s=%llu: must be a multiple of %u", key, bytes,
			  TOFU_CHUNK_BYTES);
}

static int tofu_configure(struct torus_fabric *f, struct torus_error *err)
{
	const u64 *p = f->cfg.params;
	struct tofu_machine *m = f->machine;
	int ret = tofu_check_bytes(p[TOFU_P_VC_BYTES], "vc_bytes", err);

	if (!ret)
		ret = tofu_check_bytes(p[TOFU_P_RESEND_BYTES], "resend_bytes", err);
	if (ret)
		return ret;
	m->timing.latency = (u32)p[TOFU_P_LATENCY];
	m->timing.ack_delay = (u32)p[TOFU_P_CREDIT_DELAY];
	m->timing.timeout = (u32)p[TOFU_P_TIMEOUT];
	m->timing.window_bytes = (u32)p[TOFU_P_RESEND_BYTES];
	m->timing.retries = (u32)p[TOFU_P_RETRIES];
	m->geo = &f->cfg.geo;
	m->buffer = (u32)p[TOFU_P_VC_BYTES] / TOFU_CHUNK_BYTES;
	m->policy = (u32)p[TOFU_P_PATH];
	m->exchanged = p[TOFU_P_IO_ORDER] == TOFU_IO_FIRST;
	m->tnis = p[TOFU_P_TNIS] == TOFU_SIX_TNIS ? 6 : 4;
	m->gate_delay = (u32)p[TOFU_P_GATE_DELAY];
	m->engine_delay = (u32)p[TOFU_P_ENGINE_DELAY];
	m->memory_delay = (u32)p[TOFU_P_MEMORY_DELAY];
	f->lookahead = m->timing.latency < m->timing.ack_delay ? m->timing.latency :
								 m->timing.ack_delay;
	return 0;
}

static u64 tofu_tick_fs(const struct torus_config *cfg)
{
	return 800000;	/* femtoseconds for four bytes at 5 GB/s */
}

static const struct tofu_router *tofu_router_of(const struct torus_config *cfg)
{
	return cfg->params[TOFU_P_TNIS] == TOFU_SIX_TNIS ? &tofu_router_6tni : &tofu_router_4tni;
}

static const struct torus_router_ops *tofu_pick_router(const struct torus_config *cfg)
{
	return &tofu_router_of(cfg)->ops;
}

static size_t tofu_node_bytes(const struct torus_config *cfg, size_t *cold)
{
	*cold = 0;
	return tofu_pick_router(cfg)->node_bytes;
}

static void tofu_node_init(struct torus_fabric *f, u32 node)
{
	tofu_router_of(&f->cfg)->node_reset(f, node);
	tofu_barrier_reset(f, node);
	tofu_engine_reset(f, node);
}

static void tofu_release(struct torus_fabric *f)
{
	tofu_barrier_free(f);
	tofu_engine_free(f);
}

static size_t tofu_later(const struct torus_fabric *f)
{
	return tofu_barrier_later(f) + tofu_engine_later(f);
}

static void tofu_timing(struct torus_fabric *f, u32 node, u32 dir, struct torus_link_timing *t)
{
	*t = ((const struct tofu_machine *)f->machine)->timing;
}

/*
 * Limit a count of chunks to one byte: a reception FIFO with notices can have more than 255 chunks.
 */
static u8 tofu_status_chunks(u32 chunks)
{
	return chunks < 255 ? (u8)chunks : 255;
}

/* Fill in the status bytes: chunks in the group's FIFOs, receive 0..5, then inject 0..5. */
static void tofu_status(struct torus_fabric *f, u32 node, u32 group, u8 *bytes)
{
	u32 i;

	memset(bytes, 0, 16);
	for (i = 0; i < TORUS_TOFU_FIFOS; i++) {
		bytes[i] = tofu_status_chunks(torus_nic_receive_chunks(f, node, group, i));
		bytes[TORUS_TOFU_FIFOS + i] = (u8)torus_nic_inject_chunks(f, node, group, i);
	}
}

const struct torus_arch torus_arch_tofu = {
	.name = "tofu",
	.help = "Tofu: groups of twelve, twelve paths for each pair, four engines a node",
	.dims_min = TOFU_GROUP_AXES,
	.dims_max = TOFU_GROUP_AXES,
	.length_max = TOFU_LENGTH_MAX,
	.nodes_max = TOFU_NODES_MAX,
	.groups = TORUS_TOFU_GROUPS,
	.inject_fifos = TORUS_TOFU_FIFOS,
	/*
	 * two groups' FIFOs: three for each engine of a node with four engines, two for each of six
	 */
	.source_fifos = 2 * TORUS_TOFU_FIFOS,
	.receive_fifos = TORUS_TOFU_FIFOS,
	.fifo_chunks = TOFU_FIFO_CHUNKS,
	.chunk_bytes = TOFU_CHUNK_BYTES,
	.packet_chunks_max = TOFU_PACKET_CHUNKS,
	.header_bytes = TORUS_TOFU_HEADER_BYTES,
	.payload_overhead = TORUS_TOFU_HEADER_BYTES,
	.crc_bytes = TOFU_CRC_BYTES,
	.crc_at = TORUS_TOFU_CRC_AT,
	/* the CRC is bit-reflected, so the bytes of the generator are in reverse order */
	.crc_generator = 0x80783bf682ull,
	.ticks_per_chunk = TOFU_CHUNK_TICKS,
	.port_links = 4,
	.machine_bytes = sizeof(struct tofu_machine),
	.kept_bytes = TOFU_KEPT_BYTES,
	.params = tofu_params,
	.nparams = TOFU_PARAMS,
	.nregs = &tofu_nregs,
	.drops = tofu_drop_names,
	.ndrops = TOFU_DROPS,
	.shape = tofu_shape,
	.numbering = tofu_numbering,
	.tick_fs = tofu_tick_fs,
	.router = tofu_pick_router,
	.node_bytes = tofu_node_bytes,
	.configure = tofu_configure,
	.release = tofu_release,
	.later_bytes = tofu_later,
	.node_init = tofu_node_init,
	.size = tofu_size,
	.check = tofu_check,
	.attach = tofu_engine_attach,
	.command = tofu_command,
	.commands_full = tofu_commands_full,
	.lost = tofu_loss_packet,
	.hand = tofu_loss_reply,
	.make = tofu_make,
	.sane = tofu_sane,
	.inject_route = tofu_inject_route,
	.stays_in_partition = tofu_stays_in_partition,
	.loop = tofu_loop,
	.intact = tofu_header_intact,
	.crc = tofu_packet_crc,
	.image = tofu_image,
	.adopt = tofu_adopt,
	.gates = &tofu_program_gate_ops,
	.timing = tofu_timing,
	.status = tofu_status,
};
