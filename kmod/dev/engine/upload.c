// SPDX-License-Identifier: GPL-2.0
/*
 * Upload of large data in pieces, as a transaction: begin, add pieces, commit. An upload belongs to
 * the socket that began it. It is discarded when this socket is closed, or when any socket begins a
 * new one of the same kind. Its bytes count against max_bytes, torus_upload_kind.copies times.
 */
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "dev/base/memory_limit.h"
#include "engine.h"
#include "upload.h"

static u64 torus_upload_bytes(const struct torus_upload *load, u64 count)
{
	return torus_alloc_size(count * load->kind->item_bytes) * load->kind->copies;
}

/**
 * torus_upload_init() - initialize an upload, with nothing in progress
 * @load: [out] the upload
 * @kind: kind of its data
 */
void torus_upload_init(struct torus_upload *load, const struct torus_upload_kind *kind)
{
	*load = (struct torus_upload){ .kind = kind };
}

/**
 * torus_upload_drop() - discard an upload, if one is in progress
 * @load: upload of an engine that is locked, or that no other task can reach
 */
void torus_upload_drop(struct torus_upload *load)
{
	if (!load->items)
		return;
	kvfree(load->items);
	torus_budget_give(torus_upload_bytes(load, load->count));
	torus_upload_init(load, load->kind);
}

/**
 * torus_upload_leave() - discard the upload of a socket that was closed
 * @e: the engine, not locked
 * @load: upload of that engine
 * @portid: port of the socket
 */
void torus_upload_leave(struct torus_engine *e, struct torus_upload *load, u32 portid)
{
	/*
	 * Test without the lock: only this socket, which is gone, could have begun such an upload.
	 */
	if (READ_ONCE(load->portid) != portid || torus_engine_lock(e))
		return;
	if (load->portid == portid)
		torus_upload_drop(load);
	torus_engine_unlock(e);
}

/**
 * torus_upload_begin() - begin an upload, in place of an earlier one
 * @e: the engine, locked
 * @load: upload of that engine
 * @portid: port of the requesting socket
 * @count: number of items to expect
 * @err: [out] reason of a failure
 *
 * Return: 0; -ERANGE, and the earlier upload stays; -ENOSPC if max_bytes does not permit it, or
 * -ENOMEM, and the earlier upload is discarded.
 */
int torus_upload_begin(struct torus_engine *e, struct torus_upload *load, u32 portid, u64 count,
		       struct torus_error *err)
{
	const struct torus_upload_kind *kind = load->kind;
	void *items;
	int ret;

	lockdep_assert_held(&e->lock.mutex);
	if (!count || count > kind->most)
		return torus_fail(err, ERANGE, "%s of %llu %s: must have 1 to %u", kind->name,
				  count, kind->unit, kind->most);
	torus_upload_drop(load);
	ret = torus_budget_take(torus_upload_bytes(load, count), err);
	if (ret)
		return ret;
	items = torus_alloc(count * kind->item_bytes);
	if (!items) {
		torus_budget_give(torus_upload_bytes(load, count));
		return torus_fail(err, ENOMEM, "no memory for %s of %llu %s", kind->name, count,
				  kind->unit);
	}
	load->portid = portid;
	load->count = count;
	load->have = 0;
	load->items = items;
	return 0;
}

static int torus_upload_owner(struct torus_engine *e, const struct torus_upload *load, u32 portid,
			      struct torus_error *err)
{
	lockdep_assert_held(&e->lock.mutex);
	if (!load->items || load->portid != portid)
		return torus_fail(err, ENOENT,
				  "this socket has not begun a transfer of %s on fabric %s",
				  load->kind->name, e->name);
	return 0;
}

/**
 * torus_upload_add() - add items to an upload
 * @e: the engine, locked
 * @load: upload of that engine
 * @portid: port of the requesting socket
 * @items: next items, not necessarily aligned
 * @n: number of items
 * @err: [out] reason of a failure
 *
 * Return: 0; -ENOENT if the socket has no upload in progress; -ERANGE for too many items, which
 * ends the upload.
 */
int torus_upload_add(struct torus_engine *e, struct torus_upload *load, u32 portid,
		     const void *items, u32 n, struct torus_error *err)
{
	const struct torus_upload_kind *kind = load->kind;
	int ret = torus_upload_owner(e, load, portid, err);

	if (ret)
		return ret;
	if (n > load->count - load->have) {
		ret = torus_fail(err, ERANGE, "%u %s are too many: %s already %u of %u", n,
				 kind->unit, kind->has, load->have, load->count);
		torus_upload_drop(load);
		return ret;
	}
	memcpy((u8 *)load->items + (size_t)load->have * kind->item_bytes, items,
	       (size_t)n * kind->item_bytes);
	load->have += n;
	return 0;
}

/**
 * torus_upload_check() - check that all items of an upload arrived
 * @e: the engine, locked
 * @load: upload of that engine
 * @portid: port of the requesting socket
 * @err: [out] reason of a failure
 *
 * Return: 0; -ENOENT if the socket has no upload in progress; -ENODATA if items are missing.
 */
int torus_upload_check(struct torus_engine *e, const struct torus_upload *load, u32 portid,
		       struct torus_error *err)
{
	int ret = torus_upload_owner(e, load, portid, err);

	if (ret)
		return ret;
	if (load->have < load->count)
		return torus_fail(err, ENODATA, "incomplete: %s only %u of %u %s", load->kind->has,
				  load->have, load->count, load->kind->unit);
	return 0;
}
