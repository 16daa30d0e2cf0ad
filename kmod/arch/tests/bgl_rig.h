/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests that run on Blue Gene/L share besides core's rig. */
#ifndef TORUS_ARCH_TESTS_BGL_RIG_H
#define TORUS_ARCH_TESTS_BGL_RIG_H

#include "core/tests/rig.h"

/* A fabric, as rig_make_arch() makes it. */
struct torus_fabric *rig_make(const char *shape, const char *settings);

/* rig_count(), and every count that registers tell in its range. */
void rig_census(struct torus_fabric *f);

/* rig_empty(), and in the registers all tokens back and all buffers empty. */
void rig_at_rest(struct torus_fabric *f);

/* A packet on a VC of one's choice, with hints of one's choice. */
struct torus_packet rig_packet_on(struct torus_fabric *f, u32 src, u32 dst, u32 chunks, u32 vc,
				  u32 hints);

/* Queue a packet of the client: dynamic or deterministic, to (@dst, @pid). */
struct rig_message *rig_send(struct rig_client *c, u32 dst, u32 pid, u32 chunks, bool dynamic,
			     u32 mark);

#endif
