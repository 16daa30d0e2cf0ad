// SPDX-License-Identifier: GPL-2.0
/*
 * The machine's own registers as a regmap named "dcr": dev_get_regmap(&td->dev, "dcr"). Only Blue
 * Gene/L has such registers. Accesses may sleep, because they lock the fabric.
 */
#include <linux/err.h>
#include <linux/regmap.h>

#include "core/state/arch.h"
#include "dev/engine/engine.h"
#include "dev/port/driver.h"
#include "machine_regmap.h"
#include "node.h"

/* Registers have 32 bits and consecutive numbers; the port has number n at offset 4n. */
#define TORUS_REGMAP_OFFSET(reg)	(4 * (reg))

static int torus_host_regmap_read(void *context, unsigned int reg, unsigned int *value)
{
	struct torus_host_node *node = context;

	return torus_port_device_machine_read(node->pd, TORUS_REGMAP_OFFSET(reg), value);
}

static int torus_host_regmap_write(void *context, unsigned int reg, unsigned int value)
{
	struct torus_host_node *node = context;

	return torus_port_device_machine_write(node->pd, TORUS_REGMAP_OFFSET(reg), value);
}

/* Find a register in the machine's table. */
static const struct torus_reg *torus_host_regmap_find(struct device *dev, unsigned int reg)
{
	const struct torus_arch *arch = to_torus_host_node(to_torus_device(dev))->pd->engine->arch;
	u32 i;

	for (i = 0; i < *arch->nregs; i++)
		if (arch->regs[i].offset == reg)
			return &arch->regs[i];
	return NULL;
}

static bool torus_host_regmap_readable(struct device *dev, unsigned int reg)
{
	return torus_host_regmap_find(dev, reg);
}

static bool torus_host_regmap_writeable(struct device *dev, unsigned int reg)
{
	const struct torus_reg *found = torus_host_regmap_find(dev, reg);

	return found && !(found->flags & TORUS_REG_READ_ONLY);
}

/* A debugfs dump must not read a register that a read clears. */
static bool torus_host_regmap_precious(struct device *dev, unsigned int reg)
{
	const struct torus_reg *found = torus_host_regmap_find(dev, reg);

	return found && found->flags & TORUS_REG_READ_CLEARS;
}

static const struct regmap_config torus_host_regmap_config = {
	.name = "dcr",
	.reg_bits = 32,
	.val_bits = 32,
	.max_register = TORUS_PORT_MACHINE_BYTES / 4 - 1,
	.reg_read = torus_host_regmap_read,
	.reg_write = torus_host_regmap_write,
	.readable_reg = torus_host_regmap_readable,
	.writeable_reg = torus_host_regmap_writeable,
	.precious_reg = torus_host_regmap_precious,
	.cache_type = REGCACHE_NONE,
};

/**
 * torus_host_regmap_create() - create the regmap of a device whose driver is being bound
 * @node: the device; the driver core frees the regmap when the driver is unbound
 *
 * Return: 0, or regmap_init()'s error. Machines without registers have no regmap.
 */
int torus_host_regmap_create(struct torus_host_node *node)
{
	const struct torus_arch *arch = node->pd->engine->arch;

	if (!arch->nregs || !*arch->nregs)
		return 0;
	return PTR_ERR_OR_ZERO(devm_regmap_init(&node->td.dev, NULL, node,
						&torus_host_regmap_config));
}
