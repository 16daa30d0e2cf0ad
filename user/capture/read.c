// SPDX-License-Identifier: GPL-2.0
/* Read a capture file that torusctl has written, or that Wireshark has filtered. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "pcapng.h"
#include "read.h"

/* maximum bytes of a block; longer blocks are rejected as corrupt */
#define BLOCK_MAX	(1u << 24)
#define INTERFACES_MAX	64

static uint16_t get16(const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return le16toh(value);
}

static uint32_t get32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

static uint64_t get64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return le64toh(value);
}

static int broken(struct capture_reader *reader, const char *why)
{
	parse_fail(&reader->why, "%s: byte %ld: %s", reader->name, ftell(reader->in), why);
	return -EBADMSG;
}

/* Return: true if a file starts with a pcapng section. Rewinds the file. */
static bool is_capture(FILE *in)
{
	uint8_t head[4];
	bool is = fread(head, sizeof(head), 1, in) == 1 && get32(head) == PCAPNG_SECTION;

	rewind(in);
	return is;
}

/*
 * Read a block. Return: its length without type and length fields, or a negative errno; -ENODATA at
 * the end of the file.
 */
static ssize_t block_read(struct capture_reader *reader, uint32_t *type)
{
	uint8_t head[8], *larger;
	uint32_t bytes;
	size_t got = fread(head, 1, sizeof(head), reader->in);

	if (!got && feof(reader->in))
		return -ENODATA;
	if (got != sizeof(head))
		return broken(reader, "the file ends within a block");
	*type = get32(head);
	bytes = get32(head + 4);
	if (bytes < PCAPNG_BLOCK_BYTES || bytes % 4 || bytes > BLOCK_MAX)
		return broken(reader, "not a pcapng block of a little-endian file");
	bytes -= sizeof(head);
	if (bytes > reader->cap) {
		larger = realloc(reader->block, bytes);
		if (!larger)
			return broken(reader, "out of memory");
		reader->block = larger;
		reader->cap = bytes;
	}
	if (fread(reader->block, bytes, 1, reader->in) != 1)
		return broken(reader, "the file ends within a block");
	return bytes - sizeof(uint32_t);
}

/* Read an interface block. The name of an interface is the name of its fabric. */
static void read_interface(struct capture_reader *reader, size_t bytes)
{
	const uint8_t *at = reader->block + 8, *end = reader->block + bytes;
	unsigned int number = reader->interfaces++;

	if (bytes < 8 || get16(reader->block) != PCAPNG_LINKTYPE || number >= INTERFACES_MAX)
		return;
	reader->torus |= 1ull << number;
	while (end - at >= PCAPNG_OPTION_BYTES) {
		uint16_t code = get16(at), length = get16(at + 2);

		at += PCAPNG_OPTION_BYTES;
		if (!code || end - at < length)
			return;
		if (code == PCAPNG_IF_NAME)
			snprintf(reader->fabric, sizeof(reader->fabric), "%.*s", length,
				 (const char *)at);
		at += (length + 3) & ~3;
	}
}

static void read_wire(struct torus_wire *wire, const uint8_t *at)
{
	const uint8_t *small = at + 32;

	*wire = (struct torus_wire){
		.tick = get64(at), .node = get32(at + 8), .peer = get32(at + 12),
		.src = get32(at + 16), .dst = get32(at + 20), .seq = get32(at + 24),
		.link_seq = get16(at + 28), .bytes = get16(at + 30), .dir = small[0],
		.vc = small[1], .attempt = small[2], .flags = small[3],
		.header_bytes = small[4], .crc_bytes = small[5], .crc_at = small[6],
	};
	memcpy(wire->arch, small + 8, sizeof(wire->arch));
	wire->arch[sizeof(wire->arch) - 1] = '\0';
}

/*
 * Parse a packet block. Return: 1; 0 if it is not a torus packet or has another version of the
 * format; or a negative errno.
 */
static int read_packet(struct capture_reader *reader, size_t bytes, struct capture_packet *packet)
{
	const uint8_t *block = reader->block, *data = block + 20, *coords;
	uint32_t captured, head, end, dim, interface;

	if (bytes < 20)
		return broken(reader, "a packet's block is too short");
	interface = get32(block);
	captured = get32(block + 12);
	if (captured > bytes - 20)
		return broken(reader, "a packet is longer than its block");
	if (interface >= INTERFACES_MAX || !(reader->torus >> interface & 1))
		return 0;
	if (captured < sizeof(struct torus_wire_head) || get16(data) != TORUS_WIRE_VERSION)
		return 0;
	head = get16(data + 2);
	if (head < sizeof(struct torus_wire_head) || head > captured)
		return broken(reader, "the data before a packet is longer than its block");
	reader->tick_fs = get32(data + 4);
	reader->ndims = (head - (uint32_t)sizeof(struct torus_wire_head)) / CAPTURE_ENDS /
			(uint32_t)sizeof(uint16_t);
	if (reader->ndims > TORUS_DIMS_MAX)
		return broken(reader, "the coordinates have too many dimensions");
	read_wire(&packet->wire, data + 8);
	coords = data + sizeof(struct torus_wire_head);
	for (end = 0; end < CAPTURE_ENDS; end++)
		for (dim = 0; dim < reader->ndims; dim++, coords += sizeof(uint16_t))
			packet->coords[end][dim] = get16(coords);
	packet->captured = captured - head;
	packet->bytes = data + head;
	return 1;
}

/**
 * capture_open - open a capture file
 * @reader: [out] state of the reader, with the error message on failure
 * @name: file name; must remain valid until capture_close()
 *
 * Return: true if the file can be read and starts with a pcapng section.
 */
bool capture_open(struct capture_reader *reader, const char *name)
{
	*reader = (struct capture_reader){ .name = name, .in = fopen(name, "re") };
	if (!reader->in)
		return parse_fail(&reader->why, "%s: %s", name, strerror(errno));
	if (is_capture(reader->in))
		return true;
	parse_fail(&reader->why, "%s: not a pcapng file", name);
	capture_close(reader);
	return false;
}

/**
 * capture_next - read the next packet of a file
 * @reader: the open file
 * @packet: [out] the packet; its bytes are valid until the next call
 *
 * Return: 1, 0 after the last packet, or a negative errno with a message in reader->why.
 */
int capture_next(struct capture_reader *reader, struct capture_packet *packet)
{
	uint32_t type = 0;
	ssize_t bytes;
	int got = 0;

	*packet = (struct capture_packet){ .captured = 0 };
	while (!got) {
		bytes = block_read(reader, &type);
		if (bytes < 0)
			return bytes == -ENODATA ? 0 : (int)bytes;
		if (type == PCAPNG_SECTION) {
			if (bytes < 4 || get32(reader->block) != PCAPNG_ORDER)
				return broken(reader, "not a little-endian section");
			reader->interfaces = 0;
			reader->torus = 0;
		} else if (type == PCAPNG_INTERFACE) {
			read_interface(reader, (size_t)bytes);
		} else if (type == PCAPNG_PACKET) {
			got = read_packet(reader, (size_t)bytes, packet);
		}
	}
	return got;
}

/* Close the file and free the reader's memory. */
void capture_close(struct capture_reader *reader)
{
	if (reader->in)
		fclose(reader->in);
	free(reader->block);
	reader->in = NULL;
	reader->block = NULL;
}
