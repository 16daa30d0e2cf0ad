// SPDX-License-Identifier: GPL-2.0
/* The CRC-8 of the Blue Gene/L packet header. */
#include "core/base/crc.h"
#include "header.h"

u8 bgl_header_crc(const u8 *bytes)
{
	return torus_crc8(TORUS_CRC8_INIT, bytes, BGL_CRC_AT);
}

bool bgl_header_intact(const u8 *bytes)
{
	return bgl_header_crc(bytes) == bytes[BGL_CRC_AT];
}
