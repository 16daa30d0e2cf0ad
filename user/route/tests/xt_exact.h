/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables judged another way: packet by packet, pair by pair; and what no tables whatever
 * could reach.
 */
#ifndef TORUS_USER_ROUTE_TESTS_XT_EXACT_H
#define TORUS_USER_ROUTE_TESTS_XT_EXACT_H

#include "../xt/survey.h"

/**
 * struct xt_verdict - what the packets tell
 * @reached: pairs
 * @stuck: channels of the largest set that could be full for good
 */
struct xt_verdict {
	uint64_t reached;
	uint32_t stuck;
};

struct xt_verdict xt_exact_judge(const struct xt_tables *tables);
uint64_t xt_exact_unreachable(const struct xt_map *map, const uint32_t *dateline,
			      const uint8_t *dodge);

#endif /* TORUS_USER_ROUTE_TESTS_XT_EXACT_H */
