// SPDX-License-Identifier: GPL-2.0
/* Domains: receptions of a tick, hot counters, and whether anything is left to do. */
#include "core/state/domain.h"

/**
 * torus_counters_fold() - move the hot counters into 64 bits
 * @d: the domain
 */
void torus_counters_fold(struct torus_domain *d)
{
	struct torus_fabric *f = d->f;
	size_t links = (size_t)d->count * f->dirs, i;
	u32 j, node;

	d->fold_at = d->tally.events + TORUS_FOLD_EVENTS;
	if (!d->folded)
		d->folded = torus_alloc(links * f->fold_stride * sizeof(u64));
	if (!d->folded) {
		d->failed = true;
		return;
	}
	for (i = 0; i < links; i++)
		for (j = 0; j < f->hot_stride; j++) {
			d->folded[i * f->fold_stride + j] += d->hot[i * f->hot_stride + j];
			d->hot[i * f->hot_stride + j] = 0;
		}
	for (node = 0; node < d->count; node++)
		f->router->stalls_fold(d, d->first + node, d->folded +
					     (size_t)node * f->dirs * f->fold_stride);
}

int torus_received_init(struct torus_domain *d)
{
	if (d->received)
		return 0;
	/* at most one a bus */
	d->received_room = d->count * d->f->dirs * 2;
	d->received = torus_alloc((size_t)d->received_room * sizeof(*d->received));
	return d->received ? 0 : -ENOMEM;
}

bool torus_domain_working(const struct torus_domain *d)
{
	if (d->faults_pending && (d->links_parked || d->tokens_waiting))
		return true;
	return d->wheel.pending > d->faults_pending || d->again_at != ~0ull || d->mail_at != ~0ull;
}
