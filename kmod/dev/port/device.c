// SPDX-License-Identifier: GPL-2.0
/*
 * Devices of FIFO groups: `torusctl node set F NODES driver on|off`.
 *
 * A device reserves its group for a driver. The port exists only while a driver is bound. The
 * device ends when it is switched off, when the fabric is deleted, or when the host module is
 * removed. None of these waits for the driver: the port is detached at once, so that registers read
 * as all ones, and the host removes the device later. Until then no second device gets its name.
 */
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/net_namespace.h>

#include "core/base/node_number.h"
#include "core/link/dead_node.h"
#include "core/nic/group.h"
#include "core/port/causes.h"
#include "dev/base/memory_limit.h"
#include "dev/base/pages.h"
#include "dev/engine/engine.h"
#include "dev/engine/engine_lifecycle.h"
#include "device.h"
#include "lockstep.h"

/* ------------------------------------------------------------------ the host */

/* Protects torus_host; acquired with an engine locked. */
static DEFINE_MUTEX(torus_host_lock);
static const struct torus_host_ops *torus_host;

/**
 * torus_host_register() - register the host of the bus
 * @ops: its operations, valid until torus_host_unregister()
 *
 * Return: 0, or -EBUSY if there is a host.
 */
int torus_host_register(const struct torus_host_ops *ops)
{
	int err = 0;

	mutex_lock(&torus_host_lock);
	if (torus_host)
		err = -EBUSY;
	else
		torus_host = ops;
	mutex_unlock(&torus_host_lock);
	return err;
}
EXPORT_SYMBOL_NS_GPL(torus_host_register, TORUS_HOST);

/**
 * torus_host_unregister() - forget the host: from now on no device is added
 *
 * The host then removes its devices.
 */
void torus_host_unregister(void)
{
	mutex_lock(&torus_host_lock);
	torus_host = NULL;
	mutex_unlock(&torus_host_lock);
}
EXPORT_SYMBOL_NS_GPL(torus_host_unregister, TORUS_HOST);

/* -------------------------------------------------- a driver as an engine's client */

/* A driver is never closed with packets left, and has no status page that it reads. */
static bool torus_port_client_retire(struct torus_engine_client *client, bool now)
{
	return false;
}

static bool torus_port_client_publish(struct torus_engine_client *client)
{
	return true;
}

/* The port itself requests a poll when the driver has made space for a packet that waits. */
static bool torus_port_client_lags(struct torus_engine_client *client)
{
	return false;
}

static void torus_port_client_wake(struct torus_engine_client *client, bool sync)
{
}

static void torus_port_client_fail(struct torus_engine_client *client)
{
}

/* The fabric is deleted, or drivers are evicted from a node that root does not own. */
static void torus_port_client_unplug(struct torus_engine_client *client)
{
	struct torus_port_slot *slot = container_of(client, struct torus_port_slot, client);

	slot->ops->unplug(slot);
}

static const struct torus_engine_client_ops torus_port_client_ops = {
	.retire = torus_port_client_retire,
	.publish = torus_port_client_publish,
	.lags = torus_port_client_lags,
	.wake = torus_port_client_wake,
	.fail = torus_port_client_fail,
	.kill = torus_port_client_unplug,
	.evict = torus_port_client_unplug,
};

static struct torus_port_device *torus_port_device_of(struct torus_port_slot *slot)
{
	return container_of(slot, struct torus_port_device, slot);
}

static void torus_port_device_poll_slot(struct torus_port_slot *slot)
{
	struct torus_port_device *pd = torus_port_device_of(slot);

	torus_port_poll(pd->port, pd->engine->fabric);
	if (pd->lockstep)
		torus_lockstep_poll(pd->lockstep);
}

static void torus_port_device_error_slot(struct torus_port_slot *slot)
{
	torus_port_cause_set(torus_port_device_of(slot)->port, TORUS_PORT_CAUSE_ERROR);
}

/* Detach the port and the client, with the engine locked; the port's memory stays. */
static void torus_port_device_detach(struct torus_port_device *pd)
{
	struct torus_engine *e = pd->engine;

	if (!pd->slot.bound)
		return;
	if (pd->lockstep)
		torus_lockstep_leave(pd->lockstep);
	torus_port_detach(pd->port, e->fabric);
	torus_port_slot_unbind(e, &pd->slot);
}

static void torus_port_device_unplug_slot(struct torus_port_slot *slot)
{
	struct torus_port_device *pd = torus_port_device_of(slot);

	if (slot->gone)
		return;
	slot->gone = true;
	/* First: from now on no register of the detached port is read. */
	pd->host->unplug(pd->owner);
	torus_port_device_detach(pd);
}

static const struct torus_port_slot_ops torus_port_device_slot_ops = {
	.poll = torus_port_device_poll_slot,
	.error = torus_port_device_error_slot,
	.unplug = torus_port_device_unplug_slot,
};

/* --------------------------------------------------------------- switched on and off */

/* Make the name of a device of the fabric, the coordinates of the node, and the group. */
static void torus_port_device_set_name(struct torus_port_device *pd)
{
	const struct torus_engine *e = pd->engine;
	u32 coords[TORUS_DIMS_MAX], d;
	size_t at;

	torus_geometry_coords(&e->geo, pd->slot.client.node, coords);
	at = scnprintf(pd->name, sizeof(pd->name), "%s:", e->name);
	for (d = 0; d < e->geo.ndims; d++)
		at += scnprintf(pd->name + at, sizeof(pd->name) - at, d ? ".%u" : "%u", coords[d]);
	if (pd->slot.client.group)
		scnprintf(pd->name + at, sizeof(pd->name) - at, "-%u", pd->slot.client.group);
}

/* Check whether a group can become a device, with the engine locked. */
static int torus_port_device_may(struct torus_engine *e, u32 node, u32 group,
				 struct torus_error *why)
{
	const struct torus_engine_client *client;
	const struct torus_port_slot *slot;

	if (!net_eq(e->registry.net, &init_net))
		return torus_fail(why, EOPNOTSUPP,
				  "only fabrics of the initial network namespace have devices");
	if (!e->arch->check)
		return torus_fail(why, EOPNOTSUPP, "%s has no FIFOs for drivers", e->arch->name);
	if (e->workload.state == TORUS_TRAFFIC_RUNNING)
		return torus_fail(why, EBUSY, "a workload runs on the fabric");
	if (torus_node_dead(e->fabric, node))
		return torus_fail(why, EHOSTDOWN, "node %u is dead",
				  torus_node_number(&e->geo, node));
	slot = torus_port_slot_at(e, node, group);
	if (slot && slot->gone)
		return torus_fail(why, EBUSY, "group %u of node %u is still being removed%s%s",
				  group, torus_node_number(&e->geo, node),
				  *slot->client.owner.command ? " from driver " : "",
				  slot->client.owner.command);
	if (slot)
		return torus_fail(why, EEXIST, "group %u of node %u is a device already", group,
				  torus_node_number(&e->geo, node));
	client = torus_engine_client_at(e, node, group);
	if (client)
		return torus_fail(why, EBUSY, "group %u of node %u belongs to process %d (%s)",
				  group, torus_node_number(&e->geo, node),
				  pid_nr(client->owner.pid), client->owner.command);
	return 0;
}

/* Free a device, with the engine locked. The caller has a reference of its own to the engine. */
static void torus_port_device_drop(struct torus_port_device *pd)
{
	torus_port_slot_del(pd->engine, &pd->slot);
	torus_engine_put(pd->engine);
	torus_budget_give(sizeof(*pd));
	kfree(pd);
}

static int torus_port_device_on(struct torus_engine *e, u32 node, u32 group,
				struct torus_error *why)
{
	struct torus_port_device *pd;
	int err;

	err = torus_budget_take(sizeof(*pd), why);
	if (err)
		return err;
	pd = kzalloc(sizeof(*pd), TORUS_GFP_USER);
	if (pd) {
		pd->slot.ops = &torus_port_device_slot_ops;
		pd->slot.client.node = node;
		pd->slot.client.group = group;
		pd->engine = e;
	}
	if (!pd || torus_port_slot_add(e, &pd->slot)) {
		kfree(pd);
		torus_budget_give(sizeof(*pd));
		return torus_fail(why, ENOMEM, "no memory for a device");
	}
	torus_engine_get(e);
	torus_port_device_set_name(pd);
	mutex_lock(&torus_host_lock);
	pd->host = torus_host;
	err = pd->host ? pd->host->add(pd, why) :
			 torus_fail(why, ENODEV, "module torus_host is not loaded");
	mutex_unlock(&torus_host_lock);
	if (err)
		torus_port_device_drop(pd);
	return err;
}

/* Make groups devices: all, or none. */
static int torus_port_devices_on(struct torus_engine *e, u32 node, u32 first, u32 last,
				 struct torus_error *why)
{
	u32 group;
	int err = 0;

	for (group = first; !err && group <= last; group++)
		err = torus_port_device_may(e, node, group, why);
	for (group = first; !err && group <= last; group++) {
		err = torus_port_device_on(e, node, group, why);
		while (err && group-- > first)
			torus_port_device_unplug_slot(torus_port_slot_at(e, node, group));
	}
	return err;
}

/* Take the devices of these groups away. */
static int torus_port_devices_off(struct torus_engine *e, u32 node, u32 first, u32 last,
				  struct torus_error *why)
{
	struct torus_port_slot *slot;
	u32 group, found = 0;

	for (group = first; group <= last; group++) {
		slot = torus_port_slot_at(e, node, group);
		if (!slot || slot->gone)
			continue;
		torus_port_device_unplug_slot(slot);
		found++;
	}
	return found ? 0 : torus_fail(why, ENOENT, "node %u is not a device",
				      torus_node_number(&e->geo, node));
}

/**
 * torus_port_devices_switch() - make FIFO groups of a node devices of the bus, or take the devices
 *	away
 * @e: the engine, locked
 * @node: index of the node
 * @group: FIFO group, or NULL for all groups of the node
 * @on: true: the devices are on the bus when this returns, and drivers are bound later. false: the
 *	devices are dead when this returns, and are removed later
 * @why: [out] reason of a failure
 *
 * Return: 0; -EBUSY, -EEXIST, -EHOSTDOWN, -EINVAL, -ENODEV, -ENOENT, -ENOMEM, -ENOSPC (max_bytes is
 * exceeded) or -EOPNOTSUPP. After a failure no group has become a device; devices that were made
 * before it are being removed.
 */
int torus_port_devices_switch(struct torus_engine *e, u32 node, const u32 *group, bool on,
			      struct torus_error *why)
{
	u32 first = group ? *group : 0, last = group ? *group : e->arch->groups - 1;

	lockdep_assert_held(&e->lock.mutex);
	if (last >= e->arch->groups)
		return torus_fail(why, EINVAL, "group %u: %s has groups 0 to %u", last,
				  e->arch->name, e->arch->groups - 1);
	return on ? torus_port_devices_on(e, node, first, last, why) :
		    torus_port_devices_off(e, node, first, last, why);
}

/* ----------------------------------------------------------------- calls of the host */

/*
 * Memory of a port, of the status page that each client of an engine has, and of the clock in
 * virtual time.
 */
static u64 torus_port_device_bytes(const struct torus_port_device *pd)
{
	return torus_port_size(pd->engine->arch) + PAGE_SIZE +
	       (pd->engine->vtime.enabled ? sizeof(*pd->lockstep) : 0);
}

/* Create and attach the port, with the engine locked. */
static int torus_port_device_attach(struct torus_port_device *pd, const struct torus_port_ops *ops,
				    struct torus_error *why)
{
	struct torus_engine *e = pd->engine;
	int err;

	if (pd->slot.gone)
		return -ENODEV;
	if (e->workload.state == TORUS_TRAFFIC_RUNNING)
		return -EBUSY;
	if (e->vtime.enabled && torus_vtime_started(e->fabric))
		return -ETIME;
	err = torus_engine_keep_result(e) ?:
	      torus_port_create(e->fabric, pd->slot.client.node, pd->slot.client.group, ops,
				pd->owner, &pd->port, why);
	if (err)
		return err;
	pd->port->stuck = pd->faults.fifo_stuck;
	err = torus_port_attach(pd->port, e->fabric, why);
	if (err) {
		torus_port_destroy(pd->port);
		pd->port = NULL;
	}
	return err;
}

/**
 * torus_port_device_bind() - give the group to a driver
 * @pd: the device; may sleep
 * @ops: operations of the port, called with @pd->owner
 * @driver: name of the driver
 * @port: [out] the port, attached
 *
 * Return: 0; -ENODEV if the device was taken away; -EBUSY while a workload runs on the fabric;
 * -ETIME if virtual time has started; -ENOMEM; -ENOSPC if max_bytes is exceeded.
 */
int torus_port_device_bind(struct torus_port_device *pd, const struct torus_port_ops *ops,
			   const char *driver, struct torus_port **port)
{
	struct torus_engine_client *client = &pd->slot.client;
	struct torus_engine *e = pd->engine;
	struct torus_error why;
	void *status;
	int err;

	err = torus_budget_take(torus_port_device_bytes(pd), &why);
	if (err)
		return err;
	err = -ENOMEM;
	status = (void *)get_zeroed_page(GFP_KERNEL);
	if (!status)
		goto err_budget;
	if (e->vtime.enabled) {
		pd->lockstep = torus_lockstep_create(pd);
		if (!pd->lockstep)
			goto err_free;
	}
	err = torus_engine_lock(e);
	if (err)
		goto err_free;
	err = torus_port_device_attach(pd, ops, &why);
	if (err) {
		torus_engine_unlock(e);
		goto err_free;
	}
	client->ops = &torus_port_client_ops;
	client->dead = false;
	client->quiet = true;
	client->status = status;
	client->owner = (struct torus_group_owner){ .uid = GLOBAL_ROOT_UID };
	strscpy(client->owner.command, driver, sizeof(client->owner.command));
	torus_port_slot_bind(e, &pd->slot);
	*port = pd->port;
	torus_engine_unlock_kick(e);
	return 0;

err_free:
	kfree(pd->lockstep);
	pd->lockstep = NULL;
	free_page((unsigned long)status);
err_budget:
	torus_budget_give(torus_port_device_bytes(pd));
	return err;
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_bind, TORUS_HOST);

/**
 * torus_port_device_unbind() - take the group back from its driver
 * @pd: the device; may sleep
 *
 * The port makes no call any more when this returns, but its memory stays: see
 * torus_port_device_destroy_port().
 */
void torus_port_device_unbind(struct torus_port_device *pd)
{
	/* On an error the fabric was deleted: the port was detached before. */
	if (torus_engine_lock(pd->engine))
		return;
	torus_port_device_detach(pd);
	torus_engine_unlock_kick(pd->engine);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_unbind, TORUS_HOST);

/**
 * torus_port_device_destroy_port() - free the port of a device that is unbound
 * @pd: the device; its port is no longer accessed
 */
void torus_port_device_destroy_port(struct torus_port_device *pd)
{
	torus_port_destroy(pd->port);
	pd->port = NULL;
	kfree(pd->lockstep);
	pd->lockstep = NULL;
	free_page((unsigned long)pd->slot.client.status);
	pd->slot.client.status = NULL;
	torus_budget_give(torus_port_device_bytes(pd));
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_destroy_port, TORUS_HOST);

/**
 * torus_port_device_unplug() - take a device away, as if it had been switched off
 * @pd: the device; may sleep. It may be gone already, for instance with its fabric
 */
void torus_port_device_unplug(struct torus_port_device *pd)
{
	torus_engine_lock_always(pd->engine);
	/* After the fabric was deleted, the device is gone. */
	torus_port_device_unplug_slot(&pd->slot);
	torus_engine_unlock_kick(pd->engine);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_unplug, TORUS_HOST);

/**
 * torus_port_device_free() - free a device
 * @pd: the device, gone and unbound; may sleep
 */
void torus_port_device_free(struct torus_port_device *pd)
{
	struct torus_engine *e = pd->engine;

	torus_engine_get(e);
	torus_engine_lock_always(e);
	torus_port_device_drop(pd);
	torus_engine_unlock(e);
	torus_engine_put(e);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_free, TORUS_HOST);
