// SPDX-License-Identifier: GPL-2.0
/* What network interfaces have counted, as JSON. */
#include <stddef.h>

#include <json-c/json.h>

#include "report.h"

static const struct tni_number {
	const char *key;
	size_t at;
} numbers[] = {
	{ "packets_sent", offsetof(struct torus_tni_counters, packets_sent) },
	{ "bytes_sent", offsetof(struct torus_tni_counters, bytes_sent) },
	{ "packets_received", offsetof(struct torus_tni_counters, packets_received) },
	{ "bytes_received", offsetof(struct torus_tni_counters, bytes_received) },
	{ "commands", offsetof(struct torus_tni_counters, commands) },
	{ "notices", offsetof(struct torus_tni_counters, notices) },
	{ "waits", offsetof(struct torus_tni_counters, waits) },
	{ "errors", offsetof(struct torus_tni_counters, errors) },
	{ "refused", offsetof(struct torus_tni_counters, refused) },
};

#define NUMBERS	(sizeof(numbers) / sizeof(numbers[0]))

static uint64_t number_of(const struct torus_tni_counters *tni, unsigned int i)
{
	return *(const __u64 *)((const char *)tni + numbers[i].at);
}

/**
 * report_tnis_json - counters of network interfaces as JSON
 * @tnis: the interfaces, by their numbers
 * @count: how many
 *
 * Return: an array, an object for each.
 */
struct json_object *report_tnis_json(const struct torus_tni_counters *tnis, unsigned int count)
{
	struct json_object *list = json_object_new_array();
	unsigned int i, j;

	for (i = 0; i < count; i++) {
		struct json_object *one = json_object_new_object();

		report_add_u64(one, "tni", i);
		for (j = 0; j < NUMBERS; j++)
			report_add_u64(one, numbers[j].key, number_of(&tnis[i], j));
		json_object_array_add(list, one);
	}
	return list;
}
