/* SPDX-License-Identifier: GPL-2.0 */
/* State of the other ranks. */
#ifndef TORUS_LIB_MATCH_RANK_H
#define TORUS_LIB_MATCH_RANK_H

#include "match.h"

int torus_match_peer(struct torus_match *match, uint32_t rank, struct match_peer **peer);

#endif /* TORUS_LIB_MATCH_RANK_H */
