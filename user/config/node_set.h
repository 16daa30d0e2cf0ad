/* SPDX-License-Identifier: GPL-2.0 */
/* The command node set: change the owner, the partition and the state of nodes. */
#ifndef TORUS_TORUSCTL_NODE_SET_H
#define TORUS_TORUSCTL_NODE_SET_H

#include "../netlink/node.h"
#include "ctl.h"

bool node_owned(const struct torus_nl_node *node);
int node_set(struct ctl *ctl, struct ctl_args *args);

#endif
