/* SPDX-License-Identifier: GPL-2.0 */
/* Messages that arrive, and lists of messages of one sender. */
#ifndef TORUS_LIB_MATCH_MESSAGE_LIST_H
#define TORUS_LIB_MATCH_MESSAGE_LIST_H

#include "match.h"

void torus_match_list_append(struct match_list *list, struct match_message *message);
void torus_match_list_insert(struct match_list *list, struct match_message *message);
void torus_match_list_remove(struct match_list *list, struct match_message *message);
struct match_message *torus_match_list_find(const struct match_list *list, uint32_t number);
struct match_message *torus_match_message_new(uint32_t source, uint32_t length, uint32_t packets);
bool torus_match_packet_seen(const struct match_message *message, uint32_t index);
void torus_match_message_free(struct match_message *message);

#endif /* TORUS_LIB_MATCH_MESSAGE_LIST_H */
