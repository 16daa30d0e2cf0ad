// SPDX-License-Identifier: GPL-2.0
/* A FIFO for programmed I/O: packets between one producer and one consumer, without locks. */
#include "core/port/fifo.h"

static u32 fifo_chunks(u32 capacity)
{
	u32 chunks = 1;

	while (chunks < capacity)
		chunks *= 2;
	return chunks;
}

/* Return the memory of a FIFO in bytes, a multiple of 8. */
size_t torus_port_fifo_bytes(u32 capacity, u32 chunk_bytes)
{
	size_t chunks = fifo_chunks(capacity);

	return (chunks * chunk_bytes + chunks + 7) & ~(size_t)7;
}

/* Make an empty FIFO in @memory. Return the first byte after it. */
u8 *torus_port_fifo_init(struct torus_port_fifo *fifo, u32 capacity, u32 chunk_bytes, u8 *memory)
{
	u32 chunks = fifo_chunks(capacity);

	*fifo = (struct torus_port_fifo){
		.bytes = memory,
		.length = memory + (size_t)chunks * chunk_bytes,
		.chunks = chunks,
		.capacity = capacity,
		.chunk_bytes = chunk_bytes,
	};
	return memory + torus_port_fifo_bytes(capacity, chunk_bytes);
}

/* Append a packet; the FIFO has space. */
void torus_port_fifo_put(struct torus_port_fifo *fifo, const u8 *bytes, u32 chunks)
{
	u32 i;

	for (i = 0; i < chunks; i++)
		memcpy(torus_port_fifo_at(fifo, fifo->tail, i * fifo->chunk_bytes),
		       bytes + (size_t)i * fifo->chunk_bytes, fifo->chunk_bytes);
	torus_port_fifo_fill(fifo, chunks);
	torus_port_fifo_show(fifo, fifo->tail);
}

/* Copy the first packet, which stays in the FIFO. */
void torus_port_fifo_get(const struct torus_port_fifo *fifo, u8 *bytes)
{
	u32 chunks = torus_port_fifo_first(fifo), i;

	for (i = 0; i < chunks; i++)
		memcpy(bytes + (size_t)i * fifo->chunk_bytes,
		       torus_port_fifo_at(fifo, fifo->head, i * fifo->chunk_bytes),
		       fifo->chunk_bytes);
}
