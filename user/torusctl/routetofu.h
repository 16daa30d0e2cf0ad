/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TORUSCTL_ROUTETOFU_H
#define TORUSCTL_ROUTETOFU_H

#include "tofutarget.h"

/* routetofu.c */
int route_paths(struct ctl *ctl, struct ctl_args *args);
int route_tofu_explain(struct ctl *ctl, struct ctl_args *args);

/* routetofucheck.c */
int route_tofu_check(struct ctl *ctl, struct ctl_args *args);
int route_tofu_survey(struct ctl *ctl, struct ctl_args *args);
int route_channels(struct ctl *ctl, struct ctl_args *args);

/* routeshapes.c */
int route_shapes(struct ctl *ctl, struct ctl_args *args);

#endif /* TORUSCTL_ROUTETOFU_H */
