// SPDX-License-Identifier: GPL-2.0
/*
 * FIFO groups that are reserved for drivers.
 *
 * While a group is reserved, programs cannot attach to it. A driver that binds becomes a client of
 * the engine like a program, but without rings and status flags that programs read.
 */
#include <linux/bitops.h>
#include <linux/lockdep.h>

#include "dev/base/pages.h"
#include "engine.h"
#include "engine_lock.h"
#include "port_slot.h"
#include "rights.h"

static unsigned long torus_port_slot_place(const struct torus_engine *e, u32 node, u32 group)
{
	return (unsigned long)node * e->arch->groups + group;
}

/**
 * torus_port_slot_at() - find a reserved group
 * @e: the engine, locked
 * @node: index of the node
 * @group: FIFO group
 *
 * Return: the group, which may be gone already, or NULL.
 */
struct torus_port_slot *torus_port_slot_at(struct torus_engine *e, u32 node, u32 group)
{
	lockdep_assert_held(&e->lock.mutex);
	return xa_load(&e->ports.slots, torus_port_slot_place(e, node, group));
}

/**
 * torus_port_slot_add() - reserve a group
 * @e: the engine, locked
 * @slot: the group; the engine must not have a slot for it
 *
 * Return: 0 or -ENOMEM.
 */
int torus_port_slot_add(struct torus_engine *e, struct torus_port_slot *slot)
{
	unsigned long place = torus_port_slot_place(e, slot->client.node, slot->client.group);

	lockdep_assert_held(&e->lock.mutex);
	return xa_insert(&e->ports.slots, place, slot, TORUS_GFP_USER);
}

/**
 * torus_port_slot_del() - give a reserved group back
 * @e: the engine, locked; its fabric may have been deleted
 * @slot: the group, whose port can request no poll any more
 */
void torus_port_slot_del(struct torus_engine *e, struct torus_port_slot *slot)
{
	lockdep_assert_held(&e->lock.mutex);
	/* Takes the slot out of the list of requests. */
	torus_port_slots_poll(e);
	xa_erase(&e->ports.slots, torus_port_slot_place(e, slot->client.node, slot->client.group));
}

/**
 * torus_port_slot_bind() - make the driver of a reserved group a client of the engine
 * @e: the engine, locked
 * @slot: the group, whose client is filled in
 */
void torus_port_slot_bind(struct torus_engine *e, struct torus_port_slot *slot)
{
	lockdep_assert_held(&e->lock.mutex);
	slot->bound = true;
	e->ports.bound++;
	torus_engine_add_client(e, &slot->client);
}

/**
 * torus_port_slot_unbind() - undo torus_port_slot_bind()
 * @e: the engine, locked
 * @slot: the group, which may be unbound already
 */
void torus_port_slot_unbind(struct torus_engine *e, struct torus_port_slot *slot)
{
	lockdep_assert_held(&e->lock.mutex);
	if (!slot->bound)
		return;
	torus_engine_report_owner(e, &slot->client, false);
	slot->bound = false;
	e->ports.bound--;
	torus_engine_del_client(e, &slot->client);
}

/**
 * torus_port_slot_request() - have the leader poll a port
 * @e: the engine; any context, also with the engine locked
 * @slot: the bound group of the port
 */
void torus_port_slot_request(struct torus_engine *e, struct torus_port_slot *slot)
{
	if (!test_and_set_bit(0, &slot->requested))
		llist_add(&slot->request, &e->ports.requests);
	/* Its barrier orders the list before the check for a leader that sleeps. */
	torus_engine_kick(e);
}

/**
 * torus_port_slots_poll() - do what ports have requested
 * @e: the engine, locked between two runs
 */
void torus_port_slots_poll(struct torus_engine *e)
{
	struct torus_port_slot *slot, *next;

	lockdep_assert_held(&e->lock.mutex);
	if (llist_empty(&e->ports.requests))
		return;
	llist_for_each_entry_safe(slot, next, llist_del_all(&e->ports.requests), request) {
		/* Before the port is polled: a request that comes meanwhile is not lost. */
		clear_bit(0, &slot->requested);
		smp_mb__after_atomic();	/* the poll loads what was stored before the request */
		if (slot->bound)
			slot->ops->poll(slot);
	}
}

/**
 * torus_port_slots_error() - report to the drivers of a node that it has detected an error
 * @e: the engine, locked, or the caller runs the node's domain for the task that has locked it
 * @node: index of the node
 */
void torus_port_slots_error(struct torus_engine *e, u32 node)
{
	struct torus_port_slot *slot;
	u32 group;

	if (!e->ports.bound)
		return;
	/* No slot is added or removed during a run. */
	for (group = 0; group < e->arch->groups; group++) {
		slot = xa_load(&e->ports.slots, torus_port_slot_place(e, node, group));
		if (slot && slot->bound)
			slot->ops->error(slot);
	}
}

/**
 * torus_port_slots_unplug() - take all reserved groups away: the fabric is being deleted
 * @e: the engine, locked
 */
void torus_port_slots_unplug(struct torus_engine *e)
{
	struct torus_port_slot *slot;
	unsigned long place;

	lockdep_assert_held(&e->lock.mutex);
	xa_for_each(&e->ports.slots, place, slot)
		if (!slot->gone)
			slot->ops->unplug(slot);
}

/**
 * torus_port_slots_evict() - take the reserved groups of a node away, if root does not own it
 * @e: the engine, locked
 * @node: index of the node
 */
void torus_port_slots_evict(struct torus_engine *e, u32 node)
{
	struct torus_port_slot *slot;
	u32 group;

	lockdep_assert_held(&e->lock.mutex);
	if (torus_rights_owns(e, node, GLOBAL_ROOT_UID))
		return;
	for (group = 0; group < e->arch->groups; group++) {
		slot = torus_port_slot_at(e, node, group);
		if (slot && !slot->gone)
			slot->ops->unplug(slot);
	}
}
