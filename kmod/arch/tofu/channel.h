/* SPDX-License-Identifier: GPL-2.0 */
/* Data of barrier channels, shared by channel.c, which creates them, and barrier.c. */
#ifndef TORUS_ARCH_TOFU_CHANNEL_H
#define TORUS_ARCH_TOFU_CHANNEL_H

#include "arch/tofu/barrier.h"
#include "arch/tofu/gate_queue.h"
#include "arch/tofu/tofu.h"
#include "core/state/fabric.h"

/**
 * struct tofu_channel - gates of a TNI, and the packets that they send
 *
 * @f: the fabric
 * @node: index of the node
 * @tni: number of the engine
 * @sent: packets that its gates have sent, including those dropped because they had no route
 * @loop_until: tick at which the last packet to the own node arrives
 * @out: packets for the injection slot
 * @loop: packets to the own node
 * @end: by end gate: the pointer that the gate's owner stored
 * @gates: the gates
 * @places: storage of the packets in @out and @loop
 */
struct tofu_channel {
	struct torus_fabric *f;
	u32 node;
	u32 tni;
	u64 sent;
	u64 loop_until;
	struct tofu_gate_queue out;
	struct tofu_gate_queue loop;
	void *end[TOFU_ENDS];
	struct tofu_gates gates;
	struct tofu_gate_queue_places places;
};

/**
 * struct tofu_barrier - barrier channels of a fabric
 *
 * @done: called for each result
 * @owner: argument for @done
 * @channels: number of entries in @channel
 * @made: number of existing channels
 * @idle: number of existing channels without allocated gates
 * @turn: maximum of tofu_gates.turn over all gates of freed channels
 * @moment: number of moments counted by tofu_barrier_moment()
 * @channel: channels, by node, then TNI; NULL: gates were never requested, or the channel was freed
 */
struct tofu_barrier {
	tofu_barrier_done *done;
	void *owner;
	size_t channels;
	u32 made;
	u32 idle;
	u32 turn;
	u64 moment;
	struct tofu_channel *channel[];
};

/* Return the channel of a TNI; NULL if there is none. */
torus_inline struct tofu_channel *tofu_channel_at(const struct torus_fabric *f, u32 node,
						  u32 tni)
{
	const struct tofu_machine *m = f->machine;

	if (!m->barrier || tni >= m->tnis)
		return NULL;
	return m->barrier->channel[(size_t)node * m->tnis + tni];
}

int tofu_barrier_open(struct torus_fabric *f, tofu_barrier_done *done, void *owner,
		      struct torus_error *err);
struct tofu_gates *tofu_barrier_gates(struct torus_fabric *f, u32 node, u32 tni,
				      struct torus_error *err);
u32 tofu_barrier_alloc(struct torus_fabric *f, u32 node, u32 tni, u32 count,
		       struct torus_gate_memory *supply, u64 *vbgs);
void tofu_barrier_give(struct torus_fabric *f, u32 node, u64 vbg);
void *tofu_barrier_end(const struct torus_fabric *f, u32 node, u64 vbg);
u32 tofu_barrier_trim(struct torus_fabric *f);
struct tofu_gates *tofu_barrier_find(const struct torus_fabric *f, u32 node, u32 tni);
u64 tofu_barrier_moment(struct torus_fabric *f);
size_t tofu_barrier_engine_bytes(void);
u64 tofu_barrier_sent(const struct torus_fabric *f);

void tofu_barrier_reset(struct torus_fabric *f, u32 node);
size_t tofu_barrier_later(const struct torus_fabric *f);
void tofu_barrier_free(struct torus_fabric *f);

#endif
