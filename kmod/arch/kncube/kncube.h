/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The k-ary n-cube: declarations shared by its files. With infinite buffers, the machine is the
 * model of Liu et al. (2012) (router.c). With finite buffers, it has a buffered router (routing.h).
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

/* Values of parameter `buffers`. */
enum { KN_INFINITE, KN_FINITE };

#define KN_PARAMS	(KN_P_END - TORUS_P_MACHINE)

/**
 * struct kn_fields - a packet's next hops with infinite buffers, in torus_packet.header
 * @left: hops left in the current dimension
 * @coord: the packet's coordinate in that dimension
 * @dir: direction, two per dimension
 */
struct kn_fields {
	u32 left;
	u16 coord;
	u8 dir;
	u8 spare;
};

/* Flag in kn_bound.ways: the packet has not reached its relay yet. */
#define KN_RELAYED	(1u << 31)

/**
 * struct kn_bound - a packet's path with finite buffers, in torus_packet.header
 * @ways: mask of the directions left on a shortest path, and KN_RELAYED
 * @relay: Valiant's relay, until the packet has reached it
 */
struct kn_bound {
	u32 ways;
	u32 relay;
};

_Static_assert(sizeof(struct kn_bound) <= TORUS_HEADER_MAX, "fields of a packet");

struct kn_queue;

/**
 * struct kn_machine - parameters in the form that the hot loop uses
 * @timing: finite buffers: timing of each link
 * @geo: the shape
 * @link_delay: ticks of a hop in addition to the packet's bytes (virtual channel set-up)
 * @processing: ticks of the processing unit per packet
 * @buffer: finite buffers: chunks of a VC's buffer
 * @vcs: use of the VCs
 * @free_mask: the alternatives of @vcs.free, in all directions
 * @valiant: packets travel through a relay
 * @turns: true: arbiters are round robin; false: the oldest packet is first
 * @queues: infinite buffers: for each node, the queues of its links (see link_queue.h); NULL: no
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

/* One of the three routers compiled from routing.h. */
struct kn_router {
	struct torus_router_ops ops;
	u32 dims;
	void (*reset)(struct torus_fabric *f, u32 node);
};

extern const struct kn_router kn_router_three;
extern const struct kn_router kn_router_seven;
extern const struct kn_router kn_router_ten;

#endif
