/* SPDX-License-Identifier: GPL-2.0 */
/* Barrier gates as programs have them (core/nic/gate.h). */
#ifndef TORUS_ARCH_TOFU_PROGRAMS_H
#define TORUS_ARCH_TOFU_PROGRAMS_H

#include "core/nic/gate.h"

extern const struct torus_gate_ops tofu_gate_programs;

#endif
