/* SPDX-License-Identifier: GPL-2.0 */
/* A set of byte strings, each with a number: texts, packets, coordinates. */
#ifndef TORUS_PLAYER_INTERN_H
#define TORUS_PLAYER_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct player_string - a string of the set
 * @bytes: its bytes, followed by a NUL
 * @length: number of bytes without the NUL
 */
struct player_string {
	char *bytes;
	uint32_t length;
};

/**
 * struct player_intern - a set of strings
 * @strings: the strings, in the order in which they were added
 * @count: number of strings
 * @slots: hash table: number of a string plus 1, or 0
 * @nslots: size of @slots, a power of two, or 0
 */
struct player_intern {
	struct player_string *strings;
	size_t count;
	uint32_t *slots;
	size_t nslots;
};

bool player_intern(struct player_intern *set, const void *bytes, size_t length, uint32_t *number);
void player_intern_free(struct player_intern *set);

#endif /* TORUS_PLAYER_INTERN_H */
