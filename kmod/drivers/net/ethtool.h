/* SPDX-License-Identifier: GPL-2.0 */
/* Operations of ethtool(8) on an interface. */
#ifndef TORUS_NET_ETHTOOL_H
#define TORUS_NET_ETHTOOL_H

#include <linux/ethtool.h>

extern const struct ethtool_ops torus_net_ethtool_ops;

#endif
