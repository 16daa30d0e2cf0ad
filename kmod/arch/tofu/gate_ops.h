/* SPDX-License-Identifier: GPL-2.0 */
/* Tofu's implementation of struct torus_gate_ops (core/nic/gate.h): barrier gates for programs. */
#ifndef TORUS_ARCH_TOFU_GATE_OPS_H
#define TORUS_ARCH_TOFU_GATE_OPS_H

#include "core/nic/gate.h"

extern const struct torus_gate_ops tofu_program_gate_ops;

#endif
