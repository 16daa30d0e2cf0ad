// SPDX-License-Identifier: GPL-2.0
/* The Cray XT as a machine: its sizes, parameters and set-up. */
#include "arch/xt/arch.h"
#include "header.h"
#include "inject.h"
#include "core/nic/group.h"
#include "router.h"
#include "table.h"
#include "core/nic/inject.h"

static const char *const arbitration_names[] = { "age", "rr", NULL };
static const char *const drop_names[XT_DROPS] = { "dateline", "turn_back" };

#define OWN(param)	((param) - TORUS_P_MACHINE)
#define NUMBER		TORUS_PARAM_NUMBER

static const struct torus_param xt_params[XT_PARAMS] = {
	[OWN(XT_P_PLANES)] = NUMBER("planes", TORUS_UNIT_NONE, 0, 4096, 0, false,
		"number of yz planes in a region of node numbers; 0: as many as fit into 4096 "
		"nodes"),
	[OWN(XT_P_ARBITRATION)] = TORUS_PARAM_CHOICE("arbitration", arbitration_names, 0, false,
		"arbitration at inputs and outputs: oldest packet first (age) or round robin (rr)"),
	[OWN(XT_P_BUFFER_FLITS)] = NUMBER("buffer_flits", TORUS_UNIT_NONE, XT_PACKET_FLITS, 4096,
		XT_BUFFER_FLITS, false, "input buffer of each VC in flits"),
	[OWN(XT_P_STAGING_FLITS)] = NUMBER("staging_flits", TORUS_UNIT_NONE, XT_PACKET_FLITS, 4096,
		XT_STAGING_FLITS, false,
		"each staging buffer in front of an output, in flits; a whole packet must fit"),
	[OWN(XT_P_LATENCY)] = NUMBER("latency", TORUS_UNIT_TICKS, 17, 4080, 408, false,
		"ticks from a header flit on the link until it is routable"),
	[OWN(XT_P_CREDIT_DELAY)] = NUMBER("credit_delay", TORUS_UNIT_TICKS, 17, 4080, 408, false,
		"ticks until credits and acknowledgements return to the sender"),
	[OWN(XT_P_CROSSBAR)] = NUMBER("crossbar", TORUS_UNIT_TICKS, 1, 512, 34, false,
		"ticks until a header flit has crossed to the staging buffer"),
	[OWN(XT_P_WINDOW)] = NUMBER("window", TORUS_UNIT_NONE, 2, 4096, 128, false,
		"go-back-N: number of packets of the largest size that may be unacknowledged on a "
		"link"),
	[OWN(XT_P_TIMEOUT)] = NUMBER("timeout", TORUS_UNIT_TICKS, 1000, 1000000, 20000, false,
		"ticks without an acknowledgement until all unacknowledged packets are sent again"),
	[OWN(XT_P_RETRIES)] = NUMBER("retries", TORUS_UNIT_NONE, 1, 1000000, 100, false,
		"number of time-outs without progress after which a link is parked"),
};

static const u32 xt_nregs;

/* "NIDs in the 0-4095 range are in region 0, 4096-8191 are in region 1" (section 3.3). */
#define XT_REGION_NIDS	4096u
#define XT_REGIONS	8u

/* Return the planes per region: "We split the localities with YZ planes" (2.2.1). */
static u32 xt_planes(const struct torus_config *cfg, const struct torus_geometry *g)
{
	u32 plane = g->dims[1] * g->dims[2], planes = (u32)cfg->params[XT_P_PLANES];
	u32 fit = XT_REGION_NIDS / (plane ? plane : 1);

	if (!planes)
		planes = fit ? fit : 1;
	return planes < g->dims[0] ? planes : g->dims[0];
}

/* Set the node numbers: z fastest within a region, gaps between regions. */
static void xt_numbering(const struct torus_config *cfg, struct torus_geometry *g)
{
	u32 planes = xt_planes(cfg, g), nodes = planes * g->dims[1] * g->dims[2];

	/* xt_configure() rejects regions with more nodes than their range of numbers has */
	g->numbering.split[0] = planes ? planes : 1;
	g->numbering.stride[0] = g->dims[1] * g->dims[2];
	g->numbering.jump[0] = nodes > XT_REGION_NIDS ? nodes : XT_REGION_NIDS;
	g->numbering.stride[1] = g->dims[2];
	g->numbering.stride[2] = 1;
}

static int xt_check_regions(const struct torus_config *cfg, struct torus_error *err)
{
	const struct torus_geometry *g = &cfg->geo;
	u32 plane = g->dims[1] * g->dims[2], planes = xt_planes(cfg, g);

	if (!planes || planes * plane > XT_REGION_NIDS)
		return torus_fail(err, ERANGE,
				  "planes=%u of %ux%u nodes: a region can have at most %u nodes",
				  planes ? : 1, g->dims[1], g->dims[2], XT_REGION_NIDS);
	if ((g->dims[0] + planes - 1) / planes > XT_REGIONS)
		return torus_fail(err, ERANGE,
				  "planes=%u: makes %u regions, must be at most %u "
				  "(destination[14:12])", planes,
				  (g->dims[0] + planes - 1) / planes, XT_REGIONS);
	return 0;
}

/* Set the link timing from the parameters. */
static void xt_link_timing(struct xt_machine *m, const u64 *p)
{
	m->timing.latency = (u32)p[XT_P_LATENCY];
	m->timing.ack_delay = (u32)p[XT_P_CREDIT_DELAY];
	m->timing.timeout = (u32)p[XT_P_TIMEOUT];
	m->timing.window_bytes = (u32)p[XT_P_WINDOW] * XT_PACKET_FLITS * XT_FLIT_BYTES;
	m->timing.retries = (u32)p[XT_P_RETRIES];
	m->timing.nack = true;
}

static int xt_configure(struct torus_fabric *f, struct torus_error *err)
{
	const u64 *p = f->cfg.params;
	struct xt_machine *m = f->machine;
	int ret = xt_check_regions(&f->cfg, err);

	if (ret)
		return ret;
	xt_link_timing(m, p);
	m->buffer = (u32)p[XT_P_BUFFER_FLITS];
	m->staging = (u32)p[XT_P_STAGING_FLITS];
	m->crossbar = (u32)p[XT_P_CROSSBAR];
	m->turns = p[XT_P_ARBITRATION] == XT_ROUND_ROBIN;
	f->lookahead = m->timing.latency < m->timing.ack_delay ? m->timing.latency :
								 m->timing.ack_delay;
	return 0;
}

static u64 xt_tick_fs(const struct torus_config *cfg)
{
	return 104167;	/* femtoseconds for half a byte at 4.8 GB/s */
}

static const struct torus_router_ops *xt_pick_router(const struct torus_config *cfg)
{
	return &xt_router;
}

static size_t xt_node_bytes(const struct torus_config *cfg, size_t *cold)
{
	*cold = 0;
	return xt_router.node_bytes;
}

static int xt_ready(struct torus_fabric *f, struct torus_error *err)
{
	const struct xt_machine *m = f->machine;

	return m->routes ? 0 : torus_fail(err, ENODATA, "%u nodes have no routing tables",
					  f->nodes);
}

static void xt_release(struct torus_fabric *f)
{
	xt_routes_free(((struct xt_machine *)f->machine)->routes);
}

static void xt_timing(struct torus_fabric *f, u32 node, u32 dir, struct torus_link_timing *t)
{
	*t = ((const struct xt_machine *)f->machine)->timing;
}

/*
 * Report the number of flits in each FIFO of a group: reception FIFOs 0 and 1, then injection FIFOs
 * 0 and 1.
 */
static void xt_status(struct torus_fabric *f, u32 node, u32 group, u8 *bytes)
{
	u32 i;

	memset(bytes, 0, 16);
	for (i = 0; i < XT_CLASSES; i++) {
		bytes[i] = (u8)torus_nic_receive_chunks(f, node, group, i);
		bytes[XT_CLASSES + i] = (u8)torus_nic_inject_chunks(f, node, group, i);
	}
}

const struct torus_arch torus_arch_xt = {
	.name = "xt",
	.help = "Cray XT: SeaStar routers, routing tables, datelines on two pairs of VCs",
	.dims_min = XT_DIMS,
	.dims_max = XT_DIMS,
	.length_max = 4096,
	.nodes_max = XT_REGIONS * XT_REGION_NIDS,
	.groups = XT_GROUPS,
	.inject_fifos = TORUS_XT_INJECT_FIFOS,
	.receive_fifos = TORUS_XT_RECEIVE_FIFOS,
	.fifo_chunks = XT_FIFO_FLITS,
	.chunk_bytes = XT_FLIT_BYTES,
	.packet_chunks_max = XT_PACKET_FLITS,
	.header_bytes = TORUS_XT_HEADER_BYTES,
	.payload_overhead = TORUS_XT_HEADER_BYTES,
	.crc_bytes = XT_CRC_BYTES,
	.crc_generator = 0x11021,
	.ticks_per_chunk = XT_FLIT_TICKS,
	.classes = XT_CLASSES,
	.port_links = 1,
	.machine_bytes = sizeof(struct xt_machine),
	.params = xt_params,
	.nparams = XT_PARAMS,
	.nregs = &xt_nregs,
	.drops = drop_names,
	.ndrops = XT_DROPS,
	.numbering = xt_numbering,
	.tick_fs = xt_tick_fs,
	.router = xt_pick_router,
	.node_bytes = xt_node_bytes,
	.configure = xt_configure,
	.release = xt_release,
	.node_init = xt_node_init,
	.ready = xt_ready,
	.routes_make = xt_routes_make,
	.routes_use = xt_routes_use,
	.routes_free = xt_routes_free,
	.routes_image = xt_routes_image,
	.routes_read = xt_routes_read,
	.size = xt_size,
	.check = xt_check,
	.make = xt_make,
	.sane = xt_sane,
	.inject_route = xt_inject_route,
	.stays_in_partition = xt_stays_in_partition,
	.loop = xt_loop,
	.intact = xt_header_intact,
	.crc = xt_packet_crc,
	.image = xt_image,
	.adopt = xt_adopt,
	.timing = xt_timing,
	.status = xt_status,
};
