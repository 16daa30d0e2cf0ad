// SPDX-License-Identifier: GPL-2.0
/*
 * The bus "torus": which driver a device gets, and how it is bound.
 *
 * A driver binds to a device that its table names. If user space has written a driver's name into
 * the device's driver_override, only that driver binds, whatever its table says.
 */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/torus_bus.h>

#include "compat/bus_type.h"
#include "bus.h"

/* Protects driver_override of all devices. */
static DEFINE_SPINLOCK(torus_bus_override_lock);

/* Return: the entry of the driver's table for the device, or NULL. */
static const struct torus_device_id *torus_bus_id(const struct torus_driver *driver,
						  const struct torus_device *td)
{
	const struct torus_device_id *id = driver->id_table;

	for (; id && id->machine[0]; id++)
		if (!strcmp(id->machine, td->machine) &&
		    (id->group == TORUS_ANY_GROUP || id->group == td->group))
			return id;
	return NULL;
}

/* The driver core calls this without device_lock() when a driver is registered. */
static int torus_bus_match(struct device *dev, torus_match_driver *drv)
{
	struct torus_device *td = to_torus_device(dev);
	bool override, named;

	if (!READ_ONCE(td->ready))
		return 0;
	spin_lock(&torus_bus_override_lock);
	override = td->driver_override;
	named = override && !strcmp(td->driver_override, drv->name);
	spin_unlock(&torus_bus_override_lock);
	return override ? named : !!torus_bus_id(to_torus_driver(drv), td);
}

static void torus_bus_unbind(void *data)
{
	struct torus_device *td = data;

	td->ops->unbind(td);
}

/*
 * The device is unbound from its group by a devm action: the driver core releases devm resources in
 * reverse order, so those of the driver, such as interrupts, are released before.
 */
static int torus_bus_probe(struct device *dev)
{
	struct torus_driver *driver = to_torus_driver(dev->driver);
	struct torus_device *td = to_torus_device(dev);
	int err;

	if (READ_ONCE(td->dead))
		return -ENODEV;
	err = td->ops->bind(td);
	if (err)
		return err;
	err = devm_add_action_or_reset(dev, torus_bus_unbind, td);
	if (err)
		return err;
	err = driver->probe(td, torus_bus_id(driver, td));
	if (err)
		return err;
	err = td->ops->join(td);
	if (err && driver->remove)
		driver->remove(td);
	return err;
}

static void torus_bus_remove(struct device *dev)
{
	struct torus_driver *driver = to_torus_driver(dev->driver);
	struct torus_device *td = to_torus_device(dev);

	td->ops->leave(td);
	if (driver->remove)
		driver->remove(td);
}

static int torus_bus_uevent(torus_uevent_device *dev, struct kobj_uevent_env *env)
{
	const struct torus_device *td = container_of_const(dev, struct torus_device, dev);

	return add_uevent_var(env, "MODALIAS=torus:a%sg%u", td->machine, td->group);
}

static ssize_t modalias_show(struct device *dev, struct device_attribute *attr, char *buffer)
{
	const struct torus_device *td = to_torus_device(dev);

	return sysfs_emit(buffer, "torus:a%sg%u\n", td->machine, td->group);
}
static DEVICE_ATTR_RO(modalias);

static ssize_t driver_override_show(struct device *dev, struct device_attribute *attr,
				    char *buffer)
{
	const struct torus_device *td = to_torus_device(dev);
	ssize_t length;

	spin_lock(&torus_bus_override_lock);
	length = sysfs_emit(buffer, "%s\n", td->driver_override ?: "");
	spin_unlock(&torus_bus_override_lock);
	return length;
}

/* An empty line removes the name. */
static ssize_t driver_override_store(struct device *dev, struct device_attribute *attr,
				     const char *buffer, size_t length)
{
	struct torus_device *td = to_torus_device(dev);
	const char *old;
	char *name;

	if (length >= PAGE_SIZE - 1)
		return -EINVAL;
	name = kstrndup(buffer, strcspn(buffer, "\n"), GFP_KERNEL);
	if (!name)
		return -ENOMEM;
	if (!*name) {
		kfree(name);
		name = NULL;
	}
	spin_lock(&torus_bus_override_lock);
	old = td->driver_override;
	td->driver_override = name;
	spin_unlock(&torus_bus_override_lock);
	kfree(old);
	return length;
}
static DEVICE_ATTR_RW(driver_override);

static struct attribute *torus_device_attrs[] = {
	&dev_attr_modalias.attr,
	&dev_attr_driver_override.attr,
	NULL,
};
ATTRIBUTE_GROUPS(torus_device);

struct bus_type torus_bus_type = {
	.name = "torus",
	.match = torus_bus_match,
	.probe = torus_bus_probe,
	.remove = torus_bus_remove,
	.uevent = torus_bus_uevent,
	.dev_groups = torus_device_groups,
};

/**
 * __torus_driver_register() - register a driver of the bus
 * @driver: the driver, valid until torus_driver_unregister()
 * @owner: module of the driver
 *
 * Devices that match are bound before it returns. Drivers call torus_driver_register().
 *
 * Return: 0; -EINVAL without a name or probe(); -EBUSY if a driver of this name is registered; or
 * another error of driver_register().
 */
int __torus_driver_register(struct torus_driver *driver, struct module *owner)
{
	if (!driver->driver.name || !driver->probe)
		return -EINVAL;
	driver->driver.bus = &torus_bus_type;
	driver->driver.owner = owner;
	return driver_register(&driver->driver);
}
EXPORT_SYMBOL_NS_GPL(__torus_driver_register, TORUS_BUS);

/**
 * torus_driver_unregister() - unbind a driver from all its devices, and forget it
 * @driver: the driver
 */
void torus_driver_unregister(struct torus_driver *driver)
{
	driver_unregister(&driver->driver);
}
EXPORT_SYMBOL_NS_GPL(torus_driver_unregister, TORUS_BUS);

static int __init torus_bus_init(void)
{
	return bus_register(&torus_bus_type);
}

static void __exit torus_bus_exit(void)
{
	/* The task that has freed the last device may still be in torus_device_release(). */
	synchronize_rcu();
	bus_unregister(&torus_bus_type);
}

module_init(torus_bus_init);
module_exit(torus_bus_exit);

MODULE_DESCRIPTION("Bus of the nodes of torus networks, for their drivers");
MODULE_LICENSE("GPL");
