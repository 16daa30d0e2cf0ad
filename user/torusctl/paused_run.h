/* SPDX-License-Identifier: GPL-2.0 */
/* torusctl fabric step and run: advance a paused fabric, and print what happens. */
#ifndef TORUS_TORUSCTL_PAUSED_RUN_H
#define TORUS_TORUSCTL_PAUSED_RUN_H

#include "../config/ctl.h"

int fabric_step(struct ctl *ctl, struct ctl_args *args);
int fabric_run(struct ctl *ctl, struct ctl_args *args);

#endif
