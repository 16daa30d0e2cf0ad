// SPDX-License-Identifier: GPL-2.0
/*
 * Every path of every pair, followed through the router's function, held to the paper's words
 * in another way: by distances, never by the order of axes that was chosen.
 */
#include "check.h"

static u32 next_node(const void *machine, u32 node, u32 dir)
{
	return torus_geometry_neighbor(machine, node, dir);
}

/**
 * tofu_rule_name() - a rule in a word
 * @rule: it
 *
 * Return: the word.
 */
const char *tofu_rule_name(enum tofu_rule rule)
{
	static const char *const names[TOFU_RULES] = {
		"reached", "relayed", "minimal", "length", "phased", "io",
	};

	return names[rule];
}

/**
 * tofu_check_init() - make room for a check
 * @check: to be given back with tofu_check_free(), whatever comes back
 * @g: the machine, which stays
 *
 * Return: 0, -ENOMEM.
 */
int tofu_check_init(struct tofu_check *check, const struct torus_geometry *g)
{
	const struct proof_machine machine = {
		.machine = g, .nodes = g->nodes, .dirs = TOFU_DIRS, .vcs = TOFU_VCS,
		.next = next_node,
	};

	memset(check, 0, sizeof(*check));
	return proof_init(&check->proof, &machine);
}

/**
 * tofu_check_free() - give back what tofu_check_init() took
 * @check: the check
 */
void tofu_check_free(struct tofu_check *check)
{
	proof_free(&check->proof);
}

/* What a path is asked for beside its rules: where phases ended, and whether it was odd. */
struct followed {
	u32 ends[TOFU_TO_NODE + 1];
	u32 hops[TOFU_TO_NODE + 1];
	bool io;
	bool phased;
};

static void follow(struct tofu_check *check, struct tofu_walk *walk, bool one_vc,
		   struct followed *seen)
{
	struct proof_channel held = { .node = PROOF_NONE };
	u32 node = walk->node, phase = TOFU_TO_RELAY, limit = walk->g->nodes + TOFU_DIRS;

	*seen = (struct followed){ .phased = true,
				   .ends = { walk->node, walk->node, walk->node } };
	for (; walk->hops < limit && tofu_walk_step(walk); node = walk->node) {
		struct proof_channel wanted = { .node = node, .dir = walk->hop.dir,
						.vc = walk->hop.vc };
		u32 axis = TORUS_DIM(wanted.dir);

		if (one_vc)
			wanted.vc -= wanted.vc % (TOFU_VCS / TOFU_ORDERS);
		if (held.node != PROOF_NONE)
			proof_wait(&check->proof, &held, &wanted);
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

/* Does a packet go from a compute node to an I/O node z first, or back z last? */
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
	struct tofu_walk walk;
	struct followed seen;
	bool holds[TOFU_RULES];

	tofu_walk_begin(&walk, g, source, dest, path, order);
	follow(check, &walk, one_vc, &seen);
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
 * tofu_check_run() - follow every path of every pair
 * @check: the check; what it found before is forgotten
 * @g: the machine
 * @one_vc: as if each order had one VC alone, with which packets can wait in a circle
 */
void tofu_check_run(struct tofu_check *check, const struct torus_geometry *g, bool one_vc)
{
	struct proof proof = check->proof;
	u32 source, dest;

	*check = (struct tofu_check){ .proof = proof };
	proof_clear(&check->proof);
	for (source = 0; source < g->nodes; source++)
		for (dest = 0; dest < g->nodes; dest++)
			if (source != dest)
				check_pair(check, g, source, dest, one_vc);
	proof_check(&check->proof);
}

/**
 * tofu_check_clean() - was nothing found?
 * @check: a check that was run
 *
 * Return: every path holds every rule, and nothing can wait in a circle.
 */
bool tofu_check_clean(const struct tofu_check *check)
{
	u32 rule;

	for (rule = 0; rule < TOFU_RULES; rule++)
		if (check->broken[rule])
			return false;
	return check->relays == check->pairs && !check->proof.circles;
}
