/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The inside of a matching: posted receives, unexpected messages, and the packets on the wire.
 *
 * A message of KIND_MATCH starts with a head of HEAD_BYTES:
 *
 *	0	CRC-32 over number and length of the message, the rest of the head and the words
 *	4	enum match_type, flags (TORUS_MATCH_TAGGED, _DATA), two bytes of zero
 *	8	data
 *	12	tag, 64 bits
 *
 * After the head follow the bytes of an eager message, or two words:
 *
 *	announcement	length of the message; number of its data
 *	grant		number of the data; bytes to send, 0: none
 *	credit		bytes returned to the receiver's window; 0
 *
 * The data of an announced message is a message of KIND_BULK without a head.  The announcement has
 * its number, so it delays no other message.  Each kind is numbered per source and destination.
 *
 * An empty message of either kind reports that the message of this kind and number has lost a
 * packet; for KIND_MATCH, that it has lost its first packet, so that the receiver skips it.  If a
 * message of KIND_MATCH has lost other packets, the report has one byte.  Then the receiver waits
 * for the first packet, which the report may have overtaken: the message must fail the receive
 * that takes it, and its credit must be returned.
 *
 * A lost grant or credit is repeated instead: with its number, if packets may overtake each other;
 * else with a new number, because the receiver has given up the old one.
 *
 * The check in the trailer of both kinds is the sum, over all packets with bytes of the message, of
 * the CRC-32 of these bytes, started with the packet's number i and multiplied by 2 i + 1.  So both
 * ends compute it packet by packet, in any order.
 */
#ifndef TORUS_LIB_MATCH_MATCH_H
#define TORUS_LIB_MATCH_MATCH_H

#include <torus/match.h>
#include "../../common/rank_traffic.h"
#include "../job/job.h"

#define HEAD_BYTES	20u
#define WORDS_BYTES	8u	/* the two words of announcement, grant and credit */
#define BROKEN_BYTES	1u	/* report that a message has lost packets, but not the first one */
#define CHARGE_BYTES	160u	/* bytes of the window for an eager message, besides its own */

enum match_type {
	MATCH_EAGER = 1,
	MATCH_ANNOUNCE,
	MATCH_GRANT,
	MATCH_CREDIT,
	MATCH_SKIPPED,	/* not on the wire: the head was damaged or lost */
	MATCH_BROKEN,	/* not on the wire: a report of BROKEN_BYTES, in the log of packets */
};

/**
 * struct match_head - the head of a message of KIND_MATCH
 * @type: enum match_type
 * @flags: TORUS_MATCH_TAGGED, _DATA
 * @data: data of the message
 * @tag: tag of the message
 * @word: the two words of a message that is not eager
 */
struct match_head {
	unsigned int type;
	unsigned int flags;
	uint32_t data;
	__u64 tag;
	uint32_t word[2];
};

/**
 * struct match_done - an operation, first part of its struct, so that the event needs no memory
 * @next: next operation that has ended
 * @event: its event
 */
struct match_done {
	struct match_done *next;
	struct torus_match_event event;
};

/**
 * struct match_receive - a receive
 * @done: context, tag, flags and first buffer of the receive; later its event
 * @next: next posted receive
 * @prev: previous posted receive
 * @ignore: bits of the tag that may differ
 * @source: rank of the sender, or TORUS_MATCH_ANY
 * @silent: success adds no event, nor does an error without a context
 * @discard: the data of the message is dropped, which is no truncation
 * @count: number of @parts
 * @size: length of all @parts in bytes
 * @parts: the buffers
 */
struct match_receive {
	struct match_done done;
	struct match_receive *next;
	struct match_receive *prev;
	__u64 ignore;
	uint32_t source;
	bool silent;
	bool discard;
	unsigned int count;
	__u64 size;
	struct iovec parts[];
};

/**
 * struct match_send - a message that the program sends
 * @done: context, tag, data and flags of the message; later its event
 * @next: next announced message to the same rank
 * @dest: rank of the receiver
 * @id: number of the announced message's data
 * @silent: success adds no event, nor does an error without a context
 * @count: number of @parts
 * @parts: the buffers; one part may be a copy, which follows the struct
 */
struct match_send {
	struct match_done done;
	struct match_send *next;
	uint32_t dest;
	uint32_t id;
	bool silent;
	unsigned int count;
	struct iovec parts[];
};

/**
 * struct match_wire - a message in the queue of its receiver
 * @send: entry of the queue
 * @match: the matching
 * @owner: message of the program whose bytes these are; NULL: grant, credit, announcement or report
 *         of a loss
 * @sum: check of the packets injected so far
 * @head_bytes: length of @head in bytes
 * @head: first bytes of the message
 */
struct match_wire {
	struct torus_send send;
	struct torus_match *match;
	struct match_send *owner;
	uint32_t sum;
	unsigned int head_bytes;
	unsigned char head[HEAD_BYTES + WORDS_BYTES];
};

/**
 * struct match_message - a message that has begun to arrive
 * @next: next in a list of its sender, by number
 * @prev: previous in the same list
 * @later: next unexpected message
 * @earlier: previous unexpected message
 * @receive: matched receive; NULL: none
 * @claim: context of the claim, with @claimed
 * @self: message of this process to itself; NULL: the message came in packets, or was copied
 * @seen: one bit per packet received; NULL if the message has one packet
 * @bytes: memory for the message, without its head; NULL: none
 * @tag: tag of the message
 * @data: data of the message
 * @source: rank of the sender
 * @number: number of the message; in the list of granted messages that of its data
 * @id: number of an announced message's data
 * @length: length of the arriving message in bytes, with its head
 * @full: length of the program's message in bytes
 * @missing: number of packets not received yet
 * @sum: check of the packets received so far
 * @error: 0, or error with which the receive ends
 * @trailer: bytes that follow the message
 * @head_bytes: bytes of @length that do not belong to the program
 * @type: enum match_type; 0: the head has not arrived
 * @flags: TORUS_MATCH_TAGGED, _DATA
 * @broken: the message has lost a packet, and its first packet has not arrived yet
 * @entered: the message has entered matching
 * @unexpected: the message is in the list of unexpected messages
 * @claimed: the message is reserved
 */
struct match_message {
	struct match_message *next;
	struct match_message *prev;
	struct match_message *later;
	struct match_message *earlier;
	struct match_receive *receive;
	void *claim;
	struct match_send *self;
	unsigned char *seen;
	unsigned char *bytes;
	__u64 tag;
	uint32_t data;
	uint32_t source;
	uint32_t number;
	uint32_t id;
	uint32_t length;
	uint32_t full;
	uint32_t missing;
	uint32_t sum;
	int error;
	unsigned char trailer[MSG_TRAILER_MAX];
	unsigned char head_bytes;
	unsigned char type;
	unsigned char flags;
	bool broken;
	bool entered;
	bool unexpected;
	bool claimed;
};

/**
 * struct match_list - messages of one sender, linked by @next and @prev
 * @first: first message; NULL: none
 * @last: last message; NULL: none
 */
struct match_list {
	struct match_message *first;
	struct match_message *last;
};

/**
 * struct match_peer - another rank, created when it is first needed
 * @send_number: number of the next message of KIND_MATCH to the rank
 * @send_id: number of the next announced message's data
 * @used: bytes of the window at the rank that are in use
 * @announced: announced messages to the rank, by @id
 * @announced_last: last of @announced
 * @enter_number: number of the next message to enter matching
 * @matched: bytes of the rank's window to return to it
 * @open: messages of KIND_MATCH from the rank that are incomplete or have not entered, by number
 * @granted: announced messages from the rank whose data is arriving, in the order of the grants
 * @packets: number of packets received from the rank, wraps around
 * @missed: number of consecutive checks that have missed the rank's process
 * @missed_packets: @packets at the first of these checks
 * @quiet: the fabric was idle after such a check
 * @left: the process has left, and its packets have arrived
 */
struct match_peer {
	uint32_t send_number;
	uint32_t send_id;
	__u64 used;
	struct match_send *announced;
	struct match_send *announced_last;
	uint32_t enter_number;
	uint32_t matched;
	struct match_list open;
	struct match_list granted;
	uint32_t packets;
	unsigned int missed;
	uint32_t missed_packets;
	bool quiet;
	bool left;
};

/**
 * struct match_loss - a message that has lost a packet, to be reported to its receiver
 * @next: next loss
 * @rank: rank of the receiver
 * @number: number of the message
 * @note: type of the message, and its two words
 * @kind: KIND_MATCH or KIND_BULK
 * @head: the first packet is lost
 */
struct match_loss {
	struct match_loss *next;
	uint32_t rank;
	uint32_t number;
	struct send_note note;
	unsigned char kind;
	bool head;
};

struct match_sleep;

/**
 * struct torus_match - the matching of a job
 * @job: the job
 * @config: limits, with defaults filled in
 * @peers: by rank; NULL: not needed yet
 * @posted: first posted receive
 * @posted_last: last posted receive
 * @unexpected: first unexpected message
 * @unexpected_last: last unexpected message
 * @done: first operation that has ended and whose event was not read
 * @done_last: last of these
 * @pending: number of sends that have not ended
 * @failure: error of a fabric that can no longer be used; 0: none
 * @late: error of moving packets in torus_match_send(), which the next torus_match_progress()
 *        returns; 0: none
 * @losses: first loss to report
 * @losses_last: last loss to report
 * @losses_ns: time of the next reports
 * @unsure: packets were lost, and it is not known which
 * @sleep: descriptors of torus_match_fd(); NULL: not asked for
 * @check_ns: time of the next check for processes that have left
 * @drained: the last torus_match_progress() has emptied the reception rings
 * @gone: job->gone at the last check
 * @alone: the processes of all other ranks have left
 * @counts: counters
 * @traffic: counters that torus-run reads; NULL: it does not
 */
struct torus_match {
	struct torus_job *job;
	struct torus_match_config config;
	struct match_peer **peers;
	struct match_receive *posted;
	struct match_receive *posted_last;
	struct match_message *unexpected;
	struct match_message *unexpected_last;
	struct match_done *done;
	struct match_done *done_last;
	size_t pending;
	int failure;
	int late;
	struct match_loss *losses;
	struct match_loss *losses_last;
	__u64 losses_ns;
	bool unsure;
	struct match_sleep *sleep;
	__u64 check_ns;
	bool drained;
	const struct peer *gone;
	bool alone;
	struct torus_match_counts counts;
	struct torus_rank_traffic *traffic;
};

#endif /* TORUS_LIB_MATCH_MATCH_H */
