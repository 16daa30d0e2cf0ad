// SPDX-License-Identifier: GPL-2.0
/* Store whole numbers, which are values of options. */
#include <stdio.h>

#include "integer.h"
#include "option.h"
#include "parse.h"

#define OPTION_MAX	64	/* bytes of an option's name with its dashes */

static const char *dashed(const struct option_row *row, char text[OPTION_MAX])
{
	snprintf(text, OPTION_MAX, "--%s", row->name);
	return text;
}

/**
 * parse_option_u64 - store the value of an option, a whole number, as a __u64
 * @into: struct that @row->offset is in
 * @row: the option, with its least and greatest number
 * @word: the value
 * @why: [out] the reason if it is rejected, like "--depth 0: must be from 1 to 9"
 *
 * Return: whether it makes sense.
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
 * parse_option_u32 - store the value of an option, a whole number, as a __u32
 * @into: struct that @row->offset is in
 * @row: the option, with its least and greatest number
 * @word: the value
 * @why: [out] the reason if it is rejected, like "--depth 0: must be from 1 to 9"
 *
 * Return: whether it makes sense.
 */
bool parse_option_u32(void *into, const struct option_row *row, const char *word,
		      struct parse_error *why)
{
	__u32 *value = (__u32 *)((char *)into + row->offset);
	char text[OPTION_MAX];

	return parse_u32(dashed(row, text), word, row->min, row->max ? row->max : ~0u, value, why);
}
