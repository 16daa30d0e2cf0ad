// SPDX-License-Identifier: GPL-2.0
/*
 * Routing tables are loaded as a transaction: begin, parts, commit or nothing.  What is being
 * loaded belongs to the socket that has begun it, goes with that socket, and gives way to a
 * new one.  Its bytes, and those of the fabric's own copy, count against max_bytes.
 */
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "core/run/fabric.h"
#include "budget.h"
#include "engine.h"
#include "routes.h"

#define TORUS_ROUTES_MAX	(64u << 20)	/* bytes of an image */

/* Forget what is being loaded, with nobody left who could hold the engine, or held. */
static void torus_routes_drop(struct torus_engine *e)
{
	struct torus_routes_load *load = &e->routes;

	if (!load->image)
		return;
	kvfree(load->image);
	torus_budget_give(load->bytes);
	*load = (struct torus_routes_load){ .kept = load->kept };
}

/**
 * torus_routes_release() - the fabric is gone: its tables count no more
 * @e: the engine, with nobody left who could hold it
 */
void torus_routes_release(struct torus_engine *e)
{
	torus_routes_drop(e);
	if (e->routes.kept)
		torus_budget_give(e->routes.kept);
	e->routes.kept = 0;
}

/**
 * torus_routes_leave() - a socket was closed: what it was loading is forgotten
 * @e: the engine, not held
 * @portid: its port
 */
void torus_routes_leave(struct torus_engine *e, u32 portid)
{
	/* Without the lock: what is loaded is loaded by this socket, which is gone. */
	if (READ_ONCE(e->routes.portid) != portid || torus_engine_hold(e))
		return;
	if (e->routes.portid == portid)
		torus_routes_drop(e);
	torus_engine_release(e);
}

/**
 * torus_routes_begin() - begin an image, in place of the one that was begun
 * @e: the engine, held
 * @portid: whose it is
 * @bytes: that it is to have
 * @err: why not
 *
 * Return: 0, -EOPNOTSUPP where the machine has no tables, -ERANGE, -ENOSPC when the budget
 * does not allow it, -ENOMEM.
 */
int torus_routes_begin(struct torus_engine *e, u32 portid, u64 bytes, struct torus_error *err)
{
	void *image;
	int ret;

	lockdep_assert_held(&e->lock);
	if (!e->arch->routes_load)
		return torus_fail(err, EOPNOTSUPP, "fabric %s: %s has no tables to be loaded",
				  e->name, e->arch->name);
	if (!bytes || bytes > TORUS_ROUTES_MAX)
		return torus_fail(err, ERANGE, "tables of %llu bytes: 1 to %u", bytes,
				  TORUS_ROUTES_MAX);
	torus_routes_drop(e);
	ret = torus_budget_take(bytes, err);
	if (ret)
		return ret;
	image = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);
	if (!image) {
		torus_budget_give(bytes);
		return torus_fail(err, ENOMEM, "no memory for tables of %llu bytes", bytes);
	}
	e->routes.portid = portid;
	e->routes.bytes = bytes;
	e->routes.have = 0;
	e->routes.image = image;
	return 0;
}

static int torus_routes_owner(struct torus_engine *e, u32 portid, struct torus_error *err)
{
	lockdep_assert_held(&e->lock);
	if (!e->routes.image || e->routes.portid != portid)
		return torus_fail(err, ENOENT, "no tables were begun on fabric %s by this socket",
				  e->name);
	return 0;
}

/**
 * torus_routes_add() - add a part of the image
 * @e: the engine, held
 * @portid: who asks
 * @part: the next bytes
 * @bytes: how many
 * @err: why not
 *
 * Return: 0, -ENOENT when none was begun, -ERANGE, which ends the transaction.
 */
int torus_routes_add(struct torus_engine *e, u32 portid, const void *part, u32 bytes,
		     struct torus_error *err)
{
	struct torus_routes_load *load = &e->routes;
	int ret = torus_routes_owner(e, portid, err);

	if (ret)
		return ret;
	if (bytes > load->bytes - load->have) {
		ret = torus_fail(err, ERANGE, "%u bytes more: of %u bytes of tables %u are here",
				 bytes, load->bytes, load->have);
		torus_routes_drop(e);
		return ret;
	}
	memcpy((u8 *)load->image + load->have, part, bytes);
	load->have += bytes;
	return 0;
}

/**
 * torus_routes_commit() - give the image to the fabric
 * @e: the engine, held
 * @portid: who asks
 * @err: why not
 *
 * Return: 0; -ENOENT, -ENODATA when it is not whole, -ENOSPC, or what
 * torus_fabric_routes_load() says: the fabric's tables are what they were then.  What was being
 * loaded is gone in any case.
 */
int torus_routes_commit(struct torus_engine *e, u32 portid, struct torus_error *err)
{
	struct torus_routes_load *load = &e->routes;
	int ret = torus_routes_owner(e, portid, err);
	u64 bytes = load->bytes;

	if (ret)
		return ret;
	if (load->have < load->bytes)
		ret = torus_fail(err, ENODATA, "the tables have %u of %u bytes", load->have,
				 load->bytes);
	if (!ret)
		ret = torus_budget_take(bytes, err);
	if (!ret) {
		ret = torus_fabric_routes_load(e->fabric, load->image, bytes, err);
		/* the old ones have gone, or the new ones have */
		torus_budget_give(ret ? bytes : load->kept);
		if (!ret)
			load->kept = bytes;
	}
	torus_routes_drop(e);
	return ret;
}
