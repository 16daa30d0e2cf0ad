// SPDX-License-Identifier: GPL-2.0
/*
 * Conversion between numbers and coordinates of nodes, by the numbering that the kernel reports
 * (struct torus_numbering).
 */
#include <errno.h>
#include "machine.h"

/* A digit of a node number: a value below @count, multiplied by @weight. */
struct digit {
	uint32_t weight;
	uint32_t count;
	uint32_t unit;		/* number of coordinates per value */
	uint32_t dim;
};

static void number_plain(const struct torus_machine_shape *shape, struct torus_numbering *plain)
{
	uint32_t stride = 1, d;

	for (d = 0; d < shape->ndims; d++) {
		plain->split[d] = shape->dims[d];
		plain->stride[d] = stride;
		plain->jump[d] = 0;
		stride *= shape->dims[d];
	}
}

/*
 * Return: the kernel's numbering, or the plain one; NULL without a kernel's numbering and for an
 * unknown machine.
 */
static const struct torus_numbering *number_rule(const struct torus_machine *machine,
						 const struct torus_machine_shape *shape,
						 struct torus_numbering *plain)
{
	if (shape->numbering)
		return shape->numbering;
	if (!machine)
		return NULL;
	number_plain(shape, plain);
	return plain;
}

/* Insert a digit, by falling weight. Skip a digit with a single value, or with weight 0. */
static unsigned int add_digit(struct digit *digits, unsigned int count, struct digit digit)
{
	unsigned int i;

	if (digit.count < 2 || !digit.weight)
		return count;
	for (i = count; i && digits[i - 1].weight < digit.weight; i--)
		digits[i] = digits[i - 1];
	digits[i] = digit;
	return count + 1;
}

static unsigned int digits_of(const struct torus_numbering *rule,
			      const struct torus_machine_shape *shape, struct digit *digits)
{
	unsigned int count = 0;
	uint32_t d;

	for (d = 0; d < shape->ndims; d++) {
		uint32_t length = shape->dims[d], split = rule->split[d] ? rule->split[d] : length;

		count = add_digit(digits, count, (struct digit) {
			.weight = rule->stride[d], .count = split < length ? split : length,
			.unit = 1, .dim = d,
		});
		count = add_digit(digits, count, (struct digit) {
			.weight = rule->jump[d], .count = (length - 1) / split + 1,
			.unit = split, .dim = d,
		});
	}
	return count;
}

/**
 * torus_machine_number() - compute the number of a node
 * @machine: description of the machine, or NULL
 * @shape: shape of the fabric
 * @coords: the node's coordinates, @shape->ndims of them
 * @number: [out] the number; unchanged on failure
 *
 * Return: 0, -ERANGE if a coordinate is outside the shape, or -EOPNOTSUPP if the numbering is
 * unknown.
 */
int torus_machine_number(const struct torus_machine *machine,
			 const struct torus_machine_shape *shape, const uint32_t *coords,
			 uint32_t *number)
{
	const struct torus_numbering *rule;
	struct torus_numbering plain;
	uint32_t sum = 0, d;

	rule = number_rule(machine, shape, &plain);
	if (!rule)
		return -EOPNOTSUPP;
	for (d = 0; d < shape->ndims; d++) {
		uint32_t split = rule->split[d] ? rule->split[d] : shape->dims[d];

		if (coords[d] >= shape->dims[d])
			return -ERANGE;
		sum += coords[d] % split * rule->stride[d] + coords[d] / split * rule->jump[d];
	}
	*number = sum;
	return 0;
}

/**
 * torus_machine_place() - compute the coordinates of a node
 * @machine: description of the machine, or NULL
 * @shape: shape of the fabric
 * @number: number of the node
 * @coords: [out] @shape->ndims coordinates
 *
 * Return: 0, -ENOENT if no node has this number, or -EOPNOTSUPP if the numbering is unknown.
 */
int torus_machine_place(const struct torus_machine *machine,
			const struct torus_machine_shape *shape, uint32_t number, uint32_t *coords)
{
	struct digit digits[2 * TORUS_DIMS_MAX];
	const struct torus_numbering *rule;
	struct torus_numbering plain;
	unsigned int count, i;
	uint32_t d;

	rule = number_rule(machine, shape, &plain);
	if (!rule)
		return -EOPNOTSUPP;
	for (d = 0; d < shape->ndims; d++)
		coords[d] = 0;
	count = digits_of(rule, shape, digits);
	for (i = 0; i < count; i++) {
		uint32_t value = number / digits[i].weight;

		value = value < digits[i].count ? value : digits[i].count - 1;
		number -= value * digits[i].weight;
		coords[digits[i].dim] += value * digits[i].unit;
	}
	for (d = 0; d < shape->ndims; d++)
		if (coords[d] >= shape->dims[d])
			return -ENOENT;
	return number ? -ENOENT : 0;
}
