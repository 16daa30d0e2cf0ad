// SPDX-License-Identifier: GPL-2.0
/* Convert a packet's header between bits and fields. */
#include "core/base/crc.h"
#include "arch/tofu/header.h"

#define SEQ_AT	8
#define CRC_AT	11	/* offset of the header's CRC-8; the packet's CRC-32C follows */

static u32 tofu_word_load(const u8 *bytes)
{
	return (u32)bytes[0] << 24 | (u32)bytes[1] << 16 | (u32)bytes[2] << 8 | bytes[3];
}

static void tofu_word_store(u8 *bytes, u32 word)
{
	bytes[0] = (u8)(word >> 24);
	bytes[1] = (u8)(word >> 16);
	bytes[2] = (u8)(word >> 8);
	bytes[3] = (u8)word;
}

/*
 * Serialize a header.
 *
 * @header: the fields; excess bits of a field are ignored
 * @bytes: [out] 16 bytes. Sequence number and CRC-8, which tofu_header_seal() writes, and the
 *     packet's CRC are 0.
 */
void tofu_header_pack(const struct tofu_header *header, u8 *bytes)
{
	const u32 *dest = header->dest;

	tofu_word_store(bytes,
			(dest[TOFU_X] & TORUS_TOFU_XYZ_MASK) << TORUS_TOFU_X_SHIFT |
			(dest[TOFU_Y] & TORUS_TOFU_XYZ_MASK) << TORUS_TOFU_Y_SHIFT |
			(dest[TOFU_Z] & TORUS_TOFU_XYZ_MASK) << TORUS_TOFU_Z_SHIFT |
			(dest[TOFU_A] & 1) << TORUS_TOFU_A_SHIFT |
			(dest[TOFU_B] & 3) << TORUS_TOFU_B_SHIFT |
			(dest[TOFU_C] & 1) << TORUS_TOFU_C_SHIFT |
			(u32)(header->fifo & TORUS_TOFU_FIFO_MASK) << TORUS_TOFU_FIFO_SHIFT |
			(header->group & 1 ? TORUS_TOFU_GROUP : 0));
	tofu_word_store(bytes + 4,
			(u32)(header->path & TORUS_TOFU_PATH_MASK) << TORUS_TOFU_PATH_SHIFT |
			(header->order ? TORUS_TOFU_Z_LAST : 0) |
			(header->group & 2 ? TORUS_TOFU_GROUP_HIGH : 0) |
			(header->reserved ? TORUS_TOFU_RESERVED : 0) |
			((header->chunks - 1u) & TORUS_TOFU_CHUNKS_MASK) <<
			TORUS_TOFU_CHUNKS_SHIFT | header->sw);
	tofu_word_store(bytes + 8, 0);
	tofu_word_store(bytes + 12, 0);
}

/*
 * Parse a header.
 *
 * @header: [out] the fields; every bit pattern is accepted
 * @bytes: 16 bytes
 */
void tofu_header_unpack(struct tofu_header *header, const u8 *bytes)
{
	u32 w0 = tofu_word_load(bytes), w1 = tofu_word_load(bytes + 4);

	header->dest[TOFU_X] = w0 >> TORUS_TOFU_X_SHIFT & TORUS_TOFU_XYZ_MASK;
	header->dest[TOFU_Y] = w0 >> TORUS_TOFU_Y_SHIFT & TORUS_TOFU_XYZ_MASK;
	header->dest[TOFU_Z] = w0 >> TORUS_TOFU_Z_SHIFT & TORUS_TOFU_XYZ_MASK;
	header->dest[TOFU_A] = w0 >> TORUS_TOFU_A_SHIFT & 1;
	header->dest[TOFU_B] = w0 >> TORUS_TOFU_B_SHIFT & 3;
	header->dest[TOFU_C] = w0 >> TORUS_TOFU_C_SHIFT & 1;
	header->fifo = w0 >> TORUS_TOFU_FIFO_SHIFT & TORUS_TOFU_FIFO_MASK;
	header->group = (w0 & TORUS_TOFU_GROUP ? 1 : 0) | (w1 & TORUS_TOFU_GROUP_HIGH ? 2 : 0);
	header->path = w1 >> TORUS_TOFU_PATH_SHIFT & TORUS_TOFU_PATH_MASK;
	header->order = !!(w1 & TORUS_TOFU_Z_LAST);
	header->reserved = w1 & TORUS_TOFU_RESERVED;
	header->chunks = (w1 >> TORUS_TOFU_CHUNKS_SHIFT & TORUS_TOFU_CHUNKS_MASK) + 1;
	header->sw = w1 & TORUS_TOFU_SW_MASK;
}

/*
 * Write sequence number and CRC-8 into a header.
 *
 * @bytes: 16 bytes; the third word is overwritten
 * @seq: sequence number on the link
 */
void tofu_header_seal(u8 *bytes, u16 seq)
{
	tofu_word_store(bytes + SEQ_AT, (u32)seq << TORUS_TOFU_SEQ_SHIFT);
	bytes[CRC_AT] = torus_crc8(TORUS_CRC8_INIT, bytes, CRC_AT);
}

/* Check the CRC-8 of a received header of 16 bytes. */
bool tofu_header_intact(const u8 *bytes)
{
	return torus_crc8(TORUS_CRC8_INIT, bytes, CRC_AT) == bytes[CRC_AT];
}
