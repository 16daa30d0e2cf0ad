// SPDX-License-Identifier: GPL-2.0
/*
 * Convert between the number and the coordinates of a node. Use the numbering that the module
 * reports for the fabric, or else that in the machine's table. If there is neither, find
 * coordinates in the module's list of nodes.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/node.h"
#include "node_addr.h"
#include "../parse/node.h"
#include "../parse/node_set.h"
#include "diag.h"

/**
 * place_shape - get a fabric's shape, for conversions of node numbers
 * @fabric: the fabric; must stay valid as long as the shape is used
 */
struct torus_machine_shape place_shape(const struct torus_nl_fabric *fabric)
{
	return (struct torus_machine_shape) {
		.ndims = fabric->ndims, .dims = fabric->dims, .mesh = fabric->mesh,
		.numbering = fabric->numbered ? &fabric->numbering : NULL,
	};
}

/**
 * place_coords - convert a node number to coordinates
 * @coords: [out] coordinates
 *
 * Return: false if the coordinates are unknown.
 */
bool place_coords(const struct torus_nl_fabric *fabric, uint32_t node, uint32_t *coords)
{
	const struct torus_machine_shape shape = place_shape(fabric);

	return !torus_machine_place(torus_machine_find(fabric->arch), &shape, node, coords);
}

/**
 * place_text - format a node for output
 * @text: [out] text
 * @size: size of @text in bytes; PLACE_TEXT_MAX is enough
 *
 * Return: @text: coordinates such as "1,2,3", or the number if the coordinates are unknown.
 */
const char *place_text(const struct torus_nl_fabric *fabric, uint32_t node, char *text,
		       size_t size)
{
	const struct torus_machine_shape shape = place_shape(fabric);

	return parse_place_text(torus_machine_find(fabric->arch), &shape, node, text, size);
}

static int place_search(struct ctl *ctl, const struct torus_nl_fabric *fabric,
			const struct parse_place *place, uint32_t *number)
{
	struct torus_nl_node *nodes;
	bool found = false;
	size_t count;
	size_t i;

	if (torus_nl_node_dump(ctl->nl, fabric->name, &nodes, &count))
		return ctl_failed(ctl);
	for (i = 0; i < count && !found; i++) {
		found = nodes[i].ndims == fabric->ndims &&
			!memcmp(nodes[i].coords, place->coords.numbers,
				fabric->ndims * sizeof(nodes[i].coords[0]));
		if (found)
			*number = nodes[i].node;
	}
	free(nodes);
	if (found)
		return CTL_OK;
	ctl_error(ctl, "node %s: fabric %s has no node with these coordinates",
		  place->word, fabric->name);
	return CTL_FAILED;
}

/**
 * place_number - find the number of a node in the arguments
 * @place: the node as parsed from its argument
 * @number: [out] number of the node
 *
 * A plain number is not checked, because the module checks it.
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int place_number(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		 const struct parse_place *place, uint32_t *number)
{
	const struct torus_machine_shape shape = place_shape(fabric);
	char whose[sizeof(fabric->name) + 8];
	struct parse_error why;

	*number = place->number;
	if (!place->by_coords)
		return CTL_OK;
	snprintf(whose, sizeof(whose), "fabric %s", fabric->name);
	if (!parse_place_inside(place, &shape, whose, &why)) {
		ctl_error(ctl, "%s", why.text);
		return CTL_FAILED;
	}
	if (torus_machine_number(torus_machine_find(fabric->arch), &shape,
				 place->coords.numbers, number) == -EOPNOTSUPP)
		return place_search(ctl, fabric, place, number);
	return CTL_OK;
}

/* List the numbers of the nodes in a box of coordinates. The first dimension varies fastest. */
static int place_box(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		     const struct parse_places *places, struct place_list *list)
{
	struct parse_place place = {
		.word = places->word, .by_coords = true, .coords.count = fabric->ndims,
	};
	uint32_t at[TORUS_DIMS_MAX];
	unsigned int d;
	int status;

	memcpy(at, places->first, sizeof(at));
	do {
		memcpy(place.coords.numbers, at, sizeof(at));
		status = place_number(ctl, fabric, &place, &list->numbers[list->count]);
		if (status)
			return status;
		list->count++;
		for (d = 0; d < fabric->ndims && at[d]++ == places->last[d]; d++)
			at[d] = places->first[d];
	} while (d < fabric->ndims);
	return CTL_OK;
}

/* Return the highest node number of a fabric, which is that of the last corner. */
static uint32_t place_last(const struct torus_machine *machine,
			   const struct torus_machine_shape *shape)
{
	uint32_t corner[TORUS_DIMS_MAX], last = 0, d;

	for (d = 0; d < shape->ndims; d++)
		corner[d] = shape->dims[d] - 1;
	torus_machine_number(machine, shape, corner, &last);
	return last;
}

/* List a range of node numbers. Reject the range if one of the numbers is not a node. */
static int place_range(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		       const struct parse_places *places, size_t count, struct place_list *list)
{
	const struct torus_machine_shape shape = place_shape(fabric);
	const struct torus_machine *machine = torus_machine_find(fabric->arch);
	char before[PARSE_PLACES_ITEM_MAX + 16];
	uint32_t coords[TORUS_DIMS_MAX];
	struct parse_error why;

	snprintf(before, sizeof(before), "node %s: ", places->word);
	for (; list->count < count; list->count++) {
		uint32_t number = places->first[0] + list->count;

		list->numbers[list->count] = number;
		/* a single number is not checked here, because the module checks it */
		if (count == 1 || torus_machine_place(machine, &shape, number, coords) != -ENOENT)
			continue;
		parse_place_refuse(before, number, place_last(machine, &shape), &why);
		ctl_error(ctl, "%s", why.text);
		return CTL_FAILED;
	}
	return CTL_OK;
}

/**
 * place_numbers - list the numbers of the nodes in the arguments
 * @typed: the nodes as parsed from their argument
 * @list: [out] node numbers, freed by the caller, even after an error
 *
 * A single plain number is not checked, because the module checks it.
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int place_numbers(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		  const struct parse_places *typed, struct place_list *list)
{
	const struct torus_machine_shape shape = place_shape(fabric);
	struct parse_places places = *typed;
	char whose[sizeof(fabric->name) + 8];
	uint64_t count = 1;
	struct parse_error why;
	unsigned int d;

	*list = (struct place_list){ .count = 0 };
	snprintf(whose, sizeof(whose), "fabric %s", fabric->name);
	if (!parse_places_inside(&places, &shape, whose, &why)) {
		ctl_error(ctl, "%s", why.text);
		return CTL_FAILED;
	}
	if (places.all) {
		places.by_coords = true;
		for (d = 0; d < fabric->ndims; d++) {
			places.first[d] = 0;
			places.last[d] = fabric->dims[d] - 1;
		}
	} else if (!places.by_coords && places.first[0] != places.last[0] &&
		   places.last[0] >= fabric->nodes && !fabric->numbered) {
		ctl_error(ctl, "node %s: fabric %s has only nodes 0 to %" PRIu32, places.word,
			  fabric->name, fabric->nodes - 1);
		return CTL_FAILED;
	}
	for (d = 0; d < (places.by_coords ? fabric->ndims : 1); d++)
		count *= (uint64_t)places.last[d] - places.first[d] + 1;
	if (count > PLACES_MAX) {
		ctl_error(ctl, "node %s: must be at most %u nodes", places.word, PLACES_MAX);
		return CTL_FAILED;
	}
	*list = (struct place_list){ .numbers = calloc(count, sizeof(*list->numbers)) };
	if (!list->numbers) {
		ctl_error(ctl, "out of memory for %" PRIu64 " nodes", count);
		return CTL_FAILED;
	}
	if (places.by_coords)
		return place_box(ctl, fabric, &places, list);
	return place_range(ctl, fabric, &places, count, list);
}

/**
 * place_demand - reject a fabric whose machine lacks a feature
 * @what: the required feature
 *
 * A machine that is not in the tables of user space is not checked, because the module checks it.
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int place_demand(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		 enum torus_machine_can what)
{
	char why[TORUS_MACHINE_WHY_MAX];

	if (!torus_machine_find(fabric->arch) ||
	    !torus_machine_demand(fabric->arch, what, why, sizeof(why)))
		return CTL_OK;
	ctl_error(ctl, "fabric %s: %s", fabric->name, why);
	return CTL_FAILED;
}
