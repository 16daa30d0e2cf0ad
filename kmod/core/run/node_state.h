/* SPDX-License-Identifier: GPL-2.0 */
/* States of a node: alive, removed (dead), failed. */
#ifndef TORUS_CORE_RUN_NODE_STATE_H
#define TORUS_CORE_RUN_NODE_STATE_H

#include "core/error.h"
#include "core/state/fabric.h"

enum torus_node_state torus_node_state(const struct torus_fabric *f, u32 node);
int torus_node_set(struct torus_fabric *f, u32 node, enum torus_node_state state,
		   struct torus_error *err);

#endif
