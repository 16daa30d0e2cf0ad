/* SPDX-License-Identifier: GPL-2.0 */
/* Two neighbours and the link between them, for the tests of link errors. */
#ifndef TORUS_ARCH_TESTS_LINK_PAIR_H
#define TORUS_ARCH_TESTS_LINK_PAIR_H

#include "arch/tests/bgl_rig.h"

#define XP	0
#define XM	1

#define WATCH	(1u << TORUS_TRACE_HOP | 1u << TORUS_TRACE_DELIVER | 1u << TORUS_TRACE_DROP | \
		 1u << TORUS_TRACE_RESEND | 1u << TORUS_TRACE_ERROR)

#define PER_MILLION	(~0ull / 1000000)	/* one error per million bits, in units of 2^-64 */

/*
 * A ring of four nodes. Packets go from node 0 to node 1 through one FIFO on one VC, and so arrive
 * in order.
 */
struct link_pair {
	struct torus_fabric *f;
	struct rig_trace trace;
	u32 first;
	u32 sent;
};

void pair_open(struct link_pair *p, const char *settings, u32 seed);
void pair_send(struct link_pair *p, u32 packets, u32 chunks);

/* Check that all packets have arrived, once and in order, and that the network is empty. */
void pair_close(struct link_pair *p);

/* Inject fault @what with count @number on link x+ of node 0. */
void link_set(struct torus_fabric *f, u32 what, u32 number);

/* Take a link down in ticks @at .. @at + @lasts; @lasts 0: for good. */
void link_down(struct torus_fabric *f, u32 node, u32 dir, u64 at, u64 lasts);
void link_ber(struct torus_fabric *f, u64 rate, u64 at, u64 lasts);

#endif
