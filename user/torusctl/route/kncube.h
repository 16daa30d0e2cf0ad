/* SPDX-License-Identifier: GPL-2.0 */
/* torusctl route check of a k-ary n-cube. */
#ifndef TORUSCTL_ROUTEKNCUBE_H
#define TORUSCTL_ROUTEKNCUBE_H

#include "../../config/ctl.h"

#define KNCUBE_SPEC_USAGE \
	"arch kncube shape S [mesh DIMS] [routing R] [escape E] [vcs N]"

bool kncube_spec_meant(const struct ctl_args *args);
int route_kncube_check(struct ctl *ctl, struct ctl_args *args);

#endif /* TORUSCTL_ROUTEKNCUBE_H */
