/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core's own workload: sources at every node, by pattern, in open loop
 * (load) or closed loop (packets).
 */
#ifndef TORUS_CORE_WORKLOAD_TRAFFIC_H
#define TORUS_CORE_WORKLOAD_TRAFFIC_H

#include "core/env.h"
#include "core/error.h"
#include "core/workload/workload.h"

struct torus_fabric;
struct torus_domain;
struct torus_packet;

/**
 * torus_traffic_check() - is this a workload of the fabric's machine, in its shape?
 * @f: the fabric, held, in any state; for TORUS_PATTERN_TABLE with its pairs
 * @traffic: the workload
 * @err: why not
 *
 * Return: 0, -EINVAL, -ERANGE, -EOPNOTSUPP with the value and the range.
 */
int torus_traffic_check(struct torus_fabric *f, const struct torus_traffic *traffic,
			struct torus_error *err);

/**
 * torus_traffic_start() - give every node its source
 * @f: a reset fabric, held, without clients
 * @traffic: the workload; copied
 * @err: why not
 *
 * Return: 0, -EINVAL with the value and the range, -EBUSY with clients, -ENOMEM.
 */
int torus_traffic_start(struct torus_fabric *f, const struct torus_traffic *traffic,
			struct torus_error *err);

#define TORUS_BATCHES_MAX	4096

/**
 * struct torus_point - counts at a boundary of two parts of the window
 */
struct torus_point {
	u64 clock;
	u64 injected;
	u64 delivered;
	u64 latency_sum;
	u64 hops;		/* packet-hops begun */
	u64 in_flight;
	u64 token_returns;	/* with unblocking=on */
	u64 token_needed;	/* of those: to a node where a packet was blocked */
	u64 token_unblocks;	/* of those: freed a blocked packet to move */
	u64 vc_packets[TORUS_VCS_MAX];	/* begun on each VC */
	u64 vc_chunks[TORUS_VCS_MAX];	/* held by its buffers at this moment */
};

/* End it; counters stay. */
void torus_traffic_stop(struct torus_fabric *f);

extern const struct torus_load_ops torus_load_ops;

/* A synthetic packet has been received: it is the workload's from here on. */
void torus_workload_receive(struct torus_domain *d, u32 node, u32 pkt, u32 fifo);

/* A node's software has it. */
void torus_workload_take(struct torus_domain *d, u32 node, u32 pkt);

#endif
