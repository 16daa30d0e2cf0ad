/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The Blue Gene/L packet header: 8 bytes in two big-endian words. <linux/torus.h> names the bits.
 */
#ifndef TORUS_ARCH_BGL_HEADER_H
#define TORUS_ARCH_BGL_HEADER_H

#include "core/platform.h"

#define BGL_DIMS	3

/* Number of bytes that the CRC-8 covers: all bytes before it. */
#define BGL_CRC_AT	(TORUS_BGL_HEADER_BYTES - 1)
#define BGL_SEQ_AT	(TORUS_BGL_HEADER_BYTES - 2)

/**
 * struct bgl_header - parsed header of a packet
 *
 * @csum_skip: part that the injection checksum omits, in units of 2 bytes, 0..127
 * @sk: the injection checksum omits the whole packet
 * @hints: hint bits, TORUS_BGL_HINT_*
 * @dp: deposit: leave a copy at each node that the packet passes
 * @pid: FIFO group at the destination, 0 or 1
 * @chunks: length of the packet in chunks of 32 bytes, 1..8
 * @sw: two bits for software, 0..3
 * @dynamic: routed adaptively
 * @vc: enum torus_bgl_vc
 * @dest: destination X, Y, Z, 0..255
 * @seq: sequence number on the link, 0..255
 * @crc: CRC-8 of the header
 */
struct bgl_header {
	u8 csum_skip;
	bool sk;
	u8 hints;
	bool dp;
	u8 pid;
	u8 chunks;
	u8 sw;
	bool dynamic;
	u8 vc;
	u8 dest[BGL_DIMS];
	u8 seq;
	u8 crc;
};

/* Load a word of a header from four bytes. IBM's bit 0 is the most significant one. */
torus_inline u32 bgl_word_load(const u8 *bytes)
{
	return (u32)bytes[0] << 24 | (u32)bytes[1] << 16 | (u32)bytes[2] << 8 | bytes[3];
}

/* Store a word of a header. */
torus_inline void bgl_word_store(u8 *bytes, u32 word)
{
	bytes[0] = (u8)(word >> 24);
	bytes[1] = (u8)(word >> 16);
	bytes[2] = (u8)(word >> 8);
	bytes[3] = (u8)word;
}

torus_inline u32 bgl_field_get(u32 word, u32 mask, u32 shift)
{
	return word >> shift & mask;
}

torus_inline u32 bgl_field_put(u32 value, u32 mask, u32 shift)
{
	return (value & mask) << shift;
}

torus_inline u32 bgl_pack_word0(const struct bgl_header *h)
{
	/* the field of three bits has the number of chunks minus 1 */
	u32 chunks = h->chunks - 1u;

	return bgl_field_put(h->csum_skip, TORUS_BGL_CSUM_SKIP_MASK, TORUS_BGL_CSUM_SKIP_SHIFT) |
	       (h->sk ? TORUS_BGL_SK : 0) |
	       bgl_field_put(h->hints, TORUS_BGL_HINTS_MASK, TORUS_BGL_HINTS_SHIFT) |
	       (h->dp ? TORUS_BGL_DP : 0) |
	       (h->pid ? TORUS_BGL_PID : 0) |
	       bgl_field_put(chunks, TORUS_BGL_CHUNKS_MASK, TORUS_BGL_CHUNKS_SHIFT) |
	       bgl_field_put(h->sw, TORUS_BGL_SW_MASK, TORUS_BGL_SW_SHIFT) |
	       (h->dynamic ? TORUS_BGL_DYNAMIC : 0) |
	       bgl_field_put(h->vc, TORUS_BGL_VC_MASK, TORUS_BGL_VC_SHIFT) |
	       bgl_field_put(h->dest[0], 0xff, TORUS_BGL_X_SHIFT);
}

torus_inline u32 bgl_pack_word1(const struct bgl_header *h)
{
	return bgl_field_put(h->dest[1], 0xff, TORUS_BGL_Y_SHIFT) |
	       bgl_field_put(h->dest[2], 0xff, TORUS_BGL_Z_SHIFT) |
	       bgl_field_put(h->seq, 0xff, TORUS_BGL_SEQ_SHIFT) |
	       bgl_field_put(h->crc, 0xff, TORUS_BGL_CRC_SHIFT);
}

/*
 * Serialize a header.
 *
 * @header: the fields; excess bits of a field are ignored. @header->crc is stored unchanged; only
 *   bgl_header_seal() computes a CRC.
 * @bytes: [out] 8 bytes
 */
torus_inline void bgl_header_pack(const struct bgl_header *header, u8 *bytes)
{
	bgl_word_store(bytes, bgl_pack_word0(header));
	bgl_word_store(bytes + 4, bgl_pack_word1(header));
}

/*
 * Parse a header.
 *
 * @header: [out] the fields; every bit pattern is accepted
 * @bytes: 8 bytes
 */
torus_inline void bgl_header_unpack(struct bgl_header *header, const u8 *bytes)
{
	u32 w0 = bgl_word_load(bytes);
	u32 w1 = bgl_word_load(bytes + 4);

	header->csum_skip = (u8)bgl_field_get(w0, TORUS_BGL_CSUM_SKIP_MASK,
					      TORUS_BGL_CSUM_SKIP_SHIFT);
	header->sk = w0 & TORUS_BGL_SK;
	header->hints = (u8)bgl_field_get(w0, TORUS_BGL_HINTS_MASK, TORUS_BGL_HINTS_SHIFT);
	header->dp = w0 & TORUS_BGL_DP;
	header->pid = !!(w0 & TORUS_BGL_PID);
	header->chunks = (u8)bgl_field_get(w0, TORUS_BGL_CHUNKS_MASK, TORUS_BGL_CHUNKS_SHIFT) + 1;
	header->sw = (u8)bgl_field_get(w0, TORUS_BGL_SW_MASK, TORUS_BGL_SW_SHIFT);
	header->dynamic = w0 & TORUS_BGL_DYNAMIC;
	header->vc = (u8)bgl_field_get(w0, TORUS_BGL_VC_MASK, TORUS_BGL_VC_SHIFT);
	header->dest[0] = (u8)bgl_field_get(w0, 0xff, TORUS_BGL_X_SHIFT);
	header->dest[1] = (u8)bgl_field_get(w1, 0xff, TORUS_BGL_Y_SHIFT);
	header->dest[2] = (u8)bgl_field_get(w1, 0xff, TORUS_BGL_Z_SHIFT);
	header->seq = (u8)bgl_field_get(w1, 0xff, TORUS_BGL_SEQ_SHIFT);
	header->crc = (u8)bgl_field_get(w1, 0xff, TORUS_BGL_CRC_SHIFT);
}

/*
 * Return the CRC-8 of a header of 8 bytes. It covers all bytes before the CRC, including the
 * sequence number. On the wire it is in bits 24-31 of word 1.
 */
u8 bgl_header_crc(const u8 *bytes);

/*
 * Write sequence number and CRC-8 into a header.
 *
 * @bytes: 8 bytes; the last two are overwritten
 * @seq: sequence number on the link
 */
torus_inline void bgl_header_seal(u8 *bytes, u8 seq)
{
	bytes[BGL_SEQ_AT] = seq;
	bytes[BGL_CRC_AT] = bgl_header_crc(bytes);
}

/* Check the CRC-8 of a received header of 8 bytes. */
bool bgl_header_intact(const u8 *bytes);

#endif
