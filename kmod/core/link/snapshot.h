/* SPDX-License-Identifier: GPL-2.0 */
/* Live links in a snapshot. */
#ifndef TORUS_CORE_LINK_SNAPSHOT_H
#define TORUS_CORE_LINK_SNAPSHOT_H

#include "core/link/fault.h"
#include "core/link/link.h"

void torus_faults_snapshot(struct torus_snapshot *snap, struct torus_fabric *f);

void torus_links_snapshot(struct torus_snapshot *snap, struct torus_fabric *f);
void torus_link_snapshot(struct torus_snapshot *snap, struct torus_domain *d, u32 node, u32 dir);

#endif
