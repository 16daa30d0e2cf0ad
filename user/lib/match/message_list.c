// SPDX-License-Identifier: GPL-2.0
/* Messages that arrive, and lists of messages of one sender. */
#include <stdlib.h>
#include "match.h"
#include "message_list.h"

static void list_insert_after(struct match_list *list, struct match_message *before,
			      struct match_message *message)
{
	message->prev = before;
	message->next = before ? before->next : list->first;
	if (message->next)
		message->next->prev = message;
	else
		list->last = message;
	if (before)
		before->next = message;
	else
		list->first = message;
}

/**
 * torus_match_list_append() - add a message to the end of a list
 * @list: the list
 * @message: the message
 */
void torus_match_list_append(struct match_list *list, struct match_message *message)
{
	list_insert_after(list, list->last, message);
}

/**
 * torus_match_list_insert() - add a message to a list that is sorted by number
 * @list: the list
 * @message: the message
 */
void torus_match_list_insert(struct match_list *list, struct match_message *message)
{
	struct match_message *before = list->last;

	while (before && (int32_t)(before->number - message->number) > 0)
		before = before->prev;
	list_insert_after(list, before, message);
}

/**
 * torus_match_list_remove() - remove a message from its list
 * @list: the list
 * @message: the message
 */
void torus_match_list_remove(struct match_list *list, struct match_message *message)
{
	if (message->prev)
		message->prev->next = message->next;
	else
		list->first = message->next;
	if (message->next)
		message->next->prev = message->prev;
	else
		list->last = message->prev;
}

/**
 * torus_match_list_find() - find a message by its number
 * @list: the list
 * @number: number of the message
 *
 * Return: the message; NULL if it is not in the list.
 */
struct match_message *torus_match_list_find(const struct match_list *list, uint32_t number)
{
	struct match_message *message = list->first;

	while (message && message->number != number)
		message = message->next;
	return message;
}

/**
 * torus_match_message_new() - allocate a message
 * @source: rank of the sender
 * @length: length of the arriving message in bytes
 * @packets: number of its packets
 *
 * Return: the message, in no list; NULL if there is no memory.
 */
struct match_message *torus_match_message_new(uint32_t source, uint32_t length, uint32_t packets)
{
	struct match_message *message = calloc(1, sizeof(*message));

	if (!message)
		return NULL;
	message->source = source;
	message->length = length;
	message->missing = packets;
	if (packets < 2)
		return message;
	message->seen = calloc((packets + 7ull) / 8, 1);
	if (message->seen)
		return message;
	free(message);
	return NULL;
}

/**
 * torus_match_packet_seen() - check whether a packet of a message was received before
 * @message: the message
 * @index: number of the packet
 *
 * Return: true if so.
 */
bool torus_match_packet_seen(const struct match_message *message, uint32_t index)
{
	return message->seen ? message->seen[index / 8] >> index % 8 & 1 : !message->missing;
}

/**
 * torus_match_message_free() - free a message
 * @message: the message, in no list
 */
void torus_match_message_free(struct match_message *message)
{
	free(message->seen);
	free(message->bytes);
	free(message);
}
