// SPDX-License-Identifier: GPL-2.0
/* Run the ranks of a job as threads of a test: see ranks.h. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "../job/job.h"
#include "ranks.h"

const struct fake_config ranks_tiny = {
	.nodes = 2, .inject_chunks = 16, .receive_chunks = 16,
};

const struct fake_config ranks_wild = {
	.nodes = FAKE_NODES, .inject_chunks = 32, .receive_chunks = 64, .shuffle = true,
	.duplicate = 5, .garbage = 4,
};

const struct torus_job_config ranks_dynamic = {
	.unconnected = true, .key = RANKS_KEY, .route = TORUS_ROUTE_DYNAMIC,
};

const struct torus_job_config ranks_ordered = {
	.unconnected = true, .key = RANKS_KEY, .route = TORUS_ROUTE_ORDERED,
};

const struct torus_job_config ranks_priority = {
	.unconnected = true, .key = RANKS_KEY, .route = TORUS_ROUTE_PRIORITY,
};

const struct torus_job_config ranks_second = {
	.unconnected = true, .key = RANKS_KEY, .route = TORUS_ROUTE_SECOND,
};

void rank_must(struct rank *rank, bool good, const char *what, int error)
{
	if (good || rank->failed)
		return;
	rank->failed = what;
	rank->error = error;
	fprintf(stderr, "rank %u: %s: %d: %s\n", rank->number, what, error, torus_error_text());
	/* other ranks may wait for this one without a limit */
	fake_kill(rank->fake);
}

static unsigned char content(uint32_t source, uint32_t dest, uint32_t id, uint32_t at)
{
	__u64 seed = (__u64)source << 40 ^ (__u64)dest << 20 ^ id ^ (__u64)(at / 8) << 3;

	return fake_random(&seed) >> at % 8 * 8;
}

void *ranks_content(uint32_t source, uint32_t dest, uint32_t id, uint32_t length)
{
	unsigned char *bytes = malloc(length + 1);
	uint32_t i;

	for (i = 0; bytes && i < length; i++)
		bytes[i] = content(source, dest, id, i);
	return bytes;
}

bool ranks_content_right(const unsigned char *bytes, uint32_t source, uint32_t dest, uint32_t id,
			 uint32_t length)
{
	uint32_t i;

	for (i = 0; i < length; i++)
		if (bytes[i] != content(source, dest, id, i))
			return false;
	return true;
}

struct torus_job *ranks_open(struct fake *fake, unsigned int node,
			     const struct torus_job_config *config)
{
	struct torus_job *job;

	if (torus_job_open(&job, fake->node[node].context, config)) {
		fprintf(stderr, "open: %s\n", torus_error_text());
		abort();
	}
	if (fake->config.xt && fake->config.shuffle && job->ordered) {
		fprintf(stderr, "open: the fake Cray XT shuffles packets that keep their order\n");
		abort();
	}
	return job;
}

void ranks_run(const struct fake_config *config, const struct torus_job_config *how,
	       void *(*program)(void *), struct rank *ranks, struct fake *fake)
{
	struct torus_member members[FAKE_NODES] = { 0 };
	struct torus_job_config job = *how;
	unsigned int i;

	fake_start(fake, config);
	for (i = 0; i < config->nodes; i++)
		members[i].node = i;
	job.members = members;
	job.count = config->nodes;
	for (i = 0; i < config->nodes; i++) {
		torus_wait_tune(fake->node[i].context, 10, 2);
		ranks[i] = (struct rank) {
			.fake = fake, .number = i, .count = config->nodes,
			.job = ranks_open(fake, i, &job),
		};
	}
	fake_run(fake);
	for (i = 0; i < config->nodes; i++)
		assert_int_equal(pthread_create(&ranks[i].thread, NULL, program, &ranks[i]), 0);
	for (i = 0; i < config->nodes; i++)
		pthread_join(ranks[i].thread, NULL);
	for (i = 0; i < config->nodes; i++) {
		torus_job_counts(ranks[i].job, &ranks[i].counts);
		torus_job_close(ranks[i].job);
		if (ranks[i].failed)
			fail_msg("rank %u: %s", i, ranks[i].failed);
	}
}
