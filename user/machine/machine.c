// SPDX-License-Identifier: GPL-2.0
/* Machines by name, and what holds for any of them. */
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

/* What a machine has or lacks, behind "has no". */
static const char *const nouns[TORUS_MACHINE_CAN_MAX] = {
	[TORUS_MACHINE_HINTS] = "hint bits",
	[TORUS_MACHINE_DEPOSIT] = "deposit bit",
	[TORUS_MACHINE_AVOID] = "routes around what is dead",
	[TORUS_MACHINE_TABLES] = "routing tables",
	[TORUS_MACHINE_REGISTERS] = "registers",
	[TORUS_MACHINE_ATTACH] = "FIFOs that programs can attach to",
	[TORUS_MACHINE_PRIORITY] = "packets of high priority",
	[TORUS_MACHINE_CLASSES] = "second class of packets",
	[TORUS_MACHINE_UNITS] = "units that are swapped",
	[TORUS_MACHINE_ENGINES] = "engines for programs' memory",
	[TORUS_MACHINE_PATHS] = "choice of paths",
	[TORUS_MACHINE_VIEWS] = "views of jobs",
};

/**
 * torus_machine_find() - a machine's table
 * @name: the machine's name, as the kernel tells it
 *
 * Return: the table, NULL for a machine that has none.
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
 * torus_machine_can() - has a machine got that?
 * @machine: its table; NULL: a machine without one, of which nothing is known
 * @what: what it may have or lack
 *
 * Return: whether it has.
 */
bool torus_machine_can(const struct torus_machine *machine, enum torus_machine_can what)
{
	return machine && machine->can & TORUS_MACHINE_CAN(what);
}

/**
 * torus_machine_demand() - refuse by name what a machine lacks
 * @name: the machine's name
 * @what: what is wanted of it
 * @why: gets the reason, like "kncube has no registers"
 * @size: bytes of @why; TORUS_MACHINE_WHY_MAX hold any reason
 *
 * Return: 0, or -EOPNOTSUPP with a reason.
 */
int torus_machine_demand(const char *name, enum torus_machine_can what, char *why, size_t size)
{
	const struct torus_machine *machine = torus_machine_find(name);

	if (torus_machine_can(machine, what))
		return 0;
	if (machine)
		snprintf(why, size, "%s has no %s", name, nouns[what]);
	else
		snprintf(why, size, "%s is a machine that is not known here: whether it has %s "
				    "cannot be told",
			 name, nouns[what]);
	return -EOPNOTSUPP;
}

/**
 * torus_machine_direction() - the first hop of the ordered route
 * @shape: the fabric's shape
 * @from: coordinates of the source
 * @to: of the destination
 *
 * Dimension by dimension, the shorter way round; half-way round, even coordinates go
 * plus and odd ones minus.  Where registers lead packets the longer way round (Blue
 * Gene/L's at boot do, in dimensions of odd length) the hardware's first hop is another.
 *
 * Return: direction, 2 * dimension, + 1 for minus; 0 when both are one node.
 */
unsigned int torus_machine_direction(const struct torus_machine_shape *shape,
				     const __u32 *from, const __u32 *to)
{
	__u32 i;

	for (i = 0; i < shape->ndims; i++) {
		__u32 length = shape->dims[i], plus;

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
 * torus_machine_ordered() - do packets keep their order?
 * @machine: the machine's table
 * @route: enum torus_route
 *
 * Return: whether packets of one injection FIFO to one destination arrive in the order
 * in which they were injected.
 */
bool torus_machine_ordered(const struct torus_machine *machine, int route)
{
	return machine->ordered >> route & 1;
}

/**
 * torus_machine_field - a field of a register by name
 * @machine: the machine, or NULL
 * @reg: the register
 * @name: the field; NULL: the register's first
 *
 * Return: the field, whose register's others follow it, or NULL.
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
 * torus_machine_field_mask - the bits of a field in its register
 * @field: the field
 *
 * Return: the bits; the field's own lowest is the lowest of them.
 */
__u32 torus_machine_field_mask(const struct torus_machine_field *field)
{
	return (~0u >> (32 - field->width)) << (32 - field->first - field->width);
}
