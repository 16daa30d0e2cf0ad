// SPDX-License-Identifier: GPL-2.0
/* Packets of gates that wait: see gate_queue.h. */
#include "arch/tofu/gate_queue.h"

/**
 * tofu_queue_init() - discard all packets that wait
 * @places: the places of a TNI; its queues are the caller's to empty
 */
void tofu_queue_init(struct tofu_queue_places *places)
{
	u32 i;

	for (i = 0; i < TOFU_QUEUE_PLACES; i++)
		places->place[i].next = (u8)(i + 1);
	places->place[TOFU_QUEUE_PLACES - 1].next = TOFU_QUEUE_NONE;
	places->free = 0;
	places->used = 0;
}

/**
 * tofu_queue_push() - append a packet
 * @places: the places of a TNI
 * @queue: one of its queues
 *
 * Return: the packet, for the caller to fill in; NULL if all places are taken.
 */
struct tofu_queued *tofu_queue_push(struct tofu_queue_places *places, struct tofu_queue *queue)
{
	u8 at = places->free;

	if (at == TOFU_QUEUE_NONE)
		return NULL;
	places->free = places->place[at].next;
	places->place[at].next = TOFU_QUEUE_NONE;
	if (queue->head == TOFU_QUEUE_NONE)
		queue->head = at;
	else
		places->place[queue->tail].next = at;
	queue->tail = at;
	places->used++;
	return &places->place[at];
}

/**
 * tofu_queue_pop() - remove the first packet
 * @places: the places of a TNI
 * @queue: one of its queues, not empty
 */
void tofu_queue_pop(struct tofu_queue_places *places, struct tofu_queue *queue)
{
	u8 at = queue->head;

	queue->head = places->place[at].next;
	places->place[at].next = places->free;
	places->free = at;
	places->used--;
}
