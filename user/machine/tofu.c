// SPDX-License-Identifier: GPL-2.0
/*
 * Tofu: build packet headers of 16 bytes with the coordinates of the destination and the path.
 * <linux/torus.h> describes the bits under "Tofu".
 */
#include <string.h>
#include <torus/torus.h>
#include "header_write.h"

#define CHUNK_BYTES	32
#define CHUNK_TICKS	8
#define CHUNKS_MAX	64
#define PACKET_BYTES	256	/* default length */
#define AXES		6
#define PORTS		4	/* engines; parameter `tnis` may set six */

static void tofu_resize(void *header, unsigned int chunks)
{
	uint32_t word = load_be32((char *)header + 4) &
		     ~((uint32_t)TORUS_TOFU_CHUNKS_MASK << TORUS_TOFU_CHUNKS_SHIFT);

	store_be32((char *)header + 4, word | (chunks - 1) << TORUS_TOFU_CHUNKS_SHIFT);
}

/* An injection FIFO belongs to an engine: send to the same engine of the destination. */
static void tofu_spread(void *header, unsigned int fifo)
{
	uint32_t where = load_be32(header), word = load_be32((char *)header + 4);

	if (word >> TORUS_TOFU_PATH_SHIFT != TORUS_TOFU_PATH_ANY)
		return;
	word &= ~((uint32_t)TORUS_TOFU_PATH_MASK << TORUS_TOFU_PATH_SHIFT);
	where &= ~((uint32_t)TORUS_TOFU_FIFO_MASK << TORUS_TOFU_FIFO_SHIFT);
	store_be32(header, where | fifo << TORUS_TOFU_FIFO_SHIFT);
	store_be32((char *)header + 4,
		   word | (uint32_t)TORUS_TOFU_PATH_APART << TORUS_TOFU_PATH_SHIFT);
}

static int tofu_check(const struct torus_machine_packet *packet, char *why, size_t size)
{
	static const uint32_t most[AXES] = {
		TORUS_TOFU_XYZ_MASK, TORUS_TOFU_XYZ_MASK, TORUS_TOFU_XYZ_MASK, 1, 2, 1,
	};
	int ret = 0, i;

	if (packet->hints)
		ret = torus_machine_demand("tofu", TORUS_MACHINE_HINTS, why, size);
	if (!ret && packet->deposit)
		ret = torus_machine_demand("tofu", TORUS_MACHINE_DEPOSIT, why, size);
	if (!ret && packet->route == TORUS_ROUTE_PRIORITY)
		ret = torus_machine_demand("tofu", TORUS_MACHINE_PRIORITY, why, size);
	if (!ret && packet->route == TORUS_ROUTE_SECOND)
		ret = torus_machine_demand("tofu", TORUS_MACHINE_CLASSES, why, size);
	for (i = 0; !ret && i < AXES; i++)
		if (packet->dest[i] > most[i])
			ret = refuse(why, size, "coordinate %c %u: must be 0 to %u", "xyzabc"[i],
				     packet->dest[i], most[i]);
	if (!ret && (packet->chunks < 1 || packet->chunks > CHUNKS_MAX))
		ret = refuse(why, size, "packet of %u chunks: must be 1 to %u",
			     packet->chunks, CHUNKS_MAX);
	if (!ret && packet->group >= TORUS_TOFU_GROUPS)
		ret = refuse(why, size, "FIFO group %u: must be 0 to %u", packet->group,
			     TORUS_TOFU_GROUPS - 1);
	return ret;
}

/*
 * Ordered packets use the only fixed path of their pair. All other packets use the paths of the
 * fabric's policy, and any engine.
 */
static int tofu_build(void *header, const struct torus_machine_packet *packet, char *why,
		      size_t size)
{
	const uint32_t *dest = packet->dest;
	int ret = tofu_check(packet, why, size);
	uint32_t path = TORUS_TOFU_PATH_ANY, fifo = TORUS_TOFU_FIFO_ANY;

	if (ret)
		return ret;
	if (packet->route == TORUS_ROUTE_ORDERED) {
		path = TORUS_TOFU_PATH_FIXED;
		fifo = 0;
	}
	memset(header, 0, TORUS_TOFU_HEADER_BYTES);
	store_be32(header, dest[0] << TORUS_TOFU_X_SHIFT | dest[1] << TORUS_TOFU_Y_SHIFT |
			   dest[2] << TORUS_TOFU_Z_SHIFT | dest[3] << TORUS_TOFU_A_SHIFT |
			   dest[4] << TORUS_TOFU_B_SHIFT | dest[5] << TORUS_TOFU_C_SHIFT |
			   fifo << TORUS_TOFU_FIFO_SHIFT |
			   (packet->group & 1 ? TORUS_TOFU_GROUP : 0));
	store_be32((char *)header + 4, path << TORUS_TOFU_PATH_SHIFT |
				       (packet->group & 2 ? TORUS_TOFU_GROUP_HIGH : 0));
	tofu_resize(header, packet->chunks);
	return 0;
}

static unsigned int tofu_chunks(const void *header)
{
	return (load_be32((const char *)header + 4) >> TORUS_TOFU_CHUNKS_SHIFT &
		TORUS_TOFU_CHUNKS_MASK) + 1;
}

/* A unit consists of the nodes with the same x, y, z and b: a and c are 0 or 1. */
static void tofu_unit_node(const uint32_t *unit, unsigned int node, uint32_t *coords)
{
	memcpy(coords, unit, 3 * sizeof(*coords));
	coords[3] = node & 1;
	coords[4] = unit[3];
	coords[5] = node >> 1;
}

static void tofu_unit_of(const uint32_t *coords, uint32_t *unit)
{
	memcpy(unit, coords, 3 * sizeof(*unit));
	unit[3] = coords[4];
}

/* "In-order delivery on a path": packets that use several paths in turn may overtake each other. */
const struct torus_machine torus_machine_tofu = {
	.name = "tofu",
	.title = "Tofu",
	.can = TORUS_MACHINE_CAN(TORUS_MACHINE_ATTACH) | TORUS_MACHINE_CAN(TORUS_MACHINE_UNITS) |
	       TORUS_MACHINE_CAN(TORUS_MACHINE_ENGINES) | TORUS_MACHINE_CAN(TORUS_MACHINE_PATHS) |
	       TORUS_MACHINE_CAN(TORUS_MACHINE_VIEWS),
	.dims_max = 3,
	.chunk_bytes = CHUNK_BYTES,
	.packet_bytes = PACKET_BYTES,
	.chunk_ticks = CHUNK_TICKS,
	.port_links = PORTS,
	.ordered = TORUS_MACHINE_CAN(TORUS_ROUTE_ORDERED),
	.fifos = ~0u,
	.spread_fifos = PORTS,
	.build = tofu_build,
	.chunks = tofu_chunks,
	.resize = tofu_resize,
	.spread = tofu_spread,
	.unit_node = tofu_unit_node,
	.unit_of = tofu_unit_of,
};
