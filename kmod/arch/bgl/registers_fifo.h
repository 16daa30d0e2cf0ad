/* SPDX-License-Identifier: GPL-2.0 */
/* Registers of FIFOs: watermarks 0D-0E, injection checksums 4D-54. */
#ifndef TORUS_ARCH_BGL_REGISTERS_FIFO_H
#define TORUS_ARCH_BGL_REGISTERS_FIFO_H

#include "arch/bgl/bgl.h"
#include "arch/bgl/registers.h"

bool bgl_unmasked(struct torus_fabric *f, u32 node, u32 cause);

u32 bgl_fifo_read(struct torus_fabric *f, u32 node, u32 offset);
int bgl_fifo_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		   struct torus_error *err);
void bgl_watermarks_reset(struct torus_fabric *f, u32 node);
void bgl_checksum_clear(struct torus_fabric *f, u32 node, u32 i);

#endif
