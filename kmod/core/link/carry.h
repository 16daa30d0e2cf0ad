/* SPDX-License-Identifier: GPL-2.0 */
/* Links in a saved state. */
#ifndef TORUS_CORE_LINK_CARRY_H
#define TORUS_CORE_LINK_CARRY_H

#include "core/link/fault.h"
#include "core/link/link.h"

void torus_faults_carry(struct torus_snapshot *snap, struct torus_fabric *f);

void torus_links_carry(struct torus_snapshot *snap, struct torus_fabric *f);
void torus_link_carry(struct torus_snapshot *snap, struct torus_domain *d, u32 node, u32 dir);

#endif
