// SPDX-License-Identifier: GPL-2.0
/* A solution of lab 2. */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/torus_bus.h>
#include <linux/torus_port.h>

#define GONE	(~0u)

struct lab {
	struct torus_device *td;
	void *buffer;
	dma_addr_t at;
	int irq;
};

static irqreturn_t lab_interrupt(int irq, void *data)
{
	struct lab *lab = data;
	u32 readable, fifo, count, i;

	torus_write32(lab->td, TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_RECEIVE);
	for (;;) {
		readable = torus_read32(lab->td, TORUS_PORT_READABLE);
		if (!readable || readable == GONE)
			return IRQ_HANDLED;
		fifo = __ffs(readable);
		count = torus_read32(lab->td, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo));
		if (count == GONE)
			return IRQ_HANDLED;
		for (i = 0; i < count; i++)
			torus_read32(lab->td, TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo));
	}
}

static int lab_start(struct lab *lab)
{
	int irq, err;

	lab->buffer = dma_alloc_coherent(torus_dma_device(lab->td), PAGE_SIZE, &lab->at,
					 GFP_KERNEL);
	if (!lab->buffer)
		return -ENOMEM;
	irq = torus_device_irq(lab->td, TORUS_PORT_CAUSE_RECEIVE);
	err = irq < 0 ? irq : request_irq(irq, lab_interrupt, 0, "lab", lab);
	if (err) {
		dma_free_coherent(torus_dma_device(lab->td), PAGE_SIZE, lab->buffer, lab->at);
		return err;
	}
	lab->irq = irq;
	torus_write32(lab->td, TORUS_PORT_ENABLE, TORUS_PORT_STATUS_RECEIVE);
	return 0;
}

static int lab_probe(struct torus_device *td, const struct torus_device_id *id)
{
	struct lab *lab;
	int err;

	if (torus_read32(td, TORUS_PORT_MAGIC) != TORUS_PORT_MAGIC_VALUE ||
	    torus_read32(td, TORUS_PORT_VERSION) != TORUS_PORT_ABI_VERSION)
		return -ENODEV;
	lab = kzalloc(sizeof(*lab), GFP_KERNEL);
	if (!lab)
		return -ENOMEM;
	lab->td = td;
	err = lab_start(lab);
	if (err) {
		kfree(lab);
		return err;
	}
	torus_set_drvdata(td, lab);
	return 0;
}

static void lab_remove(struct torus_device *td)
{
	struct lab *lab = torus_get_drvdata(td);
	u32 control;

	torus_write32(td, TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET);
	do {
		usleep_range(50, 100);
		control = torus_read32(td, TORUS_PORT_CONTROL);
	} while (control != GONE && control & TORUS_PORT_CONTROL_RESET);
	free_irq(lab->irq, lab);
	dma_free_coherent(torus_dma_device(td), PAGE_SIZE, lab->buffer, lab->at);
	kfree(lab);
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
