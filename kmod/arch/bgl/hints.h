/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hint bits as the hardware computes them from its cutoff registers, and what
 * software puts into the cutoff and neighbour registers at boot
 * (reference/bgl-hardware.md, Hint computation).
 *
 * A register holds 8 bits a dimension.  A mesh of 256 would need 256 for its plus
 * cutoff and its last node's plus neighbour; 255 stands for it, which no
 * destination can tell: as a cutoff it still lies behind every node, and as a
 * neighbour it is asked for only at a link that does not exist.
 */
#ifndef TORUS_ARCH_BGL_HINTS_H
#define TORUS_ARCH_BGL_HINTS_H

#include "core/env.h"

#define BGL_LENGTH_MAX	256	/* nodes in a dimension */

/**
 * struct bgl_cutoff - one dimension of a node's two cutoff registers
 * @plus: farthest coordinate above the node's to be reached in plus direction
 * @minus: farthest coordinate below the node's to be reached in minus direction
 */
struct bgl_cutoff {
	u8 plus;
	u8 minus;
};

/* One dimension's hint. Direction 2 * dimension + hint - 1 where there is one. */
enum bgl_hint {
	BGL_HINT_NONE,
	BGL_HINT_PLUS,
	BGL_HINT_MINUS,
};

/**
 * bgl_cutoffs() - the cutoffs for one node and dimension
 * @length: nodes in the dimension, 1..256
 * @x: the node's coordinate, below @length
 * @mesh: the dimension is a mesh: always the way that does not wrap
 * @minimal: false: the rule of the machine's software, whose way is one hop too
 *           long for some pairs where @length is odd; true: always a shortest way
 *
 * Where both ways are equally long (even lengths), even nodes go plus, odd nodes
 * minus, by either rule.
 *
 * Return: the cutoffs.
 */
struct bgl_cutoff bgl_cutoffs(u32 length, u32 x, bool mesh, bool minimal);

/**
 * bgl_hint() - which way the hardware sends a packet in one dimension
 * @node: the node's coordinate
 * @dest: the destination's
 * @cutoff: the node's cutoffs in that dimension
 *
 * Adiga et al. (2005), Torus network: the hint bits name the directions in which a packet may
 * travel; the hardware sets them if software left all of them zero.
 *
 * Return: the hint.
 */
enum bgl_hint bgl_hint(u8 node, u8 dest, struct bgl_cutoff cutoff);

/**
 * bgl_hints() - the header's hint field as the hardware computes it
 * @node: the node's three coordinates
 * @dest: the destination's
 * @cutoffs: the node's cutoffs in the three dimensions
 *
 * Return: TORUS_BGL_HINT_* bits, at most one a dimension; 0 for the node itself.
 */
u8 bgl_hints(const u8 *node, const u8 *dest, const struct bgl_cutoff *cutoffs);

/**
 * bgl_hint_bit() - the hint bit of a direction
 * @dir: 0 = x+, 1 = x-, .. 5 = z-
 *
 * Return: TORUS_BGL_HINT_XP .. TORUS_BGL_HINT_ZM.
 */
torus_inline u8 bgl_hint_bit(u32 dir)
{
	return (u8)(TORUS_BGL_HINT_XP >> dir);
}

/**
 * bgl_neighbor_coord() - one dimension of a node's neighbour coordinate register
 * @length: nodes in the dimension, 1..256
 * @x: the node's coordinate, below @length
 * @minus: the minus neighbour's register, else the plus neighbour's
 * @mesh: the dimension is a mesh: the plus neighbour at its edge is @length, the
 *        minus neighbour at 0 is 0
 *
 * A packet that leaves for a neighbour whose coordinate is its destination's
 * loses its hint bit for that dimension.
 *
 * Return: the coordinate.
 */
u8 bgl_neighbor_coord(u32 length, u32 x, bool minus, bool mesh);

#endif /* TORUS_ARCH_BGL_HINTS_H */
