/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of nodes, converted to coordinates. */
#ifndef TORUS_NET_NUMBERING_H
#define TORUS_NET_NUMBERING_H

#include "core/platform.h"

/**
 * struct torus_net_shape - the nodes of a fabric, as the registers of a port describe them
 * @ndims: number of dimensions, up to TORUS_DIMS_MAX
 * @dims: length of each dimension
 * @numbering: how the nodes are numbered
 */
struct torus_net_shape {
	u32 ndims;
	u32 dims[TORUS_DIMS_MAX];
	struct torus_numbering numbering;
};

/**
 * struct torus_net_digit - a digit of a node number
 * @weight: difference of the numbers of nodes whose digits differ by 1
 * @count: values of the digit: 0 .. @count - 1
 * @unit: coordinates per value
 * @dim: dimension of the coordinate
 */
struct torus_net_digit {
	u32 weight;
	u32 count;
	u32 unit;
	u32 dim;
};

/**
 * struct torus_net_numbering - the digits of node numbers, by falling weight
 * @ndims: number of dimensions
 * @dims: length of each dimension
 * @ndigits: number of elements of @digit
 * @digit: two digits per dimension at most
 */
struct torus_net_numbering {
	u32 ndims;
	u32 dims[TORUS_DIMS_MAX];
	u32 ndigits;
	struct torus_net_digit digit[2 * TORUS_DIMS_MAX];
};

bool torus_net_numbering_init(struct torus_net_numbering *n, const struct torus_net_shape *shape);
bool torus_net_coords(const struct torus_net_numbering *n, u32 number, u32 *coords);

#endif
