/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The inside of a job: its ranks, the messages sent and received, and the state of broadcasts.
 * <torus/message.h> describes the format of packets.
 */
#ifndef TORUS_LIB_JOB_H
#define TORUS_LIB_JOB_H

#include <torus/message.h>
#include <stdint.h>
#include "../context/context.h"
#include "message_header.h"
#include "pacing.h"
#include "wireup.h"

#define KIND_LOST	0	/* report of a lost message; only its sender is known */
#define KIND_DATA	1
#define KIND_BARRIER	2
#define KIND_ALLTOALL	3
#define KIND_BROADCAST	4	/* not a message: see <torus/collective.h> */
#define KIND_WIREUP	5	/* not a message: see wireup.h */
#define KIND_COLLECTIVE	6	/* part of a reduction, gather or scatter */
#define KIND_TREE	7	/* message of a broadcast on a machine without deposit */
#define KIND_MATCH	8	/* message that is matched with posted receives: see ../match */
#define KIND_BULK	9	/* data of an announced message of KIND_MATCH */
#define KIND_UNDELIVERED	10	/* not a message: see undelivered.c */
#define KIND_RELAYED	0x40	/* flag: another rank forwards the packet */
#define KIND_ORDERED	0x80	/* flag: packets of the sender arrive in order */

_Static_assert((KIND_RELAYED | KIND_ORDERED) == MSG_KIND_FLAGS && KIND_TREE <= MSG_KIND_MAX,
	       "a packet's form has room for any kind");
_Static_assert(KIND_LOST == MSG_NARROW_MATCH && KIND_BROADCAST == MSG_NARROW_BULK,
	       "no packet in the narrow format has these kinds");
_Static_assert(KIND_MATCH == MSG_KIND_MATCH && KIND_BULK == MSG_KIND_BULK,
	       "the narrow format replaces these kinds");

#define TORUS_PLACE_MAX	(40 + 11 * TORUS_DIMS_MAX)	/* "rank 3 at node 1,2,0, group 0" */

/* milliseconds; after a shorter time-out, ranks are not asked whether they run */
#define TORUS_POLL_MS	100

#define BROADCAST_RANK	0xffffffffu	/* stands for the destination in the CRCs of a broadcast */
#define BROADCAST_ALONGS	8	/* number of sets of dimensions, which index arrays */

/**
 * struct message - a message that is being received, or was received and not taken yet
 * @next: next in the list: incomplete messages of a peer by @number, or messages ready to be taken
 * @prev: previous in the same list
 * @source: rank of the sender
 * @number: number of the message, counted by the sender for this receiver
 * @tag: tag of the message
 * @length: length of the message in bytes
 * @untagged: the message's tag is unknown, because the packet with the tag was lost or damaged
 * @posted: the message was placed into the buffer of a waiting receive once; this happens only once
 * @kind: KIND_*, without flags
 * @error: 0, or -EBADMSG
 * @missing: number of packets not received yet
 * @count: number of lost messages that this message of KIND_LOST reports
 * @coming: chunks of the missing packets
 * @memory: bytes accounted for in the job
 * @data_size: size of @data in bytes
 * @trailer: bytes that follow the message
 * @seen: one bit per packet received; NULL if the message has one packet
 * @data: memory allocated for the message; NULL: none
 * @bytes: destination of the packets: @data, or the buffer of a waiting receive (posted_receive.c);
 *         NULL: there was no memory, and the packets are discarded
 */
struct message {
	struct message *next;
	struct message *prev;
	uint32_t source;
	uint32_t number;
	uint32_t tag;
	uint32_t length;
	bool untagged;
	bool posted;
	unsigned int kind;
	int error;
	uint32_t missing;
	uint32_t count;
	uint32_t coming;
	__u64 memory;
	size_t data_size;
	unsigned char trailer[MSG_TRAILER_MAX];
	unsigned char *seen;
	unsigned char *data;
	unsigned char *bytes;
};

struct message_list {
	struct message *first;
	struct message *last;
};

struct torus_send;

/**
 * struct send_note - facts that the owner of a message needs to report or repeat it after a loss
 * @word: two words of the owner
 * @type: type of the message, for its owner
 */
struct send_note {
	uint32_t word[2];
	unsigned char type;
};

/**
 * struct send_ops - operations of a queued message whose bytes are not in one buffer
 * @put: write the packet @send->index after @header into injection FIFO @fifo, which has free
 *       space, and commit it
 * @end: the message has left its queue: its last packet is injected, or @send->error is set
 */
struct send_ops {
	void (*put)(struct torus_job *job, struct torus_send *send, unsigned int fifo,
		    const unsigned char *header);
	void (*end)(struct torus_job *job, struct torus_send *send);
};

/**
 * struct torus_send - a message that is being sent
 * @next: next message to the same destination
 * @peer: the destination; NULL: the message was sent or given up
 * @data: bytes of the caller
 * @length: length of the message in bytes
 * @tag: tag of the message
 * @number: number of the message, counted for this destination
 * @kind: KIND_* with flags
 * @packets: number of packets of the message
 * @index: number of the next packet to inject
 * @trailer: bytes that follow the message
 * @owned: the program has a handle on the message, and frees it
 * @dest: rank of the destination
 * @error: why the message was not sent, if @peer is NULL; 0: it was sent
 * @ops: operations of the message, whose owner frees it; NULL: its bytes are in @data
 * @note: logged with each packet for match_ops.lost
 */
struct torus_send {
	struct torus_send *next;
	struct peer *peer;
	const unsigned char *data;
	uint32_t length;
	uint32_t tag;
	uint32_t number;
	unsigned int kind;
	uint32_t packets;
	uint32_t index;
	unsigned char trailer[MSG_TRAILER_MAX];
	bool owned;
	uint32_t dest;
	int error;
	const struct send_ops *ops;
	struct send_note note;
};

/**
 * struct peer - another process of the job, created when it is first needed
 * @rank: rank of the process
 * @header: the machine's header of packets to the rank; only the length is set for each packet
 * @check: CRC-32 over the job's seal and the rank: start value of the check of packets to the rank
 * @fifo: injection FIFO, or TORUS_FIFO_ANY
 * @relayed: @header leads to a relay: another rank, which forwards the packets
 * @blocked: no path leads to the rank
 * @broken: no more messages can be sent to the rank, because a message was given up after some of
 *          its packets were sent
 * @send_number: number of the next message to the rank
 * @sends: queue of messages being sent to the rank; those of KIND_BULK follow all others
 * @sends_last: last message of the queue
 * @sends_plain: last message of the queue that is not of KIND_BULK; NULL: none
 * @active_next: next peer in the job's list of peers with messages to send
 * @receive_number: number of the next message to deliver from the rank
 * @open: messages from the rank that are incomplete or wait for an earlier message, by number
 * @later: number of packets received of messages in @open other than the next one to deliver
 * @untaken: number of messages from the rank that torus_message_receive() can take
 * @broadcasts: for each TORUS_BROADCAST_*: number of the next broadcast with this root that the
 *              program starts
 * @gone: the process has left: nothing more can be sent to it
 * @left: the process has left, and all its packets have arrived
 * @lost: packets to the rank did not arrive
 * @lost_known: @lost_number, @lost_packets and @lost_of are valid: they describe the first message
 *              that lost packets since the last report
 * @lost_reported: torus_send_error_report() has reported the loss
 * @lost_listed: the peer is in the job's list of losses to report
 * @lost_reason: enum torus_drop or TORUS_NOTICE_*
 * @lost_number: number of the message that lost packets
 * @lost_packets: number of lost packets of that message
 * @lost_of: number of all packets of that message
 * @lost_next: next peer in the job's list of losses to report
 */
struct peer {
	uint32_t rank;
	unsigned char header[TORUS_MACHINE_HEADER_MAX];
	uint32_t check;
	int fifo;
	bool relayed;
	bool blocked;
	bool broken;
	uint32_t send_number;
	struct torus_send *sends;
	struct torus_send *sends_last;
	struct torus_send *sends_plain;
	struct peer *active_next;
	uint32_t receive_number;
	struct message_list open;
	uint32_t later;
	uint32_t untaken;
	uint32_t broadcasts[BROADCAST_ALONGS];
	bool gone;
	bool left;
	bool lost;
	bool lost_known;
	bool lost_reported;
	bool lost_listed;
	uint32_t lost_reason;
	uint32_t lost_number;
	uint32_t lost_packets;
	uint32_t lost_of;
	struct peer *lost_next;
};

/**
 * struct posted_receive - a waiting receive whose buffer takes packets directly
 * @kind: KIND_* of the message, without flags
 * @source: rank, or TORUS_MESSAGE_ANY
 * @tag: tag, or TORUS_MESSAGE_ANY
 * @data: buffer of the receive
 * @size: size of the buffer in bytes; with @parts: size of each rank's part
 * @message: message that is placed into the buffer; NULL: none
 * @complete: a matching message is complete, in the buffer or elsewhere, so the wait is about to
 *            end
 * @parts: array of enum part by rank, if the receive waits for one message (part) from each rank;
 *         the rank determines the part's place in @data.  NULL: the receive waits for one message
 */
struct posted_receive {
	unsigned int kind;
	int source;
	__s64 tag;
	unsigned char *data;
	uint32_t size;
	struct message *message;
	bool complete;
	unsigned char *parts;
};

enum part {
	PART_NONE,		/* the rank sends no part, or its part was taken */
	PART_MISSING,
	PART_PLACED,		/* packets of the part go directly to its place */
};

struct dead_links;
struct flight_log;
struct forward;
struct torus_broadcast;

/**
 * struct liveness - state of a poll that asks ranks whether they run
 * @answers: array of enum answer by rank; NULL: no rank is being asked
 * @came: number of ranks that have answered, or to which the question was lost
 */
struct liveness {
	unsigned char *answers;
	uint32_t came;
};

/**
 * struct job_ops - broadcast operations that the lower layer of a job calls
 * @accept: take a packet of KIND_BROADCAST; see torus_broadcast_accept()
 * @push: inject packets of @broadcasts while there is free space; returns the number of packets or
 *        a negative errno
 * @cancel: give up one of @broadcasts and free it
 */
struct job_ops {
	int (*accept)(struct torus_job *job, const struct torus_view *view);
	int (*push)(struct torus_job *job);
	void (*cancel)(struct torus_job *job, struct torus_broadcast *broadcast);
};

/**
 * struct arrival - validated fields of a received packet
 * @fields: fields of the header, @fields.kind without flags
 * @ordered: packets of the sender arrive in order
 * @part: bytes of message and trailer in the packet
 */
struct arrival {
	struct packet_fields fields;
	bool ordered;
	uint32_t part;
};

struct torus_match;
struct flight;

/**
 * struct match_ops - operations of matching that the lower layer of a job calls
 * @accept: take a packet of KIND_MATCH or KIND_BULK; returns 0, or -ENOBUFS if it must wait in its
 *          ring
 * @lost: the kernel has lost a packet of KIND_MATCH or KIND_BULK whose receiver has not left; with
 *        NULL: packets that the log does not have
 */
struct match_ops {
	int (*accept)(struct torus_match *match, struct peer *peer, const struct torus_view *view,
		      const struct arrival *arrival);
	void (*lost)(struct torus_match *match, const struct flight *flight);
};

/**
 * struct torus_job - a job, as seen by one of its processes
 * @context: context that sends and receives the packets
 * @root: job that was opened with the context: this one, or an ancestor of this sub-job
 * @next: next job of the same context, in a list that starts at @root
 * @splits: number of sub-job keys that torus_job_split() has derived from this job's key
 * @closing: of @root: the program has closed it, but sub-jobs are open
 * @ops: operations of broadcasts
 * @match: the matching of messages with posted receives; NULL: it is not open
 * @match_ops: operations of @match
 * @config: configuration with defaults filled in; @config.members is a copy or NULL
 * @format: format of packets on this machine
 * @ordered: packets to a rank keep their order
 * @rank: rank of this process
 * @seal: key, combined with the session when that is known: start of each packet check
 * @check: CRC-32 over seal and own rank: start value of the check of packets to this rank
 * @peers: by rank; NULL: not needed yet
 * @active: list of peers with messages to send, in turn
 * @active_last: last peer of the list
 * @active_count: number of peers in the list
 * @ready: messages to be taken, in the order in which they became ready: complete or lost, and the
 *         next one of their sender
 * @spare: a short message that was freed, reused for the next one; NULL: none
 * @posted: the waiting receive; NULL: none with a buffer
 * @counts: counters of packets and messages
 * @coming: chunks still missing of messages of which some packets have arrived
 * @stuck: of @root: memory_max of a job is reached: a packet waits in its ring until the program
 *         takes messages
 * @computes: of @root: torus_job_progress() is running, so no call waits for a message
 * @holders: by rank: generation + 1 of the FIFO group to which the rank's process has attached; 0:
 *           not known
 * @epoch: number of completed barriers
 * @check_broadcast: CRC-32 over seal and BROADCAST_RANK
 * @broadcasts: broadcasts that are in progress, or have begun to arrive before the program asked
 * @broadcasts_last: last of @broadcasts
 * @turning: a broadcast packet that this rank injects waits for free space in an injection ring
 * @held: bitmap by node number: the node has a rank in this process's FIFO group; NULL: not
 *        computed yet
 * @alltoalls: number of all-to-alls that have ended, some of them with an error
 * @collectives: number of reductions, gathers and scatters that have ended, some of them with an
 *               error; an allreduce counts twice
 * @pace: limit of the injection rate, set by an all-to-all
 * @map: dead nodes and links, owned by @root; NULL: there are none
 * @relays: bitmap by node number: a rank at the node may forward packets
 * @tree: array by rank: parent in the spanning tree around dead nodes and links; NULL: not computed
 * @forwards: queue of packets to be forwarded, and of reports of their loss
 * @forwards_last: last packet of the queue
 * @forwards_memory: bytes accounted for the queue
 * @wireup: state of finding the other processes
 * @liveness: state of asking ranks whether they run
 * @flights: of @root: log of the context's injected packets by injection FIFO; NULL: no packet of
 *           the FIFO is logged
 * @lost: list of peers whose lost messages are to be reported
 * @lost_all: the kernel could not record which packets were lost
 * @gone: the rank whose exit was noticed last; NULL: none
 * @view: lengths of the @config.axes axes of the job's view
 * @rings: axes of the view that close to a ring, one bit per axis; the others are meshes
 */
struct torus_job {
	struct torus_context *context;
	struct torus_job *root;
	struct torus_job *next;
	uint32_t splits;
	bool closing;
	const struct job_ops *ops;
	struct torus_match *match;
	const struct match_ops *match_ops;
	struct torus_job_config config;
	struct msg_format format;
	bool ordered;
	uint32_t rank;
	uint32_t seal;
	uint32_t check;
	struct peer **peers;
	struct peer *active;
	struct peer *active_last;
	unsigned int active_count;
	struct message_list ready;
	struct message *spare;
	struct posted_receive *posted;
	struct torus_job_counts counts;
	__u64 coming;
	bool stuck;
	bool computes;
	uint32_t *holders;
	uint32_t epoch;
	uint32_t check_broadcast;
	struct torus_broadcast *broadcasts;
	struct torus_broadcast *broadcasts_last;
	bool turning;
	unsigned char *held;
	uint32_t alltoalls;
	uint32_t collectives;
	struct pace pace;
	struct torus_route_map *map;
	unsigned char *relays;
	uint32_t *tree;
	struct forward *forwards;
	struct forward *forwards_last;
	__u64 forwards_memory;
	struct wireup wireup;
	struct liveness liveness;
	struct flight_log *flights[TORUS_INJECT_MAX];
	struct peer *lost;
	bool lost_all;
	struct peer *gone;
	uint32_t view[TORUS_DIMS_MAX];
	uint32_t rings;
};

int torus_job_create(struct torus_job **job, struct torus_context *context,
		     const struct torus_job_config *config, const struct dead_links *dead,
		     const struct job_ops *ops);

#endif /* TORUS_LIB_JOB_H */
