// SPDX-License-Identifier: GPL-2.0
/*
 * VC balance of links (Abts et al. (2007), section 4): |P0 - P1| / (P0 + P1), and the
 * histograms of the paper's figure 4.
 */
#include "vc_balance.h"
#include "check.h"

/**
 * xt_balance_link() - compute the balance of a link
 * @vc0: packets on VC 0
 * @vc1: packets on VC 1; @vc0 and @vc1 must not both be 0
 *
 * Return: 0 (both VCs equally used) to 1 (only one VC used).
 */
double xt_balance_link(uint64_t vc0, uint64_t vc1)
{
	uint64_t more = vc0 > vc1 ? vc0 - vc1 : vc1 - vc0;

	return (double)more / (double)(vc0 + vc1);
}

/**
 * xt_balance_add() - add a link to the statistics of a dimension
 * @balance: [in, out] idle links are not counted
 */
void xt_balance_add(struct xt_balance *balance, uint64_t vc0, uint64_t vc1)
{
	uint64_t both = vc0 + vc1, more = vc0 > vc1 ? vc0 - vc1 : vc1 - vc0, bin = 0;

	if (!both)
		return;
	/*
	 * The paper's first bin starts above 0 and no bin includes 0. Here the first bin does.
	 */
	while (bin + 1 < XT_BINS && more * XT_BINS > (bin + 1) * both)
		bin++;
	balance->links++;
	balance->sum += xt_balance_link(vc0, vc1);
	balance->bins[bin]++;
}

/**
 * xt_balance_all() - compute the balance of each dimension's links
 * @check: must have been run by xt_check_run()
 * @balance: [out] by dimension: statistics of the links' balance
 */
void xt_balance_all(const struct xt_map *map, const struct xt_check *check,
		    struct xt_balance balance[XT_DIMS])
{
	uint32_t node, dir, dim;

	for (dim = 0; dim < XT_DIMS; dim++)
		balance[dim] = (struct xt_balance){ .links = 0 };
	for (node = 0; node < map->nodes; node++)
		for (dir = 0; dir < XT_DIRS; dir++)
			xt_balance_add(&balance[XT_DIM(dir)], check->load[node][dir][0],
				       check->load[node][dir][1]);
}
