/* SPDX-License-Identifier: GPL-2.0 */
/* List the path of one pair of nodes, hop by hop. */
#ifndef TORUS_ROUTE_XT_EXPLAIN_H
#define TORUS_ROUTE_XT_EXPLAIN_H

#include "survey.h"

enum xt_end xt_explain(const struct xt_tables *tables, struct xt_route *route,
		       struct xt_next_hops *plan, uint32_t src, uint32_t dst, struct xt_hop *hops,
		       uint32_t *count);
void xt_name_failures(struct xt_route *route, struct xt_next_hops *plan,
		      struct xt_failure *failures,
		      uint32_t count);

#endif
