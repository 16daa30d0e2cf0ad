/* SPDX-License-Identifier: GPL-2.0 */
/* The operations of each rank, from an application's log with its loops unrolled. */
#ifndef TORUS_REPLAY_OP_LIST_H
#define TORUS_REPLAY_OP_LIST_H

#include "core/run/fabric.h"
#include "parser.h"

#define REPLAY_RANKS_BITS	20
#define REPLAY_MESSAGES_BITS	24
#define REPLAY_PACKETS_BITS	20
#define REPLAY_RANKS_MAX	(1u << REPLAY_RANKS_BITS)
#define REPLAY_MESSAGES_MAX	(1u << REPLAY_MESSAGES_BITS)	/* of a rank */
#define REPLAY_PACKETS_MAX	(1u << REPLAY_PACKETS_BITS)	/* of a message */

/**
 * struct replay_op - one thing that a rank does
 * @amount: ticks of compute, bytes of a message
 * @peer: the other rank; TORUS_NONE: any
 * @tag: of the message; number of an alltoall
 * @message: messages that the rank has sent before; number of the first that this op sends
 * @pair: messages sent before to the same rank with the same tag
 * @slot: of the request
 * @line: of the log
 * @kind: enum replay_kind
 */
struct replay_op {
	u64 amount;
	u32 peer;
	u32 tag;
	u32 message;
	u32 pair;
	u32 slot;
	u32 line;
	u32 kind;
};

/**
 * struct replay_op_list - what one rank does, loops unrolled
 * @ops: in order
 * @count: number of operations
 * @slots: requests at a time
 * @messages: that it sends
 * @alltoalls: that it takes part in
 */
struct replay_op_list {
	struct replay_op *ops;
	u32 count;
	u32 slots;
	u32 messages;
	u32 alltoalls;
};

/**
 * struct replay_job - all ranks
 * @log: the log that tells what the ranks do
 * @size: number of ranks
 * @programs: of each rank
 * @payload: bytes of a message in a packet
 * @barrier: latency of a barrier, ticks
 * @barriers: there are some
 */
struct replay_job {
	struct replay_log *log;
	u32 size;
	struct replay_op_list *programs;
	u32 payload;
	u64 barrier;
	bool barriers;
};

bool replay_job_make(struct replay_job *job, struct replay_log *log,
		     const struct torus_config *config);
void replay_job_free(struct replay_job *job);
const struct replay_op *replay_op_list_find(const struct replay_op_list *program, u32 message);
u32 replay_job_packets(const struct replay_job *job, u64 bytes);

#endif /* TORUS_REPLAY_OP_LIST_H */
