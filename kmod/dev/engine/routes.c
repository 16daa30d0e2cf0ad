// SPDX-License-Identifier: GPL-2.0
/*
 * Upload of routing tables, on top of upload.c. In addition to the upload, the fabric's own copies
 * of tables count against max_bytes: the tables that its routers use, and those that wait for a
 * tick.
 */
#include "core/run/routing_tables.h"
#include "dev/base/memory_limit.h"
#include "engine.h"
#include "routes.h"

const struct torus_upload_kind torus_routes_kind = {
	.name = "tables",
	.has = "the tables have",
	.unit = "bytes",
	.item_bytes = 1,
	.most = 64u << 20,
	.copies = 1,
};

/**
 * torus_routes_release() - discard the upload, and uncharge the tables of a deleted fabric
 * @e: the engine, locked; its fabric is being deleted
 */
void torus_routes_release(struct torus_engine *e)
{
	torus_upload_drop(&e->uploads.routes);
	if (e->uploads.routes_bytes)
		torus_budget_give(e->uploads.routes_bytes);
	e->uploads.routes_bytes = 0;
}

/**
 * torus_routes_begin() - begin an upload, in place of an earlier one
 * @e: the engine, locked
 * @portid: port of the requesting socket
 * @bytes: size of the tables
 * @err: [out] reason of a failure
 *
 * Return: -EOPNOTSUPP if the machine has no tables to load, else as torus_upload_begin().
 */
int torus_routes_begin(struct torus_engine *e, u32 portid, u64 bytes, struct torus_error *err)
{
	if (!e->arch->routes_make)
		return torus_fail(err, EOPNOTSUPP, "fabric %s: %s has no routing tables",
				  e->name, e->arch->name);
	return torus_upload_begin(e, &e->uploads.routes, portid, bytes, err);
}

/**
 * torus_routes_count_all() - adjust the charge against max_bytes to the fabric's own tables
 * @e: the engine, locked
 *
 * In a run, tables that waited for their tick replace the tables before them, whose memory is
 * freed.
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
 * torus_routes_commit() - load the uploaded tables into the fabric
 * @e: the engine, locked
 * @portid: port of the requesting socket
 * @at: tick from which on routers use the tables, or TORUS_ROUTES_NOW
 * @err: [out] reason of a failure
 *
 * The upload ends in any case but -ENOENT. On failure the fabric keeps its tables.
 *
 * Return: 0; -ENOSPC; or the error of torus_upload_check() or torus_fabric_routes_load().
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
		/*
		 * Wake the leader: blocked packets may move with the new tables, now or at their
		 * tick.
		 */
		torus_engine_kick(e);
	}
	torus_upload_drop(&e->uploads.routes);
	return ret;
}
