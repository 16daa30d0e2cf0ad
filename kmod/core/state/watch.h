/* SPDX-License-Identifier: GPL-2.0 */
/* The hook that shows a packet's life. */
#ifndef TORUS_CORE_WATCH_H
#define TORUS_CORE_WATCH_H

#include "core/state/domain.h"

/**
 * struct torus_watcher - who wants to see a packet's life
 * @event: called with what happened (enum torus_watch), in the domain's thread
 * @about: what more there is to tell of it, see enum torus_watch; else 0
 * @image: of TORUS_WATCH_WIRE, while it is told: the bytes that arrive, where errors have changed
 *         them; NULL: they are as torus_wire_image() makes them
 */
struct torus_watcher {
	void (*event)(struct torus_watcher *w, struct torus_domain *d, u32 what, u32 node,
		      u32 dir, u32 vc, const struct torus_packet *p);
	u64 about;
	const u8 *image;
};

/**
 * enum torus_watch - what happens to a packet
 * @TORUS_WATCH_INJECT: it enters an injection FIFO of its source
 * @TORUS_WATCH_ROUTE: it asks for its way, as the head of a queue; @about: its alternatives,
 *                     bit dir * VCs + vc of each, none where it has arrived
 * @TORUS_WATCH_STALL: it got nothing in an arbitration, as the link's counters have it; dir and
 *                     vc: what it asked for; @about: enum torus_stall
 * @TORUS_WATCH_HOP: a link is granted to it; @about: ticks until the link begins, where queues
 *                   of links are unbounded and so it is known
 * @TORUS_WATCH_ERROR: the receiver finds its CRC wrong; dir: in which it travelled
 * @TORUS_WATCH_RESEND: its sender sends it again
 * @TORUS_WATCH_DELIVER: its last byte has been received
 * @TORUS_WATCH_DROP: it goes no further; @about: enum torus_drop
 * @TORUS_WATCH_ACCEPT: the receiver of a live link takes it; dir: in which it travelled
 * @TORUS_WATCH_WIRE: a copy of it goes out on a live link; @about: TORUS_WIRE_*, what becomes of
 *                    it on the way; the receiver may discard it for what came before it
 */
enum torus_watch {
	TORUS_WATCH_INJECT,
	TORUS_WATCH_ROUTE,
	TORUS_WATCH_STALL,
	TORUS_WATCH_HOP,
	TORUS_WATCH_ERROR,
	TORUS_WATCH_RESEND,
	TORUS_WATCH_DELIVER,
	TORUS_WATCH_DROP,
	TORUS_WATCH_ACCEPT,
	TORUS_WATCH_WIRE,
};

void torus_watch_tell(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc, u64 about,
		      const struct torus_packet *p) torus_cold;

/* Does anybody watch?  Never in a build that is made to be measured beside one that can. */
torus_inline bool torus_watched(const struct torus_domain *d)
{
#ifdef TORUS_WITHOUT_WATCH
	return false;
#else
	return torus_unlikely(d->watcher);
#endif
}

torus_inline void torus_watch_about(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc,
				    u64 about, const struct torus_packet *p)
{
	if (torus_watched(d))
		torus_watch_tell(d, what, node, dir, vc, about, p);
}

torus_inline void torus_watch(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc,
			      const struct torus_packet *p)
{
	torus_watch_about(d, what, node, dir, vc, 0, p);
}

#endif /* TORUS_CORE_WATCH_H */
