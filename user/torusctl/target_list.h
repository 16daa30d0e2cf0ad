/* SPDX-License-Identifier: GPL-2.0 */
/* Print the objects that the arguments FABRIC [NODE [DIR]] name, as text or as one JSON list. */
#ifndef TORUS_TORUSCTL_TARGET_LIST_H
#define TORUS_TORUSCTL_TARGET_LIST_H

#include "../config/target.h"

int target_list(struct ctl *ctl, struct ctl_args *args, unsigned int form,
		int (*one)(struct ctl *ctl, struct target *target, void *arg),
		int (*whole)(struct ctl *ctl, struct target *target, void *arg));

#endif
