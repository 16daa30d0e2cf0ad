/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Completions: how each packet of a user ended.  The thread of the domain in which a packet ends
 * counts or records it; core/nic/completion_report.h reports it to the sender between two runs.
 * This is out of band: it takes no event, no simulated time and no place in the network.  So no
 * measurement or hash depends on whether a client asks for completions, or on the number of
 * domains.
 *
 * A packet that arrives is only counted, at its source.  A packet that does not arrive leaves a
 * record.  A broadcast is a packet, and the copies that it leaves on its way.  Each of them ends by
 * itself, and the broadcast completes when all have ended.
 */
#ifndef TORUS_CORE_STATE_COMPLETION_H
#define TORUS_CORE_STATE_COMPLETION_H

#include "core/env.h"

struct torus_domain;
struct torus_fabric;
struct torus_packet;

/**
 * struct torus_completions - completion counts of a FIFO group's packets
 * @generation: generation of the group if its client asks for completions, else 0
 * @ended: packets that have ended, modulo 2^32; broadcasts without their copies
 * @copies: copies of broadcasts that have not ended
 * @missed: lost packets without a record, because memory was short
 *
 * Threads of several domains add to all but @generation, which changes while the fabric is
 * held.
 */
struct torus_completions {
	u32 generation;
	u32 ended;
	u32 copies;
	u32 missed;
};

/**
 * struct torus_lost_packet - record of a packet that did not arrive
 * @tick: tick in which it ended
 * @src: its source
 * @generation: generation of the group that sent it
 * @number: the sender's number of the packet
 * @node: node where it ended
 * @dst: its destination
 * @reason: enum torus_drop or TORUS_NOTICE_*
 * @sender: FIFO group that sent it
 * @fifo: injection FIFO of that
 * @group: FIFO group that it was sent to
 * @flags: TORUS_NOTICE_COPY, TORUS_NOTICE_ALL
 */
struct torus_lost_packet {
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

/* Maximum records of a domain that wait to be reported.  Further losses are only counted. */
#define TORUS_LOST_PACKETS_MAX	(1u << 16)

/**
 * struct torus_lost_packets - records of a domain that wait to be reported
 * @list: records
 * @count: number of records
 * @cap: capacity of @list
 * @any: a packet has ended since the last report, lost or not
 */
struct torus_lost_packets {
	struct torus_lost_packet *list;
	u32 count;
	u32 cap;
	bool any;
};

void torus_completion_copied(struct torus_domain *d, const struct torus_packet *copy);
void torus_completion_delivered(struct torus_domain *d, const struct torus_packet *p);
void torus_completion_lost(struct torus_domain *d, u32 node, const struct torus_packet *p,
			   u32 reason);
void torus_completion_not_copied(struct torus_domain *d, u32 node, const struct torus_packet *p,
				 u32 reason);

void torus_completion_unknown(struct torus_domain *d, u32 node, u32 group);

void torus_lost_packets_free(struct torus_domain *d);

#endif /* TORUS_CORE_STATE_COMPLETION_H */
