/* SPDX-License-Identifier: GPL-2.0 */
/* Faults of a device that an administrator injects, to test its driver. */
#ifndef TORUS_DEV_PORT_INJECT_H
#define TORUS_DEV_PORT_INJECT_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "core/error.h"

struct torus_engine;

/**
 * struct torus_port_faults - injected faults of a device
 * @irq_lost: number of the next interrupts that are lost
 * @dma_fault: number of the next accesses to DMA memory that fail
 * @fifo_stuck: no packet leaves the injection FIFOs and rings (engine.lock)
 *
 * They belong to the device: they stay if its driver is unbound, and end with the device.
 */
struct torus_port_faults {
	atomic_t irq_lost;
	atomic_t dma_fault;
	bool fifo_stuck;
};

/* Check whether a fault occurs now, and count it. Any context. */
static inline bool torus_port_fault_occurs(atomic_t *left)
{
	return atomic_read(left) && atomic_dec_if_positive(left) >= 0;
}

int torus_port_inject(struct torus_engine *e, u32 node, u32 group, const char *fault,
		      const u64 *value, struct torus_error *why);

#endif
