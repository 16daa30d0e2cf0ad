/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Completions: the end of each user's packet, delivered or lost. The thread of the domain in which
 * a packet ends counts or records it. core/nic/completion_report.h reports it to the sender between
 * two runs. This is out of band: it takes no event, no simulated time and no space in the network.
 * Therefore no measurement or hash depends on whether a client asks for completions, or on the
 * number of domains.
 *
 * A packet that arrives is only counted, in the counts of its sender's group. A packet that does
 * not arrive leaves a record. A broadcast consists of the packet and of the copies that it leaves
 * on its way. Each of them ends independently; the broadcast completes when all have ended.
 */
#ifndef TORUS_CORE_STATE_COMPLETION_H
#define TORUS_CORE_STATE_COMPLETION_H

#include "core/platform.h"

struct torus_domain;
struct torus_fabric;
struct torus_packet;

/**
 * struct torus_completions - completion counts of a FIFO group's packets
 * @generation: generation of the group if its client asks for completions, else 0
 * @ended: number of packets that have ended, modulo 2^32; broadcasts count without their copies
 * @copies: number of copies of broadcasts that have not ended
 * @missed: number of lost packets without a record: memory was short, the list was full
 *          (TORUS_LOST_PACKETS_MAX), or no packet's data is known (torus_completion_unknown())
 *
 * Threads of several domains add to all members except @generation, which changes only while the
 * fabric is locked.
 */
struct torus_completions {
	u32 generation;
	u32 ended;
	u32 copies;
	u32 missed;
};

/**
 * struct torus_lost_packet - record of a packet that did not arrive
 * @tick: tick at which the packet ended
 * @src: index of the source
 * @generation: generation of the group that sent it
 * @number: the sender's number of the packet
 * @node: index of the node where the packet ended
 * @dst: index of the destination
 * @reason: enum torus_drop or TORUS_NOTICE_*
 * @sender: FIFO group that sent it
 * @fifo: injection FIFO of @sender
 * @group: FIFO group of the destination
 * @flags: TORUS_NOTICE_COPY, TORUS_NOTICE_ALL, TORUS_NOTICE_WAITS
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
