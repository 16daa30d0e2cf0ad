/* SPDX-License-Identifier: GPL-2.0 */
/* Match messages with receives in the order of MPI. */
#ifndef TORUS_REPLAY_MATCH_H
#define TORUS_REPLAY_MATCH_H

#include "op_list.h"
#include "hash.h"

/**
 * struct replay_incoming - a message of which a packet has come
 * @key: sender and number
 * @packets: still to come
 * @src: sender
 * @tag: its tag
 * @pair: messages sent before it to the same rank with the same tag
 * @slot: of the receive that takes it, TORUS_NONE: none yet
 * @next: the one that came after it, of those that nobody takes yet
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
 * struct replay_posted - a receive that no message has come for
 * @src: sender, TORUS_NONE: any
 * @tag: the tag
 * @slot: of the request
 */
struct replay_posted {
	u32 src;
	u32 tag;
	u32 slot;
};

/**
 * struct replay_match - messages and receives of a rank
 * @done: by slot: the request there has ended
 * @incoming: messages, @free linked by next
 * @room: messages that fit
 * @free: first that is free
 * @first: first that nobody takes
 * @last: last
 * @unclaimed: number of messages that nobody takes
 * @by_key: place of a message in @incoming
 * @turn: pair of the message that is next, by sender and tag
 * @posted: receives in their order
 * @nposted: number of those receives
 * @posted_room: receives that fit
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
