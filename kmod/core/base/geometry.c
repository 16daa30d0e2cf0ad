// SPDX-License-Identifier: GPL-2.0
/* Geometry: node indices, coordinates, neighbours, and their text form. */
#include "core/base/geometry.h"
#include "core/base/node_number.h"

/**
 * torus_geometry_init() - compute strides and numbering of a shape
 * @g: [in, out] the caller has set @ndims, @dims and @mesh
 * @nodes_max: maximum number of nodes
 *
 * Node indices count x fastest. A node's number equals its index until the machine sets its own
 * numbering (torus_number_init()). If @nshape is 0, the requested shape is @dims.
 *
 * Return: false if there is no dimension or more than TORUS_DIMS_MAX, a length is 0, or the product
 * of the lengths exceeds @nodes_max; @g is then unusable.
 */
bool torus_geometry_init(struct torus_geometry *g, u32 nodes_max)
{
	u64 nodes = 1;
	u32 i;

	if (!g->ndims || g->ndims > TORUS_DIMS_MAX)
		return false;
	for (i = 0; i < g->ndims; i++) {
		g->stride[i] = (u32)nodes;
		/* Both factors are below 2^32. */
		nodes *= g->dims[i];
		if (!nodes || nodes > nodes_max)
			return false;
	}
	g->nodes = (u32)nodes;
	if (!g->nshape) {
		g->nshape = g->ndims;
		memcpy(g->shape, g->dims, sizeof(g->shape));
	}
	torus_number_plain(g);
	return true;
}

/**
 * torus_geometry_coords() - compute the coordinates of a node
 * @g: geometry of the fabric
 * @node: index of the node, below @g->nodes
 * @coords: [out] array of @g->ndims coordinates
 */
void torus_geometry_coords(const struct torus_geometry *g, u32 node, u32 *coords)
{
	u32 i;

	for (i = 0; i < g->ndims; i++) {
		coords[i] = node % g->dims[i];
		node /= g->dims[i];
	}
}

/**
 * torus_geometry_neighbor() - find the node at the other end of a link
 * @g: geometry of the fabric
 * @node: index of the node, below @g->nodes
 * @dir: direction: 0 = x+, 1 = x-, 2 = y+ ..
 *
 * Return: the neighbour's index, or TORUS_NONE if the link does not exist: at the edge of a mesh,
 * in a dimension of length 1, in a dimension that the shape lacks.
 */
u32 torus_geometry_neighbor(const struct torus_geometry *g, u32 node, u32 dir)
{
	u32 dim = TORUS_DIM(dir);
	u32 length, stride, edge, at;

	if (dim >= g->ndims)
		return TORUS_NONE;
	length = g->dims[dim];
	stride = g->stride[dim];
	if (length == 1)
		return TORUS_NONE;

	/*
	 * @edge and @at are positions in the dimension, multiplied by the stride: this avoids a
	 * second division.
	 */
	edge = (length - 1) * stride;
	at = node % (edge + stride);
	if (TORUS_MINUS(dir) ? at >= stride : at < edge)
		return TORUS_MINUS(dir) ? node - stride : node + stride;

	if (g->mesh >> dim & 1)
		return TORUS_NONE;
	return TORUS_MINUS(dir) ? node + edge : node - edge;
}

/**
 * torus_geometry_steps() - compute the hops in a dimension, on the shorter way
 * @g: geometry of the fabric
 * @dim: index of the dimension
 * @from: coordinate of the source
 * @to: coordinate of the destination
 *
 * If both ways are equally long, packets from even coordinates take the plus direction, so that
 * both directions have the same load.
 *
 * Return: number of links, negative in minus direction.
 */
s32 torus_geometry_steps(const struct torus_geometry *g, u32 dim, u32 from, u32 to)
{
	s32 n = (s32)g->dims[dim], plus = (s32)to - (s32)from;

	if (g->mesh >> dim & 1)
		return plus;
	plus += plus < 0 ? n : 0;
	return 2 * plus + (s32)(from & 1) <= n ? plus : plus - n;
}

/**
 * torus_geometry_shape() - print the shape that was requested, as in "4x4x4"
 * @g: geometry of the fabric
 * @buf: [out] text; 11 bytes per dimension always suffice
 * @size: bytes in @buf, above 0
 *
 * Return: @buf.
 */
const char *torus_geometry_shape(const struct torus_geometry *g, char *buf, size_t size)
{
	size_t used = 0;
	u32 i;

	buf[0] = '\0';
	for (i = 0; i < g->nshape; i++)
		used += scnprintf(buf + used, size - used, i ? "x%u" : "%u", g->shape[i]);
	return buf;
}

/**
 * torus_geometry_text() - print the coordinates of a node, as in "1,2,3"
 * @g: geometry of the fabric
 * @node: index of the node
 * @buf: [out] text; 11 bytes per dimension always suffice
 * @size: bytes in @buf, above 0
 *
 * Return: @buf.
 */
const char *torus_geometry_text(const struct torus_geometry *g, u32 node, char *buf, size_t size)
{
	u32 coords[TORUS_DIMS_MAX];
	size_t used = 0;
	u32 i;

	buf[0] = '\0';
	torus_geometry_coords(g, node, coords);
	for (i = 0; i < g->ndims; i++)
		used += scnprintf(buf + used, size - used, i ? ",%u" : "%u", coords[i]);
	return buf;
}

/**
 * torus_direction_name() - print a direction, as in "x+", "c-", "d6+"
 * @dir: direction: 0 = x+, 1 = x-, 2 = y+ ..
 * @buf: [out] text; 16 bytes always suffice
 * @size: bytes in @buf, above 0
 *
 * Return: @buf.
 */
const char *torus_direction_name(u32 dir, char *buf, size_t size)
{
	static const char letters[] = "xyzabc";
	char sign = TORUS_MINUS(dir) ? '-' : '+';
	u32 dim = TORUS_DIM(dir);

	if (dim < sizeof(letters) - 1)
		scnprintf(buf, size, "%c%c", letters[dim], sign);
	else
		scnprintf(buf, size, "d%u%c", dim, sign);
	return buf;
}
