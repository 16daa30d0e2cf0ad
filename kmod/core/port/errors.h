/* SPDX-License-Identifier: GPL-2.0 */
/* Errors of a port: wrong accesses to FIFOs, rejected packets, DMA faults. */
#ifndef TORUS_CORE_PORT_ERRORS_H
#define TORUS_CORE_PORT_ERRORS_H

#include "core/platform.h"

struct torus_fabric;
struct torus_port;

/**
 * struct torus_port_errors - errors of a port
 * @bits: register ERRORS
 * @writes_full: packets for which an injection FIFO had no space; written by the accessor
 * @reads_empty: reads of an empty reception FIFO; written by the accessor
 * @full_reported: part of @writes_full that the machine knows; written by the fabric's thread
 * @empty_reported: part of @reads_empty that the machine knows; written by the fabric's thread
 * @fault: register FAULT. While PRESENT is 0 the fabric's thread owns @address, else the accessor
 * @address: address of the fault
 */
struct torus_port_errors {
	u32 bits;
	u32 writes_full;
	u32 reads_empty;
	u32 full_reported;
	u32 empty_reported;
	u32 fault;
	u32 address[2];
};

/* Set bits of ERRORS, and the cause (any context). */
void torus_port_error(struct torus_port *port, u32 bits);

/**
 * torus_port_access_failed() - record an access that cannot return its error
 * @port: the port; caller is the accessor
 *
 * For buses whose accesses return no error, after torus_port_read() or torus_port_write() failed
 * with another error than -ENOSPC and -ENODATA.
 */
void torus_port_access_failed(struct torus_port *port);

/* Count a packet that an injection FIFO has no space for, or a read of an empty FIFO (accessor). */
void torus_port_write_full(struct torus_port *port);
void torus_port_read_empty(struct torus_port *port);

/* Report wrong accesses to the machine; the fabric is locked. */
void torus_port_errors_report(struct torus_port *port, struct torus_fabric *f);

/**
 * torus_port_fault() - record a failed DMA access
 * @port: the port; fabric's thread
 * @ring: ring of the access
 * @write: the access was a write
 * @address: first byte of the access
 */
void torus_port_fault(struct torus_port *port, u32 ring, bool write, u64 address);

int torus_port_errors_read(struct torus_port *port, u32 reg, u32 index, u32 *value);
int torus_port_errors_write(struct torus_port *port, u32 reg, u32 index, u32 value);
void torus_port_errors_reset(struct torus_port *port);

#endif
