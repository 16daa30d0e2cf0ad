// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers of nodes, of which some may be no node's, without asking the kernel.
 */
#include <errno.h>
#include <torus/torus.h>
#include "context.h"

static struct torus_machine_shape number_shape(const struct torus_context *context)
{
	const struct torus_ioc_info *info = &context->info;

	return (struct torus_machine_shape) {
		.ndims = info->ndims, .dims = info->dims, .mesh = info->mesh,
	};
}

/**
 * torus_number_last() - the highest number of a node
 * @context: the context
 *
 * Return: the number.
 */
__u32 torus_number_last(const struct torus_context *context)
{
	return context->info.nodes - 1;
}

/**
 * torus_number_coords() - the coordinates of a node
 * @context: the context
 * @node: its number
 * @coords: out: info.ndims of them
 *
 * Return: 0, -ERANGE when no node has that number.
 */
int torus_number_coords(const struct torus_context *context, __u32 node, __u32 *coords)
{
	const struct torus_machine_shape shape = number_shape(context);

	if (!torus_machine_place(context->machine, &shape, node, coords))
		return 0;
	return torus_error_set(-ERANGE, "node %u: no node of this machine has that number", node);
}
