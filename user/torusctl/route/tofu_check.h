/* SPDX-License-Identifier: GPL-2.0 */
/* torusctl route check, survey and channels for a Tofu machine. */
#ifndef TORUS_TORUSCTL_ROUTETOFUCHECK_H
#define TORUS_TORUSCTL_ROUTETOFUCHECK_H

#include "tofu.h"

int route_tofu_check(struct ctl *ctl, struct ctl_args *args);
int route_tofu_survey(struct ctl *ctl, struct ctl_args *args);
int route_channels(struct ctl *ctl, struct ctl_args *args);

#endif
