/* SPDX-License-Identifier: GPL-2.0 */
/* Check whether tables can be replaced while packets are in flight. */
#ifndef TORUS_ROUTE_XT_TRANSITION_H
#define TORUS_ROUTE_XT_TRANSITION_H

#include "check.h"

/**
 * struct xt_transition - results of the check whether new tables can replace old ones
 * @states: number of states (input, VC, destination) to which the old tables bring packets
 * @stranded: number of @states from which the old tables reach the destination and the new ones
 *    do not
 * @unreached: number of pairs that the new tables do not reach
 * @circle: number of channels in a cycle of waits by old or new tables; 0 if there is none
 */
struct xt_transition {
	uint64_t states;
	uint64_t stranded;
	uint64_t unreached;
	uint32_t circle;
};

int xt_transition_check(struct xt_transition *swap, const struct xt_tables *before,
			const struct xt_tables *after);
bool xt_transition_safe(const struct xt_transition *swap);

#endif /* TORUS_ROUTE_XT_TRANSITION_H */
