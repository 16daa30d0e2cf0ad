/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How users' packets end: noted where it happens, in the thread of that node's domain, and
 * told to whoever sent them between two runs (core/nic/notice.h).  Out of band: a note takes
 * no event, no simulated time and no place in the network, so nothing that is measured or
 * hashed can tell whether somebody listens, nor in how many domains the fabric is divided.
 *
 * A packet that arrives is only counted, at its source; of one that does not there is a
 * record.  A broadcast is a packet and the copies that it leaves on its way: each of these
 * ends by itself, and whoever counts waits for all.
 */
#ifndef TORUS_CORE_ENDING_H
#define TORUS_CORE_ENDING_H

#include "core/env.h"

struct torus_domain;
struct torus_fabric;
struct torus_packet;

/**
 * struct torus_sent - what has become of a FIFO group's packets
 * @generation: of the group while its client wants to know; 0: nobody does
 * @ended: packets that have come to an end, modulo 2^32; broadcasts without their copies
 * @copies: copies of its broadcasts that have not
 * @missed: those lost of which there is no record, for want of memory
 *
 * Threads of several domains add to all but @generation, which changes while the fabric is
 * held.
 */
struct torus_sent {
	u32 generation;
	u32 ended;
	u32 copies;
	u32 missed;
};

/**
 * struct torus_loss - a packet that did not arrive
 * @tick: when it ended
 * @src: its source
 * @generation: of the group that sent it
 * @number: by which its sender knows it
 * @node: where it ended
 * @dst: its destination
 * @reason: enum torus_drop or TORUS_NOTICE_*
 * @sender: FIFO group that sent it
 * @fifo: injection FIFO of that
 * @group: FIFO group that it was sent to
 * @flags: TORUS_NOTICE_COPY, TORUS_NOTICE_ALL
 */
struct torus_loss {
	u64 tick;
	u32 src;
	u32 generation;
	u32 number;
	u32 node;
	u32 dst;
	u32 reason;
	u8 sender;
	u8 fifo;
	u8 group;
	u8 flags;
};

/* Records of a domain that are still to be told; what is more is only counted. */
#define TORUS_LOSSES_MAX	(1u << 16)

/**
 * struct torus_losses - packets of users that ended in a domain, and that nobody was told of
 * @list: records
 * @count: how many
 * @room: how many there is memory for
 * @any: some packet has ended, lost or not
 */
struct torus_losses {
	struct torus_loss *list;
	u32 count;
	u32 room;
	bool any;
};

void torus_ending_copied(struct torus_domain *d, const struct torus_packet *copy);
void torus_ending_delivered(struct torus_domain *d, const struct torus_packet *p);
void torus_ending_lost(struct torus_domain *d, u32 node, const struct torus_packet *p, u32 reason);
void torus_ending_not_copied(struct torus_domain *d, u32 node, const struct torus_packet *p,
			     u32 reason);

void torus_ending_unknown(struct torus_domain *d, u32 node, u32 group);

void torus_losses_free(struct torus_domain *d);

#endif /* TORUS_CORE_ENDING_H */
