/* SPDX-License-Identifier: GPL-2.0 */
/* The register block of a port: which register is at an offset, and which access it permits. */
#ifndef TORUS_CORE_PORT_REGISTERS_H
#define TORUS_CORE_PORT_REGISTERS_H

#include "core/platform.h"

struct torus_port;

/**
 * torus_port_read() - read a register
 * @port: the port; caller is the accessor
 * @offset: offset of the register, from TORUS_PORT_MACHINE_BYTES on
 * @value: [out] value; all ones after an error
 *
 * Neither sleeps nor waits for a lock.
 *
 * Return: 0, or an error that <linux/torus_port.h> lists.
 */
int torus_port_read(struct torus_port *port, u32 offset, u32 *value);

/**
 * torus_port_write() - write a register
 * @port: the port; caller is the accessor
 * @offset: offset of the register, from TORUS_PORT_MACHINE_BYTES on
 * @value: value
 *
 * Neither sleeps nor waits for a lock.
 *
 * Return: 0, or an error that <linux/torus_port.h> lists. The write then had no effect, except that
 * with -ENOSPC the word is part of an ignored packet.
 */
int torus_port_write(struct torus_port *port, u32 offset, u32 value);

/**
 * torus_port_register_first() - find the first element of a register
 * @offset: offset of an element
 *
 * Return: offset of element 0; TORUS_NONE if no register has that offset.
 */
u32 torus_port_register_first(u32 offset);

/* Return the name of the register at an offset, without its index; "" if there is none. */
const char *torus_port_register_name(u32 offset);

/**
 * torus_port_register_search() - find a register by its name
 * @name: name in TORUS_PORT_REGISTERS, in any case
 * @offset: [out] offset of element 0
 *
 * Return: false if no register has that name.
 */
bool torus_port_register_search(const char *name, u32 *offset);

#endif
