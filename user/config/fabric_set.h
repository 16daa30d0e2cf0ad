/* SPDX-License-Identifier: GPL-2.0 */
/* The commands that configure a fabric: fabric add and fabric set. */
#ifndef TORUS_TORUSCTL_FABRIC_SET_H
#define TORUS_TORUSCTL_FABRIC_SET_H

#include "ctl.h"

int fabric_add(struct ctl *ctl, struct ctl_args *args);
int fabric_set(struct ctl *ctl, struct ctl_args *args);

#endif
