// SPDX-License-Identifier: GPL-2.0
/*
 * Check a k-ary n-cube for deadlock: follow each path that a packet may take between two nodes,
 * with the router's own route function.
 *
 * Each packet occupies one buffer (virtual cut-through). A packet may always wait for the escape VC
 * of its next hop in dimension order, even if the router also offers free VCs. So the graph has
 * only escape VCs as vertices. An edge leads from the escape VC that a packet occupies to the
 * escape VC that the packet wants next. Before a packet enters an escape VC, it may have used free
 * VCs (Duato (1995), with direct and cross dependencies only).
 */
#include <errno.h>
#include <stdlib.h>
#include "check.h"

static u32 next_node(const void *machine, u32 node, u32 dir)
{
	return torus_geometry_neighbor(machine, node, dir);
}

/**
 * kncube_check_init() - allocate the memory of a check
 * @check: [out] freed with kncube_check_free(), also after an error
 * @g: the machine; must outlive @check
 *
 * Return: 0, -ENOMEM.
 */
int kncube_check_init(struct kncube_check *check, const struct torus_geometry *g)
{
	u32 dirs = 2 * g->ndims;
	const struct cdg_machine machine = {
		.machine = g, .nodes = g->nodes, .dirs = dirs,
		.vcs = kncube_vcs_most(g->ndims), .next = next_node,
	};
	size_t channels = (size_t)g->nodes * dirs * machine.vcs;
	int ret;

	memset(check, 0, sizeof(*check));
	ret = cdg_init(&check->cdg, &machine);
	check->came = calloc(g->nodes, sizeof(*check->came));
	check->seen = calloc(channels, sizeof(*check->seen));
	check->stack = malloc(channels * sizeof(*check->stack));
	return ret || !check->came || !check->seen || !check->stack ? -ENOMEM : 0;
}

/**
 * kncube_check_free() - free the memory of a check
 */
void kncube_check_free(struct kncube_check *check)
{
	cdg_free(&check->cdg);
	free(check->came);
	free(check->seen);
	free(check->stack);
}

/* A packet's way from one node to another, in one of the phases. */
struct leg {
	struct kncube_check *check;
	const struct torus_geometry *g;
	const struct kncube_vcs *vcs;
	u32 to;
	u32 ways;
	enum kncube_phase phase;
};

static u32 coord(const struct torus_geometry *g, u32 node, u32 dim)
{
	return node / g->stride[dim] % g->dims[dim];
}

/* Return the mask of directions in which a packet at @node still has to move. */
static u32 left(const struct leg *leg, u32 node)
{
	u32 dim, ways = 0;

	for (dim = 0; dim < leg->g->ndims; dim++)
		if (coord(leg->g, node, dim) != coord(leg->g, leg->to, dim))
			ways |= leg->ways & 3u << 2 * dim;
	return ways;
}

/*
 * Push a channel that the packet may take onto the stack, unless it was pushed on this way before.
 */
static void push(const struct leg *leg, struct cdg_channel channel)
{
	struct kncube_check *check = leg->check;
	const struct cdg_machine *m = &check->cdg.machine;
	u32 *seen = &check->seen[(channel.node * m->dirs + channel.dir) * m->vcs + channel.vc];

	if (*seen == check->way)
		return;
	*seen = check->way;
	check->stack[check->depth++] = channel;
}

/* Check whether packets use a VC in dimension order only. */
static bool in_order(const struct kncube_vcs *v, u32 vc)
{
	return (v->ahead[KNCUBE_TO_RELAY] | v->behind[KNCUBE_TO_RELAY] | v->ahead[KNCUBE_TO_END] |
		v->behind[KNCUBE_TO_END]) >> vc & 1;
}

/*
 * A packet moves into a VC that has space for one packet. If the packet came from the same ring,
 * the ring keeps its bubble. If the packet enters the ring, it takes the bubble. Then packets of
 * that ring may wait for each other in a cycle.
 */
static void go_on(const struct leg *leg, const struct cdg_channel *held,
		  const struct cdg_channel *wanted)
{
	struct cdg_channel behind = *wanted;

	if (held && held->dir == wanted->dir && held->vc == wanted->vc &&
	    leg->vcs->bubble >> wanted->vc & 1) {
		cdg_join_ring(&leg->check->cdg, held, wanted);
		return;
	}
	behind.node = torus_geometry_neighbor(leg->g, wanted->node, TORUS_REVERSE(wanted->dir));
	cdg_wait(&leg->check->cdg, &behind, wanted);
}

/*
 * Record the waits of a packet at a node, and push the channels that the packet may take.
 * @held: the channel over which the packet arrived; NULL at its source.
 */
static void stand(const struct leg *leg, u32 node, const struct cdg_channel *held)
{
	struct kncube_check *check = leg->check;
	const struct kncube_vcs *v = leg->vcs;
	struct cdg_channel wanted = { .node = node };
	u32 ways = left(leg, node), dim, vc, free;
	struct kncube_hop came = KNCUBE_HOP_NONE;
	struct kncube_choice c;

	check->stands++;
	if (!ways) {
		if (held && leg->phase == KNCUBE_TO_RELAY)
			check->came[node] |= 1ull << (held->dir * check->cdg.machine.vcs +
						      held->vc);
		return;
	}
	if (held)
		came = (struct kncube_hop){ .dir = held->dir, .vc = held->vc };
	dim = TORUS_DIM(kncube_first(ways));
	c = kncube_ordered(v, leg->g, ways, leg->phase, coord(leg->g, node, dim),
			   coord(leg->g, leg->to, dim), came);
	for (vc = 0; c.vcs >> vc; vc++) {
		if (!(c.vcs >> vc & 1))
			continue;
		wanted.dir = c.dir;
		wanted.vc = vc;
		if (c.on && !(leg->g->mesh >> dim & 1))
			go_on(leg, held, &wanted);
		else if (held && in_order(v, held->vc))
			cdg_wait(&check->cdg, held, &wanted);
		push(leg, wanted);
	}
	for (; v->free && ways; ways &= ways - 1)
		for (free = v->free; free; free &= free - 1) {
			wanted.dir = torus_ctz(ways);
			wanted.vc = torus_ctz(free);
			push(leg, wanted);
		}
}

static void leg_follow(const struct leg *leg)
{
	struct kncube_check *check = leg->check;

	while (check->depth) {
		struct cdg_channel held = check->stack[--check->depth];

		stand(leg, torus_geometry_neighbor(leg->g, held.node, held.dir), &held);
	}
}

/*
 * Follow all ways from one node to another. In the second phase of Valiant's algorithm @from is the
 * relay. The packet may have arrived there over any channel that ends a first phase.
 */
static void walk(struct kncube_check *check, const struct torus_geometry *g,
		 const struct kncube_vcs *vcs, u32 from, u32 to, enum kncube_phase phase)
{
	const struct leg leg = { .check = check, .g = g, .vcs = vcs, .to = to,
				 .ways = kncube_directions(g, from, to), .phase = phase };
	u64 came = phase == KNCUBE_TO_END ? check->came[from] : 0;
	u32 nvcs = check->cdg.machine.vcs;

	check->way++;
	stand(&leg, from, NULL);
	for (; came; came &= came - 1) {
		struct cdg_channel held = { .dir = torus_ctz(came) / nvcs,
					    .vc = torus_ctz(came) % nvcs };

		held.node = torus_geometry_neighbor(g, from, TORUS_REVERSE(held.dir));
		stand(&leg, from, &held);
	}
	leg_follow(&leg);
}

/**
 * kncube_check_run() - follow each path of each pair of nodes
 * @check: [in, out] results of an earlier run are discarded
 * @vcs: the use of each VC; it must not name more VCs than the router has
 *
 * If @vcs reserves VCs for the way to a relay, each node is tried as the relay of each pair.
 */
void kncube_check_run(struct kncube_check *check, const struct torus_geometry *g,
		      const struct kncube_vcs *vcs)
{
	bool valiant = vcs->ahead[KNCUBE_TO_RELAY];
	u32 from, to;

	cdg_clear(&check->cdg);
	memset(check->came, 0, g->nodes * sizeof(*check->came));
	check->pairs = 0;
	check->stands = 0;
	for (from = 0; valiant && from < g->nodes; from++)
		for (to = 0; to < g->nodes; to++)
			walk(check, g, vcs, from, to, KNCUBE_TO_RELAY);
	for (from = 0; from < g->nodes; from++)
		for (to = 0; to < g->nodes; to++) {
			walk(check, g, vcs, from, to, KNCUBE_TO_END);
			check->pairs += from != to;
		}
	cdg_check(&check->cdg);
}
