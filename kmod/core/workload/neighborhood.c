// SPDX-License-Identifier: GPL-2.0
/*
 * The peaks of the patterns neighbor and stencil, which send to nearby nodes.
 *
 * On a torus, all nodes have the same number of neighbours. At the edge of a mesh, a node has fewer
 * neighbours, and sends more packets to each of them. The load of a link therefore depends on the
 * sources' place in each mesh: at the edge, next to the edge, or farther away.
 */
#include "core/workload/neighborhood.h"
#include "core/workload/workload.h"

#define UNIT	(1ull << 21)
#define PLACES	3	/* places in a mesh: at the edge, next to it, farther away */

/**
 * struct around - search for the busiest link and port
 * @g: the shape
 * @ask: ticks on the wire of two packets
 * @answer: ticks on the wire of two replies
 * @ports: bandwidth of a processor port in links; 0: unlimited
 * @gap: [out] highest gap so far: ticks between two packets of a node, in units of 2^-16
 * @place: the current place in each dimension whose nodes differ
 */
struct around {
	const struct torus_geometry *g;
	u64 ask;
	u64 answer;
	u32 ports;
	u64 gap;
	u8 place[TORUS_DIMS_MAX];
};

static bool around_mesh(const struct torus_geometry *g, u32 dim)
{
	return g->mesh >> dim & 1;
}

/* Check whether a node's number of neighbours depends on its coordinate in a dimension. */
static bool around_differs(const struct torus_geometry *g, u32 dim)
{
	return around_mesh(g, dim) && g->dims[dim] > 2;
}

/*
 * Update the highest gap with a link that has @there packets and @back replies per packet that a
 * node sends. Both are in units of 2^-21.
 */
static void around_link(struct around *s, u64 there, u64 back)
{
	u64 gap = (there * s->ask + back * s->answer) / 4 >> 4;

	s->gap = gap > s->gap ? gap : s->gap;
}

/*
 * Update the highest gap with a node that receives @in packets per packet that it sends. @in is in
 * units of 2^-21.
 */
static void around_port(struct around *s, u64 in)
{
	u64 there = in * s->ask + UNIT * s->answer, back = UNIT * s->ask + in * s->answer;
	u64 gap = (there > back ? there : back) / 4 >> 4;

	if (!s->ports)
		return;
	gap /= s->ports;
	s->gap = gap > s->gap ? gap : s->gap;
}

/*
 * Return the packets that a node receives, in units of 2^-21: a share from each neighbour. The
 * node is next to the edge in @three meshes of length 3 and in @long_ones longer meshes, and at
 * the edge of all others.
 */
static u64 neighbor_in(const struct torus_geometry *g, u32 least, s32 three, s32 long_ones)
{
	u32 links = least + (u32)(three + long_ones), dim;
	u64 in = 0;

	for (dim = 0; dim < g->ndims; dim++) {
		u32 n = g->dims[dim];

		if (n == 1)
			continue;
		if (!around_mesh(g, dim))
			in += 2 * UNIT / links;
		else if (n == 2)
			in += UNIT / links;
		else if (n == 3 && three-- > 0)
			in += 2 * UNIT / (links - 1);
		else if (n > 3 && long_ones-- > 0)
			in += UNIT / (links - 1) + UNIT / links;
		else
			in += UNIT / (links + 1);
	}
	return in;
}

static void neighbor_peak(struct around *s)
{
	const struct torus_geometry *g = s->g;
	s32 threes = 0, long_ones = 0, i, j;
	u32 dim, least = 0;
	bool alike = false;
	u64 corner, next;

	for (dim = 0; dim < g->ndims; dim++) {
		if (g->dims[dim] == 1)
			continue;
		least += around_mesh(g, dim) ? 1 : 2;
		threes += around_differs(g, dim) && g->dims[dim] == 3;
		long_ones += around_differs(g, dim) && g->dims[dim] > 3;
		alike |= !around_differs(g, dim);
	}
	corner = UNIT / least;
	next = UNIT / (least + 1);
	/* a corner's link leads to another corner, or to a node with one neighbour more */
	around_link(s, corner, alike ? corner : next);
	around_link(s, alike ? corner : next, corner);
	for (i = 0; i <= threes; i++)
		for (j = 0; j <= long_ones; j++)
			around_port(s, neighbor_in(g, least, i, j));
}

/*
 * Return the number of coordinates within one hop in a dimension, including the node's own. On a
 * ring of two, plus and minus are the same node.
 */
u32 torus_neighborhood_width(const struct torus_geometry *g, u32 dim)
{
	return g->dims[dim] < 3 ? g->dims[dim] : 3;
}

/* Return the number of coordinates within one hop of the current place, including the place. */
static u32 stencil_width(const struct around *s, u32 dim)
{
	if (!around_differs(s->g, dim))
		return torus_neighborhood_width(s->g, dim);
	return s->place[dim] ? 3 : 2;
}

/*
 * Return the number of coordinates at the edge of the mesh that are within one hop of the current
 * place.
 */
static u32 stencil_edges(const struct around *s, u32 dim)
{
	if (s->place[dim] == 2)
		return 0;
	return s->place[dim] == 1 && s->g->dims[dim] == 3 ? 2 : 1;
}

/**
 * stencil_share() - add up the shares that the sources around a place send over one link
 * @s: the search, with a place in each dimension
 * @first: first dimension in which sources are around the place
 * @end: dimension after the last one
 * @width: number of coordinates within one hop of the source in the dimension of the link
 * @each: number of nodes that each source reaches over the link
 *
 * Return: packets over the link per packet that a node sends, in units of 2^-21.
 */
static u64 stencil_share(const struct around *s, u32 first, u32 end, u32 width, u64 each)
{
	u64 count[TORUS_DIMS_MAX + 1] = { 1 }, nodes = width * each, sum = 0;
	u32 dim, i, most = 0;

	/* count[i]: number of sources that are off the edge in i dimensions */
	for (dim = first; dim < end; dim++) {
		u32 around = stencil_width(s, dim), edges;

		if (!around_differs(s->g, dim)) {
			nodes *= around;
			each *= around;
			continue;
		}
		edges = stencil_edges(s, dim);
		most++;
		for (i = most; i; i--)
			count[i] = count[i] * edges + count[i - 1] * (around - edges);
		count[0] *= edges;
	}
	for (i = 0; i < most; i++)
		nodes *= 2;
	for (i = 0; i <= most; i++) {
		if (count[i])
			sum += count[i] * each * UNIT / (nodes - 1);
		nodes = nodes / 2 * 3;
	}
	return sum;
}

/*
 * Update the highest gap with the links of dimension @dim. They lead from a place with @from
 * coordinates within one hop to a place with @to.
 */
static void stencil_link(struct around *s, u32 dim, u32 from, u32 to)
{
	u64 before = 1, after = 1, there, back;
	u32 i;

	for (i = 0; i < dim; i++)
		before *= stencil_width(s, i);
	for (i = dim + 1; i < s->g->ndims; i++)
		after *= stencil_width(s, i);
	/*
	 * on a link of @dim, a packet has already moved in the lower dimensions, and its reply in
	 * the higher dimensions
	 */
	there = stencil_share(s, 0, dim, from, after);
	back = stencil_share(s, dim + 1, s->g->ndims, to, before);
	/* in a ring of two, two links lead to the other node: each has half of the packets */
	if (s->g->dims[dim] == 2 && !around_mesh(s->g, dim)) {
		there /= 2;
		back /= 2;
	}
	around_link(s, there, back);
}

static void stencil_place(struct around *s)
{
	const struct torus_geometry *g = s->g;
	u64 own = 1;
	u32 dim;

	for (dim = 0; dim < g->ndims; dim++) {
		own *= stencil_width(s, dim);
		if (g->dims[dim] == 1)
			continue;
		if (!around_differs(g, dim)) {
			stencil_link(s, dim, torus_neighborhood_width(g, dim),
				     torus_neighborhood_width(g, dim));
			continue;
		}
		stencil_link(s, dim, 2, 3);
		stencil_link(s, dim, 3, 2);
		if (g->dims[dim] > 3)
			stencil_link(s, dim, 3, 3);
	}
	/* a node receives the shares of all nodes within one hop, except its own share */
	around_port(s, stencil_share(s, 0, g->ndims, 1, 1) - UNIT / (own - 1));
}

/* Move to the next combination of places; return false after the last one. */
static bool stencil_next(struct around *s)
{
	u32 dim, places;

	for (dim = 0; dim < s->g->ndims; dim++) {
		if (!around_differs(s->g, dim))
			continue;
		places = s->g->dims[dim] < 5 ? PLACES - 1 : PLACES;
		if (++s->place[dim] < places)
			return true;
		s->place[dim] = 0;
	}
	return false;
}

/**
 * torus_neighborhood_peak_gap() - compute the peak of neighbor or stencil
 * @f: the fabric
 * @pattern: TORUS_PATTERN_NEIGHBOR or TORUS_PATTERN_STENCIL
 * @ask_twice: ticks on the wire of two packets
 * @answer_twice: ticks on the wire of two replies; 0: there are none
 *
 * Return: ticks between two packets of a node, in units of 2^-16.
 */
u64 torus_neighborhood_peak_gap(const struct torus_fabric *f, u32 pattern, u64 ask_twice,
				u64 answer_twice)
{
	struct around s = {
		.g = &f->cfg.geo, .ask = ask_twice, .answer = answer_twice,
		.ports = f->arch->port_links,
	};

	if (pattern == TORUS_PATTERN_NEIGHBOR) {
		neighbor_peak(&s);
		return s.gap;
	}
	do {
		stencil_place(&s);
		torus_yield();
	} while (stencil_next(&s));
	return s.gap;
}
