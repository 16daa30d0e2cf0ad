/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The k-ary n-cube: declarations that its files share.  With infinite buffers it is the
 * model of Liu et al. (2012) (router.c), with finite ones a buffered router (routing.h).
 */
#ifndef TORUS_ARCH_KNCUBE_H
#define TORUS_ARCH_KNCUBE_H

#include "arch/kncube/way.h"
#include "core/link/link.h"
#include "core/state/arch.h"
#include "core/state/domain.h"
#include "core/state/router_ops.h"
#include "core/base/packet.h"

#define KN_CHUNK_BYTES		32
#define KN_PACKET_CHUNKS	8
#define KN_PACKET_BYTES		(KN_PACKET_CHUNKS * KN_CHUNK_BYTES)
#define KN_VC_BYTES_MAX		4096
#define KN_FIFOS		8	/* injection FIFOs of a node */

enum kn_param {
	KN_P_LINK_DELAY = TORUS_P_MACHINE,
	KN_P_PROCESSING,
	KN_P_BUFFERS,
	KN_P_ROUTING,
	KN_P_ESCAPE,
	KN_P_VCS,
	KN_P_VC_BYTES,
	KN_P_LATENCY,
	KN_P_CREDIT_DELAY,
	KN_P_ARBITRATION,
	KN_P_END,
};

/* Values of `buffers`. */
enum { KN_INFINITE, KN_FINITE };

#define KN_PARAMS	(KN_P_END - TORUS_P_MACHINE)

/**
 * struct kn_fields - a packet's way, in torus_packet.header
 * @left: hops left in the dimension it travels in
 * @coord: its coordinate there
 * @dir: direction, 2 a dimension
 */
struct kn_fields {
	u32 left;
	u16 coord;
	u8 dir;
	u8 spare;
};

/* In kn_bound.ways: the packet is on its way to its relay. */
#define KN_RELAYED	(1u << 31)

/**
 * struct kn_bound - a packet's way with finite buffers, in torus_packet.header
 * @ways: directions that are left of a shortest way, a bit each; KN_RELAYED
 * @relay: Valiant's node, on the way there
 */
struct kn_bound {
	u32 ways;
	u32 relay;
};

_Static_assert(sizeof(struct kn_bound) <= TORUS_HEADER_MAX, "fields of a packet");

struct kn_queue;

/**
 * struct kn_machine - parameters as the hot loop wants them
 * @timing: finite buffers: of every link
 * @geo: the shape
 * @link_delay: ticks of a hop besides the packet's bytes (virtual channel set-up)
 * @processing: ticks of the processing unit a packet
 * @buffer: finite buffers: chunks of a VC's
 * @vcs: what VCs are for
 * @free_mask: the alternatives of @vcs.free, of every direction
 * @valiant: packets go by a relay
 * @turns: arbiters go round, else the oldest packet is first
 * @queues: infinite buffers: for each node the queues of its links, see link_queue.h; NULL: no
 *          packet has waited there yet
 */
struct kn_machine {
	struct torus_link_timing timing;
	const struct torus_geometry *geo;
	u32 link_delay;
	u32 processing;
	u32 buffer;
	struct kn_vcs vcs;
	u64 free_mask;
	bool valiant;
	bool turns;
	struct kn_queue **queues;
};

/* What the three compilations of routing.h offer. */
struct kn_router {
	struct torus_router_ops ops;
	u32 dims;
	void (*reset)(struct torus_fabric *f, u32 node);
};

extern const struct kn_router kn_router_three;
extern const struct kn_router kn_router_seven;
extern const struct kn_router kn_router_ten;

#endif
