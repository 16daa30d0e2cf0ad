/* SPDX-License-Identifier: GPL-2.0 */
/* Wait until the engine of a fabric is idle. */
#ifndef TORUS_SELFTESTS_IDLE_H
#define TORUS_SELFTESTS_IDLE_H

#include "device.h"
#include "../user/lib/context/context.h"

static inline bool asleep_so(struct torus_context *context, __u32 unset)
{
	const __u32 *flags = (const __u32 *)(context->status + context->info.status_flags_offset);
	double until = now_s() + WAIT_MS / 1000;

	while ((__atomic_load_n(flags, __ATOMIC_RELAXED) & (TORUS_STATUS_DOORBELL | unset)) !=
	       TORUS_STATUS_DOORBELL) {
		if (now_s() > until)
			return false;
		usleep(1000);
	}
	return true;
}

/*
 * Wait until the engine sleeps and no task runs the fabric in its place. Do not call the module
 * meanwhile.
 */
static inline bool asleep(struct torus_context *context)
{
	return asleep_so(context, TORUS_STATUS_INLINE_RUN);
}

/*
 * Wait until the engine sleeps and has also seen a new context, whose status page starts with
 * TORUS_STATUS_HEAD set.
 */
static inline bool asleep_since(struct torus_context *context)
{
	return asleep_so(context, TORUS_STATUS_INLINE_RUN | TORUS_STATUS_HEAD);
}

#endif /* TORUS_SELFTESTS_IDLE_H */
