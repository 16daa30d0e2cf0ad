/* SPDX-License-Identifier: GPL-2.0 */
/* The options and the results of torus-pingpong. */
#ifndef TORUS_PINGPONG_H
#define TORUS_PINGPONG_H

#include <stdbool.h>
#include <torus/message.h>
#include "beside/sizes.h"

/**
 * struct pingpong - one call
 * @sizes: lengths of the messages
 * @rounds: messages there and back a size; 0: by size
 * @max: longest length if @sizes is empty
 * @partner: the rank that answers rank 0; 0: the last
 * @timeout_ms: of each wait; -1: none
 * @ordered: packets of one message travel in order, by one path
 * @json: answer as JSON
 * @pretty: with line breaks
 */
struct pingpong {
	struct sizes sizes;
	__u32 rounds;
	__u32 max;
	__u32 partner;
	int timeout_ms;
	bool ordered;
	bool json;
	bool pretty;
};

/**
 * struct pingpong_row - what was measured at one size
 * @bytes: length of the messages
 * @rounds: messages there and back
 * @ticks_min: simulated time one way, the least
 * @ticks_mean: the mean
 * @ticks_max: the greatest
 * @wall_ns: half of a round on the wall, the mean
 */
struct pingpong_row {
	__u32 bytes;
	__u32 rounds;
	__u64 ticks_min;
	double ticks_mean;
	__u64 ticks_max;
	double wall_ns;
};

struct pingpong_pair {
	const struct torus_ioc_info *info;
	__u32 size;
	__u32 partner;
	__u32 nodes[2];
	__u32 coords[2][TORUS_DIMS_MAX];
};

#endif /* TORUS_PINGPONG_H */
