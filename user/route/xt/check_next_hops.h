/* SPDX-License-Identifier: GPL-2.0 */
/* Follow the steps of a plan to the goal. */
#ifndef TORUS_ROUTE_XT_CHECK_NEXT_HOPS_H
#define TORUS_ROUTE_XT_CHECK_NEXT_HOPS_H

#include "next_hops.h"

uint32_t xt_walk(const struct xt_route *route, struct xt_next_hops *plan);

#endif
