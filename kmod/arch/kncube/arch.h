/* SPDX-License-Identifier: GPL-2.0 */
/* The struct torus_arch of the k-ary n-cube. */
#ifndef TORUS_ARCH_KNCUBE_ARCH_H
#define TORUS_ARCH_KNCUBE_ARCH_H

#include "core/state/arch.h"

extern const struct torus_arch torus_arch_kncube;

#endif
