/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The synthetic workload: a source at each node sends by pattern, in open loop (load) or closed
 * loop (packets).
 */
#ifndef TORUS_CORE_WORKLOAD_TRAFFIC_H
#define TORUS_CORE_WORKLOAD_TRAFFIC_H

#include "core/platform.h"
#include "core/error.h"
#include "core/workload/workload.h"

struct torus_fabric;
struct torus_domain;
struct torus_packet;

/**
 * torus_traffic_check() - check a workload against the fabric's machine and shape
 * @f: the fabric in any state, with its pairs for TORUS_PATTERN_TABLE; no run may be in progress
 * @traffic: the workload
 * @err: [out] error message with the value and its range
 *
 * Return: 0, -EINVAL, -ERANGE, -EOPNOTSUPP.
 */
int torus_traffic_check(struct torus_fabric *f, const struct torus_traffic *traffic,
			struct torus_error *err);

/**
 * torus_traffic_start() - start a workload: give each node its source
 * @f: a reset fabric without clients; no run may be in progress
 * @traffic: the workload; copied
 * @err: [out] error message with the value and its range
 *
 * Return: 0; -EBUSY with clients, with injection held, or if the fabric is not reset; -ENOMEM;
 * -ECANCELED if the calling task was killed; or an error of torus_traffic_check() or
 * torus_arch.ready.
 */
int torus_traffic_start(struct torus_fabric *f, const struct torus_traffic *traffic,
			struct torus_error *err);

#define TORUS_BATCHES_MAX	4096

/**
 * struct torus_point - counts at the start of the window or at the end of one of its parts
 */
struct torus_point {
	u64 clock;
	u64 injected;
	u64 delivered;
	u64 latency_sum;
	u64 hops;		/* number of hops that have started */
	u64 in_flight;
	u64 token_returns;	/* counted only with unblocking=on */
	u64 token_needed;	/* token returns to a node at which a packet was blocked */
	u64 token_unblocks;	/* token returns that allowed a blocked packet to move */
	u64 vc_packets[TORUS_VCS_MAX];	/* packets started on each VC */
	u64 vc_chunks[TORUS_VCS_MAX];	/* chunks in the buffers of each VC at this moment */
};

/* Stop the workload and free its memory; counters stay. */
void torus_traffic_stop(struct torus_fabric *f);

extern const struct torus_load_ops torus_load_ops;

/*
 * Handle a synthetic packet that a reception FIFO has received. The workload owns it from here on.
 */
void torus_workload_receive(struct torus_domain *d, u32 node, u32 pkt, u32 fifo);

/* Count a packet as delivered to the node's software, and turn it into a reply or free it. */
void torus_workload_take(struct torus_domain *d, u32 node, u32 pkt);

#endif
