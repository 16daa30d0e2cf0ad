/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtorus: collective operations of all processes of a job.
 *
 * A broadcast covers a line, a plane or the whole machine: one, two or three dimensions through
 * the root.  Each of these nodes must have a rank of the job, in the root's FIFO group.
 *
 * On Blue Gene/L every packet is a row broadcast of the machine, which leaves a copy at each node
 * on its path.  Ranks at corners inject the packet again along the next dimension.  Several
 * colours (orders of the dimensions) run at once, so that all links are used
 * (user/lib/collective/broadcast_plan.h).  A rank takes part in a broadcast during any call of the
 * library with this job, even before its program calls the broadcast.  Packets that arrive early
 * wait in memory like a message, and are forwarded.  Broadcast packets have the format of message
 * packets (<torus/message.h>).  The tag is the set of dimensions, and the check in word 0 uses
 * rank ffffffff.
 *
 * On the Cray XT, whose packets leave no copies, ranks send the bytes as messages along a tree
 * with up to four children per rank.  There a rank forwards the bytes only after its program has
 * called the broadcast.  On machines of more than three dimensions, such as Tofu, a broadcast
 * fails with -EOPNOTSUPP.
 *
 * A rank that finds its injection FIFOs full continues to receive, so full FIFOs cannot block a
 * broadcast.  Programs may send and receive messages during a broadcast.
 */
#ifndef TORUS_COLLECTIVE_H
#define TORUS_COLLECTIVE_H

#include <torus/message.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Dimensions of a broadcast: one or more of these bits */
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
 * enum torus_alltoall_order - order of the ranks that a rank sends to
 * @TORUS_ALLTOALL_RANDOM: a different random order in each rank, derived from the job's key
 * @TORUS_ALLTOALL_ROTATED: the next rank first, then the one after it, and so on, cyclically
 */
enum torus_alltoall_order {
	TORUS_ALLTOALL_RANDOM,
	TORUS_ALLTOALL_ROTATED,
};

/**
 * struct torus_alltoall_config - options of an all-to-all; zero selects the defaults
 * @order: order of the destinations; one packet to each rank in turn, in this order
 * @pacing: 0: inject at full speed; otherwise the maximum injection rate in thousandths of the rate
 *          that saturates the links of the machine's longest dimension, 1 to
 *          TORUS_ALLTOALL_PACING_MAX.  The rate is measured by the fabric's clock.  The clock
 *          stands still while the network is idle.  In that case a rank may send a burst of 16
 *          packets at any time, so that a paced exchange always ends
 */
struct torus_alltoall_config {
	enum torus_alltoall_order order;
	__u32 pacing;
};

#define TORUS_ALLTOALL_PACING_MAX	10000u

int torus_alltoall(struct torus_job *job, const void *send, void *receive, __u32 bytes,
		   const struct torus_alltoall_config *config, int timeout_ms);

/**
 * enum torus_type - type of the elements of a reduction
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
 * enum torus_operation - operation that combines two elements of a reduction
 * @TORUS_OPERATION_SUM: sum; integers wrap modulo 2^32 or 2^64
 * @TORUS_OPERATION_MIN: minimum
 * @TORUS_OPERATION_MAX: maximum
 * @TORUS_OPERATION_AND: bitwise AND, integers only
 * @TORUS_OPERATION_OR: bitwise OR, integers only
 * @TORUS_OPERATION_XOR: bitwise XOR, integers only
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

int torus_job_split(struct torus_job *job, int color, int key, struct torus_job **sub,
		    int timeout_ms);

#ifdef __cplusplus
}
#endif

#endif /* TORUS_COLLECTIVE_H */
