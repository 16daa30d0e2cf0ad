/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a job is inside the library.  The packets' form is described in
 * <torus/message.h>.
 */
#ifndef TORUS_LIB_JOB_H
#define TORUS_LIB_JOB_H

#include <torus/message.h>
#include "../context/context.h"
#include "message_header.h"
#include "pacing.h"
#include "wireup.h"

#define KIND_LOST	0	/* nothing is known of the message */
#define KIND_DATA	1
#define KIND_BARRIER	2
#define KIND_ALLTOALL	3
#define KIND_BROADCAST	4	/* no message: see <torus/collective.h> */
#define KIND_WIREUP	5	/* no message: see wireup.h */
#define KIND_COLLECTIVE	6	/* reductions, gather, scatter */
#define KIND_TREE	7	/* a broadcast where packets leave no copies */
#define KIND_RELAYED	0x40	/* flag: through another rank, which sends it on */
#define KIND_ORDERED	0x80	/* flag: the sender's packets keep their order */

_Static_assert((KIND_RELAYED | KIND_ORDERED) == MSG_KIND_FLAGS && KIND_TREE <= MSG_KIND_MAX,
	       "a packet's form has room for any kind");

#define TORUS_PLACE_MAX	(40 + 11 * TORUS_DIMS_MAX)	/* bytes: "rank 3 at node 1,2,0, group 0" */

#define TORUS_POLL_MS	100	/* a shorter time-out asks nobody where the others are */

#define BROADCAST_RANK	0xffffffffu	/* stands for the destination in a broadcast's CRCs */
#define BROADCAST_ALONGS	8	/* sets of dimensions */

/**
 * struct message - a message being received, or received and not yet taken
 * @next: in its peer's list of incomplete ones by @number, or in the job's ready list
 * @prev: likewise
 * @source: rank of the sender
 * @number: of the message, from that source
 * @tag: of the message
 * @length: bytes
 * @untagged: the tag is among what was lost or damaged
 * @posted: it has been given a receive's buffer, and is not again
 * @kind: KIND_*, without flags
 * @error: 0, or -EBADMSG
 * @missing: packets not yet received
 * @count: lost messages that this one, of KIND_LOST, reports
 * @coming: chunks of the missing packets
 * @memory: bytes accounted for in the job
 * @room: bytes at @data
 * @trailer: the bytes that follow the message
 * @seen: a bit for each packet received; NULL when there is only one
 * @data: memory of its own for the message, NULL: none
 * @bytes: the message: @data, or the buffer of a receive that waits for it
 *         (posted_receive.c); NULL: there was no memory, and the packets are discarded
 */
struct message {
	struct message *next;
	struct message *prev;
	__u32 source;
	__u32 number;
	__u32 tag;
	__u32 length;
	bool untagged;
	bool posted;
	unsigned int kind;
	int error;
	__u32 missing;
	__u32 count;
	__u32 coming;
	__u64 memory;
	size_t room;
	unsigned char trailer[MSG_TRAILER_MAX];
	unsigned char *seen;
	unsigned char *data;
	unsigned char *bytes;
};

struct message_list {
	struct message *first;
	struct message *last;
};

/**
 * struct torus_send - a message being sent
 * @next: to the same destination
 * @peer: the destination
 * @data: the caller's bytes
 * @length: their number
 * @tag: of the message
 * @number: of the message, to that destination
 * @kind: KIND_* with flags
 * @packets: of the message
 * @index: the next packet to inject
 * @trailer: what goes behind the message
 * @owned: somebody holds a handle on it
 * @dest: rank of the destination
 * @error: why it was not sent, when @peer is NULL
 */
struct torus_send {
	struct torus_send *next;
	struct peer *peer;
	const unsigned char *data;
	__u32 length;
	__u32 tag;
	__u32 number;
	unsigned int kind;
	__u32 packets;
	__u32 index;
	unsigned char trailer[MSG_TRAILER_MAX];
	bool owned;
	__u32 dest;
	int error;
};

/**
 * struct peer - another process of the job, from the first packet to or from it on
 * @rank: its rank
 * @header: the machine's header of a packet to it, of any length
 * @check: CRC-32 over seal and rank, where the check of packets to it starts
 * @fifo: injection FIFO, or TORUS_FIFO_ANY
 * @relayed: @header leads to another rank, which sends packets on
 * @blocked: nothing leads there
 * @broken: a message to it was given up when a part of it had left, and order would not tell
 * @send_number: number of the next message to it
 * @sends: messages being sent to it, one after the other
 * @sends_last: the last of them
 * @active_next: next peer with something to send
 * @receive_number: number of the next message to deliver from it
 * @open: messages from it that are not complete or not the next, by number
 * @later: packets received of those in @open that are not the next
 * @untaken: messages from it that torus_message_receive() can take
 * @broadcasts: number of the next broadcast from it to ask for, by TORUS_BROADCAST_*
 * @gone: its process has left: nothing more can be sent
 * @left: and all that it has sent has arrived
 * @lost: packets to it did not arrive
 * @lost_known: it is known of which message, the first such since the last was told
 * @lost_told: torus_send_error_report() has told of it
 * @lost_listed: it has yet to
 * @lost_reason: enum torus_drop or TORUS_NOTICE_*
 * @lost_number: of that message
 * @lost_packets: of that message
 * @lost_of: its packets
 * @lost_next: in the job's list of those that are to be told
 */
struct peer {
	__u32 rank;
	unsigned char header[TORUS_MACHINE_HEADER_MAX];
	__u32 check;
	int fifo;
	bool relayed;
	bool blocked;
	bool broken;
	__u32 send_number;
	struct torus_send *sends;
	struct torus_send *sends_last;
	struct peer *active_next;
	__u32 receive_number;
	struct message_list open;
	__u32 later;
	__u32 untaken;
	__u32 broadcasts[BROADCAST_ALONGS];
	bool gone;
	bool left;
	bool lost;
	bool lost_known;
	bool lost_told;
	bool lost_listed;
	__u32 lost_reason;
	__u32 lost_number;
	__u32 lost_packets;
	__u32 lost_of;
	struct peer *lost_next;
};

/**
 * struct forward - a packet to be sent on for another rank
 * @next: behind it
 * @peer: where it goes
 * @chunks: its length
 * @memory: bytes accounted for in the job
 * @bytes: the packet, with the machine's header for the rest of the way
 */
struct forward {
	struct forward *next;
	struct peer *peer;
	unsigned int chunks;
	size_t memory;
	unsigned char bytes[];
};

/**
 * struct posted_receive - a receive that waits, and what comes into its buffer
 * @kind: KIND_*, without flags, that it asks for
 * @source: rank, or TORUS_MESSAGE_ANY
 * @tag: tag, or TORUS_MESSAGE_ANY
 * @data: its buffer
 * @size: bytes there; with @parts: of each rank's part
 * @message: is put together there; NULL: none
 * @complete: what it asks for can be taken, there or elsewhere: the wait is about to end
 * @parts: by rank, enum part: the receive waits for one message from each of these ranks, which
 *         has its place at @data by its rank.  NULL: it waits for one message
 */
struct posted_receive {
	unsigned int kind;
	int source;
	__s64 tag;
	unsigned char *data;
	__u32 size;
	struct message *message;
	bool complete;
	unsigned char *parts;
};

enum part {
	PART_NONE,		/* the rank sends none, or it was taken */
	PART_MISSING,
	PART_PLACED,		/* its packets go straight to its place */
};

struct dead_links;
struct flight_log;
struct torus_broadcast;

/**
 * struct liveness - ranks are being asked whether they are there
 * @answers: by rank; NULL: nobody is being asked
 * @came: answers so far
 */
struct liveness {
	unsigned char *answers;
	__u32 came;
};

/**
 * struct job_ops - what a job calls of the broadcasts, which are built on it
 * @accept: take a packet of KIND_BROADCAST; as torus_broadcast_accept()
 * @push: inject packets of @broadcasts while there is free space; their number or an error
 * @cancel: give up one of @broadcasts and free it
 */
struct job_ops {
	int (*accept)(struct torus_job *job, const struct torus_view *view);
	int (*push)(struct torus_job *job);
	void (*cancel)(struct torus_job *job, struct torus_broadcast *broadcast);
};

/**
 * struct torus_job - the job as one of its processes sees it
 * @context: its FIFOs
 * @ops: of broadcasts
 * @config: as given, defaults filled in; @config.members is a copy or NULL
 * @format: of packets on this machine
 * @ordered: packets to a rank keep their order
 * @rank: this process
 * @seal: the key, and from when the session is known both: what every check begins with
 * @check: CRC-32 over seal and own rank, where the check of packets to it starts
 * @peers: by rank, NULL until there is something to know
 * @active: peers with something to send, in turn
 * @active_last: the last of them
 * @active_count: their number
 * @ready: messages to be taken, in the order in which they were completed
 * @spare: a short one that was freed, for the next; NULL: none
 * @posted: the receive that waits; NULL: none that has a buffer
 * @counts: what went through
 * @coming: chunks of messages that have begun to come and are not complete
 * @stuck: a packet cannot be received before messages are taken
 * @computes: torus_job_progress() was called by the program: no call waits for a message
 * @holders: by rank, which attachment of its FIFO group its process is; 0: not known
 * @epoch: barriers done
 * @check_broadcast: CRC-32 over seal and BROADCAST_RANK
 * @broadcasts: that go on, or have come before they were asked for
 * @broadcasts_last: the last of them
 * @turning: a broadcast's packet waits for room in an injection ring
 * @held: bit i: the node of number i has a rank in this FIFO group; NULL until it is
 *        wanted
 * @alltoalls: done
 * @collectives: reductions, gathers and scatters done, an allreduce counts as two
 * @pace: how fast messages are injected
 * @map: what is dead; NULL: nothing
 * @relays: nodes that may be relays, a bit a number
 * @tree: by rank: the rank above it in the tree around faults; NULL: not yet known
 * @forwards: packets to be sent on
 * @forwards_last: the last of them
 * @forwards_memory: bytes accounted for them
 * @wireup: how it has found the others
 * @liveness: ranks that are asked whether they are there
 * @flights: what was injected, by FIFO; NULL: nothing
 * @lost: peers whose messages did not arrive, not told yet
 * @lost_all: any message may not have
 * @gone: the last rank found to be gone, NULL: none
 * @view: lengths of the axes of its view, @config.axes of them
 * @rings: axes of its view that close to a ring, one bit per axis; the others are meshes
 */
struct torus_job {
	struct torus_context *context;
	const struct job_ops *ops;
	struct torus_job_config config;
	struct msg_format format;
	bool ordered;
	__u32 rank;
	__u32 seal;
	__u32 check;
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
	__u32 *holders;
	__u32 epoch;
	__u32 check_broadcast;
	struct torus_broadcast *broadcasts;
	struct torus_broadcast *broadcasts_last;
	bool turning;
	unsigned char *held;
	__u32 alltoalls;
	__u32 collectives;
	struct pace pace;
	struct torus_route_map *map;
	unsigned char *relays;
	__u32 *tree;
	struct forward *forwards;
	struct forward *forwards_last;
	__u64 forwards_memory;
	struct wireup wireup;
	struct liveness liveness;
	struct flight_log *flights[TORUS_INJECT_MAX];
	struct peer *lost;
	bool lost_all;
	struct peer *gone;
	__u32 view[TORUS_DIMS_MAX];
	__u32 rings;
};

int torus_job_create(struct torus_job **job, struct torus_context *context,
		     const struct torus_job_config *config, const struct dead_links *dead,
		     const struct job_ops *ops);

#endif /* TORUS_LIB_JOB_H */
