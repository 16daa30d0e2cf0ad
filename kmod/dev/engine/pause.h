/* SPDX-License-Identifier: GPL-2.0 */
/* Pause of a fabric: its clock stands still, and real time does not count. */
#ifndef TORUS_DEV_ENGINE_PAUSE_H
#define TORUS_DEV_ENGINE_PAUSE_H

#include <linux/types.h>

#include "group_owner.h"

struct torus_engine;

/* Size of the reason of a pause, with its NUL. */
#define TORUS_PAUSE_TEXT	96

/**
 * struct torus_pause - pause of an engine's fabric (engine.lock)
 * @count: number of pauses since the fabric was created
 * @since: jiffies when the current pause began
 * @before: jiffies of all earlier pauses together
 * @by: process that paused the fabric
 * @why: reason why the fabric has stopped
 */
struct torus_pause {
	u32 count;
	unsigned long since;
	unsigned long before;
	struct torus_group_owner by;
	char why[TORUS_PAUSE_TEXT];
};

unsigned long torus_pause_jiffies(const struct torus_engine *e);
void torus_pause_begin(struct torus_engine *e, const char *why);
void torus_pause_report(struct torus_engine *e, const char *why);
void torus_pause_end(struct torus_engine *e);

#endif
