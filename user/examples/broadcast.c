// SPDX-License-Identifier: GPL-2.0
/*
 * Rank 0 sends a text to all other ranks by the machine's row broadcasts, which leave a copy at
 * every node that they pass.
 *
 * torus-run -f FABRIC -n N broadcast TEXT		with N the number of the fabric's nodes
 * broadcast FABRIC NODE TEXT	started once for every node; rank 0's text is sent
 */
#include <err.h>
#include <stdio.h>
#include <torus/collective.h>

static void check(int ret)
{
	if (ret)
		errx(1, "%s", torus_error_text());
}

int main(int argc, char **argv)
{
	/* Key of a job that is started by hand; torus-run draws a random key. */
	const struct torus_job_config config = { .key = 0x62726f61 };
	struct torus_context *context;
	struct torus_job *job;
	char text[1024] = "";

	if (argc != 2 && argc != 4)
		errx(2, "usage: broadcast [FABRIC NODE] TEXT");
	if (argc == 4) {
		check(torus_context_attach_at(&context, argv[1], argv[2], NULL));
		check(torus_job_open(&job, context, &config));
	} else {
		check(torus_job_init(&job, &context, NULL));
	}
	if (!torus_job_rank(job))
		snprintf(text, sizeof(text), "%s", argv[argc - 1]);

	/* Root and length must be the same at all ranks. */
	check(torus_broadcast(job, 0, TORUS_BROADCAST_CUBE, text, sizeof(text), -1));
	printf("rank %u of %u: %s\n", torus_job_rank(job), torus_job_size(job), text);

	/* Ranks at corners forward packets for others: stay until all ranks have the text. */
	check(torus_job_barrier(job, -1));
	check(torus_message_flush(job, -1));
	torus_job_close(job);
	torus_context_detach(context);
	if (fflush(stdout))
		err(1, "standard output");
	return 0;
}
