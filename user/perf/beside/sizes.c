// SPDX-License-Identifier: GPL-2.0
/* Lengths of messages, as they are typed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "sizes.h"

/**
 * size_number - read a number with k or m for 2^10 or 2^20
 * @word: its first character
 * @end: behind its last
 * @most: the greatest that will do
 * @value: out: the number
 *
 * Return: true if all of it is such a number.
 */
bool size_number(const char *word, const char *end, unsigned long most, __u32 *value)
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
 * sizes_add - one more length
 * @sizes: gets it
 * @bytes: the length
 *
 * Return: true, or false without memory.
 */
bool sizes_add(struct sizes *sizes, __u32 bytes)
{
	__u32 *longer = realloc(sizes->bytes, (sizes->count + 1) * sizeof(*longer));

	if (!longer)
		return false;
	longer[sizes->count++] = bytes;
	sizes->bytes = longer;
	return true;
}

/**
 * sizes_read - read a list of lengths
 * @sizes: gets them instead of what it had
 * @list: lengths with a comma between
 * @least: the least that will do
 * @most: the greatest
 *
 * Return: 0, -EINVAL (it is no such list), -ENOMEM.
 */
int sizes_read(struct sizes *sizes, const char *list, __u32 least, __u32 most)
{
	const char *start = list, *end;
	__u32 bytes;

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
