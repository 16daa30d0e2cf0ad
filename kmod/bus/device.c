// SPDX-License-Identifier: GPL-2.0
/* Devices of the bus: how hosts add and remove them, and how drivers access their registers. */
#include <linux/device.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/torus_bus.h>
#include <linux/wait.h>

#include "bus.h"

/* Hosts wait here for the end of their devices. It is not a host's, which may be freed by then. */
static DECLARE_WAIT_QUEUE_HEAD(torus_bus_freed);

static void torus_device_release(struct device *dev)
{
	struct torus_device *td = to_torus_device(dev);
	torus_bus_count *count = td->ops->count;

	kfree(td->driver_override);
	td->driver_override = NULL;
	td->ops->release(td);
	/* After the host's function has returned: its module may be freed from now on. */
	if (atomic_dec_and_test(count))
		wake_up_all(&torus_bus_freed);
}

/**
 * torus_bus_wait() - wait until the last device of a host is freed
 * @count: the host's count
 *
 * A host calls it after it has removed its devices, before its module is freed.
 */
void torus_bus_wait(torus_bus_count *count)
{
	wait_event(torus_bus_freed, !atomic_read(count));
}
EXPORT_SYMBOL_NS_GPL(torus_bus_wait, TORUS_BUS);

static void torus_device_attach(struct work_struct *work)
{
	struct torus_device *td = container_of(work, struct torus_device, attach);

	if (device_attach(&td->dev) < 0)
		dev_dbg(&td->dev, "no driver was bound\n");
}

/**
 * torus_device_init() - initialize a device
 * @td: the device, zeroed, with machine and group set
 * @ops: operations of the host
 *
 * Call put_device() after this, never kfree(): @ops->release frees the device. The host sets the
 * name (dev_set_name()) before torus_device_add().
 */
void torus_device_init(struct torus_device *td, const struct torus_device_ops *ops)
{
	td->ops = ops;
	atomic_inc(ops->count);
	device_initialize(&td->dev);
	td->dev.bus = &torus_bus_type;
	td->dev.release = torus_device_release;
	INIT_WORK(&td->attach, torus_device_attach);
}
EXPORT_SYMBOL_NS_GPL(torus_device_init, TORUS_BUS);

/**
 * torus_device_add() - put a device on the bus
 * @td: an initialized device with a name
 *
 * A work item binds a driver afterwards, so the caller may have locks that bind() or a driver's
 * probe() takes.
 *
 * Return: 0; -EEXIST if there is a device of this name; or another error of device_add(). The
 * caller calls put_device() on an error.
 */
int torus_device_add(struct torus_device *td)
{
	int err = device_add(&td->dev);

	if (err)
		return err;
	WRITE_ONCE(td->ready, true);
	queue_work(system_unbound_wq, &td->attach);
	return 0;
}
EXPORT_SYMBOL_NS_GPL(torus_device_add, TORUS_BUS);

/**
 * torus_device_kill() - take the node away from its driver at once
 * @td: the device; any context
 *
 * From now on registers read as all ones, and writes have no effect. No driver binds any more. The
 * device stays on the bus until torus_device_remove().
 */
void torus_device_kill(struct torus_device *td)
{
	WRITE_ONCE(td->dead, true);
}
EXPORT_SYMBOL_NS_GPL(torus_device_kill, TORUS_BUS);

/**
 * torus_device_remove() - remove a device from the bus
 * @td: the device
 *
 * Waits until its driver's remove() has returned, so callers that must not wait for a driver call
 * it in a work item. It drops the reference of torus_device_init().
 */
void torus_device_remove(struct torus_device *td)
{
	torus_device_kill(td);
	cancel_work_sync(&td->attach);
	device_unregister(&td->dev);
}
EXPORT_SYMBOL_NS_GPL(torus_device_remove, TORUS_BUS);

/**
 * torus_read32() - read a register of a node
 * @td: the device; any context
 * @offset: offset of the register; see <linux/torus_port.h>
 *
 * Return: the value; all ones if the access fails, for instance because there is no such register,
 * the FIFO is empty, or the node has been taken away.
 */
u32 torus_read32(struct torus_device *td, u32 offset)
{
	u32 value;

	if (READ_ONCE(td->dead) || td->ops->read(td, offset, &value))
		return ~0u;
	return value;
}
EXPORT_SYMBOL_NS_GPL(torus_read32, TORUS_BUS);

/**
 * torus_write32_quiet() - write a register of a node for a guest, whose mistakes are not reported
 * @td: the device; any context
 * @offset: offset of the register; see <linux/torus_port.h>
 * @value: the value
 *
 * Return: 0; -ENODEV if the node has been taken away; or an error of <linux/torus_port.h>: the
 * write had no effect.
 */
int torus_write32_quiet(struct torus_device *td, u32 offset, u32 value)
{
	return READ_ONCE(td->dead) ? -ENODEV : td->ops->write(td, offset, value);
}
EXPORT_SYMBOL_NS_GPL(torus_write32_quiet, TORUS_BUS);

/**
 * torus_write32() - write a register of a node
 * @td: the device; any context
 * @offset: offset of the register; see <linux/torus_port.h>
 * @value: the value
 *
 * A write to a register that is absent or read-only, or of a value that the register cannot have,
 * has no effect and is reported in the log. Other errors of <linux/torus_port.h> are not reported.
 */
void torus_write32(struct torus_device *td, u32 offset, u32 value)
{
	int err = torus_write32_quiet(td, offset, value);

	if (err == -ERANGE || err == -EIO)
		dev_warn_ratelimited(&td->dev, "write of %#x to %#x: %s\n", value, offset,
				     err == -ERANGE ? "a value that the register cannot have" :
				     "no register that can be written");
}
EXPORT_SYMBOL_NS_GPL(torus_write32, TORUS_BUS);

/**
 * torus_device_irq() - the interrupt of a cause
 * @td: a bound device
 * @cause: number of the cause's bit; see <linux/torus_port.h>
 *
 * May sleep. The interrupt exists until the driver is unbound.
 *
 * Return: Linux's number for request_irq(); -EINVAL if there is no such cause, -ENODEV if the node
 * has been taken away, or another negative errno.
 */
int torus_device_irq(struct torus_device *td, u32 cause)
{
	if (READ_ONCE(td->dead))
		return -ENODEV;
	return td->ops->irq(td, cause);
}
EXPORT_SYMBOL_NS_GPL(torus_device_irq, TORUS_BUS);

/**
 * torus_busy() - begin an episode, or continue the one in progress
 * @td: a bound device; any context
 *
 * In virtual time, an episode holds the fabric at the tick where it began. Each torus_busy() holds
 * it until torus_idle() is called. A handler that does more after it has acknowledged its cause
 * calls torus_busy() first. Without virtual time it has no effect.
 */
void torus_busy(struct torus_device *td)
{
	td->ops->busy(td);
}
EXPORT_SYMBOL_NS_GPL(torus_busy, TORUS_BUS);

/**
 * torus_idle() - end what torus_busy() has begun
 * @td: a bound device; any context
 *
 * The episode ends when each torus_busy() has had its torus_idle(), and each cause whose interrupt
 * was sent is acknowledged and enabled. The time of the accesses then passes. A reset of the port
 * ends an episode, too; torus_idle() then has no effect.
 */
void torus_idle(struct torus_device *td)
{
	td->ops->idle(td);
}
EXPORT_SYMBOL_NS_GPL(torus_idle, TORUS_BUS);

/**
 * torus_wait() - end an episode, let its time pass, and begin the next one
 * @td: a bound device; may sleep
 *
 * For loops that poll registers or memory, as their first call and in each round. If the caller has
 * called torus_busy() it gives this up. It is busy when torus_wait() returns 0, until torus_idle()
 * or the next torus_wait(). Between two waits at least a tick passes. Until probe() has returned,
 * torus_wait() waits for that, so a thread may call it, but not probe(). Without virtual time, and
 * after the driver was unbound, only other tasks get the processor.
 *
 * Return: 0; -EINTR if the task was killed, or if it is a kernel thread that shall stop: the caller
 * is not busy any more.
 */
int torus_wait(struct torus_device *td)
{
	return td->ops->wait(td);
}
EXPORT_SYMBOL_NS_GPL(torus_wait, TORUS_BUS);

/**
 * torus_device_set_guest() - let a device access the memory of a guest, in place of DMA mappings
 * @td: a bound device; may sleep
 * @access: copies from and to the guest's memory; NULL: the guest is gone
 * @owner: argument of @access
 *
 * When it returns, the function that was set before is not running, and is not called any more.
 *
 * Return: 0; -EOPNOTSUPP on a fabric in virtual time, in which guests cannot take part.
 */
int torus_device_set_guest(struct torus_device *td, torus_guest_access access, void *owner)
{
	return td->ops->guest(td, access, owner);
}
EXPORT_SYMBOL_NS_GPL(torus_device_set_guest, TORUS_BUS);

/**
 * torus_device_get_host() - keep the host's module loaded while a guest has a device
 * @td: a bound device
 *
 * The device may still be taken away with its fabric.
 *
 * Return: false if the module is being removed.
 */
bool torus_device_get_host(struct torus_device *td)
{
	return try_module_get(td->ops->module);
}
EXPORT_SYMBOL_NS_GPL(torus_device_get_host, TORUS_BUS);

/**
 * torus_device_put_host() - undo torus_device_get_host()
 * @td: the device, bound
 */
void torus_device_put_host(struct torus_device *td)
{
	module_put(td->ops->module);
}
EXPORT_SYMBOL_NS_GPL(torus_device_put_host, TORUS_BUS);
