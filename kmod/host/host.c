// SPDX-License-Identifier: GPL-2.0
/*
 * torus_host.ko puts FIFO groups of simulated nodes on the bus (`torusctl node set F NODES driver
 * on`), and implements the devices' registers and interrupts by ports of the core.
 *
 * A device ends in three steps: torus.ko declares it dead (the port is detached, registers read as
 * all ones), a work item removes it from the bus, which waits for the driver's remove(), and the
 * last reference frees it. Removing the module does the first step for all devices, and waits for
 * the last step of each.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "core/port/causes.h"
#include "core/port/registers.h"
#include "dev/base/pages.h"
#include "dev/engine/engine.h"
#include "dev/port/driver.h"
#include "compat/dma_ops.h"
#include "dma_ops.h"
#include "machine_regmap.h"
#include "node.h"

/*
 * All devices that are not freed yet. The mutex may be acquired with an engine locked; no lock is
 * acquired below it.
 */
static DEFINE_MUTEX(torus_host_nodes_lock);
static LIST_HEAD(torus_host_nodes);
/* Devices that are not freed yet. */
static torus_bus_count torus_host_count = ATOMIC_INIT(0);
static struct workqueue_struct *torus_host_queue;

/* --------------------------------------------------------- operations of the port */

static void torus_host_send(void *owner, u32 cause)
{
	struct torus_host_node *node = owner;

	torus_port_device_sent_interrupt(node->pd, cause);
	torus_host_interrupt_send(&node->interrupts, cause);
}

/* In virtual time, an interrupt waits until the driver's clock is there: see torus_host_send(). */
static void torus_host_deliver(void *owner, u32 cause)
{
	struct torus_host_node *node = owner;

	if (!torus_port_device_hold_interrupt(node->pd, cause))
		torus_host_send(node, cause);
}

/* Until the driver has installed a handler, the line keeps the interrupt. */
static void torus_host_port_interrupt(void *owner, u32 cause)
{
	struct torus_host_node *node = owner;

	if (torus_port_fault_occurs(&node->pd->faults.irq_lost))
		return;
	torus_port_device_interrupted(node->pd, cause);
	if (!torus_host_interrupt_keep(&node->interrupts, cause))
		torus_host_deliver(node, cause);
}

static void torus_host_line_freed(void *owner, u32 cause)
{
	struct torus_host_node *node = owner;

	torus_port_device_release_interrupt(node->pd, cause);
}

static const struct torus_host_line_ops torus_host_line_ops = {
	.deliver = torus_host_deliver,
	.freed = torus_host_line_freed,
};

static void torus_host_port_poll(void *owner)
{
	struct torus_host_node *node = owner;

	torus_port_device_request_poll(node->pd);
}

static bool torus_host_port_offer(void *owner, u32 queue, u32 tail)
{
	struct torus_host_node *node = owner;

	return torus_port_device_offer(node->pd, queue, tail);
}

static void torus_host_port_delay(void *owner, u32 cause, u32 microseconds)
{
	struct torus_host_node *node = owner;

	if (!torus_port_device_delay(node->pd, cause, microseconds))
		torus_host_moderation_delay(node, cause, microseconds);
}

static bool torus_host_dma_access(struct torus_host_node *node, u64 address, void *bytes,
				  u32 count, bool write)
{
	return !torus_port_fault_occurs(&node->pd->faults.dma_fault) &&
	       torus_dma_access(&node->dma, &node->td.dev, address, bytes, count, write);
}

static bool torus_host_port_dma_read(void *owner, u64 address, void *to, u32 bytes)
{
	return torus_host_dma_access(owner, address, to, bytes, false);
}

static bool torus_host_port_dma_write(void *owner, u64 address, const void *from, u32 bytes)
{
	return torus_host_dma_access(owner, address, (void *)from, bytes, true);
}

/* The register FEATURES shows which operations are absent. */
static const struct torus_port_ops torus_host_port_ops = {
	.interrupt = torus_host_port_interrupt,
	.poll = torus_host_port_poll,
	.offer = torus_host_port_offer,
	.delay = torus_host_port_delay,
	.dma_read = TORUS_HAS_DMA_OPS ? torus_host_port_dma_read : NULL,
	.dma_write = TORUS_HAS_DMA_OPS ? torus_host_port_dma_write : NULL,
};

/* ------------------------------------------------------- operations of the device */

/*
 * Access a register of the port. The machine's own registers need the lock of the fabric: only the
 * regmap reaches them. The port records an access that cannot return its error to the driver.
 */
static int torus_host_access(struct torus_device *td, u32 offset, u32 *value, bool write)
{
	struct torus_host_node *node = to_torus_host_node(td);
	unsigned long flags;
	u64 tick = 0;
	int err;

	spin_lock_irqsave(&node->lock, flags);
	if (node->port)
		tick = torus_port_device_access(node->pd, offset, write);
	if (!node->port)
		err = -ENODEV;
	else if (offset < TORUS_PORT_MACHINE_BYTES)
		err = -EIO;
	else
		err = write ? torus_port_write(node->port, offset, *value) :
			      torus_port_read(node->port, offset, value);
	if (!err)
		torus_port_device_accessed(node->pd, offset, *value, write, tick);
	if (err == -EIO || err == -ERANGE)
		torus_port_access_failed(node->port);
	spin_unlock_irqrestore(&node->lock, flags);
	return err;
}

static int torus_host_read(struct torus_device *td, u32 offset, u32 *value)
{
	return torus_host_access(td, offset, value, false);
}

static int torus_host_write(struct torus_device *td, u32 offset, u32 value)
{
	return torus_host_access(td, offset, &value, true);
}

static void torus_host_unbind(struct torus_device *td)
{
	struct torus_host_node *node = to_torus_host_node(td);
	unsigned long flags;

	torus_port_device_unbind(node->pd);
	spin_lock_irqsave(&node->lock, flags);
	node->port = NULL;
	spin_unlock_irqrestore(&node->lock, flags);
	torus_host_moderation_stop(node);
	torus_host_dma_unbind(node);
	torus_host_interrupts_destroy(&node->interrupts);
	torus_port_device_destroy_port(node->pd);
}

static int torus_host_bind(struct torus_device *td)
{
	struct torus_host_node *node = to_torus_host_node(td);
	struct torus_port *port;
	unsigned long flags;
	int err;

	mutex_lock(&torus_host_nodes_lock);
	strscpy(node->driver, td->dev.driver->name, sizeof(node->driver));
	mutex_unlock(&torus_host_nodes_lock);
	err = torus_host_interrupts_create(&node->interrupts, node->pd->name, &torus_host_line_ops,
					   node);
	if (err)
		return err;
	torus_host_dma_bind(node);
	err = torus_port_device_bind(node->pd, &torus_host_port_ops, td->dev.driver->name, &port);
	if (err) {
		torus_host_dma_unbind(node);
		torus_host_interrupts_destroy(&node->interrupts);
		return err;
	}
	spin_lock_irqsave(&node->lock, flags);
	node->port = port;
	spin_unlock_irqrestore(&node->lock, flags);
	err = torus_host_regmap_create(node);
	if (err)
		torus_host_unbind(td);
	return err;
}

static int torus_host_join(struct torus_device *td)
{
	return torus_port_device_join(to_torus_host_node(td)->pd);
}

static void torus_host_leave(struct torus_device *td)
{
	torus_port_device_leave(to_torus_host_node(td)->pd);
}

static void torus_host_busy(struct torus_device *td)
{
	torus_port_device_busy(to_torus_host_node(td)->pd);
}

static void torus_host_idle(struct torus_device *td)
{
	torus_port_device_idle(to_torus_host_node(td)->pd);
}

static int torus_host_wait(struct torus_device *td)
{
	return torus_port_device_wait(to_torus_host_node(td)->pd);
}

static int torus_host_irq(struct torus_device *td, u32 cause)
{
	return torus_host_interrupt_request(&to_torus_host_node(td)->interrupts, cause);
}

static int torus_host_guest(struct torus_device *td, torus_guest_access access, void *owner)
{
	struct torus_host_node *node = to_torus_host_node(td);

	/* An episode of a guest would last as long as the guest likes. */
	if (access && node->pd->lockstep)
		return -EOPNOTSUPP;
	torus_dma_space_set_guest(&node->dma, access, owner);
	return 0;
}

static void torus_host_release(struct torus_device *td)
{
	struct torus_host_node *node = to_torus_host_node(td);

	/* NULL: torus_host_add() has failed. */
	if (node->pd) {
		mutex_lock(&torus_host_nodes_lock);
		list_del(&node->link);
		mutex_unlock(&torus_host_nodes_lock);
		torus_port_device_free(node->pd);
	}
	kfree(node);
}

static const struct torus_device_ops torus_host_device_ops = {
	.read = torus_host_read,
	.write = torus_host_write,
	.bind = torus_host_bind,
	.unbind = torus_host_unbind,
	.join = torus_host_join,
	.leave = torus_host_leave,
	.busy = torus_host_busy,
	.idle = torus_host_idle,
	.wait = torus_host_wait,
	.irq = torus_host_irq,
	.guest = torus_host_guest,
	.release = torus_host_release,
	.count = &torus_host_count,
	.module = THIS_MODULE,
};

/* ---------------------------------------------------------- operations of the host */

static void torus_host_remove_work(struct work_struct *work)
{
	torus_device_remove(&container_of(work, struct torus_host_node, remove)->td);
}

/* Check that no device of an earlier fabric with this name is still being removed. */
static int torus_host_check_name(const char *name, struct torus_error *why)
{
	const struct torus_host_node *node;
	int err = 0;

	mutex_lock(&torus_host_nodes_lock);
	list_for_each_entry(node, &torus_host_nodes, link) {
		if (strcmp(node->pd->name, name))
			continue;
		err = torus_fail(why, EBUSY, "device %s is still being removed%s%s", name,
				 *node->driver ? " from driver " : "", node->driver);
	}
	mutex_unlock(&torus_host_nodes_lock);
	return err;
}

static int torus_host_add(struct torus_port_device *pd, struct torus_error *why)
{
	struct torus_host_node *node;
	int err = torus_host_check_name(pd->name, why);

	if (err)
		return err;
	node = kzalloc(sizeof(*node), TORUS_GFP_USER);
	if (!node)
		return torus_fail(why, ENOMEM, "no memory for a device");
	node->pd = pd;
	pd->owner = node;
	spin_lock_init(&node->lock);
	torus_dma_space_init(&node->dma);
	torus_host_moderation_init(node);
	INIT_WORK(&node->remove, torus_host_remove_work);
	strscpy(node->td.machine, pd->engine->arch->name, sizeof(node->td.machine));
	node->td.group = pd->slot.client.group;
	torus_device_init(&node->td, &torus_host_device_ops);
	err = dev_set_name(&node->td.dev, "%s", pd->name) ?: torus_device_add(&node->td);
	if (err) {
		node->pd = NULL;
		put_device(&node->td.dev);
		return torus_fail(why, -err, "%s: the bus rejects the device", pd->name);
	}
	mutex_lock(&torus_host_nodes_lock);
	list_add_tail(&node->link, &torus_host_nodes);
	mutex_unlock(&torus_host_nodes_lock);
	return 0;
}

static void torus_host_unplug(void *owner)
{
	struct torus_host_node *node = owner;

	/* In one step: torus_host_exit() finds a device alive, or its work in the queue. */
	mutex_lock(&torus_host_nodes_lock);
	torus_device_kill(&node->td);
	queue_work(torus_host_queue, &node->remove);
	mutex_unlock(&torus_host_nodes_lock);
}

static bool torus_host_spurious(void *owner, u32 count)
{
	struct torus_host_node *node = owner;

	return torus_host_interrupt_send_spurious(&node->interrupts, count);
}

static const struct torus_host_ops torus_host_ops = {
	.add = torus_host_add,
	.unplug = torus_host_unplug,
	.spurious = torus_host_spurious,
	.interrupt = torus_host_send,
};

/* Return: a device that is still on the bus, with a reference, or NULL. */
static struct torus_host_node *torus_host_next(void)
{
	struct torus_host_node *node, *found = NULL;

	mutex_lock(&torus_host_nodes_lock);
	list_for_each_entry(node, &torus_host_nodes, link) {
		if (!READ_ONCE(node->td.dead)) {
			get_device(&node->td.dev);
			found = node;
			break;
		}
	}
	mutex_unlock(&torus_host_nodes_lock);
	return found;
}

static int __init torus_host_init(void)
{
	int err;

	torus_host_queue = alloc_workqueue("torus_host", WQ_UNBOUND, 0);
	if (!torus_host_queue)
		return -ENOMEM;
	err = torus_host_register(&torus_host_ops);
	if (err)
		destroy_workqueue(torus_host_queue);
	return err;
}

static void __exit torus_host_exit(void)
{
	struct torus_host_node *node;

	torus_host_unregister();
	while ((node = torus_host_next())) {
		torus_port_device_unplug(node->pd);
		put_device(&node->td.dev);
	}
	/* The queue's last work has removed the last device; others may have references to it. */
	destroy_workqueue(torus_host_queue);
	torus_bus_wait(&torus_host_count);
}

module_init(torus_host_init);
module_exit(torus_host_exit);

MODULE_DESCRIPTION("Host of the torus bus: nodes of simulated networks as devices");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
MODULE_IMPORT_NS(TORUS_HOST);
