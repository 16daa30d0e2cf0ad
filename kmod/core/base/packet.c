// SPDX-License-Identifier: GPL-2.0
/* Pools of packets and of bodies. */
#include "core/base/packet.h"

/* Segments that the first table has room for. */
#define SEGMENTS_FIRST	64

#define SEGMENT_BYTES	((size_t)TORUS_GRAIN << TORUS_SEGMENT_BITS)

/**
 * torus_pool_init() - an empty pool, of narrow packets
 * @pool: the pool
 *
 * Return: 0 or -ENOMEM.
 */
int torus_pool_init(struct torus_pool *pool)
{
	memset(pool, 0, sizeof(*pool));
	pool->free = TORUS_NONE;
	pool->grains = TORUS_PACKET_NARROW;
	pool->room = SEGMENTS_FIRST;
	pool->segment = torus_alloc(pool->room * sizeof(*pool->segment));
	return pool->segment ? 0 : -ENOMEM;
}

/**
 * torus_pool_clear() - give the packets' memory back, stay usable
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
 * torus_pool_widen() - its packets have all members from now on
 * @pool: the pool
 *
 * Those that are in use stay what they are, and where they are.
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

/**
 * torus_pool_free() - give its memory back
 * @pool: the pool
 */
void torus_pool_free(struct torus_pool *pool)
{
	if (!pool->segment)
		return;
	torus_pool_clear(pool);
	torus_free(pool->segment, pool->room * sizeof(*pool->segment));
	memset(pool, 0, sizeof(*pool));
}

/* Only the pool's own thread reads the table: it may move. */
static bool pool_table_grow(struct torus_pool *pool)
{
	u8 **more = torus_grow(2 * pool->room * sizeof(*more));

	if (!more)
		return false;
	memcpy(more, pool->segment, pool->room * sizeof(*more));
	torus_free(pool->segment, pool->room * sizeof(*more));
	pool->segment = more;
	pool->room *= 2;
	return true;
}

/* One segment more; false when memory has run out. */
static bool pool_grow(struct torus_pool *pool)
{
	u8 *segment;

	if (pool->segments == TORUS_SEGMENTS_MAX ||
	    (pool->segments == pool->room && !pool_table_grow(pool)))
		return false;
	segment = torus_grow_counted(SEGMENT_BYTES);
	if (!segment)
		return false;
	pool->segment[pool->segments++] = segment;
	return true;
}

/**
 * torus_pool_fresh() - a packet that has never been used
 * @pool: the pool, in which no other is free
 *
 * Return: its index, TORUS_NONE when memory has run out.
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
 * @kept: number of packets that it leaves to others if memory is scarce; 0: it takes the last
 * @owed: bytes that packets in flight may need elsewhere
 *
 * Return: true if torus_pool_get() has one.
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

/* Bytes that the pool takes. */
u64 torus_pool_bytes(const struct torus_pool *pool)
{
	return (u64)pool->segments * SEGMENT_BYTES +
	       pool->room * sizeof(*pool->segment);
}

/**
 * torus_body_stride() - memory that a body takes
 * @bytes: length of the longest packet
 *
 * Return: bytes.
 */
u32 torus_body_stride(u32 bytes)
{
	return (u32)(sizeof(struct torus_body) + bytes + 7) & ~7u;
}

/**
 * torus_bodies_init() - no bodies yet
 * @b: the pool
 * @bytes: length of the longest packet
 *
 * Return: 0; memory is taken when the first body is.
 */
int torus_bodies_init(struct torus_bodies *b, u32 bytes)
{
	memset(b, 0, sizeof(*b));
	b->free = TORUS_NONE;
	b->stride = torus_body_stride(bytes);
	return 0;
}

/**
 * torus_bodies_free() - give the memory back
 * @b: the pool
 */
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

/* More bodies; false when memory has run out. */
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
 * @b: the pool
 * @kept: number of bodies that it leaves to others if memory is scarce; 0: it takes the last
 * @owed: bytes that packets in flight may need elsewhere
 *
 * Return: true if torus_bodies_get() has one.
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

/* Bytes that the bodies take. */
u64 torus_bodies_bytes(const struct torus_bodies *b)
{
	u64 bytes = (u64)b->segments * b->stride * TORUS_BODY_SEGMENT;

	return b->segment ? bytes + TORUS_BODY_SEGMENTS_MAX * sizeof(*b->segment) : 0;
}
