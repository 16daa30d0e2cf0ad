// SPDX-License-Identifier: GPL-2.0
/* Calls of an engine to its clients. All are made with the engine locked. */
#include <linux/lockdep.h>
#include <linux/wait.h>

#include "core/nic/gate.h"
#include "dev/base/pages.h"
#include "client.h"
#include "doorbell.h"
#include "engine.h"
#include "events.h"
#include "port_slot.h"
#include "rights.h"

/**
 * torus_engine_lock_client() - lock the engine of a client that is attached to it
 * @e: the engine
 * @client: the client
 *
 * Return: 0, or -ENODEV if the fabric was deleted or the client detached; then the engine is not
 * locked.
 */
int torus_engine_lock_client(struct torus_engine *e, struct torus_engine_client *client)
{
	int err = torus_engine_lock(e);

	if (!err && client->dead) {
		torus_engine_unlock(e);
		err = -ENODEV;
	}
	return err;
}

/**
 * torus_engine_client_at() - find the client of a FIFO group
 * @e: the engine, locked
 * @node: index of the node
 * @group: FIFO group
 *
 * Return: the client, which may be closed already, or NULL.
 */
struct torus_engine_client *torus_engine_client_at(struct torus_engine *e, u32 node, u32 group)
{
	struct torus_engine_client *client;

	lockdep_assert_held(&e->lock.mutex);
	list_for_each_entry(client, &e->clients.list, link) {
		if (client->node == node && client->group == group)
			return client;
	}
	return NULL;
}

/**
 * torus_engine_add_client() - add a client whose group was attached
 * @e: the engine, locked
 * @client: the client, filled in
 */
void torus_engine_add_client(struct torus_engine *e, struct torus_engine_client *client)
{
	lockdep_assert_held(&e->lock.mutex);
	list_add_tail(&client->link, &e->clients.list);
	e->clients.attached++;
	e->clients.holders++;
	torus_doorbell_attach(e, client->owner.uid);
	torus_engine_report_owner(e, client, true);
	torus_engine_publish(e, client, true);
}

/**
 * torus_engine_del_client() - remove a client
 * @e: the engine, locked
 * @client: the client; the caller has reported that its group is given back, unless the fabric is
 *	being deleted
 */
void torus_engine_del_client(struct torus_engine *e, struct torus_engine_client *client)
{
	lockdep_assert_held(&e->lock.mutex);
	list_del(&client->link);
	e->clients.attached--;
	e->clients.holders++;
	torus_doorbell_detach(e);
}

/**
 * torus_engine_wake_attach() - make ATTACH calls that wait for a group check it again
 * @e: the engine, locked
 */
void torus_engine_wake_attach(struct torus_engine *e)
{
	lockdep_assert_held(&e->lock.mutex);
	WRITE_ONCE(e->clients.drains, e->clients.drains + 1);
	wake_up_all(&e->clients.drained);
}

/* Write the fabric's clock into a status page. */
static void torus_engine_tick_one(struct torus_engine *e, struct torus_engine_client *client)
{
	WRITE_ONCE(*torus_status_clock(client->status), torus_fabric_clock(e->fabric));
}

/* Write the fabric's clock into all status pages. */
void torus_engine_tick(struct torus_engine *e)
{
	struct torus_engine_client *client;

	list_for_each_entry(client, &e->clients.list, link)
		torus_engine_tick_one(e, client);
}

/**
 * torus_engine_publish() - update a client's status page: clock and fill levels
 * @e: the engine, locked
 * @client: client of the page
 * @all: also update the fill levels of a client whose modelled FIFOs were empty at the last update
 *
 * Heads and tails of rings are published when they move, not by this function.
 */
void torus_engine_publish(struct torus_engine *e, struct torus_engine_client *client, bool all)
{
	lockdep_assert_held(&e->lock.mutex);
	torus_engine_tick_one(e, client);
	if (!client->quiet || all)
		client->quiet = client->ops->publish(client);
}

/* Update all status pages; @all as in torus_engine_publish(). */
void torus_engine_publish_all(struct torus_engine *e, bool all)
{
	struct torus_engine_client *client;

	list_for_each_entry(client, &e->clients.list, link)
		torus_engine_publish(e, client, all);
}

/**
 * torus_engine_flag() - store flags in all status pages: programs see which doorbells to ring
 * @e: the engine, locked
 * @flags: TORUS_STATUS_* bits
 */
void torus_engine_flag(struct torus_engine *e, u32 flags)
{
	struct torus_engine_client *client;

	list_for_each_entry(client, &e->clients.list, link)
		WRITE_ONCE(*torus_status_flags(client->status), flags);
}

/**
 * torus_engine_wake() - wake the tasks whose wake-ups were deferred during the last runs
 * @e: the engine, locked
 * @sync: the caller is about to sleep
 */
void torus_engine_wake(struct torus_engine *e, bool sync)
{
	struct torus_engine_client *client;

	lockdep_assert_held(&e->lock.mutex);
	e->wakeups.pending = false;
	list_for_each_entry(client, &e->clients.list, link) {
		if (!client->wake_pending)
			continue;
		client->wake_pending = false;
		client->ops->wake(client, sync);
	}
}

/**
 * torus_engine_report_owner() - report to listeners that a group was taken or given back
 * @e: the engine, locked
 * @client: client of the group
 * @attached: true: the group was taken; false: it was given back
 */
void torus_engine_report_owner(struct torus_engine *e, struct torus_engine_client *client,
			       bool attached)
{
	const struct torus_group_owner *owner = &client->owner;

	torus_event_send_locked(e, &(struct torus_event_note){
		.event = attached ? TORUS_EVENT_ATTACH : TORUS_EVENT_DETACH,
		.node = &client->node,
		.group = &client->group,
		.owner = owner,
		.signal = attached ? 0 : owner->signal,
	});
}

/**
 * torus_engine_fail() - wake all programs: the fabric has stopped, for want of memory
 * @e: the engine, locked, in state TORUS_FABRIC_FAILED
 *
 * Programs that wait for time, a packet, space or a gate would otherwise wait indefinitely.
 */
void torus_engine_fail(struct torus_engine *e)
{
	struct torus_engine_client *client;

	list_for_each_entry(client, &e->clients.list, link)
		client->ops->fail(client);
	torus_engine_reset_gates(e);
}

/**
 * torus_engine_retire() - detach draining clients that have no packets left to send, or whose time
 *	to drain is over
 * @e: the engine, locked
 * @now: detach all draining clients, even with packets left
 *
 * Return: true if a client was detached.
 */
bool torus_engine_retire(struct torus_engine *e, bool now)
{
	struct torus_engine_client *client, *next;
	bool gone = false;

	if (!e->clients.draining)
		return false;
	list_for_each_entry_safe(client, next, &e->clients.list, link) {
		if (client->draining)
			gone |= client->ops->retire(client, now);
	}
	return gone;
}

/**
 * torus_engine_kill() - detach all clients of FIFO groups: the fabric is being deleted
 * @e: the engine, locked
 */
void torus_engine_kill(struct torus_engine *e)
{
	struct torus_engine_client *client, *next;

	list_for_each_entry_safe(client, next, &e->clients.list, link)
		client->ops->kill(client);
}

/**
 * torus_engine_evict() - detach the clients of a node that do not belong to the node's owner
 * @e: the engine, locked
 * @node: index of the node
 *
 * Their programs get the same errors as if the fabric had been deleted.
 */
void torus_engine_evict(struct torus_engine *e, u32 node)
{
	struct torus_engine_client *client, *next;
	struct torus_gate_client *gates, *after;

	lockdep_assert_held(&e->lock.mutex);
	list_for_each_entry_safe(client, next, &e->clients.list, link) {
		if (client->node == node && !torus_rights_owns(e, node, client->owner.uid))
			client->ops->evict(client);
	}
	torus_port_slots_evict(e, node);
	list_for_each_entry_safe(gates, after, &e->gates.list, link) {
		if (gates->node == node && !torus_rights_owns(e, node, gates->owner.uid))
			gates->ops->evict(gates);
	}
}

/**
 * torus_engine_reset_gates() - make polls of all gates check their operations: the fabric was
 *	reset, or has failed
 * @e: the engine, locked
 */
void torus_engine_reset_gates(struct torus_engine *e)
{
	struct torus_gate_client *client;

	lockdep_assert_held(&e->lock.mutex);
	list_for_each_entry(client, &e->gates.list, link)
		client->ops->reset(client);
}

/**
 * torus_engine_trim_gates() - free the memory of engines (TNIs) of which no process has gates
 * @e: the engine, locked
 *
 * Memory of gates that sent packets is kept until these packets have left.
 */
void torus_engine_trim_gates(struct torus_engine *e)
{
	if (e->gates.open)
		e->arch->gates->trim(e->fabric);
}

/**
 * torus_engine_depart() - revoke the gates of a process whose clock has left virtual time
 * @e: the engine, locked
 * @mm: address space of the process
 * @all: also revoke the gates of open files while the process lives
 */
void torus_engine_depart(struct torus_engine *e, const struct mm_struct *mm, bool all)
{
	struct torus_gate_client *client, *next;

	lockdep_assert_held(&e->lock.mutex);
	list_for_each_entry_safe(client, next, &e->gates.list, link)
		client->ops->depart(client, mm, all);
}
