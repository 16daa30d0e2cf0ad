// SPDX-License-Identifier: GPL-2.0
/* The end of an answer, of torus-pingpong and of torus-perf. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "answer.h"

/**
 * answered - the answer is written, or that it cannot be
 * @program: whose answer
 *
 * Return: the status of the call, 0 or 1.
 */
int answered(const char *program)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	fprintf(stderr, "%s: cannot write the answer: %s\n", program, strerror(errno));
	return 1;
}
