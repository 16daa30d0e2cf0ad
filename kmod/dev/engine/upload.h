/* SPDX-License-Identifier: GPL-2.0 */
/* Upload of data that is too large for one request, as a transaction: begin, add pieces, commit. */
#ifndef TORUS_DEV_ENGINE_UPLOAD_H
#define TORUS_DEV_ENGINE_UPLOAD_H

#include <linux/types.h>

#include "core/error.h"

struct torus_engine;

/**
 * struct torus_upload_kind - kind of data that can be uploaded
 * @name: noun for error messages: "a table"
 * @has: noun and verb: "the table has"
 * @unit: plural of an item's name
 * @item_bytes: size of an item
 * @most: maximum number of items
 * @copies: number of times that the bytes of an upload count against max_bytes
 */
struct torus_upload_kind {
	const char *name;
	const char *has;
	const char *unit;
	u32 item_bytes;
	u32 most;
	u32 copies;
};

/**
 * struct torus_upload - an upload in progress
 * @kind: kind of its data
 * @portid: port of the socket that began it
 * @count: number of items to expect
 * @have: number of items that arrived
 * @items: array of @count items, owned by the upload; NULL: no upload is in progress
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
