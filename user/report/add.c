// SPDX-License-Identifier: GPL-2.0
/* Members of JSON objects, as every document of ours has them. */
#include <inttypes.h>
#include <stdio.h>

#include <json-c/json.h>

#include "add.h"
#include "report.h"

#define EXACT_MAX	(1ull << 53)	/* of a whole number as a double, as many parsers have it */

/**
 * report_add_u64 - add a whole number to an object: above 2^53 as text
 * @object: the object
 * @key: its name
 * @value: the number
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
 * report_add_double - add a number to an object
 * @object: the object
 * @key: its name
 * @value: the number
 */
void report_add_double(struct json_object *object, const char *key, double value)
{
	json_object_object_add(object, key, report_double(value));
}

/**
 * report_add_bool - add a truth value to an object
 * @object: the object
 * @key: its name
 * @value: the truth value
 */
void report_add_bool(struct json_object *object, const char *key, bool value)
{
	json_object_object_add(object, key, json_object_new_boolean(value));
}

/**
 * report_add_text - add a text to an object
 * @object: the object
 * @key: its name
 * @text: the text; NULL: there is none
 */
void report_add_text(struct json_object *object, const char *key, const char *text)
{
	json_object_object_add(object, key, text ? json_object_new_string(text) : NULL);
}

/**
 * report_add_hash - add a hash to an object: a text of 16 hexadecimal digits
 * @object: the object
 * @key: its name
 * @hash: the hash
 */
void report_add_hash(struct json_object *object, const char *key, uint64_t hash)
{
	char text[17];

	snprintf(text, sizeof(text), "%016" PRIx64, hash);
	report_add_text(object, key, text);
}
