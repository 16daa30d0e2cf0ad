// SPDX-License-Identifier: GPL-2.0
/*
 * torusctl unit: remove or add a unit of nodes that is replaced as one piece. A unit of Tofu
 * consists of the four nodes with the same x, y, z and b.
 *
 * A unit is removed or added while the network is empty. Otherwise packets that change to another
 * path could overtake earlier packets on the old path. A unit that fails, or that is added again
 * after a failure, changes at once.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../netlink/context.h"
#include "../netlink/node.h"
#include "../config/args.h"
#include "../config/ctl.h"
#include "print/group_owner.h"
#include "objects.h"
#include "print/output.h"
#include "../config/node_addr.h"
#include "../config/diag.h"
#include "../config/target.h"
#include "../report/json.h"
#include "../parse/integer.h"
#include "../parse/node.h"
#include "../parse/shape.h"

#define UNIT_AXES	TORUS_MACHINE_UNIT_AXES
#define UNIT_NODES	TORUS_MACHINE_UNIT_NODES
#define DRAIN_MS	10000u
#define LOOK_NS		2000000

#define INJECT		"inject"
/* value that stops injection, which torusd uses too; an administrator uses "hold" */
#define HELD		"drain"

/**
 * struct unit - a unit of nodes
 * @word: the argument that names the unit
 * @node: numbers of the unit's nodes
 * @force: true to remove the unit even if programs are attached to its nodes
 * @timeout_ms: maximum time in ms for the network to drain
 */
struct unit {
	const char *word;
	uint32_t node[UNIT_NODES];
	bool force;
	uint32_t timeout_ms;
};

static sig_atomic_t interrupted;

static void on_signal(int number)
{
	__atomic_store_n(&interrupted, number, __ATOMIC_RELAXED);
}

/* ---------------------------------------------------------------- arguments */

static int unit_take_options(struct ctl *ctl, struct ctl_args *args, struct unit *unit)
{
	struct parse_error why;
	const char *key, *word;

	while ((key = ctl_next(args))) {
		if (!strcmp(key, "force") && !unit->force) {
			unit->force = true;
			continue;
		}
		if (strcmp(key, "timeout"))
			return ctl_usage(ctl, "unknown key of a unit: %s", key);
		word = ctl_next(args);
		if (!word)
			return ctl_usage(ctl, "timeout: its value is missing");
		if (!parse_u32("timeout", word, 1, UINT32_MAX, &unit->timeout_ms, &why))
			return ctl_reject(ctl, "%s", why.text);
	}
	return CTL_OK;
}

/* Find the numbers of a unit's nodes and store them in the unit. */
static int find_nodes(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		      const uint32_t *coords, struct unit *unit)
{
	struct parse_place place = {
		.word = unit->word, .by_coords = true, .coords.count = fabric->ndims,
	};
	int status = CTL_OK;
	uint32_t i;

	for (i = 0; i < UNIT_NODES && !status; i++) {
		torus_machine_find(fabric->arch)->unit_node(coords, i, place.coords.numbers);
		status = place_number(ctl, fabric, &place, &unit->node[i]);
	}
	return status;
}

/* Parse FABRIC X,Y,Z,B and options, and find the fabric. */
static int take_unit(struct ctl *ctl, struct ctl_args *args, struct target *target,
		     struct unit *unit)
{
	struct parse_list coords;
	struct parse_error why;
	int status = target_parse(ctl, args, TARGET_FABRIC, target);

	if (status)
		return status;
	*unit = (struct unit){ .word = ctl_next(args), .timeout_ms = DRAIN_MS };
	if (!unit->word)
		return ctl_usage(ctl, "a unit is missing");
	if (!parse_coords("unit", unit->word, &coords, &why))
		return ctl_reject(ctl, "%s", why.text);
	if (coords.count != UNIT_AXES)
		return ctl_reject(ctl, "unit %s: must be four coordinates, x,y,z,b", unit->word);
	status = unit_take_options(ctl, args, unit);
	if (!status)
		status = target_find(ctl, target);
	if (!status)
		status = place_demand(ctl, &target->fabric, TORUS_MACHINE_UNITS);
	return status ? status : find_nodes(ctl, &target->fabric, coords.numbers, unit);
}

/* --------------------------------------------------------------- draining */

static int inject_set(struct ctl *ctl, const char *name, const char *word)
{
	struct torus_nl_param param = { .key = INJECT, .is_text = true };

	snprintf(param.text, sizeof(param.text), "%s", word);
	return torus_nl_fabric_set(ctl->nl, name, &param, 1) ? ctl_failed(ctl) : CTL_OK;
}

/*
 * Wait until no packets of the fabric are in flight. Fail after the unit's time-out, if a signal
 * arrives, or if the fabric cannot be queried.
 */
static int drain(struct ctl *ctl, struct target *target, const struct unit *unit)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	struct timespec begin, now;
	int64_t ms;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		if (torus_nl_fabric_get(ctl->nl, target->name, &target->fabric))
			return ctl_failed(ctl);
		if (!target->fabric.in_flight)
			return CTL_OK;
		if (__atomic_load_n(&interrupted, __ATOMIC_RELAXED)) {
			ctl_error(ctl,
				  "unit %s: interrupted with %" PRIu64 " packets in flight, the "
				  "unit was not changed", unit->word, target->fabric.in_flight);
			return CTL_FAILED;
		}
		nanosleep(&pause, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
		ms = (now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000;
	} while (ms < unit->timeout_ms);
	ctl_error(ctl,
		  "unit %s: %" PRIu64 " packets are still in flight after %u ms with injection "
		  "held, the unit was not changed (a program does not read, or a link is down)",
		  unit->word, target->fabric.in_flight, unit->timeout_ms);
	return CTL_FAILED;
}

static int set_nodes(struct ctl *ctl, const struct target *target, const struct unit *unit,
		     enum torus_node_state state)
{
	struct torus_nl_node node = {
		.present = TORUS_NL_HAS(TORUS_A_NODE_STATE), .state = state,
	};
	uint32_t i;

	for (i = 0; i < UNIT_NODES; i++) {
		node.node = unit->node[i];
		if (!torus_nl_node_set(ctl->nl, target->name, &node))
			continue;
		ctl_failed(ctl);
		/*
		 * change all nodes or none: restore the nodes that were changed before the rejected
		 * node
		 */
		node.state = state == TORUS_NODE_ALIVE ? TORUS_NODE_DEAD : TORUS_NODE_ALIVE;
		while (i--) {
			node.node = unit->node[i];
			torus_nl_node_set(ctl->nl, target->name, &node);
		}
		return CTL_FAILED;
	}
	return CTL_OK;
}

/*
 * Stop injection, drain the network, and set the state of the unit's nodes. Then resume injection,
 * unless an administrator has stopped it.
 */
static int swap(struct ctl *ctl, struct target *target, const struct unit *unit,
		enum torus_node_state state)
{
	const char *word = torus_nl_fabric_param(&target->fabric, INJECT);
	bool held = !strcmp(word, "hold");
	struct sigaction action = { .sa_handler = on_signal }, before[2];
	int status;

	if (!strcmp(word, HELD)) {
		ctl_error(ctl, "unit %s: torusd or another torusctl already holds injection of "
			  "fabric %s (inject %s)", unit->word, target->name, HELD);
		return CTL_FAILED;
	}
	interrupted = 0;
	sigaction(SIGINT, &action, &before[0]);
	sigaction(SIGTERM, &action, &before[1]);
	status = held ? CTL_OK : inject_set(ctl, target->name, HELD);
	if (!status) {
		status = drain(ctl, target, unit);
		if (!status)
			status = set_nodes(ctl, target, unit, state);
		if (!held && inject_set(ctl, target->name, "go"))
			status = CTL_FAILED;
	}
	sigaction(SIGINT, &before[0], NULL);
	sigaction(SIGTERM, &before[1], NULL);
	return status;
}

/* ----------------------------------------------------------------- commands */

/*
 * Count the nodes of a unit that are dead or failed. @failed: [out] number of failed nodes among
 * them.
 */
static int count_dead(struct ctl *ctl, const struct target *target, const struct unit *unit,
		      uint32_t *dead, uint32_t *failed)
{
	struct torus_nl_node node;
	uint32_t i;

	*dead = 0;
	*failed = 0;
	for (i = 0; i < UNIT_NODES; i++) {
		if (torus_nl_node_get(ctl->nl, target->name, unit->node[i], &node))
			return ctl_failed(ctl);
		*dead += node.state != TORUS_NODE_ALIVE;
		*failed += node.state == TORUS_NODE_FAILED;
	}
	return CTL_OK;
}

/* Reject the removal of a unit while programs are attached to its nodes. */
static int check_holders(struct ctl *ctl, const struct target *target, const struct unit *unit)
{
	struct torus_nl_context *contexts;
	char where[PLACE_TEXT_MAX], holder[HOLDER_TEXT_MAX];
	size_t count;
	uint32_t i;

	for (i = 0; i < UNIT_NODES; i++) {
		if (torus_nl_context_dump(ctl->nl, target->name, &unit->node[i], &contexts,
					  &count))
			return ctl_failed(ctl);
		if (count)
			ctl_error(ctl,
				  "unit %s: node %s is used by %s; force takes the unit out anyway",
				  unit->word,
				  place_text(&target->fabric, unit->node[i], where, sizeof(where)),
				  holder_text(contexts, holder));
		free(contexts);
		if (count)
			return CTL_FAILED;
	}
	return CTL_OK;
}

/* Parse the unit, and count its nodes that are dead or failed. */
static int take_swapped(struct ctl *ctl, struct ctl_args *args, struct target *target,
			struct unit *unit, uint32_t *dead, uint32_t *failed)
{
	int status = take_unit(ctl, args, target, unit);

	return status ? status : count_dead(ctl, target, unit, dead, failed);
}

static int unit_out(struct ctl *ctl, struct ctl_args *args)
{
	struct target target;
	struct unit unit;
	uint32_t dead, failed;
	int status = take_swapped(ctl, args, &target, &unit, &dead, &failed);

	if (status)
		return status;
	if (dead == UNIT_NODES) {
		ctl_error(ctl, "unit %s: the unit is already out", unit.word);
		return CTL_FAILED;
	}
	if (!unit.force)
		status = check_holders(ctl, &target, &unit);
	return status ? status : swap(ctl, &target, &unit, TORUS_NODE_DEAD);
}

static int unit_in(struct ctl *ctl, struct ctl_args *args)
{
	struct target target;
	struct unit unit;
	uint32_t dead, failed;
	int status = take_swapped(ctl, args, &target, &unit, &dead, &failed);

	if (status)
		return status;
	if (!dead) {
		ctl_error(ctl, "unit %s: the unit is already in", unit.word);
		return CTL_FAILED;
	}
	/* packets wait for a failed node, so the network cannot drain before the node is alive */
	return failed ? set_nodes(ctl, &target, &unit, TORUS_NODE_ALIVE) :
			swap(ctl, &target, &unit, TORUS_NODE_ALIVE);
}

static int unit_fail(struct ctl *ctl, struct ctl_args *args)
{
	struct target target;
	struct unit unit;
	int status = take_unit(ctl, args, &target, &unit);

	return status ? status : set_nodes(ctl, &target, &unit, TORUS_NODE_FAILED);
}

/* ------------------------------------------------------------------- listing */

static void unit_print(const uint32_t *unit, uint32_t dead, struct json_object *list)
{
	const char *state = !dead ? "in" : dead == UNIT_NODES ? "out" : "partly out";
	struct json_object *object = json_object_new_object();
	struct json_object *at = json_object_new_array();
	int i;

	for (i = 0; i < UNIT_AXES; i++)
		json_object_array_add(at, json_object_new_uint64(unit[i]));
	json_object_object_add(object, "unit", at);
	report_add_text(object, "state", state);
	report_add_u64(object, "dead_nodes", dead);
	report_item(list, object, "{unit} {state}\n");
}

/**
 * struct unit_list - the nodes of a fabric, among which units are searched
 * @fabric: the fabric
 * @nodes: nodes that this user may see, sorted by number
 * @count: number of nodes
 */
struct unit_list {
	const struct torus_nl_fabric *fabric;
	struct torus_nl_node *nodes;
	size_t count;
};

static int by_number(const void *left, const void *right)
{
	const struct torus_nl_node *a = left, *b = right;

	return a->node < b->node ? -1 : a->node > b->node;
}

/* Check whether the node at coordinates @coords exists and is dead or failed. */
static bool is_dead(struct ctl *ctl, const struct unit_list *list, const uint32_t *coords)
{
	struct parse_place place = {
		.word = "", .by_coords = true, .coords.count = list->fabric->ndims,
	};
	struct torus_nl_node key, *node;

	memcpy(place.coords.numbers, coords, list->fabric->ndims * sizeof(*coords));
	if (place_number(ctl, list->fabric, &place, &key.node))
		return false;
	node = bsearch(&key, list->nodes, list->count, sizeof(key), by_number);
	return node && node->state != TORUS_NODE_ALIVE;
}

/*
 * Print the units that have a dead or failed node; with --details, all units. A unit is printed
 * when its first node is found.
 */
static void list_units(struct ctl *ctl, const struct unit_list *list, struct json_object *json)
{
	const struct torus_machine *machine = torus_machine_find(list->fabric->arch);
	uint32_t unit[UNIT_AXES], coords[TORUS_DIMS_MAX], dead, i;
	size_t n;

	for (n = 0; n < list->count; n++) {
		const struct torus_nl_node *node = &list->nodes[n];

		machine->unit_of(node->coords, unit);
		machine->unit_node(unit, 0, coords);
		if (memcmp(coords, node->coords, list->fabric->ndims * sizeof(*coords)))
			continue;
		for (dead = 0, i = 0; i < UNIT_NODES; i++) {
			machine->unit_node(unit, i, coords);
			dead += is_dead(ctl, list, coords);
		}
		if (dead || ctl->details)
			unit_print(unit, dead, json);
	}
}

/* Print the units that have a dead or failed node. With --details, print all units. */
static int unit_show(struct ctl *ctl, struct ctl_args *args)
{
	struct json_object *json = NULL;
	struct unit_list list;
	struct target target;
	int status = target_whole(ctl, args, TARGET_FABRIC, &target);

	if (!status)
		status = place_demand(ctl, &target.fabric, TORUS_MACHINE_UNITS);
	if (status)
		return status;
	list.fabric = &target.fabric;
	if (torus_nl_node_dump(ctl->nl, target.name, &list.nodes, &list.count))
		return ctl_failed(ctl);
	qsort(list.nodes, list.count, sizeof(*list.nodes), by_number);
	if (ctl->json)
		json = json_object_new_array();
	list_units(ctl, &list, json);
	free(list.nodes);
	if (json)
		output_json(ctl, json);
	return ctl_done(ctl);
}

static const struct ctl_command commands[] = {
	{ "show", "FABRIC", unit_show },
	{ "out", "FABRIC X,Y,Z,B [force] [timeout MS]", unit_out },
	{ "in", "FABRIC X,Y,Z,B [timeout MS]", unit_in },
	{ "fail", "FABRIC X,Y,Z,B", unit_fail },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_unit = {
	.name = "unit",
	.help = "units of Tofu that are swapped as a whole: four nodes with the same x, y, z and b",
	.details = "out holds injection until no packet is in flight, then makes the unit's nodes "
		   "dead: packets take\n"
		   "other paths, and packets to the unit are rejected. in makes the nodes alive "
		   "again in the same way,\n"
		   "or at once if the unit has failed. fail simulates a sudden failure: packets in "
		   "the unit are lost.\n"
		   "show lists units that are out, with --details all units.\n",
	.commands = commands,
};
