/* SPDX-License-Identifier: GPL-2.0 */
/* The clocks of an engine in virtual time: run the fabric by them, find one that stalls. */
#ifndef TORUS_DEV_VTIME_CLOCK_H
#define TORUS_DEV_VTIME_CLOCK_H

#include <linux/types.h>

#include "dev/engine/client.h"

struct torus_engine;
struct torus_error;

int torus_clock_add(struct torus_engine *e, struct torus_engine_clock *clock,
		    const struct torus_vtime_client_ops *ops, struct torus_error *why);
void torus_clock_moved(struct torus_engine *e, struct torus_engine_clock *clock);
struct torus_engine_client *torus_clock_last(struct torus_engine *e);
u64 torus_clock_stalled_ms(struct torus_engine *e, const struct torus_engine_clock *clock);

extern const struct torus_vtime_ops torus_clock_vtime_ops;

#endif
