// SPDX-License-Identifier: GPL-2.0
/* Convert between node numbers and coordinates of an attached fabric. */
#include <errno.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "node_number.h"

/**
 * torus_node_locate() - get the number of the node at given coordinates
 * @context: the context
 * @coords: array of info.ndims coordinates
 * @node: [out] number of the node
 *
 * Return: 0, -ERANGE (a coordinate is outside the machine), -ENODEV.
 */
int torus_node_locate(struct torus_context *context, const uint32_t *coords, uint32_t *node)
{
	const struct torus_ioc_info *info = &context->info;
	uint32_t i;

	for (i = 0; i < info->ndims; i++)
		if (coords[i] >= info->dims[i])
			return torus_error_set(-ERANGE, "coordinate %u is %u, must be below %u",
					       i, coords[i], info->dims[i]);
	*node = torus_numbering_number(&info->numbering, info->ndims, info->dims, coords);
	return torus_context_check(context);
}

/**
 * torus_node_coords() - get the coordinates of a node
 * @context: the context
 * @node: number of the node
 * @coords: [out] array of info.ndims coordinates
 *
 * Return: 0, -ERANGE (the machine has no such node), -ENODEV.
 */
int torus_node_coords(struct torus_context *context, uint32_t node, uint32_t *coords)
{
	int ret = torus_number_coords(context, node, coords);

	return ret ? ret : torus_context_check(context);
}
