/* SPDX-License-Identifier: GPL-2.0 */
/* Checks of live links that have been read from a file. */
#ifndef TORUS_CORE_LINK_VERIFY_H
#define TORUS_CORE_LINK_VERIFY_H

#include "core/state/snapshot_events.h"

void torus_links_verify(struct torus_snapshot *snap, struct torus_domain *d, u32 node,
			const struct torus_snapshot_events *events,
			const struct torus_moving *moving);

#endif /* TORUS_CORE_LINK_VERIFY_H */
