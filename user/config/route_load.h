/* SPDX-License-Identifier: GPL-2.0 */
/* The command route load: load routing tables from a file into a fabric. */
#ifndef TORUS_TORUSCTL_ROUTE_LOAD_H
#define TORUS_TORUSCTL_ROUTE_LOAD_H

#include "ctl.h"

int route_load(struct ctl *ctl, struct ctl_args *args);

#endif
