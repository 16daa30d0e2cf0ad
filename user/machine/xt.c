// SPDX-License-Identifier: GPL-2.0
/*
 * Cray XT: build and parse the packet header, a flit of 8 bytes with the number (NID) of the
 * destination. <linux/torus.h> describes the bits under "Cray XT".
 */
#include <string.h>
#include <torus/xt.h>
#include "header_write.h"

#define FLIT_BYTES	8
#define FLIT_TICKS	17	/* 68 bits, half a byte per tick */
#define FLITS_MAX	9

/* Set the length. The tail bit marks a packet of a single flit. */
static void xt_resize(void *header, unsigned int chunks)
{
	uint32_t w0 = load_be32(header) & ~TORUS_XT_TAIL;
	uint32_t w1 = load_be32((char *)header + 4) &
		   ~((uint32_t)TORUS_XT_FLITS_MASK << TORUS_XT_FLITS_SHIFT);

	store_be32(header, w0 | (chunks == 1 ? TORUS_XT_TAIL : 0));
	store_be32((char *)header + 4, w1 | (chunks - 1) << TORUS_XT_FLITS_SHIFT);
}

/**
 * torus_machine_xt_pack() - build a header flit
 * @packet: [out] 8 bytes
 * @header: fields; fields of the hardware are written as 0
 * @why: [out] error message
 * @size: bytes of @why
 *
 * Return: 0, or -ERANGE with a message if a field does not fit its bits or is invalid.
 */
int torus_machine_xt_pack(void *packet, const struct torus_xt_header *header, char *why,
			  size_t size)
{
	if (header->node > TORUS_XT_DEST_MASK)
		return refuse(why, size, "NID %u: must be 0 to %u",
			      header->node, TORUS_XT_DEST_MASK);
	if (header->flits < 1 || header->flits > FLITS_MAX)
		return refuse(why, size, "packet of %u flits: must be 1 to %u",
			      header->flits, FLITS_MAX);
	if (header->group > 1)
		return refuse(why, size, "FIFO group %u: must be 0 or 1", header->group);
	if (header->vc != TORUS_XT_FIRST && header->vc != TORUS_XT_SECOND)
		return refuse(why, size, "VC %u: must be %u or %u, the first VC of a class",
			      header->vc,
			      TORUS_XT_FIRST, TORUS_XT_SECOND);
	if (header->software > TORUS_XT_SW_MASK)
		return refuse(why, size, "software bits %#x: must have at most 12 bits",
			      header->software);
	store_be32(packet, (uint32_t)header->node << TORUS_XT_DEST_SHIFT |
			   (uint32_t)header->vc << TORUS_XT_VC_SHIFT |
			   (header->group ? TORUS_XT_GROUP : 0));
	store_be32((char *)packet + 4, (uint32_t)header->software << TORUS_XT_SW_SHIFT);
	xt_resize(packet, header->flits);
	return 0;
}

/**
 * torus_machine_xt_unpack() - parse a header flit
 * @packet: 8 bytes
 * @header: [out] fields
 */
void torus_machine_xt_unpack(const void *packet, struct torus_xt_header *header)
{
	uint32_t word = load_be32(packet);

	memset(header, 0, sizeof(*header));
	header->node = word >> TORUS_XT_DEST_SHIFT & TORUS_XT_DEST_MASK;
	header->age = word >> TORUS_XT_AGE_SHIFT & TORUS_XT_AGE_MASK;
	header->vc = word >> TORUS_XT_VC_SHIFT & TORUS_XT_VC_MASK;
	header->group = word & TORUS_XT_GROUP ? 1 : 0;
	word = load_be32((const char *)packet + 4);
	header->flits = (word >> TORUS_XT_FLITS_SHIFT & TORUS_XT_FLITS_MASK) + 1;
	header->software = word >> TORUS_XT_SW_SHIFT & TORUS_XT_SW_MASK;
	header->sequence = word >> TORUS_XT_SEQ_SHIFT;
	header->crc = word >> TORUS_XT_CRC_SHIFT;
}

static int xt_build(void *header, const struct torus_machine_packet *packet, char *why,
		    size_t size)
{
	struct torus_xt_header fields = {
		.vc = packet->route == TORUS_ROUTE_SECOND ? TORUS_XT_SECOND : TORUS_XT_FIRST,
	};
	int ret = 0;

	if (packet->hints)
		ret = torus_machine_demand("xt", TORUS_MACHINE_HINTS, why, size);
	if (!ret && packet->deposit)
		ret = torus_machine_demand("xt", TORUS_MACHINE_DEPOSIT, why, size);
	if (!ret && packet->route == TORUS_ROUTE_PRIORITY)
		ret = torus_machine_demand("xt", TORUS_MACHINE_PRIORITY, why, size);
	if (ret)
		return ret;
	/* check before the values are truncated to the width of the fields */
	if (packet->chunks > FLITS_MAX)
		return refuse(why, size, "packet of %u flits: must be 1 to %u",
			      packet->chunks, FLITS_MAX);
	if (packet->group > 1)
		return refuse(why, size, "FIFO group %u: must be 0 or 1", packet->group);
	fields.node = packet->node;
	fields.flits = packet->chunks;
	fields.group = packet->group;
	return torus_machine_xt_pack(header, &fields, why, size);
}

static unsigned int xt_chunks(const void *header)
{
	return (load_be32((const char *)header + 4) >> TORUS_XT_FLITS_SHIFT &
		TORUS_XT_FLITS_MASK) + 1;
}

/*
 * Tables route all packets of a pair over one path. While new tables are loaded, a packet may
 * overtake another. Therefore order is only promised for packets that request it, and their senders
 * must not load tables meanwhile.
 */
const struct torus_machine torus_machine_xt = {
	.name = "xt",
	.title = "Cray XT",
	.can = TORUS_MACHINE_CAN(TORUS_MACHINE_TABLES) | TORUS_MACHINE_CAN(TORUS_MACHINE_ATTACH) |
	       TORUS_MACHINE_CAN(TORUS_MACHINE_CLASSES),
	.dims_max = 3,
	.chunk_bytes = FLIT_BYTES,
	.packet_bytes = FLIT_BYTES * FLITS_MAX,
	.chunk_ticks = FLIT_TICKS,
	.port_links = 1,
	.ordered = TORUS_MACHINE_CAN(TORUS_ROUTE_ORDERED) |
		   TORUS_MACHINE_CAN(TORUS_ROUTE_SECOND),
	.fifos = 1 << TORUS_XT_FIFO(TORUS_XT_FIRST),
	.second_fifos = 1 << TORUS_XT_FIFO(TORUS_XT_SECOND),
	.build = xt_build,
	.chunks = xt_chunks,
	.resize = xt_resize,
};
