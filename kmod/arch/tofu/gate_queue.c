// SPDX-License-Identifier: GPL-2.0
/* Queues of gate packets that wait to leave: see gate_queue.h. */
#include "arch/tofu/gate_queue.h"

/* Discard all waiting packets of a TNI. The caller empties the TNI's queues. */
void tofu_gate_queue_init(struct tofu_gate_queue_places *places)
{
	u32 i;

	for (i = 0; i < TOFU_QUEUE_PLACES; i++)
		places->place[i].next = (u8)(i + 1);
	places->place[TOFU_QUEUE_PLACES - 1].next = TOFU_QUEUE_NONE;
	places->free = 0;
	places->used = 0;
}

/*
 * Append a packet to a queue.
 *
 * Return: the entry, for the caller to fill in; NULL if all entries are used.
 */
struct tofu_queued *tofu_gate_queue_push(struct tofu_gate_queue_places *places,
					 struct tofu_gate_queue *queue)
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

/* Remove the first packet of a queue, which must not be empty. */
void tofu_gate_queue_pop(struct tofu_gate_queue_places *places, struct tofu_gate_queue *queue)
{
	u8 at = queue->head;

	queue->head = places->place[at].next;
	places->place[at].next = places->free;
	places->free = at;
	places->used--;
}
