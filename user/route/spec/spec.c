// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the parameters of Cray XT tables: cables, policy, ties, datelines. Compute tables from
 * these parameters.
 */
#include <stdio.h>
#include <string.h>

#include "../../parse/integer.h"
#include "../../parse/node.h"
#include "../../parse/shape.h"
#include "../xt/dateline.h"
#include "../xt/build_tables.h"
#include "../xt/survey.h"
#include "spec.h"

const char *const xt_key_names[XT_KEYS] = {
	[XT_KEY_POLICY] = "policy",
	[XT_KEY_DATELINES] = "datelines",
	[XT_KEY_TIES] = "ties",
	[XT_KEY_BROKEN] = "broken",
	[XT_KEY_ABSENT] = "absent",
};

/**
 * xt_key_find() - find a key by name
 *
 * Return: enum xt_key; XT_KEYS if no key has that name.
 */
unsigned int xt_key_find(const char *word)
{
	unsigned int key;

	for (key = 0; key < XT_KEYS && strcmp(word, xt_key_names[key]); key++)
		;
	return key;
}

/**
 * xt_spec_map() - set up a spec for a machine with all cables present
 * @spec: [out] freed with xt_spec_free(), also after a failure
 * @dims: three lengths
 * @mesh: bit i: dimension i is a line, not a ring
 * @planes: number of YZ planes of a region; 0: as many as fit
 * @why: [out] the reason of a failure
 *
 * Return: true on success; false if the shape is invalid, or without memory.
 */
bool xt_spec_map(struct xt_spec *spec, const uint32_t *dims, uint32_t mesh, uint32_t planes,
		 struct parse_error *why)
{
	char text[PARSE_SHAPE_MAX];
	const char *reason;
	uint32_t i;

	memset(spec, 0, sizeof(*spec));
	parse_shape_text(XT_DIMS, dims, text, sizeof(text));
	for (i = 0; i < XT_DIMS; i++)
		if (dims[i] > XT_NODES_MAX)
			return parse_fail(why, "shape %s: must have at most %u nodes",
					  text, XT_NODES_MAX);
	reason = xt_map_refusal(dims, planes);
	if (reason && planes)
		return parse_fail(why, "shape %s planes %u: %s", text, planes, reason);
	if (reason)
		return parse_fail(why, "shape %s: %s", text, reason);
	if (xt_map_new(&spec->map, dims, mesh, planes))
		return parse_fail(why, "shape %s: out of memory", text);
	return true;
}

/**
 * xt_spec_node() - parse a node of the machine
 * @word: coordinates, or a NID
 * @node: [out] index of the node in the map
 * @why: [out] the reason of a failure
 *
 * Return: true if the machine has such a node.
 */
bool xt_spec_node(const struct xt_spec *spec, const char *word, uint32_t *node,
		  struct parse_error *why)
{
	const struct xt_map *map = spec->map;
	struct parse_place place;
	const uint32_t *at = place.coords.numbers;
	uint32_t dim;

	if (!parse_place(word, false, &place, why))
		return false;
	if (!place.by_coords) {
		*node = xt_map_find(map, place.number);
		return *node != XT_NONE ||
		       parse_place_refuse("", place.number, xt_nid(map, map->nodes - 1), why);
	}
	if (place.coords.count != XT_DIMS)
		return parse_fail(why, "node %s: must be three coordinates", word);
	for (dim = 0; dim < XT_DIMS; dim++)
		if (at[dim] >= map->dims[dim])
			return parse_fail(why, "node %s: must be below %u in dimension %c", word,
					  map->dims[dim], "xyz"[dim]);
	*node = xt_node(map, at[0], at[1], at[2]);
	return true;
}

/*
 * Set the state of the cable that leaves node @node_word in direction @dir_word. Both are words of
 * the user.
 */
static bool set_cable(struct xt_spec *spec, const char *key, const char *node_word,
		      const char *dir_word, enum xt_cable state, struct parse_error *why)
{
	struct parse_error reason;
	uint32_t node;
	uint32_t dir;

	if (!xt_spec_node(spec, node_word, &node, &reason) ||
	    !parse_dir(dir_word, &dir, &reason))
		return parse_fail(why, "%s: %s", key, reason.text);
	if (dir >= XT_DIRS)
		return parse_fail(why, "%s: direction %s: must be one of three dimensions", key,
				  dir_word);
	return xt_map_set(spec->map, node, dir, state) ||
	       parse_fail(why, "%s: %s %s: the node has no cable in this direction", key, node_word,
			  dir_word);
}

/* Parse a list like "NODE DIR, NODE DIR .." and set the state of these cables. */
static bool set_cables(struct xt_spec *spec, const char *key, const char *words,
		       enum xt_cable state, struct parse_error *why)
{
	const char *list = words;
	char node[64], dir[16];
	int taken;

	while (list && list[strspn(list, " \t\n")]) {
		if (sscanf(list, "%63s %15[^ \t\n,]%n", node, dir, &taken) != 2)
			return parse_fail(why, "%s %s: must be NODE DIR, NODE DIR ..", key, words);
		list += taken;
		list += strspn(list, " \t\n");
		if (*list && *list != ',')
			return parse_fail(why, "%s %s: a comma must follow %s %s", key, words, node,
					  dir);
		list += *list == ',';
		if (!set_cable(spec, key, node, dir, state, why))
			return false;
	}
	return true;
}

/**
 * xt_key_default() - get the default value of a key
 * @key: enum xt_key
 *
 * Return: the value as text; NULL if the key has no default.
 */
const char *xt_key_default(unsigned int key)
{
	switch (key) {
	case XT_KEY_POLICY:
		return xt_policy_name(XT_POLICY_V3);
	case XT_KEY_DATELINES:
		return "auto";
	case XT_KEY_TIES:
		return "split";
	}
	return NULL;
}

static bool take_policy(const char *word, enum xt_policy *policy, struct parse_error *why)
{
	word = word ? word : xt_key_default(XT_KEY_POLICY);
	for (*policy = 0; *policy < XT_POLICIES; (*policy)++)
		if (!strcmp(word, xt_policy_name(*policy)))
			return true;
	return parse_fail(why, "policy %s: must be initial, v1, v2, v3 or one", word);
}

static bool take_ties(const char *word, bool *split, struct parse_error *why)
{
	*split = !word || !strcmp(word, "split");
	return *split || !strcmp(word, "plus") ||
	       parse_fail(why, "ties %s: must be split or plus", word);
}

/* Parse the dateline of one dimension: a coordinate, or "-" for no dateline. */
static bool take_dateline(const struct xt_map *map, const char *word, uint32_t dim,
			  const char *at, size_t length, uint32_t *line, struct parse_error *why)
{
	__u64 number;

	*line = XT_NONE;
	if (length == 1 && *at == '-')
		return true;
	if (!parse_part(at, at + length, &number))
		return parse_fail(why, "datelines %s: must be auto, none or X,Y,Z", word);
	if (number >= map->dims[dim])
		return parse_fail(why, "datelines %s: must be below %u in dimension %c", word,
				  map->dims[dim], "xyz"[dim]);
	if (map->mesh >> dim & 1)
		return parse_fail(why, "datelines %s: %c is a mesh, its dateline must be -", word,
				  "xyz"[dim]);
	*line = (uint32_t)number;
	return true;
}

static bool take_datelines(struct xt_spec *spec, const char *word, uint32_t *lines,
			   struct parse_error *why)
{
	const char *at = word;
	uint32_t dim;

	spec->automatic = !word || !strcmp(word, "auto");
	for (dim = 0; dim < XT_DIMS; dim++)
		lines[dim] = XT_NONE;
	if (spec->automatic || !strcmp(word, "none"))
		return true;
	for (dim = 0; dim < XT_DIMS; dim++) {
		size_t length = strcspn(at, ",");

		if (!take_dateline(spec->map, word, dim, at, length, &lines[dim], why))
			return false;
		at += length;
		if (dim + 1 < XT_DIMS && *at++ != ',')
			break;
	}
	return (dim == XT_DIMS && !*at) ||
	       parse_fail(why, "datelines %s: must be one for each of three dimensions", word);
}

/**
 * xt_spec_words() - parse cables, policy, ties and datelines
 * @spec: [in, out] must have a map
 * @words: by enum xt_key: the value as text; NULL for the default
 * @why: [out] the reason of a failure
 *
 * Return: true on success; false if a value is invalid, or without memory.
 */
bool xt_spec_words(struct xt_spec *spec, const char *const *words, struct parse_error *why)
{
	uint32_t lines[XT_DIMS];
	enum xt_policy policy;
	bool split;

	if (!set_cables(spec, xt_key_names[XT_KEY_ABSENT], words[XT_KEY_ABSENT], XT_ABSENT,
			why) ||
	    !set_cables(spec, xt_key_names[XT_KEY_BROKEN], words[XT_KEY_BROKEN], XT_BROKEN,
			why) ||
	    !take_policy(words[XT_KEY_POLICY], &policy, why) ||
	    !take_ties(words[XT_KEY_TIES], &split, why) ||
	    !take_datelines(spec, words[XT_KEY_DATELINES], lines, why))
		return false;
	spec->has_route = !xt_route_init(&spec->route, spec->map, policy, split, lines);
	return spec->has_route || parse_fail(why, "out of memory for the routes of %u nodes",
					     spec->map->nodes);
}

/**
 * xt_spec_compute() - compute the tables
 * @spec: [in, out] must be set by xt_spec_words(); receives the tables
 * @why: [out] the reason of a failure
 *
 * Return: false without memory.
 */
bool xt_spec_compute(struct xt_spec *spec, struct parse_error *why)
{
	struct xt_next_hops plan;
	int error = 0;

	if (spec->automatic) {
		error = xt_next_hops_init(&plan, spec->map);
		if (!error)
			xt_datelines_auto(&spec->route, &plan);
		xt_next_hops_free(&plan);
	}
	if (!error)
		error = xt_tables_make(&spec->route, &spec->tables, &spec->made);
	return !error || parse_fail(why, "out of memory for the tables of %u nodes",
				    spec->map->nodes);
}

/**
 * xt_spec_free() - free the map, the rules and the tables of a spec
 */
void xt_spec_free(struct xt_spec *spec)
{
	xt_tables_free(spec->tables);
	if (spec->has_route)
		xt_route_free(&spec->route);
	xt_map_free(spec->map);
	memset(spec, 0, sizeof(*spec));
}
