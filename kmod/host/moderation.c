// SPDX-License-Identifier: GPL-2.0
/* Moderation of interrupts: timers that delay the status bits of a device. */
#include <linux/ktime.h>
#include <linux/spinlock.h>

#include "core/port/causes.h"
#include "moderation.h"
#include "node.h"

/* Hard interrupt context. The lock keeps the port while the timer uses it. */
static enum hrtimer_restart torus_host_delay_expired(struct hrtimer *timer)
{
	struct torus_host_delay *delay = container_of(timer, struct torus_host_delay, timer);
	struct torus_host_node *node = delay->node;
	unsigned long flags;

	spin_lock_irqsave(&node->lock, flags);
	if (node->port)
		torus_port_expired(node->port, delay->cause);
	spin_unlock_irqrestore(&node->lock, flags);
	return HRTIMER_NORESTART;
}

/**
 * torus_host_moderation_init() - make the timers of a new device
 * @node: the device, not on the bus yet
 */
void torus_host_moderation_init(struct torus_host_node *node)
{
	struct torus_host_delay *delay;
	u32 cause;

	for (cause = 0; cause < TORUS_PORT_CAUSE_EVENTS; cause++) {
		delay = &node->moderation.delay[cause];
		delay->node = node;
		delay->cause = cause;
		hrtimer_init(&delay->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
		delay->timer.function = torus_host_delay_expired;
	}
}

/**
 * torus_host_moderation_stop() - stop the timers of a device whose driver was unbound
 * @node: the device; its port is detached. Waits for a timer that is expiring
 */
void torus_host_moderation_stop(struct torus_host_node *node)
{
	u32 cause;

	for (cause = 0; cause < TORUS_PORT_CAUSE_EVENTS; cause++)
		hrtimer_cancel(&node->moderation.delay[cause].timer);
}

/**
 * torus_host_moderation_delay() - torus_port_ops.delay
 * @node: the device; the caller runs its fabric
 * @cause: cause whose status bit is delayed
 * @microseconds: longest delay
 *
 * A timer that expires in this moment finds the event: the port has counted the event before, and
 * the timer takes the count after it has left the queue.
 */
void torus_host_moderation_delay(struct torus_host_node *node, u32 cause, u32 microseconds)
{
	struct hrtimer *timer = &node->moderation.delay[cause].timer;
	ktime_t delay = ns_to_ktime((u64)microseconds * NSEC_PER_USEC);

	/* A longer delay may run that began before the driver changed the register. */
	if (!hrtimer_is_queued(timer) || hrtimer_get_remaining(timer) > delay)
		hrtimer_start(timer, delay, HRTIMER_MODE_REL);
}
