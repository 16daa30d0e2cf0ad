/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hint bits as the hardware computes them from its cutoff registers, and the values that
 * software writes to the cutoff and neighbour registers at boot (doc/references.md, IBM's packet
 * layer).
 *
 * A register has 8 bits per dimension. A mesh of 256 nodes would need the value 256 as plus cutoff,
 * and as plus neighbour of its last node. 255 is used instead, without effect on any packet: as a
 * cutoff it still includes every node, and as a neighbour it belongs to a link that does not exist.
 */
#ifndef TORUS_ARCH_BGL_HINTS_H
#define TORUS_ARCH_BGL_HINTS_H

#include "core/platform.h"

#define BGL_LENGTH_MAX	256	/* maximum nodes in a dimension */

/**
 * struct bgl_cutoff - one dimension of a node's two cutoff registers
 *
 * @plus: highest coordinate above the node's that is reached in plus direction
 * @minus: lowest coordinate below the node's that is reached in minus direction
 */
struct bgl_cutoff {
	u8 plus;
	u8 minus;
};

/* Hint for one dimension. For a hint other than NONE, the direction is 2 * dimension + hint - 1. */
enum bgl_hint {
	BGL_HINT_NONE,
	BGL_HINT_PLUS,
	BGL_HINT_MINUS,
};

/*
 * Return the cutoffs of a node in one dimension.
 *
 * @length: nodes in the dimension, 1..256
 * @x: the node's coordinate, below @length
 * @mesh: the dimension is a mesh: packets never wrap
 * @minimal: false: the rule of the machine's software, which for some pairs takes one hop too
 *     many if @length is odd; true: always a shortest way
 *
 * If both ways are equally long (even lengths), even nodes go plus and odd nodes minus, by
 * either rule.
 */
struct bgl_cutoff bgl_cutoffs(u32 length, u32 x, bool mesh, bool minimal);

/*
 * Return the direction in which the hardware sends a packet in one dimension.
 *
 * @node: the node's coordinate
 * @dest: the destination's coordinate
 * @cutoff: the node's cutoffs in that dimension
 *
 * Adiga et al. (2005), Torus network: the hint bits name the directions in which a packet may
 * travel; the hardware sets them if software left all of them zero.
 */
enum bgl_hint bgl_hint(u8 node, u8 dest, struct bgl_cutoff cutoff);

/*
 * Return the hint field of a header as the hardware computes it.
 *
 * @node: the node's three coordinates
 * @dest: the destination's three coordinates
 * @cutoffs: the node's cutoffs in the three dimensions
 *
 * Return: TORUS_BGL_HINT_* bits, at most one per dimension; 0 if the node is the destination.
 */
u8 bgl_hints(const u8 *node, const u8 *dest, const struct bgl_cutoff *cutoffs);

/*
 * Return the hint bit of a direction, TORUS_BGL_HINT_XP .. TORUS_BGL_HINT_ZM.
 *
 * @dir: 0 = x+, 1 = x-, .. 5 = z-
 */
torus_inline u8 bgl_hint_bit(u32 dir)
{
	return (u8)(TORUS_BGL_HINT_XP >> dir);
}

/*
 * Return one dimension of a node's neighbour coordinate register at boot.
 *
 * @length: nodes in the dimension, 1..256
 * @x: the node's coordinate, below @length
 * @minus: register of the minus neighbour; false: of the plus neighbour
 * @mesh: the dimension is a mesh: the last node's plus neighbour is @length, and the minus
 *     neighbour of node 0 is 0
 *
 * A packet that leaves for a neighbour with its destination's coordinate loses its hint bit for
 * that dimension.
 */
u8 bgl_neighbor_coord(u32 length, u32 x, bool minus, bool mesh);

#endif
