// SPDX-License-Identifier: GPL-2.0
/* State of the other ranks. */
#include <errno.h>
#include <stdlib.h>
#include "../context/error.h"
#include "match.h"
#include "rank.h"

/**
 * torus_match_peer() - look up the state of a rank, or create it
 * @match: the matching
 * @rank: valid rank
 * @peer: [out] the state
 *
 * Return: 0 or -ENOBUFS.
 */
int torus_match_peer(struct torus_match *match, uint32_t rank, struct match_peer **peer)
{
	if (!match->peers[rank])
		match->peers[rank] = calloc(1, sizeof(**match->peers));
	*peer = match->peers[rank];
	return *peer ? 0 : torus_error_set(-ENOBUFS, "out of memory for rank %u", rank);
}
