/* SPDX-License-Identifier: GPL-2.0 */
/* The JSON document that a command answers with. */
#ifndef TORUS_SIM_JSON_H
#define TORUS_SIM_JSON_H

struct json_object;

void sim_json_origin(struct json_object *doc);
void sim_json_print(struct json_object *doc);

#endif /* TORUS_SIM_JSON_H */
