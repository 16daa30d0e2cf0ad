// SPDX-License-Identifier: GPL-2.0
/*
 * Map ranks to places: all nodes or a box in a given order of dimensions, a list of nodes, or the
 * places in a file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/array.h"
#include "node_list.h"
#include "rankfile.h"
#include "mapping.h"
#include "../parse/node.h"
#include "../parse/shape.h"

/* index that stands for the letter t, the FIFO group, in struct order */
#define GROUP_DIM	TORUS_DIMS_MAX

/**
 * struct order - a box of places, and the order in which they are filled
 * @dims: dimensions in the order of iteration; the first one varies fastest
 * @count: number of entries in @dims
 * @at: lowest corner of the box
 * @length: lengths of the box; at index GROUP_DIM the number of FIFO groups
 * @group: the first FIFO group
 */
struct order {
	unsigned int dims[TORUS_DIMS_MAX + 1];
	unsigned int count;
	uint32_t at[TORUS_DIMS_MAX];
	uint32_t length[TORUS_DIMS_MAX + 1];
	uint32_t group;
};

/**
 * run_places_add - append a place to a list
 * @places: the places
 * @node: number of the node
 * @group: FIFO group
 *
 * Return: false if there is no memory.
 */
bool run_places_add(struct run_places *places, uint32_t node, uint32_t group)
{
	struct run_place *at = torus_array_add(&places->at, &places->count);

	if (at)
		*at = (struct run_place){ .node = node, .group = group };
	return at;
}

/*
 * Parse the letters of an order. Each dimension must occur once, and t at most once. Return false
 * if the order is invalid.
 */
static bool order_letters(struct order *order, const char *word,
			  const struct run_fabric_info *machine)
{
	static const char letters[] = "xyzabc";
	unsigned int ndims = machine->fabric.ndims;
	uint32_t seen = 0;
	const char *letter;
	unsigned int dim;

	order->count = 0;
	for (; *word; word++) {
		letter = strchr(letters, *word);
		dim = *word == 't' ? GROUP_DIM : letter ? letter - letters : ~0u;
		if ((dim != GROUP_DIM && dim >= ndims) || (seen & 1u << dim))
			return false;
		seen |= 1u << dim;
		order->dims[order->count++] = dim;
	}
	return (seen & ~(1u << GROUP_DIM)) == (1u << ndims) - 1;
}

static bool box_read(struct order *order, const struct run_fabric_info *machine, const char *box,
		     struct parse_error *why)
{
	const struct torus_machine_shape shape = query_shape(&machine->fabric);
	struct parse_place place = { .word = box, .by_coords = true };
	const char *plus = strchr(box, '+');
	char at[PARSE_COORDS_MAX], dim[PARSE_DIM_MAX];
	struct parse_list lengths;
	unsigned int d;

	if (!plus || (size_t)(plus - box) >= sizeof(at))
		return parse_fail(why, "box %s: must be AT+SHAPE, like 0,0,0+2x2x2", box);
	snprintf(at, sizeof(at), "%.*s", (int)(plus - box), box);
	if (!parse_coords("box", at, &place.coords, why) ||
	    !parse_shape("box", plus + 1, &lengths, why))
		return false;
	if (place.coords.count == shape.ndims &&
	    !parse_place_inside(&place, &shape, "the fabric", why))
		return false;
	if (place.coords.count != shape.ndims)
		lengths.count = place.coords.count;
	if (lengths.count != shape.ndims)
		return parse_fail(why, "box %s: %u dimensions, the fabric has %u", box,
				  lengths.count, shape.ndims);
	for (d = 0; d < shape.ndims; d++) {
		parse_dim_name(d, dim, sizeof(dim));
		if (lengths.numbers[d] > shape.dims[d])
			return parse_fail(why,
					  "box %s: is %u nodes long in %s, but must be at most %u "
					  "in this fabric", box,
					  lengths.numbers[d], dim, shape.dims[d]);
		if ((shape.mesh >> d & 1) &&
		    place.coords.numbers[d] + lengths.numbers[d] > shape.dims[d])
			return parse_fail(why, "box %s: must not reach beyond the edge in %s, "
					  "which is a mesh", box, dim);
		order->at[d] = place.coords.numbers[d];
		order->length[d] = lengths.numbers[d];
	}
	return true;
}

/* Append all places of the box in the given order: dims[0] varies fastest. */
static bool order_walk(const struct order *order, const struct run_fabric_info *machine,
		       struct run_places *places, struct parse_error *why)
{
	const struct torus_ioc_fabric *fabric = &machine->fabric;
	uint32_t step[TORUS_DIMS_MAX + 1] = {};
	uint32_t coords[TORUS_DIMS_MAX] = {};
	unsigned int i, d;
	uint32_t node;

	for (;;) {
		for (d = 0; d < fabric->ndims; d++)
			coords[d] = (order->at[d] + step[d]) % fabric->dims[d];
		if (query_number(&machine->fabric, coords, &node) &&
		    !run_places_add(places, node, order->group + step[GROUP_DIM]))
			return parse_fail(why, "out of memory for %zu places", places->count);
		for (i = 0; i < order->count; i++) {
			d = order->dims[i];
			if (++step[d] < order->length[d])
				break;
			step[d] = 0;
		}
		if (i == order->count)
			return true;
	}
}

static bool places_box(struct run_places *places, const struct run_fabric_info *machine,
		       const struct run_where *where, struct order *order, struct parse_error *why)
{
	const struct torus_ioc_fabric *fabric = &machine->fabric;

	memcpy(order->length, fabric->dims, fabric->ndims * sizeof(order->length[0]));
	if (where->box && !box_read(order, machine, where->box, why))
		return false;
	return order_walk(order, machine, places, why);
}

/*
 * Append the places of a list of nodes, in the order of the list. Only the position of t in @order
 * matters: if t is first, the group varies fastest, otherwise slowest.
 */
static bool places_list(struct run_places *places, const struct run_fabric_info *machine,
			const struct run_where *where, const struct order *order,
			struct parse_error *why)
{
	struct run_places nodes = { .count = 0 };
	bool inner = order->count && order->dims[0] == GROUP_DIM;
	uint32_t groups = order->length[GROUP_DIM];
	bool good = true;
	size_t i, n;

	for (i = 0; good && i < where->nnodes; i++)
		good = run_node_list_read(&nodes, machine, where->nodes[i], why);
	for (i = 0; good && i < nodes.count * groups; i++) {
		n = inner ? i / groups : i % nodes.count;
		good = run_places_add(places, nodes.at[n].node, order->group +
				      (inner ? i % groups : i / nodes.count)) ||
		       parse_fail(why, "out of memory for %zu places", nodes.count);
	}
	free(nodes.at);
	return good;
}

static bool order_begin(struct order *order, const struct run_fabric_info *machine,
			const struct run_where *where, bool letters, struct parse_error *why)
{
	unsigned int d, i;
	bool grouped = false;

	*order = (struct order){ .count = 0 };
	if (!letters) {
		for (d = 0; d < machine->fabric.ndims; d++)
			order->dims[order->count++] = d;
	} else {
		order_letters(order, where->map, machine);
	}
	for (i = 0; i < order->count; i++)
		grouped |= order->dims[i] == GROUP_DIM;
	if (!grouped)
		order->dims[order->count++] = GROUP_DIM;
	order->length[GROUP_DIM] = 1;
	if (where->group == RUN_GROUP_ALL || (where->group == RUN_GROUP_NONE && grouped))
		order->length[GROUP_DIM] = machine->fabric.groups;
	else if (where->group != RUN_GROUP_NONE)
		order->group = where->group;
	if (order->group >= machine->fabric.groups)
		return parse_fail(why, "group %u: a node of fabric %s has %u groups", order->group,
				  machine->fabric.name, machine->fabric.groups);
	return true;
}

/**
 * run_places_find - find the places that the options select, in the order of ranks
 * @places: [out] the places, free or not
 * @machine: the fabric
 * @where: the options that select places
 * @why: [out] error message
 *
 * Return: true, or false with @why.
 */
bool run_places_find(struct run_places *places, const struct run_fabric_info *machine,
		     const struct run_where *where, struct parse_error *why)
{
	struct order order = { .count = 0 };
	bool letters = where->map && order_letters(&order, where->map, machine);

	*places = (struct run_places){ .count = 0 };
	if (!order_begin(&order, machine, where, letters, why))
		return false;
	if (where->map && !letters)
		return run_rankfile_read(places, machine, where->map, where->group, why);
	if (where->nnodes)
		return places_list(places, machine, where, &order, why);
	return places_box(places, machine, where, &order, why);
}
