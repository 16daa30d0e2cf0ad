// SPDX-License-Identifier: GPL-2.0
/* Lab 9: a driver that survives errors. This is your file. */
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "torus_lab_fifo.h"
#include "torus_lab_ring.h"

/* Send a packet by injection FIFO 0; wait until there is space. */
static int lab_send(struct torus_device *td, const u32 *words, u32 count)
{
	return -EOPNOTSUPP;
}

/* Sleep until the reception ring has a packet, and return it. */
static int lab_receive(struct torus_device *td, u32 *words)
{
	return -EOPNOTSUPP;
}

static const struct torus_lab_ops lab_ops = {
	.send = lab_send,
	.receive = lab_receive,
};

static int lab_probe(struct torus_device *td, const struct torus_device_id *id)
{
	return torus_lab_attach(td, &lab_ops);
}

static void lab_remove(struct torus_device *td)
{
	torus_lab_detach(td);
}

static struct torus_driver lab_driver = {
	.driver = { .name = "lab" },
	.probe = lab_probe,
	.remove = lab_remove,
};
module_torus_driver(lab_driver);

MODULE_DESCRIPTION("Lab 9");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
