// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <torus/collective.h>

static void check(int ret)
{
	if (ret)
		errx(1, "%s", torus_error_text());
}

int main(void)
{
	struct torus_context *context;
	struct torus_job *job, *half;
	__u32 rank, sum;

	check(torus_job_init(&job, &context, NULL));
	rank = torus_job_rank(job);

	/* Even and odd ranks, each in reverse order */
	check(torus_job_split(job, rank % 2, -(int)rank, &half, -1));
	check(torus_allreduce(half, TORUS_TYPE_U32, TORUS_OPERATION_SUM, &rank, &sum, 1, -1));
	if (!torus_job_rank(half))
		printf("rank %u is the first of %u ranks, whose sum is %u\n", rank,
		       torus_job_size(half), sum);

	check(torus_job_barrier(job, -1));
	check(torus_message_flush(job, -1));
	torus_job_close(half);
	torus_job_close(job);
	torus_context_detach(context);
	return 0;
}
