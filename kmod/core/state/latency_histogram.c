// SPDX-License-Identifier: GPL-2.0
/* Histograms of latencies, and counts of deliveries per node. */
#include "core/state/latency_histogram.h"
#include "core/state/snapshot.h"
#include "core/state/domain.h"

static u64 latencies_bytes(u32 hops)
{
	return sizeof(struct torus_latencies) + (u64)hops * sizeof(struct torus_latency);
}

static struct torus_latencies *latencies_new(u32 nodes, u32 hops)
{
	struct torus_latencies *l = torus_alloc(latencies_bytes(hops));

	if (!l)
		return NULL;
	l->nodes = nodes;
	l->hops = hops;
	l->sent = torus_alloc((size_t)nodes * sizeof(*l->sent));
	l->received = torus_alloc((size_t)nodes * sizeof(*l->received));
	if (l->sent && l->received)
		return l;
	torus_latencies_free(l);
	return NULL;
}

/*
 * Number of rows of @network: one for each number of hops of a minimal route, from 0 to the
 * maximum, at most TORUS_LATENCY_HOPS_MAX, and one for longer routes.
 */
static u32 latencies_hops(const struct torus_geometry *g)
{
	u32 hops = 2, dim;

	for (dim = 0; dim < g->ndims; dim++)
		hops += g->mesh >> dim & 1 ? g->dims[dim] - 1 : g->dims[dim] / 2;
	return hops < TORUS_LATENCY_HOPS_MAX + 2 ? hops : TORUS_LATENCY_HOPS_MAX + 2;
}

/**
 * torus_latencies_start() - count deliveries in histograms from now on, until a reset
 * @f: the fabric, locked
 *
 * Allocates torus_latencies_bytes() for each domain.
 *
 * Return: 0 or -ENOMEM.
 */
int torus_latencies_start(struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		if (d->latencies || d->away)
			continue;
		d->latencies = latencies_new(f->nodes, latencies_hops(&f->cfg.geo));
		if (!d->latencies)
			return -ENOMEM;
		torus_latencies_clear(d);
	}
	return 0;
}

static void latency_add(struct torus_latency *sum, const struct torus_latency *l)
{
	u32 i;

	sum->sum += l->sum;
	sum->max = l->max > sum->max ? l->max : sum->max;
	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++)
		sum->bucket[i] += l->bucket[i];
}

/*
 * Add to @sum the latencies that a domain's statistics have counted since the histograms were
 * cleared.
 */
static void latency_add_total(struct torus_latency *sum, const struct torus_domain *d)
{
	const struct torus_latency *before = &d->latencies->total;
	u32 i;

	sum->sum += d->stats.latency_sum - before->sum;
	sum->max = before->max > sum->max ? before->max : sum->max;
	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++)
		sum->bucket[i] += d->stats.histogram[i] - before->bucket[i];
}

static void latency_of_procs(const struct torus_fabric *f, struct torus_latency *l)
{
	l->sum = torus_procs_sum_one(f, l->sum);
	l->max = torus_procs_max(f, l->max);
	torus_procs_sum(f, l->bucket, TORUS_LATENCY_BUCKETS);
}

/* Add up the histograms of all processes. */
static void latencies_of_procs(const struct torus_fabric *f, struct torus_latencies *sum)
{
	u32 i;

	if (!f->cfg.procs)
		return;
	sum->chunks = torus_procs_sum_one(f, sum->chunks);
	sum->left = torus_procs_sum_one(f, sum->left);
	latency_of_procs(f, &sum->source);
	latency_of_procs(f, &sum->total);
	for (i = 0; i < TORUS_LATENCY_CLASSES; i++)
		latency_of_procs(f, &sum->by_class[i]);
	for (i = 0; i < sum->hops; i++)
		latency_of_procs(f, &sum->network[i]);
	torus_procs_sum(f, sum->sent, sum->nodes);
	torus_procs_sum(f, sum->received, sum->nodes);
}

/**
 * torus_latencies_take() - add up the histograms of all domains
 * @f: the fabric, locked
 *
 * Return: the sum, to be freed by torus_latencies_free(); NULL if memory is exhausted, or if the
 * fabric has no histograms (torus_latencies_start()).
 */
struct torus_latencies *torus_latencies_take(struct torus_fabric *f)
{
	const struct torus_latencies *first = f->domain[f->own_first].latencies;
	struct torus_latencies *sum = first ? latencies_new(first->nodes, first->hops) : NULL;
	u32 i, j;

	if (!sum)
		return NULL;
	for (i = f->own_first; i < f->own_end; i++) {
		const struct torus_latencies *l = f->domain[i].latencies;

		sum->chunks += l->chunks;
		sum->left += l->left;
		latency_add(&sum->source, &l->source);
		latency_add_total(&sum->total, &f->domain[i]);
		for (j = 0; j < TORUS_LATENCY_CLASSES; j++)
			latency_add(&sum->by_class[j], &l->by_class[j]);
		for (j = 0; j < l->hops; j++)
			latency_add(&sum->network[j], &l->network[j]);
		for (j = 0; j < l->nodes; j++) {
			sum->sent[j] += l->sent[j];
			sum->received[j] += l->received[j];
		}
	}
	latencies_of_procs(f, sum);
	return sum;
}

/**
 * torus_latencies_free() - free histograms
 * @l: histograms or NULL
 */
void torus_latencies_free(struct torus_latencies *l)
{
	if (!l)
		return;
	torus_free(l->sent, (size_t)l->nodes * sizeof(*l->sent));
	torus_free(l->received, (size_t)l->nodes * sizeof(*l->received));
	torus_free(l, latencies_bytes(l->hops));
}

/**
 * torus_latencies_bytes() - compute the memory of histograms
 * @l: histograms or NULL
 *
 * Return: size in bytes.
 */
u64 torus_latencies_bytes(const struct torus_latencies *l)
{
	return l ? latencies_bytes(l->hops) + 2 * (u64)l->nodes * sizeof(*l->sent) : 0;
}

/**
 * torus_latencies_clear() - clear a domain's histograms, if it has any
 * @d: the domain
 */
void torus_latencies_clear(struct torus_domain *d)
{
	struct torus_latencies *l = d->latencies;

	if (!l)
		return;
	l->chunks = 0;
	l->left = 0;
	memset(&l->source, 0, sizeof(l->source));
	l->total.sum = d->stats.latency_sum;
	l->total.max = 0;
	memcpy(l->total.bucket, d->stats.histogram, sizeof(l->total.bucket));
	memset(l->by_class, 0, sizeof(l->by_class));
	memset(l->network, 0, l->hops * sizeof(l->network[0]));
	memset(l->sent, 0, (size_t)l->nodes * sizeof(*l->sent));
	memset(l->received, 0, (size_t)l->nodes * sizeof(*l->received));
}

/* Number of packets of a histogram; ~0 if there are more than @most. */
static u64 latency_packets(const struct torus_latency *l, u64 most)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++) {
		if (l->bucket[i] > most - sum)
			return ~0ull;
		sum += l->bucket[i];
	}
	return sum;
}

/* Check that the elements of @nodes add up to @packets. */
static bool latencies_nodes_right(const u64 *nodes, u32 n, u64 packets)
{
	u32 i;

	for (i = 0; i < n && nodes[i] <= packets; i++)
		packets -= nodes[i];
	return i == n && !packets;
}

/*
 * Check that the histograms of @source and @network, and the counts by node, have as many packets
 * as @total, that those of each class have no more, and that @total has no packet that the
 * statistics have not counted.
 */
static bool latencies_right(const struct torus_stats *t, const struct torus_latencies *l)
{
	u64 packets = latency_packets(&l->total, t->delivered), left = packets, row;
	u32 i;

	if (packets == ~0ull || l->total.sum > t->latency_sum)
		return false;
	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++)
		if (l->total.bucket[i] > t->histogram[i])
			return false;
	for (i = 0; i < l->hops; i++) {
		row = latency_packets(&l->network[i], left);
		if (row == ~0ull)
			return false;
		left -= row;
	}
	for (i = 0; i < TORUS_LATENCY_CLASSES; i++)
		if (latency_packets(&l->by_class[i], packets) == ~0ull)
			return false;
	return !left && latency_packets(&l->source, packets) == packets &&
	       latencies_nodes_right(l->sent, l->nodes, packets) &&
	       latencies_nodes_right(l->received, l->nodes, packets);
}

/* Store the sums of all domains in the first domain, whose statistics have been restored. */
static void latencies_put(struct torus_domain *d, struct torus_latencies *l,
			  struct torus_latencies *to)
{
	u32 i;

	l->total.sum = d->stats.latency_sum - l->total.sum;
	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++)
		l->total.bucket[i] = d->stats.histogram[i] - l->total.bucket[i];
	to->chunks = l->chunks;
	to->left = l->left;
	to->source = l->source;
	to->total = l->total;
	memcpy(to->by_class, l->by_class, sizeof(l->by_class));
	memcpy(to->sent, l->sent, (size_t)l->nodes * sizeof(*l->sent));
	memcpy(to->received, l->received, (size_t)l->nodes * sizeof(*l->received));
	memcpy(to->network, l->network, l->hops * sizeof(l->network[0]));
}

/**
 * torus_latencies_snapshot() - write or read the histograms, if they exist
 * @snap: the snapshot
 * @f: the fabric, whose statistics have been written or read
 */
void torus_latencies_snapshot(struct torus_snapshot *snap, struct torus_fabric *f)
{
	struct torus_latencies *to = f->domain[f->own_first].latencies, *l;
	bool any = to;

	torus_snapshot_flag(snap, &any);
	torus_snapshot_check(snap, any == !!to, "flag for latency histograms =", any);
	if (!any || !torus_snapshot_ok(snap))
		return;
	l = torus_latencies_take(f);
	if (!l) {
		torus_snapshot_no_memory(snap);
		return;
	}
	SNAPSHOT_FIELD(snap, l->chunks);
	SNAPSHOT_FIELD(snap, l->left);
	SNAPSHOT_FIELD(snap, l->source);
	SNAPSHOT_FIELD(snap, l->total);
	SNAPSHOT_FIELD(snap, l->by_class);
	torus_snapshot_bytes(snap, l->network, l->hops * sizeof(l->network[0]));
	torus_snapshot_bytes(snap, l->sent, (size_t)l->nodes * sizeof(*l->sent));
	torus_snapshot_bytes(snap, l->received, (size_t)l->nodes * sizeof(*l->received));
	if (snap->reading && !f->own_first)
		torus_snapshot_check(snap, latencies_right(&f->domain[0].stats, l),
				     "latency histograms that do not match the statistics, sum =",
				     l->total.sum);
	/* only the first process stores the sums, as for the statistics */
	if (snap->reading && !f->own_first && torus_snapshot_ok(snap))
		latencies_put(&f->domain[0], l, to);
	torus_latencies_free(l);
}
