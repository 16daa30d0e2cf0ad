/* SPDX-License-Identifier: GPL-2.0 */
/* The struct torus_arch of the Cray XT. */
#ifndef TORUS_ARCH_XT_ARCH_H
#define TORUS_ARCH_XT_ARCH_H

#include "core/state/arch.h"

extern const struct torus_arch torus_arch_xt;

#endif
