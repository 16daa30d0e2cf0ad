/* SPDX-License-Identifier: GPL-2.0 */
/* Assign virtual channels. */
#ifndef TORUS_ROUTE_XT_VC_ASSIGN_H
#define TORUS_ROUTE_XT_VC_ASSIGN_H

#include "next_hops.h"

void xt_vc_assign(const struct xt_route *route, struct xt_next_hops *plan);

#endif
