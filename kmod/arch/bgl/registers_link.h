/* SPDX-License-Identifier: GPL-2.0 */
/* Registers of links: 08-0A, 12, the link part of 1E, 32-4C. */
#ifndef TORUS_ARCH_BGL_REGISTERS_LINK_H
#define TORUS_ARCH_BGL_REGISTERS_LINK_H

#include "arch/bgl/registers.h"

u32 bgl_link_read(struct torus_fabric *f, u32 node, u32 offset);
int bgl_link_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		   struct torus_error *err);
u32 bgl_disabled(struct torus_fabric *f, u32 node);
int bgl_links_set(struct torus_fabric *f, u32 node, u32 disable, u32 links,
		  struct torus_error *err);
int bgl_clear_write(struct torus_fabric *f, u32 node, u32 offset, u32 value,
		    struct torus_error *err);

#endif
