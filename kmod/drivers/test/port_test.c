// SPDX-License-Identifier: GPL-2.0
/* The driver for selftests: bind, unbind, commands. */
#include <linux/interrupt.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "port_test.h"

/* One command at a time; protects the pair of devices, too. */
static DEFINE_MUTEX(port_test_lock);
static struct port_test *port_test_first;

/**
 * struct port_test_command - a command
 * @name: first word
 * @rings: it needs the rings of both devices
 * @run: runs it; the argument is the second word. The peer exists
 */
struct port_test_command {
	const char *name;
	bool rings;
	int (*run)(struct port_test *test, const char *what);
};

/* errors: number of interrupts ERROR, and the register ERRORS. */
static int port_test_errors(struct port_test *test, const char *what)
{
	snprintf(test->result, sizeof(test->result), "interrupts %d, errors %#x\n",
		 atomic_read(&test->errors), torus_read32(test->td, TORUS_PORT_ERRORS));
	torus_write32(test->td, TORUS_PORT_ENABLE, TORUS_PORT_STATUS_ERROR);
	return 0;
}

static const struct port_test_command port_test_commands[] = {
	{ "mistake", true, port_test_mistake },
	{ "exchange", true, port_test_exchange },
	{ "sync", true, port_test_sync },
	{ "interrupts", false, port_test_interrupts },
	{ "alone", false, port_test_alone },
	{ "moderation", false, port_test_moderation },
	{ "dcr", false, port_test_dcr },
	{ "errors", false, port_test_errors },
	{ "busy", false, port_test_busy },
	{ "idle", false, port_test_idle },
	{ "reset", false, port_test_reset },
	{ "neglect", false, port_test_neglect },
	{ "moderate", false, port_test_moderate },
	{ "poll", false, port_test_poll },
};

static int port_test_run(struct port_test *test, char *words)
{
	const char *name = strsep(&words, " "), *what = words ?: "";
	const struct port_test_command *command = port_test_commands;
	int err = 0;

	if (!test->peer)
		return -ENODEV;
	while (strcmp(name, command->name))
		if (++command == port_test_commands + ARRAY_SIZE(port_test_commands))
			return -EINVAL;
	if (command->rings)
		err = port_test_rings_start(test) ?: port_test_rings_start(test->peer);
	return err ?: command->run(test, what);
}

static ssize_t test_store(struct device *dev, struct device_attribute *attr, const char *buffer,
			  size_t length)
{
	struct port_test *test = dev_get_drvdata(dev);
	char *words = kstrndup(buffer, strcspn(buffer, "\n"), GFP_KERNEL);
	int err;

	if (!words)
		return -ENOMEM;
	mutex_lock(&port_test_lock);
	err = port_test_run(test, words);
	mutex_unlock(&port_test_lock);
	kfree(words);
	return err ?: length;
}

static ssize_t test_show(struct device *dev, struct device_attribute *attr, char *buffer)
{
	struct port_test *test = dev_get_drvdata(dev);
	ssize_t length;

	mutex_lock(&port_test_lock);
	length = sysfs_emit(buffer, "%s", test->result);
	mutex_unlock(&port_test_lock);
	return length;
}
static DEVICE_ATTR_RW(test);

static struct attribute *port_test_attrs[] = {
	&dev_attr_test.attr,
	NULL,
};
ATTRIBUTE_GROUPS(port_test);

static irqreturn_t port_test_fault(int irq, void *data)
{
	struct port_test *test = data;

	torus_write32(test->td, TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_FAULT);
	atomic_inc(&test->faults);
	return IRQ_HANDLED;
}

static irqreturn_t port_test_error(int irq, void *data)
{
	struct port_test *test = data;

	torus_write32(test->td, TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_ERROR);
	atomic_inc(&test->errors);
	return IRQ_HANDLED;
}

static void port_test_pair(struct port_test *test)
{
	mutex_lock(&port_test_lock);
	if (port_test_first) {
		test->peer = port_test_first;
		port_test_first->peer = test;
		port_test_first = NULL;
	} else {
		port_test_first = test;
	}
	mutex_unlock(&port_test_lock);
}

static void port_test_part(struct port_test *test)
{
	mutex_lock(&port_test_lock);
	if (test->peer)
		test->peer->peer = NULL;
	port_test_first = test->peer;
	mutex_unlock(&port_test_lock);
}

static void port_test_free(struct port_test *test)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(test->irq); i++)
		if (test->irq[i] > 0)
			free_irq(test->irq[i], test);
	port_test_rings_free(test);
	if (test->buffer)
		dma_free_coherent(torus_dma_device(test->td), PORT_TEST_PACKET, test->buffer,
				  test->buffer_at);
	if (test->pages)
		free_pages_exact(test->pages, 3 * PAGE_SIZE);
	kfree(test);
}

static int port_test_request(struct port_test *test, u32 cause, irq_handler_t handler, int *got)
{
	int irq = torus_device_irq(test->td, cause), err;

	if (irq < 0)
		return irq;
	err = request_irq(irq, handler, 0, "torus_port_test", test);
	if (!err)
		*got = irq;
	return err;
}

static int port_test_start(struct port_test *test)
{
	struct device *dma = torus_dma_device(test->td);

	if (dma_set_mask_and_coherent(dma, DMA_BIT_MASK(32)))
		return -EIO;
	test->pages = alloc_pages_exact(3 * PAGE_SIZE, GFP_KERNEL);
	test->buffer = dma_alloc_coherent(dma, PORT_TEST_PACKET, &test->buffer_at, GFP_KERNEL);
	if (!test->pages || !test->buffer)
		return -ENOMEM;
	return port_test_request(test, TORUS_PORT_CAUSE_FAULT, port_test_fault,
				 &test->irq[PORT_TEST_FAULT]) ?:
	       port_test_request(test, TORUS_PORT_CAUSE_ERROR, port_test_error,
				 &test->irq[PORT_TEST_ERROR]) ?:
	       port_test_request(test, TORUS_PORT_CAUSE_RECEIVE, port_test_received,
				 &test->irq[PORT_TEST_RECEIVE]);
}

static void port_test_stop(struct port_test *test)
{
	torus_write32(test->td, TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET);
	/* The rings are the device's until the bit is 0. A device that is gone accesses nothing. */
	port_test_wait(test, TORUS_PORT_CONTROL, 0);
	port_test_free(test);
}

static int port_test_probe(struct torus_device *td, const struct torus_device_id *id)
{
	struct port_test *test = kzalloc(sizeof(*test), GFP_KERNEL);
	int err;

	if (!test)
		return -ENOMEM;
	test->td = td;
	torus_set_drvdata(td, test);
	err = port_test_start(test);
	if (err) {
		port_test_stop(test);
		return err;
	}
	port_test_pair(test);
	return 0;
}

static void port_test_remove(struct torus_device *td)
{
	struct port_test *test = torus_get_drvdata(td);

	port_test_part(test);
	port_test_stop(test);
}

static struct torus_driver port_test_driver = {
	.driver = { .name = "torus_port_test", .dev_groups = port_test_groups },
	.probe = port_test_probe,
	.remove = port_test_remove,
};
module_torus_driver(port_test_driver);

MODULE_DESCRIPTION("Driver of the torus bus for selftests");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
