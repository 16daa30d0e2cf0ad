// SPDX-License-Identifier: GPL-2.0
/* Names: of fabrics, of the key in KEY=VALUE. */
#include <string.h>

#include "name.h"
#include "parse.h"

/**
 * parse_pair - take KEY=VALUE apart
 * @pair: both
 * @key: gets the key
 * @size: bytes of @key
 * @value: gets where the value begins in @pair
 *
 * Return: whether there is a key, which fits, and a value, which may be empty.
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
 * parse_name - the name of a fabric
 * @word: the word
 * @why: gets the reason
 *
 * Return: whether it makes sense; the module judges the rest.
 */
bool parse_name(const char *word, struct parse_error *why)
{
	if (!*word)
		return parse_fail(why, "fabric \"\": the name is empty");
	if (strlen(word) >= TORUS_NAME_MAX)
		return parse_fail(why, "fabric %s: the name has more than %d bytes", word,
				  TORUS_NAME_MAX - 1);
	return true;
}
