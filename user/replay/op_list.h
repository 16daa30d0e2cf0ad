/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of operations for each rank, built from an application's log with its loops unrolled. */
#ifndef TORUS_REPLAY_OP_LIST_H
#define TORUS_REPLAY_OP_LIST_H

#include "core/run/fabric.h"
#include "parser.h"

#define REPLAY_RANKS_BITS	20
#define REPLAY_MESSAGES_BITS	24
#define REPLAY_PACKETS_BITS	20
#define REPLAY_RANKS_MAX	(1u << REPLAY_RANKS_BITS)
/* maximum number of messages that a rank sends */
#define REPLAY_MESSAGES_MAX	(1u << REPLAY_MESSAGES_BITS)
/* maximum number of packets of a message */
#define REPLAY_PACKETS_MAX	(1u << REPLAY_PACKETS_BITS)

/**
 * struct replay_op - an operation of a rank
 * @amount: ticks of a compute; bytes of a message
 * @peer: number of the other rank; TORUS_NONE: any rank
 * @tag: tag of a message, or number of an alltoall
 * @message: number of this operation's first message, which is the number of messages that the rank
 *    sends before
 * @pair: number of earlier messages to the same rank with the same tag
 * @slot: slot of the operation's request
 * @line: line of the log
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
 * struct replay_op_list - operations of a rank, with loops unrolled
 * @ops: operations in order
 * @slots: maximum number of requests that are active at the same time
 * @messages: number of messages that the rank sends
 * @alltoalls: number of alltoalls
 */
struct replay_op_list {
	struct replay_op *ops;
	u32 count;
	u32 slots;
	u32 messages;
	u32 alltoalls;
};

/**
 * struct replay_job - operations of all ranks
 * @log: the log
 * @size: number of ranks
 * @programs: by rank: list of the rank's operations
 * @payload: number of bytes of a message that a full packet contains
 * @barrier: latency of a barrier in ticks
 * @barriers: true if the log has barriers
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
