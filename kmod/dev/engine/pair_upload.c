// SPDX-License-Identifier: GPL-2.0
/*
 * Upload of a list of pairs, on top of upload.c. The workload that needs the list gets all of it,
 * or is rejected.
 */
#include <linux/torus.h>

#include "core/base/node_number.h"
#include "core/workload/pair_list.h"
#include "engine.h"
#include "pair_upload.h"

/*
 * Count four copies: the core sorts the list from one array into another, and keeps a third that is
 * half as long.
 */
const struct torus_upload_kind torus_pairs_upload_kind = {
	.name = "a table",
	.has = "the table has",
	.unit = "pairs",
	.item_bytes = sizeof(struct torus_pair),
	.most = TORUS_PAIRS_MAX,
	.copies = 4,
};

/**
 * torus_pairs_upload_add() - add pairs
 * @e: the engine, locked
 * @portid: port of the requesting socket
 * @pairs: array of struct torus_pair, not necessarily aligned
 * @n: number of pairs
 * @err: [out] reason of a failure
 *
 * A pair with a node that does not exist, or a pair too many, ends the upload.
 *
 * Return: 0, -ENOENT if the socket has no upload in progress, -EINVAL, -ERANGE.
 */
int torus_pairs_upload_add(struct torus_engine *e, u32 portid, const void *pairs, u32 n,
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
 * torus_pairs_upload_commit() - give the list to the fabric's next workload
 * @e: the engine, locked, with an unused fabric
 * @portid: port of the requesting socket
 * @err: [out] reason of a failure
 *
 * The upload ends in any case.
 *
 * Return: 0, or the error of torus_upload_check() or torus_traffic_pairs().
 */
int torus_pairs_upload_commit(struct torus_engine *e, u32 portid, struct torus_error *err)
{
	int ret = torus_upload_check(e, &e->uploads.pairs, portid, err);

	if (!ret)
		ret = torus_traffic_pairs(e->fabric, e->uploads.pairs.items, e->uploads.pairs.count,
					  err);
	torus_upload_drop(&e->uploads.pairs);
	return ret;
}
