/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets in flight, and the bytes of users' packets.
 *
 * A packet is named by its place in its domain's pool; what crosses to another
 * domain is a copy.  A synthetic packet has no bytes: they are a function of its
 * source and sequence, made only when something needs them.  A user's packet has a
 * body, shared between the copy that travels and the one the sender keeps until the
 * acknowledgement.
 *
 * A saturated machine is mostly packets, so what only a user's packet, a live link or
 * crc=full asks for stands at a packet's end, and has no memory before the fabric has
 * one of these: until then its pools are of narrow packets.
 */
#ifndef TORUS_CORE_PACKET_H
#define TORUS_CORE_PACKET_H

#include "core/env.h"

struct torus_domain;

#define TORUS_HEADER_MAX	10

#define TORUS_PACKET_DAMAGED	0x01	/* on a link: the receiver will find its CRC wrong */
#define TORUS_PACKET_INVALID	0x02	/* valid byte off: forwarded before its CRC was known */
#define TORUS_PACKET_NOTOKEN	0x04	/* holds no buffer space: its reservation is the resend's */
#define TORUS_PACKET_PRIORITY	0x08
#define TORUS_PACKET_USER	0x20	/* a client's, and to a client */
#define TORUS_PACKET_DEPOSIT	0x40	/* a copy stays at each node on the way */
#define TORUS_PACKET_BAD_HEADER	0x10	/* on a link: its header's CRC is wrong already */
#define TORUS_PACKET_COPY	0x80	/* left by a DEPOSIT one on its way */

/**
 * struct torus_packet - a packet
 * @next: behind it in its queue
 * @dst: number of the destination
 * @body: its bytes, TORUS_NONE when they are made on demand
 * @src: number of the source
 * @header: the machine's header fields, in the machine's own form
 * @hops: links passed
 * @chunks: its size
 * @flags: TORUS_PACKET_*
 * @group: destination's FIFO group
 * @slot: on a live link: the buffer it goes to
 * @born: tick of generation, its low 48 bits: see torus_packet_since()
 * @entered: tick when it entered its injection FIFO; from the last byte's arrival on, its
 *           reception FIFO; likewise
 * @seq: of the source
 * @generation: wide: of the destination's FIFO group at injection; DEPOSIT: the fabric's
 *              epoch
 * @tail_at: wide: low half of the tick when an INVALID packet's last byte arrives;
 *           with crc=full, of others, the packet CRC on the wire
 * @link_seq: wide: sequence number on the link it is on, modulo 2^32: no copy is so late that
 *            its number is another packet's again.  The machine shows as many of its bits on
 *            the wire as its header has
 * @sent: wide: how often the live link that it is on has sent it; with @link_seq it tells any
 *        two copies on that link apart
 * @uncounted: wide: with crc=full: its sender has not counted it so, but sent it before
 *
 * What a hop reads and writes of it is in the first two of its TORUS_GRAINs.
 */
struct torus_packet {
	u32 next;
	u32 dst;
	u32 body;
	u32 src;
	u8 header[TORUS_HEADER_MAX];
	u16 hops;
	u8 chunks;
	u8 flags;
	u8 group;
	u8 slot;
	struct {
		u64 born : 48;
		u64 entered : 48;
	} __attribute__((packed));
	u32 seq;
	u32 generation;
	u32 tail_at;
	u32 link_seq;
	u32 sent : 24;
	u32 uncounted : 8;
} __attribute__((aligned(16)));

/* Pools are counted in grains: a narrow packet takes three, a wide one four. */
#define TORUS_GRAIN		16
#define TORUS_PACKET_NARROW	3
#define TORUS_PACKET_WIDE	4

/* Limits of the narrow fields; run/limits.c rejects a machine that exceeds them. */
#define TORUS_PACKET_CHUNKS_MAX	255
#define TORUS_PACKET_HOPS_MAX		65535
/* Unacknowledged packets of a link: less than half of the 2^16 numbers of the longest header. */
#define TORUS_LINK_WINDOW_MAX	32767

_Static_assert(sizeof(struct torus_packet) == TORUS_PACKET_WIDE * TORUS_GRAIN, "a wide packet");
_Static_assert(offsetof(struct torus_packet, generation) == TORUS_PACKET_NARROW * TORUS_GRAIN,
	       "a narrow packet");
_Static_assert(offsetof(struct torus_packet, slot) < 2 * TORUS_GRAIN, "what a hop asks for");

/*
 * Pools grow by segments of 2^TORUS_SEGMENT_BITS grains, 256 KB, so that a packet never
 * moves and a large fabric has few bytes a node that no packet needs; a packet's name is
 * the place of its first grain.  Three do not divide a power of two: behind the last
 * narrow packet of a segment there is a grain at least, so that it may be read as if it
 * were wide.
 */
#define TORUS_SEGMENT_BITS	14
#define TORUS_SEGMENTS_MAX	65536

/**
 * struct torus_pool - packets of a domain
 * @segment: where they are
 * @segments: how many there are
 * @room: how many the table has room for
 * @free: first free packet, linked by next
 * @fresh: first packet that has never been used, nor have those behind it: their memory is
 *         not touched before
 * @used: packets in use
 * @grains: of a new packet
 * @wide_from: packets from here on have @grains, those before are narrow ones of earlier
 */
struct torus_pool {
	u8 **segment;
	u32 segments;
	u32 room;
	u32 free;
	u32 fresh;
	u32 used;
	u32 grains;
	u32 wide_from;
};

/**
 * struct torus_sender - the client that is notified of a user's packet
 * @number: by which the client that sent it knows it
 * @generation: of the FIFO group that sent it
 * @group: that group, of the packet's source
 * @fifo: injection FIFO of the group
 * @reported: the sender has been notified that the packet waits at a dead link
 * @spare: nothing
 */
struct torus_sender {
	u32 number;
	u32 generation;
	u8 group;
	u8 fifo;
	u8 reported;
	u8 spare[5];
};

/**
 * struct torus_link_counted - what the 32-bit link CRC of a sender's end has become by a packet
 * @link: the link, by sender and direction; TORUS_NONE: none has counted these bytes
 * @seq: sequence number of the packet there
 * @from: the CRC before
 * @to: the CRC behind it
 */
struct torus_link_counted {
	u32 link;
	u32 seq;
	u32 from;
	u32 to;
};

/**
 * struct torus_body - the bytes of a user's packet
 * @next_free: link of the free list
 * @refs: packets that share it
 * @sender: who gave it
 * @counted: of the link that counted it last
 * @sum: what the bytes behind the header do to a CRC-32 of 0, once @summed
 * @summed: they have been looked at, and do not change any more
 * @bytes: the packet as the user gave it
 */
struct torus_body {
	u32 next_free;
	u32 refs;
	struct torus_sender sender;
	struct torus_link_counted counted;
	u32 sum;
	bool summed;
	u8 bytes[] __attribute__((aligned(8)));
};

/**
 * struct torus_bodies - bodies of a domain
 * @segment: segments of TORUS_BODY_SEGMENT bodies
 * @segments: how many
 * @free: first free body
 * @used: bodies in use
 * @stride: bytes from one body to the next
 */
struct torus_bodies {
	u8 **segment;
	u32 segments;
	u32 free;
	u32 used;
	u32 stride;
};

#define TORUS_BODY_SEGMENT_BITS	7
#define TORUS_BODY_SEGMENT	(1u << TORUS_BODY_SEGMENT_BITS)
#define TORUS_BODY_SEGMENTS_MAX	16384

torus_inline struct torus_packet *torus_pool_at(struct torus_pool *pool, u32 i)
{
	size_t grain = i & ((1u << TORUS_SEGMENT_BITS) - 1);

	return (struct torus_packet *)(pool->segment[i >> TORUS_SEGMENT_BITS] +
				       grain * TORUS_GRAIN);
}

/* Packets that are free, or less: those of before the pool was widened count as used. */
torus_inline s64 torus_pool_room(const struct torus_pool *pool)
{
	u32 grains = (pool->segments << TORUS_SEGMENT_BITS) - pool->wide_from;

	return (s64)(grains / pool->grains) - pool->used;
}

/* Bodies that are free. */
torus_inline u32 torus_bodies_room(const struct torus_bodies *b)
{
	return (b->segments << TORUS_BODY_SEGMENT_BITS) - b->used;
}

/* Has a packet the members that only some ask for? */
torus_inline bool torus_pool_is_wide(const struct torus_pool *pool, u32 i)
{
	return pool->grains == TORUS_PACKET_WIDE && i >= pool->wide_from;
}

/*
 * A number of a packet, by its source and sequence.  The sum of those that are in the network
 * shows if one has left it twice and another never, where their count is right.
 */
torus_inline u64 torus_packet_identity(const struct torus_packet *p)
{
	return torus_mix((u64)p->src << 32 | p->seq);
}

/* Ticks since a packet's @born or @entered, of which it keeps the low 48 bits. */
torus_inline u64 torus_packet_since(u64 now, u64 then)
{
	return (now - then) & ((1ull << 48) - 1);
}

/* What a hop reads and writes of a packet. */
torus_inline void torus_packet_prefetch(const struct torus_packet *p)
{
	torus_prefetch(p);
	torus_prefetch((const u8 *)p + TORUS_GRAIN);
}

torus_inline struct torus_body *torus_body_at(struct torus_bodies *b, u32 i)
{
	return (struct torus_body *)(b->segment[i >> TORUS_BODY_SEGMENT_BITS] +
				     (size_t)(i & (TORUS_BODY_SEGMENT - 1)) * b->stride);
}

int torus_pool_init(struct torus_pool *pool);
void torus_pool_widen(struct torus_pool *pool);
void torus_pool_clear(struct torus_pool *pool);
void torus_pool_free(struct torus_pool *pool);
u32 torus_pool_fresh(struct torus_pool *pool);
u64 torus_pool_bytes(const struct torus_pool *pool);

bool torus_pool_supply(struct torus_pool *pool, u32 kept, u64 owed);

u32 torus_body_stride(u32 bytes);
int torus_bodies_init(struct torus_bodies *b, u32 bytes);
void torus_bodies_free(struct torus_bodies *b);
bool torus_bodies_grow(struct torus_bodies *b);
bool torus_bodies_supply(struct torus_bodies *b, u32 kept, u64 owed);
u64 torus_bodies_bytes(const struct torus_bodies *b);

/* A free packet, TORUS_NONE when memory has run out.  Its contents are old. */
torus_inline u32 torus_pool_get(struct torus_pool *pool)
{
	u32 i = pool->free;

	if (torus_unlikely(i == TORUS_NONE))
		return torus_pool_fresh(pool);
	pool->free = torus_pool_at(pool, i)->next;
	pool->used++;
	return i;
}

torus_inline void torus_pool_put(struct torus_pool *pool, u32 i)
{
	pool->used--;
	/* one of before the pool was widened is not used again */
	if (torus_unlikely(i < pool->wide_from))
		return;
	torus_pool_at(pool, i)->next = pool->free;
	pool->free = i;
}

/**
 * torus_pool_fill() - make a packet a copy of another
 * @pool: the pool
 * @i: the packet
 * @from: the other, which may be narrow, and of another pool
 */
torus_inline void torus_pool_fill(struct torus_pool *pool, u32 i, const struct torus_packet *from)
{
	if (torus_pool_is_wide(pool, i))
		memcpy(torus_pool_at(pool, i), from, TORUS_PACKET_WIDE * TORUS_GRAIN);
	else
		memcpy(torus_pool_at(pool, i), from, TORUS_PACKET_NARROW * TORUS_GRAIN);
}

/**
 * torus_bodies_get() - a body with one reference
 * @b: the pool
 *
 * Return: its index, TORUS_NONE when memory has run out.
 */
torus_inline u32 torus_bodies_get(struct torus_bodies *b)
{
	struct torus_body *body;
	u32 i;

	if (torus_unlikely(b->free == TORUS_NONE) && !torus_bodies_grow(b))
		return TORUS_NONE;
	i = b->free;
	body = torus_body_at(b, i);
	b->free = body->next_free;
	body->refs = 1;
	body->counted.link = TORUS_NONE;
	body->summed = false;
	b->used++;
	return i;
}

/**
 * torus_bodies_put() - one reference less
 * @b: the pool
 * @i: the body
 */
torus_inline void torus_bodies_put(struct torus_bodies *b, u32 i)
{
	struct torus_body *body = torus_body_at(b, i);

	if (--body->refs)
		return;
	body->next_free = b->free;
	b->free = i;
	b->used--;
}

#endif
