// SPDX-License-Identifier: GPL-2.0
/* Add members to JSON objects. */
#include <inttypes.h>
#include <stdio.h>

#include <json-c/json.h>

#include "json.h"
#include "report.h"

/* a double represents all integers up to this one exactly; many parsers use doubles */
#define EXACT_MAX	(1ull << 53)

/**
 * report_add_u64 - add an integer to an object; above 2^53 it becomes a string
 * @key: name of the member
 */
void report_add_u64(struct json_object *object, const char *key, uint64_t value)
{
	char text[24];

	if (value <= EXACT_MAX) {
		json_object_object_add(object, key, json_object_new_uint64(value));
		return;
	}
	snprintf(text, sizeof(text), "%" PRIu64, value);
	json_object_object_add(object, key, json_object_new_string(text));
}

/**
 * report_add_double - add a floating-point number to an object
 * @key: name of the member
 * @value: NAN is added as null
 */
void report_add_double(struct json_object *object, const char *key, double value)
{
	json_object_object_add(object, key, report_double(value));
}

/**
 * report_add_bool - add a boolean to an object
 * @key: name of the member
 */
void report_add_bool(struct json_object *object, const char *key, bool value)
{
	json_object_object_add(object, key, json_object_new_boolean(value));
}

/**
 * report_add_text - add a string to an object
 * @key: name of the member
 * @text: NULL is added as null
 */
void report_add_text(struct json_object *object, const char *key, const char *text)
{
	json_object_object_add(object, key, text ? json_object_new_string(text) : NULL);
}

/**
 * report_add_hash - add a hash to an object, as a string of 16 hexadecimal digits
 * @key: name of the member
 */
void report_add_hash(struct json_object *object, const char *key, uint64_t hash)
{
	char text[17];

	snprintf(text, sizeof(text), "%016" PRIx64, hash);
	report_add_text(object, key, text);
}
