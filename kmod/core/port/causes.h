/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Causes of interrupts: status, enable, acknowledge, moderation.
 *
 * Three parties change causes at the same time. The fabric's thread, the timer and the accessor set
 * status bits. Except for a reset of the port, only the accessor clears them and changes the enable
 * bits. Status and enable are halves of one word that changes only by atomic operations. So for
 * each 0 to 1 change of a cause's AND, exactly one party finds the change in the result of its
 * operation, and sends the interrupt.
 */
#ifndef TORUS_CORE_PORT_CAUSES_H
#define TORUS_CORE_PORT_CAUSES_H

#include "core/platform.h"
#include <linux/torus_port.h>

struct torus_port;

#define TORUS_PORT_ENABLE_SHIFT		16	/* of the enable bits in torus_port_causes.word */

/**
 * struct torus_port_causes - state of a port's causes
 * @word: status bits, and enable bits from TORUS_PORT_ENABLE_SHIFT on
 * @moderation: registers MODERATION
 * @delayed: events since the status bit was set last, while their interrupt is delayed
 */
struct torus_port_causes {
	u32 word;
	u32 moderation[TORUS_PORT_CAUSE_EVENTS];
	u32 delayed[TORUS_PORT_CAUSE_EVENTS];
};

/**
 * torus_port_cause_set() - set the status bit of a cause
 * @port: the port; any context
 * @cause: enum torus_port_cause
 */
void torus_port_cause_set(struct torus_port *port, u32 cause);

/**
 * torus_port_cause_events() - report events of a cause, which moderation may delay
 * @port: the port; fabric's thread
 * @cause: enum torus_port_cause, below TORUS_PORT_CAUSE_EVENTS
 * @events: number of events
 */
void torus_port_cause_events(struct torus_port *port, u32 cause, u32 events);

/**
 * torus_port_expired() - a delay that torus_port_ops.delay started has passed
 * @port: the port; any context
 * @cause: argument of that operation
 */
void torus_port_expired(struct torus_port *port, u32 cause);

int torus_port_causes_read(struct torus_port *port, u32 reg, u32 index, u32 *value);
int torus_port_causes_write(struct torus_port *port, u32 reg, u32 index, u32 value);
void torus_port_causes_reset(struct torus_port *port);

#endif
