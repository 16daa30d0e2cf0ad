// SPDX-License-Identifier: GPL-2.0
/*
 * Large tables are loaded as a transaction: begin, parts, commit or nothing.  What is being
 * loaded belongs to the socket that has begun it, goes with that socket, and gives way to a
 * new one.  Its bytes count against the parameter max_bytes.
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
 * torus_upload_init() - nothing is being loaded
 * @load: to be set up
 * @kind: what may be
 */
void torus_upload_init(struct torus_upload *load, const struct torus_upload_kind *kind)
{
	*load = (struct torus_upload){ .kind = kind };
}

/**
 * torus_upload_drop() - forget what is being loaded, if anything is
 * @load: of an engine that is held, or that nobody is left to hold
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
 * torus_upload_leave() - a socket was closed: what it was loading is forgotten
 * @e: the engine, not held
 * @load: of that engine
 * @portid: the socket's port
 */
void torus_upload_leave(struct torus_engine *e, struct torus_upload *load, u32 portid)
{
	/* Without the lock: what is loaded is loaded by this socket, which is gone. */
	if (READ_ONCE(load->portid) != portid || torus_engine_lock(e))
		return;
	if (load->portid == portid)
		torus_upload_drop(load);
	torus_engine_unlock(e);
}

/**
 * torus_upload_begin() - begin, in place of what was begun before
 * @e: the engine, held
 * @load: of that engine
 * @portid: whose it is
 * @count: items that there are to be
 * @err: why not
 *
 * Return: 0, -ERANGE, -ENOSPC when the budget does not allow it, -ENOMEM.
 */
int torus_upload_begin(struct torus_engine *e, struct torus_upload *load, u32 portid, u64 count,
		       struct torus_error *err)
{
	const struct torus_upload_kind *kind = load->kind;
	void *items;
	int ret;

	lockdep_assert_held(&e->lock.mutex);
	if (!count || count > kind->most)
		return torus_fail(err, ERANGE, "%s of %llu %s: 1 to %u", kind->name, count,
				  kind->unit, kind->most);
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
		return torus_fail(err, ENOENT, "no %s begun on fabric %s by this socket",
				  load->kind->was, e->name);
	return 0;
}

/**
 * torus_upload_add() - add items
 * @e: the engine, held
 * @load: of that engine
 * @portid: who asks
 * @items: the next ones, aligned or not
 * @n: how many
 * @err: why not
 *
 * Return: 0, -ENOENT when nothing was begun, -ERANGE, which ends the transaction.
 */
int torus_upload_add(struct torus_engine *e, struct torus_upload *load, u32 portid,
		     const void *items, u32 n, struct torus_error *err)
{
	const struct torus_upload_kind *kind = load->kind;
	int ret = torus_upload_owner(e, load, portid, err);

	if (ret)
		return ret;
	if (n > load->count - load->have) {
		ret = torus_fail(err, ERANGE, "%u %s more: %s %u of %u already", n, kind->unit,
				 kind->has, load->have, load->count);
		torus_upload_drop(load);
		return ret;
	}
	memcpy((u8 *)load->items + (size_t)load->have * kind->item_bytes, items,
	       (size_t)n * kind->item_bytes);
	load->have += n;
	return 0;
}

/**
 * torus_upload_check() - have all items come?
 * @e: the engine, held
 * @load: of that engine
 * @portid: who asks
 * @err: why not
 *
 * Return: 0, -ENOENT when nothing was begun, -ENODATA when some are missing.
 */
int torus_upload_check(struct torus_engine *e, const struct torus_upload *load, u32 portid,
		       struct torus_error *err)
{
	int ret = torus_upload_owner(e, load, portid, err);

	if (ret)
		return ret;
	if (load->have < load->count)
		return torus_fail(err, ENODATA, "%s %u of %u %s", load->kind->has, load->have,
				  load->count, load->kind->unit);
	return 0;
}
