/* SPDX-License-Identifier: GPL-2.0 */
/* Select the coordinates of datelines. */
#ifndef TORUS_ROUTE_XT_DATELINE_H
#define TORUS_ROUTE_XT_DATELINE_H

#include "survey.h"

void xt_datelines_auto(struct xt_route *route, struct xt_next_hops *plan);

#endif
