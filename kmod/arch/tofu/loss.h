/* SPDX-License-Identifier: GPL-2.0 */
/* Detect and report lost packets of engines. */
#ifndef TORUS_ARCH_TOFU_LOSS_H
#define TORUS_ARCH_TOFU_LOSS_H

#include "arch/tofu/engine.h"

bool tofu_stream_check(struct torus_domain *d, struct tofu_node_engines *e,
		       struct torus_packet *p, const struct tofu_head *head);
void tofu_streams_drop(struct tofu_node_engines *e);
void tofu_loss_report(struct torus_domain *d, u32 node, const struct tofu_head *answer,
		      const struct torus_packet *to, u32 number);
void tofu_loss_packet(struct torus_domain *d, struct torus_packet *p);
void tofu_loss_reply(struct torus_domain *d, u32 node, u32 pkt);

#endif
