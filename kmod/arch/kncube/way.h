/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ways with finite buffers: which directions a packet may take, and on which VCs.
 *
 * Functions of their arguments alone: the router goes by them, and user/route's check
 * follows them to show that no packets can wait for each other in a circle.
 *
 *   dor        the highest dimension that is left first (e-cube), the shorter way round
 *   adaptive   any direction of a shortest way on the free VCs; the way of dor on the
 *              escape VCs, which a packet may always wait for
 *   valiant    dor to a node drawn at random, from there dor to the destination, on VCs
 *              of its own for each of the two (Valiant)
 *
 * In a ring packets could wait for each other in a circle.  With `escape=dateline` VCs come
 * in two kinds: a packet that still has to cross the ring's last link takes the first, one
 * that has not to, or not any more, the second; the second never lead over that link, the
 * first end with it (Dally and Seitz (1987)).  With `escape=bubble` a packet enters a VC of a
 * ring if the buffer has free space for two packets, and stays in that VC while it continues
 * along the ring: each ring of buffers keeps free space for one packet.
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

/* Where a packet is bound for: Valiant's node first. */
enum kn_phase {
	KN_TO_RELAY,
	KN_TO_END,
	KN_PHASES,
};

/**
 * struct kn_vcs - what the VCs of a link are for, a bit each
 * @free: those on which packets take any direction of a shortest way
 * @ahead: by enum kn_phase: those in order of dimensions, of packets that have a ring's last
 *         link ahead of them
 * @behind: of those that have not
 * @bubble: those of which each ring keeps a bubble
 */
struct kn_vcs {
	u8 free;
	u8 ahead[KN_PHASES];
	u8 behind[KN_PHASES];
	u8 bubble;
};

/**
 * struct kn_hop - a link that a packet came by, or wants next
 * @dir: direction
 * @vc: VC
 */
struct kn_hop {
	u32 dir;
	u32 vc;
};

/* In an injection FIFO. */
#define KN_HOP_NONE	((struct kn_hop){ .dir = TORUS_NONE })

/**
 * struct kn_choice - where a packet may go next
 * @dir: direction that is its turn in order of dimensions
 * @vcs: on these VCs, a bit each
 * @on: it goes on in its ring, where room for itself is enough
 */
struct kn_choice {
	u32 dir;
	u32 vcs;
	bool on;
};

/* The direction in order of dimensions: of @ways, not 0, that of the highest dimension. */
torus_inline u32 kn_first(u32 ways)
{
	return 31 - (u32)__builtin_clz(ways);
}

/**
 * kn_ordered() - where a packet goes in order of dimensions
 * @v: the VCs
 * @g: the shape
 * @ways: directions of its shortest way, not 0
 * @phase: enum kn_phase
 * @at: its coordinate in the dimension of kn_first()
 * @to: the coordinate it goes to there
 * @came: the link it came by
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
	/* in a ring's bubble it stays where it is */
	if (came.dir == dir && (v->bubble & vcs) >> came.vc & 1)
		return (struct kn_choice){ .dir = dir, .vcs = 1u << came.vc, .on = true };
	return (struct kn_choice){ .dir = dir, .vcs = vcs };
}

extern const char *const kn_routing_names[];
extern const char *const kn_escape_names[];

/* VCs that a link may have: the masks of a router have 64 bits. */
torus_inline u32 kn_vcs_most(u32 ndims)
{
	return ndims <= 7 ? KN_VCS_MAX : 3;
}

u32 kn_ways(const struct torus_geometry *g, u32 from, u32 to);
u32 kn_vcs_least(enum kn_routing routing, enum kn_escape escape);
void kn_vcs_init(struct kn_vcs *v, enum kn_routing routing, enum kn_escape escape, u32 vcs);

#endif
