// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <torus/message.h>

static void check(int ret)
{
	if (ret)
		errx(1, "%s", torus_error_text());
}

int main(int argc, char **argv)
{
	const struct torus_job_config config = { .key = 0x70616765 };
	struct torus_context *context;
	struct torus_job *job;
	__u32 rank, number, sum = 0, i;

	if (argc != 3)
		errx(2, "usage: libtorus FABRIC NODE");
	check(torus_context_attach_at(&context, argv[1], argv[2], NULL));
	check(torus_job_open(&job, context, &config));
	rank = torus_job_rank(job);
	if (rank)
		check(torus_message_send(job, 0, 1, &rank, sizeof(rank)));
	for (i = 1; !rank && i < torus_job_size(job); i++) {
		check(torus_message_receive(job, TORUS_MESSAGE_ANY, 1, &number, sizeof(number),
					    NULL, -1));
		sum += number;
	}
	if (!rank)
		printf("the sum is %u\n", sum);
	check(torus_job_barrier(job, -1));
	check(torus_message_flush(job, -1));
	torus_job_close(job);
	torus_context_detach(context);
	return 0;
}
