// SPDX-License-Identifier: GPL-2.0
/* The fabric that a job runs on, as the module describes it. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "machine.h"
#include "run.h"

/**
 * run_machine_find - ask the module for a fabric
 * @machine: with its session; gets the rest
 * @name: the fabric's
 *
 * Return: whether there is one to which programs can attach; if not, it was told why.
 */
bool run_machine_find(struct run_machine *machine, const char *name)
{
	char why[TORUS_MACHINE_WHY_MAX];

	if (torus_nl_fabric_get(machine->nl, name, &machine->fabric)) {
		run_tell("fabric %s: %s", name, torus_nl_error(machine->nl));
		return false;
	}
	machine->table = torus_machine_find(machine->fabric.arch);
	if (torus_machine_demand(machine->fabric.arch, TORUS_MACHINE_ATTACH, why, sizeof(why))) {
		run_tell("fabric %s: %s", name, why);
		return false;
	}
	machine->groups = 2;
	return true;
}

/**
 * run_machine_shape - a fabric's shape, for the arithmetic of numbers
 * @machine: it must live as long as the shape
 *
 * Return: the shape.
 */
struct torus_machine_shape run_machine_shape(const struct run_machine *machine)
{
	const struct torus_nl_fabric *fabric = &machine->fabric;

	return (struct torus_machine_shape) {
		.ndims = fabric->ndims, .dims = fabric->dims, .mesh = fabric->mesh,
		.numbering = fabric->numbered ? &fabric->numbering : NULL,
	};
}

/**
 * run_machine_coords - the coordinates of a node
 * @machine: the fabric
 * @node: number of the node
 * @coords: gets them
 *
 * Return: whether there is such a node.
 */
bool run_machine_coords(const struct run_machine *machine, uint32_t node, uint32_t *coords)
{
	const struct torus_machine_shape shape = run_machine_shape(machine);

	return !torus_machine_place(machine->table, &shape, node, coords);
}

/**
 * run_machine_number - the number of a node
 * @machine: the fabric
 * @coords: coordinates of the node
 * @node: gets its number
 *
 * Return: whether there is such a node.
 */
bool run_machine_number(const struct run_machine *machine, const uint32_t *coords,
			uint32_t *node)
{
	const struct torus_machine_shape shape = run_machine_shape(machine);

	return !torus_machine_number(machine->table, &shape, coords, node);
}

/**
 * run_machine_text - a node for people
 * @machine: the fabric
 * @node: number of the node
 * @text: room for it
 * @size: bytes of @text, WORD_COORDS_MAX hold any
 *
 * Return: @text, like "1,2,3".
 */
const char *run_machine_text(const struct run_machine *machine, uint32_t node, char *text,
			     size_t size)
{
	const struct torus_machine_shape shape = run_machine_shape(machine);

	return word_place_text(machine->table, &shape, node, text, size);
}
