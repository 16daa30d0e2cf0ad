/* SPDX-License-Identifier: GPL-2.0 */
/* torusctl route paths and explain for a Tofu machine. */
#ifndef TORUSCTL_ROUTETOFU_H
#define TORUSCTL_ROUTETOFU_H

#include "tofu_spec.h"

int route_paths(struct ctl *ctl, struct ctl_args *args);
int route_tofu_explain(struct ctl *ctl, struct ctl_args *args);

#endif /* TORUSCTL_ROUTETOFU_H */
