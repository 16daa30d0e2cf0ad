/* SPDX-License-Identifier: GPL-2.0 */
/* Effects of a fault on a live link, and the wake-up of a parked link. */
#ifndef TORUS_CORE_LINK_RECOVERY_H
#define TORUS_CORE_LINK_RECOVERY_H

#include "core/link/link.h"

void torus_link_apply(struct torus_domain *d, u32 node, u32 dir, const struct torus_fault *fault,
		      bool undo, bool lasting);

void torus_link_wake(struct torus_domain *d, u32 node, u32 dir);
void torus_link_restart(struct torus_domain *d, u32 node, u32 dir);
void torus_link_hold_resend(struct torus_domain *d, u32 node, u32 dir, bool hold);
void torus_link_apply_receiver(struct torus_domain *d, u32 node, u32 dir,
			       const struct torus_fault *fault);

#endif
