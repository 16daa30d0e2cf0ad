/* SPDX-License-Identifier: GPL-2.0 */
/* A workload in a snapshot. */
#ifndef TORUS_CORE_WORKLOAD_SNAPSHOT_H
#define TORUS_CORE_WORKLOAD_SNAPSHOT_H

#include "core/workload/workload.h"

void torus_workload_snapshot(struct torus_snapshot *snap, struct torus_fabric *f);
void torus_source_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node);

#endif
