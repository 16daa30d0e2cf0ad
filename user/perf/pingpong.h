/* SPDX-License-Identifier: GPL-2.0 */
/* Options and results of torus-pingpong. */
#ifndef TORUS_PINGPONG_H
#define TORUS_PINGPONG_H

#include <stdbool.h>
#include <stdint.h>
#include <torus/message.h>
#include "compare/sizes.h"

/**
 * struct pingpong - the command line
 * @sizes: lengths of the messages
 * @rounds: number of round trips per length; 0: the number depends on the length
 * @max: maximum length of the default lengths, which are used if @sizes is empty
 * @partner: rank that replies to rank 0; 0: the last rank
 * @timeout_ms: time limit of each wait except in sends and at the job's barrier; -1: none
 * @ordered: true to send the packets of a message in order, by one path
 * @json: print JSON
 * @pretty: print JSON with line breaks
 */
struct pingpong {
	struct sizes sizes;
	uint32_t rounds;
	uint32_t max;
	uint32_t partner;
	int timeout_ms;
	bool ordered;
	bool json;
	bool pretty;
};

/**
 * struct pingpong_row - results for one length
 * @bytes: length of the messages
 * @rounds: number of round trips
 * @ticks_min: minimum of the simulated time one way, in ticks
 * @ticks_mean: mean of the simulated time one way, in ticks
 * @ticks_max: maximum of the simulated time one way, in ticks
 * @wall_ns: mean wall-clock time of half a round trip
 */
struct pingpong_row {
	uint32_t bytes;
	uint32_t rounds;
	__u64 ticks_min;
	double ticks_mean;
	__u64 ticks_max;
	double wall_ns;
};

struct pingpong_pair {
	const struct torus_ioc_info *info;
	uint32_t size;
	uint32_t partner;
	uint32_t nodes[2];
	uint32_t coords[2][TORUS_DIMS_MAX];
};

#endif /* TORUS_PINGPONG_H */
