// SPDX-License-Identifier: GPL-2.0
/* The census, and what its sums must be. */
#include "core/run/census.h"
#include "core/link/link.h"
#include "core/load/processor.h"
#include "core/nic/queue.h"

static void census_ring(struct torus_check *c, u32 node, u32 dir, u32 vc, u32 full)
{
	const struct torus_geometry *g = &c->f->cfg.geo;
	u32 at = node, free = 0;

	do {
		free += c->free[torus_check_index(c, at, dir, vc)];
		at = torus_geometry_neighbor(g, at, dir);
	} while (at != node && at != TORUS_NONE);
	c->bubbles += at == node && free < full;
}

/* Each ring once: from its node of coordinate 0. */
static void census_bubbles(struct torus_check *c)
{
	const struct torus_geometry *g = &c->f->cfg.geo;
	u32 node, dir, vc, coords[TORUS_DIMS_MAX];

	for (node = 0; node < c->f->nodes; node++) {
		torus_geometry_coords(g, node, coords);
		for (dir = 0; dir < c->f->dirs; dir++)
			for (vc = 0; vc < c->f->vcs; vc++)
				if (!coords[TORUS_DIM(dir)] && c->f->bubble_vcs >> vc & 1 &&
				    torus_geometry_neighbor(g, node, dir) != TORUS_NONE)
					census_ring(c, node, dir, vc,
						    c->f->arch->packet_chunks_max);
	}
}

int torus_check_fabric(struct torus_fabric *f, struct torus_check *check)
{
	size_t n = (size_t)f->nodes * f->dirs * f->vcs, i;
	u64 population = 0, begun = 0, ended = 0;
	u32 j, vc, dir, node;

	memset(check, 0, sizeof(*check));
	check->f = f;
	check->space = torus_alloc(n * sizeof(*check->space));
	check->free = torus_alloc(n * sizeof(*check->free));
	if (!check->space || !check->free) {
		torus_free(check->space, n * sizeof(*check->space));
		torus_free(check->free, n * sizeof(*check->free));
		return -ENOMEM;
	}
	for (j = 0; j < f->ndomains; j++) {
		f->router->census(&f->domain[j], check);
		check->packets += torus_processor_packets(&f->domain[j]) +
				  torus_queues_packets(&f->domain[j]);
	}
	for (i = 0, node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++)
			for (vc = 0; vc < f->vcs; vc++, i++)
				if (torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE)
					check->wrong += check->space[i] != check->capacity[vc];
	census_bubbles(check);
	for (j = 0; j < f->ndomains; j++) {
		const struct torus_tally *t = &f->domain[j].tally;

		population += (u64)t->population;
		begun += t->injected + t->deposits + t->carried;
		ended += t->delivered;
		for (i = 0; i < TORUS_DROP_MAX; i++)
			ended += t->dropped[i];
	}
	check->conserved = population == check->packets && begun == ended + check->packets;
	torus_free(check->space, n * sizeof(*check->space));
	torus_free(check->free, n * sizeof(*check->free));
	check->space = NULL;
	check->free = NULL;
	return 0;
}
