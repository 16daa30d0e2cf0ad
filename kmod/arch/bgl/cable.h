/* SPDX-License-Identifier: GPL-2.0 */
/* Kinds of cables: within a midplane, between midplanes, between racks. */
#ifndef TORUS_ARCH_BGL_CABLE_H
#define TORUS_ARCH_BGL_CABLE_H

#include "core/base/geometry.h"

u32 bgl_cable(u32 dim, u32 length, u32 upper);
u32 bgl_cable_of(const struct torus_geometry *g, u32 node, u32 dir);

#endif
