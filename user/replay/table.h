/* SPDX-License-Identifier: GPL-2.0 */
/* A hash table of numbers by keys: open addressing, linear probing. */
#ifndef TORUS_REPLAY_TABLE_H
#define TORUS_REPLAY_TABLE_H

#include <stdbool.h>

#include "core/env.h"

struct replay_entry;

/**
 * struct replay_table - numbers by keys
 * @entries: a power of two of them, or NULL
 * @room: number of entries
 * @used: entries that hold a key
 */
struct replay_table {
	struct replay_entry *entries;
	u32 room;
	u32 used;
};

u64 *replay_table_find(const struct replay_table *table, u64 key);
u64 *replay_table_add(struct replay_table *table, u64 key);
void replay_table_remove(struct replay_table *table, u64 key);
void replay_table_free(struct replay_table *table);

#endif /* TORUS_REPLAY_TABLE_H */
