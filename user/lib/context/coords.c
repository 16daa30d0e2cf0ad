// SPDX-License-Identifier: GPL-2.0
/*
 * Nodes of an attached fabric: coordinates to numbers and back.
 */
#include <errno.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "node_number.h"

/**
 * torus_node_locate() - the number of the node at some coordinates
 * @context: the context
 * @coords: info.ndims of them
 * @node: out: the number
 *
 * Return: 0, -ERANGE when a coordinate is outside the machine, -ENODEV.
 */
int torus_node_locate(struct torus_context *context, const __u32 *coords, __u32 *node)
{
	const struct torus_ioc_info *info = &context->info;
	__u32 i;

	for (i = 0; i < info->ndims; i++)
		if (coords[i] >= info->dims[i])
			return torus_error_set(-ERANGE, "coordinate %u is %u, the machine has %u",
					       i, coords[i], info->dims[i]);
	*node = torus_numbering_number(&info->numbering, info->ndims, info->dims, coords);
	return torus_context_check(context);
}

/**
 * torus_node_coords() - the coordinates of a node
 * @context: the context
 * @node: its number
 * @coords: out: info.ndims of them
 *
 * Return: 0, -ERANGE when the machine has no such node, -ENODEV.
 */
int torus_node_coords(struct torus_context *context, __u32 node, __u32 *coords)
{
	int ret = torus_number_coords(context, node, coords);

	return ret ? ret : torus_context_check(context);
}
