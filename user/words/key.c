// SPDX-License-Identifier: GPL-2.0
/* Names: of fabrics, of the key in KEY=VALUE. */
#include <string.h>

#include "key.h"
#include "words.h"

/**
 * word_pair - take KEY=VALUE apart
 * @pair: both
 * @key: gets the key
 * @size: bytes of @key
 * @value: gets where the value begins in @pair
 *
 * Return: whether there is a key, which fits, and a value, which may be empty.
 */
bool word_pair(const char *pair, char *key, size_t size, const char **value)
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
 * word_name - the name of a fabric
 * @word: the word
 * @why: gets the reason
 *
 * Return: whether it makes sense; the module judges the rest.
 */
bool word_name(const char *word, struct word_why *why)
{
	if (!*word)
		return word_refuse(why, "fabric \"\": the name is empty");
	if (strlen(word) >= TORUS_NAME_MAX)
		return word_refuse(why, "fabric %s: the name has more than %d bytes", word,
				   TORUS_NAME_MAX - 1);
	return true;
}
