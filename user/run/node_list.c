// SPDX-License-Identifier: GPL-2.0
/* Parse a list of nodes. Its items have the syntax of torusctl, and are separated by blanks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node_list.h"
#include "mapping.h"
#include "../parse/node.h"
#include "../parse/node_set.h"

static bool list_add(struct run_places *places, uint32_t node, struct parse_error *why)
{
	return run_places_add(places, node, 0) ||
	       parse_fail(why, "out of memory for %zu nodes", places->count);
}

static bool list_numbers(struct run_places *places, const struct run_fabric_info *machine,
			 const struct parse_places *typed, struct parse_error *why)
{
	const struct torus_ioc_fabric *fabric = &machine->fabric;
	uint32_t last = typed->all ? fabric->numbering.last : typed->last[0], node;
	uint32_t first = typed->all ? 0 : typed->first[0], coords[TORUS_DIMS_MAX];
	char before[PARSE_PLACES_ITEM_MAX + 16] = "";

	if (first != last)
		snprintf(before, sizeof(before), "node %s: ", typed->word);
	if (last > fabric->numbering.last)
		return parse_place_refuse(before, last, fabric->numbering.last, why);
	for (node = first; node <= last; node++) {
		/* skip numbers that no node has, if the item is a range of numbers */
		if (query_coords(fabric, node, coords)) {
			if (!list_add(places, node, why))
				return false;
		} else if (first == last) {
			return parse_place_refuse("", node, fabric->numbering.last, why);
		}
	}
	return true;
}

/* Append all nodes of a range of coordinates. The first dimension varies fastest. */
static bool list_coords(struct run_places *places, const struct run_fabric_info *machine,
			struct parse_places *typed, struct parse_error *why)
{
	const struct torus_ioc_fabric *fabric = &machine->fabric;
	const struct torus_machine_shape shape = query_shape(fabric);
	char whose[sizeof(fabric->name) + 8];
	uint32_t at[TORUS_DIMS_MAX], node;

	snprintf(whose, sizeof(whose), "fabric %s", fabric->name);
	if (!parse_places_inside(typed, &shape, whose, why))
		return false;
	memcpy(at, typed->first, sizeof(at));
	do {
		if (query_number(fabric, at, &node) && !list_add(places, node, why))
			return false;
	} while (parse_places_next(typed, at));
	return true;
}

/*
 * Reject coordinates whose number is not that of the dimensions. A comma separates coordinates, but
 * users also write it between nodes.
 */
static bool list_refuse_commas(const struct run_fabric_info *machine,
			       const struct parse_places *typed, const char *item,
			       struct parse_error *why)
{
	char spelling[PARSE_PLACES_ITEM_MAX];
	char *comma;

	snprintf(spelling, sizeof(spelling), "%s", item);
	while ((comma = strchr(spelling, ',')))
		*comma = ' ';
	return parse_fail(why, "nodes %s: %u coordinates, fabric %s has %u dimensions; several "
			  "node numbers are written \"%s\"", item, typed->count,
			  machine->fabric.name, query_shape(&machine->fabric).ndims, spelling);
}

/**
 * run_node_list_read - parse a list of nodes and append their places
 * @places: [in, out] list of places; the appended places are in FIFO group 0
 * @machine: the fabric
 * @list: the list
 * @why: [out] error message
 *
 * Return: true, or false with @why.
 */
bool run_node_list_read(struct run_places *places, const struct run_fabric_info *machine,
			const char *list, struct parse_error *why)
{
	struct parse_places typed;
	char item[PARSE_PLACES_ITEM_MAX];
	const char *rest = list;
	size_t length = parse_places_item(&rest, item);
	bool good;

	if (!length)
		return parse_fail(why, "nodes \"%s\": must name at least one node", list);
	for (; length; length = parse_places_item(&rest, item)) {
		if (length >= sizeof(item))
			return parse_fail(why, "nodes %s: is too long to be a node", item);
		good = parse_places(item, &typed, why);
		if (good && typed.by_coords &&
		    typed.count != query_shape(&machine->fabric).ndims)
			return list_refuse_commas(machine, &typed, item, why);
		good = good &&
		       (typed.by_coords ? list_coords(places, machine, &typed, why) :
					  list_numbers(places, machine, &typed, why));
		if (!good)
			return false;
	}
	return true;
}
