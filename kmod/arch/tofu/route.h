/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The next hop of a packet (Ajima et al. (2009), Multipath routing function, I/O communication
 * routing).
 *
 * A packet has three phases: along a, b, c to the relay, a node of the source's group; along x,
 * y, z to the destination's group; along a, b, c to the destination. Each phase takes its axes
 * one after the other, and each axis in the shorter direction. The relay's a, b, c are the
 * path: there are twelve for each pair.
 *
 * The paper leaves the following open, so these are our choices:
 * - VCs: two groups of two. In a group of nodes the first phase uses VC 0, the last VC 1. The
 *   dateline of a ring is the link between its highest coordinate and 0. In the second phase a
 *   packet that will cross the dateline enters the ring on VC 0, crosses on VC 0, and continues
 *   on VC 1. A packet that will not cross it stays on VC 0 or 1, by the parity of its
 *   destination.
 * - Orders: VCs 0 and 1 take z, x, y; VCs 2 and 3 take x, y, z.
 * - Halfway round a ring both directions are equally long. A packet goes plus if the sum of
 *   this coordinate and the destination's other five is even.
 *
 * Deadlock freedom, for packets of any size: a waiting packet is completely in one VC's buffer,
 * and waits for space in one other. In each group of VCs packets wait only upwards in the order
 *
 *   a, b, c of VC 0  <  first axis VC 0 < VC 1  <  second  <  third  <  a, b, c of VC 1
 *
 * The reasons: a and c have no ring; no phase takes more than one link of b; on a longer ring
 * no packet continues on VC 0 after the dateline, and no packet on VC 1 crosses it. No rule
 * depends on the free space of a whole ring, which packets of several sizes fragment.
 * user/route/deadlock verifies this with this function.
 */
#ifndef TORUS_ARCH_TOFU_ROUTE_H
#define TORUS_ARCH_TOFU_ROUTE_H

#include "arch/tofu/geometry.h"

#define TOFU_PATHS	TOFU_GROUP
#define TOFU_VCS	4u

/* Orders of x, y, z, each with its own VCs. */
enum tofu_order {
	TOFU_Z_FIRST,		/* z, x, y: from compute nodes, z > 0 */
	TOFU_Z_LAST,		/* x, y, z: from I/O nodes, z = 0 */
	TOFU_ORDERS,
};

enum tofu_phase { TOFU_TO_RELAY, TOFU_TO_GROUP, TOFU_TO_NODE };

/**
 * enum tofu_policy - rule that selects a packet's path
 *
 * @TOFU_FIXED: one path per pair, through the relay with the destination's position in its
 *     group
 * @TOFU_HASH: one path per pair, by a hash of both numbers
 * @TOFU_ROUNDROBIN: all twelve paths in turn, for all packets of a source. A source that sends
 *     to twelve nodes in turn therefore uses one path for each of them.
 */
enum tofu_policy { TOFU_FIXED, TOFU_HASH, TOFU_ROUNDROBIN, TOFU_POLICIES };

/* Names of enum tofu_policy, NULL-terminated. */
extern const char *const tofu_policy_names[];

/*
 * Next axis in the second phase, by order, and by the bit mask of the axes in which the packet
 * still has hops.
 */
extern const u8 tofu_next_axis[TOFU_ORDERS][1u << TOFU_GROUP_AXES];

/* Direction within a group from slot to slot, along a, then b, then c; TOFU_DIRS: same slot. */
extern const u8 tofu_group_dirs[TOFU_GROUP][TOFU_GROUP];

/**
 * struct tofu_way - routing fields of a packet's header
 *
 * @dest: coordinates of the destination
 * @path: number of the relay in the source's group
 * @order: enum tofu_order
 */
struct tofu_way {
	u32 dest[TOFU_AXES];
	u32 path;
	u32 order;
};

/**
 * struct tofu_hop - a link that a packet takes
 *
 * @phase: enum tofu_phase
 * @dir: direction; TORUS_NONE before the first hop
 * @vc: VC on the link
 */
struct tofu_hop {
	u32 phase;
	u32 dir;
	u32 vc;
};

/* The previous hop of a packet that enters the network. */
#define TOFU_HOP_FIRST	((struct tofu_hop){ .phase = TOFU_TO_RELAY, .dir = TORUS_NONE })

u32 tofu_order_of(const u32 *coords);
u32 tofu_path_fixed(const u32 *dest);
u32 tofu_path_hash(u32 source, u32 dest);
u32 tofu_path_apart(const u32 *at, const u32 *dest, u32 number);
u32 tofu_path_of(const struct torus_geometry *g, enum tofu_policy policy, u32 source, u32 dest);

#endif
