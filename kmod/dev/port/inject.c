// SPDX-License-Identifier: GPL-2.0
/*
 * Injected faults of devices: `torusctl node inject F NODE FAULT`.
 *
 * Each fault is one that a node of a real machine can have, and that a driver must survive. A fault
 * at a tick is injected while the fabric is paused there.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/string.h>

#include "core/base/node_number.h"
#include "dev/engine/engine.h"
#include "device.h"
#include "driver.h"
#include "inject.h"

/* Largest number of interrupts or accesses that one request concerns. */
#define TORUS_INJECT_TIMES_MAX	65536u

/**
 * struct torus_inject_kind - a kind of fault
 * @name: its name
 * @bound: the device must have a driver
 * @alone: the request has no value
 * @least: smallest value
 * @most: largest value
 * @apply: inject the fault, with the engine locked
 */
struct torus_inject_kind {
	const char *name;
	bool bound;
	bool alone;
	u32 least;
	u32 most;
	int (*apply)(struct torus_port_device *pd, u32 value, struct torus_error *why);
};

static int inject_irq_lost(struct torus_port_device *pd, u32 value, struct torus_error *why)
{
	atomic_set(&pd->faults.irq_lost, value);
	return 0;
}

static int inject_irq_spurious(struct torus_port_device *pd, u32 value, struct torus_error *why)
{
	return pd->host->spurious(pd->owner, value) ? 0 :
	       torus_fail(why, ENODEV, "the driver of %s has requested no interrupt", pd->name);
}

static int inject_dma_fault(struct torus_port_device *pd, u32 value, struct torus_error *why)
{
	atomic_set(&pd->faults.dma_fault, value);
	return 0;
}

static int inject_fifo_stuck(struct torus_port_device *pd, u32 value, struct torus_error *why)
{
	pd->faults.fifo_stuck = value;
	if (!pd->slot.bound)
		return 0;
	pd->port->stuck = value;
	/* Packets may have waited: the poll takes them. */
	torus_port_device_request_poll(pd);
	return 0;
}

static int inject_unplug(struct torus_port_device *pd, u32 value, struct torus_error *why)
{
	pd->slot.ops->unplug(&pd->slot);
	return 0;
}

static const struct torus_inject_kind torus_inject_kinds[] = {
	{ "irq-lost", .most = TORUS_INJECT_TIMES_MAX, .apply = inject_irq_lost },
	{ "irq-spurious", .bound = true, .least = 1, .most = TORUS_INJECT_TIMES_MAX,
	  .apply = inject_irq_spurious },
	{ "dma-fault", .most = TORUS_INJECT_TIMES_MAX, .apply = inject_dma_fault },
	{ "fifo-stuck", .most = 1, .apply = inject_fifo_stuck },
	{ "unplug", .alone = true, .apply = inject_unplug },
};

static const struct torus_inject_kind *torus_inject_find(const char *name, struct torus_error *why)
{
	char names[80];
	size_t at = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(torus_inject_kinds); i++)
		if (!strcmp(torus_inject_kinds[i].name, name))
			return &torus_inject_kinds[i];
	for (i = 0; i < ARRAY_SIZE(torus_inject_kinds); i++)
		at += scnprintf(names + at, sizeof(names) - at, "%s%s", i ? ", " : "",
				torus_inject_kinds[i].name);
	torus_fail(why, EINVAL, "fault %s: must be one of %s", name, names);
	return NULL;
}

static int torus_inject_check(const struct torus_inject_kind *kind, const u64 *value,
			      struct torus_error *why)
{
	if (kind->alone)
		return value ? torus_fail(why, EINVAL, "%s: has no value", kind->name) : 0;
	if (value && (*value < kind->least || *value > kind->most))
		return torus_fail(why, ERANGE, "%s %llu: must be %u to %u", kind->name, *value,
				  kind->least, kind->most);
	return 0;
}

/**
 * torus_port_inject() - inject a fault into a device
 * @e: the engine, locked
 * @node: index of the node
 * @group: FIFO group
 * @fault: name of the fault
 * @value: irq-lost, dma-fault: number of the next interrupts or accesses to memory, 0 for none;
 *	irq-spurious: number of interrupts without a cause at each line; fifo-stuck: 1 or 0. NULL:
 *	1. For unplug: NULL
 * @why: [out] reason of a failure
 *
 * A new count replaces the old one.
 *
 * Return: 0; -EINVAL for an unknown fault or a group outside the machine; -ERANGE for a value;
 * -ENOENT if the group is no device; -ENODEV if the fault requires a driver, and there is none.
 */
int torus_port_inject(struct torus_engine *e, u32 node, u32 group, const char *fault,
		      const u64 *value, struct torus_error *why)
{
	const struct torus_inject_kind *kind = torus_inject_find(fault, why);
	struct torus_port_slot *slot;
	int err;

	lockdep_assert_held(&e->lock.mutex);
	if (!kind)
		return -EINVAL;
	err = torus_inject_check(kind, value, why);
	if (err)
		return err;
	if (group >= e->arch->groups)
		return torus_fail(why, EINVAL, "group %u: %s has groups 0 to %u", group,
				  e->arch->name, e->arch->groups - 1);
	slot = torus_port_slot_at(e, node, group);
	if (!slot || slot->gone)
		return torus_fail(why, ENOENT, "group %u of node %u is not a device", group,
				  torus_node_number(&e->geo, node));
	if (kind->bound && !slot->bound)
		return torus_fail(why, ENODEV, "%s: group %u of node %u has no driver", kind->name,
				  group, torus_node_number(&e->geo, node));
	return kind->apply(container_of(slot, struct torus_port_device, slot),
			   value ? (u32)*value : 1, why);
}
