/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The next hop of a packet (Ajima et al. (2009), Multipath routing function, I/O communication
 * routing).
 *
 * Three phases: along a, b, c to the relay, a node of the source's group; along x, y, z to the
 * destination's group; along a, b, c to the destination.  Each takes its axes one after the
 * other, each axis the shorter way.  The relay's a, b, c are the path: twelve for each pair.
 *
 * What the paper leaves open is chosen here:
 *
 * - VCs: two groups of two.  In a group the first phase goes on VC 0, the last on VC 1.  In the
 *   second phase a packet that will pass the end of a ring (from the highest coordinate to 0
 *   or back, the dateline) enters the ring on VC 0, passes the dateline on VC 0, and is on
 *   VC 1 behind it; one that will not stays on either, by the parity of its destination.
 * - Orders: VCs 0 and 1 take z, x, y; VCs 2 and 3 take x, y, z.
 * - Halfway round a ring both ways are equally long: plus where this coordinate and the
 *   destination's other five have an even sum.
 *
 * Why nothing deadlocks, whatever the packets' sizes: a packet that waits stands whole in one
 * VC's buffer, and waits for room in one.  Of each group of VCs
 *
 *   a, b, c of VC 0  <  first axis VC 0 < VC 1  <  second  <  third  <  a, b, c of VC 1
 *
 * is an order in which nobody waits backwards: a and c have no ring, of b no phase takes more
 * than one link, and on VC 0 of a longer ring nothing goes on behind the dateline, on VC 1
 * nothing passes it.  No rule counts a ring's free space, which packets of several sizes
 * leave in pieces.  user/route/proof checks it over this very function.
 */
#ifndef TORUS_ARCH_TOFU_ROUTE_H
#define TORUS_ARCH_TOFU_ROUTE_H

#include "arch/tofu/geometry.h"

#define TOFU_PATHS	TOFU_GROUP
#define TOFU_VCS	4u

/* Orders of x, y, z, each with VCs of its own. */
enum tofu_order {
	TOFU_Z_FIRST,		/* z, x, y: from compute nodes, z > 0 */
	TOFU_Z_LAST,		/* x, y, z: from I/O nodes, z = 0 */
	TOFU_ORDERS,
};

enum tofu_phase { TOFU_TO_RELAY, TOFU_TO_GROUP, TOFU_TO_NODE };

/**
 * enum tofu_policy - who takes which path
 * @TOFU_FIXED: each pair one, through the relay that stands in its group as the destination
 * @TOFU_HASH: each pair one, by a hash of both numbers
 * @TOFU_ROUNDROBIN: all twelve in turn, of a source's packets, whatever their destinations:
 *                   who sends to twelve nodes in turn gives each of them one
 */
enum tofu_policy { TOFU_FIXED, TOFU_HASH, TOFU_ROUNDROBIN, TOFU_POLICIES };

/* Their names, NULL-terminated. */
extern const char *const tofu_policy_names[];

/* The second phase: of the axes still to go, bits, the next one. */
extern const u8 tofu_next_axis[TOFU_ORDERS][1u << TOFU_GROUP_AXES];

/* Within a group: the direction from slot to slot, along a, b, c in turn; TOFU_DIRS: none. */
extern const u8 tofu_group_dirs[TOFU_GROUP][TOFU_GROUP];

/**
 * struct tofu_way - what a packet's header says of its way
 * @dest: coordinates of the destination
 * @path: the relay's number in the source's group
 * @order: enum tofu_order
 */
struct tofu_way {
	u32 dest[TOFU_AXES];
	u32 path;
	u32 order;
};

/**
 * struct tofu_hop - a link that a packet takes
 * @phase: enum tofu_phase
 * @dir: direction, TORUS_NONE before the first hop
 * @vc: VC
 */
struct tofu_hop {
	u32 phase;
	u32 dir;
	u32 vc;
};

/* A packet that enters the network. */
#define TOFU_HOP_FIRST	((struct tofu_hop){ .phase = TOFU_TO_RELAY, .dir = TORUS_NONE })

u32 tofu_order_of(const u32 *coords);
u32 tofu_path_fixed(const u32 *dest);
u32 tofu_path_hash(u32 source, u32 dest);
u32 tofu_path_apart(const u32 *at, const u32 *dest, u32 number);
u32 tofu_path_of(const struct torus_geometry *g, enum tofu_policy policy, u32 source, u32 dest);

#endif
