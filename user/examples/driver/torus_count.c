// SPDX-License-Identifier: GPL-2.0
/* The smallest driver of the torus bus: it reads and counts the packets of a Blue Gene/L node. */
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/torus_bus.h>
#include <linux/torus_port.h>

#define GONE	(~0u)	/* all registers of a node that was taken away */

struct count {
	struct torus_device *td;
	struct delayed_work work;
	int irq;
	u32 packets;
};

/* Acknowledge, then read until no packet is left; and after a second, as interrupts can be lost. */
static void count_work(struct work_struct *work)
{
	struct count *count = container_of(work, struct count, work.work);
	struct torus_device *td = count->td;
	u32 readable, words, fifo;

	torus_write32(td, TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_RECEIVE);
	while ((readable = torus_read32(td, TORUS_PORT_READABLE)) && readable != GONE) {
		fifo = __ffs(readable);
		words = torus_read32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo));
		for (; words && words != GONE; words--)
			torus_read32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo));
		count->packets++;
		cond_resched();
	}
	schedule_delayed_work(&count->work, HZ);
}

static irqreturn_t count_interrupt(int irq, void *data)
{
	mod_delayed_work(system_wq, &((struct count *)data)->work, 0);
	return IRQ_HANDLED;
}

static int count_probe(struct torus_device *td, const struct torus_device_id *id)
{
	struct count *count = kzalloc(sizeof(*count), GFP_KERNEL);
	int err = -ENOMEM;

	if (!count)
		return err;
	count->td = td;
	INIT_DELAYED_WORK(&count->work, count_work);
	torus_set_drvdata(td, count);
	count->irq = torus_device_irq(td, TORUS_PORT_CAUSE_RECEIVE);
	err = count->irq < 0 ? count->irq :
	      request_irq(count->irq, count_interrupt, 0, "torus_count", count);
	if (err)
		kfree(count);
	else
		torus_write32(td, TORUS_PORT_ENABLE, TORUS_PORT_STATUS_RECEIVE);
	return err;
}

static void count_remove(struct torus_device *td)
{
	struct count *count = torus_get_drvdata(td);

	torus_write32(td, TORUS_PORT_ENABLE, 0);
	free_irq(count->irq, count);
	cancel_delayed_work_sync(&count->work);
	dev_info(&td->dev, "%u packets\n", count->packets);
	kfree(count);
}

static const struct torus_device_id count_ids[] = { { "bgl", TORUS_ANY_GROUP }, { } };
static struct torus_driver count_driver = {
	.driver = { .name = "torus_count" },
	.id_table = count_ids,
	.probe = count_probe,
	.remove = count_remove,
};
module_torus_driver(count_driver);
TORUS_ALIAS("bgl");
MODULE_DESCRIPTION("Example driver of the torus bus: counts packets");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
