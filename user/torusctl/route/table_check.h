/* SPDX-License-Identifier: GPL-2.0 */
/* torusctl route check, survey and whatif for machines with routing tables. */
#ifndef TORUS_TORUSCTL_ROUTETABLECHECK_H
#define TORUS_TORUSCTL_ROUTETABLECHECK_H

#include "table.h"

int route_table_check(struct ctl *ctl, struct ctl_args *args);
int route_table_survey(struct ctl *ctl, struct ctl_args *args);
int route_table_whatif(struct ctl *ctl, struct ctl_args *args);

#endif
