/* SPDX-License-Identifier: GPL-2.0 */
/* Tables that take others' place while packets are under way. */
#ifndef TORUS_USER_ROUTE_XT_SWAP_H
#define TORUS_USER_ROUTE_XT_SWAP_H

#include "check.h"

/**
 * struct xt_swap - old and new tables together
 * @states: places (input, VC, destination) to which the old ones lead packets
 * @stranded: of those from which the old ones lead home: from which the new ones do not
 * @unreached: pairs that the new ones do not reach
 * @circle: channels in a circle that wait for each other by the old or the new; 0: none
 */
struct xt_swap {
	uint64_t states;
	uint64_t stranded;
	uint64_t unreached;
	uint32_t circle;
};

int xt_swap_check(struct xt_swap *swap, const struct xt_tables *before,
		  const struct xt_tables *after);
bool xt_swap_safe(const struct xt_swap *swap);

#endif /* TORUS_USER_ROUTE_XT_SWAP_H */
