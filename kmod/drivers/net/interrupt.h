/* SPDX-License-Identifier: GPL-2.0 */
/* Interrupts of an interface, and the NAPI poll that they schedule. */
#ifndef TORUS_NET_INTERRUPT_H
#define TORUS_NET_INTERRUPT_H

#include "net.h"

int torus_net_interrupts_request(struct torus_net *tn);
void torus_net_interrupts_free(struct torus_net *tn);

#endif
