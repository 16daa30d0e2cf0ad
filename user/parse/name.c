// SPDX-License-Identifier: GPL-2.0
/* Parse names of fabrics, and the key of KEY=VALUE. */
#include <string.h>

#include "name.h"
#include "parse.h"

/**
 * parse_pair - split KEY=VALUE
 * @pair: the text
 * @key: [out] the key
 * @size: size of @key in bytes
 * @value: [out] start of the value in @pair; the value may be empty
 *
 * Return: false if the key is missing or does not fit into @key.
 */
bool parse_pair(const char *pair, char *key, size_t size, const char **value)
{
	const char *equals = strchr(pair, '=');

	if (!equals || equals == pair || (size_t)(equals - pair) >= size)
		return false;
	memcpy(key, pair, equals - pair);
	key[equals - pair] = '\0';
	*value = equals + 1;
	return true;
}

/**
 * parse_name - check the length of a fabric's name
 * @word: the name
 * @why: [out] reason for a rejection
 *
 * Return: false if the name is rejected. The module may reject names that this function accepts.
 */
bool parse_name(const char *word, struct parse_error *why)
{
	if (!*word)
		return parse_fail(why, "fabric \"\": the name must not be empty");
	if (strlen(word) >= TORUS_NAME_MAX)
		return parse_fail(why, "fabric %s: the name must have at most %d bytes", word,
				  TORUS_NAME_MAX - 1);
	return true;
}
