// SPDX-License-Identifier: GPL-2.0
/*
 * Message packets written and read, on whatever machine: see form.h.
 */
#include <errno.h>
#include "crc.h"
#include "form.h"

#define SOURCE_MASK	0xffffffu	/* beside the kind in one word */

/**
 * torus_form_init() - the form of packets on a context's machine
 * @form: out
 * @context: the context
 *
 * Return: 0, -EOPNOTSUPP when its packets are too short for a message's header.
 */
int torus_form_init(struct packet_form *form, const struct torus_context *context)
{
	const struct torus_ioc_info *info = &context->info;
	__u32 bytes = info->header_bytes + FORM_CHECK_BYTES + FORM_FIELDS_BYTES;
	__u32 chunks = (bytes + info->chunk_bytes - 1) / info->chunk_bytes;

	if (info->packet_chunks_max <= chunks || chunks * info->chunk_bytes > FORM_HEADER_MAX)
		return torus_error_set(-EOPNOTSUPP,
				       "messages on %s: a packet of %u chunks of %u bytes has no "
				       "room for their header",
				       info->arch, info->packet_chunks_max, info->chunk_bytes);
	form->check_at = info->header_bytes;
	form->fields_at = form->check_at + FORM_CHECK_BYTES;
	form->header_chunks = chunks;
	form->header_bytes = chunks * info->chunk_bytes;
	form->chunk_bytes = info->chunk_bytes;
	form->payload = (info->packet_chunks_max - chunks) * info->chunk_bytes;
	return 0;
}

/**
 * torus_form_write() - write the words behind the machine's header
 * @form: where they go
 * @header: the packet's headers
 * @fields: what they say
 * @check: CRC-32 that the check starts from: of key and receiver
 */
void torus_form_write(const struct packet_form *form, unsigned char *header,
		      const struct packet_fields *fields, __u32 check)
{
	unsigned char *at = header + form->fields_at;

	torus_store_be32(at, fields->kind << 24 | fields->source);
	torus_store_be32(at + 4, fields->number);
	torus_store_be32(at + 8, fields->length);
	torus_store_be32(at + 12, fields->index);
	torus_store_be32(at + 16, fields->tag);
	torus_store_be32(header + form->check_at, torus_lib_crc32(check, at, FORM_FIELDS_BYTES));
}

/**
 * torus_form_read() - read them, if the packet is for us
 * @form: where they are
 * @view: the packet
 * @check: as torus_form_write()
 * @fields: out
 *
 * Return: true if the check is right.
 */
bool torus_form_read(const struct packet_form *form, const struct torus_view *view, __u32 check,
		     struct packet_fields *fields)
{
	unsigned char words[FORM_CHECK_BYTES + FORM_FIELDS_BYTES];
	const unsigned char *at = words + FORM_CHECK_BYTES;
	__u32 word;

	if (view->bytes <= form->header_bytes)
		return false;
	torus_view_copy(view, form->check_at, words, sizeof(words));
	if (torus_lib_crc32(check, at, FORM_FIELDS_BYTES) != torus_load_be32(words))
		return false;
	word = torus_load_be32(at);
	fields->kind = word >> 24;
	fields->source = word & SOURCE_MASK;
	fields->number = torus_load_be32(at + 4);
	fields->length = torus_load_be32(at + 8);
	fields->index = torus_load_be32(at + 12);
	fields->tag = torus_load_be32(at + 16);
	return true;
}

/**
 * torus_form_kind() - what a packet says that it is, before that is believed
 * @form: where it says so
 * @view: the packet
 *
 * Return: KIND_* with flags, 0 of a packet too short for a message's.
 */
unsigned int torus_form_kind(const struct packet_form *form, const struct torus_view *view)
{
	unsigned char kind;

	if (view->bytes <= form->header_bytes)
		return 0;
	torus_view_copy(view, form->fields_at, &kind, 1);
	return kind;
}

/**
 * torus_form_put() - write a message's packet into an injection ring that has room for it
 * @context: the context
 * @form: the form of the packet
 * @fifo: injection FIFO
 * @header: its headers
 * @data: the message
 * @length: its length in bytes
 * @trailer: the message's CRC-32, FORM_TRAILER_BYTES
 * @index: number of the packet in the message
 */
void torus_form_put(struct torus_context *context, const struct packet_form *form,
		    unsigned int fifo, const unsigned char *header, const unsigned char *data,
		    __u32 length, const unsigned char *trailer, __u32 index)
{
	__u32 part = torus_form_part(form, length, index);
	__u32 own = torus_form_data(form, length, index);
	unsigned int chunks = torus_form_chunks(form, length, index);
	size_t start = (size_t)index * form->payload;
	size_t at = form->header_bytes;

	torus_inject_put(context, fifo, 0, header, at);
	if (own)
		torus_inject_put(context, fifo, at, data + start, own);
	if (own < part)
		torus_inject_put(context, fifo, at + own, trailer + (start + own - length),
				 part - own);
	torus_inject_put(context, fifo, at + part, NULL,
			 (size_t)chunks * form->chunk_bytes - at - part);
	torus_inject_commit(context, fifo, chunks);
}
