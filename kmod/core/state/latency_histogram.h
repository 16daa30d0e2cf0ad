/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms of latency and of deliveries by node, counted only on request.  Each domain has a
 * set of its own, so that no two threads write the same histogram.
 */
#ifndef TORUS_CORE_STATE_LATENCY_HISTOGRAM_H
#define TORUS_CORE_STATE_LATENCY_HISTOGRAM_H

#include "core/base/packet.h"
#include "core/platform.h"

struct torus_snapshot;
struct torus_domain;
struct torus_fabric;

/*
 * Log-linear buckets: exact below 32 ticks, then 32 buckets per octave, up to the 48 bits of a
 * packet's ticks.
 */
#define TORUS_LATENCY_SUB_BITS	5
#define TORUS_LATENCY_BITS	48
#define TORUS_LATENCY_BUCKETS	\
	((TORUS_LATENCY_BITS - TORUS_LATENCY_SUB_BITS + 1) << TORUS_LATENCY_SUB_BITS)

/* Maximum number of hops whose routes have a row of their own; longer routes share a row. */
#define TORUS_LATENCY_HOPS_MAX	128

/* Bucket of a latency in ticks, below 2^48. */
torus_inline u32 torus_latency_bucket(u64 ticks)
{
	u32 e = 63 - (u32)__builtin_clzll(ticks | 1u << TORUS_LATENCY_SUB_BITS) -
		TORUS_LATENCY_SUB_BITS;

	return (e << TORUS_LATENCY_SUB_BITS) + (u32)(ticks >> e);
}

/* Minimum latency of a bucket. */
torus_inline u64 torus_latency_floor(u32 bucket)
{
	u32 e = bucket >> TORUS_LATENCY_SUB_BITS;

	if (e < 2)
		return bucket;
	return (u64)(bucket - ((e - 1) << TORUS_LATENCY_SUB_BITS)) << (e - 1);
}

/**
 * struct torus_latency - a histogram of latencies
 * @sum: exact sum of the latencies
 * @max: maximum latency
 * @bucket: number of packets, by torus_latency_bucket()
 */
struct torus_latency {
	u64 sum;
	u64 max;
	u64 bucket[TORUS_LATENCY_BUCKETS];
};

/*
 * Classes of latencies of a workload with replies: requests, replies, and trips (a request and its
 * reply). A reply's latency begins with the reception of its request. A trip's latency begins with
 * the generation of its request.
 */
enum torus_latency_class {
	TORUS_LATENCY_REQUEST,
	TORUS_LATENCY_REPLY,
	TORUS_LATENCY_TRIP,
	TORUS_LATENCY_CLASSES,
};

/**
 * struct torus_latencies - histograms of deliveries, in addition to struct torus_stats
 * @nodes: number of nodes of the fabric
 * @hops: number of rows of @network
 * @chunks: chunks of all packets that were received
 * @left: chunks of all packets that left their source, and of all replies that were generated
 * @source: ticks from generation to the injection FIFO
 * @total: ticks from generation to the last byte received. The domain's statistics already count
 *   these latencies. A domain's @total therefore has only their maximum, and the values of the
 *   statistics at the last clear, which torus_latencies_take() subtracts
 * @by_class: latencies by enum torus_latency_class, for a workload with replies
 * @sent: number of packets that were received, by source
 * @received: number of packets that were received, by destination
 * @network: ticks from the injection FIFO to the last byte received, by hops; the last row is for
 *   all longer routes
 */
struct torus_latencies {
	u32 nodes;
	u32 hops;
	u64 chunks;
	u64 left;
	struct torus_latency source;
	struct torus_latency total;
	struct torus_latency by_class[TORUS_LATENCY_CLASSES];
	u64 *sent;
	u64 *received;
	struct torus_latency network[];
};

int torus_latencies_start(struct torus_fabric *f);
struct torus_latencies *torus_latencies_take(struct torus_fabric *f);
void torus_latencies_free(struct torus_latencies *l);
u64 torus_latencies_bytes(const struct torus_latencies *l);
void torus_latencies_snapshot(struct torus_snapshot *snap, struct torus_fabric *f);
void torus_latencies_clear(struct torus_domain *d);

torus_inline void torus_latency_count(struct torus_latency *l, u64 ticks)
{
	l->sum += ticks;
	if (ticks > l->max)
		l->max = ticks;
	l->bucket[torus_latency_bucket(ticks)]++;
}

/**
 * torus_latencies_deliver() - count a received packet
 * @l: histograms of the destination's domain
 * @node: index of the destination
 * @total: ticks since the packet's generation
 * @network: ticks since it entered its injection FIFO; at most @total
 *
 * This function is inline, because each instruction here slows down a machine whose packets go one
 * hop.
 */
torus_inline void torus_latencies_deliver(struct torus_latencies *l, u32 node,
					  const struct torus_packet *p, u64 total, u64 network)
{
	u32 row = p->hops < l->hops ? p->hops : l->hops - 1;

	l->chunks += p->chunks;
	torus_latency_count(&l->source, total - network);
	if (total > l->total.max)
		l->total.max = total;
	torus_latency_count(&l->network[row], network);
	l->sent[p->src]++;
	l->received[node]++;
}

#endif /* TORUS_CORE_STATE_LATENCY_HISTOGRAM_H */
