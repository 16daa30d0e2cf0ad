// SPDX-License-Identifier: GPL-2.0
/*
 * Machines of millions of nodes on cores that nobody has here: by the model alone.  Each core is a
 * rank with a box of its own, as near to a cube as halves of the machine's lengths make it.
 */
#include <math.h>

#include "plan.h"

#define NODES_LEAST	1e6
#define NODES_STEP	10.0
#define CORES_STEP	16.0

/* Cut the machine into boxes; what lies between them. */
static void cut(struct plan_parallel *p, const struct torus_geometry *geo, double cores)
{
	double pieces[TORUS_DIMS_MAX], all = 1, area;
	u32 dim, longest;

	*p = (struct plan_parallel){
		.nodes = geo->nodes, .looks = 0, .parts = cores, .ranks = cores, .cores = cores,
		.links = (double)geo->nodes * geo->ndims, .part_nodes = 1,
	};
	for (dim = 0; dim < geo->ndims; dim++)
		pieces[dim] = 1;
	while (all < cores) {
		for (dim = 1, longest = 0; dim < geo->ndims; dim++)
			if (geo->dims[dim] / pieces[dim] > geo->dims[longest] / pieces[longest])
				longest = dim;
		pieces[longest] *= 2;
		all *= 2;
	}
	for (dim = 0; dim < geo->ndims; dim++)
		p->part_nodes *= ceil(geo->dims[dim] / pieces[dim]);
	for (dim = 0; dim < geo->ndims; dim++) {
		if (pieces[dim] < 2)
			continue;
		area = p->part_nodes / ceil(geo->dims[dim] / pieces[dim]);
		p->part_links += pieces[dim] * geo->nodes / geo->dims[dim];
		p->own_links += 2 * area;
		p->neighbors += pieces[dim] > 2 ? 2 : 1;
		area *= pieces[dim] > 2 ? 1 : 2;
		p->pair_links = area > p->pair_links ? area : p->pair_links;
	}
}

/* What one of the cores takes: its own nodes, and a byte for each of the others'. */
static double core_bytes(const struct plan *plan, const struct torus_config *whole,
			 const struct plan_load *load, const struct plan_parallel *p)
{
	const struct plan_boxes none = { .links = 0 };
	struct torus_config own = *whole;
	struct plan_course course;
	struct plan_memory memory;

	own.geo.nodes = (u32)p->part_nodes;
	own.domains = 1;
	own.threads = 1;
	own.ranks = NULL;
	plan_course(&course, load, plan->ticks);
	plan_memory(&memory, &plan->c, &own, load, &course, &none, plan->ticks);
	return memory.run + (p->parts > 1 ? p->nodes : 0);
}

/**
 * plan_table - 10^6, 10^7 and 10^8 nodes on 1 to 65,536 cores
 * @plan: measured; gets them
 */
void plan_table(struct plan *plan)
{
	const struct torus_config *config = &plan->options.config;
	double nodes = NODES_LEAST, cores, alone = 0;
	struct plan_course course;
	struct plan_parallel p;
	struct torus_config whole;
	struct plan_load load;
	struct plan_time time;
	u32 i, j;

	for (i = 0; i < PLAN_SIZES; i++, nodes *= NODES_STEP) {
		/* the shape nearest to it that is like the one that was asked for */
		if (!plan_scale(&whole, config, 1.05 * nodes) || whole.geo.nodes < 0.5 * nodes)
			continue;
		plan_load(&load, &plan->c, &whole.geo, plan->options.load.traffic.pattern);
		plan_course(&course, &load, plan->ticks);
		for (j = 0, cores = 1; j < PLAN_CORES; j++, cores *= CORES_STEP) {
			cut(&p, &whole.geo, cores);
			p.core_bytes = core_bytes(plan, &whole, &load, &p);
			plan_time(&time, &plan->c, &load, &course, &p, plan->ticks,
				  (double)config->arch->tick_fs(config));
			alone = j ? alone : time.ms;
			plan->points[plan->npoints++] = (struct plan_point){
				.nodes = p.nodes, .cores = cores, .ms = time.ms, .alone = alone,
				.bytes = p.core_bytes,
			};
		}
	}
}
