/* SPDX-License-Identifier: GPL-2.0 */
/* The order of the events of live links in one tick. */
#ifndef TORUS_CORE_LINK_EVENT_ORDER_H
#define TORUS_CORE_LINK_EVENT_ORDER_H

#include "core/link/link.h"

void torus_link_later(struct torus_domain *d, const struct torus_event *ev, u32 dir);
void torus_link_sort(struct torus_domain *d);

#endif
