/* SPDX-License-Identifier: GPL-2.0 */
/* The carrier of an interface. */
#ifndef TORUS_NET_CARRIER_H
#define TORUS_NET_CARRIER_H

#include "net.h"

void torus_net_carrier_start(struct torus_net *tn);
void torus_net_carrier_stop(struct torus_net *tn);

#endif
