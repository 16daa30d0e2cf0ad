/* SPDX-License-Identifier: GPL-2.0 */
/* JSON documents that commands print or write to files. */
#ifndef TORUS_SIM_JSON_H
#define TORUS_SIM_JSON_H

#include <stdbool.h>
#include <stdio.h>

struct json_object;

void sim_json_origin(struct json_object *doc);
void sim_json_write(FILE *out, struct json_object *doc);
void sim_json_print(struct json_object *doc);
void sim_json_answer(struct json_object *doc, bool json, const char *form);

#endif /* TORUS_SIM_JSON_H */
