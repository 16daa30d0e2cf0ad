/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fabric's state on its way into a file or out of one.
 *
 * A function that carries a struct says which of its members are state, and serves both ways, so
 * that what is written and what is read cannot disagree.  What follows from a fabric's
 * configuration is not carried: who reads makes such a fabric first.
 *
 * A file is a row of sections: a head that says what follows, how long it is and its CRC, and
 * the bytes.  Each has its number and the head a CRC too, so that a bit or byte that is wrong or
 * missing is noticed before anything is believed.  The last one says that all are there.
 *
 * What is read has the right CRCs and may still be wrong: whoever carries a number that something
 * else is looked up by checks it, torus_carrier_check().  After the first failure everything that
 * is read is 0, so that loops end.
 */
#ifndef TORUS_CORE_CARRIER_H
#define TORUS_CORE_CARRIER_H

#include "core/env.h"
#include "core/error.h"

struct torus_domain;
struct torus_fabric;

/* What a section is of. */
enum torus_section {
	TORUS_SECTION_FILE = 0x53524f54,	/* what the file is, as its first bytes tell too */
	TORUS_SECTION_OPTIONS = 1,	/* of whoever wrote it */
	TORUS_SECTION_FABRIC,	/* what there is once */
	TORUS_SECTION_NODES,	/* a block of nodes and what they hold, a piece each */
	TORUS_SECTION_EVENTS,	/* what happens to a block of nodes, a piece each */
	TORUS_SECTION_MEASURE,	/* of whoever measures */
	TORUS_SECTION_END,
};

/* Bytes of a section at most. */
#define TORUS_SECTION_MAX	(1ull << 40)

/**
 * struct torus_carrier_ops - where bytes go to, or come from
 * @write: all of these; NULL: it is read.  Return: 0 or a negative errno
 * @read: so many, or as many as are left.  Return: how many, or a negative errno
 */
struct torus_carrier_ops {
	int (*write)(void *file, const void *bytes, u32 n);
	int (*read)(void *file, void *bytes, u32 n);
};

/**
 * struct torus_carrier - a state on its way
 * @ops: where its bytes go to, or come from
 * @file: for these
 * @err: gets the words of the first failure
 * @reading: it comes from there
 * @status: 0, or a negative errno after the first failure
 * @sections: heads that have been carried
 * @bytes: of the section in hand
 * @room: how many there is memory for
 * @filled: how many it has
 * @at: how many have been read
 * @pieces: where the first node's piece begins, 0: none has
 * @piece: where the piece in hand begins, when it is written; where it ends, when it is read
 * @mark: a number that follows from all sections that have been carried
 */
struct torus_carrier {
	const struct torus_carrier_ops *ops;
	void *file;
	struct torus_error *err;
	bool reading;
	int status;
	u32 sections;
	u8 *bytes;
	size_t room;
	size_t filled;
	size_t at;
	size_t pieces;
	size_t piece;
	u64 mark;
};

void torus_carrier_init(struct torus_carrier *c, const struct torus_carrier_ops *ops, void *file,
			struct torus_error *err);
void torus_carrier_free(struct torus_carrier *c);
void torus_carrier_begin(struct torus_carrier *c, enum torus_section what);
void torus_carrier_end(struct torus_carrier *c);
void torus_carrier_skip(struct torus_carrier *c, enum torus_section what);
bool torus_carrier_piece(struct torus_carrier *c, bool own);
bool torus_carrier_piece_left(const struct torus_carrier *c);
void torus_carrier_piece_end(struct torus_carrier *c);
void torus_carrier_file(struct torus_carrier *c);
void torus_carrier_last(struct torus_carrier *c);
void torus_carry(struct torus_carrier *c, void *bytes, size_t n);
void torus_carry_flag(struct torus_carrier *c, bool *flag);
bool torus_carrier_check(struct torus_carrier *c, bool right, const char *what, u64 value);
void torus_carrier_no_memory(struct torus_carrier *c);

/* Carry a variable, member or array. */
#define TORUS_CARRY(c, what)	torus_carry(c, &(what), sizeof(what))

/* Is there more to be carried, of something that has no end of its own? */
torus_inline bool torus_carrier_works(const struct torus_carrier *c)
{
	return !c->status;
}

#endif /* TORUS_CORE_CARRIER_H */
