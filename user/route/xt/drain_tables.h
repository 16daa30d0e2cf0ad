/* SPDX-License-Identifier: GPL-2.0 */
/* Tables that bring packets in flight to their destinations when a cable dies. */
#ifndef TORUS_ROUTE_XT_DRAIN_TABLES_H
#define TORUS_ROUTE_XT_DRAIN_TABLES_H

#include "transition.h"

int xt_drain_tables_make(struct xt_tables **tables, const struct xt_tables *before,
			 const struct xt_map *map, bool *circles);

#endif
