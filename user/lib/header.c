// SPDX-License-Identifier: GPL-2.0
/*
 * Blue Gene/L's 8-byte packet header, bit for bit: see <linux/torus.h> and
 * reference/bgl-hardware.md, "Packet header".
 */
#include <errno.h>
#include <string.h>
#include <torus/torus.h>
#include "context.h"

#define CHUNK_BYTES	32
#define CHUNKS_MAX	8
#define CSUM_SKIP	4	/* units of 2 bytes: the machine's header */

/**
 * torus_header_init() - a point-to-point packet as IBM's packet layer makes it
 * @header: out
 * @route: dynamic, in order, or priority
 * @dest: coordinates of the destination
 * @group: FIFO group there, 0 or 1
 * @bytes: length of the packet, headers included, 1 to 256; rounded up to chunks
 *
 * Hints are 0: the hardware computes them.  A packet to the sender's own node
 * must set at least one, and goes out on that link and round.
 */
void torus_header_init(struct torus_bgl_header *header, enum torus_route route,
		       const __u32 dest[3], __u32 group, size_t bytes)
{
	*header = (struct torus_bgl_header) {
		.csum_skip = CSUM_SKIP,
		.group = group,
		.chunks = (bytes + CHUNK_BYTES - 1) / CHUNK_BYTES,
		.dynamic = route == TORUS_ROUTE_DYNAMIC,
		.vc = route == TORUS_ROUTE_DYNAMIC ? TORUS_BGL_D0 :
		      route == TORUS_ROUTE_PRIORITY ? TORUS_BGL_BP : TORUS_BGL_BN,
		.dest = { dest[0], dest[1], dest[2] },
	};
}

/**
 * torus_header_build() - write a header
 * @packet: out: 8 bytes at the start of a packet
 * @header: the fields; @header->sequence and @header->crc are written as they
 *          are, and ignored by the hardware
 *
 * Only what cannot be expressed is an error here.  Whether the hints make
 * sense, say, is for the hardware to check.
 *
 * Return: 0, or -ERANGE when a field does not fit its bits.
 */
int torus_header_build(void *packet, const struct torus_bgl_header *header)
{
	__u32 word;

	if (header->csum_skip > TORUS_BGL_CSUM_SKIP_MASK)
		return torus_error_set(-ERANGE, "csum_skip %u: 0 to %u", header->csum_skip,
				       TORUS_BGL_CSUM_SKIP_MASK);
	if (header->hints > TORUS_BGL_HINTS_MASK)
		return torus_error_set(-ERANGE, "hints %#x: 6 bits", header->hints);
	if (header->group > 1)
		return torus_error_set(-ERANGE, "FIFO group %u: 0 or 1", header->group);
	if (header->chunks < 1 || header->chunks > CHUNKS_MAX)
		return torus_error_set(-ERANGE, "%u chunks: 1 to %u", header->chunks, CHUNKS_MAX);
	if (header->software > TORUS_BGL_SW_MASK)
		return torus_error_set(-ERANGE, "software's bits %#x: 2 bits", header->software);
	if (header->vc > TORUS_BGL_VC_MASK)
		return torus_error_set(-ERANGE, "VC %u: 0 to %u", header->vc, TORUS_BGL_VC_MASK);

	word = (__u32)header->csum_skip << TORUS_BGL_CSUM_SKIP_SHIFT |
	       (header->skip ? TORUS_BGL_SK : 0) |
	       (__u32)header->hints << TORUS_BGL_HINTS_SHIFT |
	       (header->deposit ? TORUS_BGL_DP : 0) |
	       (header->group ? TORUS_BGL_PID : 0) |
	       (header->chunks - 1u) << TORUS_BGL_CHUNKS_SHIFT |
	       (__u32)header->software << TORUS_BGL_SW_SHIFT |
	       (header->dynamic ? TORUS_BGL_DYNAMIC : 0) |
	       (__u32)header->vc << TORUS_BGL_VC_SHIFT |
	       (__u32)header->dest[0] << TORUS_BGL_X_SHIFT;
	torus_store_be32(packet, word);
	word = (__u32)header->dest[1] << TORUS_BGL_Y_SHIFT |
	       (__u32)header->dest[2] << TORUS_BGL_Z_SHIFT |
	       (__u32)header->sequence << TORUS_BGL_SEQ_SHIFT |
	       (__u32)header->crc << TORUS_BGL_CRC_SHIFT;
	torus_store_be32((unsigned char *)packet + 4, word);
	return 0;
}

/**
 * torus_header_parse() - read a header
 * @packet: 8 bytes
 * @header: out: its fields
 */
void torus_header_parse(const void *packet, struct torus_bgl_header *header)
{
	__u32 word = torus_load_be32(packet);

	memset(header, 0, sizeof(*header));
	header->csum_skip = word >> TORUS_BGL_CSUM_SKIP_SHIFT & TORUS_BGL_CSUM_SKIP_MASK;
	header->skip = word & TORUS_BGL_SK;
	header->hints = word >> TORUS_BGL_HINTS_SHIFT & TORUS_BGL_HINTS_MASK;
	header->deposit = word & TORUS_BGL_DP;
	header->group = word & TORUS_BGL_PID ? 1 : 0;
	header->chunks = (word >> TORUS_BGL_CHUNKS_SHIFT & TORUS_BGL_CHUNKS_MASK) + 1;
	header->software = word >> TORUS_BGL_SW_SHIFT & TORUS_BGL_SW_MASK;
	header->dynamic = word & TORUS_BGL_DYNAMIC;
	header->vc = word >> TORUS_BGL_VC_SHIFT & TORUS_BGL_VC_MASK;
	header->dest[0] = word >> TORUS_BGL_X_SHIFT;
	word = torus_load_be32((const unsigned char *)packet + 4);
	header->dest[1] = word >> TORUS_BGL_Y_SHIFT;
	header->dest[2] = word >> TORUS_BGL_Z_SHIFT;
	header->sequence = word >> TORUS_BGL_SEQ_SHIFT;
	header->crc = word >> TORUS_BGL_CRC_SHIFT;
}
