/* SPDX-License-Identifier: GPL-2.0 */
/* Replies that an engine has to send, in one queue for each requesting program. */
#ifndef TORUS_ARCH_TOFU_REPLIES_H
#define TORUS_ARCH_TOFU_REPLIES_H

#include "arch/tofu/engine.h"

struct tofu_flow *tofu_reply_new(struct torus_domain *d, struct tofu_replies *replies, u32 node,
				 u32 group, u32 generation, bool get);
bool tofu_gets_full(struct tofu_replies *replies, u32 node, u32 group, u32 generation);
struct tofu_flows *tofu_replies_first(const struct torus_fabric *f, struct tofu_replies *replies);
void tofu_replies_turn(struct tofu_replies *replies);
void tofu_replies_empty(struct tofu_replies *replies);

#endif
