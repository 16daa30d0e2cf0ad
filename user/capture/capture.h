/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Data structures of captures: packets on links, and the state of a writer, a batch and a reader.
 */
#ifndef TORUS_CAPTURE_H
#define TORUS_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <linux/torus.h>

#include "../parse/parse.h"

/* maximum bytes of a packet on a link: limit of the field in struct torus_wire */
#define CAPTURE_BYTES_MAX	65535
/* nodes whose coordinates precede a packet: node, source and destination */
#define CAPTURE_ENDS		3

/**
 * struct capture_fabric - fabric of the captured packets
 * @name: name of the fabric
 * @arch: name of its machine
 * @shape: shape as text
 * @tick_fs: femtoseconds per tick
 * @ndims: dimensions of coordinates
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
 * @wire: the module's description of the packet
 * @coords: coordinates of @wire.node, @wire.src and @wire.dst
 * @captured: number of captured bytes
 * @bytes: captured bytes
 */
struct capture_packet {
	struct torus_wire wire;
	uint16_t coords[CAPTURE_ENDS][TORUS_DIMS_MAX];
	uint32_t captured;
	const uint8_t *bytes;
};

/**
 * struct capture_writer - a capture file being written
 * @out: the file
 * @fabric: fabric of the packets
 * @packets: packets written
 * @lost: packets missing because the capture buffer was full
 * @unreported: part of @lost that no packet's drop count has reported yet
 * @last_ns: time stamp of the last packet
 */
struct capture_writer {
	FILE *out;
	struct capture_fabric fabric;
	uint64_t packets;
	uint64_t lost;
	uint64_t unreported;
	uint64_t last_ns;
};

/**
 * struct capture_batch - packets that are not sorted yet
 * @data: records in the module's format
 * @bytes: used bytes of @data
 * @cap: allocated bytes of @data
 * @at: offset of each packet's record in @data
 * @count: number of packets
 * @many: allocated entries of @at
 */
struct capture_batch {
	uint8_t *data;
	size_t bytes;
	size_t cap;
	size_t *at;
	size_t count;
	size_t many;
};

/**
 * struct capture_reader - a capture file being read
 * @in: the file
 * @name: name of the file
 * @why: error message
 * @block: last block read
 * @cap: allocated bytes of @block
 * @fabric: name of the fabric, "" if the file does not contain it
 * @interfaces: number of interfaces of the current section so far
 * @torus: bit i: interface i has torus packets
 * @ndims: dimensions of the last packet's coordinates
 * @tick_fs: femtoseconds per tick of the last packet
 */
struct capture_reader {
	FILE *in;
	const char *name;
	struct parse_error why;
	uint8_t *block;
	size_t cap;
	char fabric[TORUS_NAME_MAX];
	unsigned int interfaces;
	uint64_t torus;
	unsigned int ndims;
	uint64_t tick_fs;
};

#endif /* TORUS_CAPTURE_H */
