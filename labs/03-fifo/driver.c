// SPDX-License-Identifier: GPL-2.0
/* Lab 3: programmed I/O, by polling, with a full FIFO. This is your file. */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "torus_lab.h"

/* Send a packet by injection FIFO 0; wait until there is space. */
static int lab_send(struct torus_device *td, const u32 *words, u32 count)
{
	return -EOPNOTSUPP;
}

/* Receive a packet of any reception FIFO; do not wait for one. */
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

MODULE_DESCRIPTION("Lab 3");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
