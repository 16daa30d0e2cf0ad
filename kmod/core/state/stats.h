/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters and histograms of a domain. Counters of the hot loop are 32-bit and packed, and are
 * added to 64-bit sums before they can overflow. Histograms count latencies (log-linear) and hops.
 */
#ifndef TORUS_CORE_STATE_STATS_H
#define TORUS_CORE_STATE_STATS_H

#include "core/platform.h"
#include "core/base/packet.h"
#include "core/state/latency_histogram.h"

struct torus_snapshot;
struct torus_domain;
struct torus_fabric;

/*
 * Log-linear buckets of latencies for quantiles: 8 per octave. Each is a union of buckets of
 * torus_latency_bucket().
 */
#define TORUS_HIST_SUB_BITS	3
#define TORUS_HOPS_BINS		32

torus_inline u32 torus_hist_bucket(u64 v)
{
	u32 e;

	if (v < (1u << TORUS_HIST_SUB_BITS))
		return (u32)v;
	e = 63 - (u32)__builtin_clzll(v);
	return ((e - TORUS_HIST_SUB_BITS + 1) << TORUS_HIST_SUB_BITS) +
	       (u32)((v >> (e - TORUS_HIST_SUB_BITS)) & ((1u << TORUS_HIST_SUB_BITS) - 1));
}

/* Minimum value of a bucket. */
torus_inline u64 torus_hist_floor(u32 bucket)
{
	u32 e, sub;

	if (bucket < (1u << TORUS_HIST_SUB_BITS))
		return bucket;
	e = (bucket >> TORUS_HIST_SUB_BITS) + TORUS_HIST_SUB_BITS - 1;
	sub = bucket & ((1u << TORUS_HIST_SUB_BITS) - 1);
	return (1ull << e) + ((u64)sub << (e - TORUS_HIST_SUB_BITS));
}

/**
 * struct torus_stats_row - counters of deliveries of one kind of packets
 * @packets: number of packets
 * @latency_sum: sum of the latencies; a latency is the time from generation to the last byte
 *   received, in ticks
 * @latency_max: maximum latency in ticks
 */
struct torus_stats_row {
	u64 packets;
	u64 latency_sum;
	u64 latency_max;
};

torus_inline void torus_stats_row_add(struct torus_stats_row *row, u64 latency)
{
	row->packets++;
	row->latency_sum += latency;
	if (latency > row->latency_max)
		row->latency_max = latency;
}

/**
 * struct torus_stats - counters of a domain
 */
struct torus_stats {
	u64 injected;
	u64 in_flight_at_clear;	/* packets in flight when the counters were cleared */
	u64 deposits;		/* copies left by broadcasts, delivered or not */
	u64 delivered;
	u64 delivered_chunks;
	u64 refused;
	u64 unread;
	u64 dropped[TORUS_DROP_MAX];
	u64 hash;
	u64 begun[TORUS_VCS_MAX];	/* packet-hops by VC: first transmissions only */
	u64 events;
	u64 latency_sum;
	u64 latency_max;
	u64 network_latency_sum;
	u64 hops_sum;
	u64 hops_max;
	struct torus_stats_row by_class[TORUS_LATENCY_CLASSES];	/* for workloads with replies */
	u64 token_returns;	/* 0 unless the machine's option counts them */
	u64 token_needed;	/* returns to a node with a blocked packet */
	u64 token_unblocks;	/* returns that unblocked a packet */
	u64 payload_bytes;	/* payload bytes x hops, of granted packets */
	s64 population;		/* injected packets + copies of broadcasts - ended packets, here */
	u64 identity;		/* torus_packet_identity() of the same, summed */
	u64 population_ticks;	/* integral of population to tick T, minus population * T */
	struct torus_stats_row by_hops[TORUS_HOPS_BINS];
	u64 histogram[TORUS_LATENCY_BUCKETS];	/* by torus_latency_bucket() of the latency */
};

/*
 * Members of struct torus_stats that are added up over domains, and that struct
 * torus_fabric_counters has under the same name.
 */
#define TORUS_STATS_COUNTERS(X)								\
	X(injected), X(delivered), X(refused), X(unread), X(hash), X(events), X(latency_sum)

/* Members of struct torus_stats that are added up over domains, and are not reported directly. */
#define TORUS_STATS_SUMS(X)								\
	X(in_flight_at_clear), X(deposits), X(delivered_chunks), X(network_latency_sum),	\
	X(hops_sum), X(token_returns), X(token_needed), X(token_unblocks), X(payload_bytes),	\
	X(population), X(identity), X(population_ticks)

/* Number of packet-hops that have begun, on all VCs. */
torus_inline u64 torus_stats_hops(const struct torus_stats *t)
{
	u64 sum = 0;
	u32 vc;

	for (vc = 0; vc < TORUS_VCS_MAX; vc++)
		sum += t->begun[vc];
	return sum;
}

/*
 * Add a packet to the network's population, or remove it. To integrate the population over time,
 * subtract the tick at a packet's entry and add the tick at its exit.
 */
torus_inline void torus_stats_enter(struct torus_stats *t, const struct torus_packet *p, u64 now)
{
	t->population++;
	t->identity += torus_packet_identity(p);
	t->population_ticks -= now;
}

torus_inline void torus_stats_leave(struct torus_stats *t, const struct torus_packet *p, u64 now)
{
	t->population--;
	t->identity -= torus_packet_identity(p);
	t->population_ticks += now;
}

void torus_stats_inject(struct torus_domain *d, struct torus_packet *p);
void torus_stats_deposit(struct torus_domain *d, u32 node, struct torus_packet *copy);
void torus_stats_claim(struct torus_domain *d, u32 node, struct torus_packet *p);
void torus_stats_deliver(struct torus_domain *d, u32 node, struct torus_packet *p);
void torus_stats_add_up(struct torus_fabric *f, u32 first, u32 end, struct torus_stats *sum);
bool torus_stats_valid(const struct torus_stats *t);
void torus_stats_snapshot(struct torus_snapshot *snap, struct torus_fabric *f);
void torus_stats_backlog(struct torus_fabric *f, u64 *packets, u64 *chunks);
void torus_stats_sum(struct torus_fabric *f, struct torus_stats *sum);
void torus_stats_drop(struct torus_domain *d, u32 node, u32 pkt, u32 reason);

#endif
