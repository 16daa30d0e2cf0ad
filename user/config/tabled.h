/* SPDX-License-Identifier: GPL-2.0 */
/* Check whether a call refers to a machine with routing tables. */
#ifndef TORUS_TORUSCTL_TABLED_H
#define TORUS_TORUSCTL_TABLED_H

#include "ctl.h"

bool route_spec_meant(const struct ctl_args *args);
bool route_spec_tabled(const struct ctl *ctl, const struct ctl_args *args);
int route_refuse_fabric(struct ctl *ctl, struct ctl_args *args);

#endif
