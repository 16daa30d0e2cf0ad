/* SPDX-License-Identifier: GPL-2.0 */
/* What software's packets meet before the router; inject.c describes each function. */
#ifndef TORUS_ARCH_TOFU_NIC_H
#define TORUS_ARCH_TOFU_NIC_H

#include "arch/tofu/tofu.h"

#endif
