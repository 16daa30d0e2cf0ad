// SPDX-License-Identifier: GPL-2.0
/*
 * torus_lab: watches a student's driver, and drives the nodes that send to it and receive from it.
 *
 * The driver "torus_lab" is bound to each device of a lab once. From then on the bus calls the
 * operations of this file, which record each access, run the hook, and call the host. Afterwards
 * the device of the student is bound to the student's driver. The others stay bound to torus_lab,
 * and the commands of command.c send and receive there.
 */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "node.h"

/* Protects the list. */
static DEFINE_SPINLOCK(lab_nodes_lock);
static LIST_HEAD(lab_nodes);

static struct lab_node *lab_node_of(struct torus_device *td)
{
	return container_of(td->ops, struct lab_node, ops);
}

u32 lab_node_read(struct lab_node *node, u32 offset)
{
	u32 value;

	if (READ_ONCE(node->td->dead) || node->host->read(node->td, offset, &value))
		return ~0u;
	return value;
}

void lab_node_write(struct lab_node *node, u32 offset, u32 value)
{
	if (!READ_ONCE(node->td->dead))
		node->host->write(node->td, offset, value);
}

/* ---------------------------------------------------------------------- injection ring */

#define HELD		BIT_ULL(32)	/* flag of lab_node.held, next to the value */
#define HOLD_MS		200

/*
 * The device sees TAIL when send() has returned, or some time later. So a driver that fills its
 * descriptor in too late loses only the rule about that, at which a hook does the opposite: the
 * points do not depend on who is faster.
 */
static void lab_hold_tail(struct lab_node *node, u32 value)
{
	atomic64_set(&node->held, HELD | value);
	schedule_delayed_work(&node->release, msecs_to_jiffies(HOLD_MS));
}

void lab_release_tail(struct lab_node *node)
{
	u64 held = atomic64_xchg(&node->held, 0);

	if (held)
		lab_node_write(node, TORUS_PORT_TAIL, lower_32_bits(held));
}

static void lab_release_work(struct work_struct *work)
{
	lab_release_tail(container_of(to_delayed_work(work), struct lab_node, release));
}

/* ------------------------------------------------------------- operations of a device */

static int lab_read(struct torus_device *td, u32 offset, u32 *value)
{
	struct lab_node *node = lab_node_of(td);
	int err = node->host->read(td, offset, value);

	if (err)
		return err;
	if (offset == READ_ONCE(node->fake))
		*value = node->fake_value;
	lab_record_add(node, false, offset, *value);
	lab_hook_run(node, LAB_READ, offset, *value);
	return 0;
}

static int lab_write(struct torus_device *td, u32 offset, u32 value)
{
	struct lab_node *node = lab_node_of(td);
	int err;

	lab_record_add(node, true, offset, value);
	lab_hook_run(node, LAB_WRITE, offset, value);
	if (offset == TORUS_PORT_TAIL && atomic_read(&node->hook.event) != LAB_WRITTEN) {
		lab_hold_tail(node, value);
		return 0;
	}
	err = node->host->write(td, offset, value);
	lab_hook_run(node, LAB_WRITTEN, offset, value);
	return err;
}

static int lab_bind(struct torus_device *td)
{
	struct lab_node *node = lab_node_of(td);

	memset(node->irq, 0, sizeof(node->irq));
	node->irqs_left = 0;
	return node->host->bind(td);
}

/* Free an interrupt that the driver has left, so that the computer survives. */
static void lab_free_irq(struct lab_node *node, int irq)
{
	struct irq_data *data = irq_get_irq_data(irq);

	while (data && irq_has_action(irq)) {
		node->irqs_left++;
		free_irq(irq, irq_data_to_desc(data)->action->dev_id);
	}
}

static void lab_unbind(struct torus_device *td)
{
	struct lab_node *node = lab_node_of(td);
	u32 i;

	/* A handler that is left accesses memory that the driver has freed. */
	for (i = 0; i < TORUS_PORT_CAUSES; i++)
		if (node->irq[i])
			lab_free_irq(node, node->irq[i]);
	cancel_delayed_work_sync(&node->release);
	atomic64_set(&node->held, 0);
	node->enabled_left = lab_node_read(node, TORUS_PORT_ENABLE);
	lab_hook_run(node, LAB_UNBIND, 0, 0);
	node->host->unbind(td);
}

static int lab_irq(struct torus_device *td, u32 cause)
{
	struct lab_node *node = lab_node_of(td);
	int irq;

	if (READ_ONCE(node->no_irq))
		return -ENOSPC;
	irq = node->host->irq(td, cause);
	if (irq > 0)
		node->irq[cause] = irq;
	return irq;
}

static void lab_release(struct torus_device *td)
{
	struct lab_node *node = lab_node_of(td);
	const struct torus_device_ops *host = node->host;

	spin_lock(&lab_nodes_lock);
	list_del(&node->link);
	spin_unlock(&lab_nodes_lock);
	kfree(node);
	host->release(td);
}

/* Let the bus call the operations of this file, and the host's where this file has none. */
static void lab_watch(struct lab_node *node)
{
	node->ops = *node->host;
	node->ops.read = lab_read;
	node->ops.write = lab_write;
	node->ops.bind = lab_bind;
	node->ops.unbind = lab_unbind;
	node->ops.irq = lab_irq;
	node->ops.release = lab_release;
}

/* ------------------------------------------------------------------------------- nodes */

/* Take a device into the lab; its driver is torus_lab. */
static int lab_probe(struct torus_device *td, const struct torus_device_id *id)
{
	struct lab_node *node;

	if (td->ops->read == lab_read)
		return 0;
	node = kzalloc(sizeof(*node), GFP_KERNEL);
	if (!node)
		return -ENOMEM;
	node->td = td;
	node->host = td->ops;
	lab_watch(node);
	init_rwsem(&node->attached);
	INIT_DELAYED_WORK(&node->release, lab_release_work);
	spin_lock(&lab_nodes_lock);
	list_add_tail(&node->link, &lab_nodes);
	spin_unlock(&lab_nodes_lock);
	/* Nothing but the bus accesses the device, and the bus is in this function. */
	WRITE_ONCE(td->ops, &node->ops);
	return 0;
}

/* Return: the node of a device's name, with a reference, or NULL. */
struct lab_node *lab_node_get(const char *name)
{
	struct lab_node *node, *found = NULL;

	spin_lock(&lab_nodes_lock);
	list_for_each_entry(node, &lab_nodes, link) {
		if (!strcmp(dev_name(&node->td->dev), name) &&
		    kobject_get_unless_zero(&node->td->dev.kobj)) {
			found = node;
			break;
		}
	}
	spin_unlock(&lab_nodes_lock);
	return found;
}

void lab_node_put(struct lab_node *node)
{
	if (node)
		put_device(&node->td->dev);
}

int torus_lab_attach(struct torus_device *td, const struct torus_lab_ops *ops)
{
	struct lab_node *node;

	if (td->ops->read != lab_read)
		return -ENODEV;
	node = lab_node_of(td);
	down_write(&node->attached);
	node->driver = ops;
	up_write(&node->attached);
	return 0;
}
EXPORT_SYMBOL_GPL(torus_lab_attach);

void torus_lab_detach(struct torus_device *td)
{
	struct lab_node *node = lab_node_of(td);

	if (td->ops->read != lab_read)
		return;
	down_write(&node->attached);
	node->driver = NULL;
	up_write(&node->attached);
}
EXPORT_SYMBOL_GPL(torus_lab_detach);

static struct torus_driver lab_driver = {
	.driver = { .name = "torus_lab" },
	.probe = lab_probe,
};

static int __init lab_init(void)
{
	int err = lab_commands_init();

	if (err)
		return err;
	err = torus_driver_register(&lab_driver);
	if (err)
		lab_commands_exit();
	return err;
}

static void __exit lab_exit(void)
{
	struct lab_node *node, *next;

	torus_driver_unregister(&lab_driver);
	lab_commands_exit();
	list_for_each_entry_safe(node, next, &lab_nodes, link) {
		WRITE_ONCE(node->td->ops, node->host);
		kfree(node);
	}
}

module_init(lab_init);
module_exit(lab_exit);

MODULE_DESCRIPTION("Watches a student's driver of the torus bus");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
