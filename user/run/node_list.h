/* SPDX-License-Identifier: GPL-2.0 */
/* Parse a list of nodes. */
#ifndef TORUS_RUN_NODE_LIST_H
#define TORUS_RUN_NODE_LIST_H

#include "mapping.h"

bool run_node_list_read(struct run_places *places, const struct run_fabric_info *machine,
			const char *list, struct parse_error *why);

#endif
