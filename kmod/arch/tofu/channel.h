/* SPDX-License-Identifier: GPL-2.0 */
/* The barrier channels of a fabric, between channel.c, which makes them, and barrier.c. */
#ifndef TORUS_ARCH_TOFU_CHANNEL_H
#define TORUS_ARCH_TOFU_CHANNEL_H

#include "arch/tofu/barrier.h"
#include "arch/tofu/gate_queue.h"
#include "arch/tofu/tofu.h"
#include "core/state/fabric.h"

/**
 * struct tofu_channel - a TNI's gates, and what they send
 * @f: the fabric
 * @node: index of the node
 * @tni: number of the engine
 * @sent: packets that its gates have sent
 * @loop_until: tick when the last packet to the own node is there
 * @out: packets for the injection slot
 * @loop: packets to the own node
 * @end: of each gate that starts and ends chains: the pointer that its owner gave
 * @gates: the gates
 * @places: the packets in @out and @loop
 */
struct tofu_channel {
	struct torus_fabric *f;
	u32 node;
	u32 tni;
	u64 sent;
	u64 loop_until;
	struct tofu_queue out;
	struct tofu_queue loop;
	void *end[TOFU_ENDS];
	struct tofu_gates gates;
	struct tofu_queue_places places;
};

/**
 * struct tofu_barrier - a fabric's barrier channels
 * @done: called with each result
 * @owner: for @done
 * @channels: places in @channel
 * @made: of these, channels that there are
 * @idle: of these, channels of which no gate is allocated
 * @turn: highest count in tofu_gates.turn of the channels that were given back
 * @moment: moments that were counted
 * @channel: by node, then TNI; NULL where nobody has asked for gates
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

/* The channel of a TNI; NULL if there is none. */
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
		       struct torus_gate_room *room, u64 *vbgs);
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
