// SPDX-License-Identifier: GPL-2.0
/*
 * Fills: broadcasts over a line (linefill) or a plane (planefill) that keep the root's links busy
 * all the time. They consist of row broadcasts: packets that are deposited at each node of a
 * straight line. Software at the corners forwards the packets that it has received.
 *
 * A line: the root sends half of the packets in x+, half in x-, each to all n - 1 other nodes. Two
 * links of the root are the bottleneck.
 *
 * A plane: each of four colours has a quarter of the packets. Let (i, j) be coordinates relative
 * to the root, i = 0 .. X - 1 and j = 0 .. Y - 1. A colour has a first and a second direction:
 *
 *	stage 1  the root sends along the first direction, X - 1 (or Y - 1) hops
 *	stage 2  each node that has received this sends it along the whole second direction
 *	stage 3  the root's own line in the second direction has received nothing yet:
 *		 the last nodes in the first direction, one hop from that line, forward
 *		 the packet to it over the wrap-around link
 *
 *	colour    stage 1          stage 2          stage 3
 *	A  x+ y+  x+ of j = 0      y+ of i > 0      x+ from i = X - 1 to 0, j > 0
 *	B  y+ x-  y+ of i = 0      x- of j > 0      y+ from j = Y - 1 to 0, i > 0
 *	C  x- y-  x- of j = 0      y- of i > 0      x- from i = 1 to 0, j > 0
 *	D  y- x+  y- of i = 0      x+ of j > 0      y- from j = 1 to 0, i > 0
 *
 * Stages 1 and 2 use all links of a ring except the link back to the start of the stage:
 * x+ from i = X - 1, y+ from j = Y - 1, x- from i = 1, y- from j = 1. The x+ links of row 0
 * therefore transport only A. Those of rows j > 0 transport D up to i = X - 2, and stage 3 of A
 * from i = X - 1. The y+ links of column 0 transport only B. Those of columns i > 0 transport A up
 * to j = Y - 2, and stage 3 of B from j = Y - 1. x- and y- are the mirror image. No link has more
 * than one stream, so each colour proceeds at the rate of a link. Four links of the root are the
 * bottleneck.
 *
 * A node sends at most one stream per colour. The number of packets that it has still to forward
 * is one counter per colour in memory, not a FIFO. Full injection FIFOs therefore cannot block
 * reception, and no deadlock is possible. Each colour has its own injection FIFO, so that no
 * colour waits for another.
 */
#include "core/workload/broadcast_fill.h"
#include "core/workload/source.h"

/* First and second direction of each colour of a line or plane; 0 = x+, 1 = x-, 2 = y+, 3 = y-. */
static const u8 line_first[] = { 0, 1 };
static const u8 plane_first[] = { 0, 2, 1, 3 };
static const u8 plane_second[] = { 2, 1, 3, 0 };

static u32 fill_normal_fifos(const struct torus_arch *arch)
{
	return arch->groups * (arch->inject_fifos - torus_popcount(arch->inject_priority));
}

/**
 * torus_fill_check() - check that a fill fits the fabric
 * @f: the fabric
 * @t: the workload
 * @err: [out] error message
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
		return torus_fail(err, EOPNOTSUPP, "%s: %s cannot broadcast along a row", name,
				  f->arch->name);
	if (t->load)
		return torus_fail(err, EINVAL, "%s: requires a number of packets, not a load",
				  name);
	if (t->size_min != t->size_max)
		return torus_fail(err, EINVAL,
				  "%s: size %u:%u: all packets must have the same size",
				  name, t->size_min, t->size_max);
	for (dim = 0; dim < (plane ? 2 : 1); dim++) {
		if (dim >= g->ndims || g->dims[dim] < 2)
			return torus_fail(err, EINVAL,
					  "%s: dimension %u has length 1, must be at least 2", name,
					  dim);
		if (g->mesh >> dim & 1)
			return torus_fail(err, EINVAL,
					  "%s: dimension %u is a mesh, must be a torus", name, dim);
		if (t->region_at[dim] >= g->dims[dim])
			return torus_fail(err, EINVAL,
					  "root_at: coordinate %u in dimension %u must be 0 to %u",
					  t->region_at[dim], dim, g->dims[dim] - 1);
	}
	return 0;
}

/* Return a node's coordinate in a dimension, relative to the root. */
static u32 fill_from_root(const struct torus_geometry *g, const struct torus_traffic *t, u32 node,
			  u32 dim)
{
	u32 n = g->dims[dim], at = node / g->stride[dim] % n;

	return at >= t->region_at[dim] ? at - t->region_at[dim] : at + n - t->region_at[dim];
}

/**
 * torus_fill_turn() - find the direction and hops in which a node sends a colour
 * @g: the shape
 * @t: the workload
 * @node: the node
 * @colour: the colour
 * @dir: [out] direction
 *
 * Return: number of hops, 0 if the node sends no packets of this colour.
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

/* Return the number of nodes that a root's broadcasts reach, including the root. */
static u32 fill_group(const struct torus_geometry *g, const struct torus_traffic *t)
{
	return t->pattern == TORUS_PATTERN_LINEFILL ? g->dims[0] : g->dims[0] * g->dims[1];
}

/**
 * torus_fill_limit() - return the initial packet limit of a node's colour
 * @f: the fabric
 * @t: the workload
 * @node: the node
 * @colour: the colour; its packets have the numbers @colour, @colour + colours, ...
 *
 * Return: the first number that is not sent: at a root, the number of the workload's packets; at
 * other nodes @colour, because they have received no packet to forward yet.
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
 * torus_fill_deliveries() - return the number of packets that all nodes are to receive
 * @f: the fabric
 * @t: the workload
 *
 * Return: packets.
 */
u64 torus_fill_deliveries(struct torus_fabric *f, const struct torus_traffic *t)
{
	u32 n = fill_group(&f->cfg.geo, t);

	return t->packets * (n - 1) * (f->nodes / n);
}

/**
 * torus_fill_received() - handle a fill's packet that software at a node has received
 * @d: the domain
 * @node: the node
 * @p: the packet; its number at its sender determines the colour
 *
 * If the node forwards this colour, its stream has one more packet to send.
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
