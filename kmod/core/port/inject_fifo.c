// SPDX-License-Identifier: GPL-2.0
/* Injection FIFOs for programmed I/O: words become packets, packets go to the fabric. */
#include "core/port/doorbell.h"
#include "core/port/inject_fifo.h"
#include "core/port/port.h"

#define WORD_BYTES	4u

static void inject_store(u8 *at, u32 word)
{
	at[0] = (u8)word;
	at[1] = (u8)(word >> 8);
	at[2] = (u8)(word >> 16);
	at[3] = (u8)(word >> 24);
}

/*
 * Compute the length of a packet in chunks from its header. A header without a valid size is a
 * packet by itself, of the minimum length: the core rejects it.
 */
static u32 inject_chunks(const struct torus_port *port, const struct torus_port_inject *inject,
			 bool *valid)
{
	u8 bytes[TORUS_PORT_HEADER_WORDS * WORD_BYTES];
	u32 chunks, i;

	for (i = 0; i < TORUS_PORT_HEADER_WORDS; i++)
		inject_store(bytes + i * WORD_BYTES, inject->header[i]);
	chunks = port->arch->size(bytes);
	*valid = chunks && chunks <= port->arch->packet_chunks_max;
	if (*valid)
		return chunks;
	return (port->arch->header_bytes + port->arch->chunk_bytes - 1) / port->arch->chunk_bytes;
}

/* The header of a packet is complete: find the packet's length, and space for the packet. */
static void inject_begin(struct torus_port *port, struct torus_port_inject *inject)
{
	struct torus_port_fifo *fifo = &inject->fifo;
	u32 chunks, i;
	bool valid;

	chunks = inject_chunks(port, inject, &valid);
	inject->total = valid ? chunks * port->arch->chunk_bytes / WORD_BYTES : inject->words;
	inject->ignored = torus_port_fifo_space(fifo) < chunks;
	if (inject->ignored) {
		torus_port_write_full(port);
		return;
	}
	if (!valid)
		for (i = 0; i < chunks; i++)
			memset(torus_port_fifo_at(fifo, fifo->tail, i * fifo->chunk_bytes), 0,
			       fifo->chunk_bytes);
	for (i = 0; i < inject->words; i++)
		inject_store(torus_port_fifo_at(fifo, fifo->tail, i * WORD_BYTES),
			     inject->header[i]);
}

/* The last word of a packet was written: let the fabric take the packet. */
static void inject_end(struct torus_port *port, u32 fifo)
{
	struct torus_port_inject *inject = &port->inject[fifo];
	u32 chunks = (inject->total * WORD_BYTES + port->arch->chunk_bytes - 1) /
		     port->arch->chunk_bytes;

	inject->words = 0;
	inject->total = 0;
	if (inject->ignored)
		return;
	torus_port_fifo_fill(&inject->fifo, chunks);
	torus_port_offer(port, fifo, inject->fifo.tail);
}

int torus_port_inject_write(struct torus_port *port, u32 fifo, u32 word)
{
	struct torus_port_inject *inject = &port->inject[fifo];
	int ret;

	if (inject->total) {
		if (!inject->ignored)
			inject_store(torus_port_fifo_at(&inject->fifo, inject->fifo.tail,
							inject->words * WORD_BYTES), word);
		inject->words++;
	} else {
		if (!inject->words)
			memset(inject->header, 0, sizeof(inject->header));
		inject->ignored = false;
		inject->header[inject->words++] = word;
		if (inject->words * WORD_BYTES >= port->arch->header_bytes)
			inject_begin(port, inject);
	}
	ret = inject->ignored ? -ENOSPC : 0;
	if (inject->total && inject->words == inject->total)
		inject_end(port, fifo);
	return ret;
}

int torus_port_inject_read(struct torus_port *port, u32 reg, u32 fifo, u32 *value)
{
	const struct torus_port_inject *inject = &port->inject[fifo];
	u32 header = (port->arch->header_bytes + WORD_BYTES - 1) / WORD_BYTES;

	switch (reg) {
	case TORUS_PORT_SPACE:
		*value = torus_port_fifo_space(&inject->fifo);
		return 0;
	case TORUS_PORT_MISSING:
		*value = inject->words ? (inject->total ? : header) - inject->words : 0;
		return 0;
	case TORUS_PORT_REJECTED:
		*value = torus_load(&inject->rejected);
		return 0;
	}
	return -EIO;
}

u32 torus_port_inject_pull(struct torus_port_inject *inject, u32 room, u8 *bytes, u32 *number)
{
	struct torus_port_fifo *fifo = &inject->fifo;
	u32 chunks;

	if (!torus_port_fifo_level(fifo))
		return 0;
	chunks = torus_port_fifo_first(fifo);
	if (chunks > room)
		return 0;
	torus_port_fifo_get(fifo, bytes);
	*number = inject->number & TORUS_PORT_LOSS_PACKET_NUMBER;
	return chunks;
}

void torus_port_inject_accepted(struct torus_port_inject *inject)
{
	inject->number++;
	torus_port_fifo_remove(&inject->fifo);
}

void torus_port_inject_refused(struct torus_port_inject *inject, u32 code)
{
	u32 count = (inject->rejected >> TORUS_PORT_REJECTED_COUNT_SHIFT) + 1;

	/* Store the code before the head, by which the driver sees that the packet was taken. */
	torus_store(&inject->rejected, code | (count << TORUS_PORT_REJECTED_COUNT_SHIFT &
					       TORUS_PORT_REJECTED_COUNT));
	torus_port_inject_accepted(inject);
}
