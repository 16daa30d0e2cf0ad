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
void table_node_json(struct json_object *doc, const char *key, const struct xt_map *map,
		     uint32_t node);
void table_lines_json(struct json_object *doc, const uint32_t *lines);
void table_machine_json(struct json_object *doc, const struct route_target *target);
struct json_object *table_ends_json(uint64_t sets, uint64_t pairs, const uint64_t *ends,
				    uint64_t cycles);
void table_failures_json(const struct ctl *ctl, struct json_object *doc, const struct xt_map *map,
			 const struct xt_failure *failures, const uint64_t *sets, uint32_t count);
struct json_object *table_path_json(const struct xt_map *map, const struct xt_channel *path,
				    uint32_t count);
void table_balance_json(const struct ctl *ctl, struct json_object *doc,
			const struct xt_balance *balance);

/* How the records read as text, see report_print(). */
#define TABLE_ENDS_FORM \
	"{pairs} pairs: {reached} reached, {unreached} not{?loops}, loops {loops}{/}" \
	"{?turn_backs}, turn_backs {turn_backs}{/}" \
	"{?dateline_errors}, dateline_errors {dateline_errors}{/}" \
	"{?missing}, missing {missing}{/}{?dead_cables}, dead_cables {dead_cables}{/}" \
	"{?wrong_nodes}, wrong_nodes {wrong_nodes}{/}; " \
	"channels that wait for each other: {?cycles}A CIRCLE{:}no circle{/}\n"
#define TABLE_FAILURES_FORM \
	"{#failures}not reached: {src_coords} -> {dst_coords}: {rule}\n{/}" \
	"{?more_failures}..\n{/}"
#define TABLE_PATH_FORM \
	"{?.}wait in a circle: {#.}{,}, {/}{node_coords} {dir} vc {vc}{/}\n{/}"
#define TABLE_BALANCE_FORM \
	"{#balance}VC balance {@}: mean {percent%.1f} %, links to 0.25, 0.5, 0.75, 1:" \
	"{#bins} {.}{/}\n{/}"

#endif /* TORUSCTL_ROUTETABLE_H */
