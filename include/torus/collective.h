/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtorus: what all processes of a job do together.
 *
 * A broadcast goes along one, two or three dimensions of the machine: to the line,
 * the plane or the whole machine through its root.  Each of these nodes must have a
 * rank of the job, in the root's FIFO group.  Every packet is a row broadcast
 * of the machine, which leaves a copy at each node that it passes; ranks that are
 * at a corner inject it again along the next dimension, in several colours at once
 * so that all links are used (user/lib/collective/broadcast_schedule.h).  On a machine whose
 * packets leave no copies (Cray XT, Tofu) the bytes go as messages from rank to rank, along a
 * tree of four below each; a rank sends them on once it has asked for the broadcast itself.
 *
 * Ranks take part while they are in any call of the library with this job, also
 * before they ask for the broadcast: what comes early waits in memory like a message,
 * and is sent on.  A rank that finds its injection FIFOs full goes on receiving, so
 * full FIFOs cannot block a broadcast.  Messages may be sent and received meanwhile.
 *
 * Its packets have the form of a message's (<torus/message.h>), with the number
 * of the dimensions as the tag; the check in word 0 is over the rank ffffffff.
 */
#ifndef TORUS_COLLECTIVE_H
#define TORUS_COLLECTIVE_H

#include <torus/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Along which dimensions a broadcast goes: one or more of */
#define TORUS_BROADCAST_X	(1u << 0)
#define TORUS_BROADCAST_Y	(1u << 1)
#define TORUS_BROADCAST_Z	(1u << 2)
#define TORUS_BROADCAST_CUBE	(TORUS_BROADCAST_X | TORUS_BROADCAST_Y | TORUS_BROADCAST_Z)

struct torus_broadcast;

int torus_broadcast(struct torus_job *job, __u32 root, __u32 along, void *data, __u32 length,
		    int timeout_ms);
int torus_broadcast_start(struct torus_job *job, __u32 root, __u32 along, void *data,
			  __u32 length, struct torus_broadcast **broadcast);
int torus_broadcast_test(struct torus_job *job, struct torus_broadcast *broadcast);
int torus_broadcast_wait(struct torus_job *job, struct torus_broadcast *broadcast,
			 int timeout_ms);
void torus_broadcast_cancel(struct torus_job *job, struct torus_broadcast *broadcast);

/**
 * enum torus_alltoall_order - whom a rank sends to first
 * @TORUS_ALLTOALL_RANDOM: an order of its own for each rank, drawn from the job's key
 * @TORUS_ALLTOALL_ROTATED: the next rank, the one after it, and so on round
 */
enum torus_alltoall_order {
	TORUS_ALLTOALL_RANDOM,
	TORUS_ALLTOALL_ROTATED,
};

/**
 * struct torus_alltoall_config - how to exchange; all zero will do
 * @order: whom to send to first; packets to all ranks take turns in any case
 * @pacing: 0: as fast as the injection FIFOs take them; else at most so many
 *          thousandths of the rate at which an all-to-all saturates the links of
 *          the machine's longest dimension, 1 to TORUS_ALLTOALL_PACING_MAX.  The clock
 *          is the fabric's; while the network is at rest, and the clock with it, a
 *          burst of 16 packets may go at any time, so that every pacing ends
 */
struct torus_alltoall_config {
	enum torus_alltoall_order order;
	__u32 pacing;
};

#define TORUS_ALLTOALL_PACING_MAX	10000u

int torus_alltoall(struct torus_job *job, const void *send, void *receive, __u32 bytes,
		   const struct torus_alltoall_config *config, int timeout_ms);

/**
 * enum torus_type - elements of a reduction
 * @TORUS_TYPE_U32: __u32
 * @TORUS_TYPE_S32: __s32
 * @TORUS_TYPE_U64: __u64
 * @TORUS_TYPE_S64: __s64
 * @TORUS_TYPE_FLOAT: float
 * @TORUS_TYPE_DOUBLE: double
 */
enum torus_type {
	TORUS_TYPE_U32,
	TORUS_TYPE_S32,
	TORUS_TYPE_U64,
	TORUS_TYPE_S64,
	TORUS_TYPE_FLOAT,
	TORUS_TYPE_DOUBLE,
};

/**
 * enum torus_operation - how two elements become one
 * @TORUS_OPERATION_SUM: their sum; of integers modulo 2^32 or 2^64
 * @TORUS_OPERATION_MIN: the lesser
 * @TORUS_OPERATION_MAX: the greater
 * @TORUS_OPERATION_AND: bits that both have; of integers only
 * @TORUS_OPERATION_OR: bits that one has
 * @TORUS_OPERATION_XOR: bits that one alone has
 */
enum torus_operation {
	TORUS_OPERATION_SUM,
	TORUS_OPERATION_MIN,
	TORUS_OPERATION_MAX,
	TORUS_OPERATION_AND,
	TORUS_OPERATION_OR,
	TORUS_OPERATION_XOR,
};

int torus_reduce(struct torus_job *job, __u32 root, enum torus_type type,
		 enum torus_operation operation, const void *send, void *receive, __u32 count,
		 int timeout_ms);
int torus_allreduce(struct torus_job *job, enum torus_type type, enum torus_operation operation,
		    const void *send, void *receive, __u32 count, int timeout_ms);
int torus_gather(struct torus_job *job, __u32 root, const void *send, void *receive,
		 __u32 bytes, int timeout_ms);
int torus_scatter(struct torus_job *job, __u32 root, const void *send, void *receive,
		  __u32 bytes, int timeout_ms);

#ifdef __cplusplus
}
#endif

#endif /* TORUS_COLLECTIVE_H */
