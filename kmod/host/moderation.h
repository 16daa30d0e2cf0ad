/* SPDX-License-Identifier: GPL-2.0 */
/* Moderation of interrupts: timers that delay the status bits of a device. */
#ifndef TORUS_HOST_MODERATION_H
#define TORUS_HOST_MODERATION_H

#include <linux/hrtimer.h>
#include <linux/torus_port.h>
#include <linux/types.h>

struct torus_host_node;

/**
 * struct torus_host_delay - the timer of a cause
 * @timer: running while an event of the cause is delayed
 * @node: the device
 * @cause: enum torus_port_cause
 */
struct torus_host_delay {
	struct hrtimer timer;
	struct torus_host_node *node;
	u32 cause;
};

/**
 * struct torus_host_moderation - the timers of a device
 * @delay: a timer for each cause whose status bit can be delayed
 */
struct torus_host_moderation {
	struct torus_host_delay delay[TORUS_PORT_CAUSE_EVENTS];
};

void torus_host_moderation_init(struct torus_host_node *node);
void torus_host_moderation_stop(struct torus_host_node *node);
void torus_host_moderation_delay(struct torus_host_node *node, u32 cause, u32 microseconds);

#endif
