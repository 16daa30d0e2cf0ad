/* SPDX-License-Identifier: GPL-2.0 */
/* Run the operations of a rank as a client of the NIC of its node. */
#ifndef TORUS_REPLAY_RANK_H
#define TORUS_REPLAY_RANK_H

#include "match.h"

#define REPLAY_FIFOS_MAX	8

/* Where a rank's time goes. */
enum replay_time {
	REPLAY_TIME_COMPUTE,
	REPLAY_TIME_SEND,	/* blocked in send */
	REPLAY_TIME_WAIT,	/* in recv, wait, waitall and alltoall */
	REPLAY_TIME_BARRIER,
	REPLAY_TIMES,
};

/**
 * struct replay_ranks - what all ranks share
 * @job: what they do
 * @fabric: their machine
 * @arch: which that is
 * @fifos_left: injection FIFOs that nothing goes by: of priority packets, and of another class
 * @ranks: all ranks
 * @here: ranks that this process runs: all, but where several processes simulate together
 * @waiting: of those, ranks that wait in a barrier
 * @ended: ranks that have done all
 * @failed: ranks that cannot go on
 */
struct replay_ranks {
	const struct replay_job *job;
	struct torus_fabric *fabric;
	const struct torus_arch *arch;
	u32 fifos_left;
	struct replay_rank *ranks;
	u32 here;
	u32 waiting;
	u32 ended;
	u32 failed;
};

/**
 * struct replay_outgoing - a message on its way into an injection FIFO
 * @op: what sends it; NULL: none
 * @dst: its destination
 * @message: its number
 * @packet: next packet
 * @packets: number of its packets
 */
struct replay_outgoing {
	const struct replay_op *op;
	u32 dst;
	u32 message;
	u32 packet;
	u32 packets;
};

/**
 * struct replay_told - how a rank did: what other processes of torus-sim need to know of it
 * @number: its rank
 * @at: operation in hand
 * @receive: what it waits for in a deadlock
 * @receives: there is such a one
 * @ended: all was done
 * @end: tick when it was
 * @refused: code of a packet that the NIC refused
 * @unclaimed: messages that came and were not received
 * @time: ticks by enum replay_time
 * @sent: messages
 * @sent_bytes: in them
 * @received: messages
 * @latency_sum: ticks from handing over to the last byte, of those
 * @latency_max: the longest
 */
struct replay_told {
	u32 number;
	u32 at;
	struct replay_posted receive;
	bool receives;
	bool ended;
	u64 end;
	u32 refused;
	u32 unclaimed;
	u64 time[REPLAY_TIMES];
	u64 sent;
	u64 sent_bytes;
	u64 received;
	u64 latency_sum;
	u64 latency_max;
};

/**
 * struct replay_rank - one process; touched by the thread of its node's domain alone
 * @app: what all share
 * @program: what it does
 * @told: how it did, of others as replay_gather() has brought it
 * @here: this process runs it
 * @begun: has that begun?
 * @since: when
 * @woken: tick at which the FIFOs were last asked to look
 * @computed: tick at which a computation ends, and 1: torus_nic_wake_by()
 * @posted: tick when each slot's message was handed over
 * @out: messages that are being injected
 * @queue: operations whose message waits for an injection FIFO: a ring
 * @queue_room: operations that fit, a power of two
 * @queue_head: first
 * @queue_tail: behind the last
 * @partner: next partner in the alltoall in hand; 0: none
 * @alltoall_left: its messages that are not yet injected
 * @alltoalls: messages that have come, by number of the alltoall
 * @match: messages and receives
 * @requests: slots of what was called and not waited for
 * @nrequests: number of slots
 * @release: tick when the barrier lets it go, 0: not known
 */
struct replay_rank {
	struct replay_ranks *app;
	const struct replay_op_list *program;
	struct replay_told told;
	bool here;
	bool begun;
	u64 since;
	u64 woken;
	u64 computed;
	u64 *posted;
	struct replay_outgoing out[REPLAY_FIFOS_MAX];
	u32 *queue;
	u32 queue_room;
	u32 queue_head;
	u32 queue_tail;
	u32 partner;
	u32 alltoall_left;
	u64 *alltoalls;
	struct replay_match match;
	u32 *requests;
	u32 nrequests;
	u64 release;
};

int replay_ranks_begin(struct replay_ranks *app, const struct replay_job *job,
		       struct torus_fabric *fabric);
void replay_ranks_end(struct replay_ranks *app);
void replay_rank_release(struct replay_rank *rank, u64 tick);
const struct replay_op *replay_rank_op(const struct replay_rank *rank);

#endif /* TORUS_REPLAY_RANK_H */
