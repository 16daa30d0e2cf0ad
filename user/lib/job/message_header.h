/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The format of a message's packets on a machine: the positions of the machine's and the library's
 * header, and the number of bytes left for the message. <torus/message.h> describes the words of
 * the header.
 *
 * The wide format has six words, the last of which is the message's tag.  On a machine with short
 * packets and without deposit, the narrow format with four words leaves more chunks for the
 * message; there the tag follows the message's CRC.
 */
#ifndef TORUS_LIB_MESSAGE_HEADER_H
#define TORUS_LIB_MESSAGE_HEADER_H

#include <torus/torus.h>
#include <stdint.h>
#include "../context/context.h"

#define MSG_CHECK_BYTES	4u	/* CRC-32 of the fields */
#define MSG_FIELDS_MAX		20u	/* bytes of the wide format that the check covers */
/* greatest length of both headers in bytes, in whole chunks */
#define MSG_HEADER_MAX		128u
#define MSG_TRAILER_MAX	8u	/* bytes: CRC-32, and in the narrow format the tag */
#define MSG_KIND_FLAGS		0xc0u	/* mask of the flags in the byte with the kind */
#define MSG_KIND_MAX		7u	/* largest kind in the narrow format */
/* kinds above MSG_KIND_MAX, and those that stand for them in the narrow format */
#define MSG_KIND_MATCH		8u
#define MSG_KIND_BULK		9u
#define MSG_NARROW_MATCH	0u
#define MSG_NARROW_BULK		4u

/**
 * struct msg_format - where the parts of a packet are
 * @check_at: offset of the check in bytes, directly after the machine's header
 * @fields_at: offset of the fields that the check covers
 * @fields_bytes: length of these fields in bytes
 * @header_bytes: length of the machine's and the library's header in bytes, a multiple of a chunk
 * @header_chunks: length of both headers in chunks
 * @chunk_bytes: length of a chunk
 * @payload: bytes of a message in a full packet
 * @trailer_bytes: bytes after the message: CRC-32 and, in the narrow format, the tag
 * @ranks_max: greatest number of ranks in a job
 * @narrow: this is the narrow format
 */
struct msg_format {
	uint32_t check_at;
	uint32_t fields_at;
	uint32_t fields_bytes;
	uint32_t header_bytes;
	uint32_t header_chunks;
	uint32_t chunk_bytes;
	uint32_t payload;
	uint32_t trailer_bytes;
	uint32_t ranks_max;
	bool narrow;
};

/**
 * struct packet_fields - fields of a message packet's header
 * @kind: KIND_* with flags
 * @source: rank of the sender
 * @number: number of the message
 * @length: length of the message in bytes
 * @index: number of the packet in its message
 * @tag: tag of the message; 0 when a packet in the narrow format is read
 */
struct packet_fields {
	unsigned int kind;
	uint32_t source;
	uint32_t number;
	uint32_t length;
	uint32_t index;
	uint32_t tag;
};

int torus_msg_format_init(struct msg_format *format, const struct torus_context *context);
void torus_msg_header_write(const struct msg_format *format, unsigned char *header,
			    const struct packet_fields *fields, uint32_t check);
bool torus_msg_header_read(const struct msg_format *format, const struct torus_view *view,
			   uint32_t check, struct packet_fields *fields);
bool torus_msg_checks_clash(const struct msg_format *format, uint32_t a, uint32_t b);
unsigned int torus_msg_kind(const struct msg_format *format, const struct torus_view *view);
uint32_t torus_msg_dest(const struct msg_format *format, const struct torus_view *view,
			uint32_t before, uint32_t *source);
void torus_msg_trailer_write(const struct msg_format *format, unsigned char *trailer, uint32_t crc,
			     uint32_t tag);
void torus_msg_put(struct torus_context *context, const struct msg_format *format,
		   unsigned int fifo, const unsigned char *header, const unsigned char *data,
		   uint32_t length, const unsigned char *trailer, uint32_t index);

/* Number of packets of a message of @length bytes with its trailer. */
static inline uint32_t torus_msg_packets(const struct msg_format *format, uint32_t length)
{
	return ((__u64)length + format->trailer_bytes + format->payload - 1) / format->payload;
}

/* Bytes of message and trailer in packet @index of a message of @length bytes. */
static inline uint32_t torus_msg_part(const struct msg_format *format, uint32_t length,
				      uint32_t index)
{
	__u64 left = (__u64)length + format->trailer_bytes - (__u64)index * format->payload;

	return left < format->payload ? left : format->payload;
}

/* Bytes of the message alone in packet @index, without the trailer. */
static inline uint32_t torus_msg_data(const struct msg_format *format, uint32_t length,
				      uint32_t index)
{
	__u64 start = (__u64)index * format->payload;
	uint32_t part = torus_msg_part(format, length, index);

	if (start >= length)
		return 0;
	return length - start < part ? length - start : part;
}

/* Length of packet @index of a message in chunks, with its header. */
static inline unsigned int torus_msg_chunks(const struct msg_format *format, uint32_t length,
					    uint32_t index)
{
	uint32_t part = torus_msg_part(format, length, index);

	return format->header_chunks + (part + format->chunk_bytes - 1) / format->chunk_bytes;
}

/* Length of all packets of a message in chunks. */
static inline uint32_t torus_msg_all_chunks(const struct msg_format *format, uint32_t length)
{
	uint32_t packets = torus_msg_packets(format, length);

	return (packets - 1) * torus_msg_chunks(format, length, 0) +
	       torus_msg_chunks(format, length, packets - 1);
}

/*
 * Tag of a complete message: from its trailer in the narrow format, else @tag of its packets'
 * headers.
 */
static inline uint32_t torus_msg_tag(const struct msg_format *format, const unsigned char *trailer,
				     uint32_t tag)
{
	return format->narrow ? torus_load_be32(trailer + 4) : tag;
}

#endif /* TORUS_LIB_MESSAGE_HEADER_H */
