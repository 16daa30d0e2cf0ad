/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a broadcast is at one of its ranks.
 */
#ifndef TORUS_LIB_BROADCAST_H
#define TORUS_LIB_BROADCAST_H

#include <torus/collective.h>
#include "../job/job.h"
#include "broadcast_plan.h"

/* With a torus to lead: 2 colours for each, 1 turn a torus and 2 a mesh dimension, 1 wrap. */
#define BROADCAST_STREAMS_MAX	18

#define BROADCAST_CHILDREN	4	/* of a rank in the tree, where packets leave no copies */
#define BROADCAST_STEPS_MAX	12	/* from any rank in the tree to the root */

_Static_assert(TORUS_JOB_RANKS_MAX <= 1u << 2 * BROADCAST_STEPS_MAX, "a tree is not higher");

/**
 * struct broadcast_stream - packets of one colour that go on in one direction
 * @header: the machine's header, of any length
 * @fifo: injection FIFO
 * @next: number of the next packet to inject; the colour's packets follow each other
 *        in steps of the number of colours
 *
 * What has come and not gone on yet is in the program's buffer, and known by @next
 * and by the broadcast's bits of what has come: so nothing is allocated, however
 * long the injection FIFOs are full.
 */
struct broadcast_stream {
	unsigned char header[TORUS_MACHINE_HEADER_MAX];
	unsigned int fifo;
	__u32 next;
};

/**
 * struct torus_broadcast - a broadcast that is going on
 * @next: in the job's list
 * @prev: likewise
 * @root: rank of the root
 * @along: TORUS_BROADCAST_*
 * @number: of the root's broadcasts along these dimensions
 * @length: bytes
 * @packets: their packets
 * @missing: packets not yet received
 * @colours: among which the packets are dealt out
 * @data: the bytes: the program's, or while @early ours
 * @early: the program has not asked for it yet
 * @error: 0, -EBADMSG or -EMSGSIZE
 * @memory: bytes accounted for in the job
 * @seen: a bit for each packet received; NULL at the root, which has them all
 * @trailer: CRC-32 that follows the bytes
 * @streams: what this rank injects
 * @count: how many of them
 * @tree: it goes by messages, see broadcast_tree.c; @missing is that from above then
 * @above: rank that it comes from, TORUS_RANK_NONE at the root
 * @way: the ranks that it passes, @above first and the root last
 * @steps: their number
 * @lost: the message from above was lost, or a part of it
 * @lost_number: of that message
 * @below: ranks that it goes on to
 * @children: how many
 * @begun: to how many the message has been begun
 * @sends: those messages
 * @unsent: 0, or why one was not begun
 */
struct torus_broadcast {
	struct torus_broadcast *next;
	struct torus_broadcast *prev;
	__u32 root;
	__u32 along;
	__u32 number;
	__u32 length;
	__u32 packets;
	__u32 missing;
	unsigned int colours;
	unsigned char *data;
	bool early;
	int error;
	__u64 memory;
	unsigned char *seen;
	unsigned char trailer[MSG_TRAILER_MAX];
	struct broadcast_stream streams[BROADCAST_STREAMS_MAX];
	unsigned int count;
	bool tree;
	__u32 above;
	__u32 way[BROADCAST_STEPS_MAX];
	unsigned int steps;
	bool lost;
	__u32 lost_number;
	__u32 below[BROADCAST_CHILDREN];
	unsigned int children;
	unsigned int begun;
	struct torus_send *sends[BROADCAST_CHILDREN];
	int unsent;
};

int torus_broadcast_new(struct torus_job *job, const struct peer *root, __u32 along,
			__u32 number, void *data, __u32 length, bool early,
			struct torus_broadcast **new);

#endif /* TORUS_LIB_BROADCAST_H */
