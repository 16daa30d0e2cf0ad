// SPDX-License-Identifier: GPL-2.0
/*
 * Convert between node numbers and coordinates without asking the kernel.  Numbers may have gaps,
 * which belong to no node.
 */
#include <errno.h>
#include <torus/torus.h>
#include "context.h"
#include "error.h"
#include "node_number.h"

/**
 * torus_numbering_place() - get the coordinates of a node
 * @numbering: numbering of the nodes
 * @ndims: number of dimensions
 * @dims: lengths of the dimensions
 * @node: number of the node
 * @coords: [out] array of @ndims coordinates
 *
 * Return: true; false if no node has that number.
 */
bool torus_numbering_place(const struct torus_numbering *numbering, uint32_t ndims,
			   const uint32_t *dims, uint32_t node, uint32_t *coords)
{
	const struct torus_machine_shape shape = {
		.ndims = ndims, .dims = dims, .numbering = numbering,
	};

	return !torus_machine_place(NULL, &shape, node, coords);
}

/**
 * torus_numbering_number() - get the number of a node
 * @numbering: numbering of the nodes
 * @ndims: number of dimensions
 * @dims: lengths of the dimensions
 * @coords: valid coordinates of the node
 *
 * Return: the number.
 */
uint32_t torus_numbering_number(const struct torus_numbering *numbering, uint32_t ndims,
				const uint32_t *dims, const uint32_t *coords)
{
	const struct torus_machine_shape shape = {
		.ndims = ndims, .dims = dims, .numbering = numbering,
	};
	uint32_t node = 0;

	torus_machine_number(NULL, &shape, coords, &node);
	return node;
}

/**
 * torus_number_coords() - get the coordinates of a node of a context's fabric
 * @context: the context
 * @node: number of the node
 * @coords: [out] array of info.ndims coordinates
 *
 * Return: 0, -ERANGE (no node has that number).
 */
int torus_number_coords(const struct torus_context *context, uint32_t node, uint32_t *coords)
{
	const struct torus_ioc_info *info = &context->info;

	if (torus_numbering_place(&info->numbering, info->ndims, info->dims, node, coords))
		return 0;
	return torus_error_set(-ERANGE, "node %u: no node has this number, the last number is %u",
			       node,
			       info->numbering.last);
}
