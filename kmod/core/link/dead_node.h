/* SPDX-License-Identifier: GPL-2.0 */
/* Dead nodes, and the links to them. */
#ifndef TORUS_CORE_LINK_DEAD_NODE_H
#define TORUS_CORE_LINK_DEAD_NODE_H

#include "core/link/fault.h"
#include "core/link/link.h"

int torus_node_kill(struct torus_fabric *f, u32 node, bool dead, struct torus_error *err);
bool torus_node_dead(const struct torus_fabric *f, u32 node);
void torus_link_discard(struct torus_fabric *f, u32 node, u32 dir, u32 reason);

int torus_senders_set(struct torus_fabric *f, u32 node, u32 dir, enum torus_sender_state state,
		      struct torus_error *err);

int torus_link_give_up(struct torus_fabric *f, u32 node, u32 dir, struct torus_error *err);

bool torus_link_stopped(struct torus_fabric *f, u32 node, u32 dir);
u32 torus_link_blocked(struct torus_fabric *f, u32 node, u32 dir, u32 after);

#endif
