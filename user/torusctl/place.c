// SPDX-License-Identifier: GPL-2.0
/*
 * Where a node stands: its number and its coordinates, by the numbering that the module
 * has told.  A module that tells none is asked for its list of nodes where the machine's
 * table does not know either.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/node.h"
#include "place.h"

/**
 * place_shape - a fabric's shape, for the arithmetic of numbers
 * @fabric: the fabric; it must live as long as the shape
 *
 * Return: the shape.
 */
struct torus_machine_shape place_shape(const struct torus_nl_fabric *fabric)
{
	return (struct torus_machine_shape) {
		.ndims = fabric->ndims, .dims = fabric->dims, .mesh = fabric->mesh,
		.numbering = fabric->numbered ? &fabric->numbering : NULL,
	};
}

/**
 * place_coords - the coordinates of a node
 * @fabric: of which fabric
 * @node: its number
 * @coords: gets them
 *
 * Return: whether they can be told.
 */
bool place_coords(const struct torus_nl_fabric *fabric, uint32_t node, uint32_t *coords)
{
	const struct torus_machine_shape shape = place_shape(fabric);

	return !torus_machine_place(torus_machine_find(fabric->arch), &shape, node, coords);
}

/**
 * place_text - a node for people
 * @fabric: of which fabric
 * @node: its number
 * @text: room for it
 * @size: bytes of @text, PLACE_TEXT_MAX hold any
 *
 * Return: @text, like "1,2,3", or the number where the coordinates cannot be told.
 */
const char *place_text(const struct torus_nl_fabric *fabric, uint32_t node, char *text,
		       size_t size)
{
	const struct torus_machine_shape shape = place_shape(fabric);

	return word_place_text(torus_machine_find(fabric->arch), &shape, node, text, size);
}

static int place_search(struct ctl *ctl, const struct torus_nl_fabric *fabric,
			const struct word_place *place, uint32_t *number)
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
	ctl_tell(ctl, "node %s: fabric %s has no node there", place->word, fabric->name);
	return CTL_FAILED;
}

/**
 * place_number - the number of a node that was typed
 * @ctl: the call
 * @fabric: of which fabric
 * @place: what was typed
 * @number: gets the number
 *
 * A plain number is for the module to judge.
 *
 * Return: CTL_OK, or CTL_FAILED after telling why.
 */
int place_number(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		 const struct word_place *place, uint32_t *number)
{
	const struct torus_machine_shape shape = place_shape(fabric);
	char whose[sizeof(fabric->name) + 8];
	struct word_why why;

	*number = place->number;
	if (!place->by_coords)
		return CTL_OK;
	snprintf(whose, sizeof(whose), "fabric %s", fabric->name);
	if (!word_place_inside(place, &shape, whose, &why)) {
		ctl_tell(ctl, "%s", why.text);
		return CTL_FAILED;
	}
	if (torus_machine_number(torus_machine_find(fabric->arch), &shape,
				 place->coords.numbers, number) == -EOPNOTSUPP)
		return place_search(ctl, fabric, place, number);
	return CTL_OK;
}

/**
 * place_demand - refuse by name what a fabric's machine lacks
 * @ctl: the call
 * @fabric: the fabric
 * @what: what is wanted of its machine
 *
 * A machine that has no table here is for the module to judge.
 *
 * Return: CTL_OK, or CTL_FAILED after telling why.
 */
int place_demand(struct ctl *ctl, const struct torus_nl_fabric *fabric,
		 enum torus_machine_can what)
{
	char why[TORUS_MACHINE_WHY_MAX];

	if (!torus_machine_find(fabric->arch) ||
	    !torus_machine_demand(fabric->arch, what, why, sizeof(why)))
		return CTL_OK;
	ctl_tell(ctl, "fabric %s: %s", fabric->name, why);
	return CTL_FAILED;
}
