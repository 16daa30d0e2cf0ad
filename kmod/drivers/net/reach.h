/* SPDX-License-Identifier: GPL-2.0 */
/* The nodes that an interface reaches, and the IP addresses that lead to them. */
#ifndef TORUS_NET_REACH_H
#define TORUS_NET_REACH_H

#include "net.h"
#include "wire/address.h"

struct neighbour;

bool torus_net_reachable(const struct torus_net *tn, u32 node);
int torus_net_neighbour(struct net_device *dev, struct neighbour *neighbour);

#endif
