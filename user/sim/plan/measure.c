// SPDX-License-Identifier: GPL-2.0
/* What a plan measures: four small machines, and what threads and processes take to meet. */
#include <math.h>

#include "core/run/config.h"
#include "../sim.h"
#include "../../words/words.h"
#include "plan.h"

#define SMALL		1024.0	/* nodes of the smaller steady machine, at most */
#define MIDDLE		4096.0
#define PART		0.5	/* of the machine that was asked for, at most */
#define LARGE_PART	0.8	/* the large one: the nearer it is, the less is left to guess */
#define SMALL_PART	0.4	/* of the middle one, at most */
#define LARGE_BYTES	(96.0 * 1048576)	/* three times the caches of the year 2026 */
#define WORK		400000	/* hops and packets of each machine */
#define SETTLE		5.0	/* times its packets' way, until a network is steady */
#define TRIES		3	/* of a network that fills, which others disturb once */

/* At what part of its load as many packets enter a node of one machine as of the other. */
static double same_rate(const struct plan *plan, const struct torus_geometry *geo)
{
	u32 pattern = plan->options.load.traffic.pattern;
	double spread, other_spread;
	double distance = plan_distance(&plan->options.config.geo, pattern, &spread);
	double other = plan_distance(geo, pattern, &other_spread);

	return spread / distance / (other_spread / other);
}

/* The machine in no cache, or the middle one where what was asked for is small itself. */
static bool large_of(struct torus_config *large, const struct plan *plan)
{
	const struct torus_config *config = &plan->options.config;
	struct torus_config one = *config;
	double nodes;

	one.domains = 1;
	one.threads = 1;
	one.ranks = NULL;
	nodes = LARGE_BYTES / ((double)torus_config_bytes(&one) / config->geo.nodes);
	nodes = fmin(nodes, LARGE_PART * config->geo.nodes);
	if (nodes < plan->c.middle.config.geo.nodes)
		nodes = plan->c.middle.config.geo.nodes;
	return plan_scale(large, config, nodes);
}

/* From the first tick on, at the rate of the machine that was asked for: large, and its twin. */
static int measure_early(struct plan *plan)
{
	struct plan_task task = { .work = 4 * WORK, .ticks = (u64)plan->ticks, .tries = TRIES };
	struct plan_constants *c = &plan->c;
	struct torus_config large;
	int status;

	if (!large_of(&large, plan))
		large = c->middle.config;
	task.load = same_rate(plan, &large.geo);
	status = plan_probe(&c->large, &plan->options, &large, &task);
	if (status)
		return status;
	task.load = same_rate(plan, &c->middle.config.geo);
	task.ticks = c->large.ticks;
	/* as many as there are for a node of the large one */
	task.work *= c->middle.config.geo.nodes / (double)c->large.config.geo.nodes;
	task.settle = 1e18;
	return plan_probe(&c->twin, &plan->options, &c->middle.config, &task);
}

/**
 * plan_measure - measure what a plan is made of
 * @plan: its options and ticks; gets the constants
 *
 * Return: SIM_OK, or SIM_USAGE or SIM_FAILED after telling why not.
 */
int plan_measure(struct plan *plan)
{
	const struct torus_config *config = &plan->options.config;
	struct plan_task task = {
		.load = 1, .work = WORK, .settle = SETTLE, .run = (u64)plan->ticks,
	};
	double nodes = PART * config->geo.nodes;
	struct plan_constants *c = &plan->c;
	struct torus_config small, middle;
	char shape[WORD_SHAPE_MAX];
	int status;

	if (!plan_scale(&middle, config, nodes < MIDDLE ? nodes : MIDDLE) ||
	    !plan_scale(&small, config, SMALL_PART * middle.geo.nodes < SMALL ?
			SMALL_PART * middle.geo.nodes : SMALL) ||
	    small.geo.nodes >= middle.geo.nodes || small.geo.nodes < 8)
		return sim_bad("shape %s: there are no smaller machines like it to measure: run it",
			       word_shape_text(config->geo.nshape, config->geo.shape, shape,
					       sizeof(shape)));
	status = plan_probe(&c->small, &plan->options, &small, &task);
	task.work = 4 * WORK;
	if (!status)
		status = plan_probe(&c->middle, &plan->options, &middle, &task);
	if (!status && c->middle.unbounded && plan->options.load.traffic.load >= 1ull << 32)
		return sim_bad("load %s: queues without bounds grow as long as the run lasts",
			       plan->options.typed->load);
	if (!status)
		status = measure_early(plan);
	if (!status)
		plan_grow(c);
	if (!status && (torus_config_parts(config) > 1 || plan->options.typed->cores_table))
		status = plan_link_threads(&c->link, &plan->options, &middle);
	return status;
}
