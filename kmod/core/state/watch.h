/* SPDX-License-Identifier: GPL-2.0 */
/* The hook that shows a packet's life. */
#ifndef TORUS_CORE_WATCH_H
#define TORUS_CORE_WATCH_H

#include "core/state/domain.h"

/**
 * struct torus_watcher - who wants to see a packet's life
 * @event: called with what happened (enum torus_watch), in the domain's thread
 */
struct torus_watcher {
	void (*event)(struct torus_watcher *w, struct torus_domain *d, u32 what, u32 node,
		      u32 dir, u32 vc, const struct torus_packet *p);
};

enum torus_watch {
	TORUS_WATCH_INJECT,
	TORUS_WATCH_HOP,
	TORUS_WATCH_STALL,
	TORUS_WATCH_ERROR,
	TORUS_WATCH_RESEND,
	TORUS_WATCH_DELIVER,
	TORUS_WATCH_DROP,
	TORUS_WATCH_ACCEPT,	/* by the receiver of a live link, which travelled in dir */
};

torus_inline void torus_watch(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc,
			      const struct torus_packet *p)
{
	if (torus_unlikely(d->watcher))
		d->watcher->event(d->watcher, d, what, node, dir, vc, p);
}

#endif /* TORUS_CORE_WATCH_H */
