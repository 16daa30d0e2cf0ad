// SPDX-License-Identifier: GPL-2.0
/* The timing wheel's cold half: blocks, and the search for the next tick. */
#include "core/base/wheel.h"

/**
 * torus_wheel_init() - an empty wheel at tick 0
 * @w: the wheel
 * @events: of a block, 1 to TORUS_BLOCK_EVENTS: about as many as a tick has
 */
void torus_wheel_init(struct torus_wheel *w, u32 events)
{
	memset(w, 0, sizeof(*w));
	w->events = events;
}

static size_t wheel_block_bytes(const struct torus_wheel *w)
{
	return offsetof(struct torus_block, ev) + w->events * sizeof(struct torus_event);
}

/**
 * torus_wheel_free() - give its memory back: it is empty at tick 0 again
 * @w: the wheel
 */
void torus_wheel_free(struct torus_wheel *w)
{
	struct torus_slab *slab;

	while ((slab = w->slabs)) {
		w->slabs = slab->next;
		torus_free_counted(slab, slab->bytes);
	}
	torus_wheel_init(w, w->events);
}

/* Small slabs first, then as much again as there is: a small domain is not to clear 2 MB. */
static size_t wheel_slab_next(const struct torus_wheel *w)
{
	size_t bytes = TORUS_SLAB_SMALL;

	while (bytes < TORUS_SLAB_LARGE && w->slab_bytes >= 8 * bytes)
		bytes *= 2;
	return bytes;
}

/* A block that has never been used; NULL when memory has run out. */
static struct torus_block *wheel_fresh(struct torus_wheel *w)
{
	struct torus_block *blk;

	if (!w->nfresh) {
		size_t bytes = wheel_slab_next(w);
		struct torus_slab *slab = torus_grow_counted(bytes);

		if (!slab) {
			w->failed = true;
			return NULL;
		}
		slab->next = w->slabs;
		w->slabs = slab;
		slab->bytes = bytes;
		w->slab_bytes += bytes;
		w->fresh = slab->block;
		w->nfresh = (bytes - sizeof(*slab)) / wheel_block_bytes(w);
	}
	blk = (struct torus_block *)w->fresh;
	w->fresh += wheel_block_bytes(w);
	w->nfresh--;
	return blk;
}

/**
 * torus_wheel_block() - a fresh block at the head of a list of bucket @b
 * @w: the wheel
 * @at: the list: of one lane
 * @b: the bucket
 *
 * Return: the block, or NULL when memory has run out (and failed is set).
 */
struct torus_block *torus_wheel_block(struct torus_wheel *w, struct torus_block **at, u32 b)
{
	struct torus_block *blk = w->free;

	if (torus_likely(blk)) {
		w->free = blk->next;
	} else {
		blk = wheel_fresh(w);
		if (!blk)
			return NULL;
	}
	blk->next = *at;
	blk->n = 0;
	*at = blk;
	w->occupied[b >> 6] |= 1ull << (b & 63);
	w->words |= 1u << (b >> 6);
	return blk;
}

/* Bytes that the wheel's blocks take. */
u64 torus_wheel_bytes(const struct torus_wheel *w)
{
	return w->slab_bytes;
}
