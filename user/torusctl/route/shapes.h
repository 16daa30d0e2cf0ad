/* SPDX-License-Identifier: GPL-2.0 */
/*
 * torusctl route shapes: find boxes of groups for a job's view, and rings that avoid faulty nodes.
 */
#ifndef TORUS_TORUSCTL_ROUTESHAPES_H
#define TORUS_TORUSCTL_ROUTESHAPES_H

#include "tofu.h"

int route_shapes(struct ctl *ctl, struct ctl_args *args);

#endif
