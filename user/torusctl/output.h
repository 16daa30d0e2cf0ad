/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUSCTL_OUTPUT_H
#define TORUSCTL_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "../netlink/fabric.h"
#include "../report/report.h"
#include "ctl.h"

void output_oneline(void);
void output_multiline(void);
int output_flush(void);

void output_row(const struct ctl *ctl, struct json_object *doc);
void output_json(const struct ctl *ctl, struct json_object *doc);
void output_node(struct json_object *object, const struct torus_nl_fabric *fabric, uint32_t node);
void output_mesh(struct json_object *object, const char *key, uint32_t mesh);

int output_extension(struct ctl *ctl, const char *key, const char *path, const char *writes);

const char *output_bytes(uint64_t bytes, char *text, size_t size);
const char *output_time(double ns, char *text, size_t size);
double output_ns(uint64_t tick_fs, double ticks);

#define OUTPUT_TEXT_MAX	32	/* bytes that hold any of the texts above */

#endif /* TORUSCTL_OUTPUT_H */
