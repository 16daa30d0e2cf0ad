// SPDX-License-Identifier: GPL-2.0
/*
 * Parse the nodes of a hot spot, such as "0,0,0 3,3,3" or "0-3,0,0 12", in the syntax of
 * parse_places().
 */
#include <stdio.h>
#include <string.h>

#include "../machine/machine.h"
#include "hotspot.h"
#include "node.h"
#include "node_set.h"
#include "parse.h"

/* State of the parser: the machine, and the workload to which nodes are added. */
struct hotspot_reader {
	const struct torus_machine *machine;
	const struct torus_machine_shape *shape;
	struct torus_traffic *traffic;
	struct parse_error *why;
};

static bool hot_add(struct hotspot_reader *reader, uint32_t node)
{
	if (reader->traffic->hots == TORUS_HOTS_MAX)
		return parse_fail(reader->why, "--set hot: must name at most %d nodes",
				  TORUS_HOTS_MAX);
	reader->traffic->hot[reader->traffic->hots++] = node;
	return true;
}

static bool hot_unknown(struct hotspot_reader *reader, const struct parse_places *typed)
{
	return parse_fail(reader->why,
			  "--set hot %s: must be node numbers, coordinates are not supported for "
			  "this machine", typed->word);
}

static bool hot_numbers(struct hotspot_reader *reader, const struct parse_places *typed)
{
	uint32_t corner[TORUS_DIMS_MAX], coords[TORUS_DIMS_MAX], end, node, d;
	uint32_t first = typed->all ? 0 : typed->first[0], last;
	char before[PARSE_PLACES_ITEM_MAX + 16];

	snprintf(before, sizeof(before), "--set hot %s: ", typed->word);
	for (d = 0; d < reader->shape->ndims; d++)
		corner[d] = reader->shape->dims[d] - 1;
	if (torus_machine_number(reader->machine, reader->shape, corner, &end))
		return hot_unknown(reader, typed);
	last = typed->all ? end : typed->last[0];
	if (last > end)
		return parse_place_refuse(before, last, end, reader->why);
	for (node = first; node <= last; node++) {
		/* in a range of numbers, skip numbers that no node has */
		if (!torus_machine_place(reader->machine, reader->shape, node, coords)) {
			if (!hot_add(reader, node))
				return false;
		} else if (first == last) {
			return parse_place_refuse(before, node, end, reader->why);
		}
	}
	return true;
}

/* Add the nodes in a box of coordinates. The first dimension varies fastest. */
static bool hot_coords(struct hotspot_reader *reader, struct parse_places *typed)
{
	uint32_t at[TORUS_DIMS_MAX], node;

	if (!parse_places_inside(typed, reader->shape, "the fabric", reader->why))
		return false;
	memcpy(at, typed->first, sizeof(at));
	do {
		if (torus_machine_number(reader->machine, reader->shape, at, &node))
			return hot_unknown(reader, typed);
		if (!hot_add(reader, node))
			return false;
	} while (parse_places_next(typed, at));
	return true;
}

/**
 * parse_hot - parse the nodes of a hot spot
 * @list: nodes, separated by blanks
 * @machine: machine of the fabric
 * @shape: shape of the fabric
 * @traffic: [out] numbers of the nodes
 * @why: [out] reason for a rejection
 *
 * Return: false if the list is rejected.
 */
bool parse_hot(const char *list, const struct torus_machine *machine,
	       const struct torus_machine_shape *shape, struct torus_traffic *traffic,
	       struct parse_error *why)
{
	struct hotspot_reader reader = { machine, shape, traffic, why };
	struct parse_places typed;
	char item[PARSE_PLACES_ITEM_MAX];
	const char *rest = list;
	size_t length = parse_places_item(&rest, item);

	traffic->hots = 0;
	if (!length)
		return parse_fail(why, "--set hot \"%s\": must name at least one node", list);
	for (; length; length = parse_places_item(&rest, item)) {
		if (length >= sizeof(item))
			return parse_fail(why, "--set hot %s: is too long to be a node", item);
		if (!parse_places(item, &typed, why) ||
		    !(typed.by_coords ? hot_coords(&reader, &typed) :
					hot_numbers(&reader, &typed)))
			return false;
	}
	return true;
}
