/* SPDX-License-Identifier: GPL-2.0 */
/* Receive the packets of matched messages. */
#ifndef TORUS_LIB_MATCH_INCOMING_H
#define TORUS_LIB_MATCH_INCOMING_H

#include "match.h"

int torus_match_accept(struct torus_match *match, struct peer *from, const struct torus_view *view,
		       const struct arrival *arrival);
void torus_match_arrivals_left(struct torus_match *match, struct match_peer *peer);
void torus_match_arrivals_fail(struct torus_match *match, int error);

#endif /* TORUS_LIB_MATCH_INCOMING_H */
