// SPDX-License-Identifier: GPL-2.0
/*
 * Nodes of an attached fabric: coordinates to numbers and back.
 */
#include <errno.h>
#include <string.h>
#include <torus/torus.h>
#include "context.h"

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
	struct torus_ioc_locate locate = { .direction = TORUS_LOCATE_NODE };
	const struct torus_ioc_info *info = &context->info;
	__u32 i;
	int ret;

	for (i = 0; i < info->ndims; i++) {
		if (coords[i] >= info->dims[i])
			return torus_error_set(-ERANGE, "coordinate %u is %u, the machine has %u",
					       i, coords[i], info->dims[i]);
		locate.coords[i] = coords[i];
	}
	ret = context->ops->locate(context, &locate);
	if (ret)
		return ret == -ENODEV ? ret : torus_error_set(ret, "locate: %s", strerror(-ret));
	*node = locate.node;
	return 0;
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
	struct torus_ioc_locate locate = { .direction = TORUS_LOCATE_COORDS, .node = node };
	int ret;

	if (node >= context->info.nodes)
		return torus_error_set(-ERANGE, "node %u: the machine has %u", node,
				       context->info.nodes);
	ret = context->ops->locate(context, &locate);
	if (ret)
		return ret == -ENODEV ? ret : torus_error_set(ret, "locate: %s", strerror(-ret));
	memcpy(coords, locate.coords, context->info.ndims * sizeof(coords[0]));
	return 0;
}
