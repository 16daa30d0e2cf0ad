// SPDX-License-Identifier: GPL-2.0
/*
 * All-to-all: each rank has a row of a matrix and gets a column.
 *
 * torus-run -f FABRIC -n N PROGRAM
 * alltoall FABRIC NODE	started once for every node of the fabric, in any order
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <torus/collective.h>

static void check(int ret)
{
	if (ret)
		errx(1, "%s", torus_error_text());
}

int main(int argc, char **argv)
{
	/* Key of a job that is started by hand; torus-run draws a random key. */
	const struct torus_job_config config = { .key = 0x616c6c32 };
	__u32 rank, size, i, wrong = 0, *row, *column;
	struct torus_context *context;
	struct torus_job *job;

	if (argc == 3) {
		check(torus_context_attach_at(&context, argv[1], argv[2], NULL));
		check(torus_job_open(&job, context, &config));
	} else {
		check(torus_job_init(&job, &context, NULL));
	}
	rank = torus_job_rank(job);
	size = torus_job_size(job);
	row = calloc(size, sizeof(*row));
	column = calloc(size, sizeof(*column));

	/* Element (row, column) of the matrix is row * 1000 + column. */
	for (i = 0; i < size; i++)
		row[i] = rank * 1000 + i;
	check(torus_alltoall(job, row, column, sizeof(*row), NULL, -1));
	for (i = 0; i < size; i++)
		wrong += column[i] != i * 1000 + rank;
	printf("rank %u: %u elements, %u wrong\n", rank, size, wrong);

	check(torus_job_barrier(job, -1));
	check(torus_message_flush(job, -1));
	torus_job_close(job);
	torus_context_detach(context);
	if (fflush(stdout))
		err(1, "standard output");
	free(column);
	free(row);
	return wrong != 0;
}
