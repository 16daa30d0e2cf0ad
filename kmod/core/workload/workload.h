/* SPDX-License-Identifier: GPL-2.0 */
/* A workload in progress: what traffic.c and its sources share. */
#ifndef TORUS_CORE_WORKLOAD_WORKLOAD_H
#define TORUS_CORE_WORKLOAD_WORKLOAD_H

#include "core/state/domain.h"
#include "core/base/random.h"

/**
 * struct torus_source - a stream of a node's packets
 * @key: of the packets' random numbers
 * @next: generation of the next packet, ticks in units of 2^-16
 * @wake: tick of the pending SOURCE event, 0: none
 * @number: of the next packet at its node
 * @limit: no packet has this number or a higher one
 * @dst: destination of the next packet once drawn, else TORUS_NONE
 * @chunks: its size
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
 * struct torus_counted - how far arrivals of a stream have been counted
 * @at: the stream as it is behind the last of them
 * @own: those of its node's own, where streams are directions
 */
struct torus_counted {
	struct torus_source at;
	u64 own;
};

/**
 * struct torus_backlog - packets that a node's sources have generated, with its replies
 * @packets: their number
 * @waiting: packets of these that wait at their source, or as replies
 * @waiting_chunks: size of those that wait at their source; 0 without torus_latencies_start()
 */
struct torus_backlog {
	u64 packets;
	u64 waiting;
	u64 waiting_chunks;
};

struct torus_snapshot;
struct torus_reply;

/* A moment's counts, to tell a window from the whole. */
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

/**
 * struct torus_workload - a workload in progress
 * @traffic: what was asked for
 * @gap: mean ticks between a node's packets (of a table: those of a pair of weight
 *       1), units of 2^-16 (open loop)
 * @peak_gap: the same at the pattern's peak
 * @pace: ticks between two packets of a node, units of 2^-16; 0: as FIFOs have room
 *        (closed loop)
 * @plain: gaps are exponential, of mean @gap, for every node and packet
 * @burst: of 2^32, how often a packet begins a burst; 0: each does
 * @gap_geometric: mean of the exponential whose floor is geometric (Bernoulli)
 * @logs: for the gaps
 * @chunks_min: least size
 * @chunks_span: sizes to choose from
 * @phase: how far it has come
 * @outcome: as torus_result.done
 * @streams: of a node, see source.c
 * @fifos: normal injection FIFOs of a node that its source fills
 * @all_fifos: that there are
 * @by_direction: a stream is a direction's packets (source_order=direction)
 * @batches: parts of the window
 * @npoints: points taken
 * @points: the counts at the start of the window and at the end of each part
 * @sources: of all nodes
 * @own: packets of each stream before its source's number, where streams are directions; else NULL
 * @counted: how far arrivals of each stream have been counted while the workload runs (open
 *           loop); NULL: nobody has asked, or there was no memory
 * @packets: packets of all nodes, without replies (closed loop)
 * @replies: of all nodes; NULL: requests make none
 * @reply_chunks: their size
 * @seq_mask: of a packet's number, what its sequence number keeps
 * @pause: tick at which torus_traffic_step() returns; 0: none
 * @begin: start of the window
 * @half: the counts in its middle
 * @end: its end
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
	u32 batches;
	u32 npoints;
	struct torus_point *points;
	struct torus_source *sources;
	u64 *own;
	struct torus_counted *counted;
	u64 packets;
	struct torus_reply *replies;
	u32 reply_chunks;
	u32 seq_mask;
	u64 pause;
	struct torus_moment begin;
	struct torus_stats half;
	struct torus_moment end;
};

/* By load, else by a number of packets. */
torus_inline bool torus_workload_open(const struct torus_workload *w)
{
	return w->traffic.load != 0;
}

/* The class of the packets that the core sends by itself. */
torus_inline u32 torus_workload_class(const struct torus_fabric *f)
{
	return f->workload ? (u32)f->workload->traffic.packet_class : 0;
}

/*
 * The exponential whose floor, plus 1, is geometric with mean @gap, units of 2^-16:
 * 1 / ln(gap / (gap - 1)).
 */
torus_inline u64 torus_gap_geometric(u64 gap)
{
	u64 log;

	if (gap <= 65536)
		return gap;
	/* the two logarithms differ in their last bits only, and this by 1 / (12 gap) */
	if (gap >> 32)
		return gap - 32768;
	log = torus_log2_q26(gap) - torus_log2_q26(gap - 65536);
	return log ? (1ull << 58) / (log * TORUS_LN2_Q32 >> 16 ? : 1) : gap;
}

/* source.c */

/* traffic.c */

/**
 * struct torus_ring_loads - load of the links of a line of nodes
 * @n: length of the line
 * @from: weights of the coordinates that packets leave
 * @to: weights of the coordinates that packets go to
 * @cross: load of each link, plus and then minus, doubled, as differences from the link before
 * @below: sum of @to below each coordinate; n + 1 of them
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
 * @plus: load of each node's link of plus direction, doubled, as differences from the link before
 * @minus: the same of minus direction, each link by the node that it leads to
 */
struct torus_line_loads {
	u64 *plus;
	u64 *minus;
};

#endif
