/* SPDX-License-Identifier: GPL-2.0 */
/* Captures: what links carry, recorded for TORUS_IOC_CAPTURE. */
#ifndef TORUS_DEV_CAPTURE_H
#define TORUS_DEV_CAPTURE_H

#include <linux/torus.h>

#include "engine.h"
#include "watch.h"

struct torus_file;

int torus_capture_ioctl(struct torus_file *ctx, struct torus_ioc_capture __user *argp);
void torus_captures_take(struct torus_engine *e, struct torus_domain *d, u32 what, u32 node,
			 u32 dir, u32 vc, const struct torus_packet *p);
void torus_captures_mark(struct torus_engine *e);
void torus_captures_end(struct torus_engine *e);

/* Before a run: see to it that who wants to watch does (engine held). */
static inline void torus_watch_look(struct torus_engine *e)
{
	bool on = static_branch_unlikely(&torus_trace_key) || !list_empty(&e->watch.captures);

	if (unlikely(on != e->watch.on))
		torus_watch_turn(e, on);
}

/* Behind it: who captures has what was recorded. */
static inline void torus_watch_ran(struct torus_engine *e)
{
	if (unlikely(e->watch.on) && !list_empty(&e->watch.captures))
		torus_captures_mark(e);
}

#endif
