/* SPDX-License-Identifier: GPL-2.0 */
/* Convert machines, datelines and the results of checks of routing tables to records. */
#ifndef TORUS_TORUSCTL_ROUTETABLEPRINT_H
#define TORUS_TORUSCTL_ROUTETABLEPRINT_H

#include "table.h"

void table_node_json(struct json_object *doc, const char *key, const struct xt_map *map,
		     uint32_t node);
void table_lines_json(struct json_object *doc, const uint32_t *lines);
void table_machine_json(struct json_object *doc, const struct route_spec *target);
struct json_object *table_ends_json(uint64_t sets, uint64_t pairs, const uint64_t *ends,
				    uint64_t cycles);
void table_failures_json(const struct ctl *ctl, struct json_object *doc, const struct xt_map *map,
			 const struct xt_failure *failures, const uint64_t *sets, uint32_t count);
struct json_object *table_path_json(const struct xt_map *map, const struct xt_channel *path,
				    uint32_t count);
void table_balance_json(struct json_object *doc, const struct xt_balance *balance);

#endif
