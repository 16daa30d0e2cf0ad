/* SPDX-License-Identifier: GPL-2.0 */
/* The command node inject. */
#ifndef TORUSCTL_NODE_INJECT_H
#define TORUSCTL_NODE_INJECT_H

#include "../config/ctl.h"

int node_inject(struct ctl *ctl, struct ctl_args *args);

#endif
