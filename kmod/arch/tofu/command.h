/* SPDX-License-Identifier: GPL-2.0 */
/* Validate the commands of programs, and convert them to flows. */
#ifndef TORUS_ARCH_TOFU_COMMAND_H
#define TORUS_ARCH_TOFU_COMMAND_H

#include "arch/tofu/engine.h"

bool tofu_command(struct torus_domain *d, const struct torus_nic *nic, u32 fifo, const u8 *bytes,
		  u32 chunks, u32 *code);
bool tofu_commands_full(struct torus_domain *d, const struct torus_nic *nic, u32 fifo);

#endif
