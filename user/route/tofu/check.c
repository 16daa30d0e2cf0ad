// SPDX-License-Identifier: GPL-2.0
/*
 * Follow each path of each pair of nodes with the router's function, and check the path against the
 * rules of the paper. Only the rule of I/O traffic uses the order of the axes.
 */
#include "check.h"

static u32 next_node(const void *machine, u32 node, u32 dir)
{
	return torus_geometry_neighbor(machine, node, dir);
}

/**
 * tofu_rule_name() - get the name of a rule that paths must meet
 */
const char *tofu_rule_name(enum tofu_rule rule)
{
	static const char *const names[TOFU_RULES] = {
		"reached", "relayed", "minimal", "length", "phased", "io",
	};

	return names[rule];
}

/**
 * tofu_check_init() - allocate the memory of a check
 * @check: [out] freed with tofu_check_free(), also after an error
 * @g: the machine; must outlive @check
 *
 * Return: 0, -ENOMEM.
 */
int tofu_check_init(struct tofu_check *check, const struct torus_geometry *g)
{
	const struct cdg_machine machine = {
		.machine = g, .nodes = g->nodes, .dirs = TOFU_DIRS, .vcs = TOFU_VCS,
		.next = next_node,
	};

	memset(check, 0, sizeof(*check));
	return cdg_init(&check->cdg, &machine);
}

/**
 * tofu_check_free() - free the memory of a check
 */
void tofu_check_free(struct tofu_check *check)
{
	cdg_free(&check->cdg);
}

/*
 * Properties of one path that was followed, for the check of the rules: the end node and the hops
 * of each phase; whether the packet used x or y links at z > 0; whether its phases were in order.
 */
struct followed {
	u32 ends[TOFU_TO_NODE + 1];
	u32 hops[TOFU_TO_NODE + 1];
	bool io;
	bool phased;
};

static void check_follow(struct tofu_check *check, struct tofu_path_iter *walk, bool one_vc,
			 struct followed *seen)
{
	struct cdg_channel held = { .node = CDG_NONE };
	u32 node = walk->node, phase = TOFU_TO_RELAY, limit = walk->g->nodes + TOFU_DIRS;

	*seen = (struct followed){ .phased = true,
				   .ends = { walk->node, walk->node, walk->node } };
	for (; walk->hops < limit && tofu_path_iter_next(walk); node = walk->node) {
		struct cdg_channel wanted = { .node = node, .dir = walk->hop.dir,
					      .vc = walk->hop.vc };
		u32 axis = TORUS_DIM(wanted.dir);

		if (one_vc)
			wanted.vc -= wanted.vc % (TOFU_VCS / TOFU_ORDERS);
		if (held.node != CDG_NONE)
			cdg_wait(&check->cdg, &held, &wanted);
		held = wanted;
		if (walk->node == TORUS_NONE)
			return;
		seen->phased &= walk->hop.phase >= phase &&
				(axis < TOFU_A) == (walk->hop.phase == TOFU_TO_GROUP);
		for (; phase < walk->hop.phase; phase++)
			seen->ends[phase + 1] = seen->ends[phase];
		phase = walk->hop.phase;
		seen->ends[phase] = walk->node;
		seen->hops[phase]++;
		seen->io |= axis <= TOFU_Y && walk->at[TOFU_Z];
	}
	for (; phase < TOFU_TO_NODE; phase++)
		seen->ends[phase + 1] = seen->ends[phase];
}

/*
 * Check whether a packet is I/O traffic: packets to an I/O node that move in z first, or packets
 * from an I/O node that move in z last.
 */
static bool is_io(const struct torus_geometry *g, u32 source, u32 dest, u32 order)
{
	u32 from[TOFU_AXES], to[TOFU_AXES];

	torus_geometry_coords(g, source, from);
	torus_geometry_coords(g, dest, to);
	return order == tofu_order_of(from) && (!from[TOFU_Z] || !to[TOFU_Z]);
}

static void check_path(struct tofu_check *check, const struct torus_geometry *g,
		       const u32 *which, bool one_vc)
{
	u32 source = which[0], dest = which[1], path = which[2], order = which[3];
	u32 relay = tofu_relay(g, source, path), rule;
	struct tofu_path_iter walk;
	struct followed seen;
	bool holds[TOFU_RULES];

	tofu_path_iter_init(&walk, g, source, dest, path, order);
	check_follow(check, &walk, one_vc, &seen);
	holds[TOFU_REACHED] = walk.node == dest;
	holds[TOFU_RELAYED] = seen.ends[TOFU_TO_RELAY] == relay;
	holds[TOFU_MINIMAL] = walk.node == dest &&
		seen.hops[TOFU_TO_RELAY] == tofu_distance(g, source, relay) &&
		seen.hops[TOFU_TO_GROUP] ==
			tofu_distance(g, relay, seen.ends[TOFU_TO_GROUP]) &&
		seen.hops[TOFU_TO_NODE] == tofu_distance(g, seen.ends[TOFU_TO_GROUP], dest);
	holds[TOFU_LENGTH] = walk.hops == tofu_path_hops(g, source, dest, path);
	holds[TOFU_PHASED] = seen.phased;
	holds[TOFU_IO] = !seen.io || !is_io(g, source, dest, order);
	for (rule = 0; rule < TOFU_RULES; rule++) {
		check->broken[rule] += !holds[rule];
		if (!holds[rule])
			memcpy(check->bad, which, sizeof(check->bad));
	}
	check->paths++;
	check->hops += walk.hops;
	if (walk.hops > check->longest)
		check->longest = walk.hops;
}

static void check_pair(struct tofu_check *check, const struct torus_geometry *g, u32 source,
		       u32 dest, bool one_vc)
{
	u32 relays[TOFU_PATHS], path, order, i, same = 0;

	for (path = 0; path < TOFU_PATHS; path++) {
		relays[path] = tofu_relay(g, source, path);
		for (i = 0; i < path; i++)
			same += relays[i] == relays[path];
		for (order = 0; order < TOFU_ORDERS; order++)
			check_path(check, g, (const u32[]){ source, dest, path, order }, one_vc);
	}
	check->relays += !same;
	check->pairs++;
}

/**
 * tofu_check_run() - follow each path of each pair
 * @check: [in, out] results of an earlier run are discarded
 * @one_vc: pretend that each order of the axes has only one VC; then packets can wait for each
 *    other in a cycle
 */
void tofu_check_run(struct tofu_check *check, const struct torus_geometry *g, bool one_vc)
{
	struct cdg cdg = check->cdg;
	u32 source, dest;

	*check = (struct tofu_check){ .cdg = cdg };
	cdg_clear(&check->cdg);
	for (source = 0; source < g->nodes; source++)
		for (dest = 0; dest < g->nodes; dest++)
			if (source != dest)
				check_pair(check, g, source, dest, one_vc);
	cdg_check(&check->cdg);
}

/**
 * tofu_check_clean() - check that a run found no errors
 *
 * Return: true if each path meets all rules, the twelve paths of each pair use different relays,
 * and there is no cycle of waits.
 */
bool tofu_check_clean(const struct tofu_check *check)
{
	u32 rule;

	for (rule = 0; rule < TOFU_RULES; rule++)
		if (check->broken[rule])
			return false;
	return check->relays == check->pairs && !check->cdg.ncycles;
}
