/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Corner turns: which nodes forward the packets of a broadcast, and in which directions.
 *
 * The machine broadcasts along one dimension by itself: a packet with the deposit bit leaves a copy
 * at each node of a straight line.  To fill a plane or a cube, software receives the copies and
 * injects them again along the next dimension.  The packets are divided among colours.  The packets
 * of one colour travel along one tree from the root to all other nodes.  The coordinates below are
 * relative to the root and counted in the colour's direction, so that a line runs from 0 to n - 1.
 *
 * On a torus, a colour that leads in dimension a with one sign has these stages:
 *
 *	1  The root deposits along its line of dimension a, n - 1 hops.
 *	2  The nodes of that line except the root deposit along dimension b,
 *	3  the nodes of that plane deposit along dimension c: now all nodes with a != 0
 *	   have the packet.
 *	4  The last nodes, a = n - 1, send one hop over their wrap-around link, to the
 *	   nodes with a = 0 except the root: the root's row, column or plane.
 *
 * A line ends after stage 1.  A plane has stages 1, 2 and the one-hop stage.  The order of the
 * dimensions is a rotation of x, y, z that starts with a, and all lines of a colour run with its
 * sign.  So each dimension has two colours: 2, 4 or 6 colours in total.
 *
 * No link is used by two colours.  Take the links of dimension x and sign +, which the colours X+
 * (x, y, z), Y+ (y, z, x) and Z+ (z, x, y) use.  Except for the wrap-around links, X+ uses the
 * links of the line y = z = 0, Z+ those with y = 0, z != 0, Y+ those with y != 0.  Of the
 * wrap-around links, X+ uses all but the one into the root.  By rotation the same holds for all
 * dimensions.  A colour is a tree with one link for each node except the root.  So the colours
 * together use every link except those into the root, and the root sends at the full rate of all
 * its links at once.
 *
 * A mesh has no wrap-around links.  On a mesh, each stage deposits in both directions from the node
 * at which its lines start.  If all dimensions of the broadcast are meshes, there is one colour,
 * the first dimension leads, the nodes with a = 0 take part in stages 2 and 3, and stage 4 is not
 * needed.  The root then sends every packet on each of its links, at the rate of one link; on a
 * torus it sends at the rate of 2, 4 or 6.  If only some dimensions are meshes, the torus
 * dimensions lead with two colours each, and the lines in the mesh dimensions transmit both
 * colours.  Then the root sends at the rate of one link if there is one torus dimension, and of two
 * links if there are two.
 */
#ifndef TORUS_LIB_BROADCAST_PLAN_H
#define TORUS_LIB_BROADCAST_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#define BROADCAST_DIMS		3
#define BROADCAST_COLOURS_MAX	6
#define BROADCAST_TURNS_MAX	6	/* greatest number of deposits of one packet by one node */
/* greatest number of nodes that inject a packet on its path */
#define BROADCAST_WAY_MAX	4

/**
 * struct broadcast_box - the nodes of a broadcast
 * @dims: lengths of the machine's dimensions
 * @mesh: bit i: dimension i is a mesh
 * @along: bit i: the broadcast spreads along dimension i
 * @root: coordinates of the root
 */
struct broadcast_box {
	uint32_t dims[BROADCAST_DIMS];
	uint32_t mesh;
	uint32_t along;
	uint32_t root[BROADCAST_DIMS];
};

/**
 * struct broadcast_turn - a deposit that a node injects
 * @dir: direction: 2 * dimension, + 1 for minus
 * @hops: number of nodes that get a copy, 1 or more
 */
struct broadcast_turn {
	unsigned int dir;
	uint32_t hops;
};

unsigned int torus_broadcast_colours(const struct broadcast_box *box);
bool torus_broadcast_inside(const struct broadcast_box *box, const uint32_t *at);
unsigned int torus_broadcast_turns(const struct broadcast_box *box, unsigned int number,
				   const uint32_t *at, struct broadcast_turn *turns);
unsigned int torus_broadcast_way(const struct broadcast_box *box, unsigned int number,
				 const uint32_t *at, uint32_t way[][BROADCAST_DIMS]);

#endif /* TORUS_LIB_BROADCAST_PLAN_H */
