/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is too large for one request is loaded as a transaction: begin, parts, commit or nothing.
 */
#ifndef TORUS_DEV_ENGINE_UPLOAD_H
#define TORUS_DEV_ENGINE_UPLOAD_H

#include <linux/types.h>

#include "core/error.h"

struct torus_engine;

/**
 * struct torus_upload_kind - what is loaded so
 * @name: as a refusal calls it: "a table"
 * @was: and with a verb, as in "no table was begun"
 * @has: "the table has"
 * @unit: what its items are called
 * @item_bytes: of an item
 * @most: items that there may be
 * @copies: how many times its bytes count against max_bytes meanwhile
 */
struct torus_upload_kind {
	const char *name;
	const char *was;
	const char *has;
	const char *unit;
	u32 item_bytes;
	u32 most;
	u32 copies;
};

/**
 * struct torus_upload - what is being loaded
 * @kind: what it is
 * @portid: the socket that has begun it
 * @count: items that it is to have
 * @have: items that have come
 * @items: they; NULL: nothing was begun
 */
struct torus_upload {
	const struct torus_upload_kind *kind;
	u32 portid;
	u32 count;
	u32 have;
	void *items;
};

/**
 * struct torus_uploads - transfers of an engine that are in progress (engine.lock)
 * @pairs: pair list for a workload, see pair_upload.c
 * @routes: routing tables, see routes.c
 * @saved: state of the fabric at a tick, read by the socket that saved it; see snapshot.c
 * @loaded: state that will replace the fabric's, see snapshot.c
 * @routes_bytes: charged against max_bytes for the fabric's own routing tables, see routes.c
 */
struct torus_uploads {
	struct torus_upload pairs;
	struct torus_upload routes;
	struct torus_upload saved;
	struct torus_upload loaded;
	u64 routes_bytes;
};

void torus_upload_init(struct torus_upload *load, const struct torus_upload_kind *kind);
int torus_upload_begin(struct torus_engine *e, struct torus_upload *load, u32 portid, u64 count,
		       struct torus_error *err);
int torus_upload_add(struct torus_engine *e, struct torus_upload *load, u32 portid,
		     const void *items, u32 n, struct torus_error *err);
int torus_upload_check(struct torus_engine *e, const struct torus_upload *load, u32 portid,
		       struct torus_error *err);
void torus_upload_drop(struct torus_upload *load);
void torus_upload_leave(struct torus_engine *e, struct torus_upload *load, u32 portid);

#endif
