/* SPDX-License-Identifier: GPL-2.0 */
/* Sending: datagrams become packets. */
#ifndef TORUS_NET_TRANSMIT_H
#define TORUS_NET_TRANSMIT_H

#include "net.h"

void torus_net_transmit_init(struct torus_net *tn);
netdev_tx_t torus_net_transmit(struct sk_buff *skb, struct net_device *dev);
void torus_net_transmit_continue(struct torus_net *tn);
void torus_net_transmit_enable(struct torus_net *tn);
void torus_net_transmit_stop(struct torus_net *tn);

#endif
