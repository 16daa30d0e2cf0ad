/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The k-ary n-cube: declarations shared by its files. With infinite buffers, the machine is the
 * model of Liu et al. (2012) (station_router.c). With finite buffers, it has a buffered router
 * (routing.h).
 */
#ifndef TORUS_ARCH_KNCUBE_H
#define TORUS_ARCH_KNCUBE_H

#include "arch/kncube/routing_rules.h"
#include "core/link/link.h"
#include "core/state/arch.h"
#include "core/state/domain.h"
#include "core/state/router_ops.h"
#include "core/base/packet.h"

#define KNCUBE_CHUNK_BYTES	32
#define KNCUBE_PACKET_CHUNKS	8
#define KNCUBE_PACKET_BYTES	(KNCUBE_PACKET_CHUNKS * KNCUBE_CHUNK_BYTES)
#define KNCUBE_VC_BYTES_MAX	4096
#define KNCUBE_FIFOS		8	/* injection FIFOs of a node */

enum kncube_param {
	KNCUBE_P_LINK_DELAY = TORUS_P_MACHINE,
	KNCUBE_P_PROCESSING,
	KNCUBE_P_BUFFERS,
	KNCUBE_P_ROUTING,
	KNCUBE_P_ESCAPE,
	KNCUBE_P_VCS,
	KNCUBE_P_VC_BYTES,
	KNCUBE_P_LATENCY,
	KNCUBE_P_CREDIT_DELAY,
	KNCUBE_P_ARBITRATION,
	KNCUBE_P_END,
};

/* Values of parameter `buffers`. */
enum { KNCUBE_INFINITE, KNCUBE_FINITE };

#define KNCUBE_PARAMS	(KNCUBE_P_END - TORUS_P_MACHINE)

/**
 * struct kncube_fields - a packet's next hops with infinite buffers, in torus_packet.header
 * @left: hops left in the current dimension
 * @coord: the packet's coordinate in that dimension
 * @dir: direction, two per dimension
 */
struct kncube_fields {
	u32 left;
	u16 coord;
	u8 dir;
	u8 spare;
};

/* Flag in kncube_bound.ways: the packet has not reached its relay yet. */
#define KNCUBE_RELAYED	(1u << 31)

/**
 * struct kncube_bound - a packet's path with finite buffers, in torus_packet.header
 * @ways: mask of the directions left on a shortest path, and KNCUBE_RELAYED
 * @relay: Valiant's relay, until the packet has reached it
 */
struct kncube_bound {
	u32 ways;
	u32 relay;
};

_Static_assert(sizeof(struct kncube_bound) <= TORUS_HEADER_MAX, "fields of a packet");

struct kncube_queue;

/**
 * struct kncube_machine - parameters in the form that the hot loop uses
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
struct kncube_machine {
	struct torus_link_timing timing;
	const struct torus_geometry *geo;
	u32 link_delay;
	u32 processing;
	u32 buffer;
	struct kncube_vcs vcs;
	u64 free_mask;
	bool valiant;
	bool turns;
	struct kncube_queue **queues;
};

/* One of the three routers compiled from routing.h. */
struct kncube_router {
	struct torus_router_ops ops;
	u32 dims;
	void (*reset)(struct torus_fabric *f, u32 node);
};

extern const struct kncube_router kncube_router_3d;
extern const struct kncube_router kncube_router_7d;
extern const struct kncube_router kncube_router_10d;

#endif
