// SPDX-License-Identifier: GPL-2.0
/*
 * Large tables are loaded as a transaction: begin, chunks, commit or nothing.  A
 * fabric has one table that is being loaded; it belongs to the socket that has
 * begun it, goes with that socket, and gives way to a new one.  The workload that
 * wants it takes it whole, or is refused.
 *
 * Its bytes count against the parameter max_bytes four times: the core sorts it from
 * one copy into another, and keeps what is half as long.
 */
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "core/base/number.h"
#include "budget.h"
#include "engine.h"
#include "table.h"

static u64 torus_table_load_bytes(u32 count)
{
	return 4ull * count * sizeof(struct torus_pair);
}

/**
 * torus_table_load_drop() - forget the table that is being loaded, if there is one
 * @e: the engine, held, or with nobody left who could hold it
 */
void torus_table_load_drop(struct torus_engine *e)
{
	struct torus_table_load *load = &e->load;

	if (!load->pairs)
		return;
	kvfree(load->pairs);
	torus_budget_give(torus_table_load_bytes(load->count));
	*load = (struct torus_table_load){ .count = 0 };
}

/**
 * torus_table_load_leave() - a socket was closed: what it was loading is forgotten
 * @e: the engine, not held
 * @portid: its port
 */
void torus_table_load_leave(struct torus_engine *e, u32 portid)
{
	/* Without the lock: what is loaded is loaded by this socket, which is gone. */
	if (READ_ONCE(e->load.portid) != portid || torus_engine_hold(e))
		return;
	if (e->load.portid == portid)
		torus_table_load_drop(e);
	torus_engine_release(e);
}

/**
 * torus_table_load_begin() - begin a table, in place of the one that was begun
 * @e: the engine, held
 * @portid: whose it is
 * @count: pairs that it is to have
 * @err: why not
 *
 * Return: 0, -ERANGE, -ENOSPC when the budget does not allow it, -ENOMEM.
 */
int torus_table_load_begin(struct torus_engine *e, u32 portid, u64 count,
			   struct torus_error *err)
{
	struct torus_pair *pairs;
	int ret;

	lockdep_assert_held(&e->lock);
	if (!count || count > TORUS_PAIRS_MAX)
		return torus_fail(err, ERANGE, "a table of %llu pairs: it has 1 to %u", count,
				  TORUS_PAIRS_MAX);
	torus_table_load_drop(e);
	ret = torus_budget_take(torus_table_load_bytes(count), err);
	if (ret)
		return ret;
	pairs = kvmalloc_array(count, sizeof(*pairs), GFP_KERNEL_ACCOUNT);
	if (!pairs) {
		torus_budget_give(torus_table_load_bytes(count));
		return torus_fail(err, ENOMEM, "no memory for a table of %llu pairs", count);
	}
	e->load = (struct torus_table_load){
		.portid = portid,
		.count = count,
		.pairs = pairs,
	};
	return 0;
}

static int torus_table_load_owner(struct torus_engine *e, u32 portid, struct torus_error *err)
{
	lockdep_assert_held(&e->lock);
	if (!e->load.pairs || e->load.portid != portid)
		return torus_fail(err, ENOENT, "no table was begun on fabric %s by this socket",
				  e->name);
	return 0;
}

/**
 * torus_table_load_add() - add pairs
 * @e: the engine, held
 * @portid: who asks
 * @pairs: struct torus_pair, one after the other, aligned or not
 * @n: how many
 * @err: why not
 *
 * A pair that the fabric refuses ends the transaction.
 *
 * Return: 0, -ENOENT when there is no such table, -EINVAL, -ERANGE.
 */
int torus_table_load_add(struct torus_engine *e, u32 portid, const void *pairs, u32 n,
			 struct torus_error *err)
{
	struct torus_table_load *load = &e->load;
	char text[TORUS_NUMBER_TEXT];
	struct torus_pair *to;
	u32 i;
	int ret;

	ret = torus_table_load_owner(e, portid, err);
	if (ret)
		return ret;
	if (n > load->count - load->have) {
		ret = torus_fail(err, ERANGE, "%u pairs more: the table has %u of %u already", n,
				 load->have, load->count);
		torus_table_load_drop(e);
		return ret;
	}
	to = load->pairs + load->have;
	memcpy(to, pairs, n * sizeof(*to));
	for (i = 0; i < n; i++) {
		u32 src = torus_node_index(&e->geo, to[i].src);

		if (src != TORUS_NONE && torus_node_index(&e->geo, to[i].dst) != TORUS_NONE)
			continue;
		ret = torus_fail(err, EINVAL, "pair %u: %s", load->have + i,
				 torus_number_text(&e->geo, src == TORUS_NONE ? to[i].src :
						   to[i].dst, text, sizeof(text)));
		torus_table_load_drop(e);
		return ret;
	}
	load->have += n;
	return 0;
}

/**
 * torus_table_load_check() - is there a whole table?
 * @e: the engine, held
 * @portid: who asks
 * @err: why not
 *
 * Return: 0, -ENOENT, or -ENODATA when it is not whole.
 */
int torus_table_load_check(struct torus_engine *e, u32 portid, struct torus_error *err)
{
	int ret = torus_table_load_owner(e, portid, err);

	if (ret)
		return ret;
	if (e->load.have < e->load.count)
		return torus_fail(err, ENODATA, "the table has %u of %u pairs", e->load.have,
				  e->load.count);
	return 0;
}

/**
 * torus_table_load_commit() - give the table to the fabric's next workload
 * @e: the engine, held, its fabric fresh
 * @portid: who asks
 * @err: why not
 *
 * Return: 0, or what torus_table_load_check() or torus_traffic_table() says;
 * the table that was being loaded is gone in any case.
 */
int torus_table_load_commit(struct torus_engine *e, u32 portid, struct torus_error *err)
{
	int ret = torus_table_load_check(e, portid, err);

	if (!ret)
		ret = torus_traffic_table(e->fabric, e->load.pairs, e->load.count, err);
	torus_table_load_drop(e);
	return ret;
}
