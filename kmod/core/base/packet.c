// SPDX-License-Identifier: GPL-2.0
/* Pools of packets, and pools of bodies. */
#include "core/base/packet.h"

/* Initial capacity of a pool's segment table. */
#define SEGMENTS_FIRST	64

#define SEGMENT_BYTES	((size_t)TORUS_GRAIN << TORUS_SEGMENT_BITS)

/**
 * torus_pool_init() - initialize an empty pool of narrow packets
 * @pool: the pool
 *
 * Return: 0 or -ENOMEM.
 */
int torus_pool_init(struct torus_pool *pool)
{
	memset(pool, 0, sizeof(*pool));
	pool->free = TORUS_NONE;
	pool->grains = TORUS_PACKET_NARROW;
	pool->cap = SEGMENTS_FIRST;
	pool->segment = torus_alloc(pool->cap * sizeof(*pool->segment));
	return pool->segment ? 0 : -ENOMEM;
}

/**
 * torus_pool_clear() - free the memory of all packets; the pool stays usable
 * @pool: the pool
 */
void torus_pool_clear(struct torus_pool *pool)
{
	u32 i;

	for (i = 0; i < pool->segments; i++)
		torus_free_counted(pool->segment[i], SEGMENT_BYTES);
	pool->segments = 0;
	pool->free = TORUS_NONE;
	pool->fresh = 0;
	pool->used = 0;
	pool->wide_from = 0;
}

/**
 * torus_pool_widen() - make all packets wide that are allocated from now on
 * @pool: the pool
 *
 * Packets in use stay narrow and do not move.
 */
void torus_pool_widen(struct torus_pool *pool)
{
	if (pool->grains == TORUS_PACKET_WIDE)
		return;
	pool->grains = TORUS_PACKET_WIDE;
	pool->free = TORUS_NONE;
	pool->fresh = pool->segments << TORUS_SEGMENT_BITS;
	pool->wide_from = pool->fresh;
}

/* Free all memory of a pool, also the segment table. */
void torus_pool_free(struct torus_pool *pool)
{
	if (!pool->segment)
		return;
	torus_pool_clear(pool);
	torus_free(pool->segment, pool->cap * sizeof(*pool->segment));
	memset(pool, 0, sizeof(*pool));
}

/* Double the segment table. The table may move, because only the pool's own thread reads it. */
static bool pool_table_grow(struct torus_pool *pool)
{
	u8 **more = torus_grow(2 * pool->cap * sizeof(*more));

	if (!more)
		return false;
	memcpy(more, pool->segment, pool->cap * sizeof(*more));
	torus_free(pool->segment, pool->cap * sizeof(*more));
	pool->segment = more;
	pool->cap *= 2;
	return true;
}

/* Add a segment; false if memory is exhausted. */
static bool pool_grow(struct torus_pool *pool)
{
	u8 *segment;

	if (pool->segments == TORUS_SEGMENTS_MAX ||
	    (pool->segments == pool->cap && !pool_table_grow(pool)))
		return false;
	segment = torus_grow_counted(SEGMENT_BYTES);
	if (!segment)
		return false;
	pool->segment[pool->segments++] = segment;
	return true;
}

/**
 * torus_pool_fresh() - take a packet that has never been used
 * @pool: pool whose free list is empty
 *
 * Return: index of the packet, or TORUS_NONE if memory is exhausted.
 */
u32 torus_pool_fresh(struct torus_pool *pool)
{
	u32 end = pool->segments << TORUS_SEGMENT_BITS, i = pool->fresh;

	if (end - i < pool->grains) {
		if (!pool_grow(pool))
			return TORUS_NONE;
		i = end;
	}
	pool->used++;
	pool->fresh = i + pool->grains;
	return i;
}

static bool pool_has(const struct torus_pool *pool)
{
	return pool->free != TORUS_NONE ||
	       (pool->segments << TORUS_SEGMENT_BITS) - pool->fresh >= pool->grains;
}

/**
 * torus_pool_supply() - make sure that there is a free packet for a request that can wait
 * @pool: the pool
 * @kept: number of free packets that this request must leave to other requests if memory is scarce;
 *   0: the request may take the last free packet
 * @owed: bytes that packets in flight may need elsewhere
 *
 * Return: true if torus_pool_get() will return a packet.
 */
bool torus_pool_supply(struct torus_pool *pool, u32 kept, u64 owed)
{
	u32 end = pool->segments << TORUS_SEGMENT_BITS;

	if (kept ? torus_pool_room(pool) > kept : pool_has(pool))
		return true;
	if (kept && !torus_growth_spare(SEGMENT_BYTES + owed))
		return false;
	if (pool_has(pool))
		return true;
	if (!pool_grow(pool))
		return false;
	pool->fresh = end;
	return true;
}

/* Memory that the pool occupies, in bytes. */
u64 torus_pool_bytes(const struct torus_pool *pool)
{
	return (u64)pool->segments * SEGMENT_BYTES +
	       pool->cap * sizeof(*pool->segment);
}

/**
 * torus_body_stride() - compute the size of a body in memory
 * @bytes: length of the longest packet
 */
u32 torus_body_stride(u32 bytes)
{
	return (u32)(sizeof(struct torus_body) + bytes + 7) & ~7u;
}

/**
 * torus_bodies_init() - initialize an empty pool of bodies
 * @b: the pool of bodies
 * @bytes: length of the longest packet
 *
 * Return: 0: the first body allocates memory.
 */
int torus_bodies_init(struct torus_bodies *b, u32 bytes)
{
	memset(b, 0, sizeof(*b));
	b->free = TORUS_NONE;
	b->stride = torus_body_stride(bytes);
	return 0;
}

/* Free all memory of a pool of bodies. */
void torus_bodies_free(struct torus_bodies *b)
{
	u32 i;

	if (!b->segment)
		return;
	for (i = 0; i < b->segments; i++)
		torus_free_counted(b->segment[i], (size_t)b->stride * TORUS_BODY_SEGMENT);
	torus_free(b->segment, TORUS_BODY_SEGMENTS_MAX * sizeof(*b->segment));
	b->segment = NULL;
	b->segments = 0;
}

/* Add a segment of bodies to the free list; false if memory is exhausted. */
bool torus_bodies_grow(struct torus_bodies *b)
{
	u32 base = b->segments << TORUS_BODY_SEGMENT_BITS;
	u32 i;

	if (!b->segment)
		b->segment = torus_grow(TORUS_BODY_SEGMENTS_MAX * sizeof(*b->segment));
	if (!b->segment || b->segments == TORUS_BODY_SEGMENTS_MAX)
		return false;
	b->segment[b->segments] = torus_grow_counted((size_t)b->stride * TORUS_BODY_SEGMENT);
	if (!b->segment[b->segments])
		return false;
	b->segments++;
	for (i = TORUS_BODY_SEGMENT; i--;) {
		torus_body_at(b, base + i)->next_free = b->free;
		b->free = base + i;
	}
	return true;
}

/**
 * torus_bodies_supply() - make sure that there is a free body for a request that can wait
 * @b: the pool of bodies
 * @kept: number of free bodies that this request must leave to other requests if memory is scarce;
 *   0: the request may take the last free body
 * @owed: bytes that packets in flight may need elsewhere
 *
 * Return: true if torus_bodies_get() will return a body.
 */
bool torus_bodies_supply(struct torus_bodies *b, u32 kept, u64 owed)
{
	u32 room = torus_bodies_room(b);

	if (torus_likely(room > kept))
		return true;
	if (kept && !torus_growth_spare((u64)b->stride * TORUS_BODY_SEGMENT + owed))
		return false;
	return room || torus_bodies_grow(b);
}

/* Memory that the bodies occupy, in bytes. */
u64 torus_bodies_bytes(const struct torus_bodies *b)
{
	u64 bytes = (u64)b->segments * b->stride * TORUS_BODY_SEGMENT;

	return b->segment ? bytes + TORUS_BODY_SEGMENTS_MAX * sizeof(*b->segment) : 0;
}
