// SPDX-License-Identifier: GPL-2.0
/* The header flit: conversion between its bits and struct xt_header. */
#include "core/base/crc.h"
#include "header.h"

#define CRC_AT	(TORUS_XT_HEADER_BYTES - 1)
#define SEQ_AT	(TORUS_XT_HEADER_BYTES - 2)

static u32 xt_word_load(const u8 *bytes)
{
	return (u32)bytes[0] << 24 | (u32)bytes[1] << 16 | (u32)bytes[2] << 8 | bytes[3];
}

static void xt_word_store(u8 *bytes, u32 word)
{
	bytes[0] = (u8)(word >> 24);
	bytes[1] = (u8)(word >> 16);
	bytes[2] = (u8)(word >> 8);
	bytes[3] = (u8)word;
}

/**
 * xt_header_pack() - convert fields to a header flit
 * @header: the fields; bits beyond a field's width are ignored
 * @bytes: [out] 8 bytes; sequence number and CRC are 0, see xt_header_seal()
 */
void xt_header_pack(const struct xt_header *header, u8 *bytes)
{
	xt_word_store(bytes, (u32)(header->nid & TORUS_XT_DEST_MASK) << TORUS_XT_DEST_SHIFT |
		      (u32)(header->age & TORUS_XT_AGE_MASK) << TORUS_XT_AGE_SHIFT |
		      (u32)(header->vc & TORUS_XT_VC_MASK) << TORUS_XT_VC_SHIFT |
		      (header->tail ? TORUS_XT_TAIL : 0) | (header->group ? TORUS_XT_GROUP : 0) |
		      (header->reserved ? TORUS_XT_RESERVED : 0));
	xt_word_store(bytes + 4,
		      ((header->flits - 1u) & TORUS_XT_FLITS_MASK) << TORUS_XT_FLITS_SHIFT |
		      (u32)(header->sw & TORUS_XT_SW_MASK) << TORUS_XT_SW_SHIFT);
}

/**
 * xt_header_unpack() - convert a header flit to fields
 * @header: [out] the fields; any 8 bytes are a header
 * @bytes: 8 bytes
 */
void xt_header_unpack(struct xt_header *header, const u8 *bytes)
{
	u32 w0 = xt_word_load(bytes), w1 = xt_word_load(bytes + 4);

	header->nid = w0 >> TORUS_XT_DEST_SHIFT & TORUS_XT_DEST_MASK;
	header->age = w0 >> TORUS_XT_AGE_SHIFT & TORUS_XT_AGE_MASK;
	header->vc = w0 >> TORUS_XT_VC_SHIFT & TORUS_XT_VC_MASK;
	header->tail = w0 & TORUS_XT_TAIL;
	header->group = !!(w0 & TORUS_XT_GROUP);
	header->reserved = w0 & TORUS_XT_RESERVED;
	header->flits = (w1 >> TORUS_XT_FLITS_SHIFT & TORUS_XT_FLITS_MASK) + 1;
	header->sw = w1 >> TORUS_XT_SW_SHIFT & TORUS_XT_SW_MASK;
}

/**
 * xt_header_seal() - write sequence number and CRC-8 into a header flit
 * @bytes: [in, out] 8 bytes; the last two are overwritten
 * @seq: sequence number on the link
 */
void xt_header_seal(u8 *bytes, u8 seq)
{
	bytes[SEQ_AT] = seq;
	bytes[CRC_AT] = torus_crc8(TORUS_CRC8_INIT, bytes, CRC_AT);
}

/**
 * xt_header_intact() - check the CRC-8 of a received header
 * @bytes: 8 bytes
 *
 * Return: true if the CRC matches.
 */
bool xt_header_intact(const u8 *bytes)
{
	return torus_crc8(TORUS_CRC8_INIT, bytes, CRC_AT) == bytes[CRC_AT];
}
