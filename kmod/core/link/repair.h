/* SPDX-License-Identifier: GPL-2.0 */
/* Changes of a live link by a fault, and a parked link that wakes. */
#ifndef TORUS_CORE_LINK_REPAIR_H
#define TORUS_CORE_LINK_REPAIR_H

#include "core/link/link.h"

void torus_link_apply(struct torus_domain *d, u32 node, u32 dir, const struct torus_fault *fault,
		      bool undo, bool lasting);

void torus_link_wake(struct torus_domain *d, u32 node, u32 dir);
void torus_link_restart(struct torus_domain *d, u32 node, u32 dir);
void torus_link_hold_resend(struct torus_domain *d, u32 node, u32 dir, bool hold);
void torus_link_apply_receiver(struct torus_domain *d, u32 node, u32 dir,
			       const struct torus_fault *fault);

#endif
