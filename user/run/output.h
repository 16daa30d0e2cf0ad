/* SPDX-License-Identifier: GPL-2.0 */
/* Print the lines of a rank with its number before each. */
#ifndef TORUS_RUN_OUTPUT_H
#define TORUS_RUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream.h"

/**
 * struct run_output - what a rank writes to one of its outputs
 * @rank: the rank
 * @from: the reading end of its pipe; -1 when that is at its end
 * @to: stream of the lines
 * @text: the beginning of a line whose end has not come
 * @used: bytes of it
 * @size: room of @text
 */
struct run_output {
	uint32_t rank;
	int from;
	struct run_stream *to;
	char *text;
	size_t used;
	size_t size;
};

bool run_output_read(struct run_output *output);
void run_output_end(struct run_output *output);

#endif /* TORUS_RUN_OUTPUT_H */
