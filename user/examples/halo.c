// SPDX-License-Identifier: GPL-2.0
/*
 * Heat spreads over the torus: in each step every node's temperature approaches the temperatures of
 * its neighbours, one per direction. At first only rank 0 is warm.
 *
 * torus-run -f FABRIC -n N halo [STEPS]
 * halo FABRIC NODE [STEPS]	started once for every node of the fabric, in any order
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torus/message.h>

static void check(int ret)
{
	if (ret)
		errx(1, "%s", torus_error_text());
}

/*
 * Return: the rank of the neighbour in direction @dir (0 = x+, 1 = x-, 2 = y+ ..), or
 * TORUS_RANK_NONE.
 */
static __u32 neighbour(struct torus_context *context, struct torus_job *job, unsigned int dir)
{
	const struct torus_ioc_info *info = torus_context_info(context);
	__u32 at[TORUS_DIMS_MAX], dim = dir / 2, length = info->dims[dim], node;
	__u32 edge = dir & 1 ? 0 : length - 1;

	memcpy(at, info->coords, sizeof(at));
	if (info->mesh >> dim & 1 && at[dim] == edge)
		return TORUS_RANK_NONE;
	at[dim] = (at[dim] + (dir & 1 ? length - 1 : 1)) % length;
	check(torus_node_locate(context, at, &node));
	return torus_job_rank_at(job, node);
}

static double step(struct torus_job *job, const __u32 *ranks, unsigned int dirs, __u32 tag,
		   double mine)
{
	double theirs, flow = 0;
	unsigned int dir;

	/* Send to all neighbours at once. The buffer must not change before the flush. */
	for (dir = 0; dir < dirs; dir++)
		if (ranks[dir] != TORUS_RANK_NONE)
			check(torus_message_start(job, ranks[dir], tag + dir, &mine, sizeof(mine),
						  NULL));
	/* The message of the neighbour in x+ was sent in its direction x-, and so on. */
	for (dir = 0; dir < dirs; dir++)
		if (ranks[dir] != TORUS_RANK_NONE) {
			check(torus_message_receive(job, ranks[dir], tag + (dir ^ 1), &theirs,
						    sizeof(theirs), NULL, -1));
			flow += theirs - mine;
		}
	check(torus_message_flush(job, -1));
	return mine + flow / (dirs + 1);
}

int main(int argc, char **argv)
{
	/* Key of a job that is started by hand; torus-run draws a random key. */
	const struct torus_job_config config = { .key = 0x68616c6f };
	__u32 ranks[2 * TORUS_DIMS_MAX], dir, dirs, steps = 10, i;
	struct torus_context *context;
	struct torus_job *job;
	double heat;

	if (argc == 2 || argc > 3)
		steps = atoi(argv[argc - 1]);
	if (argc > 2) {
		check(torus_context_attach_at(&context, argv[1], argv[2], NULL));
		check(torus_job_open(&job, context, &config));
	} else {
		check(torus_job_init(&job, &context, NULL));
	}
	dirs = 2 * torus_context_info(context)->ndims;
	for (dir = 0; dir < dirs; dir++)
		ranks[dir] = neighbour(context, job, dir);
	heat = torus_job_rank(job) ? 0 : 100;
	for (i = 0; i < steps; i++)
		heat = step(job, ranks, dirs, i * dirs, heat);
	printf("rank %u: %.6f\n", torus_job_rank(job), heat);
	torus_job_close(job);
	torus_context_detach(context);
	if (fflush(stdout))
		err(1, "standard output");
	return 0;
}
