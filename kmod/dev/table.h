/* SPDX-License-Identifier: GPL-2.0 */
/* A table of pairs that is being loaded, piece by piece, for a workload. */
#ifndef TORUS_DEV_TABLE_H
#define TORUS_DEV_TABLE_H

#include <linux/torus.h>
#include <linux/types.h>

#include "core/error.h"

struct torus_engine;

/**
 * struct torus_table_load - a table that is being loaded
 * @portid: the socket that has begun it
 * @count: pairs that it is to have
 * @have: pairs that have come
 * @pairs: they
 */
struct torus_table_load {
	u32 portid;
	u32 count;
	u32 have;
	struct torus_pair *pairs;
};

int torus_table_load_begin(struct torus_engine *e, u32 portid, u64 count,
			   struct torus_error *err);
int torus_table_load_add(struct torus_engine *e, u32 portid, const void *pairs, u32 n,
			 struct torus_error *err);
int torus_table_load_commit(struct torus_engine *e, u32 portid, struct torus_error *err);
int torus_table_load_check(struct torus_engine *e, u32 portid, struct torus_error *err);
void torus_table_load_drop(struct torus_engine *e);
void torus_table_load_leave(struct torus_engine *e, u32 portid);

#endif
