// SPDX-License-Identifier: GPL-2.0
/* The bound driver of a device: accesses, interrupts, virtual time. */
#include <linux/export.h>
#include <linux/sched.h>

#include "core/port/causes.h"
#include "core/port/machine_registers.h"
#include "core/port/registers.h"
#include "dev/base/pages.h"
#include "dev/engine/engine.h"
#include "dev/trace/trace.h"
#include "device.h"
#include "driver.h"
#include "lockstep.h"

/* Lock the engine of a bound device. Return: 0 or -ENODEV: then the engine is not locked. */
static int torus_port_device_lock(struct torus_port_device *pd)
{
	int err = torus_engine_lock(pd->engine);

	if (!err && !pd->slot.bound) {
		torus_engine_unlock(pd->engine);
		err = -ENODEV;
	}
	return err;
}

/* Return the tick of an episode; outside one, the tick that was published last. */
static u64 torus_port_device_tick(struct torus_port_device *pd, u64 tick)
{
	return tick != TORUS_PORT_NO_TICK ? tick :
	       READ_ONCE(*torus_status_clock(pd->slot.client.status));
}

/**
 * torus_port_device_request_poll() - torus_port_ops.poll
 * @pd: the device; any context
 */
void torus_port_device_request_poll(struct torus_port_device *pd)
{
	torus_port_slot_request(pd->engine, &pd->slot);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_request_poll, TORUS_HOST);

/**
 * torus_port_device_access() - an accessor begins to read or write a register
 * @pd: the device, bound; any context
 * @offset: offset of the register
 * @write: the access is a write
 *
 * Return: tick of the access. Outside an episode this is the tick that was published last.
 */
u64 torus_port_device_access(struct torus_port_device *pd, u32 offset, bool write)
{
	u64 tick = pd->lockstep ? torus_lockstep_access(pd->lockstep, offset, write) :
				  TORUS_PORT_NO_TICK;

	return torus_port_device_tick(pd, tick);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_access, TORUS_HOST);

/**
 * torus_port_device_accessed() - an accessor has read or written a register
 * @pd: the device, bound; any context
 * @offset: offset of the register
 * @value: the value that was read or written
 * @write: the access was a write
 * @tick: result of torus_port_device_access()
 */
void torus_port_device_accessed(struct torus_port_device *pd, u32 offset, u32 value, bool write,
				u64 tick)
{
	const struct torus_engine_client *client = &pd->slot.client;

	torus_stop_notes_access(&pd->engine->run.notes, client->node, offset, value);
	trace_torus_port_access(pd->name, tick, offset, value, write);
	if (write && pd->lockstep)
		torus_lockstep_written(pd->lockstep, offset, value);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_accessed, TORUS_HOST);

/**
 * torus_port_device_offer() - torus_port_ops.offer
 * @pd: the device, bound; any context
 * @queue: queue of the port
 * @tail: end of what the driver has put there
 *
 * Return: true if it is shown later, at the tick of the access in virtual time.
 */
bool torus_port_device_offer(struct torus_port_device *pd, u32 queue, u32 tail)
{
	return pd->lockstep && torus_lockstep_offer(pd->lockstep, queue, tail);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_offer, TORUS_HOST);

/**
 * torus_port_device_delay() - torus_port_ops.delay in virtual time
 * @pd: the device, bound; called by the thread that runs the node's domain
 * @cause: enum torus_port_cause
 * @microseconds: longest delay, in simulated time
 *
 * Return: false if the delay must count real time: the driver takes no part in virtual time.
 */
bool torus_port_device_delay(struct torus_port_device *pd, u32 cause, u32 microseconds)
{
	return pd->lockstep && torus_lockstep_delay(pd->lockstep, cause, microseconds);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_delay, TORUS_HOST);

/**
 * torus_port_device_interrupted() - the port sends an interrupt
 * @pd: the device; any context
 * @cause: enum torus_port_cause
 */
void torus_port_device_interrupted(struct torus_port_device *pd, u32 cause)
{
	torus_stop_notes_line(&pd->engine->run.notes, pd->slot.client.node, cause);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_interrupted, TORUS_HOST);

/**
 * torus_port_device_hold_interrupt() - virtual time: hold an interrupt until an episode begins
 * @pd: the device, bound; any context
 * @cause: enum torus_port_cause; its line has a handler
 *
 * Return: true if torus_host_ops.interrupt sends it later; false if the caller sends it now.
 */
bool torus_port_device_hold_interrupt(struct torus_port_device *pd, u32 cause)
{
	return pd->lockstep && torus_lockstep_interrupt(pd->lockstep, cause);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_hold_interrupt, TORUS_HOST);

/* The host sends an interrupt to the driver; any context. */
void torus_port_device_sent_interrupt(struct torus_port_device *pd, u32 cause)
{
	u64 tick = pd->lockstep ? torus_lockstep_tick(pd->lockstep) : TORUS_PORT_NO_TICK;

	trace_torus_port_interrupt(pd->name, torus_port_device_tick(pd, tick), cause);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_sent_interrupt, TORUS_HOST);

/* The driver has freed the interrupt of a cause; any context. */
void torus_port_device_release_interrupt(struct torus_port_device *pd, u32 cause)
{
	if (pd->lockstep)
		torus_lockstep_release(pd->lockstep, cause);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_release_interrupt, TORUS_HOST);

/* ----------------------------------------------------------------- virtual time */

/**
 * torus_port_device_join() - the driver's probe() has returned: it takes part in virtual time
 * @pd: the device, bound; may sleep
 *
 * Return: 0; -ENODEV if the device was taken away; -ETIME if virtual time has started.
 */
int torus_port_device_join(struct torus_port_device *pd)
{
	struct torus_error why;
	int err;

	if (!pd->lockstep)
		return 0;
	err = torus_port_device_lock(pd);
	if (err)
		return err;
	err = torus_lockstep_join(pd->lockstep, &why);
	torus_engine_unlock_kick(pd->engine);
	return err;
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_join, TORUS_HOST);

/**
 * torus_port_device_leave() - the driver is about to be unbound: it takes no part any more
 * @pd: the device; may sleep. It may be gone already
 */
void torus_port_device_leave(struct torus_port_device *pd)
{
	if (!pd->lockstep || torus_port_device_lock(pd))
		return;
	torus_lockstep_leave(pd->lockstep);
	torus_engine_unlock_kick(pd->engine);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_leave, TORUS_HOST);

/* Implement torus_busy(); any context. */
void torus_port_device_busy(struct torus_port_device *pd)
{
	if (pd->lockstep)
		torus_lockstep_busy(pd->lockstep);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_busy, TORUS_HOST);

/* Implement torus_idle(); any context. */
void torus_port_device_idle(struct torus_port_device *pd)
{
	if (pd->lockstep)
		torus_lockstep_idle(pd->lockstep);
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_idle, TORUS_HOST);

/* Implement torus_wait(); may sleep. Return: 0 or -EINTR. */
int torus_port_device_wait(struct torus_port_device *pd)
{
	if (pd->lockstep)
		return torus_lockstep_wait(pd->lockstep);
	cond_resched();
	return 0;
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_wait, TORUS_HOST);

/* ------------------------------------------------------------ the machine's registers */

/**
 * torus_port_device_machine_read() - read one of the machine's own registers
 * @pd: the device; may sleep
 * @offset: offset of the register, below TORUS_PORT_MACHINE_BYTES
 * @value: [out] its value
 *
 * Return: 0; -ENODEV if the device is gone or unbound; or torus_port_machine_read()'s error.
 */
int torus_port_device_machine_read(struct torus_port_device *pd, u32 offset, u32 *value)
{
	int err = torus_port_device_lock(pd);
	u64 tick;

	if (err)
		return err;
	tick = torus_port_device_access(pd, offset, false);
	err = torus_port_machine_read(pd->port, pd->engine->fabric, offset, value);
	if (!err)
		torus_port_device_accessed(pd, offset, *value, false, tick);
	torus_engine_unlock(pd->engine);
	return err;
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_machine_read, TORUS_HOST);

/**
 * torus_port_device_machine_write() - write one of the machine's own registers
 * @pd: the device; may sleep
 * @offset: offset of the register, below TORUS_PORT_MACHINE_BYTES
 * @value: the value
 *
 * Return: as torus_port_device_machine_read(), or torus_port_machine_write()'s error.
 */
int torus_port_device_machine_write(struct torus_port_device *pd, u32 offset, u32 value)
{
	int err = torus_port_device_lock(pd);
	u64 tick;

	if (err)
		return err;
	tick = torus_port_device_access(pd, offset, true);
	err = torus_port_machine_write(pd->port, pd->engine->fabric, offset, value);
	if (!err)
		torus_port_device_accessed(pd, offset, value, true, tick);
	torus_engine_unlock_kick(pd->engine);
	return err;
}
EXPORT_SYMBOL_NS_GPL(torus_port_device_machine_write, TORUS_HOST);

/* The parts of the model that need no lock of the engine: accessor and timer. */
EXPORT_SYMBOL_NS_GPL(torus_port_read, TORUS_HOST);
EXPORT_SYMBOL_NS_GPL(torus_port_write, TORUS_HOST);
EXPORT_SYMBOL_NS_GPL(torus_port_access_failed, TORUS_HOST);
EXPORT_SYMBOL_NS_GPL(torus_port_expired, TORUS_HOST);
