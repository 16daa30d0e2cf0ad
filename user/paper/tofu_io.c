// SPDX-License-Identifier: GPL-2.0
/*
 * Figure 4 of Ajima et al. (2009): I/O packets during a computation. Compute nodes on one side of
 * the machine send to I/O nodes (z = 0) on the other side, and I/O nodes send back at intervals of
 * their own. A job computes between them, at z > 0. If packets use the axes in the paper's orders,
 * I/O packets and job packets share no link.
 */
#include <stdio.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "arch/tofu/tofu.h"
#include "core/base/random.h"
#include "core/nic/group.h"
#include "core/run/fabric.h"
#include "core/run/windows.h"
#include "core/state/stats.h"
#include "core/state/trace.h"
#include "gather.h"
#include "figure.h"
#include "paper.h"

#define BYTES		2048
#define STEP		64	/* ticks between two points of time at which nodes may send */
#define TICKS		400000
#define COMPUTE_GAP	4096	/* ticks between two packets of a node */
#define IO_GAP		1536
/* minimum increase in percent if the orders of the axes are exchanged */
#define RISES		10.0
#define HUNDRED		100.0
#define TINY		0.000000001
#define WHOLE		0.5	/* tolerance for numbers that are integers, in packets */

/* First columns of groups along x: the compute nodes that send I/O, the job, and the I/O nodes. */
enum { IO_SIDE = 0, JOB = 2, FAR_SIDE = 4, COLUMNS = 6, SIDE = 2, Y = 4, Z = 4 };

/**
 * struct io_seen - statistics of the job's packets and the I/O packets
 * @tracer: hook of the core
 * @packets: number of delivered packets of the job
 * @ticks: sum of the latencies of the job's packets
 * @hash: hash over source, destination and tick of the job's packets
 * @io: number of delivered I/O packets
 * @io_sent: number of injected I/O packets
 * @crossed: number of moves of I/O packets over x and y links at z > 0
 */
struct io_seen {
	struct torus_tracer tracer;
	u64 packets;
	u64 ticks;
	u64 hash;
	u64 io;
	u64 io_sent;
	u64 crossed;
};

static bool in_columns(const u32 *at, u32 first)
{
	return at[TOFU_X] >= first && at[TOFU_X] < first + SIDE;
}

static bool computes(const u32 *at)
{
	return in_columns(at, JOB) && at[TOFU_Z];
}

static void on_event(struct torus_tracer *tracer, struct torus_domain *d, u32 what, u32 node,
		     u32 dir, u32 vc, const struct torus_packet *p)
{
	struct io_seen *seen = (struct io_seen *)tracer;
	u32 from[TOFU_AXES], at[TOFU_AXES];

	if (what != TORUS_TRACE_DELIVER && what != TORUS_TRACE_HOP)
		return;
	torus_geometry_coords(&d->f->cfg.geo, p->src, from);
	if (what == TORUS_TRACE_HOP) {
		torus_geometry_coords(&d->f->cfg.geo, node, at);
		seen->crossed += !computes(from) && at[TOFU_Z] && TORUS_DIM(dir) <= TOFU_Y;
	} else if (computes(from)) {
		seen->packets++;
		seen->ticks += d->now - p->born;
		seen->hash += torus_mix(p->src ^ torus_mix(p->dst ^ torus_mix(d->now)));
	} else {
		seen->io++;
	}
}

/* ------------------------------------------------------------------- sending */

static u32 node_at(const struct torus_geometry *g, u32 x, u32 y, u32 z, u32 slot)
{
	u32 at[TORUS_DIMS_MAX] = { x, y, z };

	tofu_slot_coords(slot, at);
	return torus_geometry_node(g, at);
}

/*
 * Select the destination of packet @number of a node: a node of the job, perhaps the node itself,
 * an I/O node, or a compute node that an I/O node sends to.
 */
static u32 destination(const struct torus_geometry *g, u32 node, const u32 *at, u64 number)
{
	u64 random = torus_mix(torus_mix(number) ^ node);
	u32 y = (u32)(random >> 8) % Y, slot = (u32)(random >> 16) % TOFU_GROUP;
	u32 x = (u32)(random >> 24) % SIDE, z = 1 + (u32)(random >> 32) % (Z - 1);

	if (computes(at))
		return node_at(g, JOB + x, y, z, slot);
	if (at[TOFU_Z])
		return node_at(g, FAR_SIDE + x, y, 0, slot);
	return node_at(g, IO_SIDE + x, y, z, slot);
}

/*
 * Return the ticks between two packets of the node at coordinates @at; 0 if the node sends no
 * packets.
 */
static u32 gap_of(const u32 *at, bool io)
{
	if (computes(at))
		return COMPUTE_GAP;
	if (io && ((in_columns(at, IO_SIDE) && at[TOFU_Z]) ||
		   (in_columns(at, FAR_SIDE) && !at[TOFU_Z])))
		return IO_GAP;
	return 0;
}

/*
 * Inject a packet. Skip the packet if @to is the node itself or if the FIFO has no space. Return:
 * false without memory.
 */
static bool send(struct torus_fabric *f, u32 node, u32 to, u64 number, u64 *sent)
{
	u32 fifo = (u32)(number % 4), chunks = BYTES / TOFU_CHUNK_BYTES;
	struct torus_domain *d = torus_domain_of(f, node);
	struct torus_packet packet = {
		.next = TORUS_NONE, .src = node, .dst = to, .seq = (u32)number,
		.body = TORUS_NONE, .born = torus_fabric_clock(f),
		.entered = torus_fabric_clock(f),
	};
	u32 pkt;

	if (to == node || f->router->inject_room(f, node, fifo) < chunks)
		return true;
	pkt = torus_pool_get(&d->pool);
	if (pkt == TORUS_NONE)
		return false;
	f->arch->make(f, &packet, chunks);
	f->arch->inject_route(f, node, &packet);
	torus_pool_fill(&d->pool, pkt, &packet);
	torus_stats_inject(d, torus_packet_at(d, pkt));
	f->router->inject(d, node, fifo, pkt);
	f->router->touch(f, node);
	++*sent;
	return true;
}

/*
 * Send a packet from each node whose interval ends at tick @now. The ticks at which a node sends do
 * not depend on other nodes. Return: false if there is no memory.
 */
static bool send_due(struct torus_fabric *f, u64 now, bool io, struct io_seen *seen)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 at[TOFU_AXES], node;
	u64 job = 0;

	for (node = 0; node < f->nodes; node++) {
		u32 gap, first;

		torus_geometry_coords(g, node, at);
		gap = gap_of(at, io);
		if (!gap)
			continue;
		first = (u32)torus_mix(node) % gap / STEP * STEP;
		if (now >= first && (now - first) % gap == 0)
			if (!send(f, node, destination(g, node, at, now / gap), now / gap,
				  computes(at) ? &job : &seen->io_sent))
				return false;
	}
	return true;
}

static int io_simulate(const char *order, bool io, struct io_seen *seen)
{
	static const u32 groups[TOFU_GROUP_AXES] = { COLUMNS, Y, Z };
	struct torus_config config;
	struct torus_fabric *f;
	struct torus_error err;
	bool sent = true;
	u64 now;

	*seen = (struct io_seen){ .tracer.event = on_event };
	if (torus_arch_config(&config, "tofu", &err) ||
	    torus_config_shape(&config, TOFU_GROUP_AXES, groups, 1 << TOFU_X | 1 << TOFU_Z, &err) ||
	    torus_config_set(&config, "io_order", order, &err) ||
	    torus_fabric_create(&config, &f, &err))
		return sim_reject("%s", err.text);
	f->domain[0].tracer = &seen->tracer;
	for (now = 0; sent && now < TICKS; now += STEP) {
		sent = send_due(f, now, io, seen);
		torus_fabric_run(f, now + STEP, 0, 1);
	}
	torus_fabric_run(f, ~0ull - 1, 0, 1);
	torus_fabric_destroy(f);
	return sent ? SIM_OK : sim_error("out of memory for a packet at tick %llu", now);
}

static int run_io(const char *order, bool io, struct io_seen *seen)
{
	int status;

	if (paper_gather(seen, sizeof(*seen), &status))
		return status;
	return paper_gather_keep(seen, sizeof(*seen), io_simulate(order, io, seen));
}

static int run_4(const struct paper_source *source, const struct paper_request *request,
		 struct paper_figure *figure)
{
	struct io_seen alone, both, exchanged;
	double begin = paper_cpu_s();
	struct paper_row *row;
	int status;

	snprintf(figure->says, PAPER_TEXT_MAX,
		 "Nodes at z = 0 are the I/O network, others compute. \"Rather than have I/O "
		 "communication pass the x-axis and y-axis on the computation network, it is "
		 "preferable that it only pass the z-axis\": computation nodes transmit with the "
		 "z-axis first, I/O nodes with the z-axis last. There is no number.");
	snprintf(figure->configuration, PAPER_TEXT_MAX,
		 "%ux%ux%u groups, x and z meshes: nodes at x = 0 and 1, z > 0 send to I/O nodes "
		 "at x = 4 and 5, and those back, a packet of %u bytes every %u ticks if there is "
		 "room; between them nodes at x = 2 and 3, z > 0 send to each other every %u "
		 "ticks; %u ticks. "
		 "Exchanged: io_order=first", COLUMNS, Y, Z, BYTES, IO_GAP, COMPUTE_GAP, TICKS);
	status = run_io("last", false, &alone);
	if (!status)
		status = run_io("last", true, &both);
	if (!status)
		status = run_io("first", true, &exchanged);
	if (status)
		return status;
	row = paper_value(figure, "packets", (double)both.io,
			  "io|I/O packets delivered; other: sent");
	paper_near(row, PAPER_OURS, (double)both.io_sent, WHOLE);
	row = paper_value(figure, "packets", (double)both.crossed,
			  "io-crossed|x and y links at z > 0 taken by them");
	paper_near(row, PAPER_PRINTED, 0, WHOLE);
	paper_value(figure, "packets", (double)exchanged.crossed,
		    "orders exchanged: the same");
	row = paper_value(figure, "of 1",
			  alone.packets && alone.packets == both.packets && alone.hash == both.hash,
			  "job|job's deliveries beside I/O, as alone");
	paper_near(row, PAPER_DERIVED, 1, 0.5);
	row = paper_value(figure, "ticks", (double)both.ticks / (double)both.packets,
			  "job-latency|mean latency of the job's packets");
	paper_near(row, PAPER_OURS, (double)alone.ticks / (double)alone.packets, TINY);
	row = paper_row(figure, "orders exchanged: it rises by");
	paper_id(row, "exchanged");
	row->unit = "%";
	row->ours = HUNDRED * ((double)exchanged.ticks / (double)exchanged.packets /
			       ((double)alone.ticks / (double)alone.packets) - 1);
	paper_bound(row, PAPER_GOAL, PAPER_AT_LEAST, RISES);
	figure->cpu_s += paper_cpu_s() - begin;
	return SIM_OK;
}

const struct paper_source paper_tofu_io[] = {
	{ "tofu-fig4", "Tofu: I/O packets beside a computation", run_4, NULL },
	{ }
};
