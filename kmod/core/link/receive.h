/* SPDX-License-Identifier: GPL-2.0 */
/* The receiver's half of a live link; link.h describes the protocol as a whole. */
#ifndef TORUS_CORE_LINK_RECEIVE_H
#define TORUS_CORE_LINK_RECEIVE_H

#include "core/link/link.h"
#include "core/link/internal.h"

bool torus_link_idle(struct torus_domain *d, u32 node, u32 dir);
void torus_link_occupy(struct torus_domain *d, u32 node, u32 dir);
void torus_link_acknowledge(struct torus_domain *d, u32 node, u32 dir, u64 at);

bool torus_link_receive(struct torus_domain *d, u32 node, u32 dir, u32 pkt);
void torus_link_arrive(struct torus_domain *d, u32 node, u32 slot, u32 pkt, u32 dir);

void torus_link_on_tail(struct torus_domain *d, const struct torus_event *ev);

#endif
