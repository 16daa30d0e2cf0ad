// SPDX-License-Identifier: GPL-2.0
/* The hook that shows a packet's life, where somebody watches. */
#include "core/state/watch.h"

/**
 * torus_watch_tell() - tell a domain's watcher what happens to a packet
 * @d: the domain, which has a watcher
 * @what: enum torus_watch
 * @node: where
 * @dir: on which link, where it is about one
 * @vc: on which VC, likewise
 * @about: what more there is to tell, see enum torus_watch
 * @p: the packet
 */
void torus_watch_tell(struct torus_domain *d, u32 what, u32 node, u32 dir, u32 vc, u64 about,
		      const struct torus_packet *p)
{
	d->watcher->about = about;
	d->watcher->event(d->watcher, d, what, node, dir, vc, p);
}
