// SPDX-License-Identifier: GPL-2.0
/* Functions of libtorus for the Cray XT's packet header, declared in <torus/xt.h>. */
#include <torus/xt.h>
#include "../../lib/context/context.h"
#include "../../lib/context/error.h"
#include "../machine.h"

/**
 * torus_xt_header_init() - set the fields of a packet of the first class
 * @header: [out] fields
 * @node: number of the destination
 * @group: FIFO group at the destination, 0 or 1
 * @bytes: length of the packet, header included, 1 to 72; rounded up to flits
 */
void torus_xt_header_init(struct torus_xt_header *header, uint32_t node, uint32_t group,
			  size_t bytes)
{
	uint32_t flit_bytes = torus_machine_xt.chunk_bytes;

	*header = (struct torus_xt_header) {
		.node = node,
		.group = group,
		.flits = (bytes + flit_bytes - 1) / flit_bytes,
	};
}

/**
 * torus_xt_header_build() - build a header
 * @packet: [out] 8 bytes at the start of a packet
 * @header: fields; age, sequence number and CRC belong to the hardware and are written as 0
 *
 * A packet of the second class (vc TORUS_XT_SECOND) uses injection FIFO 1 and reception FIFO 1:
 * TORUS_XT_FIFO().
 *
 * Return: 0, or -ERANGE if a field does not fit its bits or is invalid.
 */
int torus_xt_header_build(void *packet, const struct torus_xt_header *header)
{
	char why[TORUS_MACHINE_WHY_MAX];
	int ret = torus_machine_xt_pack(packet, header, why, sizeof(why));

	return ret ? torus_error_set(ret, "%s", why) : 0;
}

/**
 * torus_xt_header_parse() - parse a header
 * @packet: 8 bytes
 * @header: [out] fields
 */
void torus_xt_header_parse(const void *packet, struct torus_xt_header *header)
{
	torus_machine_xt_unpack(packet, header);
}
