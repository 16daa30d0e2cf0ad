/* SPDX-License-Identifier: GPL-2.0 */
/* The effect on each pair when new tables replace old ones. */
#ifndef TORUS_ROUTE_XT_WHATIF_H
#define TORUS_ROUTE_XT_WHATIF_H

#include "survey.h"

int xt_whatif_run(struct xt_whatif *whatif, const struct xt_tables *before,
		  const struct xt_tables *after);

#endif
