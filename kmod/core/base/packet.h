/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets in flight, and their bytes.
 *
 * A packet is identified by its index in its domain's pool; another domain receives a copy. The
 * bytes of a synthetic packet are a function of its source and sequence, computed on demand, until
 * a link damages the packet undetected. Such a packet, a user's packet and a packet of the
 * machine's own NIC have a body. The packet in flight and the sender's copy, kept until the
 * acknowledgement, share that body.
 *
 * Packets take most of the memory of a saturated machine. Only users' packets, packets of the
 * machine's own NIC, replies, live links and crc=full need the last members of a packet. Before a
 * fabric has one of these, its pools are of narrow packets, which lack those members.
 */
#ifndef TORUS_CORE_PACKET_H
#define TORUS_CORE_PACKET_H

#include "core/platform.h"

struct torus_domain;

#define TORUS_HEADER_MAX	10

#define TORUS_PACKET_DAMAGED	0x01	/* damaged on a link: the receiver will find a CRC error */
#define TORUS_PACKET_INVALID	0x02	/* valid byte cleared: forwarded before its CRC was known */
#define TORUS_PACKET_NOTOKEN	0x04	/* takes no buffer space: its retransmission will */
#define TORUS_PACKET_PRIORITY	0x08
#define TORUS_PACKET_USER	0x20	/* from a program to a program */
#define TORUS_PACKET_DEPOSIT	0x40	/* leave a copy at each node of the line */
#define TORUS_PACKET_BAD_HEADER	0x10	/* on a link: the CRC of its header is wrong */
#define TORUS_PACKET_COPY	0x80	/* copy that a DEPOSIT packet left at a node */

/**
 * struct torus_packet - a packet in flight
 * @next: next packet in its queue
 * @dst: index of the destination
 * @body: index of its body, TORUS_NONE if its bytes are computed on demand
 * @src: index of the source
 * @header: the machine's header fields, in the machine's own format
 * @hops: number of links passed
 * @chunks: size in chunks
 * @flags: TORUS_PACKET_*
 * @group: destination's FIFO group
 * @slot: on a live link: slot of the receiver's buffer; in a bank of the second stage: its queue;
 *   in the queue of a processor: its reception FIFO
 * @born: tick of generation, its low 48 bits; see torus_packet_since()
 * @entered: low 48 bits of the tick at which it entered its injection FIFO; of a copy, at which the
 *   broadcast left it. From its reception by a client on, the tick of the reception
 * @seq: sequence number at the source
 * @generation: wide: generation of the destination's FIFO group at injection; DEPOSIT: epoch of the
 *   fabric at injection; reply of a workload: latency of its request
 * @tail_at: wide: INVALID: low half of the tick at which the last byte arrives. Other packets with
 *   crc=full: the packet CRC on the wire
 * @link_seq: wide: sequence number on the current link, modulo 2^32. No copy is so late that a
 *   newer packet on the link has the same number. The header shows as many of its low bits as fit
 * @sent: wide: number of transmissions on the current live link; together with @link_seq it
 *   distinguishes any two copies on that link
 * @uncounted: wide: with crc=full: the packet was sent before crc=full began. Therefore the
 *   sender's link CRC includes only a body, if there is one, and @tail_at has no packet CRC
 *
 * Without live links and crc=full, a hop accesses only the first two TORUS_GRAINs of a packet.
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

/* Pools are measured in grains: a narrow packet takes three grains, a wide one four. */
#define TORUS_GRAIN		16
#define TORUS_PACKET_NARROW	3
#define TORUS_PACKET_WIDE	4

/* Limits of the narrow fields; run/limits.c rejects a machine that exceeds them. */
#define TORUS_PACKET_CHUNKS_MAX	255
#define TORUS_PACKET_HOPS_MAX		65535
/*
 * Maximum unacknowledged packets of a link: less than half of 2^16, the number of sequence numbers
 * in the longest header.
 */
#define TORUS_LINK_WINDOW_MAX	32767

_Static_assert(sizeof(struct torus_packet) == TORUS_PACKET_WIDE * TORUS_GRAIN, "a wide packet");
_Static_assert(offsetof(struct torus_packet, generation) == TORUS_PACKET_NARROW * TORUS_GRAIN,
	       "a narrow packet");
_Static_assert(offsetof(struct torus_packet, slot) < 2 * TORUS_GRAIN, "what a hop asks for");

/*
 * A pool grows by segments of 2^TORUS_SEGMENT_BITS grains (256 KB), so that a packet never moves
 * and a large fabric wastes few bytes per node. The index of a packet is that of its first grain.
 * Three does not divide a power of two, so at least one grain follows the last narrow packet of a
 * segment: code may read any packet as if it were wide.
 */
#define TORUS_SEGMENT_BITS	14
#define TORUS_SEGMENTS_MAX	65536

/**
 * struct torus_pool - pool of the packets of a domain
 * @segment: table of segments
 * @segments: number of segments
 * @cap: capacity of @segment
 * @free: index of the first free packet, linked by next
 * @fresh: index of the first grain that no packet has used; its memory and the memory after it are
 *   untouched
 * @used: number of packets in use
 * @grains: size of a new packet
 * @wide_from: index from which packets have @grains; earlier packets are narrow
 */
struct torus_pool {
	u8 **segment;
	u32 segments;
	u32 cap;
	u32 free;
	u32 fresh;
	u32 used;
	u32 grains;
	u32 wide_from;
};

/**
 * struct torus_sender - the client that is notified of a user's packet
 * @number: the sender's own number of the packet
 * @generation: generation of the sender's FIFO group
 * @group: FIFO group of the sender, at the packet's source
 * @fifo: injection FIFO of that group
 * @reported: the sender was notified that the packet waits at dead or parked links
 * @spare: unused
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
 * struct torus_link_counted - change of the sender's 32-bit link CRC by a packet
 * @link: index of the link, by sender and direction; TORUS_NONE: no link has counted these bytes
 * @seq: sequence number of the packet on that link
 * @from: CRC before the packet
 * @to: CRC after the packet
 */
struct torus_link_counted {
	u32 link;
	u32 seq;
	u32 from;
	u32 to;
};

/**
 * struct torus_body - the bytes of a packet that cannot be computed
 * @next_free: next body of the free list
 * @refs: number of packets that share the body
 * @sender: client that sent the packet
 * @counted: last update of a link CRC by this packet
 * @sum: effect of the bytes after the header on a CRC-32 state of 0, valid if @summed
 * @summed: @sum is valid; the bytes do not change any more
 * @bytes: the packet; its header may be older than that of struct torus_packet
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
 * struct torus_bodies - pool of the bodies of a domain
 * @segment: table of segments of TORUS_BODY_SEGMENT bodies
 * @segments: number of segments
 * @free: index of the first free body
 * @used: number of bodies in use
 * @stride: distance of two bodies in bytes
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

/*
 * Lower bound of the number of free packets of a widened pool: the narrow packets that are still in
 * use count as wide packets in use.
 */
torus_inline s64 torus_pool_room(const struct torus_pool *pool)
{
	u32 grains = (pool->segments << TORUS_SEGMENT_BITS) - pool->wide_from;

	return (s64)(grains / pool->grains) - pool->used;
}

/* Number of free bodies. */
torus_inline u32 torus_bodies_room(const struct torus_bodies *b)
{
	return (b->segments << TORUS_BODY_SEGMENT_BITS) - b->used;
}

/* Check whether packet @i is wide, that is, has the members marked "wide". */
torus_inline bool torus_pool_is_wide(const struct torus_pool *pool, u32 i)
{
	return pool->grains == TORUS_PACKET_WIDE && i >= pool->wide_from;
}

/*
 * Mix source and sequence of a packet into one number. The sum of these numbers over all packets
 * shows an error that the number of packets does not show: one packet was lost, and another was
 * duplicated.
 */
torus_inline u64 torus_packet_identity(const struct torus_packet *p)
{
	return torus_mix((u64)p->src << 32 | p->seq);
}

/* Ticks since @then, a packet's @born or @entered, which have only 48 bits. */
torus_inline u64 torus_packet_since(u64 now, u64 then)
{
	return (now - then) & ((1ull << 48) - 1);
}

/* Prefetch the part of a packet that a hop accesses. */
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

/* Take a free packet, contents undefined; TORUS_NONE if memory is exhausted. */
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
	/* a widened pool does not reuse narrow packets */
	if (torus_unlikely(i < pool->wide_from))
		return;
	torus_pool_at(pool, i)->next = pool->free;
	pool->free = i;
}

/**
 * torus_pool_fill() - copy a packet into another one
 * @i: destination, a packet of @pool
 * @from: source; may be narrow, and from another pool
 */
torus_inline void torus_pool_fill(struct torus_pool *pool, u32 i, const struct torus_packet *from)
{
	if (torus_pool_is_wide(pool, i))
		memcpy(torus_pool_at(pool, i), from, TORUS_PACKET_WIDE * TORUS_GRAIN);
	else
		memcpy(torus_pool_at(pool, i), from, TORUS_PACKET_NARROW * TORUS_GRAIN);
}

/**
 * torus_bodies_get() - take a free body, with one reference
 *
 * Return: index of the body, or TORUS_NONE if memory is exhausted.
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

/* Drop one reference to body @i; free the body if that was the last one. */
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
