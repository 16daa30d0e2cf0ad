/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The words that the tools understand, and those that they print: one grammar for
 * torusctl, torus-sim and, as far as numbers go, the module.
 *
 * A function that reads a word answers whether it makes sense; if not, its reason
 * names the word and says why.
 */
#ifndef TORUS_PARSE_PARSE_H
#define TORUS_PARSE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <linux/torus.h>

#include "../common/option.h"
#include "../common/why.h"

struct torus_machine;
struct torus_machine_shape;

#define PARSE_DIM_MAX		8	/* bytes that hold the name of a dimension */
#define PARSE_DIR_MAX		10	/* bytes that hold the name of a direction */
#define PARSE_SHAPE_MAX		128	/* bytes that hold any shape */
#define PARSE_COORDS_MAX		112	/* bytes that hold any node's coordinates */
#define PARSE_ALL		(~0u)	/* a fault's node or direction: every one */
#define PARSE_LOAD_BITS		32	/* binary digits of a load behind the point */
#define PARSE_BER_BITS		64	/* of a bit-error rate */

/* ---------------------------------------------------------------- integer.c */

/* -------------------------------------------------------------- option.c */

/* ------------------------------------------------------------------ time.c */

/**
 * struct parse_time - a time as it was typed
 * @ticks: ticks, when @fs is 0
 * @fs: femtoseconds, when it was typed with a unit
 */
struct parse_time {
	__u64 ticks;
	__u64 fs;
};

/* ----------------------------------------------------------------- shape.c */

/**
 * struct parse_list - the numbers of a shape or of coordinates
 * @count: number of numbers
 * @numbers: the numbers
 */
struct parse_list {
	__u32 count;
	__u32 numbers[TORUS_DIMS_MAX];
};

/* ----------------------------------------------------------------- node.c */

/**
 * struct parse_place - a node as it was typed
 * @word: the word
 * @all: the word is "all"
 * @by_coords: the word is coordinates, "1,2,3", rather than a number
 * @number: the number
 * @coords: the coordinates
 */
struct parse_place {
	const char *word;
	bool all;
	bool by_coords;
	__u32 number;
	struct parse_list coords;
};

/* ---------------------------------------------------------------- node_set.c */

/**
 * struct parse_places - nodes as they were typed
 * @word: the word
 * @all: the word is "all"
 * @by_coords: the word has coordinates rather than a number
 * @count: number of coordinates; 1 of a number
 * @first: the first of each range
 * @last: its last; ~0 where all of a dimension is meant
 */
struct parse_places {
	const char *word;
	bool all;
	bool by_coords;
	__u32 count;
	__u32 first[TORUS_DIMS_MAX];
	__u32 last[TORUS_DIMS_MAX];
};

/* Bytes of the longest word for nodes, and more. */
#define PARSE_PLACES_ITEM_MAX	128

/* ------------------------------------------------------------------- name.c */

/* --------------------------------------------------------------- pattern.c */

#define PARSE_FILE	"file:"	/* the pattern that stands in a file */

/* ----------------------------------------------------------------- pair_file.c */

/**
 * struct parse_pairs - a pattern from a file
 * @pairs: who sends to whom
 * @count: number of pairs
 */
struct parse_pairs {
	struct torus_pair *pairs;
	__u32 count;
};

/* ------------------------------------------------------------------- hotspot.c */

/* -------------------------------------------------------------- workload.c */

/**
 * struct parse_workload - a workload as far as words alone tell it
 * @traffic: for the core; parse_workload_finish() completes it
 * @pattern: the pattern's name as it was typed, or NULL
 * @region: of a hot region, its lengths; no number: not given
 * @at: its lowest corner, or a fill's root
 * @region_word: the lengths as they were typed
 * @at_word: the corner or root as it was typed
 * @at_key: "region_at" or "root_at", whichever was typed
 * @hot_word: the hot nodes as they were typed
 * @has_share: the share of the region or of the hot nodes was given
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
 * struct parse_fault - what is to happen to a link
 * @has: PARSE_FAULT_*: which of the others were given
 * @up: the link's state
 * @sender: what its sender may do: 0 off, 1 on, 2 dead, as parse_sender_name() says
 * @ber: bit-error rate, in units of 2^-64
 * @corrupt: of so many packets a bit is flipped
 * @escape: so many get an error that the link's CRC misses
 * @drop_ack: so many acknowledgements are lost
 * @drop_nack: so many nacks are lost, where links have them
 * @corrupt_ack: so many arrive damaged
 * @ecc_single: so many packets are read from a buffer with one wrong bit
 * @ecc_double: with two
 * @parity: with a wrong parity
 * @delay: added to the link's latency
 * @at: when
 * @lasting: for how long
 */
struct parse_fault {
	__u32 has;
	bool up;
	__u32 sender;
	__u64 ber;
	__u32 corrupt;
	__u32 escape;
	__u32 drop_ack;
	__u32 drop_nack;
	__u32 corrupt_ack;
	__u32 ecc_single;
	__u32 ecc_double;
	__u32 parity;
	struct parse_time delay;
	struct parse_time at;
	struct parse_time lasting;
};

/* ----------------------------------------------------------------- script_lines.c */

/**
 * struct parse_lines - a file of lines of words
 * @name: of the file, for messages
 * @file: the file
 * @line: number of the line that was read last, from 1; where it began, of a continued one
 * @words: its words, ended by NULL
 * @count: number of words
 * @next: lines read so far
 * @over: the rest of the file is not read: a line was too long
 * @raw: the line as it stands in the file
 * @raw_room: bytes of @raw
 * @text: the texts of the words, each ended by a byte 0
 * @used: bytes of @text that are used
 * @room: bytes of @text
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

#define PARSE_LINE_MAX	(1u << 20)	/* bytes of a line at most */

#endif /* TORUS_PARSE_PARSE_H */
