// SPDX-License-Identifier: GPL-2.0
/*
 * Sections of a snapshot. A section is written as a whole; it is read and checked as a whole before
 * its bytes are used.
 */
#include "core/state/snapshot.h"
#include "core/base/crc.h"
#include "core/base/random.h"

/* Incremented whenever the format changes. */
#define FILE_VERSION	9u

/*
 * Maximum bytes per read or write. When reading, the buffer grows as bytes arrive, so that a
 * section head with a wrong length does not cause a huge allocation.
 */
#define READ_BYTES	((size_t)1 << 20)

/**
 * struct section_head - head of a section
 * @what: enum torus_section
 * @number: sections before this one
 * @bytes: length of the section
 * @crc: CRC-32C of its bytes
 * @check: CRC-32C of the members above
 */
struct section_head {
	u32 what;
	u32 number;
	u64 bytes;
	u32 crc;
	u32 check;
};

static u32 snapshot_crc(const void *bytes, size_t n)
{
	return torus_crc32_value(torus_crc32c_update(TORUS_CRC32_INIT, bytes, n));
}

static u32 snapshot_head_crc(const struct section_head *head)
{
	return snapshot_crc(head, offsetof(struct section_head, check));
}

/**
 * torus_snapshot_init() - begin to write or read a state
 * @snap: [out] the snapshot; freed by torus_snapshot_free()
 * @ops: the owner's file operations; the state is written if @write is set, else read
 * @file: argument of @ops
 * @err: [out] message of the first failure
 */
void torus_snapshot_init(struct torus_snapshot *snap, const struct torus_snapshot_ops *ops,
			 void *file,
			 struct torus_error *err)
{
	*snap = (struct torus_snapshot){ .ops = ops, .file = file, .err = err,
				     .reading = !ops->write };
}

/**
 * torus_snapshot_free() - free a snapshot's buffer
 * @snap: the snapshot
 */
void torus_snapshot_free(struct torus_snapshot *snap)
{
	torus_free(snap->bytes, snap->cap);
	snap->bytes = NULL;
	snap->cap = 0;
	snap->filled = 0;
	snap->at = 0;
}

/**
 * torus_snapshot_no_memory() - fail with -ENOMEM
 * @snap: the snapshot
 */
void torus_snapshot_no_memory(struct torus_snapshot *snap)
{
	if (!snap->status)
		snap->status = torus_fail(snap->err, ENOMEM, "state: section %u: no memory",
					  snap->sections);
}

/**
 * torus_snapshot_check() - fail if a value that has been read is invalid
 * @snap: the snapshot
 * @right: the value is valid
 * @what: name of the value, for the error message
 * @value: the value, for the error message
 *
 * Return: false after a failure, this one or an earlier one.
 */
bool torus_snapshot_check(struct torus_snapshot *snap, bool right, const char *what, u64 value)
{
	if (!snap->status && !right)
		snap->status = torus_fail(snap->err, EINVAL,
					  "state: section %u is corrupt: %s %llu",
					  snap->sections, what, value);
	return !snap->status;
}

/* Grow the buffer to at least @n bytes. */
static bool snapshot_reserve(struct torus_snapshot *snap, u64 n)
{
	u64 cap = snap->cap ? snap->cap : 4096;
	u8 *more;

	if (n <= snap->cap)
		return true;
	while (cap < n)
		cap *= 2;
	more = n > TORUS_SECTION_MAX ? NULL : torus_alloc(cap);
	if (!more) {
		torus_snapshot_no_memory(snap);
		return false;
	}
	if (snap->filled)
		memcpy(more, snap->bytes, snap->filled);
	torus_free(snap->bytes, snap->cap);
	snap->bytes = more;
	snap->cap = cap;
	return true;
}

/**
 * torus_snapshot_bytes() - write or read bytes
 * @snap: the snapshot, within a section
 * @bytes: [in, out] the bytes
 * @n: number of bytes
 */
void torus_snapshot_bytes(struct torus_snapshot *snap, void *bytes, size_t n)
{
	/* @bytes may be NULL if @n is 0 */
	if (!n)
		return;
	if (snap->reading && !snap->status && n > snap->filled - snap->at)
		snap->status = torus_fail(snap->err, EINVAL, "state: section %u ends too early",
					  snap->sections);
	if (snap->status) {
		if (snap->reading)
			memset(bytes, 0, n);
		return;
	}
	if (snap->reading) {
		memcpy(bytes, snap->bytes + snap->at, n);
		snap->at += n;
	} else if (snapshot_reserve(snap, snap->filled + n)) {
		memcpy(snap->bytes + snap->filled, bytes, n);
		snap->filled += n;
	}
}

/**
 * torus_snapshot_flag() - write or read a bool; reject other values than 0 and 1
 * @snap: the snapshot, within a section
 * @flag: [in, out] the bool
 */
void torus_snapshot_flag(struct torus_snapshot *snap, bool *flag)
{
	u8 byte = snap->reading ? 0 : *flag;

	SNAPSHOT_FIELD(snap, byte);
	torus_snapshot_check(snap, byte <= 1, "flag =", byte);
	*flag = byte == 1;
}

/* Read exactly @n bytes from the file. */
static bool snapshot_read(struct torus_snapshot *snap, void *bytes, size_t n)
{
	size_t done = 0;

	while (done < n) {
		int got = snap->ops->read(snap->file, (u8 *)bytes + done, (u32)(n - done));

		if (got < 0)
			snap->status = torus_fail(snap->err, -got,
						  "state: section %u: cannot read the file",
						  snap->sections);
		else if (!got)
			snap->status = torus_fail(snap->err, EINVAL,
						  "state: the file is incomplete: it ends in "
						  "section %u", snap->sections);
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

/* Check that @head is valid and belongs to the next section, of type @what. */
static bool snapshot_check_head(struct torus_snapshot *snap, const struct section_head *head,
				enum torus_section what)
{
	if (what == TORUS_SECTION_FILE && head->what == __builtin_bswap32(what))
		snap->status = torus_fail(snap->err, EINVAL,
					  "state: written by a computer with a different byte "
					  "order");
	else if (what == TORUS_SECTION_FILE && head->what != what)
		snap->status = torus_fail(snap->err, EINVAL,
					  "state: the file does not contain a saved state");
	else if (head->check != snapshot_head_crc(head))
		snap->status = torus_fail(snap->err, EINVAL,
					  "state: the header of section %u is damaged (wrong CRC)",
					  snap->sections);
	else if (head->what != what || head->number != snap->sections ||
		 head->bytes > TORUS_SECTION_MAX)
		snap->status = torus_fail(snap->err, EINVAL,
					  "state: section %u has an unexpected type, number or "
					  "length", snap->sections);
	return !snap->status;
}

static void snapshot_read_section(struct torus_snapshot *snap, enum torus_section what)
{
	struct section_head head;
	size_t n;

	if (!snapshot_read(snap, &head, sizeof(head)) || !snapshot_check_head(snap, &head, what))
		return;
	while (snap->filled < head.bytes) {
		n = head.bytes - snap->filled < READ_BYTES ? head.bytes - snap->filled : READ_BYTES;
		if (!snapshot_reserve(snap, snap->filled + n) ||
		    !snapshot_read(snap, snap->bytes + snap->filled, n))
			return;
		snap->filled += n;
	}
	snap->fingerprint = torus_mix(snap->fingerprint ^ head.crc);
	if (head.crc != snapshot_crc(snap->bytes, snap->filled))
		snap->status = torus_fail(snap->err, EINVAL,
					  "state: section %u is damaged (wrong CRC)",
					  snap->sections);
}

/**
 * torus_snapshot_begin() - begin a section
 * @snap: the snapshot
 * @what: type of the section
 */
void torus_snapshot_begin(struct torus_snapshot *snap, enum torus_section what)
{
	snap->filled = 0;
	snap->at = 0;
	snap->pieces = 0;
	if (snap->status)
		return;
	if (snap->reading) {
		snapshot_read_section(snap, what);
		return;
	}
	/* reserve the head; snapshot_write() fills it in */
	torus_snapshot_bytes(snap, &(struct section_head){ .what = what, .number = snap->sections },
			     sizeof(struct section_head));
}

static void snapshot_write(struct torus_snapshot *snap)
{
	struct section_head head;
	size_t done;
	int ret;

	memcpy(&head, snap->bytes, sizeof(head));
	head.bytes = snap->filled - sizeof(head);
	head.crc = snapshot_crc(snap->bytes + sizeof(head), head.bytes);
	head.check = snapshot_head_crc(&head);
	snap->fingerprint = torus_mix(snap->fingerprint ^ head.crc);
	memcpy(snap->bytes, &head, sizeof(head));
	for (done = 0; done < snap->filled; done += READ_BYTES) {
		size_t left = snap->filled - done;

		ret = snap->ops->write(snap->file, snap->bytes + done,
				       (u32)(left < READ_BYTES ? left : READ_BYTES));
		if (ret) {
			snap->status = torus_fail(snap->err, -ret,
						  "state: section %u: cannot write the file",
						  snap->sections);
			return;
		}
	}
}

/**
 * torus_snapshot_end() - end a section
 * @snap: the snapshot
 */
void torus_snapshot_end(struct torus_snapshot *snap)
{
	if (!snap->status && snap->reading && snap->at != snap->filled)
		snap->status = torus_fail(snap->err, EINVAL,
					  "state: section %u is %zu bytes longer than expected",
					  snap->sections, snap->filled - snap->at);
	if (!snap->status && !snap->reading)
		snapshot_write(snap);
	snap->sections++;
}

/**
 * torus_snapshot_skip() - read a section and ignore its bytes
 * @snap: the snapshot, reading
 * @what: type of the section
 */
void torus_snapshot_skip(struct torus_snapshot *snap, enum torus_section what)
{
	torus_snapshot_begin(snap, what);
	snap->at = snap->filled;
	torus_snapshot_end(snap);
}

/**
 * torus_snapshot_piece() - begin a node's piece of a section
 * @snap: the snapshot, within the section
 * @own: this process simulates the node
 *
 * A piece begins with its length, so that each of several processes can read the pieces of its own
 * nodes and skip the other pieces.
 *
 * Return: false if another process simulates the node: there is nothing to write or read.
 */
bool torus_snapshot_piece(struct torus_snapshot *snap, bool own)
{
	u32 bytes = 0;

	if (!snap->pieces)
		snap->pieces = snap->reading ? snap->at : snap->filled;
	snap->piece = snap->filled;
	if (!snap->reading && !own)
		return false;
	SNAPSHOT_FIELD(snap, bytes);
	if (!snap->reading ||
	    !torus_snapshot_check(snap, bytes <= snap->filled - snap->at,
				  "number of bytes of a node =", bytes))
		return own;
	snap->piece = snap->at + bytes;
	if (!own)
		snap->at = snap->piece;
	return own;
}

/* Check whether the current piece has unread bytes. */
bool torus_snapshot_piece_left(const struct torus_snapshot *snap)
{
	return !snap->status && snap->at < snap->piece;
}

/**
 * torus_snapshot_piece_end() - end the piece of a node that this process simulates
 * @snap: the snapshot
 */
void torus_snapshot_piece_end(struct torus_snapshot *snap)
{
	u64 bytes = snap->filled - snap->piece - sizeof(u32);
	u32 known = (u32)bytes;

	if (snap->status)
		return;
	if (snap->reading)
		torus_snapshot_check(snap, snap->at == snap->piece,
				     "number of unread bytes of a node =", snap->piece - snap->at);
	else if (torus_snapshot_check(snap, known == bytes, "number of bytes of a node =", bytes))
		memcpy(snap->bytes + snap->piece, &known, sizeof(known));
}

/**
 * torus_snapshot_file_header() - write or check the first section, the version of the format
 * @snap: the snapshot
 */
void torus_snapshot_file_header(struct torus_snapshot *snap)
{
	u32 version = FILE_VERSION;

	torus_snapshot_begin(snap, TORUS_SECTION_FILE);
	SNAPSHOT_FIELD(snap, version);
	torus_snapshot_end(snap);
	if (!snap->status && version != FILE_VERSION)
		snap->status = torus_fail(snap->err, EINVAL,
					  "state: the file has version %u, must be version %u",
					  version,
					  FILE_VERSION);
}

/**
 * torus_snapshot_finish() - write or check the last section; nothing may follow it
 * @snap: the snapshot
 */
void torus_snapshot_finish(struct torus_snapshot *snap)
{
	u8 more;

	torus_snapshot_begin(snap, TORUS_SECTION_END);
	torus_snapshot_end(snap);
	if (!snap->status && snap->reading && snap->ops->read(snap->file, &more, 1) > 0)
		snap->status = torus_fail(snap->err, EINVAL,
					  "state: there are bytes after the last section");
}
