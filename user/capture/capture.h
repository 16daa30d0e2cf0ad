/* SPDX-License-Identifier: GPL-2.0 */
/* Packets on links, and the files that have them: a writer, a batch, a reader. */
#ifndef TORUS_CAPTURE_H
#define TORUS_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <linux/torus.h>

#include "../parse/parse.h"

#define CAPTURE_BYTES_MAX	65535	/* of a packet on a link: struct torus_wire's field */
#define CAPTURE_ENDS		3	/* nodes whose coordinates stand in front of a packet */

/**
 * struct capture_fabric - whose packets they are
 * @name: its name
 * @arch: its machine
 * @shape: its shape in words
 * @tick_fs: femtoseconds a tick
 * @ndims: dimensions that coordinates have
 */
struct capture_fabric {
	const char *name;
	const char *arch;
	const char *shape;
	uint64_t tick_fs;
	unsigned int ndims;
};

/**
 * struct capture_packet - a packet on a link
 * @wire: what the module tells of it
 * @coords: of @wire.node, @wire.src and @wire.dst
 * @captured: how many of its bytes there are
 * @bytes: these bytes
 */
struct capture_packet {
	struct torus_wire wire;
	uint16_t coords[CAPTURE_ENDS][TORUS_DIMS_MAX];
	uint32_t captured;
	const uint8_t *bytes;
};

/**
 * struct capture_writer - a file that is being written
 * @out: where
 * @fabric: whose packets
 * @packets: packets that stand there
 * @lost: packets that do not, because there was no room for them
 * @untold: of those, how many no packet has said yet
 * @last_ns: when the last was
 */
struct capture_writer {
	FILE *out;
	struct capture_fabric fabric;
	uint64_t packets;
	uint64_t lost;
	uint64_t untold;
	uint64_t last_ns;
};

/**
 * struct capture_batch - packets that are not in order yet
 * @data: their records, as the module gives them
 * @bytes: of these
 * @room: for how many there is memory
 * @at: where each packet is in @data
 * @count: packets
 * @many: for how many @at has room
 */
struct capture_batch {
	uint8_t *data;
	size_t bytes;
	size_t room;
	size_t *at;
	size_t count;
	size_t many;
};

/**
 * struct capture_reader - a file that is being read
 * @in: the file
 * @name: its name
 * @why: why it cannot be read
 * @block: the block that was read last
 * @room: for how many bytes @block has room
 * @fabric: name of the fabric, "" where the file does not tell
 * @interfaces: interfaces so far
 * @torus: bit i: interface i has torus packets
 * @ndims: dimensions that the packet's coordinates have
 * @tick_fs: femtoseconds a tick, of the packet read last
 */
struct capture_reader {
	FILE *in;
	const char *name;
	struct parse_error why;
	uint8_t *block;
	size_t room;
	char fabric[TORUS_NAME_MAX];
	unsigned int interfaces;
	uint64_t torus;
	unsigned int ndims;
	uint64_t tick_fs;
};

#endif /* TORUS_CAPTURE_H */
