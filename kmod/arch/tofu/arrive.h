/* SPDX-License-Identifier: GPL-2.0 */
/* Packets that arrive for engines: into memory, out of memory, and answered. */
#ifndef TORUS_ARCH_TOFU_ARRIVE_H
#define TORUS_ARCH_TOFU_ARRIVE_H

#include "arch/tofu/engine.h"

bool tofu_head_of(struct torus_domain *d, const struct torus_packet *p, struct tofu_head *head);
void tofu_engine_take(struct torus_domain *d, u32 node, u32 pkt);
void tofu_engine_arrivals(struct torus_domain *d, u32 node, struct tofu_node_engines *e);

#endif
