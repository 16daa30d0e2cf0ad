// SPDX-License-Identifier: GPL-2.0
/* Lab 2: a driver that probes, is unbound and unplugged, and leaks nothing. This is your file. */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/torus_bus.h>
#include <linux/torus_port.h>

static int lab_probe(struct torus_device *td, const struct torus_device_id *id)
{
	/* Check the device, get memory and the interrupt, and enable it. */
	return -ENODEV;
}

static void lab_remove(struct torus_device *td)
{
	/* Undo what lab_probe() has done, in reverse order. */
}

static struct torus_driver lab_driver = {
	.driver = { .name = "lab" },
	.probe = lab_probe,
	.remove = lab_remove,
};
module_torus_driver(lab_driver);

MODULE_DESCRIPTION("Lab 2");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
