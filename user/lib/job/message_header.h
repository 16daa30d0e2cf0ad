/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The form of a message's packets on a machine: where its header ends, where ours
 * begins, and what is left for the message.  The words are told in <torus/message.h>.
 *
 * The wide form has six words, of which the last is the message's tag.  Where packets are so
 * short that its two words more are chunks less for the message, and none of them is a
 * broadcast's, the narrow form has four; the tag goes behind the message's CRC.
 */
#ifndef TORUS_LIB_MESSAGE_HEADER_H
#define TORUS_LIB_MESSAGE_HEADER_H

#include <torus/torus.h>
#include "../context/context.h"

#define MSG_CHECK_BYTES	4u	/* CRC-32 of the fields */
#define MSG_FIELDS_MAX		20u	/* the words that the check covers, of the wide form */
#define MSG_HEADER_MAX		128u	/* bytes of any machine's headers, in whole chunks */
#define MSG_TRAILER_MAX	8u	/* behind a message: its CRC-32, the narrow form's tag */
#define MSG_KIND_FLAGS		0xc0u	/* bits of a kind that are flags */
#define MSG_KIND_MAX		7u	/* the kinds that the narrow form has room for */

/**
 * struct msg_format - where things are in a packet
 * @check_at: the check, in bytes from the start: right behind the machine's header
 * @fields_at: what it covers
 * @fields_bytes: their bytes
 * @header_bytes: the machine's header and ours, in whole chunks
 * @header_chunks: the same in chunks
 * @chunk_bytes: of a chunk
 * @payload: bytes of a message in a full packet
 * @trailer_bytes: behind a message
 * @ranks_max: of a job
 * @narrow: the form
 */
struct msg_format {
	__u32 check_at;
	__u32 fields_at;
	__u32 fields_bytes;
	__u32 header_bytes;
	__u32 header_chunks;
	__u32 chunk_bytes;
	__u32 payload;
	__u32 trailer_bytes;
	__u32 ranks_max;
	bool narrow;
};

/**
 * struct packet_fields - what a packet says of itself behind the machine's header
 * @kind: KIND_* with flags
 * @source: rank of the sender
 * @number: of the message
 * @length: of the message, in bytes
 * @index: number of the packet in its message
 * @tag: of the message; 0 as a packet in narrow form is read
 */
struct packet_fields {
	unsigned int kind;
	__u32 source;
	__u32 number;
	__u32 length;
	__u32 index;
	__u32 tag;
};

int torus_msg_format_init(struct msg_format *format, const struct torus_context *context);
void torus_msg_header_write(const struct msg_format *format, unsigned char *header,
			    const struct packet_fields *fields, __u32 check);
bool torus_msg_header_read(const struct msg_format *format, const struct torus_view *view,
			   __u32 check, struct packet_fields *fields);
unsigned int torus_msg_kind(const struct msg_format *format, const struct torus_view *view);
__u32 torus_msg_dest(const struct msg_format *format, const struct torus_view *view,
		     __u32 before, __u32 *source);
void torus_msg_trailer_write(const struct msg_format *format, unsigned char *trailer, __u32 crc,
			     __u32 tag);
void torus_msg_put(struct torus_context *context, const struct msg_format *format,
		   unsigned int fifo, const unsigned char *header, const unsigned char *data,
		   __u32 length, const unsigned char *trailer, __u32 index);

/* Packets of a message of @length bytes and its trailer. */
static inline __u32 torus_msg_packets(const struct msg_format *format, __u32 length)
{
	return ((__u64)length + format->trailer_bytes + format->payload - 1) / format->payload;
}

/* Bytes of message and trailer in its packet @index. */
static inline __u32 torus_msg_part(const struct msg_format *format, __u32 length, __u32 index)
{
	__u64 left = (__u64)length + format->trailer_bytes - (__u64)index * format->payload;

	return left < format->payload ? left : format->payload;
}

/* Of these, the bytes that are the message's. */
static inline __u32 torus_msg_data(const struct msg_format *format, __u32 length, __u32 index)
{
	__u64 start = (__u64)index * format->payload;
	__u32 part = torus_msg_part(format, length, index);

	if (start >= length)
		return 0;
	return length - start < part ? length - start : part;
}

/* Length of that packet in chunks. */
static inline unsigned int torus_msg_chunks(const struct msg_format *format, __u32 length,
					    __u32 index)
{
	__u32 part = torus_msg_part(format, length, index);

	return format->header_chunks + (part + format->chunk_bytes - 1) / format->chunk_bytes;
}

/* Chunks of all its packets. */
static inline __u32 torus_msg_all_chunks(const struct msg_format *format, __u32 length)
{
	__u32 packets = torus_msg_packets(format, length);

	return (packets - 1) * torus_msg_chunks(format, length, 0) +
	       torus_msg_chunks(format, length, packets - 1);
}

/* The tag of a message that has come whole: @tag is what the headers of its packets say. */
static inline __u32 torus_msg_tag(const struct msg_format *format, const unsigned char *trailer,
				  __u32 tag)
{
	return format->narrow ? torus_load_be32(trailer + 4) : tag;
}

#endif /* TORUS_LIB_MESSAGE_HEADER_H */
