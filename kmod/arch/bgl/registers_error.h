/* SPDX-License-Identifier: GPL-2.0 */
/* Registers of errors: thresholds, masks, counters, and the interrupts that they raise. */
#ifndef TORUS_ARCH_BGL_REGISTERS_ERROR_H
#define TORUS_ARCH_BGL_REGISTERS_ERROR_H

#include "arch/bgl/bgl.h"
#include "arch/bgl/registers.h"

void bgl_error(struct torus_fabric *f, u32 node, u32 what, u32 dir, u32 vc);
void bgl_errors_free(struct torus_fabric *f);
bool bgl_errors_written(struct torus_fabric *f, u32 node);
void bgl_errors_snapshot(struct torus_snapshot *snap, struct torus_fabric *f, u32 node);
void bgl_error_refused(struct torus_fabric *f, u32 node, const u8 *bytes, u32 code);

u32 bgl_error_read(struct torus_fabric *f, u32 node, u32 offset);
int bgl_error_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		    struct torus_error *err);
u32 bgl_error_boot_value(u32 offset);
void bgl_error_clear(struct torus_fabric *f, u32 node, u32 offset);
void bgl_errors_reset(struct torus_fabric *f, u32 node);

#endif
