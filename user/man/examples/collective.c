// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <sys/wait.h>
#include <torus/collective.h>
#include <unistd.h>

#define RANKS	8	/* of a fabric of shape 2x2x2 */

static void check(int ret)
{
	if (ret)
		errx(1, "%s", torus_error_text());
}

static void take_part(const char *fabric, __u32 node)
{
	const struct torus_job_config config = { .key = 0x636f6c6c };
	__u32 row[RANKS], column[RANKS], number = node ? 0 : 42, i;
	struct torus_context *context;
	struct torus_job *job;

	check(torus_context_attach(&context, fabric, node, NULL));
	check(torus_job_open(&job, context, &config));
	check(torus_broadcast(job, 0, TORUS_BROADCAST_CUBE, &number, sizeof(number), 60000));
	for (i = 0; i < RANKS; i++)
		row[i] = number + i;
	check(torus_alltoall(job, row, column, sizeof(*row), NULL, 60000));
	if (!node)
		printf("rank 0 said %u, the last rank says %u\n", number, column[RANKS - 1]);
	check(torus_job_barrier(job, 60000));
	check(torus_message_flush(job, -1));
	torus_job_close(job);
	torus_context_detach(context);
}

int main(int argc, char **argv)
{
	const char *fabric = argc > 1 ? argv[1] : "demo";
	__u32 node = RANKS;

	while (--node > 0 && fork())
		;
	take_part(fabric, node);
	while (!node && wait(NULL) > 0)
		;
	return 0;
}
