// SPDX-License-Identifier: GPL-2.0
/*
 * Check that a packet stays in its partition.
 *
 * A packet may take its hops in the three dimensions in any order, so it may pass each node of the
 * box between source and destination. Each node of the box is checked, because a partition can be
 * any set of nodes.
 */
#include "bgl.h"
#include "partition_check.h"

/**
 * struct bgl_span - coordinates of a box in a dimension
 *
 * @first: coordinate of the source
 * @nodes: number of coordinates, starting with @first
 * @dir: direction from @first; TORUS_NONE if @nodes is 1
 * @length: length of the dimension
 */
struct bgl_span {
	u32 first;
	u32 nodes;
	u32 dir;
	u32 length;
};

static u32 span_next(const struct bgl_span *s, u32 at)
{
	if (TORUS_MINUS(s->dir))
		return at ? at - 1 : s->length - 1;
	return at + 1 < s->length ? at + 1 : 0;
}

/*
 * Return the span of a dimension. If a dimension has a hint, but source and destination have the
 * same coordinate, the packet travels once around the ring.
 */
static struct bgl_span span_of(u32 dim, u32 length, u32 from, u32 to, u32 hints)
{
	struct bgl_span s = { .first = from, .nodes = 1, .dir = TORUS_NONE, .length = length };
	u32 plus = to > from ? to - from : to + length - from;

	if (hints & bgl_hint_bit(2 * dim)) {
		s.dir = 2 * dim;
		s.nodes = plus + 1;
	} else if (hints & bgl_hint_bit(2 * dim + 1)) {
		s.dir = 2 * dim + 1;
		s.nodes = to == from ? length : length - plus + 1;
	}
	if (s.nodes > length)
		s.nodes = length;
	return s;
}

/*
 * Check that a packet stops at its destination's coordinate in a dimension. There the router clears
 * the packet's hint, but only if the neighbour registers on the way are correct.
 */
static bool span_ends(const struct torus_geometry *g, const struct bgl_regs *r, u32 dim, u32 at,
		      const struct bgl_span *s)
{
	bool minus = TORUS_MINUS(s->dir);

	return s->dir == TORUS_NONE ||
	       (minus ? r->minus : r->plus)[dim] ==
	       bgl_neighbor_coord(s->length, at, minus, g->mesh >> dim & 1);
}

static bool box_row(const struct torus_fabric *f, u32 own, const struct bgl_span *s, u32 y, u32 z)
{
	const struct torus_geometry *g = &f->cfg.geo;
	const struct bgl_machine *m = f->machine;
	u32 row = z * g->stride[2] + y * g->stride[1], x = s[0].first, i;

	for (i = 0; i < s[0].nodes; i++, x = span_next(&s[0], x)) {
		u32 node = row + x * g->stride[0];
		const struct bgl_regs *r = m->regs ? &m->regs[node] : NULL;

		if (f->partition[node] != own)
			return false;
		if (r && !(span_ends(g, r, 0, x, &s[0]) && span_ends(g, r, 1, y, &s[1]) &&
			   span_ends(g, r, 2, z, &s[2])))
			return false;
	}
	return true;
}

/*
 * Check that a packet of @node stays in the node's partition, whichever way it takes. The
 * fabric must have partitions, and the packet its hints.
 */
bool bgl_stays_in_partition(struct torus_fabric *f, u32 node, const struct torus_packet *packet)
{
	const struct bgl_fields *fields = bgl_fields_const(packet);
	const struct torus_geometry *g = &f->cfg.geo;
	u32 own = f->partition[node], at[TORUS_DIMS_MAX], dim, y, z, i, j;
	struct bgl_span s[BGL_DIMS];

	torus_geometry_coords(g, node, at);
	for (dim = 0; dim < BGL_DIMS; dim++)
		s[dim] = span_of(dim, g->dims[dim], at[dim], fields->dest[dim], fields->hints);
	for (z = s[2].first, i = 0; i < s[2].nodes; i++, z = span_next(&s[2], z))
		for (y = s[1].first, j = 0; j < s[1].nodes; j++, y = span_next(&s[1], y))
			if (!box_row(f, own, s, y, z))
				return false;
	return true;
}
