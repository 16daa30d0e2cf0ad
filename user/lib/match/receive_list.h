/* SPDX-License-Identifier: GPL-2.0 */
/* Posted receives and unexpected messages: find the one that fits the other. */
#ifndef TORUS_LIB_MATCH_RECEIVE_LIST_H
#define TORUS_LIB_MATCH_RECEIVE_LIST_H

#include "match.h"

struct match_receive *torus_match_find_posted(struct torus_match *match,
					      const struct match_message *message);
void torus_match_unexpected_add(struct torus_match *match, struct match_message *message);
void torus_match_receives_left(struct torus_match *match, uint32_t rank);
void torus_match_receives_fail(struct torus_match *match, int error);

#endif /* TORUS_LIB_MATCH_RECEIVE_LIST_H */
