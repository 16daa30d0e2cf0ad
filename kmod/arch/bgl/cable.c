// SPDX-License-Identifier: GPL-2.0
/* Kinds of cables: cables between midplanes and racks are longer than those within a midplane. */
#include "cable.h"
#include "bgl.h"

/*
 * Return the kind of the cable between two neighbours, BGL_CABLE_*.
 *
 * @dim: dimension
 * @length: length of the dimension
 * @upper: higher coordinate of the cable's two ends; 0 for the cable that closes the ring
 *
 * A midplane has 8x8x8 nodes. A rack has two midplanes, one above the other (z).
 */
u32 bgl_cable(u32 dim, u32 length, u32 upper)
{
	if (length <= BGL_MIDPLANE || upper % BGL_MIDPLANE)
		return BGL_CABLE_SHORT;
	if (dim == 2 && (upper ? upper % (2 * BGL_MIDPLANE) : length <= 2 * BGL_MIDPLANE))
		return BGL_CABLE_MIDPLANE;
	return BGL_CABLE_RACK;
}

/* Return the kind of the cable of an existing link, BGL_CABLE_*. */
u32 bgl_cable_of(const struct torus_geometry *g, u32 node, u32 dir)
{
	u32 coords[TORUS_DIMS_MAX], dim = TORUS_DIM(dir), length = g->dims[dim];
	u32 upper;

	torus_geometry_coords(g, node, coords);
	upper = dir & 1 ? coords[dim] : coords[dim] + 1;
	return bgl_cable(dim, length, upper == length ? 0 : upper);
}
