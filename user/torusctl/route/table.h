/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUSCTL_ROUTETABLE_H
#define TORUSCTL_ROUTETABLE_H

#include <json-c/json.h>

#include "target.h"

int route_table_compute(struct ctl *ctl, struct ctl_args *args);
int route_table_dump(struct ctl *ctl, struct ctl_args *args);
int route_table_explain(struct ctl *ctl, struct ctl_args *args);

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
