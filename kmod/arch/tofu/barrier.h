/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Barrier channels: they connect the gates of a node's TNI to the router (Ajima et al. (2009),
 * Integrated collective function: "without any CPU intervention").
 *
 * A barrier packet names TORUS_TOFU_FIFO_GATE instead of a reception FIFO. The 16 bits of the
 * header that are reserved for software hold its engine. The packet arrives through that
 * engine's port, and the engine's gates receive it. The packets that the gates send in response
 * wait for `gate_delay` ticks. They then enter the injection slot of the same engine, in the
 * order in which the gates fired, before waiting packets of software. A packet to the own node
 * bypasses the router. Waiting packets are in memory of the channel, which bounds their number
 * (gate_queue.h).
 *
 * A channel is created when its gates are first requested. It can be freed when a program has freed
 * the last gate and all packets of the gates have left. A fabric without barriers has no channels,
 * and pays only for one test per refill of a slot.
 *
 * A channel runs in the thread of its node's domain. It processes arriving packets after the tick's
 * events, in the order of node and slot. It sends packets during the node's arbitration. It changes
 * the state of that node only.
 */
#ifndef TORUS_ARCH_TOFU_BARRIER_H
#define TORUS_ARCH_TOFU_BARRIER_H

#include "arch/tofu/gate.h"
#include "core/error.h"
#include "core/nic/gate.h"

struct torus_domain;
struct torus_fabric;
struct torus_packet;

/* Drop reasons of this machine, numbered from TORUS_DROP_MACHINE. */
enum tofu_drop {
	TOFU_DROP_GATE_UNSET,		/* to a gate that is not set or does not exist */
	/*
	 * from another partition, from a gate that is not the configured source, or to an earlier
	 * owner of the gate
	 */
	TOFU_DROP_GATE_STRANGER,
	/*
	 * a source's second packet arrived before its first was used, or the sending gate's queue
	 * is full
	 */
	TOFU_DROP_GATE_OVERRUN,
	TOFU_DROP_GATE_MALFORMED,	/* a header or data that no gate sends */
	TOFU_DROP_ENGINE_MALFORMED,	/* a header that no engine sends */
	TOFU_DROPS,
};

/* Names of enum tofu_drop. */
extern const char *const tofu_drop_names[];

/**
 * typedef tofu_barrier_done - report that the end of a chain has a result for tofu_gates_poll()
 *
 * @owner: as passed to tofu_barrier_open()
 * @node: index of the node
 * @vbg: VBG ID of the end gate
 *
 * Called in the thread of the node's domain, or by a task that has locked the fabric and starts or
 * frees a gate. It must not call the gates, but may schedule the node for later: torus_nic_wake().
 */
typedef void tofu_barrier_done(void *owner, u32 node, u64 vbg);

/* Called by the router and the machine; refill only for a fabric with barrier channels. */
void tofu_barrier_refill(struct torus_domain *d, u32 node);
void tofu_barrier_take(struct torus_domain *d, u32 node, u32 pkt);

extern const struct tofu_gate_ops tofu_channel_ops;

#endif
