// SPDX-License-Identifier: GPL-2.0
/* A set of byte strings, in a hash table with open addressing that is at most half full. */
#include <stdlib.h>
#include <string.h>

#include "../common/array.h"
#include "intern.h"

#define SLOTS_MIN	64

/* FNV-1a, whose low bits are mixed well enough for a power of two. */
static uint32_t hash(const unsigned char *bytes, size_t length)
{
	uint32_t value = 2166136261u;

	while (length--)
		value = (value ^ *bytes++) * 16777619u;
	return value ^ value >> 15;
}

static size_t slot_of(const struct player_intern *set, const void *bytes, size_t length)
{
	size_t at = hash(bytes, length) & (set->nslots - 1);

	while (set->slots[at]) {
		const struct player_string *string = &set->strings[set->slots[at] - 1];

		if (string->length == length && !memcmp(string->bytes, bytes, length))
			break;
		at = (at + 1) & (set->nslots - 1);
	}
	return at;
}

static bool grow(struct player_intern *set)
{
	size_t nslots = set->nslots ? 2 * set->nslots : SLOTS_MIN, i;
	uint32_t *slots = calloc(nslots, sizeof(*slots));

	if (!slots)
		return false;
	free(set->slots);
	set->slots = slots;
	set->nslots = nslots;
	for (i = 0; i < set->count; i++)
		slots[slot_of(set, set->strings[i].bytes, set->strings[i].length)] =
			(uint32_t)i + 1;
	return true;
}

/**
 * player_intern - add a string to a set, unless the set has it
 * @set: the set, all zero at first
 * @bytes: the string
 * @length: number of bytes
 * @number: [out] number of the string in the set, from 0
 *
 * Return: false without memory.
 */
bool player_intern(struct player_intern *set, const void *bytes, size_t length, uint32_t *number)
{
	struct player_string *string;
	char *copy;
	size_t at;

	if (2 * set->count >= set->nslots && !grow(set))
		return false;
	at = slot_of(set, bytes, length);
	if (!set->slots[at]) {
		copy = malloc(length + 1);
		string = copy ? torus_array_add(&set->strings, &set->count) : NULL;
		if (!string) {
			free(copy);
			return false;
		}
		memcpy(copy, bytes, length);
		copy[length] = '\0';
		*string = (struct player_string){ .bytes = copy, .length = (uint32_t)length };
		set->slots[at] = (uint32_t)set->count;
	}
	*number = set->slots[at] - 1;
	return true;
}

/**
 * player_intern_free - free the strings of a set
 * @set: the set, empty afterwards
 */
void player_intern_free(struct player_intern *set)
{
	size_t i;

	for (i = 0; i < set->count; i++)
		free(set->strings[i].bytes);
	free(set->strings);
	free(set->slots);
	*set = (struct player_intern){ .count = 0 };
}
