// SPDX-License-Identifier: GPL-2.0
/* The Blue Gene/L packet header: bits to fields and back. */
#include "core/base/crc.h"
#include "header.h"

/* Bytes that the CRC-8 covers: all before it. */
#define CRC_AT	(TORUS_BGL_HEADER_BYTES - 1)
#define SEQ_AT	(TORUS_BGL_HEADER_BYTES - 2)

static u32 bgl_field_get(u32 word, u32 mask, u32 shift)
{
	return word >> shift & mask;
}

void bgl_header_unpack(struct bgl_header *header, const u8 *bytes)
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

u8 bgl_header_crc(const u8 *bytes)
{
	return torus_crc8(TORUS_CRC8_INIT, bytes, CRC_AT);
}

void bgl_header_seal(u8 *bytes, u8 seq)
{
	bytes[SEQ_AT] = seq;
	bytes[CRC_AT] = bgl_header_crc(bytes);
}

bool bgl_header_intact(const u8 *bytes)
{
	return bgl_header_crc(bytes) == bytes[CRC_AT];
}
