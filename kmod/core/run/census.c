// SPDX-License-Identifier: GPL-2.0
/* Count all packets and tokens of a fabric and compare the sums with their required values. */
#include "core/link/census.h"
#include "core/run/census.h"
#include "core/link/link.h"
#include "core/workload/processor.h"
#include "core/nic/inject_queue.h"
#include "core/state/domain.h"

/*
 * Return the node with coordinate 0 on @node's ring in direction @dir. A ring's sums are stored at
 * that node.
 */
static u32 census_ring_start(const struct torus_fabric *f, u32 node, u32 dir)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 dim = TORUS_DIM(dir), coords[TORUS_DIMS_MAX];

	torus_geometry_coords(g, node, coords);
	return node - coords[dim] * g->stride[dim];
}

static bool census_is_ring(const struct torus_fabric *f, u32 dir, u32 vc)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 dim = TORUS_DIM(dir);

	return f->bubble_vcs >> vc & 1 && g->dims[dim] > 1 && !(g->mesh >> dim & 1);
}

static void census_rings(struct torus_check *c)
{
	const struct torus_fabric *f = c->f;
	u32 node, dir, vc, start;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; torus_node_here(f, node) && dir < f->dirs; dir++) {
			start = census_ring_start(f, node, dir);
			for (vc = 0; vc < f->vcs; vc++)
				if (census_is_ring(f, dir, vc))
					torus_check_add(&c->ring[torus_check_index(c, start, dir,
										   vc)],
							c->free[torus_check_index(c, node, dir,
										  vc)]);
		}
}

/* Sums of one link or ring, sent to the process that stores and checks them. */
struct census_part {
	u64 index;
	u32 node;
	u16 space;
	u16 free;
	u16 ring;
	u16 spare[3];
};

/*
 * List this process's sums for links and rings of direction @dir that another process stores at
 * node @at.
 */
static size_t census_parts_of(struct torus_check *c, u32 at, u32 dir, struct census_part *parts,
			      size_t n)
{
	size_t i;
	u32 vc;

	if (at == TORUS_NONE || torus_node_here(c->f, at))
		return n;
	for (vc = 0; vc < c->f->vcs; vc++) {
		i = torus_check_index(c, at, dir, vc);
		if (!c->space[i] && !c->free[i] && !c->ring[i])
			continue;
		if (parts) {
			parts[n] = (struct census_part){
				.index = i, .node = at, .space = c->space[i], .free = c->free[i],
				.ring = c->ring[i],
			};
			/*
			 * clear the sums, so that each is sent once even if several nodes of this
			 * process lead to @at
			 */
			c->space[i] = 0;
			c->free[i] = 0;
			c->ring[i] = 0;
		}
		n++;
	}
	return n;
}

/* List the sums to send to other processes. If @parts is NULL, only count the sums. */
static size_t census_parts(struct torus_check *c, struct census_part *parts)
{
	const struct torus_fabric *f = c->f;
	u32 node, dir, from;
	size_t n = 0;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; torus_node_here(f, node) && dir < f->dirs; dir++) {
			from = torus_geometry_neighbor(&f->cfg.geo, node, TORUS_REVERSE(dir));
			n = census_parts_of(c, from, dir, parts, n);
			n = census_parts_of(c, census_ring_start(f, node, dir), dir, parts, n);
		}
	return n;
}

/*
 * Send the sums of shared links and rings to the process that checks them, and add received sums.
 */
static int census_bring(struct torus_check *c)
{
	struct torus_procs *procs = c->f->cfg.procs;
	const struct census_part *all;
	struct census_part *parts;
	size_t cap, n, got;

	if (!procs)
		return 0;
	cap = census_parts(c, NULL);
	parts = torus_procs_alloc(c->f, (cap + 1) * sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	n = census_parts(c, parts);
	all = procs->pass(procs, parts, n * sizeof(*parts), &got);
	for (; got; got -= sizeof(*all), all++) {
		if (!torus_node_here(c->f, all->node))
			continue;
		torus_check_add(&c->space[all->index], all->space);
		torus_check_add(&c->free[all->index], all->free);
		torus_check_add(&c->ring[all->index], all->ring);
	}
	torus_free(parts, (cap + 1) * sizeof(*parts));
	return 0;
}

/*
 * Compare the sums that this process stores with the required values: the capacity for a link, at
 * least a full packet for a bubble ring. Count the differences.
 */
static void census_look(struct torus_check *c)
{
	const struct torus_fabric *f = c->f;
	u32 node, dir, vc;
	size_t i;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; torus_node_here(f, node) && dir < f->dirs; dir++)
			for (vc = 0; vc < f->vcs; vc++) {
				i = torus_check_index(c, node, dir, vc);
				if (torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE)
					c->wrong += c->space[i] != c->capacity[vc];
				if (census_is_ring(f, dir, vc) &&
				    census_ring_start(f, node, dir) == node)
					c->bubbles += c->ring[i] < f->arch->packet_chunks_max;
			}
}

/*
 * Check that no packet is lost: injected + copies of broadcasts = delivered + dropped + found, by
 * number and by identity.
 */
static bool census_conserved(const struct torus_check *c)
{
	const struct torus_fabric *f = c->f;
	u64 population = 0, identity = 0, begun = 0, ended = 0;
	u32 i, j;

	for (j = 0; j < f->ndomains; j++) {
		const struct torus_stats *t = &f->domain[j].stats;

		population += (u64)t->population;
		identity += t->identity;
		begun += t->injected + t->deposits + t->in_flight_at_clear;
		ended += t->delivered;
		for (i = 0; i < TORUS_DROP_MAX; i++)
			ended += t->dropped[i];
	}
	return population == c->packets && identity == c->identity &&
	       begun == ended + c->packets;
}

static int census_take(struct torus_check *c)
{
	struct torus_fabric *f = c->f;
	u32 j;

	for (j = 0; j < f->ndomains; j++) {
		f->router->census(&f->domain[j], c);
		torus_processor_census(&f->domain[j], c);
		torus_queues_census(&f->domain[j], c);
	}
	census_rings(c);
	if (census_bring(c))
		return -ENOMEM;
	census_look(c);
	c->packets = torus_procs_sum_one(f, c->packets);
	c->identity = torus_procs_sum_one(f, c->identity);
	c->wrong = torus_procs_sum_one(f, c->wrong);
	c->bubbles = torus_procs_sum_one(f, c->bubbles);
	c->conserved = census_conserved(c);
	return 0;
}

int torus_check_fabric(struct torus_fabric *f, struct torus_check *check)
{
	size_t bytes = (size_t)f->nodes * f->dirs * f->vcs * sizeof(*check->space);
	int ret = -ENOMEM;

	memset(check, 0, sizeof(*check));
	check->f = f;
	check->space = torus_procs_alloc(f, bytes);
	check->held = torus_procs_alloc(f, bytes);
	check->free = torus_procs_alloc(f, bytes);
	check->ring = torus_procs_alloc(f, bytes);
	if (check->space && check->held && check->free && check->ring && !torus_links_exchange(f))
		ret = census_take(check);
	torus_free(check->space, bytes);
	torus_free(check->held, bytes);
	torus_free(check->free, bytes);
	torus_free(check->ring, bytes);
	check->space = NULL;
	check->held = NULL;
	check->free = NULL;
	check->ring = NULL;
	return ret;
}
