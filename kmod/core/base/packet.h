/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets in flight, and the bytes of users' packets.
 *
 * A packet is one cache line, named by an index into its domain's pool; what
 * crosses to another domain is a copy of the line.  A synthetic packet has no
 * bytes: they are a function of its source and sequence, made only when
 * something needs them.  A user's packet has a body, shared between the copy
 * that travels and the one the sender keeps until the acknowledgement.
 */
#ifndef TORUS_CORE_PACKET_H
#define TORUS_CORE_PACKET_H

#include "core/env.h"

struct torus_domain;

#define TORUS_HEADER_MAX	12

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
 * @src: number of the source
 * @dst: number of the destination
 * @seq: of the source
 * @born: tick of generation
 * @entered: tick when it entered its injection FIFO; from the last byte's arrival on, its
 *           reception FIFO
 * @body: its bytes, TORUS_NONE when they are made on demand
 * @generation: of the destination's FIFO group at injection; DEPOSIT: the fabric's epoch
 * @tail_at: low half of the tick when an INVALID packet's last byte arrives;
 *           with crc=full, of others, the packet CRC on the wire
 * @hops: links passed
 * @chunks: its size
 * @flags: TORUS_PACKET_*
 * @link_seq: sequence number on the link it is on, modulo 2^16: compared with a sign, so a
 *            window may be of 32767 packets; the machine shows as many of its bits on the
 *            wire as its header has
 * @group: destination's FIFO group
 * @slot: on a live link: the buffer it goes to
 * @header: the machine's header fields, in the machine's own form
 */
struct torus_packet {
	u32 next;
	u32 src;
	u32 dst;
	u32 seq;
	u64 born;
	u64 entered;
	u32 body;
	u32 generation;
	u32 tail_at;
	u16 hops;
	u8 chunks;
	u8 flags;
	u16 link_seq;
	u8 group;
	u8 slot;
	u8 header[TORUS_HEADER_MAX];
} torus_align;

/* What the narrow fields can hold; a machine beyond that is refused (run/limit.c). */
#define TORUS_PACKET_CHUNKS_MAX	255
#define TORUS_PACKET_HOPS_MAX		65535
#define TORUS_LINK_WINDOW_MAX	32767	/* packets */

_Static_assert(sizeof(struct torus_packet) == 64, "a packet is a cache line");

/*
 * Pools grow by segments, so that an index never moves: 256 KB for a small
 * domain, 2 MB (a huge page) for a large one.
 */
#define TORUS_SEGMENT_SMALL	12
#define TORUS_SEGMENT_LARGE	15
#define TORUS_SEGMENTS_MAX	65536

/**
 * struct torus_pool - packets of a domain
 * @segment: segments of 2^@bits packets
 * @bits: see above
 * @segments: how many there are
 * @room: how many the table has room for
 * @free: first free packet, linked by next
 * @fresh: first packet that has never been used, nor have those behind it: their memory is
 *         not touched before
 * @used: packets in use
 */
struct torus_pool {
	struct torus_packet **segment;
	u32 bits;
	u32 segments;
	u32 room;
	u32 free;
	u32 fresh;
	u32 used;
};

/**
 * struct torus_sender - who is told what becomes of a user's packet
 * @number: by which the client that sent it knows it
 * @generation: of the FIFO group that sent it
 * @group: that group, of the packet's source
 * @fifo: injection FIFO of the group
 * @told: its sender has been told that the packet waits at a dead link
 * @spare: nothing
 */
struct torus_sender {
	u32 number;
	u32 generation;
	u8 group;
	u8 fifo;
	u8 told;
	u8 spare[5];
};

/**
 * struct torus_body - the bytes of a user's packet
 * @next_free: link of the free list
 * @refs: packets that share it
 * @sender: who gave it
 * @bytes: the packet as the user gave it
 */
struct torus_body {
	u32 next_free;
	u32 refs;
	struct torus_sender sender;
	u8 bytes[];
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
	return &pool->segment[i >> TORUS_SEGMENT_SMALL][i & ((1u << TORUS_SEGMENT_SMALL) - 1)];
}

torus_inline struct torus_body *torus_body_at(struct torus_bodies *b, u32 i)
{
	return (struct torus_body *)(b->segment[i >> TORUS_BODY_SEGMENT_BITS] +
				     (size_t)(i & (TORUS_BODY_SEGMENT - 1)) * b->stride);
}

int torus_pool_init(struct torus_pool *pool, u32 bits);
void torus_pool_clear(struct torus_pool *pool);
void torus_pool_free(struct torus_pool *pool);
u32 torus_pool_fresh(struct torus_pool *pool);
u64 torus_pool_bytes(const struct torus_pool *pool);

int torus_bodies_init(struct torus_bodies *b, u32 bytes);
void torus_bodies_free(struct torus_bodies *b);
u32 torus_bodies_get(struct torus_bodies *b);
void torus_bodies_put(struct torus_bodies *b, u32 i);
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
	torus_pool_at(pool, i)->next = pool->free;
	pool->free = i;
	pool->used--;
}

#endif
