// SPDX-License-Identifier: GPL-2.0
/* Write and read message packets on any machine: see message_header.h. */
#include <errno.h>
#include <string.h>
#include <torus/message.h>
#include "../context/error.h"
#include "../context/inject.h"
#include "crc.h"
#include "message_header.h"

/* mask of the source's rank, which shares a word with the kind */
#define WIDE_SOURCE	0xffffffu
#define NARROW_BYTES	12u		/* bytes that the check covers */
#define NARROW_INDEX	0x7ffffffu	/* mask of the index, which shares a word with the kind */
#define NARROW_NUMBER	0xffffu		/* mask of the lower half of the message number */
#define NARROW_RANKS	0x10000u
/* payload in bytes from which on the index of any packet fits into its bits */
#define NARROW_LEAST	40u

_Static_assert((1ull << 32) / NARROW_LEAST < NARROW_INDEX, "any message has so many packets");
_Static_assert(WIDE_SOURCE + 1 == TORUS_JOB_RANKS_MAX, "any rank fits");

static uint32_t msg_header_chunks(const struct torus_ioc_info *info, uint32_t fields_bytes)
{
	uint32_t bytes = info->header_bytes + MSG_CHECK_BYTES + fields_bytes;

	return (bytes + info->chunk_bytes - 1) / info->chunk_bytes;
}

/*
 * Check whether to use the narrow format: its header needs fewer chunks, leaves a long enough
 * payload, and the machine has no broadcast packets.
 */
static bool msg_narrow(const struct torus_context *context)
{
	const struct torus_ioc_info *info = &context->info;
	uint32_t chunks = msg_header_chunks(info, NARROW_BYTES);

	return chunks < msg_header_chunks(info, MSG_FIELDS_MAX) &&
	       info->packet_chunks_max > chunks &&
	       (info->packet_chunks_max - chunks) * info->chunk_bytes >= NARROW_LEAST &&
	       !torus_machine_can(context->machine, TORUS_MACHINE_DEPOSIT);
}

/**
 * torus_msg_format_init() - compute the format of message packets on a context's machine
 * @format: [out] the format
 * @context: the context
 *
 * Return: 0, -EOPNOTSUPP when its packets are too short for a message's header.
 */
int torus_msg_format_init(struct msg_format *format, const struct torus_context *context)
{
	const struct torus_ioc_info *info = &context->info;
	uint32_t chunks;

	format->narrow = msg_narrow(context);
	format->fields_bytes = format->narrow ? NARROW_BYTES : MSG_FIELDS_MAX;
	format->trailer_bytes = format->narrow ? 8 : 4;
	format->ranks_max = format->narrow ? NARROW_RANKS : TORUS_JOB_RANKS_MAX;
	chunks = msg_header_chunks(info, format->fields_bytes);
	if (info->packet_chunks_max <= chunks || chunks * info->chunk_bytes > MSG_HEADER_MAX)
		return torus_error_set(-EOPNOTSUPP,
				       "messages on %s: a packet of %u chunks of %u bytes is too "
				       "short for the message header",
				       info->arch, info->packet_chunks_max, info->chunk_bytes);
	format->check_at = info->header_bytes;
	format->fields_at = format->check_at + MSG_CHECK_BYTES;
	format->header_chunks = chunks;
	format->header_bytes = chunks * info->chunk_bytes;
	format->chunk_bytes = info->chunk_bytes;
	format->payload = (info->packet_chunks_max - chunks) * info->chunk_bytes;
	return 0;
}

static void wide_write(unsigned char *at, const struct packet_fields *fields)
{
	torus_store_be32(at, fields->kind << 24 | fields->source);
	torus_store_be32(at + 4, fields->number);
	torus_store_be32(at + 8, fields->length);
	torus_store_be32(at + 12, fields->index);
	torus_store_be32(at + 16, fields->tag);
}

static void wide_read(const unsigned char *at, struct packet_fields *fields)
{
	uint32_t word = torus_load_be32(at);

	fields->kind = word >> 24;
	fields->source = word & WIDE_SOURCE;
	fields->number = torus_load_be32(at + 4);
	fields->length = torus_load_be32(at + 8);
	fields->index = torus_load_be32(at + 12);
	fields->tag = torus_load_be32(at + 16);
}

/* Three bits that stand for a kind.  Kinds that no packet in the narrow format has are reused. */
static unsigned int narrow_code(unsigned int kind)
{
	switch (kind & ~MSG_KIND_FLAGS) {
	case MSG_KIND_MATCH:
		return MSG_NARROW_MATCH;
	case MSG_KIND_BULK:
		return MSG_NARROW_BULK;
	default:
		return kind & MSG_KIND_MAX;
	}
}

/* The upper five bits of the first word are the two flags and three bits of the kind. */
static void narrow_write(unsigned char *at, const struct packet_fields *fields)
{
	torus_store_be32(at, (fields->kind & MSG_KIND_FLAGS) << 24 |
			     narrow_code(fields->kind) << 27 | fields->index);
	torus_store_be32(at + 4, fields->source << 16 | (fields->number & NARROW_NUMBER));
	torus_store_be32(at + 8, fields->length);
}

static unsigned int narrow_kind(unsigned int byte)
{
	unsigned int kind = byte >> 3 & MSG_KIND_MAX;

	if (kind == MSG_NARROW_MATCH)
		kind = MSG_KIND_MATCH;
	else if (kind == MSG_NARROW_BULK)
		kind = MSG_KIND_BULK;
	return (byte & MSG_KIND_FLAGS) | kind;
}

static void narrow_read(const unsigned char *at, struct packet_fields *fields)
{
	uint32_t word = torus_load_be32(at + 4);

	fields->kind = narrow_kind(at[0]);
	fields->source = word >> 16;
	fields->number = word & NARROW_NUMBER;
	fields->length = torus_load_be32(at + 8);
	fields->index = torus_load_be32(at) & NARROW_INDEX;
	fields->tag = 0;
}

/**
 * torus_msg_header_write() - write the library's header, which follows the machine's
 * @format: format of the packet
 * @header: [out] headers of the packet
 * @fields: fields of the header
 * @check: CRC-32 over key and receiver, start value of the check
 */
void torus_msg_header_write(const struct msg_format *format, unsigned char *header,
			    const struct packet_fields *fields, uint32_t check)
{
	unsigned char *at = header + format->fields_at;

	if (!format->narrow) {
		wide_write(at, fields);
		check = torus_lib_crc32(check, at, MSG_FIELDS_MAX);
	} else {
		narrow_write(at, fields);
		check = torus_lib_crc32(check, at, NARROW_BYTES) ^
			torus_lib_crc32_ripple(fields->number & ~NARROW_NUMBER, NARROW_BYTES);
	}
	torus_store_be32(header + format->check_at, check);
}

/*
 * Copy the check of a packet, and the fields that the check covers, to @words.  @words may be
 * larger.
 */
static void msg_words(const struct msg_format *format, const struct torus_view *view,
		      unsigned char words[MSG_CHECK_BYTES + MSG_FIELDS_MAX])
{
	if (format->check_at + MSG_CHECK_BYTES + MSG_FIELDS_MAX <= view->part_bytes[0])
		memcpy(words, view->part[0] + format->check_at, MSG_CHECK_BYTES + MSG_FIELDS_MAX);
	else
		torus_view_copy(view, format->check_at, words,
				MSG_CHECK_BYTES + format->fields_bytes);
}

/**
 * torus_msg_header_read() - read the library's header of a packet for this rank
 * @format: format of the packet
 * @view: the packet
 * @check: as torus_msg_header_write()
 * @fields: [out] fields of the header
 *
 * Return: true if the check is correct, so that the packet is for this rank.
 */
bool torus_msg_header_read(const struct msg_format *format, const struct torus_view *view,
			   uint32_t check, struct packet_fields *fields)
{
	unsigned char words[MSG_CHECK_BYTES + MSG_FIELDS_MAX];
	const unsigned char *at = words + MSG_CHECK_BYTES;
	uint32_t wrong, upper;

	if (view->bytes <= format->header_bytes)
		return false;
	msg_words(format, view, words);
	wrong = torus_lib_crc32(check, at, format->fields_bytes) ^ torus_load_be32(words);
	if (!format->narrow) {
		wide_read(at, fields);
		return !wrong;
	}
	narrow_read(at, fields);
	if (!wrong)
		return true;
	/*
	 * Narrow format: the check covers the full message number, but the packet contains only its
	 * lower half.  Compute the upper half from the difference between the check and its value
	 * with an upper half of 0.
	 */
	upper = torus_lib_crc32_unripple(wrong, NARROW_BYTES);
	fields->number |= upper & ~NARROW_NUMBER;
	return !(upper & NARROW_NUMBER);
}

/**
 * torus_msg_checks_clash() - check whether packets with one check can be read with another
 * @format: format of the packets
 * @a: CRC-32 over key and receiver, start value of the check of these packets
 * @b: start value of the other check
 *
 * Return: true if torus_msg_header_read() accepts packets of @a with @b, and of @b with @a.
 */
bool torus_msg_checks_clash(const struct msg_format *format, uint32_t a, uint32_t b)
{
	/* In the narrow format, the upper half of a message number can hide half of the check. */
	return format->narrow ? !(torus_lib_crc32_unripple(a ^ b, 0) & NARROW_NUMBER) : a == b;
}

/**
 * torus_msg_kind() - read the kind of a packet before its check is verified
 * @format: format of the packet
 * @view: the packet
 *
 * Return: KIND_* with flags; 0 if the packet is too short for a message header.
 */
unsigned int torus_msg_kind(const struct msg_format *format, const struct torus_view *view)
{
	unsigned char kind;

	if (view->bytes <= format->header_bytes)
		return 0;
	if (format->fields_at < view->part_bytes[0])
		kind = view->part[0][format->fields_at];
	else
		torus_view_copy(view, format->fields_at, &kind, 1);
	return format->narrow ? narrow_kind(kind) : kind;
}

/**
 * torus_msg_dest() - compute the receiver of a packet from its check
 * @format: format of the packet
 * @view: the packet, longer than its headers
 * @before: CRC-32 of the key, or of the key and the session
 * @source: [out] rank of the sender in the packet
 *
 * The check covers the receiver's rank, which the packet does not contain.  A packet with errors
 * yields a wrong rank, so the caller must verify the packet.
 *
 * Return: a rank, possibly out of range.
 */
uint32_t torus_msg_dest(const struct msg_format *format, const struct torus_view *view,
			uint32_t before, uint32_t *source)
{
	unsigned char words[MSG_CHECK_BYTES + MSG_FIELDS_MAX];
	struct packet_fields fields;
	uint32_t dest;

	msg_words(format, view, words);
	dest = torus_lib_crc32_between(before,
				       torus_lib_crc32_undo(torus_load_be32(words),
							    words + MSG_CHECK_BYTES,
							    format->fields_bytes));
	if (format->narrow)
		narrow_read(words + MSG_CHECK_BYTES, &fields);
	else
		wide_read(words + MSG_CHECK_BYTES, &fields);
	*source = fields.source;
	return format->narrow ? dest & NARROW_NUMBER : dest;
}

/**
 * torus_msg_trailer_write() - write the bytes that follow a message
 * @format: format of the message's packets
 * @trailer: [out] MSG_TRAILER_MAX bytes
 * @crc: CRC-32 of the message
 * @tag: tag of the message
 */
void torus_msg_trailer_write(const struct msg_format *format, unsigned char *trailer, uint32_t crc,
			     uint32_t tag)
{
	torus_store_be32(trailer, crc);
	if (format->narrow)
		torus_store_be32(trailer + 4, tag);
}

/**
 * torus_msg_put() - write and commit a packet of a message in an injection ring with enough space
 * @context: the context
 * @format: format of the packet
 * @fifo: injection FIFO
 * @header: both headers of the packet
 * @data: the message
 * @length: length of the message in bytes
 * @trailer: bytes that follow the message, see torus_msg_trailer_write()
 * @index: number of the packet in the message
 */
void torus_msg_put(struct torus_context *context, const struct msg_format *format,
		   unsigned int fifo, const unsigned char *header, const unsigned char *data,
		   uint32_t length, const unsigned char *trailer, uint32_t index)
{
	uint32_t part = torus_msg_part(format, length, index);
	uint32_t own = torus_msg_data(format, length, index);
	unsigned int chunks = torus_msg_chunks(format, length, index);
	size_t start = (size_t)index * format->payload;
	size_t at = format->header_bytes, bytes = (size_t)chunks * format->chunk_bytes;
	unsigned char *to = torus_inject_place(context, fifo, bytes);

	if (to && at + own == bytes) {
		/*
		 * fast path for most packets of a long message, which are full and contiguous in
		 * the ring
		 */
		memcpy(to, header, at);
		memcpy(to + at, data + start, own);
	} else {
		torus_inject_put(context, fifo, 0, header, at);
		if (own)
			torus_inject_put(context, fifo, at, data + start, own);
		if (own < part)
			torus_inject_put(context, fifo, at + own, trailer + (start + own - length),
					 part - own);
		torus_inject_put(context, fifo, at + part, NULL, bytes - at - part);
	}
	torus_inject_commit(context, fifo, chunks);
}
