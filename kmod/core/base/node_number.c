// SPDX-License-Identifier: GPL-2.0
/* Conversion between node indices and node numbers, which have the machine's own order and gaps. */
#include "core/base/node_number.h"

void torus_number_plain(struct torus_geometry *g)
{
	struct torus_numbering *n = &g->numbering;
	u32 dim;

	memset(n, 0, sizeof(*n));
	for (dim = 0; dim < TORUS_DIMS_MAX; dim++) {
		n->split[dim] = dim < g->ndims ? g->dims[dim] : 1;
		n->stride[dim] = dim < g->ndims ? g->stride[dim] : 0;
	}
	torus_number_init(g);
}

/* Insert a place by falling weight. Skip a place with a single value: its digit is always 0. */
static void number_add_place(struct torus_geometry *g, struct torus_place place)
{
	u32 i;

	if (place.count < 2)
		return;
	for (i = g->nplaces++; i && g->place[i - 1].weight < place.weight; i--)
		g->place[i] = g->place[i - 1];
	g->place[i] = place;
}

/* Contribution of a coordinate to the node number. */
static u64 number_share(const struct torus_numbering *n, u32 dim, u32 coord)
{
	return (u64)(coord % n->split[dim]) * n->stride[dim] +
	       (u64)(coord / n->split[dim]) * n->jump[dim];
}

/*
 * Maximum contribution of a dimension to a node number: that of its last coordinate, or of the last
 * coordinate of the last complete piece.
 */
static u64 number_largest_share(const struct torus_geometry *g, u32 dim)
{
	const struct torus_numbering *n = &g->numbering;
	u32 last = g->dims[dim] - 1, split = n->split[dim];
	u64 most = number_share(n, dim, last), whole = 0;

	if (last >= split)
		whole = number_share(n, dim, last / split * split - 1);
	return whole > most ? whole : most;
}

/* Check that the weight of each place exceeds the largest sum of all places after it. */
static bool number_places_apart(const struct torus_geometry *g)
{
	u64 rest = 0;
	u32 i;

	for (i = g->nplaces; i--;) {
		if (g->place[i].weight <= rest)
			return false;
		/*
		 * The addition does not overflow: the test above has ensured that @rest is below
		 * the weight, a u32.
		 */
		rest += (u64)(g->place[i].count - 1) * g->place[i].weight;
		if (rest >> 40)
			return false;
	}
	return true;
}

bool torus_number_init(struct torus_geometry *g)
{
	struct torus_numbering *n = &g->numbering;
	u64 last = 0;
	u32 dim;

	g->nplaces = 0;
	for (dim = 0; dim < g->ndims; dim++) {
		u32 split = n->split[dim], length = g->dims[dim];

		if (!split) {
			torus_number_plain(g);
			return false;
		}
		number_add_place(g, (struct torus_place){
			.weight = n->stride[dim], .unit = 1, .dim = dim,
			.count = split < length ? split : length,
		});
		number_add_place(g, (struct torus_place){
			.weight = n->jump[dim], .unit = split, .dim = dim,
			.count = (length - 1) / split + 1,
		});
		last += number_largest_share(g, dim);
	}
	if (!number_places_apart(g) || last >= TORUS_NONE) {
		torus_number_plain(g);
		return false;
	}
	n->last = (u32)last;
	return true;
}

u32 torus_node_number(const struct torus_geometry *g, u32 node)
{
	u32 coords[TORUS_DIMS_MAX], dim;
	u64 number = 0;

	torus_geometry_coords(g, node, coords);
	for (dim = 0; dim < g->ndims; dim++)
		number += number_share(&g->numbering, dim, coords[dim]);
	return (u32)number;
}

u32 torus_node_index(const struct torus_geometry *g, u32 number)
{
	u32 coords[TORUS_DIMS_MAX] = { 0 }, i;

	for (i = 0; i < g->nplaces; i++) {
		const struct torus_place *place = &g->place[i];
		u32 value = number / place->weight;

		value = value < place->count ? value : place->count - 1;
		number -= value * place->weight;
		coords[place->dim] += value * place->unit;
	}
	return number ? TORUS_NONE : torus_geometry_node(g, coords);
}

const char *torus_number_text(const struct torus_geometry *g, u32 number, char *buf, size_t size)
{
	if (number > g->numbering.last)
		scnprintf(buf, size, "node %u: must be 0 to %u", number, g->numbering.last);
	else
		scnprintf(buf, size, "node %u: no node has this number", number);
	return buf;
}
