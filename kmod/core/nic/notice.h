/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Clients are told what has become of the packets that they sent: how many have ended, and
 * which of them did not arrive (core/state/ending.h notes it where it happens).
 *
 * Between two runs, so that no client is called from two threads, and always before a fabric
 * comes to rest: torus_fabric_run() tells what ended in the run, torus_nic_poll() what the
 * readers have taken since.
 */
#ifndef TORUS_CORE_NOTICE_H
#define TORUS_CORE_NOTICE_H

#include "core/state/domain.h"

/* Something is to be told. */
void torus_notices_tell_all(struct torus_fabric *f);

/**
 * torus_notices_tell() - tell every client what is to be told
 * @f: the fabric, held
 */
torus_inline void torus_notices_tell(struct torus_fabric *f)
{
	bool any = false;
	u32 i;

	if (torus_likely(!f->sent))
		return;
	for (i = 0; i < f->ndomains; i++)
		any |= f->domain[i].losses.any;
	if (any)
		torus_notices_tell_all(f);
}

/**
 * torus_notices_waiting() - tell of packets that dead or parked links hold up
 * @f: the fabric, held
 *
 * Of those that stand first in their buffer and whose ways all begin with such a link, and
 * of those that a parked link's sender holds, each once.  They have not ended: a link may
 * live again.
 */
void torus_notices_waiting(struct torus_fabric *f);

/**
 * torus_notices_failed() - tell everybody who has packets under way that the fabric has stopped
 * @f: the fabric, held, out of memory
 */
void torus_notices_failed(struct torus_fabric *f);

/**
 * torus_notices_reset() - everything under way is about to be lost
 * @f: the fabric, held
 */
void torus_notices_reset(struct torus_fabric *f);

#endif /* TORUS_CORE_NOTICE_H */
