/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The barrier channels of a fabric: the gates of its nodes' TNIs, joined to the router (Ajima
 * et al. (2009), Integrated collective function: "without any CPU intervention").
 *
 * A barrier packet names no reception FIFO but TORUS_TOFU_FIFO_GATE, and its engine in the
 * header's sixteen bits of software's.  It comes through that engine's port, and the gates
 * take it; what they send for it waits for `gate_delay` ticks and then goes into the
 * injection slot of the same engine, in the order in which the gates fired, before anything
 * of software's that waits for the slot.  A packet to the own node does not see the router.
 * While it waits it is in memory of the channel, which bounds the number (gate_queue.h).
 *
 * A channel is made when somebody asks for its gates, and freed when a program was the last
 * to give one back and what they sent has left.  A fabric without barriers has none, and
 * pays a test a refill of a slot.  What happens in a channel happens in the thread of its
 * node's domain, when the tick's events have been applied (packets that arrive, by node and
 * slot) or while the node is arbitrated, and touches that node alone.
 */
#ifndef TORUS_ARCH_TOFU_BARRIER_H
#define TORUS_ARCH_TOFU_BARRIER_H

#include "arch/tofu/gate.h"
#include "core/error.h"
#include "core/nic/gate.h"

struct torus_domain;
struct torus_fabric;
struct torus_packet;

/* The machine's own reasons to drop a packet, from TORUS_DROP_MACHINE on. */
enum tofu_drop {
	TOFU_DROP_GATE_UNSET,		/* for a gate that waits for nothing, or is none */
	TOFU_DROP_GATE_STRANGER,	/* of another gate than the one waited for, or partition */
	TOFU_DROP_GATE_OVERRUN,		/* a second one before the first was taken, or too many
					 * that wait to leave
					 */
	TOFU_DROP_GATE_MALFORMED,	/* a head or data that no gate sends */
	TOFU_DROP_ENGINE_MALFORMED,	/* that no engine sends */
	TOFU_DROPS,
};

/* Their names. */
extern const char *const tofu_drop_names[];

/**
 * typedef tofu_barrier_done - a chain's end has a result for tofu_gates_poll()
 * @owner: as tofu_barrier_open() was told
 * @node: index of the node
 * @vbg: VBG id of the end gate
 *
 * Called in the thread of the node's domain; must not call the gates in turn, but may have
 * the node looked at later: torus_nic_wake().
 */
typedef void tofu_barrier_done(void *owner, u32 node, u64 vbg);

/* The router's side, and the machine's (a fabric without barriers has nothing to do). */
void tofu_barrier_refill(struct torus_domain *d, u32 node);
void tofu_barrier_take(struct torus_domain *d, u32 node, u32 pkt);

extern const struct tofu_gate_ops tofu_channel_ops;

#endif
