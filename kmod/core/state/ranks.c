// SPDX-License-Identifier: GPL-2.0
/* What ranks tell each other of their domains. */
#include "core/state/ranks.h"
#include "core/state/domain.h"

/**
 * torus_ranks_publish() - what the other ranks need to know of this one's domains
 * @f: the fabric
 * @parity: of the window that has ended
 * @own: out: it
 */
void torus_ranks_publish(const struct torus_fabric *f, u32 parity, struct torus_published *own)
{
	u32 i;

	*own = (struct torus_published){ .next_at = ~0ull };
	for (i = f->own_first; i < f->own_end; i++) {
		const struct torus_domain *d = &f->domain[i];

		if (d->next_at[parity] < own->next_at)
			own->next_at = d->next_at[parity];
		if (d->done > own->done)
			own->done = d->done;
		own->failed |= d->failed;
		own->working |= d->working[parity];
		own->woken |= d->woken[parity];
	}
}

/**
 * torus_ranks_learn() - what another rank has published
 * @f: the fabric
 * @rank: that rank
 * @parity: of the window that has ended
 * @p: what it published
 *
 * The first of its domains stands for all.
 */
void torus_ranks_learn(struct torus_fabric *f, u32 rank, u32 parity,
		       const struct torus_published *p)
{
	u32 each = f->ndomains / f->cfg.ranks->count, i;
	struct torus_domain *d = &f->domain[rank * each];

	for (i = 1; i < each; i++)
		d[i].next_at[parity] = ~0ull;
	d->next_at[parity] = p->next_at;
	d->done = p->done;
	d->failed = p->failed;
	d->working[parity] = p->working;
	d->woken[parity] = p->woken;
}

/**
 * torus_ranks_sum() - the sums of what each rank has
 * @f: the fabric
 * @values: of this rank; gets the sums, modulo 2^64
 * @n: how many
 *
 * Without other ranks they are that already.
 */
void torus_ranks_sum(const struct torus_fabric *f, u64 *values, size_t n)
{
	struct torus_ranks *ranks = f->cfg.ranks;
	const u64 *all;
	size_t got, i;
	u32 rank;

	if (!ranks)
		return;
	all = ranks->pass(ranks, values, n * sizeof(*values), &got);
	memset(values, 0, n * sizeof(*values));
	for (rank = 0; rank < ranks->count; rank++)
		for (i = 0; i < n; i++)
			values[i] += *all++;
}

/**
 * torus_ranks_sum_one() - the same of one number
 * @f: the fabric
 * @value: of this rank
 *
 * Return: the sum.
 */
u64 torus_ranks_sum_one(const struct torus_fabric *f, u64 value)
{
	torus_ranks_sum(f, &value, 1);
	return value;
}

/**
 * torus_ranks_most() - the most that any rank has
 * @f: the fabric
 * @value: of this rank
 *
 * Return: the most of all.
 */
u64 torus_ranks_most(const struct torus_fabric *f, u64 value)
{
	struct torus_ranks *ranks = f->cfg.ranks;
	const u64 *all;
	size_t got;
	u32 rank;

	if (!ranks)
		return value;
	all = ranks->pass(ranks, &value, sizeof(value), &got);
	for (rank = 0; rank < ranks->count; rank++)
		if (all[rank] > value)
			value = all[rank];
	return value;
}

/**
 * torus_ranks_alloc() - memory for what all ranks do together
 * @f: the fabric
 * @bytes: how much
 *
 * Return: the memory, zeroed; NULL, but of several ranks this one ends, and with it the others,
 * which would be told of something else than they wait for.
 */
void *torus_ranks_alloc(const struct torus_fabric *f, size_t bytes)
{
	void *p = torus_alloc(bytes);

	if (!p && f->cfg.ranks)
		f->cfg.ranks->no_memory(f->cfg.ranks);
	return p;
}

/* What a rank has counted, and whether it has anything to simulate. */
struct torus_counted {
	struct torus_stats stats;
	u64 working;
};

/**
 * torus_ranks_init() - room for what ranks tell each other between two runs
 * @f: the fabric
 *
 * Return: 0 or -ENOMEM.
 */
int torus_ranks_init(struct torus_fabric *f)
{
	if (f->cfg.ranks)
		f->counted = torus_alloc(sizeof(*f->counted));
	return !f->cfg.ranks || f->counted ? 0 : -ENOMEM;
}

/* Give it back. */
void torus_ranks_free(struct torus_fabric *f)
{
	torus_free(f->counted, sizeof(*f->counted));
}

/**
 * torus_ranks_count() - between two runs: what each rank has counted
 * @f: the fabric
 *
 * From here on the sum over all domains has the statistics of all ranks.
 */
void torus_ranks_count(struct torus_fabric *f)
{
	struct torus_ranks *ranks = f->cfg.ranks;
	const struct torus_counted *all;
	size_t got;
	u32 i;

	if (!ranks)
		return;
	memset(f->counted, 0, sizeof(*f->counted));
	torus_stats_add_up(f, f->own_first, f->own_end, &f->counted->stats);
	for (i = f->own_first; i < f->own_end; i++)
		f->counted->working |= torus_domain_working(&f->domain[i]);
	all = ranks->pass(ranks, f->counted, sizeof(*f->counted), &got);
	for (i = 0; i < ranks->count; i++) {
		struct torus_domain *d = &f->domain[i * (f->ndomains / ranks->count)];

		if (i == ranks->rank)
			continue;
		d->stats = all[i].stats;
		d->working[0] = all[i].working;
	}
}
