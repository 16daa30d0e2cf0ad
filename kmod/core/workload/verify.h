/* SPDX-License-Identifier: GPL-2.0 */
/* Checks of a workload that has been read from a file. */
#ifndef TORUS_CORE_WORKLOAD_VERIFY_H
#define TORUS_CORE_WORKLOAD_VERIFY_H

#include "core/state/snapshot_events.h"

void torus_sources_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			  const struct torus_snapshot_events *events);
void torus_processor_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			    const struct torus_snapshot_events *events,
			    const struct torus_moving *moving);

#endif /* TORUS_CORE_WORKLOAD_VERIFY_H */
