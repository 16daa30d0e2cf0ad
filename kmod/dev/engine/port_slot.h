/* SPDX-License-Identifier: GPL-2.0 */
/* FIFO groups of an engine that are reserved for drivers; see dev/port. */
#ifndef TORUS_DEV_ENGINE_PORT_SLOT_H
#define TORUS_DEV_ENGINE_PORT_SLOT_H

#include <linux/llist.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include "client.h"

struct torus_engine;
struct torus_port_slot;

/**
 * struct torus_port_slot_ops - calls of an engine to a reserved group; engine locked
 * @poll: do what accessors of the group's port have requested; the group is bound
 * @error: report to the bound driver that the node has detected an error; also called by the thread
 *	that runs the node's domain. It does not sleep
 * @unplug: take the group away from its driver at once, and have the device removed later
 */
struct torus_port_slot_ops {
	void (*poll)(struct torus_port_slot *slot);
	void (*error)(struct torus_port_slot *slot);
	void (*unplug)(struct torus_port_slot *slot);
};

/**
 * struct torus_port_slot - a FIFO group that is reserved for a driver
 * @ops: calls of the engine
 * @request: in the engine's list of requests
 * @requested: bit 0: a poll was requested, and @request is in the list
 * @gone: the group was given back; the device is being removed
 * @bound: a driver has the group: @client is in the engine's list of clients
 * @client: the driver as a client of the engine; its node and group are set from the beginning
 *
 * The engine's lock protects all fields but @request and @requested.
 */
struct torus_port_slot {
	const struct torus_port_slot_ops *ops;
	struct llist_node request;
	unsigned long requested;
	bool gone;
	bool bound;
	struct torus_engine_client client;
};

/**
 * struct torus_port_slots - the groups that are reserved for drivers (engine.lock)
 * @requests: slots whose ports request a poll; added without the lock, from any context
 * @bound: number of groups that a driver has
 * @slots: struct torus_port_slot of each group, by node and group
 */
struct torus_port_slots {
	struct llist_head requests;
	u32 bound;
	struct xarray slots;
};

struct torus_port_slot *torus_port_slot_at(struct torus_engine *e, u32 node, u32 group);
int torus_port_slot_add(struct torus_engine *e, struct torus_port_slot *slot);
void torus_port_slot_del(struct torus_engine *e, struct torus_port_slot *slot);
void torus_port_slot_bind(struct torus_engine *e, struct torus_port_slot *slot);
void torus_port_slot_unbind(struct torus_engine *e, struct torus_port_slot *slot);
void torus_port_slot_request(struct torus_engine *e, struct torus_port_slot *slot);
void torus_port_slots_poll(struct torus_engine *e);
void torus_port_slots_error(struct torus_engine *e, u32 node);
void torus_port_slots_unplug(struct torus_engine *e);
void torus_port_slots_evict(struct torus_engine *e, u32 node);

#endif
