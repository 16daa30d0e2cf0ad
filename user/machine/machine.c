// SPDX-License-Identifier: GPL-2.0
/* Find machines by name, and functions for all machines. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "machine.h"

const struct torus_machine *const torus_machines[] = {
	&torus_machine_bgl,
	&torus_machine_xt,
	&torus_machine_tofu,
	&torus_machine_kncube,
	NULL,
};

/* Names of features, for messages of the form "MACHINE has no NAME". */
static const char *const nouns[TORUS_MACHINE_CAN_MAX] = {
	[TORUS_MACHINE_HINTS] = "hint bits",
	[TORUS_MACHINE_DEPOSIT] = "deposit bit",
	[TORUS_MACHINE_AVOID] = "routes around dead nodes and links",
	[TORUS_MACHINE_TABLES] = "routing tables",
	[TORUS_MACHINE_REGISTERS] = "registers",
	[TORUS_MACHINE_ATTACH] = "FIFOs that programs can attach to",
	[TORUS_MACHINE_PRIORITY] = "packets of high priority",
	[TORUS_MACHINE_CLASSES] = "second class of packets",
	[TORUS_MACHINE_UNITS] = "units",
	[TORUS_MACHINE_ENGINES] = "engines for programs' memory",
	[TORUS_MACHINE_PATHS] = "selectable paths",
	[TORUS_MACHINE_VIEWS] = "views of jobs",
};

/**
 * torus_machine_find() - find the description of a machine
 * @name: name of the machine, as the kernel reports it
 *
 * Return: the description, or NULL for an unknown machine.
 */
const struct torus_machine *torus_machine_find(const char *name)
{
	const struct torus_machine *const *machine;

	for (machine = torus_machines; *machine; machine++)
		if (!strcmp((*machine)->name, name))
			return *machine;
	return NULL;
}

/**
 * torus_machine_can() - check whether a machine has a feature
 * @machine: description, or NULL for an unknown machine
 * @what: the feature
 *
 * Return: true if the machine has the feature; false for an unknown machine.
 */
bool torus_machine_can(const struct torus_machine *machine, enum torus_machine_can what)
{
	return machine && machine->can & TORUS_MACHINE_CAN(what);
}

/**
 * torus_machine_demand() - require a feature of a machine
 * @name: name of the machine
 * @what: the feature
 * @why: [out] error message, like "kncube has no registers"
 * @size: bytes of @why; TORUS_MACHINE_WHY_MAX are sufficient
 *
 * Return: 0, or -EOPNOTSUPP with a message.
 */
int torus_machine_demand(const char *name, enum torus_machine_can what, char *why, size_t size)
{
	const struct torus_machine *machine = torus_machine_find(name);

	if (torus_machine_can(machine, what))
		return 0;
	if (machine)
		snprintf(why, size, "%s has no %s", name, nouns[what]);
	else
		snprintf(why, size, "machine %s is unknown here, so this program cannot know "
			 "whether it has %s",
			 name, nouns[what]);
	return -EOPNOTSUPP;
}

/**
 * torus_machine_direction() - compute the first hop in dimension order
 * @shape: shape of the fabric
 * @from: coordinates of the source
 * @to: coordinates of the destination
 *
 * The route passes one dimension after the other, x first, in the shorter direction. At half the
 * length of a ring, even coordinates go plus and odd ones minus. The hardware's first hop of an
 * ordered packet may differ:
 * - Blue Gene/L: registers may select the longer direction, as they do at boot for some pairs of
 *   nodes, in dimensions of odd length.
 * - Cray XT: the tables may contain any route.
 * - Tofu: a path begins with a, b and c, and most nodes take z before x.
 *
 * Return: direction, 2 * dimension, + 1 for minus; 0 if source and destination are the same.
 */
unsigned int torus_machine_direction(const struct torus_machine_shape *shape,
				     const uint32_t *from, const uint32_t *to)
{
	uint32_t i;

	for (i = 0; i < shape->ndims; i++) {
		uint32_t length = shape->dims[i], plus;

		if (to[i] == from[i])
			continue;
		if (shape->mesh >> i & 1)
			return 2 * i + (to[i] < from[i]);
		plus = to[i] > from[i] ? to[i] - from[i] : to[i] + length - from[i];
		if (2 * plus != length)
			return 2 * i + (2 * plus > length);
		return 2 * i + (from[i] & 1);
	}
	return 0;
}

/**
 * torus_machine_ordered() - check whether packets stay in order
 * @machine: description of the machine
 * @route: enum torus_route
 *
 * Return: true if packets of one injection FIFO to one destination arrive in the order of their
 * injection.
 */
bool torus_machine_ordered(const struct torus_machine *machine, int route)
{
	return machine->ordered >> route & 1;
}

/**
 * torus_machine_field - find a field of a register by name
 * @machine: description of the machine, or NULL
 * @reg: name of the register
 * @name: name of the field, or NULL for the first field of the register
 *
 * Return: the field, or NULL. Further fields of the register follow it in the list.
 */
const struct torus_machine_field *torus_machine_field(const struct torus_machine *machine,
						      const char *reg, const char *name)
{
	const struct torus_machine_field *field = machine ? machine->fields : NULL;

	for (; field && field->reg; field++)
		if (!strcmp(field->reg, reg) && (!name || !strcmp(field->name, name)))
			return field;
	return NULL;
}

/**
 * torus_machine_field_mask - compute the bits of a field in its register
 * @field: the field
 *
 * Return: mask of the register's bits.
 */
uint32_t torus_machine_field_mask(const struct torus_machine_field *field)
{
	return (~0u >> (32 - field->width)) << (32 - field->first - field->width);
}
