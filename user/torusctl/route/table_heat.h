/* SPDX-License-Identifier: GPL-2.0 */
/* torusctl route heat: map the VC balance of links. */
#ifndef TORUS_TORUSCTL_ROUTETABLEHEAT_H
#define TORUS_TORUSCTL_ROUTETABLEHEAT_H

#include "table.h"

int route_table_heat(struct ctl *ctl, struct ctl_args *args);

#endif
