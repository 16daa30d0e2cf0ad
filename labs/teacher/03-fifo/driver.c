// SPDX-License-Identifier: GPL-2.0
/* A solution of lab 3. */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "torus_lab.h"

#define GONE		(~0u)
#define FIFO		0
#define CHUNK_WORDS	8

struct lab {
	struct mutex lock;	/* a packet's words are moved as one */
};

static int lab_space(struct torus_device *td, u32 count)
{
	u32 space;

	for (;;) {
		space = torus_read32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_SPACE, FIFO));
		if (space == GONE)
			return -ENODEV;
		if (space >= DIV_ROUND_UP(count, CHUNK_WORDS))
			return 0;
		usleep_range(100, 200);
	}
}

static int lab_send(struct torus_device *td, const u32 *words, u32 count)
{
	struct lab *lab = torus_get_drvdata(td);
	int err;
	u32 i;

	mutex_lock(&lab->lock);
	err = lab_space(td, count);
	for (i = 0; !err && i < count; i++)
		torus_write32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_WRITE_DATA, FIFO), words[i]);
	mutex_unlock(&lab->lock);
	return err;
}

static int lab_read(struct torus_device *td, u32 *words)
{
	u32 readable = torus_read32(td, TORUS_PORT_READABLE), fifo, count, i;

	if (readable == GONE)
		return -ENODEV;
	if (!readable)
		return 0;
	fifo = __ffs(readable);
	count = torus_read32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo));
	if (count > TORUS_LAB_WORDS)
		return -ENODEV;
	for (i = 0; i < count; i++)
		words[i] = torus_read32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo));
	return count;
}

static int lab_receive(struct torus_device *td, u32 *words)
{
	struct lab *lab = torus_get_drvdata(td);
	int count;

	mutex_lock(&lab->lock);
	count = lab_read(td, words);
	mutex_unlock(&lab->lock);
	return count;
}

static const struct torus_lab_ops lab_ops = {
	.send = lab_send,
	.receive = lab_receive,
};

static int lab_probe(struct torus_device *td, const struct torus_device_id *id)
{
	struct lab *lab = kzalloc(sizeof(*lab), GFP_KERNEL);
	int err;

	if (!lab)
		return -ENOMEM;
	mutex_init(&lab->lock);
	torus_set_drvdata(td, lab);
	err = torus_lab_attach(td, &lab_ops);
	if (err)
		kfree(lab);
	return err;
}

static void lab_remove(struct torus_device *td)
{
	torus_lab_detach(td);
	kfree(torus_get_drvdata(td));
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
