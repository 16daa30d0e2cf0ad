/* SPDX-License-Identifier: GPL-2.0 */
/* The machine's own registers of a port's node, below TORUS_PORT_MACHINE_BYTES. */
#ifndef TORUS_CORE_PORT_MACHINE_REGISTERS_H
#define TORUS_CORE_PORT_MACHINE_REGISTERS_H

#include "core/platform.h"

struct torus_arch;
struct torus_fabric;
struct torus_port;
struct torus_reg;

/**
 * torus_machine_register() - find a register of a machine
 * @arch: the machine, which may have no registers
 * @number: offset in the machine's own numbering; a port has the register at 4 * @number
 *
 * Return: the register, or NULL.
 */
const struct torus_reg *torus_machine_register(const struct torus_arch *arch, u32 number);

/**
 * torus_port_machine_read() - read a register of the machine
 * @port: the port
 * @f: the fabric, locked
 * @offset: offset below TORUS_PORT_MACHINE_BYTES; register n of the machine is at 4n
 * @value: [out] value; all ones after an error
 *
 * Return: 0; -EIO if there is no such register, -ENODEV if the port is detached.
 */
int torus_port_machine_read(struct torus_port *port, struct torus_fabric *f, u32 offset,
			    u32 *value);

/**
 * torus_port_machine_write() - write a register of the machine
 * @port: the port
 * @f: the fabric, locked
 * @offset: offset below TORUS_PORT_MACHINE_BYTES; register n of the machine is at 4n
 * @value: value
 *
 * Return: 0; -EIO if there is no such register, or if it is read-only; -ERANGE for a reserved bit,
 * or if the machine rejects the write for any reason but memory; -ENODEV if the port is detached;
 * -ENOMEM.
 */
int torus_port_machine_write(struct torus_port *port, struct torus_fabric *f, u32 offset,
			     u32 value);

#endif
