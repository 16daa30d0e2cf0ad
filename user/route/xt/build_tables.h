/* SPDX-License-Identifier: GPL-2.0 */
/* Make tables from plans. */
#ifndef TORUS_ROUTE_XT_BUILD_TABLES_H
#define TORUS_ROUTE_XT_BUILD_TABLES_H

#include "table_store.h"

int xt_tables_make(struct xt_route *route, struct xt_tables **tables, struct xt_made *made);
void xt_tables_try(struct xt_route *route, struct xt_next_hops *plan, uint64_t enough,
		   uint64_t *unreached);

#endif
