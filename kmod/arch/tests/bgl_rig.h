/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers shared by the tests that run on Blue Gene/L, in addition to the rig of the core. */
#ifndef TORUS_ARCH_TESTS_BGL_RIG_H
#define TORUS_ARCH_TESTS_BGL_RIG_H

#include "core/tests/rig.h"

/* Create a fabric of machine bgl by rig_make_arch(). */
struct torus_fabric *rig_make(const char *shape, const char *settings);

/* Check that a 4x4x4 fabric rejects workload @t with an error text that says @why. */
void rig_start_refused(const struct torus_traffic *t, const char *why);

/* Run rig_count(), and check that every count in the registers is in its range. */
void rig_census(struct torus_fabric *f);

/*
 * Run rig_empty(), and check in the registers that all tokens are back and all buffers are empty.
 */
void rig_at_rest(struct torus_fabric *f);

/* Build a packet on VC @vc with hint bits @hints. */
struct torus_packet rig_packet_on(struct torus_fabric *f, u32 src, u32 dst, u32 chunks, u32 vc,
				  u32 hints);

/*
 * Queue a packet of client @c to FIFO group @pid of node @dst; @dynamic: the routing of the packet.
 */
struct rig_message *rig_send(struct rig_client *c, u32 dst, u32 pid, u32 chunks, bool dynamic,
			     u32 mark);

/* Payload mark that names the sending client and the index of the packet in its queue. */
#define RIG_MARK(client, i)	((client) << 16 | (i))

/* Count the loss notices that client @c received for packet @number with the flags @flags. */
u32 rig_losses(const struct rig_client *c, u32 number, u32 flags);

/* Count the loss notices that client @c received with reason @reason. */
u32 rig_losses_by(const struct rig_client *c, u32 reason);

/*
 * Check how the packets of the clients ended:
 * - each accepted packet was received once by one of the clients, or reported lost once;
 * - each loss notice names a packet that its client sent;
 * - each accepted packet has completed.
 */
void rig_ends(const struct rig_client *c, u32 clients);

#endif
