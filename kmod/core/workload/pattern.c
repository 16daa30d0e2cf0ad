// SPDX-License-Identifier: GPL-2.0
/*
 * Patterns: the destinations of packets, and the resulting load of the links.
 *
 * A packet's destination and size are a function of its source and number. Several FIFOs of a node
 * can therefore be filled in any order.
 */
#include "core/base/random.h"
#include "core/workload/neighborhood.h"
#include "core/workload/broadcast_fill.h"
#include "core/workload/hotspot.h"
#include "core/workload/pattern.h"
#include "core/workload/link_load.h"
#include "core/workload/permutation.h"
#include "core/workload/pair_list.h"
#include "core/workload/timed.h"
#include "core/workload/workload.h"

static const char *const names[TORUS_PATTERN_MAX] = {
	[TORUS_PATTERN_UNIFORM] = "uniform",
	[TORUS_PATTERN_ALLTOALL] = "alltoall",
	[TORUS_PATTERN_ALLTOALL_LINE] = "alltoall-line",
	[TORUS_PATTERN_ALLTOALL_PLANE] = "alltoall-plane",
	[TORUS_PATTERN_HOTREGION] = "hotregion",
	[TORUS_PATTERN_NEIGHBOR] = "neighbor",
	[TORUS_PATTERN_TRANSPOSE] = "transpose",
	[TORUS_PATTERN_BITCOMP] = "bitcomp",
	[TORUS_PATTERN_TORNADO] = "tornado",
	[TORUS_PATTERN_LINEFILL] = "linefill",
	[TORUS_PATTERN_PLANEFILL] = "planefill",
	[TORUS_PATTERN_TABLE] = "file:NAME",
	[TORUS_PATTERN_BITREV] = "bitrev",
	[TORUS_PATTERN_SHUFFLE] = "shuffle",
	[TORUS_PATTERN_PERMUTATION] = "permutation",
	[TORUS_PATTERN_STENCIL] = "stencil",
	[TORUS_PATTERN_HOTSPOT] = "hotspot",
};

static int pattern_check_share(const struct torus_traffic *t, struct torus_error *err)
{
	char text[TORUS_RATIO_MAX];

	if (t->share > 1ull << 32)
		return torus_fail(err, ERANGE, "share %s: must be at most 1",
				  torus_ratio_text(t->share, text, sizeof(text)));
	return 0;
}

static u32 pattern_region_nodes(const struct torus_geometry *g, const struct torus_traffic *t)
{
	u32 dim, n = 1;

	for (dim = 0; dim < g->ndims; dim++)
		n *= t->region[dim];
	return n;
}

static int pattern_check_region(struct torus_fabric *f, const struct torus_traffic *t,
				struct torus_error *err)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 dim;

	for (dim = 0; dim < g->ndims; dim++) {
		if (!t->region[dim] || t->region[dim] > g->dims[dim])
			return torus_fail(err, EINVAL,
					  "region: length %u in dimension %u must be 1 to %u",
					  t->region[dim], dim, g->dims[dim]);
		if (t->region_at[dim] >= g->dims[dim])
			return torus_fail(err, EINVAL,
					  "region_at: coordinate %u in dimension %u must be 0 to "
					  "%u", t->region_at[dim], dim, g->dims[dim] - 1);
	}
	/* with a share of 1, or in closed loop, only nodes outside the region send: none here */
	if (t->load && t->share < 1ull << 32 && pattern_region_nodes(g, t) == g->nodes)
		return torus_fail(err, EINVAL,
				  "region: contains all %u nodes, so no link enters it; use the "
				  "pattern uniform", g->nodes);
	return pattern_check_share(t, err);
}

static int pattern_check_shape(struct torus_fabric *f, const struct torus_traffic *t,
			       struct torus_error *err)
{
	const struct torus_geometry *g = &f->cfg.geo;
	int ret;

	if (f->nodes < 2)
		return torus_fail(err, EINVAL, "a workload requires at least two nodes");
	if (torus_permutation_is(t->pattern))
		return torus_permutation_check(f, t->pattern, err);
	switch (t->pattern) {
	case TORUS_PATTERN_UNIFORM:
	case TORUS_PATTERN_ALLTOALL:
	case TORUS_PATTERN_NEIGHBOR:
	case TORUS_PATTERN_STENCIL:
		return 0;
	case TORUS_PATTERN_HOTREGION:
		return pattern_check_region(f, t, err);
	case TORUS_PATTERN_HOTSPOT:
		ret = torus_hotspot_check(f, t, err);
		return ret ? ret : pattern_check_share(t, err);
	case TORUS_PATTERN_LINEFILL:
	case TORUS_PATTERN_PLANEFILL:
		return torus_fill_check(f, t, err);
	case TORUS_PATTERN_TABLE:
		return f->pairs ? 0 :
		       torus_fail(err, EINVAL, "pattern file:NAME: requires a table of pairs");
	case TORUS_PATTERN_TIMED:
		if (f->timed)
			return 0;
		break;
	case TORUS_PATTERN_ALLTOALL_LINE:
		if (g->dims[0] < 2)
			return torus_fail(err, EINVAL,
					  "alltoall-line: dimension 0 has length 1, must be at "
					  "least 2");
		return 0;
	case TORUS_PATTERN_ALLTOALL_PLANE:
		if (g->ndims < 2 || g->dims[0] * g->dims[1] < 2)
			return torus_fail(err, EINVAL,
					  "alltoall-plane: dimensions 0 and 1 have length 1, one "
					  "must be at least 2");
		return 0;
	}
	return torus_fail(err, EINVAL, "pattern %s: not available on %s",
			  t->pattern < TORUS_PATTERN_MAX ? names[t->pattern] : "?", f->arch->name);
}

/*
 * Return the index, below @n, of the receiver of packet @number. In each round of @n packets a
 * source sends to each receiver once. The order is random for each source and round.
 */
static u32 pattern_turn(struct torus_fabric *f, u32 node, u32 n, u64 number)
{
	u64 seed = torus_random_seed(f->cfg.seed, 5, (u64)node << 16 ^ number / n);

	return torus_permute(seed, n, (u32)(number % n));
}

/*
 * Return the number of nodes that exchange packets with each other: all nodes, a line, or a plane.
 */
static u32 pattern_group_size(const struct torus_geometry *g, u32 pattern)
{
	return pattern == TORUS_PATTERN_ALLTOALL ? g->nodes :
	       pattern == TORUS_PATTERN_ALLTOALL_LINE ? g->dims[0] : g->dims[0] * g->dims[1];
}

/*
 * Return the destination of packet @number: in each round, each other node of the group once, in a
 * random order of the source.
 */
static u32 pattern_exchange(struct torus_fabric *f, const struct torus_traffic *t, u32 node,
			    u64 number)
{
	u32 n = pattern_group_size(&f->cfg.geo, t->pattern), own = node % n, first = node - own;
	u64 round = number / (n - 1);
	u64 seed = torus_random_seed(f->cfg.seed, 5, (u64)node << 16 ^ round);
	u32 other = torus_permute(seed, n - 1, (u32)(number % (n - 1)));

	return first + other + (other >= own);
}

static bool pattern_in_region(const struct torus_geometry *g, const struct torus_traffic *t,
			      u32 node)
{
	u32 a[TORUS_DIMS_MAX], dim;

	torus_geometry_coords(g, node, a);
	for (dim = 0; dim < g->ndims; dim++)
		if ((a[dim] + g->dims[dim] - t->region_at[dim]) % g->dims[dim] >= t->region[dim])
			return false;
	return true;
}

static u32 pattern_region_node(const struct torus_geometry *g, const struct torus_traffic *t,
			       u32 index)
{
	u32 a[TORUS_DIMS_MAX], dim;

	for (dim = 0; dim < g->ndims; dim++) {
		a[dim] = (index % t->region[dim] + t->region_at[dim]) % g->dims[dim];
		index /= t->region[dim];
	}
	return torus_geometry_node(g, a);
}

static u32 pattern_hot(struct torus_fabric *f, const struct torus_traffic *t, u64 *rng, u32 node,
		       u64 number)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 n = pattern_region_nodes(g, t), other;

	/* closed loop: in each round, each receiver once, in a random order of the source */
	if (t->packets)
		return pattern_region_node(g, t, pattern_turn(f, node, n, number));
	if (torus_random(rng) >> 32 < t->share)
		return pattern_region_node(g, t, torus_random_below(rng, n));
	other = torus_random_below(rng, f->nodes - 1);
	return other + (other >= node);
}

static u32 pattern_neighbor(struct torus_fabric *f, u64 *rng, u32 node)
{
	u32 peer, tries;

	for (tries = 0; tries < 64; tries++) {
		peer = torus_geometry_neighbor(&f->cfg.geo, node, torus_random_below(rng, f->dirs));
		if (peer != TORUS_NONE)
			return peer;
	}
	return node;
}

/*
 * Draw a node whose coordinates differ by at most one from those of @node: in three dimensions, one
 * of 26 nodes.
 */
static u32 pattern_stencil(struct torus_fabric *f, u64 *rng, u32 node)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX], dim, tries;

	torus_geometry_coords(g, node, a);
	for (tries = 0; tries < 64; tries++) {
		bool edge = false, moves = false;

		for (dim = 0; dim < g->ndims; dim++) {
			u32 n = g->dims[dim], step;

			/* step 0: same coordinate, 1: one hop plus, 2: one hop minus */
			step = torus_random_below(rng, torus_neighborhood_width(g, dim));
			b[dim] = (a[dim] + (step == 2 ? n - 1 : step)) % n;
			moves = moves || step;
			if (n > 2 && g->mesh >> dim & 1 && step)
				edge = edge || (b[dim] > a[dim]) != (step == 1);
		}
		if (moves && !edge)
			return torus_geometry_node(g, b);
	}
	return node;
}

/*
 * Return a destination from the pair list. Closed loop: in each round, each destination of the
 * source once, in an order that depends on the source. Open loop: a destination drawn by weight.
 */
static u32 pattern_listed(struct torus_fabric *f, const struct torus_traffic *t, u64 *rng, u32 node,
			  u64 number)
{
	u32 n = torus_pairs_count(f->pairs, node);

	if (!t->packets)
		return torus_pairs_pick(f->pairs, node, rng);
	return f->pairs->dst[f->pairs->first[node] +
			     pattern_turn(f, node, n, number)];
}

/**
 * torus_pattern_destination() - select the destination of a packet
 * @f: the fabric
 * @t: the workload
 * @rng: random stream of this packet
 * @node: the packet's source
 * @number: the packet's number at its source
 *
 * Return: the destination; @node itself if the pattern sends the packet nowhere.
 */
u32 torus_pattern_destination(struct torus_fabric *f, const struct torus_traffic *t, u64 *rng,
			      u32 node, u64 number)
{
	u32 other;

	switch (t->pattern) {
	case TORUS_PATTERN_UNIFORM:
		other = torus_random_below(rng, f->nodes - 1);
		return other + (other >= node);
	case TORUS_PATTERN_NEIGHBOR:
		return pattern_neighbor(f, rng, node);
	case TORUS_PATTERN_STENCIL:
		return pattern_stencil(f, rng, node);
	case TORUS_PATTERN_ALLTOALL:
	case TORUS_PATTERN_ALLTOALL_LINE:
	case TORUS_PATTERN_ALLTOALL_PLANE:
		return pattern_exchange(f, t, node, number);
	case TORUS_PATTERN_HOTREGION:
		return pattern_hot(f, t, rng, node, number);
	case TORUS_PATTERN_HOTSPOT:
		return torus_hotspot_destination(f, t, rng, node);
	case TORUS_PATTERN_TABLE:
		return pattern_listed(f, t, rng, node, number);
	}
	return torus_permutation(f, t->pattern, node);
}

/* Check whether a node sends any packets. */
bool torus_pattern_sends(struct torus_fabric *f, const struct torus_traffic *t, u32 node)
{
	switch (t->pattern) {
	case TORUS_PATTERN_HOTREGION:
		return t->share < 1ull << 32 || !pattern_in_region(&f->cfg.geo, t, node);
	case TORUS_PATTERN_HOTSPOT:
		return torus_hotspot_sends(t, node);
	case TORUS_PATTERN_TABLE:
		return torus_pairs_count(f->pairs, node);
	}
	return !torus_permutation_is(t->pattern) ||
	       torus_permutation(f, t->pattern, node) != node;
}

/**
 * torus_pattern_packets() - return the number of packets that a node sends in closed loop
 * @f: the fabric
 * @t: the workload, not a fill
 * @node: the node
 *
 * Return: packets.
 */
u64 torus_pattern_packets(struct torus_fabric *f, const struct torus_traffic *t, u32 node)
{
	const struct torus_geometry *g = &f->cfg.geo;

	switch (t->pattern) {
	case TORUS_PATTERN_ALLTOALL:
	case TORUS_PATTERN_ALLTOALL_LINE:
	case TORUS_PATTERN_ALLTOALL_PLANE:
		return t->packets * (pattern_group_size(g, t->pattern) - 1);
	case TORUS_PATTERN_HOTREGION:
		return pattern_in_region(g, t, node) ? 0 : t->packets * pattern_region_nodes(g, t);
	case TORUS_PATTERN_TABLE:
		return t->packets * torus_pairs_count(f->pairs, node);
	}
	return torus_pattern_sends(f, t, node) ? t->packets : 0;
}

/**
 * torus_pattern_check() - check that a pattern fits the fabric
 * @f: the fabric
 * @t: the workload
 * @err: [out] error message
 *
 * Return: 0, -EINVAL, -ERANGE or -EOPNOTSUPP.
 */
int torus_pattern_check(struct torus_fabric *f, const struct torus_traffic *t,
			struct torus_error *err)
{
	int ret = pattern_check_shape(f, t, err);
	u32 node;

	if (ret)
		return ret;
	for (node = 0; node < f->nodes; node++)
		if (t->load ? torus_pattern_sends(f, t, node) : torus_pattern_packets(f, t, node))
			return 0;
	return torus_fail(err, EINVAL, "pattern %s: no node would send a packet to another node",
			  names[t->pattern]);
}

/* Return the ticks that two packets with @bytes bytes in total take on the wire. */
static u64 pattern_wire(const struct torus_fabric *f, u64 bytes)
{
	return bytes * f->arch->ticks_per_chunk / f->arch->chunk_bytes +
	       2 * (f->overhead_ticks + f->control_ticks);
}

/* Return the ticks on the wire of two packets of mean size. */
static u64 pattern_ask_twice(const struct torus_fabric *f, const struct torus_traffic *t)
{
	return pattern_wire(f, (u64)t->size_min + t->size_max);
}

/* Return the ticks on the wire of two replies, 0 if there are none. */
static u64 pattern_answer_twice(const struct torus_fabric *f, const struct torus_traffic *t)
{
	return t->reply ? pattern_wire(f, 2 * t->reply) : 0;
}

/*
 * Return the ticks on the wire of two packets and two replies. Replies are added because pairs here
 * send equally in both directions, so a reply loads the links like another packet.
 */
static u64 pattern_wire_twice(const struct torus_fabric *f, const struct torus_traffic *t)
{
	return pattern_ask_twice(f, t) + pattern_answer_twice(f, t);
}

/*
 * Return the ticks between two packets of a node at which the busiest link of @dim is always busy,
 * if each node sends to all others of its group. In units of 2^-16.
 */
static u64 pattern_dim_gap(struct torus_fabric *f, const struct torus_traffic *t, u32 dim,
			   u64 wire_twice)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u64 n = t->pattern == TORUS_PATTERN_UNIFORM ? g->nodes : pattern_group_size(g, t->pattern);
	u32 dims = t->pattern == TORUS_PATTERN_ALLTOALL_LINE ? 1 :
		   t->pattern == TORUS_PATTERN_ALLTOALL_PLANE ? 2 : g->ndims;

	if (g->dims[dim] == 1 || dim >= dims)
		return 0;
	/*
	 * the uniform load includes packets from each node to itself: scale it to the other nodes
	 */
	return torus_link_load_uniform(g, dim) * n / (n - 1) * wire_twice / 4 >> 4;
}

/*
 * Return the gap at which the busiest link is always busy, for patterns that have no function for
 * their peak; 0 without memory.
 */
static u64 pattern_link_gap(struct torus_fabric *f, const struct torus_traffic *t)
{
	u64 wire = pattern_wire_twice(f, t), peak = 0, gap;
	u32 dim;

	if (torus_permutation_is(t->pattern))
		return torus_permutation_most(f, t->pattern) * (wire << 14);
	for (dim = 0; dim < f->cfg.geo.ndims; dim++) {
		gap = pattern_dim_gap(f, t, dim, wire);
		peak = gap > peak ? gap : peak;
	}
	return peak;
}

/**
 * torus_pattern_peak_gap() - compute the pattern's peak
 * @f: the fabric
 * @t: the workload, checked
 *
 * At the peak, the busiest link or processor port is always busy, under these rules: each packet
 * takes a shortest path, through the dimensions in the order x, y, z, .. Of the packets that go
 * half-way around a ring, half go in each direction. Each packet's overhead on the wire counts.
 * The machine's routing does not matter.
 *
 * Return: ticks between two packets at the peak of a node that sends (table: of a pair of weight
 * 1; fill: of a root), in units of 2^-16; 0 without memory, or if the task was
 * killed.
 */
u64 torus_pattern_peak_gap(struct torus_fabric *f, const struct torus_traffic *t)
{
	u64 wire = pattern_wire_twice(f, t), peak, port = 0;

	switch (t->pattern) {
	case TORUS_PATTERN_HOTSPOT:
		return torus_hotspot_peak_gap(f, t, pattern_ask_twice(f, t),
					      pattern_answer_twice(f, t));
	case TORUS_PATTERN_HOTREGION:
		return torus_link_load_region_gap(f, t, wire);
	case TORUS_PATTERN_TABLE:
		return torus_pairs_peak_gap(f, f->pairs, t->load, wire);
	case TORUS_PATTERN_NEIGHBOR:
	case TORUS_PATTERN_STENCIL:
		return torus_neighborhood_peak_gap(f, t->pattern, pattern_ask_twice(f, t),
						   pattern_answer_twice(f, t));
	}
	/* a fill: each colour leaves the root over a link of its own */
	if (torus_fill_is(t->pattern))
		return (wire << 15) / torus_fill_colours(t->pattern);
	peak = pattern_link_gap(f, t);
	/*
	 * each node sends as many packets as it receives, so both directions of the port have the
	 * same limit
	 */
	if (f->arch->port_links)
		port = (wire << 15) / f->arch->port_links;
	return peak && port > peak ? port : peak;
}
