// SPDX-License-Identifier: GPL-2.0
/* Parse lengths of messages on the command line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../../common/array.h"
#include "sizes.h"

/*
 * Parse a number with an optional suffix k or m, for 2^10 or 2^20. @end: the position after the
 * last character; @most: maximum. Return: false if the word is not such a number.
 */
static bool size_number(const char *word, const char *end, unsigned long most, uint32_t *value)
{
	unsigned long number;
	char *stop;

	if (*word < '0' || *word > '9')
		return false;
	errno = 0;
	number = strtoul(word, &stop, 10);
	if (!errno && stop < end && number <= most && (*stop == 'k' || *stop == 'm'))
		number <<= *stop++ == 'k' ? 10 : 20;
	*value = number;
	return !errno && stop == end && number <= most;
}

/**
 * sizes_add - append a length
 * @sizes: list of lengths
 * @bytes: the length
 *
 * Return: true, or false without memory.
 */
bool sizes_add(struct sizes *sizes, uint32_t bytes)
{
	uint32_t *added = torus_array_add(&sizes->bytes, &sizes->count);

	if (added)
		*added = bytes;
	return added;
}

/*
 * Parse a list of lengths separated by commas into @sizes, replacing its contents. Return: 0,
 * -EINVAL or -ENOMEM.
 */
static int sizes_read(struct sizes *sizes, const char *list, uint32_t least, uint32_t most)
{
	const char *start = list, *end;
	uint32_t bytes;

	sizes->count = 0;
	for (;; start = end + 1) {
		end = strchr(start, ',');
		if (!end)
			end = start + strlen(start);
		if (!size_number(start, end, most, &bytes) || bytes < least)
			return -EINVAL;
		if (!sizes_add(sizes, bytes))
			return -ENOMEM;
		if (!*end)
			return 0;
	}
}

/**
 * size_option - store the value of an option: a length or a number
 * @into: struct that contains the member at @row->offset
 * @row: the option
 * @word: the value
 * @why: [out] error message
 *
 * Return: true if the value is valid.
 */
bool size_option(void *into, const struct option_row *row, const char *word,
		 struct parse_error *why)
{
	uint32_t *value = (uint32_t *)((char *)into + row->offset);
	uint32_t shift = row->max & 1023 ? 0 : row->max & ((1 << 20) - 1) ? 10 : 20;

	return (size_number(word, word + strlen(word), row->max, value) && *value >= row->min) ||
	       parse_fail(why, "--%s %s: must be a number from %u to %u%s", row->name, word,
			  (uint32_t)row->min, (uint32_t)(row->max >> shift),
			  shift == 20 ? "m" : shift ? "k" : "");
}

/**
 * sizes_option - store the value of an option: a list of lengths
 * @into: struct that contains the member at @row->offset
 * @row: the option
 * @word: the value
 * @why: [out] error message
 *
 * Return: true if the value is valid.
 */
bool sizes_option(void *into, const struct option_row *row, const char *word,
		  struct parse_error *why)
{
	struct sizes *sizes = (struct sizes *)((char *)into + row->offset);
	int ret = sizes_read(sizes, word, row->min, row->max);

	if (ret == -ENOMEM)
		return parse_fail(why, "--%s %s: out of memory", row->name, word);
	return !ret || parse_fail(why, "--%s %s: must be lengths from %u to %um like %u,64,4k,1m",
				  row->name, word, (uint32_t)row->min, (uint32_t)(row->max >> 20),
				  (uint32_t)row->min);
}
