/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests that run on Blue Gene/L share besides core's rig. */
#ifndef TORUS_ARCH_TESTS_BGL_RIG_H
#define TORUS_ARCH_TESTS_BGL_RIG_H

#include "core/tests/rig.h"

/* A fabric, as rig_make_arch() makes it. */
struct torus_fabric *rig_make(const char *shape, const char *settings);

/* A fabric of 4x4x4 refuses a workload in these words. */
void rig_start_refused(const struct torus_traffic *t, const char *why);

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

/* A mark that says which client sent a packet, and as which of its packets. */
#define RIG_MARK(client, i)	((client) << 16 | (i))

/* How often a client was told that one of its packets was lost, with these flags. */
u32 rig_losses(const struct rig_client *c, u32 number, u32 flags);

/* How often it was told that something was lost for this reason. */
u32 rig_losses_by(const struct rig_client *c, u32 reason);

/*
 * Each packet of these clients that was accepted has been received once by one of them, or was
 * told once to be lost; all that they were told they have sent, and all has ended.
 */
void rig_ends(const struct rig_client *c, u32 clients);

#endif
