// SPDX-License-Identifier: GPL-2.0
/* Registers that never change: the machine, the node, sizes, node numbers. */
#include "core/base/node_number.h"
#include "core/port/identity.h"
#include "core/port/port.h"

/* Return the first four letters of the machine's name, the first one in the low byte. */
static u32 identity_name(const struct torus_arch *arch)
{
	u32 name = 0, i;

	for (i = 0; i < 4 && arch->name[i]; i++)
		name |= (u32)(u8)arch->name[i] << 8 * i;
	return name;
}

static u32 identity_features(const struct torus_port *port)
{
	return (port->ops->dma_read ? TORUS_PORT_FEATURES_RINGS : 0) |
	       (port->arch->reg_read ? TORUS_PORT_FEATURES_REGISTERS : 0) |
	       (port->ops->delay ? TORUS_PORT_FEATURES_MODERATION : 0);
}

static int identity_place(const struct torus_port *port, u32 reg, u32 dim, u32 *value)
{
	const struct torus_geometry *g = &port->geo;
	u32 coords[TORUS_DIMS_MAX];

	switch (reg) {
	case TORUS_PORT_NODE:
		*value = torus_node_number(g, port->node);
		return 0;
	case TORUS_PORT_NODES:
		*value = g->nodes;
		return 0;
	case TORUS_PORT_NODE_LAST:
		*value = g->numbering.last;
		return 0;
	case TORUS_PORT_DIMENSIONS:
		*value = g->ndims;
		return 0;
	case TORUS_PORT_MESH:
		*value = g->mesh;
		return 0;
	case TORUS_PORT_COORDINATE:
		torus_geometry_coords(g, port->node, coords);
		*value = coords[dim];
		return 0;
	case TORUS_PORT_DIMENSION:
		*value = g->dims[dim];
		return 0;
	case TORUS_PORT_SPLIT:
		*value = g->numbering.split[dim];
		return 0;
	case TORUS_PORT_STRIDE:
		*value = g->numbering.stride[dim];
		return 0;
	case TORUS_PORT_JUMP:
		*value = g->numbering.jump[dim];
		return 0;
	}
	return -EIO;
}

static int identity_sizes(const struct torus_port *port, u32 reg, u32 *value)
{
	const struct torus_arch *arch = port->arch;

	switch (reg) {
	case TORUS_PORT_GROUPS:
		*value = arch->groups;
		return 0;
	case TORUS_PORT_CHUNK_BYTES:
		*value = arch->chunk_bytes;
		return 0;
	case TORUS_PORT_PACKET_CHUNKS:
		*value = arch->packet_chunks_max;
		return 0;
	case TORUS_PORT_HEADER_BYTES:
		*value = arch->header_bytes;
		return 0;
	case TORUS_PORT_FIFO_CHUNKS:
		*value = arch->fifo_chunks;
		return 0;
	case TORUS_PORT_INJECTION:
		*value = arch->inject_fifos;
		return 0;
	case TORUS_PORT_INJECTION_PRIORITY:
		*value = arch->inject_priority;
		return 0;
	case TORUS_PORT_RECEPTION:
		*value = arch->receive_fifos;
		return 0;
	case TORUS_PORT_RECEPTION_PRIORITY:
		*value = arch->receive_priority;
		return 0;
	}
	return -EIO;
}

int torus_port_identity_read(const struct torus_port *port, u32 reg, u32 index, u32 *value)
{
	switch (reg) {
	case TORUS_PORT_MAGIC:
		*value = TORUS_PORT_MAGIC_VALUE;
		return 0;
	case TORUS_PORT_VERSION:
		*value = TORUS_PORT_ABI_VERSION;
		return 0;
	case TORUS_PORT_MACHINE:
		*value = identity_name(port->arch);
		return 0;
	case TORUS_PORT_FEATURES:
		*value = identity_features(port);
		return 0;
	case TORUS_PORT_GROUP:
		*value = port->group;
		return 0;
	}
	if (!identity_sizes(port, reg, value))
		return 0;
	return identity_place(port, reg, index, value);
}
