/* SPDX-License-Identifier: GPL-2.0 */
/* What an engine's packet carries behind the network's header. */
#ifndef TORUS_ARCH_TOFU_ENGINE_HEADER_H
#define TORUS_ARCH_TOFU_ENGINE_HEADER_H

#include "arch/tofu/tofu.h"

enum tofu_kind {
	TOFU_KIND_PUT,		/* bytes to be written */
	TOFU_KIND_GET,		/* bytes are asked for */
	TOFU_KIND_ATOMIC,	/* operand and compare */
	TOFU_KIND_DATA,		/* bytes that were asked for */
	TOFU_KIND_ANSWER,	/* how an operation ended, and an atomic one's old value */
	TOFU_KINDS,
};

#define TOFU_LAST	1u	/* the last packet of an operation, or of an answer's data */
#define TOFU_TELL_LOCAL	2u	/* who asked wants to know how it ended */
#define TOFU_TELL_REMOTE 4u	/* and so does the other side */
#define TOFU_NO_LOCAL	8u	/* no memory of who asked is read or written */

/**
 * struct tofu_head - the head of an engine's packet
 * @kind: enum tofu_kind
 * @flags: TOFU_LAST ..
 * @op: of an atomic operation enum torus_atomic, of an answer the enum tofu_kind that it
 *      answers
 * @code: enum torus_tofu_code
 * @queue: the destination's queue, tofu_queue()
 * @peer_queue: the source's
 * @peer_group: the source's FIFO group
 * @edata: as posted
 * @generation: of the source's FIFO group, for the answer
 * @total: bytes of the operation
 * @offset: where in them this packet's begin
 * @length: bytes of this packet behind the head
 * @size: nothing
 * @steps: commands that a put lets start
 * @remote: STADD at who answers
 * @local: STADD at who asked
 *
 * In the byte order of who simulates: nobody else reads it.
 */
struct tofu_head {
	u8 kind;
	u8 flags;
	u8 op;
	u8 code;
	u8 queue;
	u8 peer_queue;
	u8 peer_group;
	u8 edata;
	u32 generation;
	u32 total;
	u32 offset;
	u16 length;
	u8 size;
	u8 steps;
	u64 remote;
	u64 local;
};

_Static_assert(sizeof(struct tofu_head) == 40, "a put of eight bytes takes two chunks");

#define TOFU_HEAD_AT	TORUS_TOFU_HEADER_BYTES
#define TOFU_DATA_AT	(TOFU_HEAD_AT + (u32)sizeof(struct tofu_head))
/* Of the longest packet, in words of eight bytes. */
#define TOFU_DATA_MAX	((TOFU_PACKET_BYTES - TOFU_DATA_AT) / 64 * 64)

_Static_assert(TOFU_DATA_MAX == 1984, "payload of the longest packet");

/* A queue: an engine, and which of its queues. */
torus_inline u8 tofu_queue(u32 engine, u32 vcq)
{
	return (u8)(engine * TORUS_VCQS + vcq);
}

torus_inline u32 tofu_queue_engine(u32 queue)
{
	return queue / TORUS_VCQS;
}

torus_inline u32 tofu_queue_vcq(u32 queue)
{
	return queue % TORUS_VCQS;
}

/* Chunks of a packet with so many bytes behind its head. */
torus_inline u32 tofu_chunks(u32 length)
{
	return (TOFU_DATA_AT + length + TOFU_CHUNK_BYTES - 1) / TOFU_CHUNK_BYTES;
}

#endif
