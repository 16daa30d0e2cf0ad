// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers of nodes, converted to coordinates. The algorithm is that of struct torus_numbering in
 * <linux/torus.h>.
 */
#include "numbering.h"

/* Insert a digit by falling weight. Skip a digit with a single value, or without a weight. */
static void numbering_add(struct torus_net_numbering *n, struct torus_net_digit digit)
{
	u32 i;

	if (digit.count < 2 || !digit.weight)
		return;
	for (i = n->ndigits++; i && n->digit[i - 1].weight < digit.weight; i--)
		n->digit[i] = n->digit[i - 1];
	n->digit[i] = digit;
}

/**
 * torus_net_numbering_init() - prepare the conversion of numbers
 * @n: [out] the digits
 * @shape: the nodes, as a port's registers describe them
 *
 * Return: false if the shape cannot be that of a fabric, for instance because the node is gone and
 * its registers read as all ones.
 */
bool torus_net_numbering_init(struct torus_net_numbering *n, const struct torus_net_shape *shape)
{
	u32 d;

	memset(n, 0, sizeof(*n));
	if (!shape->ndims || shape->ndims > TORUS_DIMS_MAX)
		return false;
	n->ndims = shape->ndims;
	for (d = 0; d < shape->ndims; d++) {
		u32 length = shape->dims[d], split = shape->numbering.split[d];

		if (!length || !split)
			return false;
		n->dims[d] = length;
		numbering_add(n, (struct torus_net_digit){
			.weight = shape->numbering.stride[d], .unit = 1, .dim = d,
			.count = split < length ? split : length,
		});
		numbering_add(n, (struct torus_net_digit){
			.weight = shape->numbering.jump[d], .unit = split, .dim = d,
			.count = (length - 1) / split + 1,
		});
	}
	return true;
}

/**
 * torus_net_coords() - find the coordinates of a node
 * @n: the digits
 * @number: any value
 * @coords: [out] TORUS_DIMS_MAX coordinates; those without a dimension are 0
 *
 * Return: false if no node has the number.
 */
bool torus_net_coords(const struct torus_net_numbering *n, u32 number, u32 *coords)
{
	u32 d, i;

	memset(coords, 0, TORUS_DIMS_MAX * sizeof(*coords));
	for (i = 0; i < n->ndigits; i++) {
		const struct torus_net_digit *digit = &n->digit[i];
		u32 value = number / digit->weight;

		if (value >= digit->count)
			value = digit->count - 1;
		number -= value * digit->weight;
		coords[digit->dim] += value * digit->unit;
	}
	for (d = 0; d < n->ndims; d++)
		if (coords[d] >= n->dims[d])
			return false;
	return !number;
}
