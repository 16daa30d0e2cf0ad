/* SPDX-License-Identifier: GPL-2.0 */
/* A node's FIFO group as a device that this host has put on the bus. */
#ifndef TORUS_HOST_NODE_H
#define TORUS_HOST_NODE_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/torus_bus.h>
#include <linux/workqueue.h>

#include "dev/port/device.h"
#include "dma_space.h"
#include "interrupt.h"
#include "moderation.h"

#define TORUS_HOST_DRIVER	32	/* longest name of a driver that is shown, with its NUL */

/**
 * struct torus_host_node - a device
 * @td: the device on the bus
 * @pd: the group, owned
 * @link: in the host's list; a lock of the host protects @link and @driver
 * @driver: name of the driver that has the device, or had it last
 * @remove: removes the device from the bus
 * @lock: admits one accessor of the port at a time; taken in any context
 * @port: the port of the bound driver, or NULL (@lock)
 * @interrupts: interrupts of the bound driver
 * @dma: memory that the bound driver has mapped
 * @moderation: delays of the bound driver's interrupts
 */
struct torus_host_node {
	struct torus_device td;
	struct torus_port_device *pd;
	struct list_head link;
	char driver[TORUS_HOST_DRIVER];
	struct work_struct remove;
	spinlock_t lock;	/* port, and its accessor */
	struct torus_port *port;
	struct torus_host_interrupts interrupts;
	struct torus_dma_space dma;
	struct torus_host_moderation moderation;
};

#define to_torus_host_node(d)	container_of(d, struct torus_host_node, td)

#endif
