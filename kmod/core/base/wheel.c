// SPDX-License-Identifier: GPL-2.0
/* Rarely called functions of the timing wheel: memory and blocks. */
#include "core/base/wheel.h"

/**
 * torus_wheel_init() - initialize an empty wheel at tick 0
 * @w: the wheel
 * @events: capacity of a block, 1 to TORUS_BLOCK_EVENTS: about the number of events of a tick
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

/* Free the memory of the wheel, and reset it to tick 0. */
void torus_wheel_free(struct torus_wheel *w)
{
	struct torus_slab *slab;

	while ((slab = w->slabs)) {
		w->slabs = slab->next;
		torus_free_counted(slab, slab->bytes);
	}
	torus_wheel_init(w, w->events);
}

/*
 * Choose the size of the next slab: an eighth to a quarter of the present memory, but at least
 * TORUS_SLAB_SMALL and at most TORUS_SLAB_LARGE. Small domains start with small slabs: clearing
 * 2 MB would cost them too much time.
 */
static size_t wheel_slab_next(const struct torus_wheel *w)
{
	size_t bytes = TORUS_SLAB_SMALL;

	while (bytes < TORUS_SLAB_LARGE && w->slab_bytes >= 8 * bytes)
		bytes *= 2;
	return bytes;
}

/* Take a block that has never been used; NULL if memory is exhausted. */
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
 * torus_wheel_block() - add an empty block at the head of a list of bucket @b
 * @w: the wheel
 * @at: [in, out] list of one lane
 * @b: index of the bucket
 *
 * Return: the block, or NULL if memory is exhausted (and @w->failed is set).
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

/* Memory that the wheel's blocks occupy, in bytes. */
u64 torus_wheel_bytes(const struct torus_wheel *w)
{
	return w->slab_bytes;
}
