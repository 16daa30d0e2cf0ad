/* SPDX-License-Identifier: GPL-2.0 */
/* The generic netlink family "torus". */
#ifndef TORUS_DEV_NETLINK_FAMILY_H
#define TORUS_DEV_NETLINK_FAMILY_H

#include "message.h"

int torus_netlink_init(void);
void torus_netlink_exit(void);

extern struct genl_family torus_netlink_family;

#endif
