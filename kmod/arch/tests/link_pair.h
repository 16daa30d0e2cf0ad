/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two neighbours and the link between them, for the tests of what goes wrong there.
 */
#ifndef TORUS_ARCH_TESTS_LINK_PAIR_H
#define TORUS_ARCH_TESTS_LINK_PAIR_H

#include "arch/tests/bgl_rig.h"

#define XP	0
#define XM	1

#define WATCH	(1u << TORUS_WATCH_HOP | 1u << TORUS_WATCH_DELIVER | 1u << TORUS_WATCH_DROP | \
		 1u << TORUS_WATCH_RESEND | 1u << TORUS_WATCH_ERROR)

#define PER_MILLION	(~0ull / 1000000)	/* of a bit-error rate */

/* A ring of four, packets from node 0 to node 1, all through one FIFO: one VC, one order. */
struct pair {
	struct torus_fabric *f;
	struct rig_trace trace;
	u32 first;
	u32 sent;
};

void pair_open(struct pair *p, const char *settings, u32 seed);
void pair_send(struct pair *p, u32 packets, u32 chunks);

/* Everything has arrived, once and in order, and nothing is left behind. */
void pair_close(struct pair *p);

/* Node 0's link x+: any fault that takes a number */
void link_set(struct torus_fabric *f, u32 what, u32 number);

/* State down in ticks @at .. @at + @lasts. */
void link_down(struct torus_fabric *f, u32 node, u32 dir, u64 at, u64 lasts);
void link_ber(struct torus_fabric *f, u64 rate, u64 at, u64 lasts);

#endif
