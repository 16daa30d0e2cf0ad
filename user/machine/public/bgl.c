// SPDX-License-Identifier: GPL-2.0
/*
 * What libtorus exports of Blue Gene/L's packet header: see <torus/bgl.h>.
 */
#include <torus/bgl.h>
#include "../../lib/context/context.h"
#include "../../lib/context/error.h"
#include "../machine.h"

/**
 * torus_bgl_header_init() - a point-to-point packet as IBM's packet layer makes it
 * @header: out
 * @route: dynamic, in order, or priority
 * @dest: coordinates of the destination
 * @group: FIFO group there, 0 or 1
 * @bytes: length of the packet, headers included, 1 to 256; rounded up to chunks
 *
 * Hints are 0: the hardware computes them.  A packet to the sender's own node
 * must set at least one, and goes out on that link and round.
 */
void torus_bgl_header_init(struct torus_bgl_header *header, enum torus_route route,
			   const __u32 dest[3], __u32 group, size_t bytes)
{
	__u32 chunk_bytes = torus_machine_bgl.chunk_bytes;

	torus_machine_bgl_defaults(header, route, dest, group,
				   (bytes + chunk_bytes - 1) / chunk_bytes);
}

/**
 * torus_bgl_header_build() - write a header
 * @packet: out: 8 bytes at the start of a packet
 * @header: the fields; @header->sequence and @header->crc are written as they
 *          are, and ignored by the hardware
 *
 * Only what cannot be expressed is an error here.  Whether the hints make
 * sense, say, is for the hardware to check.
 *
 * Return: 0, or -ERANGE when a field does not fit its bits.
 */
int torus_bgl_header_build(void *packet, const struct torus_bgl_header *header)
{
	char why[TORUS_MACHINE_WHY_MAX];
	int ret = torus_machine_bgl_pack(packet, header, why, sizeof(why));

	return ret ? torus_error_set(ret, "%s", why) : 0;
}

/**
 * torus_bgl_header_parse() - read a header
 * @packet: 8 bytes
 * @header: out: its fields
 */
void torus_bgl_header_parse(const void *packet, struct torus_bgl_header *header)
{
	torus_machine_bgl_unpack(packet, header);
}
