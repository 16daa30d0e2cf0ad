// SPDX-License-Identifier: GPL-2.0
/* A solution of lab 9. */
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "torus_lab_fifo.h"
#include "torus_lab_ring.h"

#define GONE		(~0u)
#define CHUNK_WORDS	8
#define CAUSES		(TORUS_PORT_STATUS_RECEIVE | TORUS_PORT_STATUS_FAULT)

struct lab {
	struct torus_device *td;
	struct mutex lock;	/* the port: a packet's words, the ring, a reset */
	struct torus_lab_ring ring;
	wait_queue_head_t wait;
	atomic_t events;
	bool gone;
	int irq[2];
};

static void lab_event(struct lab *lab)
{
	atomic_inc(&lab->events);
	wake_up_all(&lab->wait);
}

static irqreturn_t lab_interrupt(int irq, void *data)
{
	struct lab *lab = data;

	torus_write32(lab->td, TORUS_PORT_ACKNOWLEDGE, CAUSES);
	lab_event(lab);
	return IRQ_HANDLED;
}

/* ------------------------------------------------------------------ the port */

/* After this the device does not access memory any more. */
static void lab_reset(struct torus_device *td)
{
	u32 control;

	torus_write32(td, TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET);
	do {
		usleep_range(50, 100);
		control = torus_read32(td, TORUS_PORT_CONTROL);
	} while (control != GONE && control & TORUS_PORT_CONTROL_RESET);
}

static void lab_begin(struct lab *lab)
{
	torus_lab_ring_start(lab->td, &lab->ring);
	torus_write32(lab->td, TORUS_PORT_ENABLE, CAUSES);
}

/* A ring that has halted continues only after a reset. */
static void lab_recover(struct lab *lab)
{
	u32 state = torus_read32(lab->td, TORUS_PORT_AT_RING(TORUS_PORT_RING_STATE,
							     TORUS_PORT_RECEIVE_RING));

	if (state == GONE || !(state & TORUS_PORT_RING_STATE_HALTED))
		return;
	lab_reset(lab->td);
	lab_begin(lab);
}

/* ------------------------------------------------------------------ packets */

/* Return: 0; -EAGAIN if there is no space; -ENODEV if the node is gone. */
static int lab_try_send(struct lab *lab, const u32 *words, u32 count)
{
	int space;

	mutex_lock(&lab->lock);
	space = torus_lab_fifo_space(lab->td);
	if (space >= (int)DIV_ROUND_UP(count, CHUNK_WORDS)) {
		torus_lab_fifo_write(lab->td, words, count);
		space = 0;
	} else if (space >= 0) {
		space = -EAGAIN;
	}
	mutex_unlock(&lab->lock);
	return space;
}

static int lab_send(struct torus_device *td, const u32 *words, u32 count)
{
	struct lab *lab = torus_get_drvdata(td);
	int err;

	for (;;) {
		err = READ_ONCE(lab->gone) ? -ENODEV : lab_try_send(lab, words, count);
		if (err != -EAGAIN)
			return err;
		usleep_range(500, 1000);
	}
}

static int lab_look(struct lab *lab, u32 *words)
{
	int count;

	mutex_lock(&lab->lock);
	do {
		count = torus_lab_ring_receive(lab->td, &lab->ring, words);
	} while (count == -EIO);	/* that descriptor has no packet */
	if (!count)
		lab_recover(lab);
	mutex_unlock(&lab->lock);
	return count;
}

static int lab_receive(struct torus_device *td, u32 *words)
{
	struct lab *lab = torus_get_drvdata(td);
	int count, seen;

	for (;;) {
		seen = atomic_read(&lab->events);
		count = READ_ONCE(lab->gone) ? -ENODEV : lab_look(lab, words);
		if (count)
			return count;
		/* An interrupt can be lost. */
		if (wait_event_interruptible_timeout(lab->wait, atomic_read(&lab->events) != seen,
						     HZ) < 0)
			return -ERESTARTSYS;
		torus_write32(td, TORUS_PORT_ACKNOWLEDGE, CAUSES);
	}
}

static const struct torus_lab_ops lab_ops = {
	.send = lab_send,
	.receive = lab_receive,
};

/* ------------------------------------------------------------------ bind and unbind */

static void lab_end(struct lab *lab)
{
	u32 i;

	lab_reset(lab->td);
	for (i = 0; i < ARRAY_SIZE(lab->irq); i++)
		if (lab->irq[i] > 0)
			free_irq(lab->irq[i], lab);
	torus_lab_ring_free(lab->td, &lab->ring);
	kfree(lab);
}

static int lab_request_interrupts(struct lab *lab)
{
	static const u32 cause[] = { TORUS_PORT_CAUSE_RECEIVE, TORUS_PORT_CAUSE_FAULT };
	int irq, err;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(lab->irq); i++) {
		irq = torus_device_irq(lab->td, cause[i]);
		if (irq < 0)
			return irq;
		err = request_irq(irq, lab_interrupt, 0, "lab", lab);
		if (err)
			return err;
		lab->irq[i] = irq;
	}
	return 0;
}

static int lab_start(struct lab *lab)
{
	int err = torus_lab_ring_alloc(lab->td, &lab->ring) ?: lab_request_interrupts(lab);

	if (err)
		return err;
	lab_begin(lab);
	return torus_lab_attach(lab->td, &lab_ops);
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
		lab_end(lab);
	return err;
}

static void lab_remove(struct torus_device *td)
{
	struct lab *lab = torus_get_drvdata(td);

	WRITE_ONCE(lab->gone, true);
	lab_event(lab);
	torus_lab_detach(td);
	lab_end(lab);
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
