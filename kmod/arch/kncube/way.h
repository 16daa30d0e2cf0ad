/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Routing rules with finite buffers: the directions that a packet may take, and the VCs.
 *
 * The functions depend only on their arguments. The router uses them, and user/route's check
 * follows them to prove that packets cannot wait for each other in a cycle.
 *
 *   dor        the highest remaining dimension first (e-cube), the shorter way around
 *   adaptive   any direction of a shortest path on the free VCs; the path of dor on the
 *              escape VCs, for which a packet may always wait
 *   valiant    dor to a random node, and from there dor to the destination; each of the
 *              two phases has its own VCs (Valiant)
 *
 * In a ring, packets could wait for each other in a cycle. With `escape=dateline`, there are two
 * kinds of VCs. A packet that has still to cross the ring's last link uses the first kind, any
 * other packet the second. VCs of the second kind never lead over that link, those of the first
 * kind end with it (Dally and Seitz (1987)). With `escape=bubble`, a packet enters a VC of a ring
 * only if the buffer has free space for two packets. It stays in that VC while it continues along
 * the ring. Each ring of buffers thus keeps free space for one packet.
 */
#ifndef TORUS_ARCH_KNCUBE_WAY_H
#define TORUS_ARCH_KNCUBE_WAY_H

#include "core/env.h"
#include "core/base/geometry.h"

#define KN_VCS_MAX	4

enum kn_routing {
	KN_DOR,
	KN_ADAPTIVE,
	KN_VALIANT,
};

enum kn_escape {
	KN_BUBBLE,
	KN_DATELINE,
};

/* Phase of a packet: Valiant's packets travel to a relay first. */
enum kn_phase {
	KN_TO_RELAY,
	KN_TO_END,
	KN_PHASES,
};

/**
 * struct kn_vcs - uses of the VCs of a link, as masks
 * @free: VCs on which packets take any direction of a shortest path
 * @ahead: by enum kn_phase: VCs in dimension order, for packets that have still to cross a ring's
 *         last link
 * @behind: by enum kn_phase: VCs in dimension order, for all other packets
 * @bubble: VCs whose rings keep a bubble
 */
struct kn_vcs {
	u8 free;
	u8 ahead[KN_PHASES];
	u8 behind[KN_PHASES];
	u8 bubble;
};

/**
 * struct kn_hop - the previous or the next link of a packet
 * @dir: direction
 * @vc: VC
 */
struct kn_hop {
	u32 dir;
	u32 vc;
};

/* The previous link of a packet in an injection FIFO, which has crossed no link. */
#define KN_HOP_NONE	((struct kn_hop){ .dir = TORUS_NONE })

/**
 * struct kn_choice - next hop of a packet in dimension order
 * @dir: direction
 * @vcs: mask of VCs that the packet may take
 * @on: the packet enters no ring: it continues in its ring, or its dimension is a mesh. It then
 *   needs space for one packet of maximum length, see kn_room(). A packet that enters a bubble VC
 *   needs space for two
 */
struct kn_choice {
	u32 dir;
	u32 vcs;
	bool on;
};

/*
 * Return the next direction in dimension order: that of the highest dimension in @ways, which is
 * not 0.
 */
torus_inline u32 kn_first(u32 ways)
{
	return 31 - (u32)__builtin_clz(ways);
}

/**
 * kn_ordered() - return the next hop of a packet in dimension order
 * @v: use of the VCs
 * @g: the shape
 * @ways: directions of its shortest path, not 0
 * @phase: enum kn_phase
 * @at: the packet's coordinate in the dimension of kn_first()
 * @to: the target's coordinate in that dimension
 * @came: the packet's previous link
 *
 * Return: direction and VCs.
 */
torus_inline struct kn_choice kn_ordered(const struct kn_vcs *v, const struct torus_geometry *g,
					 u32 ways, enum kn_phase phase, u32 at, u32 to,
					 struct kn_hop came)
{
	u32 dir = kn_first(ways), mesh = g->mesh >> TORUS_DIM(dir) & 1;
	bool ahead = TORUS_MINUS(dir) ? to > at : to < at;
	u32 vcs = ahead ? v->ahead[phase] : v->behind[phase];

	if (mesh)
		return (struct kn_choice){
			.dir = dir, .vcs = v->ahead[phase] | v->behind[phase], .on = true,
		};
	/* a packet that continues in a ring's bubble VC stays in this VC */
	if (came.dir == dir && (v->bubble & vcs) >> came.vc & 1)
		return (struct kn_choice){ .dir = dir, .vcs = 1u << came.vc, .on = true };
	return (struct kn_choice){ .dir = dir, .vcs = vcs };
}

extern const char *const kn_routing_names[];
extern const char *const kn_escape_names[];

/* Return the maximum number of VCs of a link, because a router's masks have 64 bits. */
torus_inline u32 kn_vcs_most(u32 ndims)
{
	return ndims <= 7 ? KN_VCS_MAX : 3;
}

u32 kn_ways(const struct torus_geometry *g, u32 from, u32 to);
u32 kn_vcs_least(enum kn_routing routing, enum kn_escape escape);
void kn_vcs_init(struct kn_vcs *v, enum kn_routing routing, enum kn_escape escape, u32 vcs);

#endif
