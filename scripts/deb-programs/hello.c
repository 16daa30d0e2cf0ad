// SPDX-License-Identifier: GPL-2.0
/* Two ranks send each other 100000 bytes, and look at each that comes. */
#include <stdio.h>
#include <torus/message.h>

static unsigned char mine[100000], heard[sizeof(mine)];

int main(void)
{
	struct torus_context *context;
	struct torus_job *job;
	unsigned int rank, i;

	if (torus_job_init(&job, &context, NULL))
		goto refused;
	rank = torus_job_rank(job);
	for (i = 0; i < sizeof(mine); i++)
		mine[i] = i * 7 + rank;
	if (torus_message_send(job, !rank, 1, mine, sizeof(mine)) ||
	    torus_message_receive(job, !rank, 1, heard, sizeof(heard), NULL, 60000) ||
	    torus_job_barrier(job, 60000) || torus_message_flush(job, 60000))
		goto refused;
	for (i = 0; i < sizeof(heard); i++)
		if (heard[i] != (unsigned char)(i * 7 + !rank))
			return printf("rank %u: byte %u is %u\n", rank, i, heard[i]) > 0;
	return printf("rank %u: %u bytes in C\n", rank, i) < 0;
refused:
	return fprintf(stderr, "%s\n", torus_error_text()) > 0;
}
