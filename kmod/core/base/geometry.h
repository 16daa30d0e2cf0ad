/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Geometry: up to ten dimensions, each a torus or a mesh; node numbers with x
 * fastest; directions 0 = x+, 1 = x-, 2 = y+ ...
 *
 * A dimension of length 1 has no links, one of length 2 that is a torus has two
 * links to the same neighbour.
 */
#ifndef TORUS_CORE_GEOMETRY_H
#define TORUS_CORE_GEOMETRY_H

#include "core/env.h"

/**
 * struct torus_geometry - a shape
 * @ndims: dimensions
 * @dims: their lengths
 * @mesh: bit i: dimension i is a mesh
 * @nodes: product of the lengths
 * @stride: node numbers between neighbours of a dimension
 */
struct torus_geometry {
	u32 ndims;
	u32 dims[TORUS_DIMS_MAX];
	u32 mesh;
	u32 nodes;
	u32 stride[TORUS_DIMS_MAX];
};

#define TORUS_DIM(dir)		((dir) >> 1)
#define TORUS_MINUS(dir)	((dir) & 1)
#define TORUS_REVERSE(dir)	((dir) ^ 1)

/* Fill in nodes and strides; false if the product passes @nodes_max or a length is 0. */
bool torus_geometry_init(struct torus_geometry *g, u32 nodes_max);

void torus_geometry_coords(const struct torus_geometry *g, u32 node, u32 *coords);
u32 torus_geometry_node(const struct torus_geometry *g, const u32 *coords);

/* Neighbour of @node in @dir, TORUS_NONE where there is no link. */
u32 torus_geometry_neighbor(const struct torus_geometry *g, u32 node, u32 dir);

/* "1,2,3" into @buf; returns @buf. */
const char *torus_geometry_text(const struct torus_geometry *g, u32 node, char *buf, size_t size);

/* "x+" and so on; beyond c "d6+". */
const char *torus_direction_name(u32 dir, char *buf, size_t size);

#endif
