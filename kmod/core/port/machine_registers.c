// SPDX-License-Identifier: GPL-2.0
/* The machine's own registers of a port's node, below TORUS_PORT_MACHINE_BYTES. */
#include "core/port/machine_registers.h"
#include "core/port/port.h"
#include "core/state/fabric.h"

const struct torus_reg *torus_machine_register(const struct torus_arch *arch, u32 number)
{
	u32 i;

	for (i = 0; i < *arch->nregs; i++)
		if (arch->regs[i].offset == number)
			return &arch->regs[i];
	return NULL;
}

/* Find the register at an offset of a port. */
static const struct torus_reg *machine_register(const struct torus_arch *arch, u32 offset)
{
	if (offset & 3 || offset >= TORUS_PORT_MACHINE_BYTES)
		return NULL;
	return torus_machine_register(arch, offset / 4);
}

int torus_port_machine_read(struct torus_port *port, struct torus_fabric *f, u32 offset,
			    u32 *value)
{
	const struct torus_reg *reg = machine_register(port->arch, offset);
	u32 got;

	*value = ~0u;
	if (torus_load(&port->dead))
		return -ENODEV;
	if (!reg || f->arch->reg_read(f, port->node, reg->offset, &got, NULL))
		return -EIO;
	*value = got;
	return 0;
}

int torus_port_machine_write(struct torus_port *port, struct torus_fabric *f, u32 offset,
			     u32 value)
{
	const struct torus_reg *reg = machine_register(port->arch, offset);
	int ret;

	if (torus_load(&port->dead))
		return -ENODEV;
	if (!reg || reg->flags & TORUS_REG_READ_ONLY)
		return -EIO;
	if (value & ~reg->mask)
		return -ERANGE;
	ret = f->arch->reg_write(f, port->node, reg->offset, value, NULL);
	return ret && ret != -ENOMEM ? -ERANGE : ret;
}
