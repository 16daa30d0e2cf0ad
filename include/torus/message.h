/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtorus: messages of any length between the processes of a job.
 *
 * A job is a set of processes, each attached to one FIFO group of one node.  The processes share a
 * key, a list of members and a route.  The rank of a process is its position in the list.  A
 * process that opens the job waits until all members have opened it.  Then all members share a
 * session number, which is random and new each time.  Packets of an earlier job with the same key
 * have another session number and are rejected.
 *
 * Messages from one rank to another arrive complete and in the order in which they were sent, even
 * if their packets overtake each other.
 *
 * The machine's header (<linux/torus.h>) is followed by a message header of six big-endian words,
 * padded with zeros to whole chunks:
 *
 *	0	CRC-32 of the job key xor its session, the destination's rank and
 *		words 1 to 5: a packet of another job, or for another rank, is
 *		rejected before the library uses any other field
 *	1	kind and flags in the upper 8 bits, the source's rank in the lower 24
 *	2	number of the message, counted per source and destination
 *	3	length of the message in bytes
 *	4	number of the packet in its message
 *	5	tag
 *
 * The rest of a packet, torus_job_payload() bytes of the machine's longest packet, is data of the
 * message.  Every packet has length and tag, so that any packet may arrive first.  After the last
 * byte of the message follows a CRC-32 over the job key, both ranks, words 2, 3 and 5 and the
 * message.  If the links' CRCs missed an error, this CRC detects it: the message is reported
 * (-EBADMSG) and not delivered.
 *
 * On machines without broadcast packets the header has four words if that leaves more space for
 * data.  On the Cray XT a packet then has 48 bytes of data in 64:
 *
 *	0	CRC-32 as above, over words 1 to 3.  Word 2 has only the lower half of the
 *		message number.  So for the CRC, the upper half of the number takes the place
 *		of the upper half of the destination's rank
 *	1	flags in the upper two bits, three bits of kind, number of the packet in the
 *		lower 27
 *	2	the source's rank in the upper 16 bits, the lower half of the message number
 *	3	length of the message in bytes
 *
 * Then eight bytes follow the message: its CRC-32 and the tag.  Such a job has at most 65536
 * ranks.  A damaged or lost message of such a job is reported without its tag.
 *
 * The library does not retransmit, because the links do.  A packet is lost only if the kernel
 * rejects it, if the fabric drops it, or if it has an error that the links' CRCs miss.  If the
 * job's packets keep their order, the next packet reveals a loss, which is reported as -EBADMSG.
 *
 * On Blue Gene/L, the library avoids dead nodes and links that were known when the job was opened,
 * or at the last torus_job_reroute().  It sets hint bits.  If no hint bits lead to a rank, another
 * rank forwards the packets during any library call with the job.  So a process must stay until all
 * ranks have received their messages: call a barrier after the last receive, and exit after it.
 *
 * Received messages wait in memory until the program takes them.  Every call that waits also
 * empties the reception FIFOs, including a send to a full FIFO.  So two programs that send to
 * each other cannot block each other.
 */
#ifndef TORUS_MESSAGE_H
#define TORUS_MESSAGE_H

#include <torus/torus.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TORUS_MESSAGE_ANY	(-1ll)		/* matches any source or any tag */
#define TORUS_JOB_RANKS_MAX	0x1000000u
#define TORUS_RANK_NONE		(~0u)

struct torus_job;
struct torus_send;

/**
 * struct torus_member - node and FIFO group of a process of a job
 * @node: number of the node
 * @group: FIFO group
 */
struct torus_member {
	__u32 node;
	__u32 group;
};

/**
 * struct torus_job_config - properties of a job; zero selects the default of all but @key
 * @key: number that the job's processes share; choose it at random, so that other jobs differ
 * @route: how packets travel; 0: TORUS_ROUTE_DYNAMIC.  Must be the same in all processes of the
 *         job
 * @members: the processes in order of rank; NULL: one process at every node, in the FIFO group of
 *           the caller, in order of the node numbers
 * @count: number of @members
 * @length_max: maximum length of a received message in bytes; 0: 2^32 - 1
 * @memory_max: maximum bytes of messages that wait in memory; 0: 1 GiB.  Above the limit,
 *              reception stops, and calls return -ENOBUFS until the program takes messages.  Two
 *              kinds of messages are received even above the limit, because they may be what
 *              frees memory: the next message of a rank that has no complete message in memory,
 *              and messages of a collective operation during the call.  Messages that are
 *              received directly into the buffer of a waiting call do not count
 * @timeout_ms: time to wait for all members, in milliseconds; 0 or -1: no limit
 * @unconnected: do not wait for the members, and identify the job by its key alone.  For programs
 *               that make sure that all members are attached before any of them sends.  Must be
 *               the same in all processes of the job
 * @axes: number of axes of the job's view; 0: the view has the shape of the job's nodes, or is a
 *        ring of all ranks
 * @view: lengths of the axes, the fastest first; their product is the number of ranks.  See
 *        torus_job_view(3)
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
 * struct torus_job_counts - counters of one process of a job
 * @sent_messages: messages whose last packet is in the injection ring
 * @sent_bytes: bytes of these messages
 * @sent_packets: packets sent
 * @received_messages: messages received completely and without error, taken or not
 * @received_bytes: bytes of these messages
 * @received_packets: packets accepted
 * @damaged: messages with a wrong CRC-32
 * @lost: messages with missing packets
 * @rejected_key: packets of another job or for another rank, and packets that are no messages
 * @rejected_source: packets whose source is not a member, or is this process itself
 * @rejected_size: packets of the wrong size, or of messages longer than length_max
 * @rejected_number: packets whose message number is too far ahead
 * @rejected_index: packets whose number is beyond the end of their message
 * @rejected_duplicate: packets that had been received before
 * @rejected_mismatch: packets whose length, tag or kind differs from their message's
 * @relayed_packets: packets forwarded for other ranks
 * @rejected_relay: packets for another rank to which this rank knows no path
 * @memory: bytes of messages that wait in memory now
 * @memory_peak: maximum of @memory so far
 * @broadcasts: broadcasts that ended without error, see <torus/collective.h>
 * @strangers: wire-up packets of other jobs, whose processes look for each other
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
 * struct torus_message_info - properties of a received message
 * @source: rank of the sender
 * @tag: tag of the message
 * @length: length in bytes
 */
struct torus_message_info {
	__u32 source;
	__u32 tag;
	__u32 length;
};

/**
 * struct torus_job_options - options of torus_job_init()
 * @route: how packets travel; 0: TORUS_ROUTE_DYNAMIC.  Must be the same in all processes of the
 *         job
 * @timeout_ms: time to wait for all members, in milliseconds; 0: the value of the environment
 *              variable TORUS_TIMEOUT, if it is set; -1: no limit
 * @length_max: maximum length of a received message in bytes, as in struct torus_job_config
 * @memory_max: maximum bytes of messages in memory, as in struct torus_job_config
 * @unconnected: do not wait for the members, as in struct torus_job_config
 * @attach: rings, priority and device; its group is ignored; NULL: the defaults
 */
struct torus_job_options {
	enum torus_route route;
	int timeout_ms;
	__u32 length_max;
	__u64 memory_max;
	bool unconnected;
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
