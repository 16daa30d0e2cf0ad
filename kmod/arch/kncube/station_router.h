/* SPDX-License-Identifier: GPL-2.0 */
/* The router of k-ary n-cubes with unbounded queues. */
#ifndef TORUS_ARCH_KNCUBE_STATION_ROUTER_H
#define TORUS_ARCH_KNCUBE_STATION_ROUTER_H

#include "arch/kncube/kncube.h"

size_t kncube_node_bytes(const struct torus_config *cfg, size_t *cold);
void kncube_node_init(struct torus_fabric *f, u32 node);
void kncube_route(const struct kncube_machine *m, u32 node, struct torus_packet *p);
extern const struct torus_router_ops kncube_router_ops;

#endif
