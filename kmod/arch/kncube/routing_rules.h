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
#ifndef TORUS_ARCH_KNCUBE_ROUTING_RULES_H
#define TORUS_ARCH_KNCUBE_ROUTING_RULES_H

#include "core/platform.h"
#include "core/base/geometry.h"

#define KNCUBE_VCS_MAX	4

enum kncube_routing {
	KNCUBE_DOR,
	KNCUBE_ADAPTIVE,
	KNCUBE_VALIANT,
};

enum kncube_escape {
	KNCUBE_BUBBLE,
	KNCUBE_DATELINE,
};

/* Phase of a packet: Valiant's packets travel to a relay first. */
enum kncube_phase {
	KNCUBE_TO_RELAY,
	KNCUBE_TO_END,
	KNCUBE_PHASES,
};

/**
 * struct kncube_vcs - uses of the VCs of a link, as masks
 * @free: VCs on which packets take any direction of a shortest path
 * @ahead: by enum kncube_phase: VCs in dimension order, for packets that have still to cross a
 *         ring's last link
 * @behind: by enum kncube_phase: VCs in dimension order, for all other packets
 * @bubble: VCs whose rings keep a bubble
 */
struct kncube_vcs {
	u8 free;
	u8 ahead[KNCUBE_PHASES];
	u8 behind[KNCUBE_PHASES];
	u8 bubble;
};

/**
 * struct kncube_hop - the previous or the next link of a packet
 * @dir: direction
 * @vc: VC
 */
struct kncube_hop {
	u32 dir;
	u32 vc;
};

/* The previous link of a packet in an injection FIFO, which has crossed no link. */
#define KNCUBE_HOP_NONE	((struct kncube_hop){ .dir = TORUS_NONE })

/**
 * struct kncube_choice - next hop of a packet in dimension order
 * @dir: direction
 * @vcs: mask of VCs that the packet may take
 * @on: the packet enters no ring: it continues in its ring, or its dimension is a mesh. It then
 *   needs space for one packet of maximum length, see kncube_room(). A packet that enters a bubble
 *   VC needs space for two
 */
struct kncube_choice {
	u32 dir;
	u32 vcs;
	bool on;
};

/*
 * Return the next direction in dimension order: that of the highest dimension in @ways, which is
 * not 0.
 */
torus_inline u32 kncube_first(u32 ways)
{
	return 31 - (u32)__builtin_clz(ways);
}

/**
 * kncube_ordered() - return the next hop of a packet in dimension order
 * @v: use of the VCs
 * @g: the shape
 * @ways: directions of its shortest path, not 0
 * @phase: enum kncube_phase
 * @at: the packet's coordinate in the dimension of kncube_first()
 * @to: the target's coordinate in that dimension
 * @came: the packet's previous link
 *
 * Return: direction and VCs.
 */
torus_inline struct kncube_choice kncube_ordered(const struct kncube_vcs *v,
						 const struct torus_geometry *g, u32 ways,
						 enum kncube_phase phase, u32 at, u32 to,
						 struct kncube_hop came)
{
	u32 dir = kncube_first(ways), mesh = g->mesh >> TORUS_DIM(dir) & 1;
	bool ahead = TORUS_MINUS(dir) ? to > at : to < at;
	u32 vcs = ahead ? v->ahead[phase] : v->behind[phase];

	if (mesh)
		return (struct kncube_choice){
			.dir = dir, .vcs = v->ahead[phase] | v->behind[phase], .on = true,
		};
	/* a packet that continues in a ring's bubble VC stays in this VC */
	if (came.dir == dir && (v->bubble & vcs) >> came.vc & 1)
		return (struct kncube_choice){ .dir = dir, .vcs = 1u << came.vc, .on = true };
	return (struct kncube_choice){ .dir = dir, .vcs = vcs };
}

extern const char *const kncube_routing_names[];
extern const char *const kncube_escape_names[];

/* Return the maximum number of VCs of a link, because a router's masks have 64 bits. */
torus_inline u32 kncube_vcs_most(u32 ndims)
{
	return ndims <= 7 ? KNCUBE_VCS_MAX : 3;
}

u32 kncube_directions(const struct torus_geometry *g, u32 from, u32 to);
u32 kncube_vcs_least(enum kncube_routing routing, enum kncube_escape escape);
void kncube_vcs_init(struct kncube_vcs *v, enum kncube_routing routing, enum kncube_escape escape,
		     u32 vcs);

#endif
