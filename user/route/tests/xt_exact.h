/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Independent check of tables: follow each packet of each pair, and count the pairs that no tables
 * could reach.
 */
#ifndef TORUS_USER_ROUTE_TESTS_XT_EXACT_H
#define TORUS_USER_ROUTE_TESTS_XT_EXACT_H

#include "../xt/survey.h"

/**
 * struct xt_verdict - result of following all packets
 * @reached: number of pairs that are reached
 * @stuck: size of the largest set of channels that could stay full indefinitely
 */
struct xt_verdict {
	uint64_t reached;
	uint32_t stuck;
};

struct xt_verdict xt_exact_judge(const struct xt_tables *tables);
uint64_t xt_exact_unreachable(const struct xt_map *map, const uint32_t *dateline,
			      const uint8_t *dodge);

#endif /* TORUS_USER_ROUTE_TESTS_XT_EXACT_H */
