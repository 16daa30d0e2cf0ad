// SPDX-License-Identifier: GPL-2.0
/*
 * Where a node stands: its number and its coordinates.
 *
 * DESIGN.md, "Numbers of nodes": x fastest on bgl and kncube; group major and
 * then a, b, c on tofu.  On the XT the numbers have gaps that only the module
 * knows, so there its list of nodes is searched.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/node.h"
#include "../report/report.h"
#include "place.h"

/**
 * place_order - the order in which a machine's numbers run through the dimensions
 * @fabric: of the machine
 *
 * Return: dimensions, fastest first; NULL where only the module knows.
 */
const unsigned int *place_order(const struct torus_nl_fabric *fabric)
{
	static const unsigned int straight[TORUS_DIMS_MAX] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	static const unsigned int group_major[TORUS_DIMS_MAX] = { 3, 4, 5, 0, 1, 2, 6, 7, 8, 9 };

	if (!strcmp(fabric->arch, "bgl") || !strcmp(fabric->arch, "kncube"))
		return straight;
	if (!strcmp(fabric->arch, "tofu") && fabric->ndims == 6)
		return group_major;
	return NULL;
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
	const unsigned int *order = place_order(fabric);
	unsigned int i;

	if (!order || node >= fabric->nodes)
		return false;
	for (i = 0; i < fabric->ndims; i++) {
		coords[order[i]] = node % fabric->dims[order[i]];
		node /= fabric->dims[order[i]];
	}
	return true;
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
	uint32_t coords[TORUS_DIMS_MAX];
	size_t used = 0;
	unsigned int d;

	if (!place_coords(fabric, node, coords)) {
		snprintf(text, size, "%" PRIu32, node);
		return text;
	}
	for (d = 0; d < fabric->ndims && used < size; d++)
		used += snprintf(text + used, size - used, "%s%" PRIu32, d ? "," : "", coords[d]);
	return text;
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
			!memcmp(nodes[i].coords, place->coords.dims,
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
		 const struct parse_place *place, uint32_t *number)
{
	const unsigned int *order = place_order(fabric);
	const uint32_t *coords = place->coords.dims;
	char name[REPORT_DIM_MAX];
	unsigned int d;
	unsigned int i;

	*number = place->number;
	if (!place->by_coords)
		return CTL_OK;
	if (place->coords.ndims != fabric->ndims) {
		ctl_tell(ctl, "node %s: %u coordinates, fabric %s has %u dimensions", place->word,
			 place->coords.ndims, fabric->name, fabric->ndims);
		return CTL_FAILED;
	}
	for (d = 0; d < fabric->ndims; d++) {
		if (coords[d] < fabric->dims[d])
			continue;
		ctl_tell(ctl, "node %s: %s is %" PRIu32 ", fabric %s has 0 to %" PRIu32,
			 place->word, report_dim_name(d, name, sizeof(name)), coords[d],
			 fabric->name, fabric->dims[d] - 1);
		return CTL_FAILED;
	}
	if (!order)
		return place_search(ctl, fabric, place, number);
	*number = 0;
	for (i = fabric->ndims; i-- > 0;)
		*number = *number * fabric->dims[order[i]] + coords[order[i]];
	return CTL_OK;
}
