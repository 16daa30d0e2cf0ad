// SPDX-License-Identifier: GPL-2.0
/*
 * Match receives with messages in MPI's order. Messages from one rank with one tag match in the
 * order in which they were sent, whatever path their packets took. Receives match in the order in
 * which they were posted. A receive from any rank can match the next message of each sender and
 * tag. Of these messages, it matches the one that arrived first.
 */
#include <stdlib.h>
#include <string.h>

#include "match.h"

#define ROOM_FIRST	8

/**
 * replay_match_begin - set up the matching of a rank's messages and receives
 * @match: [out] freed by replay_match_free()
 * @slots: maximum number of requests that are active at the same time
 *
 * Return: false without memory.
 */
bool replay_match_begin(struct replay_match *match, u32 slots)
{
	memset(match, 0, sizeof(*match));
	match->free = TORUS_NONE;
	match->first = TORUS_NONE;
	match->last = TORUS_NONE;
	match->done = calloc(slots ? slots : 1, sizeof(*match->done));
	return match->done;
}

/**
 * replay_match_free - free the memory of a rank's matching
 */
void replay_match_free(struct replay_match *match)
{
	free(match->done);
	free(match->incoming);
	free(match->posted);
	replay_hash_free(&match->by_key);
	replay_hash_free(&match->turn);
}

static u64 stream(u32 src, u32 tag)
{
	return (u64)src << 32 | tag;
}

/* Check whether a message is the next one to be matched, among those of its sender and tag. */
static bool its_turn(const struct replay_match *match, const struct replay_incoming *in)
{
	const u64 *turn = replay_hash_find(&match->turn, stream(in->src, in->tag));

	return in->pair == (turn ? *turn : 0);
}

static u32 incoming_new(struct replay_match *match)
{
	u32 index, i;

	if (match->free == TORUS_NONE) {
		u32 room = match->room ? 2 * match->room : ROOM_FIRST;
		struct replay_incoming *grown = realloc(match->incoming, room * sizeof(*grown));

		if (!grown)
			return TORUS_NONE;
		match->incoming = grown;
		for (i = room; i-- > match->room;) {
			grown[i].next = match->free;
			match->free = i;
		}
		match->room = room;
	}
	index = match->free;
	match->free = match->incoming[index].next;
	return index;
}

static void incoming_forget(struct replay_match *match, u32 index)
{
	replay_hash_remove(&match->by_key, match->incoming[index].key);
	match->incoming[index].next = match->free;
	match->free = index;
}

static void unclaimed_append(struct replay_match *match, u32 index)
{
	match->incoming[index].next = TORUS_NONE;
	if (match->first == TORUS_NONE)
		match->first = index;
	else
		match->incoming[match->last].next = index;
	match->last = index;
	match->unclaimed++;
}

static void unclaimed_remove(struct replay_match *match, u32 before, u32 index)
{
	u32 next = match->incoming[index].next;

	if (before == TORUS_NONE)
		match->first = next;
	else
		match->incoming[before].next = next;
	if (match->last == index)
		match->last = before;
	match->unclaimed--;
}

/*
 * Match a message with the receive in a slot. Then the next message of the same sender and tag can
 * match. Return: false if there is no memory.
 */
static bool claim(struct replay_match *match, u32 index, u32 slot)
{
	struct replay_incoming *in = &match->incoming[index];
	u64 *turn = replay_hash_add(&match->turn, stream(in->src, in->tag));

	if (!turn)
		return false;
	++*turn;
	in->slot = slot;
	if (!in->packets) {
		match->done[slot] = true;
		incoming_forget(match, index);
	}
	return true;
}

static bool post(struct replay_match *match, u32 src, u32 tag, u32 slot)
{
	if (match->nposted == match->posted_room) {
		u32 room = match->posted_room ? 2 * match->posted_room : ROOM_FIRST;
		struct replay_posted *grown = realloc(match->posted, room * sizeof(*grown));

		if (!grown)
			return false;
		match->posted = grown;
		match->posted_room = room;
	}
	match->posted[match->nposted++] = (struct replay_posted){
		.src = src, .tag = tag, .slot = slot,
	};
	return true;
}

/**
 * replay_match_post - post a receive
 * @match: state of the receiving rank
 * @src: sender; TORUS_NONE: any rank
 * @slot: slot of the receive's request
 *
 * Return: false without memory.
 */
bool replay_match_post(struct replay_match *match, u32 src, u32 tag, u32 slot)
{
	u32 before = TORUS_NONE;
	u32 i;

	for (i = match->first; i != TORUS_NONE; before = i, i = match->incoming[i].next) {
		const struct replay_incoming *in = &match->incoming[i];

		if (in->tag != tag || (src != TORUS_NONE && in->src != src) ||
		    !its_turn(match, in))
			continue;
		unclaimed_remove(match, before, i);
		return claim(match, i, slot);
	}
	return post(match, src, tag, slot);
}

/*
 * Return the index of the first posted receive that matches a message; @nposted if there is
 * none.
 */
static u32 find_posted(const struct replay_match *match, const struct replay_incoming *in)
{
	u32 i;

	for (i = 0; i < match->nposted; i++)
		if (match->posted[i].tag == in->tag &&
		    (match->posted[i].src == TORUS_NONE || match->posted[i].src == in->src))
			break;
	return i;
}

/*
 * Match unclaimed messages of a stream (one sender and tag) with posted receives, in order. Return:
 * false if there is no memory.
 */
static bool offer(struct replay_match *match, u32 src, u32 tag)
{
	u32 before = TORUS_NONE;
	u32 i = match->first;

	while (i != TORUS_NONE) {
		const struct replay_incoming *in = &match->incoming[i];
		u32 slot, at;

		at = in->src == src && in->tag == tag && its_turn(match, in) ?
		     find_posted(match, in) : match->nposted;
		if (at == match->nposted) {
			before = i;
			i = in->next;
			continue;
		}
		slot = match->posted[at].slot;
		match->nposted--;
		memmove(&match->posted[at], &match->posted[at + 1],
			(match->nposted - at) * sizeof(match->posted[0]));
		unclaimed_remove(match, before, i);
		if (!claim(match, i, slot))
			return false;
		/* Start again, because a later message of the stream may be the next one now. */
		before = TORUS_NONE;
		i = match->first;
	}
	return true;
}

static struct replay_incoming *incoming_begin(struct replay_match *match, u32 src, u64 key,
					      const struct replay_op *op, u32 packets)
{
	u32 index = incoming_new(match);
	struct replay_incoming *in;
	u64 *place;

	if (index == TORUS_NONE)
		return NULL;
	place = replay_hash_add(&match->by_key, key);
	if (!place)
		return NULL;
	*place = index;
	in = &match->incoming[index];
	*in = (struct replay_incoming){
		.key = key,
		.packets = packets,
		.src = src,
		.tag = op->tag,
		.pair = op->pair,
		.slot = TORUS_NONE,
	};
	if (op->kind == REPLAY_ALLTOALL)
		return in;
	unclaimed_append(match, index);
	return offer(match, src, op->tag) ? in : NULL;
}

/**
 * replay_match_packet - process the arrival of a packet
 * @match: state of the receiving rank
 * @src: sender
 * @message: number of the message
 * @op: operation that sends the message
 * @packets: number of packets of the message
 * @whole: [out] true if the message is complete
 *
 * A message of an alltoall needs no receive and is removed when it is complete.
 *
 * Return: false without memory.
 */
bool replay_match_packet(struct replay_match *match, u32 src, u32 message,
			 const struct replay_op *op, u32 packets, bool *whole)
{
	u64 key = (u64)src << 32 | message;
	const u64 *place = replay_hash_find(&match->by_key, key);
	struct replay_incoming *in;

	*whole = op->kind == REPLAY_ALLTOALL && packets == 1;
	if (*whole)
		return true;
	in = place ? &match->incoming[*place] : incoming_begin(match, src, key, op, packets);
	if (!in)
		return false;
	*whole = !--in->packets;
	if (!*whole || (in->slot == TORUS_NONE && op->kind != REPLAY_ALLTOALL))
		return true;
	if (in->slot != TORUS_NONE)
		match->done[in->slot] = true;
	incoming_forget(match, (u32)(in - match->incoming));
	return true;
}
