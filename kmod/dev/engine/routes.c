// SPDX-License-Identifier: GPL-2.0
/*
 * Routing tables that are being loaded (upload.c).  Beside the bytes of what is being loaded,
 * those of the fabric's own copies count against max_bytes: of what its routers go by, and of
 * what waits for a tick.
 */
#include "core/run/routing_tables.h"
#include "dev/base/memory_limit.h"
#include "engine.h"
#include "routes.h"

const struct torus_upload_kind torus_routes_kind = {
	.name = "tables",
	.was = "tables were",
	.has = "the tables have",
	.unit = "bytes",
	.item_bytes = 1,
	.most = 64u << 20,
	.copies = 1,
};

/**
 * torus_routes_release() - the fabric is gone: its tables count no more
 * @e: the engine, with nobody left who could hold it
 */
void torus_routes_release(struct torus_engine *e)
{
	torus_upload_drop(&e->uploads.routes);
	if (e->uploads.routes_bytes)
		torus_budget_give(e->uploads.routes_bytes);
	e->uploads.routes_bytes = 0;
}

/**
 * torus_routes_begin() - begin an image, in place of the one that was begun
 * @e: the engine, held
 * @portid: whose it is
 * @bytes: that it is to have
 * @err: why not
 *
 * Return: -EOPNOTSUPP where the machine has no tables, else as torus_upload_begin().
 */
int torus_routes_begin(struct torus_engine *e, u32 portid, u64 bytes, struct torus_error *err)
{
	if (!e->arch->routes_make)
		return torus_fail(err, EOPNOTSUPP, "fabric %s: %s has no tables to be loaded",
				  e->name, e->arch->name);
	return torus_upload_begin(e, &e->uploads.routes, portid, bytes, err);
}

/**
 * torus_routes_count_all() - the fabric's own tables may be fewer than max_bytes counts
 * @e: the engine, held
 *
 * Tables that wait for their tick take the place of those before in a run.
 */
void torus_routes_count_all(struct torus_engine *e)
{
	u64 bytes = torus_fabric_routes_bytes(e->fabric);

	if (bytes == e->uploads.routes_bytes)
		return;
	torus_budget_give(e->uploads.routes_bytes - bytes);
	e->uploads.routes_bytes = bytes;
}

/**
 * torus_routes_commit() - give the image to the fabric
 * @e: the engine, held
 * @portid: who asks
 * @at: tick from which on routers go by it, TORUS_ROUTES_NOW
 * @err: why not
 *
 * Return: 0; what torus_upload_check() says, -ENOSPC, or what torus_fabric_routes_load() says:
 * the fabric's tables are what they were then.  What was being loaded is gone in any case but
 * -ENOENT.
 */
int torus_routes_commit(struct torus_engine *e, u32 portid, u64 at, struct torus_error *err)
{
	int ret = torus_upload_check(e, &e->uploads.routes, portid, err);
	u64 bytes = e->uploads.routes.count;

	if (ret == -ENOENT)
		return ret;
	if (!ret)
		ret = torus_budget_take(bytes, err);
	if (!ret) {
		e->uploads.routes_bytes += bytes;
		ret = torus_fabric_routes_load(e->fabric, e->uploads.routes.items, bytes, at, err);
		torus_routes_count(e);
		/* packets that stand may move by them, now or at their tick */
		torus_engine_kick(e);
	}
	torus_upload_drop(&e->uploads.routes);
	return ret;
}
