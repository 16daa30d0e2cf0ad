// SPDX-License-Identifier: GPL-2.0
/* Statistics: counters of injections, deliveries and drops. */
#include "core/state/stats.h"
#include "core/state/snapshot.h"
#include "core/state/domain.h"
#include "core/state/completion.h"
#include "core/state/packets.h"
#include "core/state/trace.h"

/**
 * torus_stats_inject() - count a packet that enters the network
 * @d: domain of the packet
 * @p: the packet
 */
void torus_stats_inject(struct torus_domain *d, struct torus_packet *p)
{
	d->stats.injected++;
	torus_stats_enter(&d->stats, p, d->now);
	torus_trace(d, TORUS_TRACE_INJECT, p->src, 0, 0, p);
}

/**
 * torus_stats_deliver() - count a packet whose last byte has been received
 * @d: domain of the destination
 * @node: index of the destination
 * @p: the packet
 *
 * The delivery hash is the sum modulo 2^64 of a mix of (tick, source, destination, sequence), so it
 * does not depend on the order of deliveries.
 */
void torus_stats_deliver(struct torus_domain *d, u32 node, struct torus_packet *p)
{
	struct torus_stats *t = &d->stats;
	u64 latency = torus_packet_since(d->now, p->born);
	u64 network = torus_packet_since(d->now, p->entered);
	u32 hops = p->hops;
	struct torus_stats_row *row =
		&t->by_hops[hops < TORUS_HOPS_BINS ? hops : TORUS_HOPS_BINS - 1];

	t->delivered++;
	t->delivered_chunks += p->chunks;
	t->hash += torus_mix(torus_mix(d->now) ^ torus_mix(((u64)p->src << 32 | node) + 1) ^
			     torus_mix((u64)p->seq + 0x5851f42d4c957f2dull));
	t->latency_sum += latency;
	t->network_latency_sum += network;
	if (latency > t->latency_max)
		t->latency_max = latency;
	t->hops_sum += hops;
	if (hops > t->hops_max)
		t->hops_max = hops;
	torus_stats_row_add(row, latency);
	t->histogram[torus_latency_bucket(latency)]++;
	if (torus_unlikely(d->latencies))
		torus_latencies_deliver(d->latencies, node, p, latency, network);
	torus_stats_leave(t, p, d->now);
	torus_trace(d, TORUS_TRACE_DELIVER, node, 0, 0, p);
}

/**
 * torus_stats_claim() - give a broadcast, or its copy, the generation of its receiver
 * @d: domain of the node
 * @node: index of the node whose reception FIFO has admitted the packet
 * @p: the broadcast or copy
 *
 * From now on, the packet belongs to the client of the group, like any packet sent to that client.
 */
void torus_stats_claim(struct torus_domain *d, u32 node, struct torus_packet *p)
{
	if (p->flags & TORUS_PACKET_USER)
		p->generation = torus_group_generation(d->f, node, p->group);
}

/**
 * torus_stats_deposit() - count a copy that a packet leaves at a node
 * @d: domain of the node
 * @node: index of the node
 * @copy: the copy
 */
void torus_stats_deposit(struct torus_domain *d, u32 node, struct torus_packet *copy)
{
	copy->dst = node;
	/*
	 * the copy is in the network from now on, so its latency must also start now (Little's law)
	 */
	copy->entered = d->now;
	copy->flags |= TORUS_PACKET_COPY;
	torus_stats_claim(d, node, copy);
	if (copy->flags & TORUS_PACKET_USER)
		torus_completion_copied(d, copy);
	d->stats.deposits++;
	torus_stats_enter(&d->stats, copy, d->now);
}

/**
 * torus_stats_drop() - drop a packet
 * @d: domain of the packet
 * @node: index of the node where the packet ends
 * @pkt: index of the packet, which is freed
 * @reason: enum torus_drop
 */
void torus_stats_drop(struct torus_domain *d, u32 node, u32 pkt, u32 reason)
{
	struct torus_packet *p = torus_packet_at(d, pkt);

	/* an INVALID packet is not lost: the sender of the link retransmits it */
	if (!(p->flags & TORUS_PACKET_INVALID)) {
		d->stats.dropped[reason]++;
		torus_stats_leave(&d->stats, p, d->now);
		torus_completion_lost(d, node, p, reason);
		if (p->body != TORUS_NONE && d->f->arch->lost)
			d->f->arch->lost(d, p);
	}
	torus_trace_detail(d, TORUS_TRACE_DROP, node, 0, 0, reason, p);
	torus_packet_free(d, pkt);
}

static void stats_max(u64 *a, u64 b)
{
	if (b > *a)
		*a = b;
}

static void stats_row_merge(struct torus_stats_row *sum, const struct torus_stats_row *row)
{
	sum->packets += row->packets;
	sum->latency_sum += row->latency_sum;
	stats_max(&sum->latency_max, row->latency_max);
}

#define STATS_ADD(name)	(sum->name += t->name)

static void stats_add(struct torus_stats *sum, const struct torus_stats *t)
{
	u32 j;

	TORUS_STATS_COUNTERS(STATS_ADD);
	TORUS_STATS_SUMS(STATS_ADD);
	stats_max(&sum->latency_max, t->latency_max);
	stats_max(&sum->hops_max, t->hops_max);
	for (j = 0; j < TORUS_VCS_MAX; j++)
		sum->begun[j] += t->begun[j];
	for (j = 0; j < TORUS_DROP_MAX; j++)
		sum->dropped[j] += t->dropped[j];
	for (j = 0; j < TORUS_LATENCY_CLASSES; j++)
		stats_row_merge(&sum->by_class[j], &t->by_class[j]);
	for (j = 0; j < TORUS_HOPS_BINS; j++)
		stats_row_merge(&sum->by_hops[j], &t->by_hops[j]);
	for (j = 0; j < TORUS_LATENCY_BUCKETS; j++)
		sum->histogram[j] += t->histogram[j];
}

/**
 * torus_stats_add_up() - add up the statistics of a range of domains
 * @f: the fabric
 * @first: first domain
 * @end: domain after the last one
 * @sum: [in, out] statistics to add to
 */
void torus_stats_add_up(struct torus_fabric *f, u32 first, u32 end, struct torus_stats *sum)
{
	u32 i;

	for (i = first; i < end; i++)
		stats_add(sum, &f->domain[i].stats);
}

/**
 * torus_stats_backlog() - count packets that still wait for a link, although the link has counted
 * them
 * @f: the fabric; all processes make this call
 * @packets: [out] number of packets
 * @chunks: [out] number of their chunks
 *
 * Inspects every node if the router counts packets before their links start them.
 */
void torus_stats_backlog(struct torus_fabric *f, u64 *packets, u64 *chunks)
{
	u64 both[2] = { 0, 0 };
	u32 i;

	for (i = f->own_first; f->router->waiting && i < f->own_end; i++)
		f->router->waiting(&f->domain[i], TORUS_NONE, 0, &both[0], &both[1]);
	if (f->router->waiting)
		torus_procs_sum(f, both, 2);
	*packets = both[0];
	*chunks = both[1];
}

/*
 * Add up the statistics of all domains. Packets that still wait for a link do not count on that
 * link. All processes make this call.
 */
void torus_stats_sum(struct torus_fabric *f, struct torus_stats *sum)
{
	u64 packets, chunks;

	memset(sum, 0, sizeof(*sum));
	torus_stats_add_up(f, 0, f->ndomains, sum);
	torus_stats_backlog(f, &packets, &chunks);
	sum->begun[0] -= packets;
	sum->payload_bytes -= chunks * f->arch->chunk_bytes;
	sum->population_ticks += (u64)sum->population * f->clock;
}

/**
 * torus_stats_valid() - validate restored statistics
 * @t: the statistics
 *
 * Return: true if rows and buckets add up to the number of deliveries.
 */
bool torus_stats_valid(const struct torus_stats *t)
{
	u64 hops = t->delivered, buckets = t->delivered;
	u32 i;

	/* subtract each count from the rest: a sum of the counts could overflow */
	for (i = 0; i < TORUS_HOPS_BINS; i++) {
		if (t->by_hops[i].packets > hops)
			return false;
		hops -= t->by_hops[i].packets;
	}
	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++) {
		if (t->histogram[i] > buckets)
			return false;
		buckets -= t->histogram[i];
	}
	return !hops && !buckets;
}

/**
 * torus_stats_snapshot() - write the sum of all domains, or read it
 * @snap: the snapshot
 * @f: the fabric. Reading: the sum is stored in the first domain; statistics of the other domains
 *   are empty
 */
void torus_stats_snapshot(struct torus_snapshot *snap, struct torus_fabric *f)
{
	struct torus_stats *sum = torus_procs_alloc(f, sizeof(*sum));

	if (!sum) {
		torus_snapshot_no_memory(snap);
		return;
	}
	/* after a run the domains have the statistics of all processes */
	if (!snap->reading)
		torus_stats_add_up(f, 0, f->ndomains, sum);
	SNAPSHOT_FIELD(snap, *sum);
	if (snap->reading)
		torus_snapshot_check(snap, torus_stats_valid(sum),
				     "statistics that do not add up, number of deliveries =",
							     sum->delivered);
	/* domain 0 belongs to the first process, which later sends its statistics to the others */
	if (snap->reading)
		f->domain[0].stats = *sum;
	torus_free(sum, sizeof(*sum));
}
