/* SPDX-License-Identifier: GPL-2.0 */
/* A workload in progress: data that traffic.c shares with the sources. */
#ifndef TORUS_CORE_WORKLOAD_WORKLOAD_H
#define TORUS_CORE_WORKLOAD_WORKLOAD_H

#include "core/state/domain.h"
#include "core/base/random.h"

/**
 * struct torus_source - a stream of a node's packets
 * @key: key of the packets' random numbers
 * @next: generation time of the next packet, ticks in units of 2^-16
 * @wake: tick of the pending SOURCE event, 0: none
 * @number: number of the next packet at its node
 * @limit: the first number that is not sent
 * @dst: destination of the next packet once drawn, else TORUS_NONE
 * @chunks: size of the next packet
 */
struct torus_source {
	u64 key;
	u64 next;
	u64 wake;
	u64 number;
	u64 limit;
	u32 dst;
	u32 chunks;
};

/**
 * struct torus_arrival_position - position up to which the arrivals of a stream have been counted
 * @at: the stream after the last counted packet
 * @own: counted packets of the stream's own direction, if streams are directions
 */
struct torus_arrival_position {
	struct torus_source at;
	u64 own;
};

/**
 * struct torus_backlog - packets that a node's sources have generated, including its replies
 * @packets: number of generated packets
 * @waiting: number of generated packets that wait at their source, or as replies
 * @waiting_chunks: chunks that wait at their source; 0 in closed loop. Without
 *   torus_latencies_start(), only packets with given ticks count
 */
struct torus_backlog {
	u64 packets;
	u64 waiting;
	u64 waiting_chunks;
};

struct torus_snapshot;
struct torus_reply;

/* Counts at one moment. The counts of a window are the difference of two moments. */
struct torus_moment {
	u64 clock;
	struct torus_stats stats;
	u64 busy[TORUS_DIMS_MAX];
	u64 resends;
	u64 generated;
	u64 waiting;
	u64 waiting_chunks;
};

enum torus_phase {
	TORUS_PHASE_WARMUP,
	TORUS_PHASE_WINDOW,
	TORUS_PHASE_DONE,
};

/* How a workload has ended, with the values of torus_result.done. */
enum torus_outcome {
	TORUS_OUTCOME_NONE,		/* it has not ended */
	TORUS_OUTCOME_ENDED,
	TORUS_OUTCOME_STUCK,
	TORUS_OUTCOME_FAILED,		/* for want of memory */
};

/**
 * struct torus_workload - a workload in progress
 * @traffic: requested parameters
 * @gap: mean ticks between a node's packets (table: packets of a pair of weight 1), in
 *       units of 2^-16 (open loop); with bursts: mean pause before a burst
 * @peak_gap: ticks between a node's packets at the pattern's peak, in the unit of @gap
 * @pace: ticks between two packets of a node (table: of a pair), in units of 2^-16; 0: limited only
 *        by the space in FIFOs (closed loop)
 * @plain: gaps are exponential with mean @gap for each node and packet
 * @burst: probability that a packet starts a burst, in units of 2^-32; 0: each packet starts a
 *   burst
 * @gap_geometric: mean of the exponential whose floor is geometric (Bernoulli)
 * @logs: logarithms to draw gaps
 * @chunks_min: lowest size
 * @chunks_span: number of sizes, from @chunks_min up
 * @phase: enum torus_phase
 * @outcome: enum torus_outcome
 * @streams: number of streams of a node, see source.c
 * @fifos: number of normal injection FIFOs of a node that its source fills
 * @all_fifos: number of normal injection FIFOs of a node
 * @by_direction: each stream has the packets of one direction (source_order=direction)
 * @clocked: each packet has a tick of generation: in open loop, and with given ticks
 * @batches: number of parts of the window
 * @npoints: number of points taken
 * @points: counts at the start of the window and at the end of each part
 * @sources: streams of all nodes
 * @own: if streams are directions: number of packets of each stream before its source's number,
 *       sent or skipped because the node is their destination; else NULL
 * @counted: position up to which the arrivals of each stream have been counted (open loop);
 *           NULL: no count was requested, or memory was short
 * @packets: packets of all nodes, without replies (closed loop); fill: deliveries
 * @replies: replies of all nodes; NULL: the workload has none
 * @reply_chunks: size of a reply
 * @seq_mask: bits of a packet's number that its sequence number has
 * @pause: tick at which torus_traffic_step() returns; 0: none
 * @begin: counts at the start of the window
 * @half: counts in the middle of the window
 * @end: counts at the end of the window
 */
struct torus_workload {
	struct torus_traffic traffic;
	u64 gap;
	u64 peak_gap;
	u64 pace;
	bool plain;
	u64 burst;
	u64 gap_geometric;
	struct torus_logs logs;
	u32 chunks_min;
	u32 chunks_span;
	u32 phase;
	u32 outcome;
	u32 streams;
	u32 fifos;
	u32 all_fifos;
	bool by_direction;
	bool clocked;
	u32 batches;
	u32 npoints;
	struct torus_point *points;
	struct torus_source *sources;
	u64 *own;
	struct torus_arrival_position *counted;
	u64 packets;
	struct torus_reply *replies;
	u32 reply_chunks;
	u32 seq_mask;
	u64 pause;
	struct torus_moment begin;
	struct torus_stats half;
	struct torus_moment end;
};

/* Check whether the workload is open loop: limited by load, not by a number of packets. */
torus_inline bool torus_workload_open(const struct torus_workload *w)
{
	return w->traffic.load != 0;
}

/* Return the class of synthetic packets. */
torus_inline u32 torus_workload_class(const struct torus_fabric *f)
{
	return f->workload ? (u32)f->workload->traffic.packet_class : 0;
}

/*
 * Return the mean of the exponential whose floor, plus 1, is geometric with mean @gap, both in
 * units of 2^-16: 1 / ln(gap / (gap - 1)).
 */
torus_inline u64 torus_gap_geometric(u64 gap)
{
	u64 log;

	if (gap <= 65536)
		return gap;
	/*
	 * for a large gap, the difference of the logarithms has too few bits; this approximation is
	 * exact to 1 / (12 gap)
	 */
	if (gap >> 32)
		return gap - 32768;
	log = torus_log2_q26(gap) - torus_log2_q26(gap - 65536);
	return log ? (1ull << 58) / (log * TORUS_LN2_Q32 >> 16 ? : 1) : gap;
}

/**
 * struct torus_ring_loads - load of the links of a line of nodes in one dimension
 * @n: length of the line
 * @from: weight of each coordinate as a source
 * @to: weight of each coordinate as a destination
 * @cross: doubled load of each link, plus links before minus links, as difference from the
 *   previous link
 * @below: sum of @to over the lower coordinates, for each of n + 1 coordinates
 * @reach: weight of the sources that reach each coordinate in one direction, as differences
 */
struct torus_ring_loads {
	u32 n;
	u64 *from;
	u64 *to;
	u64 *cross;
	u64 *below;
	u64 *reach;
};

/**
 * struct torus_line_loads - load of the links of a dimension
 * @plus: doubled load of each node's link in plus direction, as difference from the previous link
 * @minus: the same for minus direction; a link has the index of its receiver
 */
struct torus_line_loads {
	u64 *plus;
	u64 *minus;
};

#endif
