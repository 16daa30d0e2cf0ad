// SPDX-License-Identifier: GPL-2.0
/* Causes of interrupts: status, enable, acknowledge, moderation. */
#include "core/port/causes.h"
#include "core/port/port.h"

static void causes_interrupt(struct torus_port *port, u32 causes)
{
	if (torus_load(&port->dead))
		return;
	for (; causes; causes &= causes - 1)
		port->ops->interrupt(port->owner, torus_ctz(causes));
}

void torus_port_cause_set(struct torus_port *port, u32 cause)
{
	u32 bit = 1u << cause, old;

	/*
	 * Pairs with the acknowledgement, which is atomic, too: a driver that acknowledges this bit
	 * and then loads the index of a FIFO or ring sees all that was stored before.
	 */
	old = torus_fetch_or(&port->causes.word, bit);
	if (!(old & bit) && old >> TORUS_PORT_ENABLE_SHIFT & bit)
		causes_interrupt(port, bit);
}

/* Set the status bit of a cause if events were delayed. */
static void causes_flush(struct torus_port *port, u32 cause)
{
	/* The events of the old count were stored before the count. */
	if (torus_exchange(&port->causes.delayed[cause], 0))
		torus_port_cause_set(port, cause);
}

void torus_port_cause_events(struct torus_port *port, u32 cause, u32 events)
{
	u32 moderation = torus_load(&port->causes.moderation[cause]), old;
	u32 microseconds = moderation & TORUS_PORT_MODERATION_MICROSECONDS;
	u32 packets = moderation >> TORUS_PORT_MODERATION_PACKETS_SHIFT;

	if (torus_likely(!microseconds)) {
		torus_port_cause_set(port, cause);
		return;
	}
	/* Store the events before the count that causes_flush() exchanges. */
	old = torus_fetch_add(&port->causes.delayed[cause], events);
	if (packets && old + events >= packets)
		causes_flush(port, cause);
	else if (!old && !torus_load(&port->dead))
		port->ops->delay(port->owner, cause, microseconds);
}

void torus_port_expired(struct torus_port *port, u32 cause)
{
	causes_flush(port, cause);
}

int torus_port_causes_read(struct torus_port *port, u32 reg, u32 index, u32 *value)
{
	u32 word = torus_load(&port->causes.word);

	switch (reg) {
	case TORUS_PORT_STATUS:
		*value = word & ((1u << TORUS_PORT_ENABLE_SHIFT) - 1);
		return 0;
	case TORUS_PORT_ENABLE:
		*value = word >> TORUS_PORT_ENABLE_SHIFT;
		return 0;
	case TORUS_PORT_MODERATION:
		*value = torus_load(&port->causes.moderation[index]);
		return 0;
	}
	return -EIO;
}

/* Change the enable bits to @enable: an interrupt for each pending cause that is enabled newly. */
static void causes_enable(struct torus_port *port, u32 enable)
{
	u32 old;

	torus_fetch_and(&port->causes.word, ~(~enable << TORUS_PORT_ENABLE_SHIFT));
	old = torus_fetch_or(&port->causes.word, enable << TORUS_PORT_ENABLE_SHIFT);
	causes_interrupt(port, old & enable & ~(old >> TORUS_PORT_ENABLE_SHIFT));
}

int torus_port_causes_write(struct torus_port *port, u32 reg, u32 index, u32 value)
{
	switch (reg) {
	case TORUS_PORT_ENABLE:
		causes_enable(port, value);
		return 0;
	case TORUS_PORT_ACKNOWLEDGE:
		/* See torus_port_cause_set(). */
		torus_fetch_and(&port->causes.word, ~value);
		return 0;
	case TORUS_PORT_MODERATION:
		torus_store(&port->causes.moderation[index], value);
		/* Events that the old value delays would wait for its timer. */
		causes_flush(port, index);
		return 0;
	}
	return -EIO;
}

/* Clear all registers of causes; the fabric's thread owns the port. */
void torus_port_causes_reset(struct torus_port *port)
{
	u32 i;

	/* A delay that still runs finds no events when it has passed. */
	for (i = 0; i < TORUS_PORT_CAUSE_EVENTS; i++) {
		torus_store(&port->causes.moderation[i], 0);
		torus_exchange(&port->causes.delayed[i], 0);
	}
	torus_fetch_and(&port->causes.word, 0);
}
