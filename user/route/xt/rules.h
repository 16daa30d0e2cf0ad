/* SPDX-License-Identifier: GPL-2.0 */
/* Routing rules of the Cray XT. */
#ifndef TORUS_ROUTE_XT_RULES_H
#define TORUS_ROUTE_XT_RULES_H

#include "next_hops.h"

struct xt_step xt_rule_step(const struct xt_route *route, const struct xt_dest *goal,
			    uint32_t node, struct xt_link *avoids);

#endif
