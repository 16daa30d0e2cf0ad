/* SPDX-License-Identifier: GPL-2.0 */
/* Reception: packets become datagrams. */
#ifndef TORUS_NET_RECEIVE_H
#define TORUS_NET_RECEIVE_H

#include "net.h"

int torus_net_receive_init(struct torus_net *tn);
void torus_net_receive_free(struct torus_net *tn);
int torus_net_receive(struct torus_net *tn, int budget);

#endif
