/* SPDX-License-Identifier: GPL-2.0 */
/* Engine header of a packet, which follows the network's header. */
#ifndef TORUS_ARCH_TOFU_ENGINE_HEADER_H
#define TORUS_ARCH_TOFU_ENGINE_HEADER_H

#include "arch/tofu/tofu.h"

enum tofu_kind {
	TOFU_KIND_PUT,		/* bytes to be written */
	TOFU_KIND_GET,		/* request for bytes */
	TOFU_KIND_ATOMIC,	/* operand and compare value */
	TOFU_KIND_DATA,		/* requested bytes */
	/* result code of an operation, and the old value of an atomic operation */
	TOFU_KIND_ANSWER,
	TOFU_KINDS,
};

#define TOFU_LAST	1u	/* last packet of an operation, or of the data of a reply */
#define TOFU_TELL_LOCAL	2u	/* notify the requester when the operation ends */
#define TOFU_TELL_REMOTE 4u	/* notify the program at the destination */
#define TOFU_NO_LOCAL	8u	/* the operation does not access the requester's memory */

/**
 * struct tofu_head - engine header of a packet
 *
 * @kind: enum tofu_kind
 * @flags: TOFU_LAST ..
 * @op: atomic operation: enum torus_atomic; answer: enum tofu_kind of the request
 * @code: enum torus_tofu_code
 * @queue: queue at the destination, tofu_queue()
 * @peer_queue: queue at the source
 * @peer_group: FIFO group at the source
 * @edata: as posted
 * @generation: generation of the source's FIFO group, for the answer
 * @total: bytes of the operation
 * @offset: offset of this packet's bytes in the operation
 * @length: bytes of this packet after the engine header
 * @size: unused
 * @steps: number of waiting commands that the put starts at its destination
 * @remote: STADD at the responder
 * @local: STADD at the requester
 *
 * The fields are in the byte order of the simulating host: no other host reads them.
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
/* Maximum payload of a packet: a multiple of 64 bytes. */
#define TOFU_DATA_MAX	((TOFU_PACKET_BYTES - TOFU_DATA_AT) / 64 * 64)

_Static_assert(TOFU_DATA_MAX == 1984, "payload of the longest packet");

/* Return the number of a queue from its engine and the VCQ within the engine. */
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

/* Return the chunks of a packet with @length bytes after its engine header. */
torus_inline u32 tofu_chunks(u32 length)
{
	return (TOFU_DATA_AT + length + TOFU_CHUNK_BYTES - 1) / TOFU_CHUNK_BYTES;
}

#endif
