/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who sends a broadcast's packets on, and where to: corner turns.
 *
 * The machine broadcasts along one dimension by itself: a packet with the deposit
 * bit leaves a copy at each node of a straight line.  To fill a plane or a cube,
 * software receives such copies and injects them again along the next dimension.
 * The packets are dealt out to colours, each a tree of its own from the root to
 * every other node; coordinates below are relative to the root and counted in the
 * colour's direction, so that a line runs from 0 to n - 1.
 *
 * A colour leads in dimension a with one sign, on a torus:
 *
 *	1  the root deposits along its line of dimension a, n - 1 hops;
 *	2  the nodes of that line but the root deposit along dimension b,
 *	3  those of that plane along dimension c: now all nodes with a != 0 have it;
 *	4  the last nodes, a = n - 1, send over their wrap-around link, one hop, to
 *	   those with a = 0: the root's row, column, plane, but not the root.
 *
 * A line ends after 1.  A plane needs 1, 2 and the one-hop stage, which without the
 * third dimension is its third.  The order of the dimensions is a rotation of x, y, z
 * that begins with a, and all lines of a colour run with its sign.  So there are
 * two colours for every dimension: 2, 4 or 6.
 *
 * No link carries two colours.  Take the links of dimension x and sign +, whose
 * colours are X+ (x, y, z), Y+ (y, z, x) and Z+ (z, x, y).  Other than round the
 * end, X+ uses those of the line y = z = 0, Z+ those with y = 0, z != 0, Y+ those
 * with y != 0; round the end only X+, and not into the root.  By rotation the same
 * holds for all.  A colour is a tree with a link for each node but the root, so
 * that the colours together use every link except the ones into the root, and
 * the root sends at the full rate of all its links at once.
 *
 * A mesh has no way round.  There a stage goes both ways from where it starts; in
 * a machine that is a mesh in every dimension (of the broadcast) there is one
 * colour, the first dimension leads, the nodes with a = 0 take part in stages 2 and
 * 3, and stage 4 is not needed.  The root then sends every packet on each of its links:
 * one link's rate, where a torus has that of 2, 4 or 6.  Where some dimensions are
 * a mesh, those that are not lead, two colours each, both of which the links of the
 * mesh's lines carry: with one torus dimension that is one link's rate, with two that of
 * two.
 */
#ifndef TORUS_LIB_BROADCAST_PLAN_H
#define TORUS_LIB_BROADCAST_PLAN_H

#include <linux/types.h>
#include <stdbool.h>

#define BROADCAST_DIMS		3
#define BROADCAST_COLOURS_MAX	6
#define BROADCAST_TURNS_MAX	6	/* of one packet at one node */
#define BROADCAST_WAY_MAX	4	/* nodes that inject a packet before it comes to a node */

/**
 * struct broadcast_box - where a broadcast goes
 * @dims: lengths of the machine's dimensions
 * @mesh: bit i: dimension i is a mesh
 * @along: bit i: it spreads along dimension i
 * @root: coordinates of the root
 */
struct broadcast_box {
	__u32 dims[BROADCAST_DIMS];
	__u32 mesh;
	__u32 along;
	__u32 root[BROADCAST_DIMS];
};

/**
 * struct broadcast_turn - a deposit that a node injects
 * @dir: direction: 2 * dimension, + 1 for minus
 * @hops: nodes that get it, 1 or more
 */
struct broadcast_turn {
	unsigned int dir;
	__u32 hops;
};

unsigned int torus_broadcast_colours(const struct broadcast_box *box);
bool torus_broadcast_inside(const struct broadcast_box *box, const __u32 *at);
unsigned int torus_broadcast_turns(const struct broadcast_box *box, unsigned int number,
				   const __u32 *at, struct broadcast_turn *turns);
unsigned int torus_broadcast_way(const struct broadcast_box *box, unsigned int number,
				 const __u32 *at, __u32 way[][BROADCAST_DIMS]);

#endif /* TORUS_LIB_BROADCAST_PLAN_H */
