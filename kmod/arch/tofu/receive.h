/* SPDX-License-Identifier: GPL-2.0 */
/* Reception of engines: write memory, read memory, queue replies. */
#ifndef TORUS_ARCH_TOFU_RECEIVE_H
#define TORUS_ARCH_TOFU_RECEIVE_H

#include "arch/tofu/engine.h"

bool tofu_head_of(struct torus_domain *d, const struct torus_packet *p, struct tofu_head *head);
void tofu_rx_packet(struct torus_domain *d, u32 node, u32 pkt);
void tofu_rx_due(struct torus_domain *d, u32 node, struct tofu_node_engines *e);

#endif
