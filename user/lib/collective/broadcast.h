/* SPDX-License-Identifier: GPL-2.0 */
/* State of a broadcast at one of its ranks. */
#ifndef TORUS_LIB_BROADCAST_H
#define TORUS_LIB_BROADCAST_H

#include <torus/collective.h>
#include <stdint.h>
#include "../job/job.h"
#include "broadcast_plan.h"

/*
 * Upper bound of the streams of one rank: 2 colours for each leading dimension; 1 turn for a torus
 * and 2 for a mesh dimension, and 1 for the wrap-around link.
 */
#define BROADCAST_STREAMS_MAX	18

#define BROADCAST_CHILDREN	4	/* children of a rank in a broadcast by messages */
#define BROADCAST_STEPS_MAX	12	/* greatest depth of the tree of messages */

_Static_assert(TORUS_JOB_RANKS_MAX <= 1u << 2 * BROADCAST_STEPS_MAX, "a tree is not higher");

/**
 * struct broadcast_stream - packets of one colour that a rank injects in one direction
 * @header: the machine's header of the packets; only the length is set for each packet
 * @fifo: injection FIFO
 * @next: number of the next packet to inject; packets of a colour are numbered in steps of the
 *        number of colours
 *
 * Packets that have arrived and are not injected yet stay in the program's buffer.  @next and the
 * broadcast's @seen identify these packets.  So the library needs no memory for them, even if the
 * injection FIFOs stay full for a long time.
 */
struct broadcast_stream {
	unsigned char header[TORUS_MACHINE_HEADER_MAX];
	unsigned int fifo;
	uint32_t next;
};

/**
 * struct torus_broadcast - a broadcast in progress
 * @next: next in the job's list
 * @prev: previous in the job's list
 * @root: rank of the root
 * @along: TORUS_BROADCAST_*
 * @number: number of the broadcast, counted for @root and @along
 * @length: length in bytes
 * @packets: number of packets
 * @missing: number of packets not received yet
 * @colours: number of colours among which the packets are divided
 * @data: the bytes: buffer of the program, or while @early memory of the library
 * @early: the program has not started the broadcast yet
 * @error: 0, -EBADMSG or -EMSGSIZE
 * @memory: bytes accounted for in the job
 * @seen: one bit per packet, set when the packet has arrived; NULL at the root, which has all bytes
 * @trailer: CRC-32 that follows the bytes
 * @streams: packets that this rank injects, by colour and direction
 * @count: number of @streams
 * @tree: the broadcast uses messages, see broadcast_tree.c; then @missing is 1 until the parent's
 *        message has arrived
 * @above: parent rank, TORUS_RANK_NONE at the root
 * @way: ranks on the path to the root, @above first and the root last
 * @steps: number of ranks in @way
 * @lost: the parent's message, or a part of it, was lost
 * @lost_number: number of the lost message of the parent
 * @below: child ranks
 * @children: number of children
 * @begun: number of children for which the message is queued
 * @sends: handles of the messages to the children
 * @unsent: error of a message that could not be queued or sent; 0: none
 */
struct torus_broadcast {
	struct torus_broadcast *next;
	struct torus_broadcast *prev;
	uint32_t root;
	uint32_t along;
	uint32_t number;
	uint32_t length;
	uint32_t packets;
	uint32_t missing;
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
	uint32_t above;
	uint32_t way[BROADCAST_STEPS_MAX];
	unsigned int steps;
	bool lost;
	uint32_t lost_number;
	uint32_t below[BROADCAST_CHILDREN];
	unsigned int children;
	unsigned int begun;
	struct torus_send *sends[BROADCAST_CHILDREN];
	int unsent;
};

int torus_broadcast_new(struct torus_job *job, const struct peer *root, uint32_t along,
			uint32_t number, void *data, uint32_t length, bool early,
			struct torus_broadcast **new);

#endif /* TORUS_LIB_BROADCAST_H */
