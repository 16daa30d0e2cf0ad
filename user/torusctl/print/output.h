/* SPDX-License-Identifier: GPL-2.0 */
/* Print results as text or as JSON, and add the members that many results share. */
#ifndef TORUSCTL_OUTPUT_H
#define TORUSCTL_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "../../netlink/fabric.h"
#include "../../report/print.h"
#include "../../report/report.h"
#include "../../config/ctl.h"

void output_row(const struct ctl *ctl, struct json_object *doc);
void output_json(const struct ctl *ctl, struct json_object *doc);
void output_answer(const struct ctl *ctl, struct json_object *doc, const char *form);
void output_node(struct json_object *object, const struct torus_nl_fabric *fabric, uint32_t node);
void output_mesh(struct json_object *object, const char *key, uint32_t mesh);

double output_ns(uint64_t tick_fs, double ticks);

#define OUTPUT_TEXT_MAX	32	/* buffer size for the text of a direction or a number */

/*
 * Format of a node from output_node(): the coordinates, or the number if the coordinates are
 * unknown.
 */
#define OUTPUT_PLACE	"{?coords}{coords}{:}{node}{/}"

#endif /* TORUSCTL_OUTPUT_H */
