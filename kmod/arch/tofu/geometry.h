/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tofu's geometry (Ajima et al. (2009), Tofu interconnect architecture).
 *
 * Groups of twelve nodes are connected along three axes x, y, z, each a torus or a mesh. In a
 * group, a and c are meshes of two nodes, and b is a ring of three. A node has ten links, not
 * twelve: each end of a mesh of two lacks one direction.
 */
#ifndef TORUS_ARCH_TOFU_GEOMETRY_H
#define TORUS_ARCH_TOFU_GEOMETRY_H

#include "core/base/geometry.h"

enum tofu_axis { TOFU_X, TOFU_Y, TOFU_Z, TOFU_A, TOFU_B, TOFU_C, TOFU_AXES };

#define TOFU_GROUP_AXES	3u	/* axes x, y, z: those that `shape` configures */
#define TOFU_DIRS	12u
#define TOFU_LINKS	10u	/* for a node not at the end of a mesh in x, y or z */
#define TOFU_A_LENGTH	2u
#define TOFU_B_LENGTH	3u
#define TOFU_C_LENGTH	2u
#define TOFU_GROUP	(TOFU_A_LENGTH * TOFU_B_LENGTH * TOFU_C_LENGTH)
#define TOFU_UNIT	(TOFU_A_LENGTH * TOFU_C_LENGTH)	/* nodes replaced together, as a unit */

/* Return a node's number in its group, a + 2 (b + 3 c), from its six coordinates. */
torus_inline u32 tofu_slot(const u32 *coords)
{
	return coords[TOFU_A] +
	       TOFU_A_LENGTH * (coords[TOFU_B] + TOFU_B_LENGTH * coords[TOFU_C]);
}

/*
 * Convert a node's number in its group to coordinates.
 *
 * @coords: [out] a, b and c are set; x, y and z are not changed
 */
torus_inline void tofu_slot_coords(u32 slot, u32 *coords)
{
	coords[TOFU_A] = slot % TOFU_A_LENGTH;
	slot /= TOFU_A_LENGTH;
	coords[TOFU_B] = slot % TOFU_B_LENGTH;
	coords[TOFU_C] = slot / TOFU_B_LENGTH;
}

void tofu_geometry_extend(struct torus_geometry *g);
void tofu_geometry_number(struct torus_geometry *g);
bool tofu_geometry_init(struct torus_geometry *g, const u32 *groups, u32 mesh, u32 nodes_max);

#endif
