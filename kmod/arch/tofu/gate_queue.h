/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packets that the gates of one TNI have sent and that have not left yet.
 *
 * Each gate may have TOFU_GATE_QUEUED of them. The memory for all of them is part of the channel,
 * so a firing gate allocates none. In a chain that user/tofu/chain.h builds, at most two packets of
 * a gate wait. A member can end an operation before its last packet has left. It cannot end the
 * next operation before its peer has received that packet.
 */
#ifndef TORUS_ARCH_TOFU_GATE_QUEUE_H
#define TORUS_ARCH_TOFU_GATE_QUEUE_H

#include "arch/tofu/gate.h"
#include "core/base/packet.h"

#define TOFU_QUEUE_PLACES	(TOFU_GATES * TOFU_GATE_QUEUED)
#define TOFU_QUEUE_NONE		0xffu
#define TOFU_QUEUE_BYTES	160u	/* the longest packet of a gate, in whole chunks */

/**
 * struct tofu_queued - a packet that waits to leave
 *
 * @p: the packet; @entered is the earliest tick at which it may leave
 * @next: index of the following packet
 * @gate: number of the sending gate
 * @bytes: serialized packet, including its header
 */
struct tofu_queued {
	struct torus_packet p;
	u8 next;
	u8 gate;
	u8 bytes[TOFU_QUEUE_BYTES] __attribute__((aligned(8)));
};

/**
 * struct tofu_gate_queue - packets in the order in which they leave
 *
 * @head: index of the first packet; TOFU_QUEUE_NONE: empty
 * @tail: index of the last packet
 */
struct tofu_gate_queue {
	u8 head;
	u8 tail;
};

/**
 * struct tofu_gate_queue_places - storage of all queues of a TNI
 *
 * @free: index of a free entry; free entries are linked by @next; TOFU_QUEUE_NONE: none
 * @used: number of waiting packets
 * @place: entries
 */
struct tofu_gate_queue_places {
	u8 free;
	u8 used;
	struct tofu_queued place[TOFU_QUEUE_PLACES];
};

_Static_assert(TOFU_QUEUE_PLACES < TOFU_QUEUE_NONE, "a place fits a byte");

void tofu_gate_queue_init(struct tofu_gate_queue_places *places);
struct tofu_queued *tofu_gate_queue_push(struct tofu_gate_queue_places *places,
					 struct tofu_gate_queue *queue);
void tofu_gate_queue_pop(struct tofu_gate_queue_places *places, struct tofu_gate_queue *queue);

#endif
