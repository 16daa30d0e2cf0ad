/* SPDX-License-Identifier: GPL-2.0 */
/* Register 00: resets of parts of a node. */
#ifndef TORUS_ARCH_BGL_REGISTERS_RESET_H
#define TORUS_ARCH_BGL_REGISTERS_RESET_H

#include "arch/bgl/registers.h"

int bgl_reset_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		    struct torus_error *err);

#endif
