// SPDX-License-Identifier: GPL-2.0
/* Store integers that are values of command line options. */
#include <stdio.h>

#include "integer.h"
#include "option.h"
#include "parse.h"

#define OPTION_MAX	64	/* buffer size in bytes for an option's name, with dashes */

static const char *dashed(const struct option_row *row, char text[OPTION_MAX])
{
	snprintf(text, OPTION_MAX, "--%s", row->name);
	return text;
}

/**
 * parse_option_u64 - store an integer as the value of an option, in a __u64
 * @into: struct that contains the __u64 at @row->offset
 * @row: the option, which states the least and the greatest value
 * @word: the value
 * @why: [out] reason for a rejection, such as "--depth 0: must be from 1 to 9"
 *
 * Return: false if the value is rejected.
 */
bool parse_option_u64(void *into, const struct option_row *row, const char *word,
		      struct parse_error *why)
{
	__u64 *value = (__u64 *)((char *)into + row->offset);
	char text[OPTION_MAX];

	return parse_number(dashed(row, text), word, row->min, row->max ? row->max : ~0ull, value,
			    why);
}

/**
 * parse_option_u32 - store an integer as the value of an option, in a uint32_t
 * @into: struct that contains the uint32_t at @row->offset
 * @row: the option, which states the least and the greatest value
 * @word: the value
 * @why: [out] reason for a rejection, such as "--depth 0: must be from 1 to 9"
 *
 * Return: false if the value is rejected.
 */
bool parse_option_u32(void *into, const struct option_row *row, const char *word,
		      struct parse_error *why)
{
	uint32_t *value = (uint32_t *)((char *)into + row->offset);
	char text[OPTION_MAX];

	return parse_u32(dashed(row, text), word, row->min, row->max ? row->max : ~0u, value, why);
}
