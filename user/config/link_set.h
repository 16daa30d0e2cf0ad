/* SPDX-License-Identifier: GPL-2.0 */
/* The command link set: change the state of links, and inject faults. */
#ifndef TORUS_TORUSCTL_LINK_SET_H
#define TORUS_TORUSCTL_LINK_SET_H

#include "ctl.h"

int link_set(struct ctl *ctl, struct ctl_args *args);

#endif
