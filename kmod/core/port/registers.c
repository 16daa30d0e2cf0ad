// SPDX-License-Identifier: GPL-2.0
/* The register block of a port: which register is at an offset, and which access it permits. */
#include "core/port/identity.h"
#include "core/port/links.h"
#include "core/port/port.h"
#include "core/port/registers.h"
#include "core/port/reset.h"

/* Access rights, and numbers of elements, as in TORUS_PORT_REGISTERS. */
enum { RO, RW, WO, WC };
enum { ONE, DIMENSIONS, EVENTS, RECEIVE_FIFOS, INJECT_FIFOS, RINGS };

/**
 * struct register_row - row of TORUS_PORT_REGISTERS
 * @name: name of the register
 * @offset: offset of the register, or of its first element
 * @number: ONE ..: number of elements
 * @access: RO ..: access rights
 * @bits: bits that may be written
 */
struct register_row {
	const char *name;
	u16 offset;
	u8 number;
	u8 access;
	u32 bits;
};

#define ROW(name, offset, number, access, bits, meaning)			\
	{ #name, offset, number, access, bits },
static const struct register_row rows[] = {
	TORUS_PORT_REGISTERS(ROW)
};

#undef ROW

#define ROWS	(sizeof(rows) / sizeof(rows[0]))

/* Find the last row whose offset is not above @offset; NULL if there is none. */
static const struct register_row *register_row(u32 offset)
{
	u32 low = 0, high = ROWS;

	while (low < high) {
		u32 middle = (low + high) / 2;

		if (rows[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &rows[low - 1] : NULL;
}

static bool register_exists(const struct torus_port *port, const struct register_row *row,
			    u32 index)
{
	switch (row->number) {
	case ONE:
		return !index;
	case DIMENSIONS:
		return index < port->geo.ndims;
	case EVENTS:
		return port->ops->delay && index < TORUS_PORT_CAUSE_EVENTS;
	case RECEIVE_FIFOS:
		return index < port->arch->receive_fifos;
	case INJECT_FIFOS:
		return index < port->arch->inject_fifos;
	case RINGS:
		return index < TORUS_PORT_RINGS && port->ring[index];
	}
	return false;
}

/* Divide an offset in an array of FIFOs or rings into an index and the offset in element 0. */
static u32 register_divide(u32 *offset, u32 first, u32 stride)
{
	u32 index = (*offset - first) / stride;

	*offset -= index * stride;
	return index;
}

/*
 * Find the row of the register at an offset. @index: [out] index of the element; NULL: there is
 * none. A port may have fewer elements.
 */
static const struct register_row *register_at(u32 offset, u32 *index)
{
	const struct register_row *row;
	bool strided = true;

	if (offset & 3 || offset >= TORUS_PORT_BYTES)
		return NULL;
	if (offset >= TORUS_PORT_BASE_LOW)
		*index = register_divide(&offset, TORUS_PORT_BASE_LOW, TORUS_PORT_RING_STRIDE);
	else if (offset >= TORUS_PORT_WRITE_DATA)
		*index = register_divide(&offset, TORUS_PORT_WRITE_DATA, TORUS_PORT_FIFO_STRIDE);
	else if (offset >= TORUS_PORT_READ_DATA)
		*index = register_divide(&offset, TORUS_PORT_READ_DATA, TORUS_PORT_FIFO_STRIDE);
	else
		strided = false;
	row = register_row(offset);
	if (!row || (strided && row->offset != offset))
		return NULL;
	if (!strided)
		*index = (offset - row->offset) / 4;
	return row;
}

/* Find the register of a port at an offset. @index: [out] index of the element; NULL: none. */
static const struct register_row *register_find(const struct torus_port *port, u32 offset,
						u32 *index)
{
	const struct register_row *row = register_at(offset, index);

	return row && register_exists(port, row, *index) ? row : NULL;
}

u32 torus_port_register_first(u32 offset)
{
	u32 index;
	const struct register_row *row = register_at(offset, &index);

	return row ? row->offset : TORUS_NONE;
}

const char *torus_port_register_name(u32 offset)
{
	u32 index;
	const struct register_row *row = register_at(offset, &index);

	return row ? row->name : "";
}

bool torus_port_register_search(const char *name, u32 *offset)
{
	u32 i;

	for (i = 0; i < ROWS; i++)
		if (!strcasecmp(rows[i].name, name)) {
			*offset = rows[i].offset;
			return true;
		}
	return false;
}

/* Check that the accessor may touch the port. Identity and reset bit are always accessible. */
static int register_accessible(const struct torus_port *port, const struct register_row *row)
{
	return row->offset >= TORUS_PORT_STATUS && torus_port_reset_pending(port) ? -EBUSY : 0;
}

static int register_read_count(struct torus_port *port, u32 reg, u32 *value)
{
	u64 count;

	switch (reg) {
	case TORUS_PORT_TAKEN_LOW:
		count = torus_port_count_get(&port->taken);
		port->latched[0] = (u32)(count >> 32);
		*value = (u32)count;
		return 0;
	case TORUS_PORT_TAKEN_HIGH:
		*value = port->latched[0];
		return 0;
	case TORUS_PORT_ENDED_LOW:
		count = torus_port_count_get(&port->ended);
		port->latched[1] = (u32)(count >> 32);
		*value = (u32)count;
		return 0;
	case TORUS_PORT_ENDED_HIGH:
		*value = port->latched[1];
		return 0;
	}
	return -EIO;
}

static int register_read(struct torus_port *port, u32 reg, u32 index, u32 *value)
{
	switch (reg) {
	case TORUS_PORT_READ_DATA:
		return torus_port_receive_data(port, index, value);
	case TORUS_PORT_CONTROL:
		*value = torus_port_reset_pending(port) ? TORUS_PORT_CONTROL_RESET : 0;
		return 0;
	case TORUS_PORT_LINKS:
		*value = torus_port_links_read(port);
		return 0;
	case TORUS_PORT_READABLE:
		*value = torus_port_receive_readable(port);
		return 0;
	case TORUS_PORT_ERRORS ... TORUS_PORT_FAULT_HIGH:
		return torus_port_errors_read(port, reg, index, value);
	case TORUS_PORT_STATUS ... TORUS_PORT_ACKNOWLEDGE:
	case TORUS_PORT_MODERATION:
		return torus_port_causes_read(port, reg, index, value);
	case TORUS_PORT_TAKEN_LOW ... TORUS_PORT_ENDED_HIGH:
		return register_read_count(port, reg, value);
	case TORUS_PORT_LOSSES ... TORUS_PORT_LOSS_NEXT:
		return torus_port_loss_read(port, reg, index, value);
	case TORUS_PORT_LEVEL ... TORUS_PORT_WORDS:
		return torus_port_receive_read(port, reg, index, value);
	case TORUS_PORT_SPACE ... TORUS_PORT_REJECTED:
		return torus_port_inject_read(port, reg, index, value);
	case TORUS_PORT_BASE_LOW ... TORUS_PORT_RING_STATE:
		return torus_port_ring_read(port, reg, index, value);
	}
	return torus_port_identity_read(port, reg, index, value);
}

int torus_port_read(struct torus_port *port, u32 offset, u32 *value)
{
	const struct register_row *row;
	u32 index, got = ~0u;
	int ret = -ENODEV;

	*value = ~0u;
	if (torus_load(&port->dead))
		return ret;
	row = register_find(port, offset, &index);
	if (!row || row->access == WO)
		return -EIO;
	ret = register_accessible(port, row);
	if (!ret)
		ret = register_read(port, row->offset, index, &got);
	if (!ret)
		*value = got;
	return ret;
}

static int register_write(struct torus_port *port, u32 reg, u32 index, u32 value)
{
	switch (reg) {
	case TORUS_PORT_WRITE_DATA:
		return torus_port_inject_write(port, index, value);
	case TORUS_PORT_CONTROL:
		if (value & TORUS_PORT_CONTROL_RESET && !torus_port_reset_pending(port))
			torus_port_reset_request(port);
		return 0;
	case TORUS_PORT_ERRORS ... TORUS_PORT_FAULT_HIGH:
		return torus_port_errors_write(port, reg, index, value);
	case TORUS_PORT_STATUS ... TORUS_PORT_ACKNOWLEDGE:
	case TORUS_PORT_MODERATION:
		return torus_port_causes_write(port, reg, index, value);
	case TORUS_PORT_LOSSES ... TORUS_PORT_LOSS_NEXT:
		return torus_port_loss_write(port, reg, index, value);
	case TORUS_PORT_BASE_LOW ... TORUS_PORT_RING_STATE:
		return torus_port_ring_write(port, reg, index, value);
	}
	return -EIO;
}

int torus_port_write(struct torus_port *port, u32 offset, u32 value)
{
	const struct register_row *row;
	u32 index;
	int ret;

	if (torus_load(&port->dead))
		return -ENODEV;
	row = register_find(port, offset, &index);
	if (!row || row->access == RO)
		return -EIO;
	ret = register_accessible(port, row);
	if (ret)
		return ret;
	if (value & ~row->bits)
		return -ERANGE;
	return register_write(port, row->offset, index, value);
}
