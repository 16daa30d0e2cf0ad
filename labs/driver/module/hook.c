// SPDX-License-Identifier: GPL-2.0
/*
 * Hooks: something that happens at a certain access of a driver, however fast the computer is. For
 * example, a packet arrives between the last look into the FIFOs and the sleep.
 *
 * A hook spins, because a driver accesses registers in any context. Another processor runs the
 * fabric meanwhile.
 */
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/sched.h>

#include "node.h"

#define STEP_US		50
/*
 * Longest wait for something that has to happen; the computer is emulated and may be busy. Two of
 * them are shorter than the time after which the kernel reports a stall.
 */
#define STEPS_MAX	(4000000 / STEP_US)
/* Wait for something that may not happen, for instance because the driver disables interrupts. */
#define STEPS_SOME	(300000 / STEP_US)

/* Count what the device has received: chunks in FIFOs, and descriptors of the ring. */
static u32 hook_received(struct lab_node *node)
{
	u32 fifos = lab_node_read(node, TORUS_PORT_RECEPTION), sum, i;

	if (fifos == ~0u)
		return 0;
	sum = lab_node_read(node, TORUS_PORT_AT_RING(TORUS_PORT_HEAD, TORUS_PORT_RECEIVE_RING));
	for (i = 0; i < fifos; i++)
		sum += lab_node_read(node, TORUS_PORT_AT_FIFO(TORUS_PORT_LEVEL, i));
	return sum;
}

static bool hook_rings_on(struct lab_node *node)
{
	return lab_node_read(node, TORUS_PORT_AT_RING(TORUS_PORT_RING_STATE,
						      TORUS_PORT_RECEIVE_RING)) & 1;
}

static void hook_deliver(struct lab_node *node, struct lab_hook *hook)
{
	u32 before = hook_received(node), handled = lab_record_in_handlers(), i;
	bool enabled = lab_node_read(node, TORUS_PORT_ENABLE) & TORUS_PORT_STATUS_RECEIVE;
	/* A ring whose memory is wrong receives nothing. */
	u32 most = hook_rings_on(node) ? STEPS_SOME : STEPS_MAX;

	for (i = 0; i < hook->count; i++)
		lab_node_write(hook->peer, TORUS_PORT_AT_FIFO(TORUS_PORT_WRITE_DATA, 0),
			       hook->words[i]);
	for (i = 0; i < most && hook_received(node) == before; i++)
		udelay(STEP_US);
	if (in_hardirq() || !enabled)
		return;
	for (i = 0; i < STEPS_SOME && lab_record_in_handlers() == handled; i++)
		udelay(STEP_US);
	/* The handler has begun, perhaps on another processor: let it end. */
	for (i = 0; i < STEPS_SOME / 10; i++)
		udelay(STEP_US);
}

/* The processor that waits here may be in a handler: the program that says "go" has another one. */
static void hook_late(struct lab_node *node, struct lab_hook *hook)
{
	u32 i;

	for (i = 0; i < STEPS_MAX && !READ_ONCE(hook->go); i++)
		udelay(STEP_US);
	if (hook->count)
		hook_deliver(node, hook);
}

static void hook_finish(struct lab_node *node)
{
	u32 i;

	for (i = 0; i < STEPS_SOME &&
	     lab_node_read(node, TORUS_PORT_AT_RING(TORUS_PORT_HEAD, 0)) !=
	     lab_node_read(node, TORUS_PORT_AT_RING(TORUS_PORT_TAIL, 0)); i++)
		udelay(STEP_US);
}

static void hook_meet(struct lab_node *node)
{
	u32 i, met = atomic_read(&node->met);

	/* The second call begins after the lab has seen that this hook runs. */
	for (i = 0; i < STEPS_MAX && atomic_read(&node->senders) < 2; i++)
		udelay(STEP_US);
	for (i = 0; i < STEPS_SOME && atomic_read(&node->met) == met; i++)
		udelay(STEP_US);
}

/* Run the hook of a node if it waits for this access; any context. */
void lab_hook_run(struct lab_node *node, enum lab_event event, u32 offset, u32 value)
{
	struct lab_hook *hook = &node->hook;

	if (event == LAB_WRITE && offset == hook->offset && READ_ONCE(node->first) &&
	    node->first != current)
		atomic_inc(&node->met);
	if (atomic_read(&hook->event) != event || hook->offset != offset ||
	    (event == LAB_READ && hook->value != value))
		return;
	if (atomic_cmpxchg(&hook->event, event, LAB_NEVER) != event)
		return;
	switch (hook->action) {
	case LAB_DELIVER:
		hook_deliver(node, hook);
		break;
	case LAB_FINISH:
		hook_finish(node);
		break;
	case LAB_LATE:
		hook_late(node, hook);
		break;
	case LAB_MEET:
		WRITE_ONCE(node->first, current);
		hook_meet(node);
		break;
	}
}
