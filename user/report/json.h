/* SPDX-License-Identifier: GPL-2.0 */
/* Add members to JSON objects. */
#ifndef TORUS_REPORT_JSON_H
#define TORUS_REPORT_JSON_H

#include "report.h"

void report_add_u64(struct json_object *object, const char *key, uint64_t value);
void report_add_double(struct json_object *object, const char *key, double value);
void report_add_bool(struct json_object *object, const char *key, bool value);
void report_add_text(struct json_object *object, const char *key, const char *text);
void report_add_hash(struct json_object *object, const char *key, uint64_t hash);

#endif
