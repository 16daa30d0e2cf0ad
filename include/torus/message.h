/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtorus: messages of any length between the processes of a job.
 *
 * A job is a set of processes, each attached to one FIFO group of one node.
 * They agree on a key, on a list of members and on a route; a process's rank
 * is its place in the list.  A process that opens the job waits until all have: when
 * they have found each other they share a session, a number drawn anew each time, so that
 * nothing of an earlier job with that key is taken for this one's.
 *
 * Messages from one rank to another arrive complete
 * and in the order in which they were sent, whether their packets travel in
 * order or not.
 *
 * Behind the machine's header, see <linux/torus.h>, every packet has a header of six
 * big-endian words, filled up with zeros to whole chunks:
 *
 *	0	CRC-32 of the job key xor its session, the destination's rank and
 *		words 1 to 5: a packet that is not this job's, or not for this
 *		rank, is rejected before anything else in it is believed
 *	1	kind and flags in the upper 8 bits, the source's rank in the lower 24
 *	2	number of the message, from the source to this destination
 *	3	length of the message in bytes
 *	4	number of the packet in its message
 *	5	tag
 *
 * and carries what is left of the machine's longest packet, torus_job_payload() bytes,
 * of the message.  Every packet names length and tag, so that any of them may arrive
 * first.  Four bytes follow the message's last: CRC-32 over the job key, both ranks,
 * words 2, 3 and 5 and the message itself, so that an error which the links' own CRCs
 * did not find is reported (-EBADMSG) instead of delivered.
 *
 * Where two words less leave a packet more of the message, and packets leave no copies on
 * their way, the header has four (on the Cray XT, whose packets so carry 48 bytes of 64):
 *
 *	0	as above, over words 1 to 3; but the upper half of the number stands in the
 *		upper half of the destination's rank, and is told by that alone
 *	1	flags in the upper two bits, three bits of kind, number of the packet in the
 *		lower 27
 *	2	the source's rank in the upper 16 bits, the lower half of the number
 *	3	length
 *
 * and eight bytes follow the message: its CRC-32, then the tag.  Such a job has at most
 * 65536 ranks; a message of it that was damaged or lost has no tag.
 *
 * Nothing is sent again at this level, because the links do that: a packet is
 * lost only if it is refused, dropped by the fabric or damaged beyond what the
 * links find.  Where the job's packets keep their order a loss is noticed by
 * what comes behind it, and reported as -EBADMSG.
 *
 * Dead nodes and links that are known when the job is opened are avoided: by hint
 * bits, and where none lead to a rank by another rank, whose library sends packets on
 * while its program is inside any call of the job.  So a process stays until all have
 * received what they wait for: enter a barrier when you have, leave after it.
 *
 * Received messages wait in memory until they are asked for, and every call that
 * waits, a send that finds its FIFO full above all, also drains the reception
 * FIFOs: two programs that send to each other cannot block each other.
 */
#ifndef TORUS_MESSAGE_H
#define TORUS_MESSAGE_H

#include <torus/torus.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TORUS_MESSAGE_ANY	(-1ll)		/* any source, any tag */
#define TORUS_JOB_RANKS_MAX	0x1000000u
#define TORUS_RANK_NONE		(~0u)

struct torus_job;
struct torus_send;

/**
 * struct torus_member - where a process of a job is attached
 * @node: number of the node
 * @group: FIFO group
 */
struct torus_member {
	__u32 node;
	__u32 group;
};

/**
 * struct torus_job_config - a job; all zero but for @key will do
 * @key: number that the job's processes share and its neighbours do not: draw it at random
 * @route: how packets travel; 0: TORUS_ROUTE_DYNAMIC.  The same in all processes of the job
 * @members: the processes in order of rank; NULL: one at every node, in the
 *           FIFO group of the caller, ranked by the nodes' numbers
 * @count: number of @members
 * @length_max: longest message that will be accepted, in bytes; 0: 2^32 - 1
 * @memory_max: bytes of messages that may wait in memory; 0: 1 GiB.  Beyond it reception
 *              stops, and calls say -ENOBUFS until messages are taken.  The next message of a
 *              rank none of whose messages can be taken is received in any case, and so is what
 *              ranks do together while a call waits: it may be what frees memory.  Messages that
 *              go straight to the buffer of the call that waits for them do not count
 * @timeout_ms: for how long to wait until all members are there, in milliseconds; 0 or
 *              -1: without limit
 * @unconnected: do not wait for them at all, and know the job by its key alone.  For
 *               processes that see to it themselves that all are attached before any
 *               sends.  The same in all processes of the job
 * @axes: of the job's view, 0: the view of its nodes, or a ring
 * @view: lengths of these, whose product is the number of ranks; the first counts fastest.
 *        See torus_job_view(3)
 */
struct torus_job_config {
	__u32 key;
	enum torus_route route;
	const struct torus_member *members;
	__u32 count;
	__u32 length_max;
	__u64 memory_max;
	int timeout_ms;
	bool unconnected;
	__u32 axes;
	const __u32 *view;
};

/**
 * struct torus_job_counts - what went through a job's process
 * @sent_messages: messages whose last packet is in the injection ring
 * @sent_bytes: their bytes
 * @sent_packets: packets
 * @received_messages: messages completed and found right, whether taken or not
 * @received_bytes: their bytes
 * @received_packets: packets accepted
 * @damaged: messages that failed their CRC-32
 * @lost: messages of which packets are missing
 * @rejected_key: packets of another job, for another rank, or no message packet
 * @rejected_source: packets whose source is no member, or this process itself
 * @rejected_size: packets of the wrong size, messages longer than length_max
 * @rejected_number: message numbers too far ahead
 * @rejected_index: packet numbers beyond the end of their message
 * @rejected_duplicate: packets received before
 * @rejected_mismatch: packets that differ from their message's in length, tag or kind
 * @relayed_packets: packets sent on for others
 * @rejected_relay: packets to be sent on to where no hints lead
 * @memory: bytes that wait in memory now
 * @memory_peak: the most that ever waited
 * @broadcasts: broadcasts that ended well here, see <torus/collective.h>
 * @strangers: packets by which processes of other jobs look for each other
 */
struct torus_job_counts {
	__u64 sent_messages;
	__u64 sent_bytes;
	__u64 sent_packets;
	__u64 received_messages;
	__u64 received_bytes;
	__u64 received_packets;
	__u64 damaged;
	__u64 lost;
	__u64 rejected_key;
	__u64 rejected_source;
	__u64 rejected_size;
	__u64 rejected_number;
	__u64 rejected_index;
	__u64 rejected_duplicate;
	__u64 rejected_mismatch;
	__u64 relayed_packets;
	__u64 rejected_relay;
	__u64 memory;
	__u64 memory_peak;
	__u64 broadcasts;
	__u64 strangers;
};

/**
 * struct torus_message_info - a message received
 * @source: rank of its sender
 * @tag: its tag
 * @length: its length in bytes
 */
struct torus_message_info {
	__u32 source;
	__u32 tag;
	__u32 length;
};

/**
 * struct torus_job_options - what a program wants of its job beside its place in it
 * @route: how packets travel; 0: TORUS_ROUTE_DYNAMIC.  The same in all processes of the job
 * @timeout_ms: for how long to wait until all members are there, in milliseconds; 0: as
 *              TORUS_TIMEOUT says, if it is set; -1: without limit
 * @length_max: see struct torus_job_config
 * @memory_max: likewise
 * @attach: rings, priority, device; NULL for the defaults.  Its group is not heeded
 */
struct torus_job_options {
	enum torus_route route;
	int timeout_ms;
	__u32 length_max;
	__u64 memory_max;
	const struct torus_attach_config *attach;
};

int torus_job_init(struct torus_job **job, struct torus_context **context,
		   const struct torus_job_options *options);
int torus_job_open(struct torus_job **job, struct torus_context *context,
		   const struct torus_job_config *config);
void torus_job_close(struct torus_job *job);
__u32 torus_job_rank(const struct torus_job *job);
__u32 torus_job_size(const struct torus_job *job);
__u32 torus_job_payload(const struct torus_job *job);
__u32 torus_job_rank_at(const struct torus_job *job, __u32 node);
__u32 torus_job_view(const struct torus_job *job, __u32 *lengths);
int torus_job_coords(const struct torus_job *job, __u32 rank, __u32 *coords);
__u32 torus_job_rank_of(const struct torus_job *job, const __u32 *coords);
__u32 torus_job_neighbor(const struct torus_job *job, __u32 rank, __u32 dir);
void torus_job_counts(const struct torus_job *job, struct torus_job_counts *counts);
int torus_job_progress(struct torus_job *job);
int torus_job_reroute(struct torus_job *job);
int torus_job_barrier(struct torus_job *job, int timeout_ms);

int torus_message_send(struct torus_job *job, __u32 dest, __u32 tag, const void *data,
		       __u32 length);
int torus_message_start(struct torus_job *job, __u32 dest, __u32 tag, const void *data,
			__u32 length, struct torus_send **send);
int torus_message_test(struct torus_job *job, struct torus_send *send);
int torus_message_wait(struct torus_job *job, struct torus_send *send, int timeout_ms);
int torus_message_flush(struct torus_job *job, int timeout_ms);

int torus_message_receive(struct torus_job *job, int source, __s64 tag, void *data,
			  __u32 size, struct torus_message_info *info, int timeout_ms);
int torus_message_take(struct torus_job *job, int source, __s64 tag, void **data,
		       struct torus_message_info *info, int timeout_ms);
int torus_message_probe(struct torus_job *job, int source, __s64 tag,
			struct torus_message_info *info, int timeout_ms);

#ifdef __cplusplus
}
#endif

#endif /* TORUS_MESSAGE_H */
