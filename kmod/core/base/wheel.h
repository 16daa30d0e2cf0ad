/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timing wheel: one bucket per tick, for TORUS_WHEEL_SIZE ticks. Push and pop are O(1). An event
 * farther in the future waits in the last bucket, with the rest of its delay as an explicit
 * residue.
 *
 * The events of a tick have no order, so their effects must commute. Effects that do not commute
 * (arbitration, deliveries into one FIFO, events of a live link) are processed after the events of
 * the tick.
 */
#ifndef TORUS_CORE_WHEEL_H
#define TORUS_CORE_WHEEL_H

#include "core/platform.h"

/*
 * Kinds of events; the kinds before TORUS_EV_DONE have a packet, see torus_event_has_packet(). A
 * machine's own kinds may also have one, if the event stays in its domain.
 */
enum torus_event_kind {
	TORUS_EV_HEAD,		/* @queue, @pkt: a header has passed the input pipeline */
	TORUS_EV_LINK_HEAD,	/* @queue, @pkt: HEAD on a live link; may be damaged */
	TORUS_EV_STAGE_HEAD,	/* @bank, @queue, @pkt: a header joins a queue of a bank */
	TORUS_EV_RECEIVED,	/* @queue, @pkt: a transfer to a reception FIFO ends */
	TORUS_EV_COPIED,	/* @queue, @pkt: RECEIVED of a deposited copy; frees no buffer */
	TORUS_EV_LINK_TAIL,	/* @dir, @queue, @pkt: the last byte of an INVALID packet */
	TORUS_EV_NIC,		/* @pkt: a packet reaches the machine's NIC, by no link */
	TORUS_EV_DONE,		/* @dir, @queue, @tokens: a transfer to a sender ends */
	TORUS_EV_STAGE_DONE,	/* @queue, @tokens: transfer to the second stage ends */
	TORUS_EV_TOKEN,		/* @dir, @vc, @tokens: tokens return to the sender */
	TORUS_EV_TOKEN_SURE,	/* tokens from the sender's own half of a live link */
	TORUS_EV_SOURCE,	/* poll the node's sources, clients, queues and engines */
	TORUS_EV_READY,		/* @queue: a packet is complete in its VC buffer */
	TORUS_EV_CONTROL_OWED,	/* @dir, @queue: a control packet must acknowledge */
	TORUS_EV_CONTROL_ACK,	/* @dir, @queue: acknowledge a live link's packet */
	TORUS_EV_CONTROL_SENT,	/* @dir: a control packet has been sent */
	TORUS_EV_LINK_ACK,	/* @dir, @seq: packets up to @seq have arrived */
	TORUS_EV_LINK_NACK,	/* @dir, @seq: send @seq and all later packets again */
	TORUS_EV_LINK_TIMER,	/* @dir: the oldest packet should be acknowledged by now */
	TORUS_EV_LINK_SENT,	/* @dir: a packet has been sent again */
	TORUS_EV_LINK_TOKEN,	/* @dir, @vc, @tokens: a lost token message is resent */
	TORUS_EV_FAULT_BEGIN,	/* @fault: a fault takes effect */
	TORUS_EV_FAULT_END,	/* @fault: the effect of a fault ends */
	TORUS_EV_OWN,		/* first of the machine's own kinds */
};

/**
 * struct torus_event - change of a node that is due at a tick
 * @node: index of the node
 * @residue: remaining ticks when the bucket is due
 * @kind: enum torus_event_kind; determines which other members are valid
 * @lane: mailed or saved events only: list of the wheel (enum torus_lane)
 * @pkt: index of a packet
 * @tokens: chunks of buffer space
 * @seq: sequence number of a packet on a link
 * @fault: index of a scheduled fault
 * @dir: direction of the link
 * @bank: output that a bank of the second stage feeds
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
#define TORUS_BLOCK_EVENTS	31	/* maximum per block */

/*
 * Short form of a DONE, TOKEN or STAGE_DONE event: the lane implies the kind; there is no residue.
 */
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
 * Lanes: the frequent kinds of events have their own lists, so that the router applies a list
 * without checking each event's kind. Lanes from TORUS_LANE_DONE on have short events.
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

/* Number of lists per tick, including unused ones: their pointers fill one cache line. */
#define TORUS_WHEEL_LANES	8

/*
 * Block of events of one tick and lane. Each list needs at least one block. A wheel of a small
 * domain, which has few events per list, allocates blocks with fewer elements than declared here.
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

/* Blocks are allocated in slabs: small slabs first, large ones for large fabrics. */
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
 * @now: tick that is being simulated; pushes go to later ticks
 * @pending: number of events in the wheel
 * @events: capacity of a block, see torus_wheel_init()
 * @free: list of blocks to reuse
 * @fresh: blocks of the newest slab that have never been used
 * @nfresh: number of blocks at @fresh
 * @slabs: memory of the blocks
 * @slab_bytes: bytes in @slabs
 * @failed: a push found no memory: an event is lost and the fabric must stop
 * @occupied: bit b: bucket b is not empty
 * @words: bit w: word w of @occupied is not 0
 * @bucket: newest block of each list; the lists of a tick share a cache line
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
 * torus_wheel_next() - find the tick of the next event
 *
 * Return: a tick later than now, or ~0 if the wheel is empty.
 */
torus_inline u64 torus_wheel_next(const struct torus_wheel *w)
{
	u32 start = ((u32)w->now + 1) & TORUS_WHEEL_MASK, word = start >> 6, behind, b;
	u64 m = w->occupied[word] & (~0ull << (start & 63));

	if (!m) {
		/* search the words of @occupied after this word, then all words from word 0 on */
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
 * Farthest useful distance of a push, in ticks. A push for more than about 2^32 ticks from now is
 * due early. Sources and clients that are idle for longer push an event at this distance and check
 * again.
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

/* Convert a short event to its long form. */
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

/*
 * Push an event into the list of @lane. If the event is farther away than the wheel's size, push it
 * into TORUS_LANE_ANY.
 */
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

/* Return the head of the list of a tick and lane. */
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

/* Remove the list of TORUS_LANE_ANY of tick @at from the wheel, and mark the bucket empty. */
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
