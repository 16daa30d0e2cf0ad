// SPDX-License-Identifier: GPL-2.0
/*
 * Groups of twelve nodes: derive six axes from three lengths, and number the nodes group by
 * group.
 */
#include "arch/tofu/geometry.h"
#include "core/base/node_number.h"

/*
 * Add the axes a, b and c to a geometry.
 *
 * @g: lengths of x, y, z in @dims, and mesh bits of these axes in @mesh
 */
void tofu_geometry_extend(struct torus_geometry *g)
{
	g->ndims = TOFU_AXES;
	g->dims[TOFU_A] = TOFU_A_LENGTH;
	g->dims[TOFU_B] = TOFU_B_LENGTH;
	g->dims[TOFU_C] = TOFU_C_LENGTH;
	g->mesh |= 1u << TOFU_A | 1u << TOFU_C;
}

/*
 * Set the rule by which nodes are numbered, for torus_number_init().
 *
 * @g: lengths of the six axes
 *
 * Groups are numbered with x fastest. The twelve nodes of a group have consecutive numbers: a
 * fastest, then b, then c.
 */
void tofu_geometry_number(struct torus_geometry *g)
{
	static const u32 inside[] = { 1, TOFU_A_LENGTH, TOFU_A_LENGTH * TOFU_B_LENGTH };
	u32 stride = TOFU_GROUP, axis;

	for (axis = 0; axis < TOFU_AXES; axis++) {
		g->numbering.split[axis] = g->dims[axis];
		g->numbering.jump[axis] = 0;
		g->numbering.stride[axis] = axis < TOFU_A ? stride : inside[axis - TOFU_A];
		stride *= g->dims[axis];
	}
}

/*
 * Initialize the geometry of a Tofu machine.
 *
 * @g: [out] the geometry
 * @groups: number of groups along x, y and z
 * @mesh: bit i: axis i of these is a mesh
 * @nodes_max: maximum number of nodes
 *
 * Return: false if a length is 0 or there are more than @nodes_max nodes.
 */
bool tofu_geometry_init(struct torus_geometry *g, const u32 *groups, u32 mesh, u32 nodes_max)
{
	memset(g, 0, sizeof(*g));
	g->mesh = mesh;
	g->nshape = TOFU_GROUP_AXES;
	memcpy(g->dims, groups, TOFU_GROUP_AXES * sizeof(*groups));
	memcpy(g->shape, groups, TOFU_GROUP_AXES * sizeof(*groups));
	tofu_geometry_extend(g);
	if (!torus_geometry_init(g, nodes_max))
		return false;
	tofu_geometry_number(g);
	return torus_number_init(g);
}
