/* SPDX-License-Identifier: GPL-2.0 */
/* Notices of engines to programs. */
#ifndef TORUS_ARCH_TOFU_TOLD_H
#define TORUS_ARCH_TOFU_TOLD_H

#include "arch/tofu/engine.h"

bool tofu_tell(struct torus_domain *d, const struct tofu_told *told, const struct tofu_head *head,
	       u32 peer_node, u32 peer_group, u32 peer_queue);
u32 tofu_told_fifo(const struct tofu_machine *m, u32 group, u32 engine);
bool tofu_tell_room(const struct torus_nic *nic);

#endif
