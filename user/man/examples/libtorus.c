// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <torus/message.h>

static void check(int ret)
{
	if (ret)
		errx(1, "%s", torus_error_text());
}

int main(void)
{
	struct torus_context *context;
	struct torus_job *job;
	__u32 rank, number, sum = 0, i;

	check(torus_job_init(&job, &context, NULL));
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
