// SPDX-License-Identifier: GPL-2.0
/* Parse and format a node. */
#include <stdio.h>
#include <string.h>

#include "../machine/machine.h"
#include "integer.h"
#include "node.h"
#include "shape.h"
#include "parse.h"

/**
 * parse_place - parse a node
 * @word: coordinates such as "1,2,3", or a number
 * @all_allowed: accept "all", which stands for every node
 * @place: [out] the node
 * @why: [out] reason for a rejection
 *
 * Return: false if the word is rejected.
 */
bool parse_place(const char *word, bool all_allowed, struct parse_place *place,
		 struct parse_error *why)
{
	__u64 number;

	*place = (struct parse_place){ .word = word };
	if (all_allowed && !strcmp(word, "all")) {
		place->all = true;
		return true;
	}
	if (strchr(word, ',')) {
		place->by_coords = true;
		return parse_coords("node", word, &place->coords, why);
	}
	if (!parse_part(word, word + strlen(word), &number))
		return parse_fail(why, "node %s: must be a number or coordinates like 1,2,3%s",
				  word, all_allowed ? " or all" : "");
	if (number > ~0u)
		return parse_fail(why, "node %s: must be below 2^32", word);
	place->number = number;
	return true;
}

/**
 * parse_place_inside - check that the coordinates of a node are inside a shape
 * @place: the node
 * @shape: the shape
 * @whose: owner of the shape, for the error message: "fabric t0", "the shape"
 * @why: [out] reason for a rejection
 *
 * A node number is not checked: the valid numbers depend on the machine.
 *
 * Return: false if the coordinates are rejected.
 */
bool parse_place_inside(const struct parse_place *place, const struct torus_machine_shape *shape,
			const char *whose, struct parse_error *why)
{
	char name[PARSE_DIM_MAX];
	unsigned int d;

	if (!place->by_coords)
		return true;
	if (place->coords.count != shape->ndims)
		return parse_fail(why, "node %s: %u coordinates, %s has %u dimensions",
				  place->word, place->coords.count, whose, shape->ndims);
	for (d = 0; d < shape->ndims; d++)
		if (place->coords.numbers[d] >= shape->dims[d])
			return parse_fail(why, "node %s: %s is %u, must be in %s from 0 to %u",
					  place->word,
					  parse_dim_name(d, name, sizeof(name)),
					  place->coords.numbers[d], whose, shape->dims[d] - 1);
	return true;
}

/**
 * parse_place_refuse - reject a number that no node has, like the module (core/base/node_number.c)
 * @before: start of the reason: "", or a text like "--set hot 64: "
 * @number: the number
 * @last: the highest node number
 * @why: [out] the reason
 *
 * Return: false.
 */
bool parse_place_refuse(const char *before, uint32_t number, uint32_t last, struct parse_error *why)
{
	if (number > last)
		return parse_fail(why, "%snode %u: must be from 0 to %u", before, number, last);
	return parse_fail(why, "%snode %u: no node has this number", before, number);
}

/**
 * parse_place_text - format a node for output
 * @machine: description of the machine, or NULL
 * @shape: shape of the fabric
 * @node: number of the node
 * @text: [out] text
 * @size: size of @text in bytes; PARSE_COORDS_MAX is enough
 *
 * Return: @text: coordinates such as "1,2,3", or the number if the coordinates are unknown.
 */
const char *parse_place_text(const struct torus_machine *machine,
			     const struct torus_machine_shape *shape, uint32_t node, char *text,
			     size_t size)
{
	uint32_t coords[TORUS_DIMS_MAX];
	size_t used = 0;
	unsigned int d;

	if (torus_machine_place(machine, shape, node, coords)) {
		snprintf(text, size, "%u", node);
		return text;
	}
	for (d = 0; d < shape->ndims && used < size; d++)
		used += snprintf(text + used, size - used, "%s%u", d ? "," : "", coords[d]);
	return text;
}
