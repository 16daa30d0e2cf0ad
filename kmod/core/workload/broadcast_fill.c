// SPDX-License-Identifier: GPL-2.0
/*
 * Fills: broadcasts over a line (linefill) or a plane (planefill) with all links busy
 * all the time, built from row broadcasts (a packet that is deposited at every node of
 * a straight line).  "Software" at the corners sends on what it has received.
 *
 * A line: the root sends half of the packets round in x+, half in x-, each to all the
 * n - 1 others.  Two links of the root are the bottleneck.
 *
 * A plane: a quarter of the packets has each of four colours.  Let (i, j) be counted
 * from the root, i = 0 .. X - 1 and j = 0 .. Y - 1, and a colour have a first and a
 * second direction:
 *
 *	stage 1  the root sends along the first, X - 1 (or Y - 1) hops
 *	stage 2  each of those that got it sends it along the second, likewise
 *	stage 3  the root's own line in the second direction has nothing yet: the last
 *		 nodes in the first direction, one hop from it, send it on over the
 *		 wrap-around link
 *
 *	colour	  stage 1		stage 2			stage 3
 *	A  x+ y+  x+ of j = 0		y+ of i > 0		x+ from i = X - 1 to 0, j > 0
 *	B  y+ x-  y+ of i = 0		x- of j > 0		y+ from j = Y - 1 to 0, i > 0
 *	C  x- y-  x- of j = 0		y- of i > 0		x- from i = 1 to 0, j > 0
 *	D  y- x+  y- of i = 0		x+ of j > 0		y- from j = 1 to 0, i > 0
 *
 * Stages 1 and 2 use all links of a ring but the one that would lead back to where the
 * stage began: x+ from i = X - 1, y+ from j = Y - 1, x- from i = 1, y- from j = 1.  So
 * the x+ links of row 0 carry A only; those of rows j > 0 carry D up to i = X - 2, and
 * A's third stage from i = X - 1.  The y+ links of column 0 carry B only; those of
 * columns i > 0 carry A up to j = Y - 2, and B's third stage from j = Y - 1.  x- and y-
 * are the mirror image: no link carries more than one stream, and every colour goes
 * on at the rate of a link.  Four links of the root are the bottleneck.
 *
 * A node sends at most one stream of a colour, so that what it owes is one number a
 * colour, in memory and not in a FIFO: full injection FIFOs cannot hold up reception,
 * and nothing can deadlock.  Each colour has an injection FIFO of its own, so none
 * stands behind another.
 */
#include "core/workload/broadcast_fill.h"
#include "core/workload/source.h"

/* First and second direction of each colour, 0 = x+, 1 = x-, 2 = y+, 3 = y-. */
static const u8 line_first[] = { 0, 1 };
static const u8 plane_first[] = { 0, 2, 1, 3 };
static const u8 plane_second[] = { 2, 1, 3, 0 };

static u32 fill_normal_fifos(const struct torus_arch *arch)
{
	return arch->groups * (arch->inject_fifos - torus_popcount(arch->inject_priority));
}

/**
 * torus_fill_check() - does a fill fit the fabric?
 * @f: the fabric
 * @t: the workload
 * @err: why not
 *
 * Return: 0, -EOPNOTSUPP, or -EINVAL.
 */
int torus_fill_check(struct torus_fabric *f, const struct torus_traffic *t,
		     struct torus_error *err)
{
	const struct torus_geometry *g = &f->cfg.geo;
	bool plane = t->pattern == TORUS_PATTERN_PLANEFILL;
	const char *name = plane ? "planefill" : "linefill";
	u32 dim;

	if (!f->arch->deposit || fill_normal_fifos(f->arch) < torus_fill_colours(t->pattern))
		return torus_fail(err, EOPNOTSUPP, "%s: %s has no row broadcast", name,
				  f->arch->name);
	if (t->load)
		return torus_fail(err, EINVAL, "%s: takes a number of packets, not a load", name);
	if (t->size_min != t->size_max)
		return torus_fail(err, EINVAL, "%s: size %u:%u: its packets are of one size",
				  name, t->size_min, t->size_max);
	for (dim = 0; dim < (plane ? 2 : 1); dim++) {
		if (dim >= g->ndims || g->dims[dim] < 2)
			return torus_fail(err, EINVAL, "%s: dimension %u has length 1", name, dim);
		if (g->mesh >> dim & 1)
			return torus_fail(err, EINVAL,
					  "%s: dimension %u is a mesh: a row cannot go round", name,
					  dim);
		if (t->region_at[dim] >= g->dims[dim])
			return torus_fail(err, EINVAL,
					  "root_at: coordinate %u in dimension %u: 0 to %u",
					  t->region_at[dim], dim, g->dims[dim] - 1);
	}
	return 0;
}

/* Coordinate of a node in a dimension, counted from the root. */
static u32 fill_from_root(const struct torus_geometry *g, const struct torus_traffic *t, u32 node,
			  u32 dim)
{
	u32 n = g->dims[dim], at = node / g->stride[dim] % n;

	return at >= t->region_at[dim] ? at - t->region_at[dim] : at + n - t->region_at[dim];
}

/**
 * torus_fill_turn() - what a node sends of a colour
 * @g: the shape
 * @t: the workload
 * @node: the node
 * @colour: the colour
 * @dir: out: in which direction
 *
 * Return: over how many hops, 0: it sends nothing.
 */
u32 torus_fill_turn(const struct torus_geometry *g, const struct torus_traffic *t, u32 node,
		    u32 colour, u32 *dir)
{
	u32 first, second, along, across;

	if (t->pattern == TORUS_PATTERN_LINEFILL) {
		*dir = line_first[colour];
		return fill_from_root(g, t, node, 0) ? 0 : g->dims[0] - 1;
	}
	first = plane_first[colour];
	second = plane_second[colour];
	along = fill_from_root(g, t, node, TORUS_DIM(first));
	across = fill_from_root(g, t, node, TORUS_DIM(second));
	*dir = across || !along ? first : second;
	if (!across)
		return g->dims[TORUS_DIM(*dir)] - 1;
	return along == (TORUS_MINUS(first) ? 1 : g->dims[TORUS_DIM(first)] - 1);
}

/* Nodes that a root fills, itself included. */
static u32 fill_group(const struct torus_geometry *g, const struct torus_traffic *t)
{
	return t->pattern == TORUS_PATTERN_LINEFILL ? g->dims[0] : g->dims[0] * g->dims[1];
}

/**
 * torus_fill_limit() - the first number of a colour that a node does not send
 * @f: the fabric
 * @t: the workload
 * @node: the node
 * @colour: the colour: packets @colour, @colour + colours, ...
 *
 * Return: that of a root; of the others, who have nothing to send on yet, @colour.
 */
u64 torus_fill_limit(struct torus_fabric *f, const struct torus_traffic *t, u32 node,
		     u32 colour)
{
	const struct torus_geometry *g = &f->cfg.geo;
	bool plane = t->pattern == TORUS_PATTERN_PLANEFILL;

	if (fill_from_root(g, t, node, 0) || (plane && fill_from_root(g, t, node, 1)))
		return colour;
	return t->packets;
}

/**
 * torus_fill_deliveries() - packets that all nodes are to receive together
 * @f: the fabric
 * @t: the workload
 *
 * Return: how many.
 */
u64 torus_fill_deliveries(struct torus_fabric *f, const struct torus_traffic *t)
{
	u32 n = fill_group(&f->cfg.geo, t);

	return t->packets * (n - 1) * (f->nodes / n);
}

/**
 * torus_fill_received() - software at a node has a packet of a fill
 * @d: the domain
 * @node: the node
 * @p: the packet; its number is its sender's, and tells the colour
 *
 * If it is the node's turn to send the colour on, it owes one packet more.
 */
void torus_fill_received(struct torus_domain *d, u32 node, const struct torus_packet *p)
{
	const struct torus_workload *w = d->f->workload;
	u32 colour, dir;

	if (!w || !torus_fill_is(w->traffic.pattern))
		return;
	colour = p->seq % w->streams;
	if (torus_fill_turn(&d->f->cfg.geo, &w->traffic, node, colour, &dir))
		torus_source_owe(d, node, colour);
}
