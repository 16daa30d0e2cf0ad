/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Geometry: up to ten dimensions, each a torus or a mesh; directions 0 = x+,
 * 1 = x-, 2 = y+ ...
 *
 * Core knows a node by its index: 0 .. nodes - 1, x fastest, whatever the machine.
 * The number that people and programs know a node by is the machine's: number.h
 * translates.
 *
 * A dimension of length 1 has no links, one of length 2 that is a torus has two
 * links to the same neighbour.
 */
#ifndef TORUS_CORE_GEOMETRY_H
#define TORUS_CORE_GEOMETRY_H

#include "core/env.h"

/**
 * struct torus_place - a place of the positional system that a node's number is
 * @weight: what one more in this place adds to the number
 * @count: values that the place takes, 0 .. @count - 1
 * @unit: what one more in this place adds to the coordinate
 * @dim: of which dimension
 */
struct torus_place {
	u32 weight;
	u32 count;
	u32 unit;
	u32 dim;
};

/**
 * struct torus_geometry - a shape
 * @ndims: dimensions
 * @dims: their lengths
 * @mesh: bit i: dimension i is a mesh
 * @nodes: product of the lengths
 * @stride: from a node's index to that of its neighbour in a dimension
 * @nshape: lengths in @shape
 * @shape: what was asked for, of which the machine has made @dims
 * @numbering: the machine's numbers
 * @nplaces: elements of @place
 * @place: the same by falling weight, see number.h
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
 * Fill in nodes, strides and the numbering x fastest; false if the product passes
 * @nodes_max or a length is 0.
 */
bool torus_geometry_init(struct torus_geometry *g, u32 nodes_max);

void torus_geometry_coords(const struct torus_geometry *g, u32 node, u32 *coords);

/**
 * torus_geometry_node() - index of a node
 * @g: the shape
 * @coords: its @g->ndims coordinates
 *
 * Return: the index, TORUS_NONE for coordinates outside the machine.
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

/* Neighbour of @node in @dir, TORUS_NONE where there is no link. */
u32 torus_geometry_neighbor(const struct torus_geometry *g, u32 node, u32 dir);

s32 torus_geometry_steps(const struct torus_geometry *g, u32 dim, u32 from, u32 to);

/* "4x4x4" into @buf, as the shape was asked for; returns @buf. */
const char *torus_geometry_shape(const struct torus_geometry *g, char *buf, size_t size);

/* "1,2,3" into @buf; returns @buf. */
const char *torus_geometry_text(const struct torus_geometry *g, u32 node, char *buf, size_t size);

/* "x+" and so on; beyond c "d6+". */
const char *torus_direction_name(u32 dir, char *buf, size_t size);

#endif
