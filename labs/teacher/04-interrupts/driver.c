// SPDX-License-Identifier: GPL-2.0
/* A solution of lab 4. */
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "torus_lab_fifo.h"

struct lab {
	struct torus_device *td;
	struct mutex lock;	/* one task at a time reads the FIFOs */
	wait_queue_head_t wait;
	atomic_t events;
	bool gone;
	int irq;
};

static irqreturn_t lab_interrupt(int irq, void *data)
{
	struct lab *lab = data;

	torus_write32(lab->td, TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_RECEIVE);
	atomic_inc(&lab->events);
	wake_up_all(&lab->wait);
	return IRQ_HANDLED;
}

static int lab_send(struct torus_device *td, const u32 *words, u32 count)
{
	return -EOPNOTSUPP;
}

static int lab_look(struct lab *lab, u32 *words)
{
	int count;

	mutex_lock(&lab->lock);
	count = READ_ONCE(lab->gone) ? -ENODEV : torus_lab_fifo_receive(lab->td, words);
	mutex_unlock(&lab->lock);
	return count;
}

static int lab_receive(struct torus_device *td, u32 *words)
{
	struct lab *lab = torus_get_drvdata(td);
	int count, seen;

	for (;;) {
		seen = atomic_read(&lab->events);
		count = lab_look(lab, words);
		if (count)
			return count;
		if (wait_event_interruptible(lab->wait, atomic_read(&lab->events) != seen))
			return -ERESTARTSYS;
	}
}

static const struct torus_lab_ops lab_ops = {
	.send = lab_send,
	.receive = lab_receive,
};

static int lab_start(struct lab *lab)
{
	int irq = torus_device_irq(lab->td, TORUS_PORT_CAUSE_RECEIVE), err;

	if (irq < 0)
		return irq;
	err = request_irq(irq, lab_interrupt, 0, "lab", lab);
	if (err)
		return err;
	lab->irq = irq;
	torus_write32(lab->td, TORUS_PORT_ENABLE, TORUS_PORT_STATUS_RECEIVE);
	err = torus_lab_attach(lab->td, &lab_ops);
	if (err)
		free_irq(irq, lab);
	return err;
}

static int lab_probe(struct torus_device *td, const struct torus_device_id *id)
{
	struct lab *lab = kzalloc(sizeof(*lab), GFP_KERNEL);
	int err;

	if (!lab)
		return -ENOMEM;
	lab->td = td;
	mutex_init(&lab->lock);
	init_waitqueue_head(&lab->wait);
	torus_set_drvdata(td, lab);
	err = lab_start(lab);
	if (err)
		kfree(lab);
	return err;
}

static void lab_remove(struct torus_device *td)
{
	struct lab *lab = torus_get_drvdata(td);

	WRITE_ONCE(lab->gone, true);
	atomic_inc(&lab->events);
	wake_up_all(&lab->wait);
	torus_lab_detach(td);
	torus_write32(td, TORUS_PORT_ENABLE, 0);
	free_irq(lab->irq, lab);
	kfree(lab);
}

static struct torus_driver lab_driver = {
	.driver = { .name = "lab" },
	.probe = lab_probe,
	.remove = lab_remove,
};
module_torus_driver(lab_driver);

MODULE_DESCRIPTION("Lab 4");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
