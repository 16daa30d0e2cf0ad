/* SPDX-License-Identifier: GPL-2.0 */
/* Give messages to receives. */
#ifndef TORUS_LIB_MATCH_MATCHED_H
#define TORUS_LIB_MATCH_MATCHED_H

#include "match.h"

void torus_match_put(const struct match_receive *receive, size_t start, const void *from,
		     size_t bytes);
void torus_match_finish(struct torus_match *match, struct match_message *message);
void torus_match_bind(struct torus_match *match, struct match_message *message,
		      struct match_receive *receive);
void torus_match_enter(struct torus_match *match, struct match_message *message);
int torus_match_self(struct torus_match *match, struct match_send *send);

#endif /* TORUS_LIB_MATCH_MATCHED_H */
