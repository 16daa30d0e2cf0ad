/* SPDX-License-Identifier: GPL-2.0 */
/* Print the lines of a rank with its number before each. */
#ifndef TORUS_RUN_OUTPUT_H
#define TORUS_RUN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream.h"

/**
 * struct run_output - standard output or standard error of a rank
 * @rank: the rank
 * @mpi: the lines are those of mpirun --tag-output, with the rank in them
 * @from: reading end of the rank's pipe; -1: no pipe, or the output has ended
 * @to: stream to which lines are printed
 * @text: beginning of a line whose end has not been read yet
 * @used: number of bytes in @text
 * @size: capacity of @text
 */
struct run_output {
	uint32_t rank;
	bool mpi;
	int from;
	struct run_stream *to;
	char *text;
	size_t used;
	size_t size;
};

bool run_output_read(struct run_output *output);
void run_output_end(struct run_output *output);

#endif /* TORUS_RUN_OUTPUT_H */
