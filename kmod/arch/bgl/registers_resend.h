/* SPDX-License-Identifier: GPL-2.0 */
/* Registers 4A-4C: pointers of the resend FIFOs. */
#ifndef TORUS_ARCH_BGL_REGISTERS_RESEND_H
#define TORUS_ARCH_BGL_REGISTERS_RESEND_H

#include "arch/bgl/registers.h"

u32 bgl_resend_read(struct torus_fabric *f, u32 node, u32 offset);
int bgl_resend_own(struct torus_fabric *f, struct torus_error *err);
void bgl_resend_reset(struct torus_fabric *f, u32 node, u32 dir);
void bgl_resend_boot(struct torus_fabric *f, u32 node);
void bgl_resend_counters_reset(struct torus_fabric *f);
void bgl_resend_free(struct torus_fabric *f);
bool bgl_resend_based(struct torus_fabric *f, u32 node);
void bgl_resend_snapshot(struct torus_snapshot *snap, struct torus_fabric *f, u32 node);

#endif
