// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of any length: rank 0 sends each other rank a message that is longer than a packet, and
 * each rank replies with the sum.
 *
 * torus-run -f FABRIC -n N PROGRAM
 * message FABRIC NODE	started once for every node of the fabric, in any order
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <torus/message.h>

#define NUMBERS	10000u
#define QUESTION	1	/* tags, by which a receiver selects messages */
#define ANSWER		2

static void check(int ret)
{
	if (ret)
		errx(1, "%s", torus_error_text());
}

static void ask(struct torus_job *job)
{
	__u32 *numbers = calloc(NUMBERS, sizeof(*numbers));
	struct torus_message_info info;
	__u32 rank, i, sum;

	for (i = 0; i < NUMBERS; i++)
		numbers[i] = i;
	for (rank = 1; rank < torus_job_size(job); rank++)
		check(torus_message_send(job, rank, QUESTION, numbers, NUMBERS * sizeof(*numbers)));
	for (rank = 1; rank < torus_job_size(job); rank++) {
		check(torus_message_receive(job, TORUS_MESSAGE_ANY, ANSWER, &sum, sizeof(sum),
					    &info, -1));
		printf("rank %u says %u\n", info.source, sum);
	}
	free(numbers);
}

static void answer(struct torus_job *job)
{
	struct torus_message_info info;
	__u32 sum = 0, i;
	void *data;

	/* Take the message without knowing its length. */
	check(torus_message_take(job, 0, QUESTION, &data, &info, -1));
	for (i = 0; i < info.length / sizeof(__u32); i++)
		sum += ((__u32 *)data)[i];
	free(data);
	check(torus_message_send(job, 0, ANSWER, &sum, sizeof(sum)));
}

int main(int argc, char **argv)
{
	/* Key of a job that is started by hand; torus-run draws a random key. */
	const struct torus_job_config config = { .key = 0x6d657373 };
	struct torus_context *context;
	struct torus_job *job;

	/* torus_job_open() and torus_job_init() return when all ranks are connected. */
	if (argc == 3) {
		check(torus_context_attach_at(&context, argv[1], argv[2], NULL));
		check(torus_job_open(&job, context, &config));
	} else {
		check(torus_job_init(&job, &context, NULL));
	}
	if (torus_job_rank(job) == 0)
		ask(job);
	else
		answer(job);
	check(torus_message_flush(job, -1));
	torus_job_close(job);
	torus_context_detach(context);
	if (fflush(stdout))
		err(1, "standard output");
	return 0;
}
