/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fabric: one machine, whole, as the core sees it.  Who runs one sees it
 * through run/fabric.h.
 */
#ifndef TORUS_CORE_FABRIC_H
#define TORUS_CORE_FABRIC_H

#include "core/env.h"
#include "core/error.h"
#include "core/state/arch.h"
#include "core/state/config.h"
#include "core/state/router_ops.h"

struct torus_counted;
struct torus_domain;
struct torus_fault;
struct torus_link;
struct torus_nic;
struct torus_processor;
struct torus_routes;
struct torus_completions;
struct torus_pairs;
struct torus_workload;

/* Ticks of a node's processor, see workload/processor.h. */
struct torus_cost {
	u32 inject_packet;
	u32 inject_chunk;
	u32 receive_packet;
	u32 receive_chunk;
};

/**
 * struct torus_load_ops - what becomes of a synthetic packet that stays within the NIC
 * @admit: where processors have a say: is there room in its reception FIFO?
 * @receive: it is whole, and the workload's from here on
 */
struct torus_load_ops {
	bool (*admit)(struct torus_domain *d, u32 node, const struct torus_packet *p, u32 fifo);
	void (*receive)(struct torus_domain *d, u32 node, u32 pkt, u32 fifo);
};

/**
 * struct torus_fabric - a machine, whole
 */
struct torus_fabric {
	struct torus_config cfg;
	const struct torus_arch *arch;
	const struct torus_router_ops *router;
	void *machine;			/* the machine's own parameters */
	size_t machine_bytes;
	u32 ndomains;
	u32 own_first;			/* the domains that this process simulates: all of them */
	u32 own_end;			/* ndomains, but see state/procs.h */
	struct torus_counted *counted;	/* likewise */
	u32 dirs;
	u32 nodes;
	u8 *where;			/* domain of each node; NULL: there is one */
	u32 *local;			/* index of each node in its domain; NULL: its number */
	u32 node_bytes;
	u8 *node;			/* the nodes as the hot loop has them */
	struct torus_link *links;	/* as their protocol has them; NULL: none is simulated */
	struct torus_processor *processors;	/* NULL: their time does not count */
	u8 *queues;			/* injection FIFOs, NULL: the router's slots are them */
	u32 queues_stride;
	struct torus_tni_counters *tnis;	/* nodes x router->ports, NULL where it has none */
	u64 *slot_queues;		/* bit i: of each injection slot, FIFO i leads to it */
	const struct torus_load_ops *load;
	u32 *hot;			/* hot counters of links, see struct torus_domain */
	u32 vcs;			/* the router's */
	u32 bubble_vcs;			/* bit v: a bubble in each ring keeps VC v alive */
	u64 tick_fs;
	u32 hot_stride;			/* hot counters a link, u32 words */
	u32 fold_stride;		/* their 64-bit sums and the stalls' */
	u64 lookahead;			/* ticks: longest window */
	u64 clock;
	struct torus_domain *domain;
	struct torus_nic **nic;		/* nodes x groups, NULL where never attached */
	u32 *attached;			/* indices into nic of the held groups */
	u32 nattached;
	struct torus_completions *completions;	/* by group; NULL: no client asks for them */
	u32 *generation;		/* nodes x groups, NULL: none was ever attached */
	u32 epoch;			/* moves with every attachment and detachment */
	u32 *partition;			/* a node; NULL: all 0 */
	bool isolate;			/* partitions share no buffer */
	struct torus_fault *faults;	/* scheduled */
	u32 *fault_state;
	u32 nfaults;
	u8 *loopback;			/* a node; NULL: nobody is in loopback */
	u8 *dead;			/* a node: 0, 1, TORUS_NODE_FAILED; NULL: all live */
	bool links_live;		/* some link's protocol is simulated */
	struct torus_crc32_zeros *payload_zeros; /* by chunks, see link/payload_crc.c */
	u32 *link_crc;			/* sender's and receiver's, nodes x dirs x 2; NULL: all 0 */
	u64 rx_stall;			/* ticks, 0: no limit */
	bool hold;			/* no_listener: keep instead of drop */
	bool crc_full;
	bool injection_infinite;
	bool injection_held;		/* inject=hold|drain: nothing new enters the network */
	bool bubble_kept;		/* each bubble ring must keep room for a packet */
	struct torus_cost cost;
	u64 ber;			/* of every link at set-up, units of 2^-64 */
	u32 hop_limit;
	u32 overhead_ticks;		/* link ticks of a packet beyond its chunks */
	u32 control_ticks;		/* of a control packet, 0: charged to the packets */
	u64 fixed_bytes;		/* of everything allocated at set-up */

	struct torus_workload *workload;
	struct torus_pairs *pairs;	/* of the workload, or of the next */
	struct torus_vtime_client *vtime_clients;	/* of programs, see run/virtual_time.h */
	u32 programs;			/* that have come */
	u32 in_step;			/* enum torus_step */
	u32 wanting;			/* enum torus_wanting */
	u32 wanting_polls;		/* since clients' requests began to wait for memory */
	bool run_through;		/* to the tick asked for, with no event left too */
	struct torus_routes *routes_waiting;	/* tables that wait for their tick, least first */

	/* told of interrupts, see state/interrupt.h; the owner's, a reset leaves it */
	void (*interrupt)(struct torus_fabric *f, u32 node, u32 cause);
	void *owner;			/* for that function */

	/* the run in progress, see run/windows.c */
	u64 run_until;
	u64 run_budget;
	u32 run_threads;
	u32 run_end;
	bool run_on;			/* with no event left, towards the tick of tables */
	u32 run_parity;
	u64 run_stop;
	u32 run_open;			/* workers may come in */
	u32 barrier_count __attribute__((aligned(64)));
	u32 barrier_sense __attribute__((aligned(64)));
};

/* Limits of a run in virtual time, see run/virtual_time.h. */
enum torus_step {
	TORUS_STEP_FREE,	/* in windows as long as can be */
	TORUS_STEP_TICKS,	/* of one tick, until what a program waits for has happened */
	TORUS_STEP_ONE,		/* one window: it may be told only between two runs */
};

torus_inline size_t torus_group_index(const struct torus_fabric *f, u32 node, u32 group)
{
	return (size_t)node * f->arch->groups + group;
}

/* A FIFO group's generation: one more at every attachment and detachment; odd: held. */
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

/* Ticks now. */
torus_inline u64 torus_fabric_clock(const struct torus_fabric *f)
{
	return f->clock;
}

/* Directions of a node: 2 a dimension. */
u32 torus_fabric_dirs(const struct torus_fabric *f);

/**
 * torus_fabric_partition() - which partition a node is in
 *
 * Nodes reach only nodes of their own partition.
 */
torus_inline u32 torus_fabric_partition(const struct torus_fabric *f, u32 node)
{
	return f->partition ? f->partition[node] : 0;
}

/**
 * torus_fabric_stays() - may a packet go where the key `isolate` lets it?
 * @f: the fabric
 * @node: where it enters the network
 * @packet: the packet, judged and with its route
 *
 * Return: false if there are partitions that share no buffer, and it may leave its node's.
 */
torus_inline bool torus_fabric_stays(struct torus_fabric *f, u32 node,
				     const struct torus_packet *packet)
{
	if (torus_likely(!f->isolate) || !f->partition)
		return true;
	return f->arch->stays && f->arch->stays(f, node, packet);
}

int torus_fabric_partition_set(struct torus_fabric *f, u32 node, u32 partition,
			       struct torus_error *err);

#endif /* TORUS_CORE_FABRIC_H */
