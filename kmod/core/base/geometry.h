/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Geometry: up to ten dimensions, each a torus or a mesh; directions 0 = x+, 1 = x-, 2 = y+ ...
 *
 * The core identifies a node by its index, 0 .. nodes - 1, x fastest, on all machines. Users and
 * programs identify a node by the machine's node number; node_number.h translates.
 *
 * A dimension of length 1 has no links. A torus dimension of length 2 has two links to the same
 * neighbour.
 */
#ifndef TORUS_CORE_GEOMETRY_H
#define TORUS_CORE_GEOMETRY_H

#include "core/platform.h"

/**
 * struct torus_place - a place (digit) of the positional system of node numbers
 * @weight: increase of the number when this place increases by one
 * @count: number of values of the place: 0 .. @count - 1
 * @unit: increase of the coordinate when this place increases by one
 * @dim: dimension of that coordinate
 */
struct torus_place {
	u32 weight;
	u32 count;
	u32 unit;
	u32 dim;
};

/**
 * struct torus_geometry - lengths, strides and node numbering of a torus or mesh
 * @ndims: number of dimensions
 * @dims: lengths of the dimensions
 * @mesh: bit i: dimension i is a mesh
 * @nodes: product of the lengths
 * @stride: by dimension: difference of the indices of two neighbours
 * @nshape: number of lengths in @shape
 * @shape: lengths that the user requested, from which the machine derived @dims
 * @numbering: the machine's node numbers
 * @nplaces: number of elements of @place
 * @place: @numbering as places, by falling weight, see node_number.h
 */
struct torus_geometry {
	u32 ndims;
	u32 dims[TORUS_DIMS_MAX];
	u32 mesh;
	u32 nodes;
	u32 stride[TORUS_DIMS_MAX];
	u32 nshape;
	u32 shape[TORUS_DIMS_MAX];
	struct torus_numbering numbering;
	u32 nplaces;
	struct torus_place place[2 * TORUS_DIMS_MAX];
};

#define TORUS_DIM(dir)		((dir) >> 1)
#define TORUS_MINUS(dir)	((dir) & 1)
#define TORUS_REVERSE(dir)	((dir) ^ 1)

/*
 * Compute nodes, strides and the plain numbering; false if the number of dimensions or a length is
 * out of range, or if the product exceeds @nodes_max.
 */
bool torus_geometry_init(struct torus_geometry *g, u32 nodes_max);

void torus_geometry_coords(const struct torus_geometry *g, u32 node, u32 *coords);

/**
 * torus_geometry_node() - convert coordinates to the index of a node
 * @coords: @g->ndims coordinates
 *
 * Return: the index, or TORUS_NONE for coordinates outside the machine.
 */
torus_inline u32 torus_geometry_node(const struct torus_geometry *g, const u32 *coords)
{
	u32 node = 0;
	u32 i;

	for (i = 0; i < g->ndims; i++) {
		if (coords[i] >= g->dims[i])
			return TORUS_NONE;
		node += coords[i] * g->stride[i];
	}
	return node;
}

/* Find the neighbour of @node in @dir; TORUS_NONE if the link does not exist. */
u32 torus_geometry_neighbor(const struct torus_geometry *g, u32 node, u32 dir);

s32 torus_geometry_steps(const struct torus_geometry *g, u32 dim, u32 from, u32 to);

/* Print the requested shape, as in "4x4x4", into @buf; returns @buf. */
const char *torus_geometry_shape(const struct torus_geometry *g, char *buf, size_t size);

/* Print the coordinates of @node, as in "1,2,3", into @buf; returns @buf. */
const char *torus_geometry_text(const struct torus_geometry *g, u32 node, char *buf, size_t size);

/* Print a direction, "x+" .. "c-", then "d6+" ..; returns @buf. */
const char *torus_direction_name(u32 dir, char *buf, size_t size);

#endif
