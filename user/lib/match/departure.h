/* SPDX-License-Identifier: GPL-2.0 */
/* Notice processes that have left, and end the operations that wait for them. */
#ifndef TORUS_LIB_MATCH_DEPARTURE_H
#define TORUS_LIB_MATCH_DEPARTURE_H

#include "match.h"

void torus_match_departures(struct torus_match *match);
bool torus_match_left(const struct torus_match *match, uint32_t source);

#endif /* TORUS_LIB_MATCH_DEPARTURE_H */
