/* SPDX-License-Identifier: GPL-2.0 */
/* A workload in a saved state. */
#ifndef TORUS_CORE_WORKLOAD_CARRY_H
#define TORUS_CORE_WORKLOAD_CARRY_H

#include "core/workload/workload.h"

void torus_workload_carry(struct torus_snapshot *snap, struct torus_fabric *f);
void torus_source_carry(struct torus_snapshot *snap, struct torus_domain *d, u32 node);

#endif
