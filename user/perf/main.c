// SPDX-License-Identifier: GPL-2.0
/* torus-pingpong: measure the time of messages between two ranks of a job. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/answer.h"
#include "../common/escape.h"
#include "options.h"
#include "pingpong.h"
#include "measure.h"
#include "print.h"

static int failed(int error)
{
	torus_escape_message(stderr, "torus-pingpong: %s\n",
			     error == -ENOMEM ? "out of memory" : torus_error_text());
	return 1;
}

/*
 * Find the nodes on which the two ranks run, in rank 0 only. The partner sends its node number to
 * rank 0.
 */
static int pair_find(struct torus_job *job, struct torus_context *context,
		     const struct pingpong *call, struct pingpong_pair *pair)
{
	const struct torus_ioc_info *info = torus_context_info(context);
	uint32_t rank = torus_job_rank(job);
	int ret = 0, i;

	*pair = (struct pingpong_pair) {
		.info = info, .size = torus_job_size(job), .partner = call->partner,
		.nodes = { info->node },
	};
	if (rank == call->partner)
		ret = torus_message_send(job, 0, 0, &info->node, sizeof(info->node));
	if (!rank)
		ret = torus_message_receive(job, call->partner, 0, &pair->nodes[1],
					    sizeof(pair->nodes[1]), NULL, call->timeout_ms);
	for (i = 0; !ret && !rank && i < 2; i++)
		ret = torus_node_coords(context, pair->nodes[i], pair->coords[i]);
	return ret;
}

static int play_all(struct torus_job *job, struct torus_context *context,
		    const struct pingpong *call)
{
	struct pingpong_pair pair;
	struct pingpong_row row;
	unsigned int i;
	int ret;

	ret = pair_find(job, context, call, &pair);
	if (!ret && !torus_job_rank(job))
		pingpong_begin(call, &pair);
	for (i = 0; !ret && i < call->sizes.count; i++) {
		ret = pingpong_play(job, context, call, call->sizes.bytes[i], &row);
		if (!ret && !torus_job_rank(job))
			pingpong_row(call, &pair, &row);
	}
	if (ret)
		return failed(ret);
	pingpong_end(call);
	return 0;
}

static int partner_choose(const struct torus_job *job, struct pingpong *call)
{
	uint32_t size = torus_job_size(job);

	if (!call->partner)
		call->partner = size - 1;
	if (size >= 2 && call->partner < size)
		return 0;
	if (torus_job_rank(job))
		return 2;
	if (size < 2)
		fputs("torus-pingpong: the job has one rank, must have at least two\n", stderr);
	else
		fprintf(stderr, "torus-pingpong: partner %u: must be one of the ranks 0 to %u\n",
			call->partner, size - 1);
	return 2;
}

static int pingpong_run(int argc, char **argv)
{
	struct torus_job_options options = { 0 };
	struct torus_context *context;
	struct pingpong call;
	struct torus_job *job;
	int status, ret;

	status = pingpong_options(&call, argc, argv);
	if (status)
		return status == OPTION_DONE ? 0 : status;
	options.route = call.ordered ? TORUS_ROUTE_ORDERED : TORUS_ROUTE_DYNAMIC;
	ret = torus_job_init(&job, &context, &options);
	if (ret)
		return failed(ret);
	status = partner_choose(job, &call);
	if (!status)
		status = play_all(job, context, &call);
	torus_job_close(job);
	torus_context_detach(context);
	free(call.sizes.bytes);
	return status;
}

int main(int argc, char **argv)
{
	torus_answer_begin();
	return torus_answer_end("torus-pingpong", pingpong_run(argc, argv), 1);
}
