/* SPDX-License-Identifier: GPL-2.0 */
/* Declares the struct torus_arch of Blue Gene/L. */
#ifndef TORUS_ARCH_BGL_ARCH_H
#define TORUS_ARCH_BGL_ARCH_H

#include "core/state/arch.h"

extern const struct torus_arch torus_arch_bgl;

#endif
