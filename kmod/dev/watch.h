/* SPDX-License-Identifier: GPL-2.0 */
/* Watching a fabric's packets: tracepoints and captures. */
#ifndef TORUS_DEV_WATCH_H
#define TORUS_DEV_WATCH_H

#include <linux/jump_label.h>
#include <linux/types.h>

#include "core/state/watch.h"

struct torus_domain_watcher;
struct torus_engine;

DECLARE_STATIC_KEY_FALSE(torus_trace_key);

/**
 * struct torus_trace - what a tracepoint tells
 * @fabric: name of the fabric
 * @tick: when
 * @node: number of the node
 * @dir: direction of the link, 0 = x+, 1 = x- ..
 * @vc: the VC
 * @src: number of the packet's source
 * @dst: of its destination
 * @seq: its number at its source, from 0
 * @hops: links that it has been granted
 * @reason: of a stall enum torus_stall, of a drop enum torus_drop; else 0
 */
struct torus_trace {
	const char *fabric;
	u64 tick;
	u32 node;
	u32 dir;
	u32 vc;
	u32 src;
	u32 dst;
	u32 seq;
	u32 hops;
	u32 reason;
};

/**
 * struct torus_watching - who watches an engine's fabric (engine.lock)
 * @watchers: one a domain
 * @captures: who records
 * @on: the domains have their watchers
 */
struct torus_watching {
	struct torus_domain_watcher *watchers;
	struct list_head captures;
	bool on;
};

int torus_watch_init(struct torus_engine *e, u32 domains);
void torus_watch_free(struct torus_engine *e);
void torus_watch_turn(struct torus_engine *e, bool on);

/* trace.c */
void torus_trace_tell(const struct torus_engine *e, const struct torus_domain *d, u32 what,
		      u32 node, u32 dir, u32 vc, u64 about, const struct torus_packet *p);

#endif
