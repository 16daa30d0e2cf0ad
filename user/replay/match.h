/* SPDX-License-Identifier: GPL-2.0 */
/* Match messages with receives in MPI's order. */
#ifndef TORUS_REPLAY_MATCH_H
#define TORUS_REPLAY_MATCH_H

#include "op_list.h"
#include "hash.h"

/**
 * struct replay_incoming - a message of which at least one packet has arrived
 * @key: sender and number of the message
 * @packets: number of packets that have not arrived
 * @src: sender
 * @pair: number of earlier messages to the same rank with the same tag
 * @slot: slot of the matching receive; TORUS_NONE: no receive matches yet
 * @next: index of the next message in the list of unclaimed messages, which is in order of arrival
 */
struct replay_incoming {
	u64 key;
	u32 packets;
	u32 src;
	u32 tag;
	u32 pair;
	u32 slot;
	u32 next;
};

/**
 * struct replay_posted - a receive without a matching message
 * @src: sender; TORUS_NONE: any rank
 * @slot: slot of the receive's request
 */
struct replay_posted {
	u32 src;
	u32 tag;
	u32 slot;
};

/**
 * struct replay_match - messages and receives of a rank
 * @done: by slot: true if the request has ended
 * @incoming: messages; free entries are linked by @next
 * @room: number of messages for which @incoming has space
 * @free: first free entry of @incoming
 * @first: first unclaimed message
 * @last: last unclaimed message
 * @unclaimed: number of messages without a matching receive
 * @by_key: by key: index in @incoming
 * @turn: by sender and tag: @pair of the next message
 * @posted: receives in the order in which they were posted
 * @posted_room: capacity of @posted
 */
struct replay_match {
	bool *done;
	struct replay_incoming *incoming;
	u32 room;
	u32 free;
	u32 first;
	u32 last;
	u32 unclaimed;
	struct replay_hash by_key;
	struct replay_hash turn;
	struct replay_posted *posted;
	u32 nposted;
	u32 posted_room;
};

bool replay_match_begin(struct replay_match *match, u32 slots);
void replay_match_free(struct replay_match *match);
bool replay_match_post(struct replay_match *match, u32 src, u32 tag, u32 slot);
bool replay_match_packet(struct replay_match *match, u32 src, u32 message,
			 const struct replay_op *op, u32 packets, bool *whole);

#endif /* TORUS_REPLAY_MATCH_H */
