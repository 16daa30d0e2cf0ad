// SPDX-License-Identifier: GPL-2.0
/* Reception FIFOs for programmed I/O: packets of the fabric become words. */
#include "core/port/port.h"
#include "core/port/receive_fifo.h"

#define WORD_BYTES	4u

bool torus_port_receive_push(struct torus_port *port, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct torus_port_fifo *q = &port->receive[fifo].fifo;

	if (torus_port_fifo_space(q) < chunks) {
		/*
		 * Set the bit, then load the head again. receive_remove() stores the head, then
		 * clears the bit. Both change @full by an atomic operation. If ours is first, the
		 * accessor finds the bit and requests a poll; if ours is second, it has acquired
		 * the new head.
		 */
		torus_fetch_or(&port->full, 1u << fifo);
		if (torus_port_fifo_space(q) < chunks)
			return false;
	}
	torus_port_fifo_put(q, bytes, chunks);
	torus_port_cause_events(port, TORUS_PORT_CAUSE_RECEIVE, 1);
	return true;
}

/* Remove the first packet, all of whose words were read. */
static void receive_remove(struct torus_port *port, u32 fifo)
{
	struct torus_port_receive *receive = &port->receive[fifo];

	receive->words = 0;
	torus_port_fifo_remove(&receive->fifo);
	/* See torus_port_receive_push(). */
	if (torus_fetch_and(&port->full, ~(1u << fifo)) >> fifo & 1)
		port->ops->poll(port->owner);
}

int torus_port_receive_data(struct torus_port *port, u32 fifo, u32 *word)
{
	struct torus_port_receive *receive = &port->receive[fifo];
	const u8 *at;

	if (!torus_port_fifo_level(&receive->fifo)) {
		torus_port_read_empty(port);
		return -ENODATA;
	}
	at = torus_port_fifo_at(&receive->fifo, receive->fifo.head, receive->words * WORD_BYTES);
	*word = at[0] | (u32)at[1] << 8 | (u32)at[2] << 16 | (u32)at[3] << 24;
	receive->words++;
	if (receive->words * WORD_BYTES ==
	    torus_port_fifo_first(&receive->fifo) * receive->fifo.chunk_bytes)
		receive_remove(port, fifo);
	return 0;
}

int torus_port_receive_read(struct torus_port *port, u32 reg, u32 fifo, u32 *value)
{
	const struct torus_port_receive *receive = &port->receive[fifo];
	u32 level = torus_port_fifo_level(&receive->fifo);

	switch (reg) {
	case TORUS_PORT_LEVEL:
		*value = level;
		return 0;
	case TORUS_PORT_WORDS:
		*value = level ? torus_port_fifo_first(&receive->fifo) * receive->fifo.chunk_bytes /
				 WORD_BYTES - receive->words : 0;
		return 0;
	}
	return -EIO;
}

u32 torus_port_receive_readable(const struct torus_port *port)
{
	u32 mask = 0, i;

	for (i = 0; i < port->arch->receive_fifos; i++)
		if (torus_port_fifo_level(&port->receive[i].fifo))
			mask |= 1u << i;
	return mask;
}
