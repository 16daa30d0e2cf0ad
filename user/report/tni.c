// SPDX-License-Identifier: GPL-2.0
/* Convert counters of network interfaces to JSON. */
#include <json-c/json.h>

#include "json.h"
#include "report.h"
#include "tni.h"
#include "uapi_tables.h"

#define ADD(name, unit, ...)	report_add_u64(one, #name, tnis[i].name);

/**
 * report_tnis_json - convert counters of network interfaces to JSON
 * @tnis: counters by number of the interface
 * @count: number of interfaces
 *
 * Return: an array with one object per interface.
 */
struct json_object *report_tnis_json(const struct torus_tni_counters *tnis, unsigned int count)
{
	struct json_object *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i < count; i++) {
		struct json_object *one = json_object_new_object();

		report_add_u64(one, "tni", i);
		TORUS_EACH_TNI_COUNTER(ADD)
		json_object_array_add(list, one);
	}
	return list;
}
