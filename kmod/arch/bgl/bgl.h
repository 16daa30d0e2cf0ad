/* SPDX-License-Identifier: GPL-2.0 */
/* Blue Gene/L: definitions that its files share. */
#ifndef TORUS_ARCH_BGL_H
#define TORUS_ARCH_BGL_H

#include "core/state/arch.h"
#include "core/state/domain.h"
#include "core/link/link.h"
#include "core/base/packet.h"
#include "header.h"
#include "hints.h"

#define BGL_DIRS		6
#define BGL_VCS_MAX		7
#define BGL_SLOTS_MAX		(BGL_DIRS * BGL_VCS_MAX + 8)
#define BGL_GROUPS		2
#define BGL_CHUNK_BYTES		32
#define BGL_PACKET_CHUNKS	8
#define BGL_FIFO_CHUNKS		32
#define BGL_ESCAPE_BYTES_MIN	512
/* CRC-24, valid byte, acknowledgement, gap: 4 + 8 + 2 (paper, Alltoall: 270 = 256 + 4 + 8 + 2) */
#define BGL_OVERHEAD_TICKS	14
#define BGL_CONTROL_TICKS	8		/* of these ticks: acknowledgement, tokens */
#define BGL_MIDPLANE		8		/* nodes of a midplane in each dimension */
#define BGL_BYPASS_OPEN		127		/* greatest threshold, at boot in register 07 */

/* Indices of the machine's own parameters, in the order of bgl_params[]. */
#define BGL_PARAMS	(BGL_P_END - TORUS_P_MACHINE)

enum bgl_param {
	BGL_P_ROUTING = TORUS_P_MACHINE,
	BGL_P_HINTS,
	BGL_P_BUBBLE,
	BGL_P_JSQ,
	BGL_P_SLQ_FRACTION,
	BGL_P_IN_NETWORK_FRACTION,
	BGL_P_STRICT_INJECTION,
	BGL_P_BUSES,
	BGL_P_DYNAMIC_VCS,
	BGL_P_VC_BYTES,
	BGL_P_LATENCY,
	BGL_P_ACK_DELAY,
	BGL_P_TIMEOUT,
	BGL_P_RETRIES,
	BGL_P_ESCAPE,
	BGL_P_ESCAPE_ORDER,
	BGL_P_ESCAPE_BYTES,
	BGL_P_BYPASS,
	BGL_P_VC_DELAY,
	BGL_P_ARBITER_GAP,
	BGL_P_LINK_MBPS,
	BGL_P_MIDPLANE_TICKS,
	BGL_P_RACK_TICKS,
	BGL_P_UNBLOCKING,
	BGL_P_CONTROL,
	BGL_P_END,
};

enum { BGL_ROUTING_DYNAMIC, BGL_ROUTING_DETERMINISTIC };
enum { BGL_HINTS_AUTHENTIC, BGL_HINTS_MINIMAL };
enum { BGL_BUBBLE_FULL, BGL_BUBBLE_PLAIN, BGL_BUBBLE_ONE };
enum { BGL_ESCAPE_BUBBLE, BGL_ESCAPE_DATELINE };
enum { BGL_ORDER_DIMENSION, BGL_ORDER_DIRECTION };
enum { BGL_CABLE_SHORT, BGL_CABLE_MIDPLANE, BGL_CABLE_RACK };

/* Blue Gene/L's use of torus_packet.header. */
struct bgl_fields {
	u8 hints;
	u8 dynamic;
	u8 dest[3];
	u8 csum_skip;
	u8 crossed;		/* datelines that the packet has crossed, one bit per dimension */
	u8 vc : 2;
	u8 pid : 1;
	u8 sk : 1;
	u8 sw : 2;
	u8 dp : 1;
};

torus_inline struct bgl_fields *bgl_fields(struct torus_packet *p)
{
	return (struct bgl_fields *)p->header;
}

torus_inline const struct bgl_fields *bgl_fields_const(const struct torus_packet *p)
{
	return (const struct bgl_fields *)p->header;
}

/**
 * struct bgl_regs - registers of a node, stored outside of the hot loop's nodes
 *
 * @plus: coordinates of the plus neighbours (register 03)
 * @minus: coordinates of the minus neighbours (register 04)
 * @cutoff: cutoffs (registers 05, 06)
 * @timeout: retransmission time-outs by direction, in ticks (registers 08-0A)
 * @arbitration: register 0B
 * @bypass: register 07: a receiver's bypass is closed while D0, D1, BN or BP holds more chunks
 * @clock_ratio: register 0C
 * @links: register 12
 */
struct bgl_regs {
	u8 plus[3];
	u8 minus[3];
	struct bgl_cutoff cutoff[3];
	u16 timeout[BGL_DIRS];
	u32 arbitration;
	u8 bypass[4];
	u8 clock_ratio;
	u32 links;
};

/* VCs that registers show, in the order of their bits and bytes. */
enum { BGL_REG_D0, BGL_REG_D1, BGL_REG_BN, BGL_REG_BP, BGL_REG_VCS };

struct bgl_errors;
struct torus_snapshot;

/*
 * Code of a packet's set of alternatives: its hint bits, and the flags below. The flags determine
 * the VCs that the packet may use in the hinted directions. A deterministic packet of normal
 * priority has neither DYNAMIC nor PRIORITY.
 */
enum bgl_way {
	BGL_WAY_DYNAMIC = 1 << 6,
	BGL_WAY_PRIORITY = 2 << 6,
	/* with a pair of escape VCs: the packet uses the second escape VC */
	BGL_WAY_CROSSED = 4 << 6,
	BGL_WAYS_NARROW = 3 << 6,
	BGL_WAYS_WIDE = 8 << 6,
};

/**
 * struct bgl_machine - parameters in the form that the hot loop uses
 *
 * @timing: timing of every link without a cable; the time-out, as at boot
 * @want: masks of alternatives, indexed by code (enum bgl_way); the mask's width depends on the
 *   router
 * @vc_chunks: size of a dynamic VC's buffer in chunks
 * @capacity: size of each VC's buffer in chunks
 * @room: for each VC and count of tokens: result of machine_room()
 * @range_scale: factor from a VC's tokens to a two-bit range, in units of 2^-16
 * @fullness_scale: factor from a slot's chunks to a two-bit fullness, in units of 2^-16
 * @enter_chunks: tokens that a packet needs to enter a bubble VC
 * @bubble_vcs: bit v: VC v is a bubble VC
 * @midplane_ticks: latency that a cable between midplanes adds
 * @rack_ticks: latency that a cable between racks adds
 * @overhead: ticks of a packet on a link beyond its chunks
 * @vc_delay: ticks through a VC buffer, which the bypass avoids
 * @buses: transfer buses of a receiver
 * @jsq: join the shortest queue; false: choose at random
 * @plain: packets on the bubble VC take tokens for their true size
 * @bypass: packets may pass a node without entering a VC buffer
 * @gap: a receiver's arbiter misses a cycle after all requested outputs were busy
 * @dateline: the escape is a pair of VCs with a dateline in each dimension
 * @control_ticks: ticks of a control packet on a link; 0: they are charged to the data packets
 * @unblocking: count the returned tokens that unblock a packet
 * @strict_injection: injection may not take a link that a packet of the network wants
 * @slq: default fraction of SLQ cycles, in 256ths; 255: all
 * @inject_first: default fraction of cycles that prefer injection, in 256ths; 255: all
 * @boot: cutoffs that software sets at boot, by dimension and coordinate
 * @regs: cold registers of each node; NULL while none of them was written, see bgl_regs_get()
 * @resend_base: base of the resend pointers by node and direction, modulo 256; NULL while all are
 *   0, see registers_resend.c
 * @cold: data of enabled options for each node, see machine_cold()
 * @cold_bytes: size of @cold
 * @errors: error registers by domain and node; NULL before the domain's first error
 *   or write to such a register
 */
struct bgl_machine {
	struct torus_link_timing timing;
	u32 vc_chunks;
	u32 enter_chunks;
	u32 bubble_vcs;
	u32 buses;
	u32 midplane_ticks;
	u32 rack_ticks;
	u32 overhead;
	u32 vc_delay;
	u32 control_ticks;
	u32 range_scale[BGL_VCS_MAX];
	u16 fullness_scale[BGL_SLOTS_MAX];
	u8 capacity[BGL_VCS_MAX];
	u8 room[BGL_VCS_MAX][256];
	bool bypass;
	bool gap;
	bool dateline;
	bool unblocking;
	bool jsq;
	bool plain;
	bool strict_injection;
	u8 slq;
	u8 inject_first;
	struct bgl_cutoff boot[BGL_DIMS][BGL_LENGTH_MAX];
	struct bgl_regs *regs;
	u8 (*resend_base)[BGL_DIRS];
	void *cold;
	size_t cold_bytes;
	/*
	 * after the small members, because it is large: its beginning then shares a page with them
	 */
	union {
		u32 narrow[BGL_WAYS_NARROW];
		u64 wide[BGL_WAYS_WIDE];
	} want;
	struct bgl_errors *errors[TORUS_DOMAINS_MAX];
};

torus_inline struct bgl_machine *bgl_machine(struct torus_fabric *f)
{
	return f->machine;
}

/**
 * struct bgl_router - one of the machine's two compiled routers
 *
 * @ops: interface for the core
 * @fill_room: recompute the table of machine_room() after a change of parameters
 * @node_reset: reset the router of a node
 * @set_neighbor: set a neighbour coordinate register, with which packets are compared when they
 *   depart
 * @get_neighbor: get a neighbour coordinate register
 * @set_arbitration: apply register 0B to the arbiters
 * @set_bypass: report whether a threshold of register 07 can be exceeded
 * @vc_tokens: tokens of a sender, one byte per VC (registers 3E-43)
 * @vc_fullness: chunks in a receiver's VCs, one byte per VC (registers 38-3D)
 * @reg_vc: BGL_REG_*, the VC that stands for a VC in registers
 * @inject_chunks: chunks in an injection FIFO, numbered through both groups
 */
struct bgl_router {
	struct torus_router_ops ops;
	void (*fill_room)(struct bgl_machine *m);
	void (*node_reset)(struct torus_fabric *f, u32 node);
	void (*set_neighbor)(struct torus_fabric *f, u32 node, u32 dir, u8 coord);
	u8 (*get_neighbor)(struct torus_fabric *f, u32 node, u32 dir);
	void (*set_arbitration)(struct torus_fabric *f, u32 node, u8 slq, u8 inject_first);
	void (*set_bypass)(struct torus_fabric *f, u32 node, bool watched);
	u32 (*vc_tokens)(struct torus_fabric *f, u32 node, u32 dir);
	u32 (*vc_fullness)(struct torus_fabric *f, u32 node, u32 dir);
	u32 (*reg_vc)(u32 vc);
	u32 (*inject_chunks)(struct torus_fabric *f, u32 node, u32 fifo);
};

extern const struct bgl_router bgl_own_router;	/* the machine's own router, in router.c */
/* the design studies' router, router_study.c */
extern const struct bgl_router bgl_study_router;

torus_inline const struct bgl_router *bgl_router_of(const struct torus_fabric *f)
{
	return (const struct bgl_router *)f->router;
}

torus_inline void bgl_set_neighbor(struct torus_fabric *f, u32 node, u32 dir, u8 coord)
{
	bgl_router_of(f)->set_neighbor(f, node, dir, coord);
}

torus_inline u8 bgl_get_neighbor(struct torus_fabric *f, u32 node, u32 dir)
{
	return bgl_router_of(f)->get_neighbor(f, node, dir);
}

torus_inline void bgl_set_arbitration(struct torus_fabric *f, u32 node, u8 slq, u8 inject_first)
{
	bgl_router_of(f)->set_arbitration(f, node, slq, inject_first);
}

torus_inline u32 bgl_vc_tokens(struct torus_fabric *f, u32 node, u32 dir)
{
	return bgl_router_of(f)->vc_tokens(f, node, dir);
}

torus_inline u32 bgl_vc_fullness(struct torus_fabric *f, u32 node, u32 dir)
{
	return bgl_router_of(f)->vc_fullness(f, node, dir);
}

torus_inline u32 bgl_inject_chunks(struct torus_fabric *f, u32 node, u32 fifo)
{
	return bgl_router_of(f)->inject_chunks(f, node, fifo);
}

/*
 * Return the cutoffs of a node with coordinates @own. @boot: scratch space for three entries, used
 * if no register was written.
 */
torus_inline const struct bgl_cutoff *bgl_cutoffs_of(const struct bgl_machine *m, u32 node,
						     const u8 *own, struct bgl_cutoff *boot)
{
	u32 dim;

	if (torus_unlikely(m->regs))
		return m->regs[node].cutoff;
	for (dim = 0; dim < BGL_DIMS; dim++)
		boot[dim] = m->boot[dim][own[dim]];
	return boot;
}

#endif
