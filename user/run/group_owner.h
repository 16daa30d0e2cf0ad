/* SPDX-License-Identifier: GPL-2.0 */
/* Find the process that owns the FIFO group of a place, by netlink. */
#ifndef TORUS_RUN_GROUP_OWNER_H
#define TORUS_RUN_GROUP_OWNER_H

#include "free_nodes.h"

void run_group_owner_text(const struct run_fabric_info *machine, const struct run_place *place,
			  char *text, size_t size);

#endif
