// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers of nodes, of which some may be no node's, without asking the kernel: the
 * arithmetic is user/machine's.
 */
#include <errno.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "node_number.h"

/**
 * torus_numbering_place() - the coordinates of a node
 * @numbering: how the nodes are numbered
 * @ndims: number of dimensions
 * @dims: their lengths
 * @node: the number
 * @coords: out: @ndims of them
 *
 * Return: true, or false when no node has that number.
 */
bool torus_numbering_place(const struct torus_numbering *numbering, __u32 ndims,
			   const __u32 *dims, __u32 node, __u32 *coords)
{
	const struct torus_machine_shape shape = {
		.ndims = ndims, .dims = dims, .numbering = numbering,
	};

	return !torus_machine_place(NULL, &shape, node, coords);
}

/**
 * torus_numbering_number() - the number of a node
 * @numbering: how the nodes are numbered
 * @ndims: number of dimensions
 * @dims: their lengths
 * @coords: the node's, valid
 *
 * Return: the number.
 */
__u32 torus_numbering_number(const struct torus_numbering *numbering, __u32 ndims,
			     const __u32 *dims, const __u32 *coords)
{
	const struct torus_machine_shape shape = {
		.ndims = ndims, .dims = dims, .numbering = numbering,
	};
	__u32 node = 0;

	torus_machine_number(NULL, &shape, coords, &node);
	return node;
}

/**
 * torus_number_coords() - the coordinates of a node of a context's fabric
 * @context: the context
 * @node: its number
 * @coords: out: info.ndims of them
 *
 * Return: 0, -ERANGE when no node has that number.
 */
int torus_number_coords(const struct torus_context *context, __u32 node, __u32 *coords)
{
	const struct torus_ioc_info *info = &context->info;

	if (torus_numbering_place(&info->numbering, info->ndims, info->dims, node, coords))
		return 0;
	return torus_error_set(-ERANGE, "node %u: no node has that number, the last is %u", node,
			       info->numbering.last);
}
