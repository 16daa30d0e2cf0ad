/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bus of a torus network's nodes: /sys/bus/torus. A device on it is a FIFO group of a node.
 *
 * A driver names the devices that it can drive (struct torus_device_id), registers itself, and
 * accesses the registers of <linux/torus_port.h> with torus_read32() and torus_write32(). The bus
 * knows no simulator: a host (torus_host.ko) adds the devices and implements their registers and
 * interrupts.
 *
 * All functions are exported in the namespace TORUS_BUS: a driver has
 * MODULE_IMPORT_NS(TORUS_BUS).
 */
#ifndef _LINUX_TORUS_BUS_H
#define _LINUX_TORUS_BUS_H

#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/module.h>
#include <linux/types.h>
#include <linux/workqueue.h>

/* Longest name of a machine, with its NUL. */
#define TORUS_BUS_MACHINE	8
/* struct torus_device_id: any FIFO group. */
#define TORUS_ANY_GROUP		(~0u)

/* A module that drives the nodes of a machine ("bgl", "xt" or "tofu") is loaded for them. */
#define TORUS_ALIAS(machine)	MODULE_ALIAS("torus:a" machine "g*")

struct torus_device;

/*
 * Copy @bytes bytes, at most a packet, between @buffer and the memory of a guest: to the memory if
 * @write is true. @address is the DMA address that the guest has written into a register or
 * descriptor, @owner an argument of torus_device_set_guest(). Return: true if all bytes were
 * copied; false if none was, which is a DMA fault.
 *
 * The thread that runs the fabric calls this with interrupts off and a spinlock locked.
 */
typedef bool (*torus_guest_access)(void *owner, u64 address, void *buffer, u32 bytes, bool write);

/* Number of devices of a host that are not freed yet: see torus_bus_wait(). */
typedef atomic_t torus_bus_count;

/**
 * struct torus_device_id - devices that a driver can drive
 * @machine: name of the machine; empty in the last entry of a table
 * @group: FIFO group of the node, or TORUS_ANY_GROUP
 * @driver_data: for the driver
 */
struct torus_device_id {
	char machine[TORUS_BUS_MACHINE];
	u32 group;
	unsigned long driver_data;
};

/**
 * struct torus_device_ops - operations of the host of a device
 * @read: read a register; 0, or a negative errno as in <linux/torus_port.h>: -EIO if there is none
 *	at @offset. Any context
 * @write: write a register; 0, or a negative errno as in <linux/torus_port.h>: -ERANGE for a value
 *	that the register cannot have, -EIO for a register that is read-only or absent. Any context
 * @bind: before the driver's probe(): take the node's FIFO group, and create interrupts. May
 *	sleep. Return: 0, or a negative errno: the driver is not bound
 * @unbind: undo @bind, after the driver's remove() or a probe() that failed, and after the
 *	resources that the driver manages by devm functions were released. May sleep
 * @join: the driver's probe() has returned: it takes part in virtual time. May sleep. Return: 0,
 *	or a negative errno: the driver is removed again
 * @leave: the driver's remove() is about to be called: it takes no part any more. May sleep
 * @busy: torus_busy(); any context
 * @idle: torus_idle(); any context
 * @wait: torus_wait(); may sleep
 * @irq: Linux's number of the interrupt of a cause; may sleep. A negative errno if there is none
 * @guest: torus_device_set_guest()
 * @release: free the device: its last reference is gone
 * @count: number of the host's devices; a host that is removed waits until it is 0
 * @module: the host's module
 */
struct torus_device_ops {
	int (*read)(struct torus_device *td, u32 offset, u32 *value);
	int (*write)(struct torus_device *td, u32 offset, u32 value);
	int (*bind)(struct torus_device *td);
	void (*unbind)(struct torus_device *td);
	int (*join)(struct torus_device *td);
	void (*leave)(struct torus_device *td);
	void (*busy)(struct torus_device *td);
	void (*idle)(struct torus_device *td);
	int (*wait)(struct torus_device *td);
	int (*irq)(struct torus_device *td, u32 cause);
	int (*guest)(struct torus_device *td, torus_guest_access access, void *owner);
	void (*release)(struct torus_device *td);
	torus_bus_count *count;
	struct module *module;
};

/**
 * struct torus_device - a FIFO group of a node, on the bus
 * @dev: the device
 * @ops: operations of the host
 * @machine: name of the machine
 * @group: FIFO group
 * @driver_override: name of the only driver that may bind, or NULL; a lock of the bus
 *	protects it
 * @dead: the node has been taken away: registers read as all ones, writes have no effect
 * @ready: drivers may bind: the device is on the bus
 * @attach: binds the first driver
 *
 * The members before @driver_override are constant after torus_device_add().
 */
struct torus_device {
	struct device dev;
	const struct torus_device_ops *ops;
	char machine[TORUS_BUS_MACHINE];
	u32 group;
	const char *driver_override;
	bool dead;
	bool ready;
	struct work_struct attach;
};

/**
 * struct torus_driver - a driver of the bus
 * @driver: the driver core's part; @driver.name must be set
 * @id_table: devices that the driver can drive, ended by an entry without a machine. NULL: the
 *	driver binds only to devices whose driver_override names it
 * @probe: bind to a device; @id is its entry in @id_table, or NULL. May sleep
 * @remove: give up a device, which may already be dead. May sleep. NULL: nothing to give up
 */
struct torus_driver {
	struct device_driver driver;
	const struct torus_device_id *id_table;
	int (*probe)(struct torus_device *td, const struct torus_device_id *id);
	void (*remove)(struct torus_device *td);
};

#define to_torus_device(d)	container_of(d, struct torus_device, dev)
#define to_torus_driver(d)	container_of_const(d, struct torus_driver, driver)

int __torus_driver_register(struct torus_driver *driver, struct module *owner);
void torus_driver_unregister(struct torus_driver *driver);

#define torus_driver_register(driver)	__torus_driver_register(driver, THIS_MODULE)
#define module_torus_driver(driver) \
	module_driver(driver, torus_driver_register, torus_driver_unregister)

u32 torus_read32(struct torus_device *td, u32 offset);
void torus_write32(struct torus_device *td, u32 offset, u32 value);
int torus_device_irq(struct torus_device *td, u32 cause);
void torus_busy(struct torus_device *td);
void torus_idle(struct torus_device *td);
int torus_wait(struct torus_device *td);

/* The device for which a driver maps memory: dma_map_single(torus_dma_device(td), ..). */
static inline struct device *torus_dma_device(struct torus_device *td)
{
	return &td->dev;
}

static inline void *torus_get_drvdata(const struct torus_device *td)
{
	return dev_get_drvdata(&td->dev);
}

static inline void torus_set_drvdata(struct torus_device *td, void *data)
{
	dev_set_drvdata(&td->dev, data);
}

/* For drivers that hand their device to a guest or to a program in user space. */
int torus_device_set_guest(struct torus_device *td, torus_guest_access access, void *owner);
bool torus_device_get_host(struct torus_device *td);
void torus_device_put_host(struct torus_device *td);
int torus_write32_quiet(struct torus_device *td, u32 offset, u32 value);

/* For hosts. */
void torus_device_init(struct torus_device *td, const struct torus_device_ops *ops);
int torus_device_add(struct torus_device *td);
void torus_device_kill(struct torus_device *td);
void torus_device_remove(struct torus_device *td);
void torus_bus_wait(torus_bus_count *count);

#endif
