/* SPDX-License-Identifier: GPL-2.0 */
/* Follow the steps of a plan to the goal. */
#ifndef TORUS_ROUTE_XT_WALK_H
#define TORUS_ROUTE_XT_WALK_H

#include "plan.h"

uint32_t xt_walk(const struct xt_route *route, struct xt_plan *plan);

#endif
