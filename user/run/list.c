// SPDX-License-Identifier: GPL-2.0
/*
 * A list of nodes as it is typed: numbers, coordinates, ranges of either, all; blanks
 * between them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"

#define ITEM_MAX	128	/* bytes of the longest item, and more */

/* From and to of one number or of a range, "3" or "0-3", which ends at @end. */
static bool range_read(const char *start, const char *end, uint32_t *first, uint32_t *last)
{
	const char *dash = memchr(start, '-', end - start);
	__u64 from, to;

	if (!word_part(start, dash ? dash : end, &from) ||
	    !word_part(dash ? dash + 1 : start, end, &to) || from > to || to > ~0u)
		return false;
	*first = from;
	*last = to;
	return true;
}

static bool item_numbers(struct run_places *places, const struct run_machine *machine,
			 const char *item, struct word_why *why)
{
	uint32_t coords[TORUS_DIMS_MAX];
	uint32_t first, last, node;

	if (!range_read(item, item + strlen(item), &first, &last))
		return word_refuse(why, "nodes %s: neither numbers like 4 or 0-7, nor coordinates "
				   "like 0-3,0,0, nor all", item);
	if (last > machine->fabric.numbering.last)
		return word_refuse(why, "nodes %s: the last node of fabric %s is %u", item,
				   machine->fabric.name, machine->fabric.numbering.last);
	for (node = first; node <= last; node++) {
		/* There may be numbers that no node has. */
		if (!query_coords(&machine->fabric, node, coords)) {
			if (first == last)
				return word_refuse(why, "nodes %s: no node has this number", item);
			continue;
		}
		if (!run_places_add(places, node, 0))
			return word_refuse(why, "no memory for %zu nodes", places->count);
	}
	return true;
}

static bool item_coords(struct run_places *places, const struct run_machine *machine,
			const char *item, struct word_why *why)
{
	const struct torus_ioc_fabric *fabric = &machine->fabric;
	uint32_t first[TORUS_DIMS_MAX], last[TORUS_DIMS_MAX], at[TORUS_DIMS_MAX];
	const char *start = item, *end;
	char dim[WORD_DIM_MAX];
	unsigned int d = 0;
	uint32_t node;

	for (;; start = end + 1) {
		end = strchrnul(start, ',');
		if (d == fabric->ndims)
			return word_refuse(why, "nodes %s: more than %u coordinates", item, d);
		word_dim_name(d, dim, sizeof(dim));
		if (!range_read(start, end, &first[d], &last[d]))
			return word_refuse(why, "nodes %s: %s is \"%.*s\", neither a number nor a "
					   "range like 0-3", item, dim, (int)(end - start), start);
		if (last[d] >= fabric->dims[d])
			return word_refuse(why, "nodes %s: %s is %u, fabric %s has 0 to %u", item,
					   dim, last[d], fabric->name, fabric->dims[d] - 1);
		d++;
		if (!*end)
			break;
	}
	if (d != fabric->ndims)
		return word_refuse(why, "nodes %s: %u coordinates, fabric %s has %u dimensions",
				   item, d, fabric->name, fabric->ndims);
	memcpy(at, first, sizeof(at));
	do {
		if (query_number(&machine->fabric, at, &node) && !run_places_add(places, node, 0))
			return word_refuse(why, "no memory for %zu nodes", places->count);
		for (d = 0; d < fabric->ndims && ++at[d] > last[d]; d++)
			at[d] = first[d];
	} while (d < fabric->ndims);
	return true;
}

/**
 * run_list_read - the nodes of a list
 * @places: gets them behind those it has, all in group 0
 * @machine: the fabric
 * @list: what was typed
 * @why: gets the reason
 *
 * Return: whether it makes sense.
 */
bool run_list_read(struct run_places *places, const struct run_machine *machine,
		   const char *list, struct word_why *why)
{
	char item[ITEM_MAX];
	size_t length;
	bool good;

	if (!list[strspn(list, " \t\n")])
		return word_refuse(why, "nodes \"%s\": no node", list);
	for (list += strspn(list, " \t\n"); *list; list += strspn(list, " \t\n")) {
		length = strcspn(list, " \t\n");
		if (length >= sizeof(item))
			return word_refuse(why, "nodes %s: longer than any node", list);
		snprintf(item, sizeof(item), "%.*s", (int)length, list);
		list += length;
		if (!strcmp(item, "all"))
			snprintf(item, sizeof(item), "0-%u", machine->fabric.numbering.last);
		good = strchr(item, ',') ? item_coords(places, machine, item, why) :
					   item_numbers(places, machine, item, why);
		if (!good)
			return false;
	}
	return true;
}
