// SPDX-License-Identifier: GPL-2.0
/*
 * A table of pairs that is being loaded (upload.c): the workload that wants it takes it
 * whole, or is refused.
 */
#include <linux/torus.h>

#include "core/base/number.h"
#include "core/load/table.h"
#include "engine.h"
#include "pair_upload.h"

/* Four copies: the core sorts it from one into another, and keeps what is half as long. */
const struct torus_upload_kind torus_table_kind = {
	.name = "a table",
	.was = "table was",
	.has = "the table has",
	.unit = "pairs",
	.item_bytes = sizeof(struct torus_pair),
	.most = TORUS_PAIRS_MAX,
	.copies = 4,
};

/**
 * torus_table_add() - add pairs
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
int torus_table_add(struct torus_engine *e, u32 portid, const void *pairs, u32 n,
		    struct torus_error *err)
{
	u32 i, first = e->uploads.pairs.have;
	char text[TORUS_NUMBER_TEXT];
	int ret;

	ret = torus_upload_add(e, &e->uploads.pairs, portid, pairs, n, err);
	for (i = 0; !ret && i < n; i++) {
		const struct torus_pair *all = e->uploads.pairs.items;
		const struct torus_pair *pair = all + first + i;
		u32 src = torus_node_index(&e->geo, pair->src);

		if (src != TORUS_NONE && torus_node_index(&e->geo, pair->dst) != TORUS_NONE)
			continue;
		ret = torus_fail(err, EINVAL, "pair %u: %s", first + i,
				 torus_number_text(&e->geo, src == TORUS_NONE ? pair->src :
						   pair->dst, text, sizeof(text)));
		torus_upload_drop(&e->uploads.pairs);
	}
	return ret;
}

/**
 * torus_table_commit() - give the table to the fabric's next workload
 * @e: the engine, held, its fabric fresh
 * @portid: who asks
 * @err: why not
 *
 * Return: 0, or what torus_upload_check() or torus_traffic_table() says;
 * the table that was being loaded is gone in any case.
 */
int torus_table_commit(struct torus_engine *e, u32 portid, struct torus_error *err)
{
	int ret = torus_upload_check(e, &e->uploads.pairs, portid, err);

	if (!ret)
		ret = torus_traffic_table(e->fabric, e->uploads.pairs.items, e->uploads.pairs.count,
					  err);
	torus_upload_drop(&e->uploads.pairs);
	return ret;
}
