// SPDX-License-Identifier: GPL-2.0
/*
 * Packets between two marks of a capture. The module's threads record in parallel, so that records
 * arrive in no particular order. Sorting by the packets' fields gives the same file for any number
 * of domains.
 */
#include <stdlib.h>
#include <string.h>

#include "sort.h"
#include "capture.h"

static bool grow(void **memory, size_t *cap, size_t wanted, size_t size)
{
	size_t more = *cap ? *cap : 1024;
	void *larger;

	if (wanted <= *cap)
		return true;
	while (more < wanted)
		more *= 2;
	larger = realloc(*memory, more * size);
	if (!larger)
		return false;
	*memory = larger;
	*cap = more;
	return true;
}

/**
 * capture_batch_add - append a packet
 * @batch: packets so far
 * @record: record of type TORUS_CAPTURE_PACKET, copied
 *
 * Return: false if there is no memory.
 */
bool capture_batch_add(struct capture_batch *batch, const struct torus_capture_record *record)
{
	if (!grow((void **)&batch->data, &batch->cap, batch->bytes + record->bytes, 1) ||
	    !grow((void **)&batch->at, &batch->many, batch->count + 1, sizeof(*batch->at)))
		return false;
	memcpy(batch->data + batch->bytes, record, record->bytes);
	batch->at[batch->count++] = batch->bytes;
	batch->bytes += record->bytes;
	return true;
}

static const struct torus_wire *wire_at(const uint8_t *data, size_t at)
{
	return (const struct torus_wire *)(data + at + sizeof(struct torus_capture_record));
}

static int by(uint64_t x, uint64_t y)
{
	return (x > y) - (x < y);
}

static int wire_order(const void *a, const void *b, void *data)
{
	const struct torus_wire *x = wire_at(data, *(const size_t *)a);
	const struct torus_wire *y = wire_at(data, *(const size_t *)b);
	int order = by(x->tick, y->tick);

	/* a link starts at most one packet per tick */
	order = order ? order : by(x->node, y->node);
	return order ? order : by(x->dir, y->dir);
}

/* Sort the packets by tick, node and direction. */
void capture_batch_sort(struct capture_batch *batch)
{
	qsort_r(batch->at, batch->count, sizeof(*batch->at), wire_order, batch->data);
}

/**
 * capture_batch_packet - look up a packet of a sorted batch
 * @batch: sorted packets
 * @i: index in sorted order
 * @bytes: [out] bytes of the packet, owned by the batch
 * @captured: [out] number of captured bytes
 *
 * Return: the packet's description, owned by the batch.
 */
const struct torus_wire *capture_batch_packet(const struct capture_batch *batch, size_t i,
					      const uint8_t **bytes, uint32_t *captured)
{
	const struct torus_capture_record *record;
	const struct torus_wire *wire = wire_at(batch->data, batch->at[i]);

	record = (const struct torus_capture_record *)(batch->data + batch->at[i]);
	*bytes = (const uint8_t *)(wire + 1);
	*captured = record->captured;
	return wire;
}

/* Remove all packets and keep the memory for further ones. */
void capture_batch_clear(struct capture_batch *batch)
{
	batch->bytes = 0;
	batch->count = 0;
}

/* Remove all packets and free the memory. */
void capture_batch_free(struct capture_batch *batch)
{
	free(batch->data);
	free(batch->at);
	*batch = (struct capture_batch){ .count = 0 };
}
