// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers of nodes, of which some may be no node's: what struct torus_numbering says, in
 * both directions, without asking the kernel.
 */
#include <errno.h>
#include <torus/torus.h>
#include "context.h"

#define UNITS_MAX	(2 * TORUS_DIMS_MAX)

/**
 * struct number_unit - a step of the numbers
 * @step: by which the number grows
 * @dim: dimension in which this is a step
 * @coords: coordinates that it takes there
 * @most: how often it can be taken
 */
struct number_unit {
	__u32 step;
	__u32 dim;
	__u32 coords;
	__u32 most;
};

static unsigned int unit_add(struct number_unit *units, unsigned int count,
			     struct number_unit unit)
{
	unsigned int at;

	if (!unit.most || !unit.step)
		return count;
	/* The largest first */
	for (at = count; at && units[at - 1].step < unit.step; at--)
		units[at] = units[at - 1];
	units[at] = unit;
	return count + 1;
}

static unsigned int number_units(const struct torus_numbering *numbering, __u32 ndims,
				 const __u32 *dims, struct number_unit *units)
{
	unsigned int count = 0;
	__u32 dim;

	for (dim = 0; dim < ndims; dim++) {
		__u32 split = numbering->split[dim] ? numbering->split[dim] : dims[dim];
		__u32 piece = dims[dim] < split ? dims[dim] : split;

		count = unit_add(units, count, (struct number_unit) {
			.step = numbering->stride[dim], .dim = dim, .coords = 1,
			.most = piece - 1,
		});
		count = unit_add(units, count, (struct number_unit) {
			.step = numbering->jump[dim], .dim = dim, .coords = split,
			.most = (dims[dim] - 1) / split,
		});
	}
	return count;
}

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
	struct number_unit units[UNITS_MAX];
	unsigned int count = number_units(numbering, ndims, dims, units), i;
	__u32 dim;

	for (dim = 0; dim < ndims; dim++)
		coords[dim] = 0;
	for (i = 0; i < count; i++) {
		const struct number_unit *unit = &units[i];
		__u32 times = node / unit->step;

		if (times > unit->most)
			times = unit->most;
		node -= times * unit->step;
		coords[unit->dim] += times * unit->coords;
	}
	for (dim = 0; dim < ndims; dim++)
		if (coords[dim] >= dims[dim])
			return false;
	return !node;
}

/**
 * torus_numbering_number() - the number of a node
 * @numbering: how the nodes are numbered
 * @ndims: number of dimensions
 * @coords: the node's, valid
 *
 * Return: the number.
 */
__u32 torus_numbering_number(const struct torus_numbering *numbering, __u32 ndims,
			     const __u32 *coords)
{
	__u32 node = 0, dim;

	for (dim = 0; dim < ndims; dim++) {
		__u32 split = numbering->split[dim] ? numbering->split[dim] : ~0u;

		node += coords[dim] % split * numbering->stride[dim] +
			coords[dim] / split * numbering->jump[dim];
	}
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
