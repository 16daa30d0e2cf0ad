// SPDX-License-Identifier: GPL-2.0
/*
 * Every rank sends its number to its neighbours in the job's view, and receives their numbers.
 * Ranks at the edge of a mesh have no neighbour beyond it.
 *
 * torus-run -f FABRIC PROGRAM
 *
 * torusctl job add FABRIC NAME view 6x4x3
 * torus-run -f FABRIC -j NAME PROGRAM
 */
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
	__u32 lengths[TORUS_DIMS_MAX], at[TORUS_DIMS_MAX], axes, rank, dir, next, answer;
	struct torus_context *context;
	struct torus_job *job;

	check(torus_job_init(&job, &context, NULL));
	rank = torus_job_rank(job);
	axes = torus_job_view(job, lengths);
	check(torus_job_coords(job, rank, at));

	/*
	 * The direction is the tag, because in a ring of two ranks both neighbours are the same
	 * rank.
	 */
	for (dir = 0; dir < 2 * axes; dir++) {
		next = torus_job_neighbor(job, rank, dir);
		if (next != TORUS_RANK_NONE)
			check(torus_message_send(job, next, dir, &rank, sizeof(rank)));
	}
	for (dir = 0; dir < 2 * axes; dir++) {
		next = torus_job_neighbor(job, rank, dir ^ 1);
		if (next == TORUS_RANK_NONE)
			continue;
		check(torus_message_receive(job, next, dir, &answer, sizeof(answer), NULL, -1));
		if (answer != next)
			errx(1, "rank %u: %u answered for its neighbour %u", rank, answer, next);
	}
	if (torus_job_rank_of(job, at) != rank)
		errx(1, "rank %u is not where it is", rank);
	if (!rank)
		printf("%u ranks have heard their neighbours along %u axes\n",
		       torus_job_size(job), axes);

	check(torus_message_flush(job, -1));
	check(torus_job_barrier(job, -1));
	torus_job_close(job);
	torus_context_detach(context);
	if (fflush(stdout))
		err(1, "standard output");
	return 0;
}
