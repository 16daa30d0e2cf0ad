/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Devices of FIFO groups, as the host of the bus (torus_host.ko) sees them. All functions are
 * exported in the namespace TORUS_HOST.
 */
#ifndef TORUS_DEV_PORT_DEVICE_H
#define TORUS_DEV_PORT_DEVICE_H

#include <linux/types.h>

#include "core/error.h"
#include "core/port/port.h"
#include "dev/engine/port_slot.h"
#include "inject.h"

struct torus_engine;
struct torus_host_ops;
struct torus_lockstep;

/* Longest name of a device, with its NUL: FABRIC:x.y.z.a.b.c-GROUP. */
#define TORUS_PORT_DEVICE_NAME	96

/**
 * struct torus_port_device - a FIFO group that is reserved for a driver, and its port
 * @slot: the group, as the engine sees it
 * @engine: the engine, with a reference
 * @host: operations of the host
 * @owner: the host's device
 * @port: the port, from the bind of a driver to torus_port_device_destroy_port(); else NULL
 * @faults: injected faults
 * @lockstep: the driver in virtual time; NULL: no virtual time, or no driver is bound
 * @name: name of the device
 */
struct torus_port_device {
	struct torus_port_slot slot;
	struct torus_engine *engine;
	const struct torus_host_ops *host;
	void *owner;
	struct torus_port *port;
	struct torus_port_faults faults;
	struct torus_lockstep *lockstep;
	char name[TORUS_PORT_DEVICE_NAME];
};

/**
 * struct torus_host_ops - operations of the host
 * @add: put a device on the bus, and set @pd->owner; engine locked. If it succeeds the host owns
 *	@pd, and ends with torus_port_device_free(). No driver may be bound before @add returns,
 *	because bind() locks the engine
 * @unplug: the device is dead; remove it from the bus in a work item. Engine locked
 * @spurious: send @count interrupts without a cause at each line that the driver has requested;
 *	the device is bound, engine locked. Return: false if there is no such line
 * @interrupt: virtual time: send an interrupt that torus_port_device_hold_interrupt() has kept.
 *	Engine locked
 */
struct torus_host_ops {
	int (*add)(struct torus_port_device *pd, struct torus_error *why);
	void (*unplug)(void *owner);
	bool (*spurious)(void *owner, u32 count);
	void (*interrupt)(void *owner, u32 cause);
};

int torus_host_register(const struct torus_host_ops *ops);
void torus_host_unregister(void);

int torus_port_devices_switch(struct torus_engine *e, u32 node, const u32 *group, bool on,
			      struct torus_error *why);

int torus_port_device_bind(struct torus_port_device *pd, const struct torus_port_ops *ops,
			   const char *driver, struct torus_port **port);
void torus_port_device_unbind(struct torus_port_device *pd);
void torus_port_device_destroy_port(struct torus_port_device *pd);
void torus_port_device_unplug(struct torus_port_device *pd);
void torus_port_device_free(struct torus_port_device *pd);

#endif
