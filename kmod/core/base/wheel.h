/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The timing wheel: one bucket a tick, TORUS_WHEEL_SIZE ticks round.  Push and
 * pop are O(1).  An event further away than the wheel is long waits in the
 * furthest bucket with the rest of its delay as an explicit residue.
 *
 * Events of one tick are handed over in no particular order: what they do must
 * commute.  Whatever does not (arbitration, deliveries into one FIFO, what happens
 * to a live link) is done afterwards.
 */
#ifndef TORUS_CORE_WHEEL_H
#define TORUS_CORE_WHEEL_H

#include "core/env.h"

/* Kinds of events; the first ones bring a packet with them, see torus_event_has_packet(). */
enum torus_event_kind {
	TORUS_EV_HEAD,		/* @queue, @pkt: a header has passed the input pipeline */
	TORUS_EV_LINK_HEAD,	/* the same, over a live link: a copy that may be damaged */
	TORUS_EV_STAGE_HEAD,	/* @bank, @queue, @pkt: a header joins a queue of a bank */
	TORUS_EV_RECEIVED,	/* @queue, @pkt: a transfer to a reception FIFO ends */
	TORUS_EV_COPIED,	/* likewise, of a deposited copy: its packet holds the buffer */
	TORUS_EV_LINK_TAIL,	/* @dir, @queue, @pkt: the last byte of an INVALID packet */
	TORUS_EV_NIC,		/* @pkt: for the machine's NIC of the node, by no link */
	TORUS_EV_DONE,		/* @dir, @queue, @tokens: a transfer to a sender ends */
	TORUS_EV_STAGE_DONE,	/* @queue, @tokens: a transfer to the second stage ends */
	TORUS_EV_TOKEN,		/* @dir, @vc, @tokens: tokens come back */
	TORUS_EV_TOKEN_SURE,	/* likewise, told by the sender's own half of a live link */
	TORUS_EV_SOURCE,	/* the traffic source of the node has a packet */
	TORUS_EV_READY,		/* @queue: a packet has been written into its VC buffer */
	TORUS_EV_CONTROL_OWED,	/* @dir, @queue: a control packet is to acknowledge a packet */
	TORUS_EV_CONTROL_ACK,	/* likewise, of a live link */
	TORUS_EV_CONTROL_SENT,	/* @dir: a control packet has been sent */
	TORUS_EV_LINK_ACK,	/* @dir, @seq: everything up to that packet has arrived */
	TORUS_EV_LINK_NACK,	/* @dir, @seq: that packet is wanted, it and all behind it again */
	TORUS_EV_LINK_TIMER,	/* @dir: the oldest packet should have been acknowledged */
	TORUS_EV_LINK_SENT,	/* @dir: a packet has been sent again */
	TORUS_EV_LINK_TOKEN,	/* @dir, @vc, @tokens: a lost token message is told again */
	TORUS_EV_FAULT_BEGIN,	/* @fault: it takes effect */
	TORUS_EV_FAULT_END,	/* @fault: what it changed returns to what it was */
	TORUS_EV_OWN,		/* the machine's own, and all that follow */
};

/**
 * struct torus_event - what happens to a node at a tick
 * @node: number of the node
 * @residue: ticks still to wait when the bucket comes up
 * @kind: enum torus_event_kind, which tells what of the rest is meant
 * @lane: of a mailed event: the list of the wheel that it goes to (enum torus_lane)
 * @pkt: a packet
 * @tokens: chunks of buffer space
 * @seq: sequence number of a packet on a link
 * @fault: index of a scheduled fault
 * @dir: direction of the link
 * @bank: output in front of which a bank of the second stage stands
 * @queue: slot, or queue of a bank
 * @vc: virtual channel of the link
 */
struct torus_event {
	u32 node;
	u32 residue;
	union {
		u32 pkt;
		u32 tokens;
		u32 seq;
		u32 fault;
	};
	u8 kind;
	u8 lane;
	union {
		u8 dir;
		u8 bank;
	};
	union {
		u8 queue;
		u8 vc;
	};
};

torus_inline bool torus_event_has_packet(const struct torus_event *ev)
{
	return ev->kind < TORUS_EV_DONE;
}

#define TORUS_WHEEL_BITS	10
#define TORUS_WHEEL_SIZE	(1u << TORUS_WHEEL_BITS)
#define TORUS_WHEEL_MASK	(TORUS_WHEEL_SIZE - 1)
#define TORUS_BLOCK_EVENTS	31	/* of a block, at most */

/* The DONE, TOKEN or STAGE_DONE of its lane, see struct torus_event; never far away. */
struct torus_short {
	u32 node;
	u16 tokens;
	union {
		u8 dir;
		u8 bank;
	};
	union {
		u8 queue;
		u8 vc;
	};
};

#define TORUS_BLOCK_SHORTS	(2 * TORUS_BLOCK_EVENTS)

/*
 * Lanes: what happens on each hop and to each packet has lists of its own, so that whoever
 * applies them need not ask each what it is.  Those from DONE on are of short events.
 */
enum torus_lane {
	TORUS_LANE_ANY,
	TORUS_LANE_HEAD,
	TORUS_LANE_RECEIVED,
	TORUS_LANE_STAGE_HEAD,
	TORUS_LANE_DONE,
	TORUS_LANE_TOKEN,
	TORUS_LANE_STAGE_DONE,
	TORUS_LANES
};

/* Room for the lists of a tick: a cache line. */
#define TORUS_WHEEL_LANES	8

/*
 * Events of a tick and lane.  Blocks of a small domain are shorter than this: most of its
 * lists have few events, and each has a block to itself.
 */
struct torus_block {
	struct torus_block *next;
	u32 n;
	u32 spare;
	union {
		struct torus_event ev[TORUS_BLOCK_EVENTS];
		struct torus_short shorts[TORUS_BLOCK_SHORTS];
	};
};

/* Blocks come in slabs: a few small ones, then large ones for large fabrics. */
#define TORUS_SLAB_SMALL	((size_t)1 << 16)
#define TORUS_SLAB_LARGE	((size_t)1 << 21)

struct torus_slab {
	struct torus_slab *next;
	u64 bytes;
	u64 spare[6];
	u8 block[];
};

/**
 * struct torus_wheel - pending events of a domain
 * @now: the tick being simulated; pushes go to later ticks
 * @pending: events in the wheel
 * @events: of a block, see torus_wheel_init()
 * @free: blocks to be used again
 * @fresh: blocks of the newest slab that have never been used
 * @nfresh: how many
 * @slabs: where blocks come from
 * @slab_bytes: what they take
 * @failed: a push found no memory; the event is lost and the fabric must stop
 * @occupied: bit b: bucket b is not empty
 * @words: bit w: word w of @occupied is not 0
 * @bucket: newest block of each list; those of a tick lie together
 */
struct torus_wheel {
	u64 now;
	u64 pending;
	u32 events;
	struct torus_block *free;
	u8 *fresh;
	u64 nfresh;
	struct torus_slab *slabs;
	u64 slab_bytes;
	bool failed;
	u32 words;
	u64 occupied[TORUS_WHEEL_SIZE / 64];
	struct torus_block *bucket[TORUS_WHEEL_SIZE][TORUS_WHEEL_LANES] torus_align;
};

_Static_assert(TORUS_LANES <= TORUS_WHEEL_LANES, "a tick's lists do not fit into their line");

_Static_assert(TORUS_WHEEL_SIZE / 64 < 32, "the words of a wheel have no bits in one word");

void torus_wheel_init(struct torus_wheel *w, u32 events);
void torus_wheel_free(struct torus_wheel *w);
struct torus_block *torus_wheel_block(struct torus_wheel *w, struct torus_block **at, u32 b);
u64 torus_wheel_bytes(const struct torus_wheel *w);

/**
 * torus_wheel_next() - when the next event is due
 * @w: the wheel
 *
 * Return: its tick, later than now, or ~0 when the wheel is empty.
 */
torus_inline u64 torus_wheel_next(const struct torus_wheel *w)
{
	u32 start = ((u32)w->now + 1) & TORUS_WHEEL_MASK, word = start >> 6, behind, b;
	u64 m = w->occupied[word] & (~0ull << (start & 63));

	if (!m) {
		/* the words behind this one, then from the first to this one itself */
		behind = w->words & (~1u << word);
		behind = behind ? behind : w->words;
		if (!behind)
			return ~0ull;
		word = torus_ctz(behind);
		m = w->occupied[word];
	}
	b = word * 64 + torus_ctz(m);
	return w->now + 1 + ((b - start) & TORUS_WHEEL_MASK);
}

/*
 * A push for more than some 2^32 ticks from now comes by then.  Sources and clients, which may have
 * nothing to do for longer, ask for no more than this, and look again.
 */
#define TORUS_WHEEL_FAR		(1ull << 31)

torus_inline void torus_wheel_push(struct torus_wheel *w, u64 at, struct torus_event ev)
{
	u64 delta = at - w->now;
	struct torus_block *blk;
	u32 b;

	ev.residue = 0;
	if (torus_unlikely(delta >= TORUS_WHEEL_SIZE)) {
		delta -= TORUS_WHEEL_SIZE - 1;
		ev.residue = delta > 0xffffffffu ? 0xffffffffu : (u32)delta;
		at = w->now + TORUS_WHEEL_SIZE - 1;
	}
	b = (u32)at & TORUS_WHEEL_MASK;
	blk = w->bucket[b][TORUS_LANE_ANY];
	if (torus_unlikely(!blk || blk->n == w->events)) {
		blk = torus_wheel_block(w, &w->bucket[b][TORUS_LANE_ANY], b);
		if (torus_unlikely(!blk))
			return;
	}
	blk->ev[blk->n++] = ev;
	w->pending++;
}

/* What an event of a lane of short ones says. */
torus_inline struct torus_event torus_short_event(enum torus_lane lane,
						  const struct torus_short *ev)
{
	static const u8 kinds[] = {
		[TORUS_LANE_DONE] = TORUS_EV_DONE, [TORUS_LANE_TOKEN] = TORUS_EV_TOKEN,
		[TORUS_LANE_STAGE_DONE] = TORUS_EV_STAGE_DONE,
	};

	return (struct torus_event){
		.node = ev->node, .tokens = ev->tokens, .dir = ev->dir, .queue = ev->queue,
		.kind = kinds[lane],
	};
}

/* An event of a lane that has packets; not so far away that it had a residue. */
torus_inline void torus_wheel_push_whole(struct torus_wheel *w, enum torus_lane lane, u64 at,
					 struct torus_event ev)
{
	u32 b = (u32)at & TORUS_WHEEL_MASK;
	struct torus_block **bucket = &w->bucket[b][lane], *blk = *bucket;

	if (torus_unlikely(at - w->now >= TORUS_WHEEL_SIZE)) {
		torus_wheel_push(w, at, ev);
		return;
	}
	ev.residue = 0;
	if (torus_unlikely(!blk || blk->n == w->events)) {
		blk = torus_wheel_block(w, bucket, b);
		if (torus_unlikely(!blk))
			return;
	}
	blk->ev[blk->n++] = ev;
	w->pending++;
}

torus_inline void torus_wheel_push_short(struct torus_wheel *w, enum torus_lane lane, u64 at,
					 struct torus_short ev)
{
	u32 b = (u32)at & TORUS_WHEEL_MASK;
	struct torus_block **bucket = &w->bucket[b][lane], *blk = *bucket;

	if (torus_unlikely(at - w->now >= TORUS_WHEEL_SIZE)) {
		torus_wheel_push(w, at, torus_short_event(lane, &ev));
		return;
	}
	if (torus_unlikely(!blk || blk->n == 2 * w->events)) {
		blk = torus_wheel_block(w, bucket, b);
		if (torus_unlikely(!blk))
			return;
	}
	blk->shorts[blk->n++] = ev;
	w->pending++;
}

/* Where a tick's list of a lane begins. */
torus_inline struct torus_block *const *torus_wheel_list(const struct torus_wheel *w,
							 enum torus_lane lane, u64 at)
{
	u32 b = (u32)at & TORUS_WHEEL_MASK;

	return &w->bucket[b][lane];
}

torus_inline struct torus_block *torus_wheel_take_lane(struct torus_wheel *w, enum torus_lane lane,
						       u64 at)
{
	struct torus_block **bucket = &w->bucket[(u32)at & TORUS_WHEEL_MASK][lane];
	struct torus_block *blk = *bucket;

	*bucket = NULL;
	return blk;
}

/* Take the bucket of tick @at out of the wheel. */
torus_inline struct torus_block *torus_wheel_take(struct torus_wheel *w, u64 at)
{
	u32 b = (u32)at & TORUS_WHEEL_MASK;
	struct torus_block *blk = w->bucket[b][TORUS_LANE_ANY];

	w->bucket[b][TORUS_LANE_ANY] = NULL;
	w->occupied[b >> 6] &= ~(1ull << (b & 63));
	w->words &= ~((u32)!w->occupied[b >> 6] << (b >> 6));
	return blk;
}

torus_inline void torus_wheel_put(struct torus_wheel *w, struct torus_block *blk)
{
	w->pending -= blk->n;
	blk->n = 0;
	blk->next = w->free;
	w->free = blk;
}

#endif
