/* SPDX-License-Identifier: GPL-2.0 */
/* Post notices of engines to programs. */
#ifndef TORUS_ARCH_TOFU_NOTICE_H
#define TORUS_ARCH_TOFU_NOTICE_H

#include "arch/tofu/engine.h"

bool tofu_notice_post(struct torus_domain *d, const struct tofu_notice_to *to,
		      const struct tofu_head *head, u32 peer_node, u32 peer_group, u32 peer_queue);
u32 tofu_notice_fifo(const struct tofu_machine *m, u32 group, u32 engine);
bool tofu_notice_has_space(const struct torus_nic *nic);

#endif
