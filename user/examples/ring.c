// SPDX-License-Identifier: GPL-2.0
/*
 * A token passes all ranks, and each rank adds its number.
 *
 * torus-run -f FABRIC -n N PROGRAM
 * ring FABRIC NODE	started once for every node of the fabric, in any order
 */
#include <err.h>
#include <stdio.h>
#include <torus/message.h>

#define TOKEN	7	/* tag of the message */

static void check(int ret)
{
	if (ret)
		errx(1, "%s", torus_error_text());
}

int main(int argc, char **argv)
{
	/* Key of a job that is started by hand; torus-run draws a random key. */
	const struct torus_job_config config = { .key = 0x72696e67 };
	__u32 rank, size, next, last, token = 0;
	struct torus_context *context;
	struct torus_job *job;

	/* torus_job_open() and torus_job_init() return when all ranks are connected. */
	if (argc == 3) {
		check(torus_context_attach_at(&context, argv[1], argv[2], NULL));
		check(torus_job_open(&job, context, &config));
	} else {
		check(torus_job_init(&job, &context, NULL));
	}
	rank = torus_job_rank(job);
	size = torus_job_size(job);
	next = (rank + 1) % size;
	last = (rank + size - 1) % size;

	/* Rank 0 starts and finally receives the token; all other ranks wait for it first. */
	if (rank)
		check(torus_message_receive(job, last, TOKEN, &token, sizeof(token), NULL, -1));
	token += rank;
	check(torus_message_send(job, next, TOKEN, &token, sizeof(token)));
	if (!rank) {
		check(torus_message_receive(job, last, TOKEN, &token, sizeof(token), NULL, -1));
		printf("the token went round %u ranks: %u\n", size, token);
	}

	check(torus_message_flush(job, -1));
	torus_job_close(job);
	torus_context_detach(context);
	if (fflush(stdout))
		err(1, "standard output");
	return 0;
}
