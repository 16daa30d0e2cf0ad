/* SPDX-License-Identifier: GPL-2.0 */
/* Routers of k-ary n-cubes: one with unbounded queues, one with finite buffers. */
#ifndef TORUS_ARCH_KNCUBE_ROUTER_H
#define TORUS_ARCH_KNCUBE_ROUTER_H

#include "arch/kncube/kncube.h"

size_t kn_node_bytes(const struct torus_config *cfg, size_t *cold);
void kn_node_init(struct torus_fabric *f, u32 node);
void kn_route(const struct kn_machine *m, u32 node, struct torus_packet *p);
extern const struct torus_router_ops kn_router_ops;

#endif
