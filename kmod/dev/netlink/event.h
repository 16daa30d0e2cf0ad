/* SPDX-License-Identifier: GPL-2.0 */
/* Events of a fabric as messages to the multicast groups. */
#ifndef TORUS_DEV_NETLINK_EVENT_H
#define TORUS_DEV_NETLINK_EVENT_H

#include "message.h"

/* Indices of the multicast groups. */
#define TORUS_NETLINK_EVENTS		0
#define TORUS_NETLINK_EVENTS_ADMIN	1

struct torus_event_note;

void torus_netlink_event(const struct torus_engine *e, const struct torus_event_note *note,
			 const u64 *clock, gfp_t gfp);

#endif
