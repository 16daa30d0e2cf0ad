/* SPDX-License-Identifier: GPL-2.0 */
/* Compare the paths of all pairs by two sets of tables. */
#ifndef TORUS_ROUTE_XT_WHATIF_H
#define TORUS_ROUTE_XT_WHATIF_H

#include "survey.h"

int xt_whatif_run(struct xt_whatif *whatif, const struct xt_tables *before,
		  const struct xt_tables *after);

#endif
