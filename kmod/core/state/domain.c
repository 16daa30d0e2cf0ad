// SPDX-License-Identifier: GPL-2.0
/* Domains: receptions of a tick, hot counters, pending work. */
#include "core/state/domain.h"

/**
 * torus_counters_fold() - add the hot counters to their 64-bit sums, and clear them
 * @d: the domain
 */
void torus_counters_fold(struct torus_domain *d)
{
	struct torus_fabric *f = d->f;
	size_t links = (size_t)d->count * f->dirs;
	u32 i, j, dir;

	if (!d->folded)
		d->folded = torus_grow(links * f->fold_stride * sizeof(u64));
	if (!d->folded) {
		d->failed = true;
		return;
	}
	for (i = 0; i < d->count; i++) {
		u32 node = torus_domain_nth(d, i);
		u32 *hot = d->hot + (size_t)node * f->dirs * f->hot_stride;
		u64 *folded = d->folded + (size_t)i * f->dirs * f->fold_stride;

		for (dir = 0; dir < f->dirs; dir++)
			for (j = 0; j < f->hot_stride; j++) {
				folded[dir * f->fold_stride + j] += hot[dir * f->hot_stride + j];
				hot[dir * f->hot_stride + j] = 0;
			}
		f->router->stalls_fold(d, node, folded);
	}
}

/**
 * torus_counters_look() - fold the hot counters if one of them could overflow soon
 * @d: the domain
 *
 * An event adds at most a packet's chunks to one counter. A counter below half of its range
 * therefore cannot overflow before the next check. Most runs end before a fold and need no memory
 * for 64-bit sums.
 */
void torus_counters_look(struct torus_domain *d)
{
	const struct torus_fabric *f = d->f;
	size_t stride = (size_t)f->dirs * f->hot_stride, j;
	u32 most = 0, i;

	for (i = 0; i < d->count; i++)
		for (j = 0; j < stride; j++) {
			u32 count = d->hot[torus_domain_nth(d, i) * stride + j];

			most = count > most ? count : most;
		}
	d->look_at = d->stats.events + TORUS_LOOK_EVENTS;
	if (most >= TORUS_FOLD_COUNT)
		torus_counters_fold(d);
}

int torus_received_init(struct torus_domain *d)
{
	if (d->received)
		return 0;
	/* a node has at most two reception buses per direction, and one reception per bus */
	d->received_cap = d->count * d->f->dirs * 2;
	d->received = torus_alloc((size_t)d->received_cap * sizeof(*d->received));
	return d->received ? 0 : -ENOMEM;
}
