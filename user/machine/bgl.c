// SPDX-License-Identifier: GPL-2.0
/*
 * Blue Gene/L: build and parse its 8-byte packet header. <linux/torus.h> describes the bits under
 * "packet headers".
 */
#include <string.h>
#include <torus/bgl.h>
#include "header_write.h"

#define CHUNK_BYTES	32
#define CHUNKS_MAX	8
#define WIRE_BYTES	14	/* bytes of the trailer, and of the control packets per packet */
#define CSUM_SKIP	4	/* length of the hardware header in units of 2 bytes */

/**
 * torus_machine_bgl_defaults() - set the fields of a header as IBM's packet layer does
 * @header: [out] fields
 * @route: enum torus_route
 * @dest: three coordinates of the destination
 * @group: FIFO group at the destination
 * @chunks: length of the packet
 *
 * The hint bits are 0: the hardware computes them.
 */
void torus_machine_bgl_defaults(struct torus_bgl_header *header, int route, const uint32_t *dest,
				uint32_t group, uint32_t chunks)
{
	*header = (struct torus_bgl_header) {
		.csum_skip = CSUM_SKIP,
		.group = group,
		.chunks = chunks,
		.dynamic = route == TORUS_ROUTE_DYNAMIC,
		.vc = route == TORUS_ROUTE_DYNAMIC ? TORUS_BGL_D0 :
		      route == TORUS_ROUTE_PRIORITY ? TORUS_BGL_BP : TORUS_BGL_BN,
		.dest = { dest[0], dest[1], dest[2] },
	};
}

/**
 * torus_machine_bgl_pack() - build a header
 * @packet: [out] 8 bytes
 * @header: fields; sequence number and CRC are written unchanged
 * @why: [out] error message
 * @size: bytes of @why
 *
 * Rejects only fields that do not fit. The hardware checks whether the fields make sense, such as
 * the hint bits.
 *
 * Return: 0, or -ERANGE with a message if a field does not fit its bits.
 */
int torus_machine_bgl_pack(void *packet, const struct torus_bgl_header *header, char *why,
			   size_t size)
{
	uint32_t word;

	if (header->csum_skip > TORUS_BGL_CSUM_SKIP_MASK)
		return refuse(why, size, "csum_skip %u: must be 0 to %u", header->csum_skip,
			      TORUS_BGL_CSUM_SKIP_MASK);
	if (header->hints > TORUS_BGL_HINTS_MASK)
		return refuse(why, size, "hints %#x: must have at most 6 bits", header->hints);
	if (header->group > 1)
		return refuse(why, size, "FIFO group %u: must be 0 or 1", header->group);
	if (header->chunks < 1 || header->chunks > CHUNKS_MAX)
		return refuse(why, size, "packet of %u chunks: must be 1 to %u",
			      header->chunks, CHUNKS_MAX);
	if (header->software > TORUS_BGL_SW_MASK)
		return refuse(why, size, "software bits %#x: must have at most 2 bits",
			      header->software);
	if (header->vc > TORUS_BGL_VC_MASK)
		return refuse(why, size, "VC %u: must be 0 to %u", header->vc, TORUS_BGL_VC_MASK);

	word = (uint32_t)header->csum_skip << TORUS_BGL_CSUM_SKIP_SHIFT |
	       (header->skip ? TORUS_BGL_SK : 0) |
	       (uint32_t)header->hints << TORUS_BGL_HINTS_SHIFT |
	       (header->deposit ? TORUS_BGL_DP : 0) |
	       (header->group ? TORUS_BGL_PID : 0) |
	       (header->chunks - 1u) << TORUS_BGL_CHUNKS_SHIFT |
	       (uint32_t)header->software << TORUS_BGL_SW_SHIFT |
	       (header->dynamic ? TORUS_BGL_DYNAMIC : 0) |
	       (uint32_t)header->vc << TORUS_BGL_VC_SHIFT |
	       (uint32_t)header->dest[0] << TORUS_BGL_X_SHIFT;
	store_be32(packet, word);
	word = (uint32_t)header->dest[1] << TORUS_BGL_Y_SHIFT |
	       (uint32_t)header->dest[2] << TORUS_BGL_Z_SHIFT |
	       (uint32_t)header->sequence << TORUS_BGL_SEQ_SHIFT |
	       (uint32_t)header->crc << TORUS_BGL_CRC_SHIFT;
	store_be32((unsigned char *)packet + 4, word);
	return 0;
}

/**
 * torus_machine_bgl_unpack() - parse a header
 * @packet: 8 bytes
 * @header: [out] fields
 */
void torus_machine_bgl_unpack(const void *packet, struct torus_bgl_header *header)
{
	uint32_t word = load_be32(packet);

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
	word = load_be32((const unsigned char *)packet + 4);
	header->dest[1] = word >> TORUS_BGL_Y_SHIFT;
	header->dest[2] = word >> TORUS_BGL_Z_SHIFT;
	header->sequence = word >> TORUS_BGL_SEQ_SHIFT;
	header->crc = word >> TORUS_BGL_CRC_SHIFT;
}

static int bgl_build(void *header, const struct torus_machine_packet *packet, char *why,
		     size_t size)
{
	struct torus_bgl_header fields;
	unsigned int i;

	for (i = 0; i < 3; i++)
		if (packet->dest[i] > 0xff)
			return refuse(why, size, "coordinate %u: must be 0 to 255",
				      packet->dest[i]);
	if (packet->chunks < 1 || packet->chunks > CHUNKS_MAX)
		return refuse(why, size, "packet of %u chunks: must be 1 to %u",
			      packet->chunks, CHUNKS_MAX);
	if (packet->group > 1)
		return refuse(why, size, "FIFO group %u: must be 0 or 1", packet->group);
	if (packet->hints > TORUS_BGL_HINTS_MASK)
		return refuse(why, size, "hints %#x: must have at most 6 bits", packet->hints);
	if (packet->route == TORUS_ROUTE_SECOND)
		return torus_machine_demand("bgl", TORUS_MACHINE_CLASSES, why, size);
	torus_machine_bgl_defaults(&fields, packet->route, packet->dest, packet->group,
				   packet->chunks);
	fields.hints = packet->hints;
	fields.deposit = packet->deposit;
	return torus_machine_bgl_pack(header, &fields, why, size);
}

static unsigned int bgl_chunks(const void *header)
{
	return (load_be32(header) >> TORUS_BGL_CHUNKS_SHIFT & TORUS_BGL_CHUNKS_MASK) + 1;
}

static void bgl_resize(void *header, unsigned int chunks)
{
	uint32_t word = load_be32(header) & ~(TORUS_BGL_CHUNKS_MASK << TORUS_BGL_CHUNKS_SHIFT);

	store_be32(header, word | (chunks - 1) << TORUS_BGL_CHUNKS_SHIFT);
}

static uint32_t bgl_hint(unsigned int dir)
{
	return TORUS_BGL_HINT_XP >> dir;
}

const struct torus_machine torus_machine_bgl = {
	.name = "bgl",
	.title = "Blue Gene/L",
	.can = TORUS_MACHINE_CAN(TORUS_MACHINE_HINTS) | TORUS_MACHINE_CAN(TORUS_MACHINE_DEPOSIT) |
	       TORUS_MACHINE_CAN(TORUS_MACHINE_AVOID) |
	       TORUS_MACHINE_CAN(TORUS_MACHINE_REGISTERS) |
	       TORUS_MACHINE_CAN(TORUS_MACHINE_ATTACH) |
	       TORUS_MACHINE_CAN(TORUS_MACHINE_PRIORITY),
	.dims_max = 3,
	.wire_bytes = WIRE_BYTES,
	.chunk_bytes = CHUNK_BYTES,
	.packet_bytes = CHUNK_BYTES * CHUNKS_MAX,
	.chunk_ticks = CHUNK_BYTES,
	.ordered = TORUS_MACHINE_CAN(TORUS_ROUTE_ORDERED) |
		   TORUS_MACHINE_CAN(TORUS_ROUTE_PRIORITY),
	.fifos = ~0u,
	.fields = torus_machine_bgl_fields,
	.build = bgl_build,
	.chunks = bgl_chunks,
	.resize = bgl_resize,
	.hint = bgl_hint,
};
