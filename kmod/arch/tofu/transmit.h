/* SPDX-License-Identifier: GPL-2.0 */
/* Transmission of engines: segment flows into packets as injection slots have space. */
#ifndef TORUS_ARCH_TOFU_TRANSMIT_H
#define TORUS_ARCH_TOFU_TRANSMIT_H

#include "arch/tofu/engine.h"

void tofu_engine_refill(struct torus_domain *d, u32 node);

#endif
