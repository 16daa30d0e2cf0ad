// SPDX-License-Identifier: GPL-2.0
/* Errors of a port: wrong accesses to FIFOs, rejected packets, DMA faults. */
#include "core/port/errors.h"
#include "core/port/port.h"
#include "core/state/interrupt.h"

/* Maximum of wrong accesses of one kind that one poll reports to the machine. */
#define REPORT_MAX	64u

void torus_port_error(struct torus_port *port, u32 bits)
{
	torus_fetch_or(&port->errors.bits, bits);
	torus_port_cause_set(port, TORUS_PORT_CAUSE_ERROR);
}

void torus_port_access_failed(struct torus_port *port)
{
	torus_port_error(port, TORUS_PORT_ERRORS_ACCESS);
}

/* Count a wrong access, and request the poll that reports it to the machine. */
static void errors_count(struct torus_port *port, u32 *count)
{
	torus_store_release(count, *count + 1);
	port->ops->poll(port->owner);
}

void torus_port_write_full(struct torus_port *port)
{
	errors_count(port, &port->errors.writes_full);
}

void torus_port_read_empty(struct torus_port *port)
{
	errors_count(port, &port->errors.reads_empty);
}

static void errors_report(struct torus_port *port, struct torus_fabric *f, const u32 *count,
			  u32 *reported, enum torus_hw_error what, u32 bit)
{
	u32 now = torus_load_acquire(count), news = now - *reported, i;

	if (!news)
		return;
	for (i = 0; i < news && i < REPORT_MAX; i++)
		torus_error_raise(f, port->node, what, 0, port->group);
	*reported += i;
	torus_port_error(port, bit);
	/* the next poll reports the rest */
	if (i < news)
		port->ops->poll(port->owner);
}

void torus_port_errors_report(struct torus_port *port, struct torus_fabric *f)
{
	struct torus_port_errors *e = &port->errors;

	errors_report(port, f, &e->writes_full, &e->full_reported, TORUS_ERROR_WRITE_FULL,
		      TORUS_PORT_ERRORS_WRITE_FULL);
	errors_report(port, f, &e->reads_empty, &e->empty_reported, TORUS_ERROR_READ_EMPTY,
		      TORUS_PORT_ERRORS_READ_EMPTY);
}

void torus_port_fault(struct torus_port *port, u32 ring, bool write, u64 address)
{
	struct torus_port_errors *e = &port->errors;

	/* The first fault stays until the driver has cleared it. Pairs with the store of 0. */
	if (!(torus_load_acquire(&e->fault) & TORUS_PORT_FAULT_PRESENT)) {
		torus_store(&e->address[0], (u32)address);
		torus_store(&e->address[1], (u32)(address >> 32));
		/* Store the address before PRESENT. */
		torus_store_release(&e->fault, TORUS_PORT_FAULT_PRESENT |
				    (write ? TORUS_PORT_FAULT_WRITE : 0) |
				    ring << TORUS_PORT_FAULT_RING_SHIFT);
	}
	torus_port_cause_set(port, TORUS_PORT_CAUSE_FAULT);
}

int torus_port_errors_read(struct torus_port *port, u32 reg, u32 index, u32 *value)
{
	const struct torus_port_errors *e = &port->errors;
	u32 fault = torus_load_acquire(&e->fault);
	bool present = fault & TORUS_PORT_FAULT_PRESENT;

	switch (reg) {
	case TORUS_PORT_ERRORS:
		*value = torus_load(&e->bits);
		return 0;
	case TORUS_PORT_WRITES_FULL:
		*value = e->writes_full;
		return 0;
	case TORUS_PORT_READS_EMPTY:
		*value = e->reads_empty;
		return 0;
	case TORUS_PORT_FAULT:
		*value = fault;
		return 0;
	case TORUS_PORT_FAULT_LOW:
		*value = present ? torus_load(&e->address[0]) : 0;
		return 0;
	case TORUS_PORT_FAULT_HIGH:
		*value = present ? torus_load(&e->address[1]) : 0;
		return 0;
	}
	return -EIO;
}

int torus_port_errors_write(struct torus_port *port, u32 reg, u32 index, u32 value)
{
	struct torus_port_errors *e = &port->errors;

	switch (reg) {
	case TORUS_PORT_ERRORS:
		torus_fetch_and(&e->bits, ~value);
		return 0;
	case TORUS_PORT_FAULT:
		/* The driver has loaded the address before this store. */
		if (value && torus_load_acquire(&e->fault) & TORUS_PORT_FAULT_PRESENT)
			torus_store_release(&e->fault, 0);
		return 0;
	}
	return -EIO;
}

/* Clear all errors; the fabric's thread owns the port. */
void torus_port_errors_reset(struct torus_port *port)
{
	memset(&port->errors, 0, sizeof(port->errors));
}
