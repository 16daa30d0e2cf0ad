// SPDX-License-Identifier: GPL-2.0
/* Patterns: who sends to whom, and how much of the links that takes. */
#include "random.h"
#include "workload.h"

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
};

/**
 * torus_pattern_check() - does a pattern fit the fabric?
 * @f: the fabric
 * @t: the workload
 * @err: why not
 *
 * Return: 0 or -EINVAL.
 */
int torus_pattern_check(struct torus_fabric *f, const struct torus_traffic *t,
			struct torus_error *err)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 dim;

	switch (t->pattern) {
	case TORUS_PATTERN_UNIFORM:
	case TORUS_PATTERN_NEIGHBOR:
	case TORUS_PATTERN_BITCOMP:
	case TORUS_PATTERN_TORNADO:
		break;
	case TORUS_PATTERN_TRANSPOSE:
		for (dim = 1; dim < g->ndims; dim++)
			if (g->dims[dim] != g->dims[0])
				return torus_fail(err, EINVAL,
						  "transpose: dimensions %u and %u differ in length (%u, %u)",
						  0, dim, g->dims[0], g->dims[dim]);
		break;
	default:
		return torus_fail(err, EINVAL, "pattern %s: not one of uniform neighbor transpose bitcomp tornado",
				  t->pattern < TORUS_PATTERN_MAX ? names[t->pattern] : "?");
	}
	if (f->nodes < 2)
		return torus_fail(err, EINVAL, "%s: one node has nobody to send to",
				  names[t->pattern]);
	return 0;
}

static u32 neighbor(struct torus_fabric *f, u64 *rng, u32 node)
{
	u32 peer, tries;

	for (tries = 0; tries < 64; tries++) {
		peer = torus_geometry_neighbor(&f->cfg.geo, node, torus_random_below(rng, f->dirs));
		if (peer != TORUS_NONE)
			return peer;
	}
	return node;
}

/**
 * torus_pattern_destination() - where a node's next packet goes
 * @f: the fabric
 * @t: the workload
 * @rng: the node's stream
 * @node: the node
 *
 * Return: the destination; the node itself if the pattern sends it nowhere.
 */
u32 torus_pattern_destination(struct torus_fabric *f, const struct torus_traffic *t, u64 *rng,
			      u32 node)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX] = { 0 }, dim, other;

	switch (t->pattern) {
	case TORUS_PATTERN_UNIFORM:
		other = torus_random_below(rng, f->nodes - 1);
		return other + (other >= node);
	case TORUS_PATTERN_NEIGHBOR:
		return neighbor(f, rng, node);
	}
	torus_geometry_coords(g, node, a);
	for (dim = 0; dim < g->ndims; dim++) {
		u32 n = g->dims[dim];

		if (t->pattern == TORUS_PATTERN_TRANSPOSE)
			b[dim] = a[(dim + 1) % g->ndims];
		else if (t->pattern == TORUS_PATTERN_BITCOMP)
			b[dim] = n - 1 - a[dim];
		else	/* tornado: as far round as just stays the shorter way */
			b[dim] = (a[dim] + (n + 1) / 2 - 1) % n;
	}
	return torus_geometry_node(g, b);
}

/* Mean hops in dimension @dim of a packet, units of 2^-20; on a mesh, those of its busiest link. */
static u64 uniform_hops(struct torus_fabric *f, u32 dim)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u64 n = g->dims[dim], sum = 0, busiest = 0;
	u32 a, b;

	for (a = 0; a < n; a++)
		for (b = 0; b < n; b++) {
			s32 way = f->arch->steps(f, dim, a, b);

			sum += (u64)(way < 0 ? -way : way);
		}
	if (g->mesh >> dim & 1) {
		/* link i carries (i + 1)(n - 1 - i) of the n * n pairs; 2 n links share as many */
		busiest = n / 2 * (n - n / 2) * 2 * n;
		sum = busiest > sum ? busiest : sum;
	}
	/* a node does not send to itself */
	return ((sum << 20) / (n * n)) * f->nodes / (f->nodes - 1);
}

static u64 permutation_hops(struct torus_fabric *f, const struct torus_traffic *t, u32 dim)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 node, a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX];
	u64 sum = 0, rng = 1;

	for (node = 0; node < f->nodes; node++) {
		s32 way;

		torus_geometry_coords(g, node, a);
		torus_geometry_coords(g, torus_pattern_destination(f, t, &rng, node), b);
		way = f->arch->steps(f, dim, a[dim], b[dim]);
		sum += (u64)(way < 0 ? -way : way);
	}
	return (sum << 20) / f->nodes;
}

/**
 * torus_pattern_peak_gap() - the pattern's peak
 * @f: the fabric
 * @t: the workload, checked
 *
 * At the peak the links of the busiest dimension are busy all the time, each
 * packet's overhead on the wire counted.
 *
 * Return: ticks between two packets of a node at the peak, units of 2^-16.
 */
u64 torus_pattern_peak_gap(struct torus_fabric *f, const struct torus_traffic *t)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 chunk = f->arch->chunk_bytes, dim;
	/* mean size: uniform between the two, both counted */
	u64 wire = ((u64)t->size_min + t->size_max) * f->arch->ticks_per_chunk / chunk +
		   2 * f->overhead_ticks;
	u64 peak = 0;

	for (dim = 0; dim < g->ndims; dim++) {
		u64 links = g->dims[dim] == 1 ? 0 :
			    g->mesh >> dim & 1 ? 2 * (g->dims[dim] - 1) : 2 * g->dims[dim];
		u64 hops = t->pattern == TORUS_PATTERN_UNIFORM ? uniform_hops(f, dim) :
								 permutation_hops(f, t, dim);
		u64 gap;

		if (!links)
			continue;
		if (t->pattern == TORUS_PATTERN_NEIGHBOR)
			hops = (1ull << 20) / g->ndims;
		if (g->mesh >> dim & 1)
			links = 2 * g->dims[dim];
		/* per node: hops * wire ticks, over the links a node has in the dimension */
		gap = hops * wire / 2 * g->dims[dim] / links >> 4;
		peak = gap > peak ? gap : peak;
	}
	return peak ? peak : 1;
}
