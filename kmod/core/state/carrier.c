// SPDX-License-Identifier: GPL-2.0
/* Sections of a file: written whole, and read whole before a byte of them is used. */
#include "core/state/carrier.h"
#include "core/base/crc.h"
#include "core/base/random.h"

/* One more whenever something is carried that was not, or otherwise. */
#define FILE_VERSION	7u

/* Bytes asked for at once: a head that lies about its length takes no memory. */
#define READ_BYTES	((size_t)1 << 20)

/**
 * struct section_head - what stands in front of a section
 * @what: enum torus_section
 * @number: sections before this one
 * @bytes: of the section
 * @crc: CRC-32C of these
 * @check: CRC-32C of the members above
 */
struct section_head {
	u32 what;
	u32 number;
	u64 bytes;
	u32 crc;
	u32 check;
};

static u32 carrier_crc(const void *bytes, size_t n)
{
	return torus_crc32_value(torus_crc32c_update(TORUS_CRC32_INIT, bytes, n));
}

static u32 carrier_head_check(const struct section_head *head)
{
	return carrier_crc(head, offsetof(struct section_head, check));
}

/**
 * torus_carrier_init() - a state is about to be carried
 * @c: the carrier; torus_carrier_free() it
 * @ops: where its bytes go to, or come from
 * @file: for these
 * @err: gets the words of the first failure
 */
void torus_carrier_init(struct torus_carrier *c, const struct torus_carrier_ops *ops, void *file,
			struct torus_error *err)
{
	*c = (struct torus_carrier){ .ops = ops, .file = file, .err = err,
				     .reading = !ops->write };
}

/**
 * torus_carrier_free() - give back what a carrier holds
 * @c: the carrier
 */
void torus_carrier_free(struct torus_carrier *c)
{
	torus_free(c->bytes, c->room);
	c->bytes = NULL;
	c->room = 0;
	c->filled = 0;
	c->at = 0;
}

/**
 * torus_carrier_no_memory() - there is none for what is carried
 * @c: the carrier
 */
void torus_carrier_no_memory(struct torus_carrier *c)
{
	if (!c->status)
		c->status = torus_fail(c->err, ENOMEM, "no memory for a state (section %u)",
				       c->sections);
}

/**
 * torus_carrier_check() - is a number that has been read one that can be?
 * @c: the carrier
 * @right: so it is
 * @what: its name, for the words that refuse it
 * @value: the number
 *
 * Return: false after a failure, this one or an earlier one.
 */
bool torus_carrier_check(struct torus_carrier *c, bool right, const char *what, u64 value)
{
	if (!c->status && !right)
		c->status = torus_fail(c->err, EINVAL, "state: section %u: %s %llu cannot be",
				       c->sections, what, value);
	return !c->status;
}

/* Room for @n bytes in all. */
static bool carrier_room(struct torus_carrier *c, u64 n)
{
	u64 room = c->room ? c->room : 4096;
	u8 *more;

	if (n <= c->room)
		return true;
	while (room < n)
		room *= 2;
	more = n > TORUS_SECTION_MAX ? NULL : torus_alloc(room);
	if (!more) {
		torus_carrier_no_memory(c);
		return false;
	}
	if (c->filled)
		memcpy(more, c->bytes, c->filled);
	torus_free(c->bytes, c->room);
	c->bytes = more;
	c->room = room;
	return true;
}

/**
 * torus_carry() - carry bytes
 * @c: the carrier, within a section
 * @bytes: the bytes, or where they go
 * @n: their number
 */
void torus_carry(struct torus_carrier *c, void *bytes, size_t n)
{
	/* where there is nothing there may be no array */
	if (!n)
		return;
	if (c->reading && !c->status && n > c->filled - c->at)
		c->status = torus_fail(c->err, EINVAL, "state: section %u ends too early",
				       c->sections);
	if (c->status) {
		if (c->reading)
			memset(bytes, 0, n);
		return;
	}
	if (c->reading) {
		memcpy(bytes, c->bytes + c->at, n);
		c->at += n;
	} else if (carrier_room(c, c->filled + n)) {
		memcpy(c->bytes + c->filled, bytes, n);
		c->filled += n;
	}
}

/**
 * torus_carry_flag() - carry a bool, which is 0 or 1 wherever it comes from
 * @c: the carrier, within a section
 * @flag: the bool
 */
void torus_carry_flag(struct torus_carrier *c, bool *flag)
{
	u8 byte = c->reading ? 0 : *flag;

	TORUS_CARRY(c, byte);
	torus_carrier_check(c, byte <= 1, "a flag", byte);
	*flag = byte == 1;
}

/* Exactly @n bytes of the file. */
static bool carrier_read(struct torus_carrier *c, void *bytes, size_t n)
{
	size_t done = 0;

	while (done < n) {
		int got = c->ops->read(c->file, (u8 *)bytes + done, (u32)(n - done));

		if (got < 0)
			c->status = torus_fail(c->err, -got,
					       "state: section %u cannot be read", c->sections);
		else if (!got)
			c->status = torus_fail(c->err, EINVAL,
					       "state: the file ends within section %u",
					       c->sections);
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

/* Is this the head of the section that is to come? */
static bool carrier_right_head(struct torus_carrier *c, const struct section_head *head,
			       enum torus_section what)
{
	if (what == TORUS_SECTION_FILE && head->what == __builtin_bswap32(what))
		c->status = torus_fail(c->err, EINVAL,
				       "state: written by a machine of other byte order");
	else if (what == TORUS_SECTION_FILE && head->what != what)
		c->status = torus_fail(c->err, EINVAL, "state: the file holds none");
	else if (head->check != carrier_head_check(head))
		c->status = torus_fail(c->err, EINVAL, "state: the head of section %u is damaged",
				       c->sections);
	else if (head->what != what || head->number != c->sections ||
		 head->bytes > TORUS_SECTION_MAX)
		c->status = torus_fail(c->err, EINVAL, "state: section %u is not what follows here",
				       c->sections);
	return !c->status;
}

static void carrier_read_section(struct torus_carrier *c, enum torus_section what)
{
	struct section_head head;
	size_t n;

	if (!carrier_read(c, &head, sizeof(head)) || !carrier_right_head(c, &head, what))
		return;
	while (c->filled < head.bytes) {
		n = head.bytes - c->filled < READ_BYTES ? head.bytes - c->filled : READ_BYTES;
		if (!carrier_room(c, c->filled + n) || !carrier_read(c, c->bytes + c->filled, n))
			return;
		c->filled += n;
	}
	c->mark = torus_mix(c->mark ^ head.crc);
	if (head.crc != carrier_crc(c->bytes, c->filled))
		c->status = torus_fail(c->err, EINVAL, "state: section %u is damaged", c->sections);
}

/**
 * torus_carrier_begin() - a section begins
 * @c: the carrier
 * @what: what it is of
 */
void torus_carrier_begin(struct torus_carrier *c, enum torus_section what)
{
	c->filled = 0;
	c->at = 0;
	c->pieces = 0;
	if (c->status)
		return;
	if (c->reading) {
		carrier_read_section(c, what);
		return;
	}
	/* the head goes in front, when the rest is known */
	torus_carry(c, &(struct section_head){ .what = what, .number = c->sections },
		    sizeof(struct section_head));
}

static void carrier_write(struct torus_carrier *c)
{
	struct section_head head;
	size_t done;
	int ret;

	memcpy(&head, c->bytes, sizeof(head));
	head.bytes = c->filled - sizeof(head);
	head.crc = carrier_crc(c->bytes + sizeof(head), head.bytes);
	head.check = carrier_head_check(&head);
	c->mark = torus_mix(c->mark ^ head.crc);
	memcpy(c->bytes, &head, sizeof(head));
	for (done = 0; done < c->filled; done += READ_BYTES) {
		size_t left = c->filled - done;

		ret = c->ops->write(c->file, c->bytes + done,
				    (u32)(left < READ_BYTES ? left : READ_BYTES));
		if (ret) {
			c->status = torus_fail(c->err, -ret, "state: section %u cannot be written",
					       c->sections);
			return;
		}
	}
}

/**
 * torus_carrier_end() - a section ends
 * @c: the carrier
 */
void torus_carrier_end(struct torus_carrier *c)
{
	if (!c->status && c->reading && c->at != c->filled)
		c->status = torus_fail(c->err, EINVAL, "state: section %u has %zu bytes too many",
				       c->sections, c->filled - c->at);
	if (!c->status && !c->reading)
		carrier_write(c);
	c->sections++;
}

/**
 * torus_carrier_skip() - a section that is another's to understand
 * @c: the carrier, which reads
 * @what: what it is of
 */
void torus_carrier_skip(struct torus_carrier *c, enum torus_section what)
{
	torus_carrier_begin(c, what);
	c->at = c->filled;
	torus_carrier_end(c);
}

/**
 * torus_carrier_piece() - a node's piece of a section begins
 * @c: the carrier, within the section
 * @own: the node is one of whoever carries
 *
 * How long it is stands in front: of several ranks each reads its own nodes', and passes the
 * others' by.
 *
 * Return: false: the piece is another's, and there is nothing to do.
 */
bool torus_carrier_piece(struct torus_carrier *c, bool own)
{
	u32 bytes = 0;

	if (!c->pieces)
		c->pieces = c->reading ? c->at : c->filled;
	c->piece = c->filled;
	if (!c->reading && !own)
		return false;
	TORUS_CARRY(c, bytes);
	if (!c->reading || !torus_carrier_check(c, bytes <= c->filled - c->at, "bytes of a node",
						bytes))
		return own;
	c->piece = c->at + bytes;
	if (!own)
		c->at = c->piece;
	return own;
}

/* Is there more of the piece that is read? */
bool torus_carrier_piece_left(const struct torus_carrier *c)
{
	return !c->status && c->at < c->piece;
}

/**
 * torus_carrier_piece_end() - the piece ends, of a node of one's own
 * @c: the carrier
 */
void torus_carrier_piece_end(struct torus_carrier *c)
{
	u64 bytes = c->filled - c->piece - sizeof(u32);
	u32 known = (u32)bytes;

	if (c->status)
		return;
	if (c->reading)
		torus_carrier_check(c, c->at == c->piece, "what is left of a node's bytes",
				    c->piece - c->at);
	else if (torus_carrier_check(c, known == bytes, "bytes of a node", bytes))
		memcpy(c->bytes + c->piece, &known, sizeof(known));
}

/**
 * torus_carrier_file() - the first section: who could read the file
 * @c: the carrier
 */
void torus_carrier_file(struct torus_carrier *c)
{
	u32 version = FILE_VERSION;

	torus_carrier_begin(c, TORUS_SECTION_FILE);
	TORUS_CARRY(c, version);
	torus_carrier_end(c);
	if (!c->status && version != FILE_VERSION)
		c->status = torus_fail(c->err, EINVAL, "state: of version %u, and not %u", version,
				       FILE_VERSION);
}

/**
 * torus_carrier_last() - the last section: all are there, and nothing follows
 * @c: the carrier
 */
void torus_carrier_last(struct torus_carrier *c)
{
	u8 more;

	torus_carrier_begin(c, TORUS_SECTION_END);
	torus_carrier_end(c);
	if (!c->status && c->reading && c->ops->read(c->file, &more, 1) > 0)
		c->status = torus_fail(c->err, EINVAL, "state: something follows the last section");
}
