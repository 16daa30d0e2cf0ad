/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUS_RUN_MACHINE_H
#define TORUS_RUN_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "../machine/machine.h"
#include "../netlink/fabric.h"
#include "../words/words.h"

/**
 * struct run_machine - the fabric that a job runs on
 * @nl: session with the module, for as long as a fabric made here shall live
 * @fabric: what the module tells of it
 * @table: what is known of its machine
 * @groups: FIFO groups of a node
 */
struct run_machine {
	struct torus_nl *nl;
	struct torus_nl_fabric fabric;
	const struct torus_machine *table;
	uint32_t groups;
};

bool run_machine_find(struct run_machine *machine, const char *name);
struct torus_machine_shape run_machine_shape(const struct run_machine *machine);
bool run_machine_coords(const struct run_machine *machine, uint32_t node, uint32_t *coords);
bool run_machine_number(const struct run_machine *machine, const uint32_t *coords,
			uint32_t *node);
const char *run_machine_text(const struct run_machine *machine, uint32_t node, char *text,
			     size_t size);

#endif /* TORUS_RUN_MACHINE_H */
