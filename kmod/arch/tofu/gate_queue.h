/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The packets that the gates of one TNI have sent and that have not left yet.
 *
 * Each gate may have TOFU_GATE_QUEUED of them.  The memory for all of them is part of the
 * channel, so that a gate that fires takes none.  Members of a chain that user/tofu/chain.h
 * builds have at most two of a gate: a member can end an operation before its last packet has
 * left, but it cannot end the next one before its peer has received that packet.
 */
#ifndef TORUS_ARCH_TOFU_GATE_QUEUE_H
#define TORUS_ARCH_TOFU_GATE_QUEUE_H

#include "arch/tofu/gate.h"
#include "core/base/packet.h"

#define TOFU_QUEUE_PLACES	(TOFU_GATES * TOFU_GATE_QUEUED)
#define TOFU_QUEUE_NONE		0xffu
#define TOFU_QUEUE_BYTES	160u	/* of the longest packet of a gate: whole chunks */

/**
 * struct tofu_queued - a packet that waits
 * @p: the packet; @entered is the tick before which it does not leave
 * @next: place of the packet behind it
 * @gate: number of the gate that sent it
 * @bytes: the packet, header included
 */
struct tofu_queued {
	struct torus_packet p;
	u8 next;
	u8 gate;
	u8 bytes[TOFU_QUEUE_BYTES] __attribute__((aligned(8)));
};

/**
 * struct tofu_queue - packets in the order in which they leave
 * @head: place of the first, TOFU_QUEUE_NONE: none waits
 * @tail: place of the last
 */
struct tofu_queue {
	u8 head;
	u8 tail;
};

/**
 * struct tofu_queue_places - the places of all queues of a TNI
 * @free: a free place, linked by @next; TOFU_QUEUE_NONE: none
 * @used: number of packets that wait
 * @place: the places
 */
struct tofu_queue_places {
	u8 free;
	u8 used;
	struct tofu_queued place[TOFU_QUEUE_PLACES];
};

_Static_assert(TOFU_QUEUE_PLACES < TOFU_QUEUE_NONE, "a place fits a byte");

void tofu_queue_init(struct tofu_queue_places *places);
struct tofu_queued *tofu_queue_push(struct tofu_queue_places *places, struct tofu_queue *queue);
void tofu_queue_pop(struct tofu_queue_places *places, struct tofu_queue *queue);

#endif
