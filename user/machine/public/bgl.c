// SPDX-License-Identifier: GPL-2.0
/* Functions of libtorus for Blue Gene/L's packet header, declared in <torus/bgl.h>. */
#include <torus/bgl.h>
#include "../../lib/context/context.h"
#include "../../lib/context/error.h"
#include "../machine.h"

/**
 * torus_bgl_header_init() - set the fields of a point-to-point packet as IBM's packet layer does
 * @header: [out] fields
 * @route: dynamic, ordered, or priority
 * @dest: coordinates of the destination
 * @group: FIFO group at the destination, 0 or 1
 * @bytes: length of the packet, headers included, 1 to 256; rounded up to chunks
 *
 * The hint bits are 0: the hardware computes them. A packet to the sender's own node must set at
 * least one hint bit; the packet then travels around that ring.
 */
void torus_bgl_header_init(struct torus_bgl_header *header, enum torus_route route,
			   const uint32_t dest[3], uint32_t group, size_t bytes)
{
	uint32_t chunk_bytes = torus_machine_bgl.chunk_bytes;

	torus_machine_bgl_defaults(header, route, dest, group,
				   (bytes + chunk_bytes - 1) / chunk_bytes);
}

/**
 * torus_bgl_header_build() - build a header
 * @packet: [out] 8 bytes at the start of a packet
 * @header: fields; @header->sequence and @header->crc are written unchanged, and ignored by the
 *   hardware
 *
 * Rejects only fields that do not fit. The hardware checks whether the fields make sense, such as
 * the hint bits.
 *
 * Return: 0, or -ERANGE if a field does not fit its bits.
 */
int torus_bgl_header_build(void *packet, const struct torus_bgl_header *header)
{
	char why[TORUS_MACHINE_WHY_MAX];
	int ret = torus_machine_bgl_pack(packet, header, why, sizeof(why));

	return ret ? torus_error_set(ret, "%s", why) : 0;
}

/**
 * torus_bgl_header_parse() - parse a header
 * @packet: 8 bytes
 * @header: [out] fields
 */
void torus_bgl_header_parse(const void *packet, struct torus_bgl_header *header)
{
	torus_machine_bgl_unpack(packet, header);
}
