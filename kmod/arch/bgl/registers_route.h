/* SPDX-License-Identifier: GPL-2.0 */
/* Registers of routing and arbitration: 01-07, 0B, 0C. */
#ifndef TORUS_ARCH_BGL_REGISTERS_ROUTE_H
#define TORUS_ARCH_BGL_REGISTERS_ROUTE_H

#include "arch/bgl/registers.h"

void bgl_set_bypass(struct torus_fabric *f, u32 node, const u8 *thresholds);

u32 bgl_route_value(const struct bgl_regs *r, const struct torus_geometry *g, u32 node,
		    u32 offset);
u32 bgl_route_read(struct torus_fabric *f, u32 node, u32 offset);
int bgl_route_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		    struct torus_error *err);

#endif
