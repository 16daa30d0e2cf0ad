/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types of parsed arguments. torusctl and torus-sim accept the same syntax. Patterns and states
 * have the numbers that the module uses.
 *
 * A parser returns false if it rejects its argument. The error message then names the argument and
 * the reason.
 */
#ifndef TORUS_PARSE_PARSE_H
#define TORUS_PARSE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <linux/torus.h>

#include "../common/option.h"
#include "../common/why.h"

struct torus_machine;
struct torus_machine_shape;

#define PARSE_DIM_MAX		8	/* buffer size in bytes for the name of a dimension */
#define PARSE_DIR_MAX		10	/* buffer size in bytes for the name of a direction */
#define PARSE_SHAPE_MAX		128	/* buffer size in bytes for any shape as text */
/* buffer size in bytes for any coordinates as text */
#define PARSE_COORDS_MAX		112
/* number that stands for all nodes or all directions of a fault */
#define PARSE_ALL		(~0u)
#define PARSE_LOAD_BITS		32	/* number of fractional bits of a load */
#define PARSE_BER_BITS		64	/* number of fractional bits of a bit error rate */

/* ------------------------------------------------------------------ time.c */

/**
 * struct parse_time - a time in ticks, or in femtoseconds if its argument has a unit
 * @ticks: time in ticks, if @fs is 0
 * @fs: time in femtoseconds, if the argument has a unit; otherwise 0
 */
struct parse_time {
	__u64 ticks;
	__u64 fs;
};

/* ----------------------------------------------------------------- shape.c */

/**
 * struct parse_list - the numbers of a shape or of coordinates
 * @count: number of entries in @numbers
 * @numbers: lengths of the dimensions, or coordinates
 */
struct parse_list {
	uint32_t count;
	uint32_t numbers[TORUS_DIMS_MAX];
};

/* ----------------------------------------------------------------- node.c */

/**
 * struct parse_place - a node as parsed from an argument
 * @word: the argument
 * @all: true if the argument is "all"
 * @by_coords: true if the argument has coordinates, false if it has the node's number
 * @number: number of the node, unless @by_coords
 * @coords: coordinates of the node, if @by_coords
 */
struct parse_place {
	const char *word;
	bool all;
	bool by_coords;
	uint32_t number;
	struct parse_list coords;
};

/* ---------------------------------------------------------------- node_set.c */

/**
 * struct parse_places - a set of nodes as parsed from an argument
 * @word: the argument
 * @all: true if the argument is "all"
 * @by_coords: true if the argument has coordinates, false if it has node numbers
 * @count: number of coordinates, or 1 for node numbers
 * @first: by coordinate: first value of the range
 * @last: by coordinate: last value of the range; ~0 for all values of a dimension
 */
struct parse_places {
	const char *word;
	bool all;
	bool by_coords;
	uint32_t count;
	uint32_t first[TORUS_DIMS_MAX];
	uint32_t last[TORUS_DIMS_MAX];
};

/* Buffer size in bytes for an item in a list of nodes. Longer items are rejected. */
#define PARSE_PLACES_ITEM_MAX	128

/* --------------------------------------------------------------- pattern.c */

#define PARSE_FILE	"file:"	/* prefix in the name of a pattern that is read from a file */
/* prefix of the pattern whose packets are read from a file, with their ticks */
#define PARSE_TIMED	"timed:"

/* ----------------------------------------------------------------- pair_file.c */

/**
 * struct parse_pairs - a traffic pattern from a file
 * @pairs: array of sources and destinations
 * @count: number of entries in @pairs
 */
struct parse_pairs {
	struct torus_pair *pairs;
	uint32_t count;
};

/* -------------------------------------------------------------- workload.c */

/**
 * struct parse_workload - a workload, as far as it can be parsed without its fabric
 * @traffic: parameters for the core; parse_workload_finish() completes them
 * @pattern: name of the pattern, or NULL
 * @region: lengths of a hot region; empty if no region was given
 * @at: lowest corner of the hot region, or root of a fill pattern
 * @region_word: @region as text
 * @at_word: @at as text
 * @at_key: key with which @at was given: "region_at" or "root_at"
 * @hot_word: the hot nodes as text
 * @has_share: true if the share of packets to the region or to the hot nodes was given
 */
struct parse_workload {
	struct torus_traffic traffic;
	const char *pattern;
	struct parse_list region;
	struct parse_list at;
	const char *region_word;
	const char *at_word;
	const char *at_key;
	const char *hot_word;
	bool has_share;
};

/* ----------------------------------------------------------------- fault.c */

enum parse_fault_what {
	PARSE_FAULT_STATE = 1 << 0,
	PARSE_FAULT_SENDER = 1 << 1,
	PARSE_FAULT_BER = 1 << 2,
	PARSE_FAULT_DELAY = 1 << 3,
	PARSE_FAULT_CORRUPT = 1 << 4,
	PARSE_FAULT_ESCAPE = 1 << 5,
	PARSE_FAULT_DROP_ACK = 1 << 6,
	PARSE_FAULT_CORRUPT_ACK = 1 << 7,
	PARSE_FAULT_ECC_SINGLE = 1 << 8,
	PARSE_FAULT_ECC_DOUBLE = 1 << 9,
	PARSE_FAULT_PARITY = 1 << 10,
	PARSE_FAULT_AT = 1 << 11,
	PARSE_FAULT_FOR = 1 << 12,
	PARSE_FAULT_DROP_NACK = 1 << 13,
};

/**
 * struct parse_fault - changes of a link
 * @has: mask of PARSE_FAULT_*: the changes that were given
 * @up: state of the link
 * @sender: enum torus_sender_state: 0 off, 1 on, 2 dead
 * @ber: bit error rate in units of 2^-64
 * @corrupt: number of packets in which a bit is flipped
 * @escape: number of packets with an error that the packet CRC does not detect
 * @drop_ack: number of acknowledgements that are lost
 * @drop_nack: number of nacks that are lost, if the links have nacks
 * @corrupt_ack: number of acknowledgements that arrive damaged
 * @ecc_single: number of packets read from a buffer with one wrong bit
 * @ecc_double: number of packets read from a buffer with two wrong bits
 * @parity: number of packets with wrong parity
 * @delay: time added to the latency of the link
 * @at: time at which the changes take effect
 * @lasting: duration of the changes
 */
struct parse_fault {
	uint32_t has;
	bool up;
	uint32_t sender;
	__u64 ber;
	uint32_t corrupt;
	uint32_t escape;
	uint32_t drop_ack;
	uint32_t drop_nack;
	uint32_t corrupt_ack;
	uint32_t ecc_single;
	uint32_t ecc_double;
	uint32_t parity;
	struct parse_time delay;
	struct parse_time at;
	struct parse_time lasting;
};

/* ----------------------------------------------------------------- script_lines.c */

/**
 * struct parse_lines - reader of a file whose lines are split into words
 * @name: name of the file, for messages
 * @file: the file
 * @line: number of the last line that was read, from 1. If the line was continued, number of its
 *    first part
 * @words: words of the last line, ended by NULL
 * @count: number of entries in @words
 * @next: number of lines read so far
 * @over: true after a line that is too long, or that could not be read for lack of memory: reading
 *    has ended
 * @raw: text of the line before it is split
 * @raw_room: size of @raw in bytes
 * @text: texts of the words, each terminated by NUL
 * @used: number of used bytes in @text
 * @room: size of @text in bytes
 */
struct parse_lines {
	const char *name;
	FILE *file;
	unsigned int line;
	char **words;
	unsigned int count;
	unsigned int next;
	bool over;
	char *raw;
	size_t raw_room;
	char *text;
	size_t used;
	size_t room;
};

#define PARSE_LINE_MAX	(1u << 20)	/* maximum length of a line in bytes */

#endif /* TORUS_PARSE_PARSE_H */
