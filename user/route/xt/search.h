/* SPDX-License-Identifier: GPL-2.0 */
/* Search for legal paths if the rules find none. */
#ifndef TORUS_ROUTE_XT_SEARCH_H
#define TORUS_ROUTE_XT_SEARCH_H

#include "next_hops.h"

void xt_search(const struct xt_route *route, struct xt_next_hops *plan);

#endif
