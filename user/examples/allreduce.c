// SPDX-License-Identifier: GPL-2.0
/*
 * All ranks compute pi together: each rank adds some terms of a series, and all ranks get the sum.
 *
 * torus-run -f FABRIC -n N PROGRAM
 * allreduce FABRIC NODE	started once for every node of the fabric, in any order
 */
#include <err.h>
#include <stdio.h>
#include <torus/collective.h>

#define TERMS	1000000u

static void check(int ret)
{
	if (ret)
		errx(1, "%s", torus_error_text());
}

int main(int argc, char **argv)
{
	/* Key of a job that is started by hand; torus-run draws a random key. */
	const struct torus_job_config config = { .key = 0x7265643d };
	struct torus_context *context;
	struct torus_job *job;
	double mine = 0, pi;
	__u32 i;

	/* torus_job_open() and torus_job_init() return when all ranks are connected. */
	if (argc == 3) {
		check(torus_context_attach_at(&context, argv[1], argv[2], NULL));
		check(torus_job_open(&job, context, &config));
	} else {
		check(torus_job_init(&job, &context, NULL));
	}

	/* 4 - 4/3 + 4/5 - 4/7 .. */
	for (i = torus_job_rank(job); i < TERMS; i += torus_job_size(job))
		mine += (i % 2 ? -4.0 : 4.0) / (2 * i + 1);
	check(torus_allreduce(job, TORUS_TYPE_DOUBLE, TORUS_OPERATION_SUM, &mine, &pi, 1, -1));
	printf("rank %u of %u: %.6f\n", torus_job_rank(job), torus_job_size(job), pi);

	check(torus_message_flush(job, -1));
	torus_job_close(job);
	torus_context_detach(context);
	if (fflush(stdout))
		err(1, "standard output");
	return 0;
}
