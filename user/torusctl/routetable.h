/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUSCTL_ROUTETABLE_H
#define TORUSCTL_ROUTETABLE_H

#include <json-c/json.h>

#include "routetarget.h"

/* routetable.c */
int route_table_compute(struct ctl *ctl, struct ctl_args *args);
int route_table_load(struct ctl *ctl, struct ctl_args *args);
int route_table_dump(struct ctl *ctl, struct ctl_args *args);
int route_table_explain(struct ctl *ctl, struct ctl_args *args);

/* routetablecheck.c */
int route_table_check(struct ctl *ctl, struct ctl_args *args);
int route_table_survey(struct ctl *ctl, struct ctl_args *args);
int route_table_whatif(struct ctl *ctl, struct ctl_args *args);

/* routetableheat.c */
int route_table_heat(struct ctl *ctl, struct ctl_args *args);

/* routetableprint.c */
#define TABLE_TEXT_MAX	48	/* bytes that hold any of the texts below */

const char *table_node_text(const struct xt_map *map, uint32_t node, char *text, size_t size);
const char *table_link_text(const struct xt_map *map, const struct xt_link *link, char *text,
			    size_t size);
const char *table_lines_text(const uint32_t *lines, char *text, size_t size);
void table_node_json(struct json_object *doc, const char *key, const struct xt_map *map,
		     uint32_t node);
void table_lines_json(struct json_object *doc, const uint32_t *lines);
void table_machine_json(struct json_object *doc, const struct route_target *target);
struct json_object *table_ends_json(uint64_t sets, uint64_t pairs, const uint64_t *ends,
				    uint64_t cycles);
void table_ends_text(uint64_t pairs, const uint64_t *ends, uint64_t cycles);
void table_failures_json(struct json_object *doc, const struct xt_map *map,
			 const struct xt_failure *failures, const uint64_t *sets, uint32_t count);
void table_failures_text(const struct xt_map *map, const struct xt_failure *failures,
			 uint32_t count);
struct json_object *table_path_json(const struct xt_map *map, const struct xt_channel *path,
				    uint32_t count);
void table_path_text(const struct xt_map *map, const struct xt_channel *path, uint32_t count);
void table_balance_json(struct json_object *doc, const struct xt_balance *balance);
void table_balance_text(const struct xt_balance *balance);

#endif /* TORUSCTL_ROUTETABLE_H */
