/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fabric (a simulated machine) as the core's code sees it. Programs that run a fabric use
 * run/fabric.h.
 */
#ifndef TORUS_CORE_FABRIC_H
#define TORUS_CORE_FABRIC_H

#include "core/platform.h"
#include "core/error.h"
#include "core/state/arch.h"
#include "core/state/config.h"
#include "core/state/router_ops.h"

struct torus_proc_counts;
struct torus_domain;
struct torus_fault;
struct torus_link;
struct torus_nic;
struct torus_processor;
struct torus_routes;
struct torus_stop;
struct torus_completions;
struct torus_pairs;
struct torus_timed;
struct torus_workload;

/*
 * Cost of injecting or receiving a packet, in ticks of a node's processor; see
 * workload/processor.h.
 */
struct torus_cost {
	u32 inject_packet;
	u32 inject_chunk;
	u32 receive_packet;
	u32 receive_chunk;
};

/**
 * struct torus_load_ops - operations for a synthetic packet that stays within the NIC
 * @admit: with simulated processors: check whether the packet's reception FIFO has space
 * @receive: take ownership of a received packet for the workload
 */
struct torus_load_ops {
	bool (*admit)(struct torus_domain *d, u32 node, const struct torus_packet *p, u32 fifo);
	void (*receive)(struct torus_domain *d, u32 node, u32 pkt, u32 fifo);
};

/**
 * struct torus_fabric - a simulated machine
 */
struct torus_fabric {
	struct torus_config cfg;
	const struct torus_arch *arch;
	const struct torus_router_ops *router;
	void *machine;			/* parameters of the machine, for the hot loop */
	size_t machine_bytes;
	u32 ndomains;
	u32 own_first;			/* first domain of this process; usually 0 */
	u32 own_end;			/* domain after the last one of this process */
	struct torus_proc_counts *counted;	/* buffer for statistics, see procs.h */
	u32 dirs;
	u32 nodes;
	u8 *where;			/* domain of each node; NULL: only one domain */
	u32 *local;			/* position of a node in its domain; NULL: its index */
	u32 node_bytes;
	u8 *node;			/* nodes, for the hot loop */
	struct torus_link *links;	/* protocol state; NULL: no link is live */
	struct torus_processor *processors;	/* NULL: processors cost no time */
	u8 *queues;			/* injection FIFOs; NULL: the router's slots */
	u32 queues_stride;
	struct torus_tni_counters *tnis;	/* nodes x router->ports; NULL: no TNIs */
	u64 *slot_queues;		/* by injection slot, bit i: FIFO i feeds it */
	const struct torus_load_ops *load;
	u32 *hot;			/* hot counters of links, see struct torus_domain */
	u32 vcs;			/* number of VCs of the router */
	u32 bubble_vcs;			/* bit v: VC v needs a bubble in each ring */
	u64 tick_fs;
	u32 hot_stride;			/* number of hot counters (u32) per link */
	u32 fold_stride;		/* number of 64-bit sums per link */
	u64 lookahead;			/* minimum delay between two domains, in ticks */
	u64 clock;
	struct torus_domain *domain;
	struct torus_nic **nic;		/* by node and group; NULL: never attached or set up */
	u32 *attached;			/* indices in nic of groups with clients */
	u32 nattached;
	struct torus_completions *completions;	/* by node and group; NULL: not requested */
	u32 *generation;		/* by node and group; NULL: no group attached yet */
	u32 epoch;			/* incremented by each attach and detach */
	u32 *partition;			/* by node; NULL: all 0 */
	bool isolate;			/* partitions share no buffer */
	struct torus_fault *faults;	/* scheduled faults */
	u32 *fault_state;
	u32 nfaults;
	u8 *loopback;			/* by node; NULL: no node is in loopback */
	u8 *dead;			/* by node: 0, 1, TORUS_NODE_FAILED; NULL: all 0 */
	bool links_live;		/* a link is live: its protocol is simulated */
	struct torus_crc32_zeros *payload_zeros; /* zero bytes' effect, see link/payload_crc.c */
	u32 *link_crc;			/* CRC of sender, receiver: nodes x dirs x 2; NULL: 0 */
	u64 rx_stall;			/* limit in ticks, 0: no limit */
	bool hold;			/* no_listener=hold: keep packets, do not drop */
	bool crc_full;
	bool injection_infinite;
	bool injection_held;		/* inject=hold|drain: no new packets enter */
	bool bubble_kept;		/* each bubble ring must keep a packet's space */
	struct torus_cost cost;
	u64 ber;			/* parameter ber: bit error rate, units of 2^-64 */
	u32 hop_limit;
	u32 overhead_ticks;		/* link ticks per packet in addition to its chunks */
	u32 control_ticks;		/* link ticks per control packet, 0: charged to packets */
	u64 fixed_bytes;		/* memory allocated at set-up */

	struct torus_workload *workload;
	struct torus_pairs *pairs;	/* pairs of the workload, or of the next one */
	struct torus_timed *timed;	/* supplier of its packets, or NULL */
	struct torus_vtime_client *vtime_clients;	/* see run/virtual_time.h */
	u32 programs;			/* number of programs in virtual time */
	u32 in_step;			/* enum torus_step */
	u32 wanting;			/* enum torus_wanting */
	u32 wanting_polls;		/* polls with events, while clients wait for memory */
	bool run_through;		/* run to run_until even without events */
	const struct torus_stop *stop;	/* stop condition of runs, see stop.h; NULL: none */
	struct torus_routes *routes_waiting;	/* tables to install at a tick, earliest first */

	/* callback for interrupts, see state/interrupt.h; set by the owner, kept by a reset */
	void (*interrupt)(struct torus_fabric *f, u32 node, u32 cause);
	void *owner;			/* argument of the owner's callback */

	/* state of the run in progress, see run/windows.c */
	u64 run_until;
	u64 run_budget;
	u32 run_threads;
	u32 run_end;
	bool run_on;			/* run without events: run_through, or staged tables */
	u32 run_parity;
	u64 run_stop;
	u32 run_open;			/* workers may join the run */
	u32 barrier_count __attribute__((aligned(64)));
	u32 barrier_sense __attribute__((aligned(64)));
};

/* Modes of a run in virtual time, see run/virtual_time.h. */
enum torus_step {
	TORUS_STEP_FREE,	/* windows of maximum length */
	TORUS_STEP_TICKS,	/* windows of one tick, until a program's event happens */
	TORUS_STEP_ONE,		/* one window of one tick, then report notices */
};

torus_inline size_t torus_group_index(const struct torus_fabric *f, u32 node, u32 group)
{
	return (size_t)node * f->arch->groups + group;
}

/*
 * Get a FIFO group's generation: incremented by each attach and detach; odd: the group has a
 * client.
 */
torus_inline u32 torus_group_generation(const struct torus_fabric *f, u32 node, u32 group)
{
	return f->generation ? f->generation[torus_group_index(f, node, group)] : 0;
}

/* Hops in a dimension on a machine without faults, negative in minus direction. */
torus_inline s32 torus_fabric_steps(struct torus_fabric *f, u32 dim, u32 from, u32 to)
{
	return f->arch->steps ? f->arch->steps(f, dim, from, to) :
				torus_geometry_steps(&f->cfg.geo, dim, from, to);
}

const struct torus_config *torus_fabric_config(const struct torus_fabric *f);

/* Current tick of the fabric. */
torus_inline u64 torus_fabric_clock(const struct torus_fabric *f)
{
	return f->clock;
}

/* Number of directions of a node: two per dimension. */
u32 torus_fabric_dirs(const struct torus_fabric *f);

/**
 * torus_fabric_partition() - get the partition of a node
 *
 * Nodes reach only nodes of their own partition.
 */
torus_inline u32 torus_fabric_partition(const struct torus_fabric *f, u32 node)
{
	return f->partition ? f->partition[node] : 0;
}

/**
 * torus_fabric_stays_in_partition() - check a packet against the parameter `isolate`
 * @node: index of the node where the packet enters
 * @packet: a validated packet with its route
 *
 * Return: false if partitions share no buffer and the packet could leave its node's partition.
 */
torus_inline bool torus_fabric_stays_in_partition(struct torus_fabric *f, u32 node,
						  const struct torus_packet *packet)
{
	if (torus_likely(!f->isolate) || !f->partition)
		return true;
	return f->arch->stays_in_partition && f->arch->stays_in_partition(f, node, packet);
}

int torus_fabric_partition_set(struct torus_fabric *f, u32 node, u32 partition,
			       struct torus_error *err);

#endif /* TORUS_CORE_FABRIC_H */
