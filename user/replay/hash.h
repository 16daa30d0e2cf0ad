/* SPDX-License-Identifier: GPL-2.0 */
/* Hash table from keys to numbers. */
#ifndef TORUS_REPLAY_HASH_H
#define TORUS_REPLAY_HASH_H

#include <stdbool.h>

#include "core/platform.h"

struct replay_entry;

/**
 * struct replay_hash - hash table from keys to numbers
 * @entries: array whose size is a power of two, or NULL
 * @room: size of @entries
 * @used: number of entries with a key
 */
struct replay_hash {
	struct replay_entry *entries;
	u32 room;
	u32 used;
};

u64 *replay_hash_find(const struct replay_hash *table, u64 key);
u64 *replay_hash_add(struct replay_hash *table, u64 key);
void replay_hash_remove(struct replay_hash *table, u64 key);
void replay_hash_free(struct replay_hash *table);

#endif /* TORUS_REPLAY_HASH_H */
