/* SPDX-License-Identifier: GPL-2.0 */
/* Switches that stop the sender or the receiver of a link, and loopback of a node. */
#ifndef TORUS_CORE_LINK_CONTROL_H
#define TORUS_CORE_LINK_CONTROL_H

#include "core/link/link.h"

int torus_link_stop_receive(struct torus_fabric *f, u32 node, u32 dir, bool stop,
			    struct torus_error *err);
int torus_link_stop_resend(struct torus_fabric *f, u32 node, u32 dir, bool stop,
			   struct torus_error *err);
int torus_link_loopback(struct torus_fabric *f, u32 node, bool on, struct torus_error *err);

int torus_link_disable(struct torus_fabric *f, u32 node, u32 dir, bool disable,
		       struct torus_error *err);

#endif
