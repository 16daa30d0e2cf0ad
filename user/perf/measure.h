/* SPDX-License-Identifier: GPL-2.0 */
/* Send a message back and forth between two ranks, and measure the times. */
#ifndef TORUS_PERF_MEASURE_H
#define TORUS_PERF_MEASURE_H

#include <stdint.h>

#include "pingpong.h"

int pingpong_play(struct torus_job *job, struct torus_context *context,
		  const struct pingpong *call, uint32_t bytes, struct pingpong_row *row);

#endif
