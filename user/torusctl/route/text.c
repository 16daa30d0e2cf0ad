// SPDX-License-Identifier: GPL-2.0
/* Convert routes around dead nodes and links to text and to records. */
#include <inttypes.h>
#include <stdio.h>

#include "../../report/json.h"
#include "../../parse/shape.h"
#include "../../parse/parse.h"
#include "../print/output.h"
#include "text.h"

static const char *route_class_name(enum torus_route_class class)
{
	switch (class) {
	case TORUS_ROUTE_PATH:
		return "deterministic";
	case TORUS_ROUTE_ADAPTIVE:
		return "dynamic";
	case TORUS_ROUTE_RELAY:
		return "relay";
	default:
		return "blocked";
	}
}

/**
 * route_fate_name - return the name for the fate of a dynamic packet
 */
const char *route_fate_name(enum route_fate fate)
{
	switch (fate) {
	case ROUTE_SAFE:
		return "safe";
	case ROUTE_TRAPPED:
		return "trapped";
	default:
		return "no-escape";
	}
}

/**
 * route_node_text - format the coordinates of a node
 * @map: map of the machine
 * @node: the node
 * @text: [out] coordinates such as "1,2,3"
 * @size: size of @text in bytes
 *
 * Return: @text.
 */
const char *route_node_text(const struct torus_route_map *map, uint32_t node, char *text,
			    size_t size)
{
	uint32_t at[DIMS], dim;
	size_t used = 0;

	route_coords(map, node, at);
	for (dim = 0; dim < map->ndims && used < size; dim++)
		used += snprintf(text + used, size - used, "%s%" PRIu32, dim ? "," : "", at[dim]);
	return text;
}

/**
 * route_hints_text - format hint bits as directions
 * @hints: the bits
 * @text: [out] directions such as "x+ z-"
 * @size: size of @text in bytes
 *
 * Return: @text.
 */
const char *route_hints_text(uint8_t hints, char *text, size_t size)
{
	char name[OUTPUT_TEXT_MAX];
	size_t used = 0;
	uint32_t dir;

	*text = '\0';
	for (dir = 0; dir < DIRS && used < size; dir++)
		if (hints & HINT(dir))
			used += snprintf(text + used, size - used, "%s%s", used ? " " : "",
					 parse_dir_name(dir, name, sizeof(name)));
	return text;
}

/**
 * route_node_json - convert a node to a record with its number and coordinates
 * @map: map of the machine
 * @node: the node
 *
 * Return: the record.
 */
struct json_object *route_node_json(const struct torus_route_map *map, uint32_t node)
{
	struct json_object *object = json_object_new_object();
	struct json_object *coords = json_object_new_array();
	uint32_t at[DIMS], dim;

	route_coords(map, node, at);
	for (dim = 0; dim < map->ndims; dim++)
		json_object_array_add(coords, json_object_new_uint64(at[dim]));
	report_add_u64(object, "node", node);
	json_object_object_add(object, "coords", coords);
	return object;
}

/**
 * route_hints_json - convert hint bits to a list of directions
 * @hints: the bits
 *
 * Return: the list.
 */
struct json_object *route_hints_json(uint8_t hints)
{
	struct json_object *list = json_object_new_array();
	char name[OUTPUT_TEXT_MAX];
	uint32_t dir;

	for (dir = 0; dir < DIRS; dir++) {
		if (!(hints & HINT(dir)))
			continue;
		parse_dir_name(dir, name, sizeof(name));
		json_object_array_add(list, json_object_new_string(name));
	}
	return list;
}

/**
 * route_fault_json - convert a dead node or link to a record
 * @map: map of the machine
 * @fault: the fault
 *
 * Return: a record with the dead node, or with the sender and the direction of the dead link.
 */
struct json_object *route_fault_json(const struct torus_route_map *map,
				     const struct torus_route_fault *fault)
{
	struct json_object *object = route_node_json(map, fault->node);
	char name[OUTPUT_TEXT_MAX];

	if (fault->dir != TORUS_ROUTE_NONE)
		report_add_text(object, "dir", parse_dir_name(fault->dir, name, sizeof(name)));
	return object;
}

static struct json_object *leg_json(const struct torus_route_map *map, uint32_t from, uint32_t to,
				    const struct torus_route_leg *leg)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "from", route_node_json(map, from));
	json_object_object_add(object, "to", route_node_json(map, to));
	json_object_object_add(object, "hints", route_hints_json(leg->hints));
	report_add_bool(object, "deterministic", leg->deterministic);
	report_add_bool(object, "dynamic", leg->dynamic);
	report_add_u64(object, "hops", leg->hops);
	return object;
}

/**
 * route_choice_json - convert the route of a pair to a record
 * @map: map of the machine
 * @from: the source
 * @to: the destination
 * @choice: the route
 *
 * Return: the record with class, relay, legs and hops.
 */
struct json_object *route_choice_json(const struct torus_route_map *map, uint32_t from, uint32_t to,
				      const struct torus_route_choice *choice)
{
	struct json_object *object = json_object_new_object();
	struct json_object *legs = json_object_new_array();
	bool relay = choice->relay != TORUS_ROUTE_NONE;

	json_object_object_add(object, "from", route_node_json(map, from));
	json_object_object_add(object, "to", route_node_json(map, to));
	report_add_text(object, "class", route_class_name(choice->kind));
	json_object_object_add(object, "relay", relay ? route_node_json(map, choice->relay) : NULL);
	if (choice->kind)
		json_object_array_add(legs, leg_json(map, from, relay ? choice->relay : to,
						     &choice->leg[0]));
	if (relay)
		json_object_array_add(legs, leg_json(map, choice->relay, to, &choice->leg[1]));
	json_object_object_add(object, "legs", legs);
	report_add_u64(object, "hops", choice->hops);
	return object;
}

const char route_choice_form[] =
	"{from.coords} -> {to.coords} {class}"
	"{#legs} {,}to {from.coords} then {/}{#hints}{,} {/}{.}{/}{/}"
	"{!class=blocked} hops {hops}{/}\n";
