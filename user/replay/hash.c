// SPDX-License-Identifier: GPL-2.0
/* Hash table from keys to numbers, with open addressing and linear probing. */
#include <stdlib.h>

#include "core/base/random.h"
#include "hash.h"

#define ROOM_FIRST	16

/**
 * struct replay_entry - an entry of the table
 * @used: true if the entry has a key
 */
struct replay_entry {
	u64 key;
	u64 value;
	bool used;
};

static u32 home(const struct replay_hash *table, u64 key)
{
	return (u32)torus_mix(key) & (table->room - 1);
}

/*
 * Return the entry of a key. If the key is not in the table, return the free entry where it would
 * be added.
 */
static struct replay_entry *probe(const struct replay_hash *table, u64 key)
{
	u32 i = home(table, key);

	while (table->entries[i].used && table->entries[i].key != key)
		i = (i + 1) & (table->room - 1);
	return &table->entries[i];
}

/**
 * replay_hash_find - look up a key
 *
 * Return: pointer to the key's number, valid until the table changes; NULL if the key is not in the
 * table.
 */
u64 *replay_hash_find(const struct replay_hash *table, u64 key)
{
	struct replay_entry *entry;

	if (!table->used)
		return NULL;
	entry = probe(table, key);
	return entry->used ? &entry->value : NULL;
}

static bool grow(struct replay_hash *table)
{
	struct replay_hash larger = { .room = table->room ? 2 * table->room : ROOM_FIRST };
	u32 i;

	larger.entries = calloc(larger.room, sizeof(*larger.entries));
	if (!larger.entries)
		return false;
	for (i = 0; i < table->room; i++)
		if (table->entries[i].used)
			*probe(&larger, table->entries[i].key) = table->entries[i];
	larger.used = table->used;
	free(table->entries);
	*table = larger;
	return true;
}

/**
 * replay_hash_add - look up a key, and add it with number 0 if it is missing
 *
 * Return: pointer to the key's number, valid until the table changes; NULL if there is no memory.
 */
u64 *replay_hash_add(struct replay_hash *table, u64 key)
{
	struct replay_entry *entry;

	if (2 * table->used >= table->room && !grow(table))
		return NULL;
	entry = probe(table, key);
	if (!entry->used) {
		*entry = (struct replay_entry){ .key = key, .used = true };
		table->used++;
	}
	return &entry->value;
}

/**
 * replay_hash_remove - remove a key
 * @key: must be in the table
 */
void replay_hash_remove(struct replay_hash *table, u64 key)
{
	u32 mask = table->room - 1;
	u32 hole = (u32)(probe(table, key) - table->entries);
	u32 i;

	/*
	 * Move an entry back into the hole if a lookup would stop at the hole before it finds the
	 * entry.
	 */
	for (i = (hole + 1) & mask; table->entries[i].used; i = (i + 1) & mask) {
		u32 from = home(table, table->entries[i].key);

		if (((i - from) & mask) < ((i - hole) & mask))
			continue;
		table->entries[hole] = table->entries[i];
		hole = i;
	}
	table->entries[hole].used = false;
	table->used--;
}

/**
 * replay_hash_free - free a table
 */
void replay_hash_free(struct replay_hash *table)
{
	free(table->entries);
	*table = (struct replay_hash){ .room = 0 };
}
