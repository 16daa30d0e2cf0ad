// SPDX-License-Identifier: GPL-2.0
/* Exchange of summaries and sums between the processes that simulate a fabric. */
#include "core/state/procs.h"
#include "core/state/domain.h"

/**
 * torus_procs_summarize() - summarize this process's domains for the others
 * @f: the fabric
 * @parity: parity of the window that has ended
 * @own: [out] the summary
 */
void torus_procs_summarize(const struct torus_fabric *f, u32 parity,
			   struct torus_window_summary *own)
{
	u32 i;

	*own = (struct torus_window_summary){ .next_at = ~0ull };
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
 * torus_procs_receive() - store the summary of another process
 * @f: the fabric
 * @proc: index of the other process
 * @parity: parity of the window that has ended
 * @p: summary of the other process
 *
 * The summary is stored in the first domain of that process.
 */
void torus_procs_receive(struct torus_fabric *f, u32 proc, u32 parity,
			 const struct torus_window_summary *p)
{
	u32 each = f->ndomains / f->cfg.procs->count, i;
	struct torus_domain *d = &f->domain[proc * each];

	for (i = 1; i < each; i++)
		d[i].next_at[parity] = ~0ull;
	d->next_at[parity] = p->next_at;
	d->done = p->done;
	d->failed = p->failed;
	d->working[parity] = p->working;
	d->woken[parity] = p->woken;
}

/**
 * torus_procs_sum() - add up values over all processes
 * @f: the fabric
 * @values: [in, out] values of this process, replaced by the sums, modulo 2^64
 * @n: number of values
 */
void torus_procs_sum(const struct torus_fabric *f, u64 *values, size_t n)
{
	struct torus_procs *procs = f->cfg.procs;
	const u64 *all;
	size_t got, i;
	u32 proc;

	if (!procs)
		return;
	all = procs->pass(procs, values, n * sizeof(*values), &got);
	memset(values, 0, n * sizeof(*values));
	for (proc = 0; proc < procs->count; proc++)
		for (i = 0; i < n; i++)
			values[i] += *all++;
}

/**
 * torus_procs_sum_one() - add up one value over all processes
 * @f: the fabric
 * @value: value of this process
 */
u64 torus_procs_sum_one(const struct torus_fabric *f, u64 value)
{
	torus_procs_sum(f, &value, 1);
	return value;
}

/**
 * torus_procs_max() - find the maximum of a value over all processes
 * @f: the fabric
 * @value: value of this process
 */
u64 torus_procs_max(const struct torus_fabric *f, u64 value)
{
	struct torus_procs *procs = f->cfg.procs;
	const u64 *all;
	size_t got;
	u32 proc;

	if (!procs)
		return value;
	all = procs->pass(procs, &value, sizeof(value), &got);
	for (proc = 0; proc < procs->count; proc++)
		if (all[proc] > value)
			value = all[proc];
	return value;
}

/**
 * torus_procs_alloc() - allocate memory for a call that all processes make
 * @f: the fabric
 * @bytes: size
 *
 * Return: the memory, zeroed; NULL if memory is exhausted. With several processes, this process
 * then ends instead, and so do the others, because the processes' calls would no longer match.
 */
void *torus_procs_alloc(const struct torus_fabric *f, size_t bytes)
{
	void *p = torus_alloc(bytes);

	if (!p && f->cfg.procs)
		f->cfg.procs->no_memory(f->cfg.procs);
	return p;
}

/* Statistics of a process, sent to the other processes, and whether its domains have work. */
struct torus_proc_counts {
	struct torus_stats stats;
	u64 working;
};

/**
 * torus_procs_init() - allocate the buffer of torus_procs_exchange_stats()
 * @f: the fabric
 *
 * Return: 0 or -ENOMEM.
 */
int torus_procs_init(struct torus_fabric *f)
{
	if (f->cfg.procs)
		f->counted = torus_alloc(sizeof(*f->counted));
	return !f->cfg.procs || f->counted ? 0 : -ENOMEM;
}

/* Free the buffer of torus_procs_exchange_stats(). */
void torus_procs_free(struct torus_fabric *f)
{
	torus_free(f->counted, sizeof(*f->counted));
}

/**
 * torus_procs_exchange_stats() - exchange the processes' statistics between two runs
 * @f: the fabric
 *
 * Afterwards the sum over all domains includes the statistics of all processes.
 */
void torus_procs_exchange_stats(struct torus_fabric *f)
{
	struct torus_procs *procs = f->cfg.procs;
	const struct torus_proc_counts *all;
	size_t got;
	u32 i;

	if (!procs)
		return;
	memset(f->counted, 0, sizeof(*f->counted));
	torus_stats_add_up(f, f->own_first, f->own_end, &f->counted->stats);
	for (i = f->own_first; i < f->own_end; i++)
		f->counted->working |= torus_domain_working(&f->domain[i]);
	all = procs->pass(procs, f->counted, sizeof(*f->counted), &got);
	for (i = 0; i < procs->count; i++) {
		struct torus_domain *d = &f->domain[i * (f->ndomains / procs->count)];

		if (i == procs->self)
			continue;
		d->stats = all[i].stats;
		d->working[0] = all[i].working;
	}
}
