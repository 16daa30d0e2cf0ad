// SPDX-License-Identifier: GPL-2.0
/*
 * arch A shape S [KEY VALUE]..: words first, all of them; then what they mean, for the
 * nodes of a list are those of a shape.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../machine/machine.h"
#include "routetarget.h"

static const char *const key_names[ROUTE_KEYS] = {
	"shape", "mesh", "policy", "datelines", "planes", "ties", "broken", "absent", "table",
	"cables", "samples", "seed", "svg",
};

/**
 * route_target_meant - do the words begin with `arch'?
 * @args: the words
 *
 * Return: whether they do; then no fabric is named.
 */
bool route_target_meant(const struct ctl_args *args)
{
	return args->at < args->count && !strcmp(args->words[args->at], "arch");
}

/* Machines whose tables user/route computes. */
static int take_arch(struct ctl *ctl, struct ctl_args *args)
{
	char why[TORUS_MACHINE_WHY_MAX];
	const char *arch;

	ctl_next(args);
	arch = ctl_next(args);
	if (!arch)
		return ctl_usage(ctl, "arch: its value is missing");
	if (!strcmp(arch, XT_ARCH))
		return CTL_OK;
	if (!torus_machine_demand(arch, TORUS_MACHINE_TABLES, why, sizeof(why)))
		return ctl_bad(ctl, "arch %s: its tables are not computed here", arch);
	return ctl_bad(ctl, "arch %s: %s", arch, why);
}

static int take_words(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		      unsigned int places, struct route_target *target)
{
	const char *word;
	unsigned int key;

	while ((word = ctl_next(args))) {
		if (isdigit((unsigned char)*word)) {
			if (target->nplaces == places)
				return ctl_usage(ctl, "%s: one word too many", word);
			target->places[target->nplaces++] = word;
			continue;
		}
		for (key = 0; key < ROUTE_KEYS && strcmp(word, key_names[key]); key++)
			;
		if (key == ROUTE_KEYS)
			return ctl_usage(ctl, "%s: there is no such key", word);
		if (!(takes & ROUTE_TAKES(key)))
			return ctl_usage(ctl, "%s: %s has no such key", word, ctl->command);
		if (target->values[key])
			return ctl_usage(ctl, "%s: given twice", word);
		target->values[key] = ctl_next(args);
		if (!target->values[key])
			return ctl_usage(ctl, "%s: its value is missing", word);
	}
	if (!target->values[ROUTE_KEY_SHAPE])
		return ctl_usage(ctl, "the shape is missing");
	return CTL_OK;
}

/**
 * route_target_number - the number that a key says
 * @ctl: the call
 * @target: the machine
 * @key: the key
 * @min: least
 * @max: most
 * @value: gets it; unchanged if the key was not given
 *
 * Return: CTL_OK, or CTL_USAGE after telling what is wrong.
 */
int route_target_number(struct ctl *ctl, const struct route_target *target, enum route_key key,
			uint64_t min, uint64_t max, uint64_t *value)
{
	struct word_why why;
	__u64 number;

	if (!target->values[key])
		return CTL_OK;
	if (!word_number(key_names[key], target->values[key], min, max, &number, &why))
		return ctl_bad(ctl, "%s", why.text);
	*value = number;
	return CTL_OK;
}

static bool find_node(const struct xt_map *map, const char *word, uint32_t *node,
		      struct word_why *why)
{
	struct word_place place;
	const __u32 *at = place.coords.numbers;
	uint32_t dim;

	if (!word_place(word, false, &place, why))
		return false;
	if (!place.by_coords) {
		*node = xt_map_find(map, place.number);
		return *node != XT_NONE ||
		       word_refuse(why, "NID %u: no node has it: NIDs are region * %u + 0 to %u",
				   place.number, XT_REGION_NODES, map->region_nodes - 1);
	}
	if (place.coords.count != XT_DIMS)
		return word_refuse(why, "node %s: not three coordinates", word);
	for (dim = 0; dim < XT_DIMS; dim++)
		if (at[dim] >= map->dims[dim])
			return word_refuse(why, "node %s: the shape has %u in dimension %c", word,
					   map->dims[dim], "xyz"[dim]);
	*node = xt_node(map, at[0], at[1], at[2]);
	return true;
}

/**
 * route_target_node - a node of the machine
 * @ctl: the call
 * @target: the machine
 * @word: coordinates, or a NID
 * @node: gets it
 *
 * Return: CTL_OK, or CTL_USAGE after telling what is wrong.
 */
int route_target_node(struct ctl *ctl, const struct route_target *target, const char *word,
		      uint32_t *node)
{
	struct word_why why;

	return find_node(target->map, word, node, &why) ? CTL_OK : ctl_bad(ctl, "%s", why.text);
}

/* One end of a cable: a node's word and a direction's. */
static bool set_cable(struct xt_map *map, const char *key, const char *node_word,
		      const char *dir_word, enum xt_cable state, struct word_why *why)
{
	struct word_why reason;
	uint32_t node;
	__u32 dir;

	if (!find_node(map, node_word, &node, &reason) || !word_dir(dir_word, &dir, &reason))
		return word_refuse(why, "%s: %s", key, reason.text);
	if (dir >= XT_DIRS)
		return word_refuse(why, "%s: direction %s: there are three dimensions", key,
				   dir_word);
	if (!xt_map_set(map, node, dir, state))
		return word_refuse(why, "%s: %s %s: the shape has no cable there", key, node_word,
				   dir_word);
	return true;
}

/* "NODE DIR, NODE DIR" */
static int set_cables(struct ctl *ctl, struct route_target *target, enum route_key key,
		      enum xt_cable state)
{
	const char *list = target->values[key];
	struct word_why why;
	char node[64], dir[16];
	int taken;

	while (list && list[strspn(list, " \t\n")]) {
		if (sscanf(list, "%63s %15[^ \t\n,]%n", node, dir, &taken) != 2)
			return ctl_bad(ctl, "%s %s: not NODE DIR, NODE DIR ..", key_names[key],
				       target->values[key]);
		list += taken;
		list += strspn(list, " \t\n");
		if (*list && *list != ',')
			return ctl_bad(ctl, "%s %s: no comma behind %s %s", key_names[key],
				       target->values[key], node, dir);
		list += *list == ',';
		if (!set_cable(target->map, key_names[key], node, dir, state, &why))
			return ctl_bad(ctl, "%s", why.text);
	}
	return CTL_OK;
}

static int take_policy(struct ctl *ctl, struct route_target *target, enum xt_policy *policy)
{
	const char *word = target->values[ROUTE_KEY_POLICY];

	*policy = XT_POLICY_V3;
	if (!word)
		return CTL_OK;
	for (*policy = 0; *policy < XT_POLICIES; (*policy)++)
		if (!strcmp(word, xt_policy_name(*policy)))
			return CTL_OK;
	return ctl_bad(ctl, "policy %s: none of initial, v1, v2, v3, one", word);
}

static int take_ties(struct ctl *ctl, struct route_target *target, bool *split)
{
	const char *word = target->values[ROUTE_KEY_TIES];

	*split = !word || !strcmp(word, "split");
	if (*split || !strcmp(word, "plus"))
		return CTL_OK;
	return ctl_bad(ctl, "ties %s: neither split nor plus", word);
}

/* One coordinate, or - for none. */
static int take_dateline(struct ctl *ctl, const struct route_target *target, uint32_t dim,
			 const char *at, size_t length, uint32_t *line)
{
	const char *word = target->values[ROUTE_KEY_DATELINES];
	const struct xt_map *map = target->map;
	__u64 number;

	*line = XT_NONE;
	if (length == 1 && *at == '-')
		return CTL_OK;
	if (!word_part(at, at + length, &number))
		return ctl_bad(ctl, "datelines %s: not auto, none or X,Y,Z", word);
	if (number >= map->dims[dim])
		return ctl_bad(ctl, "datelines %s: the shape has %u in dimension %c", word,
			       map->dims[dim], "xyz"[dim]);
	if (map->mesh >> dim & 1)
		return ctl_bad(ctl, "datelines %s: %c is a mesh and has none: say -", word,
			       "xyz"[dim]);
	*line = (uint32_t)number;
	return CTL_OK;
}

static int take_datelines(struct ctl *ctl, struct route_target *target, uint32_t *lines)
{
	const char *word = target->values[ROUTE_KEY_DATELINES], *at = word;
	uint32_t dim;
	int status;

	target->automatic = !word || !strcmp(word, "auto");
	for (dim = 0; dim < XT_DIMS; dim++)
		lines[dim] = XT_NONE;
	if (target->automatic || !strcmp(word, "none"))
		return CTL_OK;
	for (dim = 0; dim < XT_DIMS; dim++) {
		size_t length = strcspn(at, ",");

		status = take_dateline(ctl, target, dim, at, length, &lines[dim]);
		if (status)
			return status;
		at += length;
		if (dim + 1 < XT_DIMS && *at++ != ',')
			break;
	}
	if (dim < XT_DIMS || *at)
		return ctl_bad(ctl, "datelines %s: one for each of three dimensions", word);
	return CTL_OK;
}

/* Shape, mesh, planes: the machine with all its cables. */
static int make_map(struct ctl *ctl, struct route_target *target)
{
	const char *text = target->values[ROUTE_KEY_SHAPE], *reason;
	struct word_list shape;
	struct word_why why;
	uint64_t planes = 0;
	uint32_t i;
	__u32 mesh = 0;
	int status;

	if (!word_shape("shape", text, &shape, &why))
		return ctl_bad(ctl, "%s", why.text);
	if (shape.count > XT_DIMS)
		return ctl_bad(ctl, "shape %s: Cray XT has three dimensions", text);
	for (i = shape.count; i < XT_DIMS; i++)
		shape.numbers[i] = 1;
	for (i = 0; i < XT_DIMS; i++)
		if (shape.numbers[i] > XT_NODES_MAX)
			return ctl_bad(ctl, "shape %s: at most %u nodes", text, XT_NODES_MAX);
	if (target->values[ROUTE_KEY_MESH] &&
	    !word_mesh(target->values[ROUTE_KEY_MESH], &mesh, &why))
		return ctl_bad(ctl, "%s", why.text);
	if (mesh >> shape.count)
		return ctl_bad(ctl, "mesh %s: the shape has %u dimensions",
			       target->values[ROUTE_KEY_MESH], shape.count);
	status = route_target_number(ctl, target, ROUTE_KEY_PLANES, 1, UINT32_MAX, &planes);
	if (status)
		return status;
	reason = xt_map_refusal(shape.numbers, (uint32_t)planes);
	if (reason && planes)
		return ctl_bad(ctl, "shape %s planes %" PRIu64 ": %s", text, planes, reason);
	if (reason)
		return ctl_bad(ctl, "shape %s: %s", text, reason);
	if (!xt_map_new(&target->map, shape.numbers, mesh, (uint32_t)planes))
		return CTL_OK;
	ctl_tell(ctl, "no memory");
	return CTL_FAILED;
}

/* Tables from a file: they must be of the shape that was typed. */
static int read_tables(struct ctl *ctl, struct route_target *target)
{
	const char *name = target->values[ROUTE_KEY_TABLE];
	struct xt_map *map;
	struct word_why why;
	uint32_t dim;

	if (!xt_file_read(name, &map, &target->tables, &why)) {
		ctl_tell(ctl, "%s", why.text);
		return CTL_FAILED;
	}
	for (dim = 0; dim < XT_DIMS; dim++)
		if (map->dims[dim] != target->map->dims[dim])
			break;
	if (dim < XT_DIMS || map->mesh != target->map->mesh || map->planes != target->map->planes) {
		ctl_tell(ctl, "%s: tables of %ux%ux%u in regions of %u planes%s", name,
			 map->dims[0], map->dims[1], map->dims[2], map->planes,
			 map->mesh == target->map->mesh ? "" : ", of another mesh");
		xt_tables_free(target->tables);
		target->tables = NULL;
		xt_map_free(map);
		return CTL_FAILED;
	}
	/* The cables are those of the words. */
	target->tables->map = target->map;
	xt_map_free(map);
	return CTL_OK;
}

/**
 * route_target_parse - take arch A shape S [KEY VALUE].. [NODE]..
 * @ctl: the call
 * @args: the words
 * @takes: ROUTE_TAKES(): keys that make sense
 * @places: nodes that may be named
 * @target: gets it; to be freed, whatever comes back
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after telling what is wrong.
 */
int route_target_parse(struct ctl *ctl, struct ctl_args *args, unsigned int takes,
		       unsigned int places, struct route_target *target)
{
	uint32_t lines[XT_DIMS];
	enum xt_policy policy;
	bool split;
	int status;

	memset(target, 0, sizeof(*target));
	status = take_arch(ctl, args);
	if (!status)
		status = take_words(ctl, args, takes, places, target);
	if (!status)
		status = make_map(ctl, target);
	if (!status)
		status = set_cables(ctl, target, ROUTE_KEY_ABSENT, XT_ABSENT);
	if (!status)
		status = set_cables(ctl, target, ROUTE_KEY_BROKEN, XT_BROKEN);
	if (!status)
		status = take_policy(ctl, target, &policy);
	if (!status)
		status = take_ties(ctl, target, &split);
	if (!status)
		status = take_datelines(ctl, target, lines);
	if (status)
		return status;
	if (target->values[ROUTE_KEY_TABLE])
		return read_tables(ctl, target);
	target->has_route = !xt_route_init(&target->route, target->map, policy, split, lines);
	if (target->has_route)
		return CTL_OK;
	ctl_tell(ctl, "no memory");
	return CTL_FAILED;
}

/**
 * route_target_free - give back what a target holds
 * @target: it
 */
void route_target_free(struct route_target *target)
{
	xt_tables_free(target->tables);
	if (target->has_route)
		xt_route_free(&target->route);
	xt_map_free(target->map);
}

/**
 * route_target_tables - compute the tables, if they do not come from a file
 * @ctl: the call
 * @target: the machine; gets them
 *
 * Return: CTL_OK, or CTL_FAILED after telling why.
 */
int route_target_tables(struct ctl *ctl, struct route_target *target)
{
	struct xt_plan plan;
	int error = 0;

	if (target->tables)
		return CTL_OK;
	if (target->automatic) {
		error = xt_plan_init(&plan, target->map);
		if (!error)
			xt_datelines_auto(&target->route, &plan);
		xt_plan_free(&plan);
	}
	if (!error)
		error = xt_tables_make(&target->route, &target->tables, &target->made);
	if (!error)
		return CTL_OK;
	ctl_tell(ctl, "%s", strerror(-error));
	return CTL_FAILED;
}
