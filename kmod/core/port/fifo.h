/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A FIFO for programmed I/O: packets between one producer and one consumer, without locks.
 *
 * Indices count chunks, modulo 2^32. Each side owns its index; the barriers are those of the rings
 * of <linux/torus.h>:
 *
 *	producer			consumer
 *
 *	LOAD.acq head	(A)		LOAD.acq shown	(C)
 *	STORE chunks			LOAD chunks
 *	STORE.rel shown	(B)		STORE.rel head	(D)
 *
 * (B) and (C): the consumer that sees @shown sees the chunks. (D) and (A): the producer that sees
 * the head overwrites no chunk that the consumer still loads. Usually @shown is the producer's
 * tail; see core/port/doorbell.h for the exception.
 */
#ifndef TORUS_CORE_PORT_FIFO_H
#define TORUS_CORE_PORT_FIFO_H

#include "core/platform.h"

/**
 * struct torus_port_fifo - a FIFO
 * @bytes: memory of @chunks chunks
 * @length: by chunk: length of the packet that begins there, in chunks
 * @chunks: length of the memory in chunks, a power of two
 * @capacity: maximum number of chunks in the FIFO
 * @chunk_bytes: bytes of a chunk
 * @tail: chunks that the producer has written; only the producer uses it
 * @shown: chunks that the consumer may read, at most @tail
 * @head: chunks that the consumer has read
 */
struct torus_port_fifo {
	u8 *bytes;
	u8 *length;
	u32 chunks;
	u32 capacity;
	u32 chunk_bytes;
	u32 tail;
	u32 shown;
	u32 head;
};

/* Return the number of free chunks; called by the producer. */
torus_inline u32 torus_port_fifo_space(const struct torus_port_fifo *fifo)
{
	return fifo->capacity - (fifo->tail - torus_load_acquire(&fifo->head));	/* (A) */
}

/* Return the number of chunks; called by the consumer. */
torus_inline u32 torus_port_fifo_level(const struct torus_port_fifo *fifo)
{
	return torus_load_acquire(&fifo->shown) - fifo->head;			/* (C) */
}

/* Return the chunks of the first packet; the FIFO is not empty. Called by the consumer. */
torus_inline u32 torus_port_fifo_first(const struct torus_port_fifo *fifo)
{
	return fifo->length[fifo->head & (fifo->chunks - 1)];
}

/* Find byte @at of the packet that begins at chunk @index. */
torus_inline u8 *torus_port_fifo_at(const struct torus_port_fifo *fifo, u32 index, u32 at)
{
	u32 chunk = (index + at / fifo->chunk_bytes) & (fifo->chunks - 1);

	return fifo->bytes + (size_t)chunk * fifo->chunk_bytes + at % fifo->chunk_bytes;
}

/* Append the packet of @chunks whose bytes were written from the tail on, but do not show it. */
torus_inline void torus_port_fifo_fill(struct torus_port_fifo *fifo, u32 chunks)
{
	fifo->length[fifo->tail & (fifo->chunks - 1)] = (u8)chunks;
	fifo->tail += chunks;
}

/* Let the consumer read the chunks before @tail. */
torus_inline void torus_port_fifo_show(struct torus_port_fifo *fifo, u32 tail)
{
	torus_store_release(&fifo->shown, tail);				/* (B) */
}

/* Remove the first packet. */
torus_inline void torus_port_fifo_remove(struct torus_port_fifo *fifo)
{
	u32 chunks = torus_port_fifo_first(fifo);

	torus_store_release(&fifo->head, fifo->head + chunks);			/* (D) */
}

size_t torus_port_fifo_bytes(u32 capacity, u32 chunk_bytes);
u8 *torus_port_fifo_init(struct torus_port_fifo *fifo, u32 capacity, u32 chunk_bytes, u8 *memory);
void torus_port_fifo_put(struct torus_port_fifo *fifo, const u8 *bytes, u32 chunks);
void torus_port_fifo_get(const struct torus_port_fifo *fifo, u8 *bytes);

#endif
