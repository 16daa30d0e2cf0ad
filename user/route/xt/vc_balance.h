/* SPDX-License-Identifier: GPL-2.0 */
/* VC balance of links: |P0 - P1| / (P0 + P1). */
#ifndef TORUS_ROUTE_XT_VC_BALANCE_H
#define TORUS_ROUTE_XT_VC_BALANCE_H

#include "check.h"

double xt_balance_link(uint64_t vc0, uint64_t vc1);
void xt_balance_add(struct xt_balance *balance, uint64_t vc0, uint64_t vc1);
void xt_balance_all(const struct xt_map *map, const struct xt_check *check,
		    struct xt_balance balance[XT_DIMS]);

#endif
