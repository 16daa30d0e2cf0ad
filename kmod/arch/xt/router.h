/* SPDX-License-Identifier: GPL-2.0 */
/* The SeaStar router, which has queues both at its inputs and at its outputs. */
#ifndef TORUS_ARCH_XT_ROUTER_H
#define TORUS_ARCH_XT_ROUTER_H

#include "arch/xt/xt.h"

extern const struct torus_router_ops xt_router;

void xt_node_init(struct torus_fabric *f, u32 node);
void xt_set_routes(struct torus_fabric *f);

#endif
