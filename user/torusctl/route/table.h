/* SPDX-License-Identifier: GPL-2.0 */
/* torusctl route compute, dump and explain of machines with routing tables. */
#ifndef TORUSCTL_ROUTETABLE_H
#define TORUSCTL_ROUTETABLE_H

#include <json-c/json.h>

#include "xt_spec.h"

int route_table_compute(struct ctl *ctl, struct ctl_args *args);
int route_table_dump(struct ctl *ctl, struct ctl_args *args);
int route_table_explain(struct ctl *ctl, struct ctl_args *args);

/*
 * Reasons why a pair of nodes is not reached. Each reason comes with the JSON key of the number of
 * such pairs.
 */
#define TABLE_EACH_UNREACHED(X) \
	X(XT_END_LOOP, loops) \
	X(XT_END_TURN_BACK, turn_backs) \
	X(XT_END_DATELINE, dateline_errors) \
	X(XT_END_MISSING, missing) \
	X(XT_END_CABLE, dead_cables) \
	X(XT_END_STRANGER, wrong_nodes)

/* Formats of the results for tables as text, see report_print(). */
#define TABLE_END_FORM(end, key) "{?" #key "}, " #key " {" #key "}{/}"
#define TABLE_ENDS_FORM \
	"{pairs} pairs: {reached} reached, {unreached} not" \
	TABLE_EACH_UNREACHED(TABLE_END_FORM) "; " \
	"channels that wait for each other: {?cycles}A CYCLE{:}no cycle{/}\n"
#define TABLE_FAILURES_FORM \
	"{#failures}not reached: {src_coords} -> {dst_coords}: {rule}\n{/}" \
	"{?more_failures}..\n{/}"
#define TABLE_PATH_FORM \
	"{?.}wait in a cycle: {#.}{,}, {/}{node_coords} {dir} vc {vc}{/}\n{/}"
#define TABLE_BALANCE_FORM \
	"{#balance}VC balance {@}: mean {mean*100%.1f} %, links to 0.25, 0.5, 0.75, 1:" \
	"{#bins} {.}{/}\n{/}"

#endif /* TORUSCTL_ROUTETABLE_H */
