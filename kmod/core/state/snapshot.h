/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots: a fabric's state, written to a file or read from a file.
 *
 * One function per struct lists the members that are state. The same function writes and reads
 * them, so that writer and reader cannot disagree. A file does not contain data that follows from
 * the configuration: the reader first creates a fabric with the same configuration.
 *
 * A file is a sequence of sections. A section has a head (type, number, length, CRC of the bytes,
 * CRC of the head), then its bytes. Therefore a wrong or missing byte is detected before any value
 * is used. The last section marks the end.
 *
 * A file with correct CRCs can still have wrong values. Validate each value that is used as an
 * index with torus_snapshot_check(). After the first failure each value that is read is 0, so that
 * loops end.
 */
#ifndef TORUS_CORE_STATE_SNAPSHOT_H
#define TORUS_CORE_STATE_SNAPSHOT_H

#include "core/platform.h"
#include "core/error.h"

struct torus_domain;
struct torus_fabric;

/* Type of a section.  These numbers are part of the file format. */
enum torus_section {
	TORUS_SECTION_FILE = 0x53524f54,	/* file format; also the file's magic number */
	TORUS_SECTION_OPTIONS = 1,	/* options of the program that wrote it */
	TORUS_SECTION_FABRIC,	/* state that a fabric has once */
	TORUS_SECTION_NODES,	/* a block of nodes, a piece per node */
	TORUS_SECTION_EVENTS,	/* events of a block of nodes, a piece per node */
	TORUS_SECTION_MEASURE,	/* measurements of the program that wrote it */
	TORUS_SECTION_END,
};

/* Maximum bytes of a section. */
#define TORUS_SECTION_MAX	(1ull << 40)

/**
 * struct torus_snapshot_ops - file operations of a snapshot's owner
 * @write: write all @n bytes; NULL if the snapshot is read.  Return: 0 or a negative errno
 * @read: read @n bytes, fewer only at the end.  Return: the number read, or a negative errno
 */
struct torus_snapshot_ops {
	int (*write)(void *file, const void *bytes, u32 n);
	int (*read)(void *file, void *bytes, u32 n);
};

/**
 * struct torus_snapshot - a state that is written or read
 * @ops: the owner's file operations
 * @file: argument of @ops
 * @err: [out] message of the first failure
 * @reading: the state is read, not written
 * @status: 0, or a negative errno after the first failure
 * @sections: number of sections so far
 * @bytes: bytes of the current section
 * @cap: capacity of @bytes
 * @filled: number of bytes in @bytes
 * @at: number of those bytes already read
 * @pieces: offset of the section's first piece, 0 before that piece
 * @piece: offset of the current piece: its start when written, its end when read
 * @fingerprint: hash of all sections so far
 */
struct torus_snapshot {
	const struct torus_snapshot_ops *ops;
	void *file;
	struct torus_error *err;
	bool reading;
	int status;
	u32 sections;
	u8 *bytes;
	size_t cap;
	size_t filled;
	size_t at;
	size_t pieces;
	size_t piece;
	u64 fingerprint;
};

void torus_snapshot_init(struct torus_snapshot *snap, const struct torus_snapshot_ops *ops,
			 void *file,
			 struct torus_error *err);
void torus_snapshot_free(struct torus_snapshot *snap);
void torus_snapshot_begin(struct torus_snapshot *snap, enum torus_section what);
void torus_snapshot_end(struct torus_snapshot *snap);
void torus_snapshot_skip(struct torus_snapshot *snap, enum torus_section what);
bool torus_snapshot_piece(struct torus_snapshot *snap, bool own);
bool torus_snapshot_piece_left(const struct torus_snapshot *snap);
void torus_snapshot_piece_end(struct torus_snapshot *snap);
void torus_snapshot_file_header(struct torus_snapshot *snap);
void torus_snapshot_finish(struct torus_snapshot *snap);
void torus_snapshot_bytes(struct torus_snapshot *snap, void *bytes, size_t n);
void torus_snapshot_flag(struct torus_snapshot *snap, bool *flag);
bool torus_snapshot_check(struct torus_snapshot *snap, bool right, const char *what, u64 value);
void torus_snapshot_no_memory(struct torus_snapshot *snap);

/* Write or read a variable, member or array. */
#define SNAPSHOT_FIELD(snap, what)	torus_snapshot_bytes(snap, &(what), sizeof(what))

/*
 * Check that no failure has occurred so far. Loops whose length is read from the file must check
 * this, too.
 */
torus_inline bool torus_snapshot_ok(const struct torus_snapshot *snap)
{
	return !snap->status;
}

#endif /* TORUS_CORE_STATE_SNAPSHOT_H */
