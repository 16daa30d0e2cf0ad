// SPDX-License-Identifier: GPL-2.0
/* Write a capture as a pcapng file, in little-endian format on every host. */
#include <endian.h>
#include <string.h>

#include "capture.h"
#include "pcapng.h"
#include "write.h"

/**
 * struct block - a block being composed
 * @bytes: contents after the block's type and length
 * @used: number of bytes so far
 */
struct block {
	uint8_t bytes[CAPTURE_BYTES_MAX + 1024];
	size_t used;
};

static void block_put(struct block *block, const void *from, size_t bytes)
{
	memcpy(block->bytes + block->used, from, bytes);
	block->used += bytes;
}

/* Append zeros up to a multiple of four bytes. */
static void pad(struct block *block)
{
	size_t whole = (block->used + 3) & ~(size_t)3;

	memset(block->bytes + block->used, 0, whole - block->used);
	block->used = whole;
}

static void put16(struct block *block, uint16_t value)
{
	value = htole16(value);
	block_put(block, &value, sizeof(value));
}

static void put32(struct block *block, uint32_t value)
{
	value = htole32(value);
	block_put(block, &value, sizeof(value));
}

static void put64(struct block *block, uint64_t value)
{
	value = htole64(value);
	block_put(block, &value, sizeof(value));
}

/* Append a time stamp: high half first. */
static void put_time(struct block *block, uint64_t ns)
{
	put32(block, (uint32_t)(ns >> 32));
	put32(block, (uint32_t)ns);
}

static void option(struct block *block, uint16_t code, const void *value, size_t bytes)
{
	put16(block, code);
	put16(block, (uint16_t)bytes);
	block_put(block, value, bytes);
	pad(block);
}

static void option_text(struct block *block, uint16_t code, const char *text)
{
	option(block, code, text, strlen(text));
}

static void option_u64(struct block *block, uint16_t code, uint64_t value)
{
	value = htole64(value);
	option(block, code, &value, sizeof(value));
}

static void block_write(FILE *out, uint32_t type, const struct block *block)
{
	uint32_t head[2] = { htole32(type), htole32(PCAPNG_BLOCK_BYTES + (uint32_t)block->used) };

	fwrite(head, sizeof(head), 1, out);
	fwrite(block->bytes, 1, block->used, out);
	fwrite(&head[1], sizeof(head[1]), 1, out);
}

/**
 * capture_ns - convert ticks to time stamps
 * @tick_fs: femtoseconds per tick
 * @ticks: number of ticks
 *
 * Return: whole nanoseconds.
 */
uint64_t capture_ns(uint64_t tick_fs, uint64_t ticks)
{
	return ticks / 1000000 * tick_fs + ticks % 1000000 * tick_fs / 1000000;
}

/**
 * capture_begin - write the section and interface blocks of a file
 * @writer: [out] state of the writer
 * @out: the file; the caller closes it and checks for write errors
 * @fabric: fabric of the packets; its strings must remain valid
 */
void capture_begin(struct capture_writer *writer, FILE *out, const struct capture_fabric *fabric)
{
	const uint8_t resolution = PCAPNG_NANOSECONDS;
	struct block block = { .used = 0 };
	char text[256];

	*writer = (struct capture_writer){ .out = out, .fabric = *fabric };
	put32(&block, PCAPNG_ORDER);
	put16(&block, 1);
	put16(&block, 0);
	put64(&block, ~0ull);	/* length of the section: unknown */
	option_text(&block, PCAPNG_USERAPPL, "torus");
	put32(&block, 0);
	block_write(out, PCAPNG_SECTION, &block);

	block.used = 0;
	put16(&block, PCAPNG_LINKTYPE);
	put16(&block, 0);
	put32(&block, 0);	/* snapshot length: unlimited */
	option_text(&block, PCAPNG_IF_NAME, fabric->name);
	snprintf(text, sizeof(text), "%s %s, ticks of %llu fs", fabric->arch, fabric->shape,
		 (unsigned long long)fabric->tick_fs);
	option_text(&block, PCAPNG_IF_DESCRIPTION, text);
	option(&block, PCAPNG_IF_TSRESOL, &resolution, sizeof(resolution));
	put32(&block, 0);
	block_write(out, PCAPNG_INTERFACE, &block);
}

/* Append struct torus_wire_head and the coordinates that follow it. */
static void put_head(struct block *block, const struct capture_fabric *fabric,
		     const struct capture_packet *packet, uint32_t head_bytes)
{
	const struct torus_wire *wire = &packet->wire;
	const uint8_t small[] = {
		wire->dir, wire->vc, wire->attempt, wire->flags, wire->header_bytes,
		wire->crc_bytes, wire->crc_at, 0,
	};
	unsigned int end, dim;

	put16(block, TORUS_WIRE_VERSION);
	put16(block, (uint16_t)head_bytes);
	put32(block, (uint32_t)fabric->tick_fs);
	put64(block, wire->tick);
	put32(block, wire->node);
	put32(block, wire->peer);
	put32(block, wire->src);
	put32(block, wire->dst);
	put32(block, wire->seq);
	put16(block, wire->link_seq);
	put16(block, wire->bytes);
	block_put(block, small, sizeof(small));
	block_put(block, wire->arch, sizeof(wire->arch));
	for (end = 0; end < CAPTURE_ENDS; end++)
		for (dim = 0; dim < fabric->ndims; dim++)
			put16(block, packet->coords[end][dim]);
}

void capture_write(struct capture_writer *writer, const struct capture_packet *packet)
{
	const struct capture_fabric *fabric = &writer->fabric;
	uint32_t head = (uint32_t)(sizeof(struct torus_wire_head) +
				   CAPTURE_ENDS * fabric->ndims * sizeof(uint16_t));
	uint32_t flags = htole32(PCAPNG_CRC_ERROR);
	struct block block;

	block.used = 0;
	writer->last_ns = capture_ns(fabric->tick_fs, packet->wire.tick);
	put32(&block, 0);	/* number of the only interface */
	put_time(&block, writer->last_ns);
	put32(&block, head + packet->captured);
	put32(&block, head + packet->wire.bytes);
	put_head(&block, fabric, packet, head);
	block_put(&block, packet->bytes, packet->captured);
	pad(&block);
	if (packet->wire.flags & (TORUS_WIRE_HEADER | TORUS_WIRE_CRC))
		option(&block, PCAPNG_EPB_FLAGS, &flags, sizeof(flags));
	if (writer->unreported)
		option_u64(&block, PCAPNG_EPB_DROPCOUNT, writer->unreported);
	put32(&block, 0);
	block_write(writer->out, PCAPNG_PACKET, &block);
	writer->unreported = 0;
	writer->packets++;
}

/**
 * capture_lose - record that packets are missing after the last packet
 * @writer: the file
 * @packets: number of missing packets
 */
void capture_lose(struct capture_writer *writer, uint64_t packets)
{
	writer->lost += packets;
	writer->unreported += packets;
}

/**
 * capture_end - write the statistics block with the numbers of packets and lost packets
 * @writer: the file
 */
void capture_end(struct capture_writer *writer)
{
	struct block block = { .used = 0 };

	put32(&block, 0);
	put_time(&block, writer->last_ns);
	option_u64(&block, PCAPNG_ISB_IFRECV, writer->packets + writer->lost);
	option_u64(&block, PCAPNG_ISB_IFDROP, writer->lost);
	put32(&block, 0);
	block_write(writer->out, PCAPNG_STATISTICS, &block);
}
