/* SPDX-License-Identifier: GPL-2.0 */
/* Execute the operations of a rank as a client of its node's NIC. */
#ifndef TORUS_REPLAY_RANK_H
#define TORUS_REPLAY_RANK_H

#include "match.h"

#define REPLAY_FIFOS_MAX	8

/* Kinds of activity for which the time of a rank is counted. */
enum replay_time {
	REPLAY_TIME_COMPUTE,
	REPLAY_TIME_SEND,	/* blocked in send */
	REPLAY_TIME_WAIT,	/* time in recv, wait, waitall and alltoall */
	REPLAY_TIME_BARRIER,
	REPLAY_TIMES,
};

/**
 * struct replay_ranks - state shared by all ranks
 * @job: operations of the ranks
 * @fabric: fabric on which the ranks run
 * @arch: machine of the fabric
 * @fifos_left: mask of the injection FIFOs that are left out: those for priority packets and those
 *    of another class
 * @ranks: all ranks
 * @here: number of ranks that this process runs. That is all ranks, unless several processes
 *    simulate together
 * @waiting: number of this process's ranks that wait in a barrier
 * @ended: number of this process's ranks that have ended
 * @failed: not 0 if a rank of this process cannot continue
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
 * struct replay_outgoing - a message that is being injected into a FIFO
 * @op: operation that sends the message; NULL: no message
 * @dst: destination rank
 * @message: number of the message
 * @packet: number of the next packet
 * @packets: number of packets of the message
 */
struct replay_outgoing {
	const struct replay_op *op;
	u32 dst;
	u32 message;
	u32 packet;
	u32 packets;
};

/**
 * struct replay_rank_result - results of a rank, exchanged between processes of torus-sim
 * @number: number of the rank
 * @at: index of the rank's current operation
 * @receive: receive for which the rank waits in a deadlock
 * @receives: true if @receive is valid
 * @ended: true if all operations of the rank have ended
 * @end: tick at which all operations had ended
 * @refused: error code for a packet that the NIC rejected
 * @unclaimed: number of messages without a matching receive
 * @time: ticks by enum replay_time
 * @sent: number of messages sent
 * @sent_bytes: bytes of the messages sent
 * @received: number of messages received
 * @latency_sum: sum of the latencies of received messages: ticks from the post of a message to its
 *    last byte
 * @latency_max: maximum latency of a received message, in ticks
 */
struct replay_rank_result {
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
 * struct replay_rank - a rank; only the thread of its node's domain accesses it during a run
 * @app: state shared by all ranks
 * @program: operations of the rank
 * @result: results of the rank. replay_gather() sets the results of other processes' ranks
 * @here: true if this process runs the rank
 * @begun: true if the current operation has started
 * @since: tick at which the current operation started
 * @woken: last tick at which the NIC was asked to poll the FIFOs
 * @computed: tick at which a computation ends, plus 1; see torus_nic_wake_by()
 * @posted: by slot: tick at which the message of the slot's request was posted; the last entry is
 *    for the current alltoall
 * @out: by injection FIFO: the message that is being injected
 * @queue: ring of operations whose message waits for an injection FIFO
 * @queue_room: capacity of the ring, a power of two
 * @queue_head: first entry of the ring @queue
 * @queue_tail: entry after the last entry of @queue
 * @partner: next partner in the current alltoall; 0: no partner is left
 * @alltoall_left: number of the current alltoall's messages that are not yet injected
 * @alltoalls: by number of the alltoall: number of messages received
 * @match: received messages and posted receives
 * @requests: slots of the requests for which the log has not waited yet
 * @nrequests: number of entries in @requests
 * @release: tick at which the barrier releases the rank; 0: the tick is not known yet
 */
struct replay_rank {
	struct replay_ranks *app;
	const struct replay_op_list *program;
	struct replay_rank_result result;
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
