/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ranks of a job as threads of a test, and what their messages consist of.
 */
#ifndef TORUS_TESTS_RANKS_H
#define TORUS_TESTS_RANKS_H

#include <torus/message.h>
#include "fake.h"

#define RANKS_KEY	0xc0ffee11u

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * struct rank - one process of a job, here a thread
 * @fake: the fabric
 * @job: its own view of the job
 * @number: its rank
 * @count: ranks
 * @failed: the first condition that did not hold
 * @error: the error there
 * @thread: the thread
 * @counts: what went through in the end
 */
struct rank {
	struct fake *fake;
	struct torus_job *job;
	unsigned int number;
	unsigned int count;
	const char *failed;
	int error;
	pthread_t thread;
	struct torus_job_counts counts;
};

#define MUST(condition, error)	rank_must(rank, condition, #condition, error)

extern const struct fake_config ranks_tiny;
extern const struct fake_config ranks_wild;
extern const struct torus_job_config ranks_dynamic;
extern const struct torus_job_config ranks_ordered;
extern const struct torus_job_config ranks_priority;
extern const struct torus_job_config ranks_second;

void rank_must(struct rank *rank, bool good, const char *what, int error);
void *ranks_content(__u32 source, __u32 dest, __u32 id, __u32 length);
bool ranks_content_right(const unsigned char *bytes, __u32 source, __u32 dest, __u32 id,
			 __u32 length);
struct torus_job *ranks_open(struct fake *fake, unsigned int node,
			     const struct torus_job_config *config);
void ranks_run(const struct fake_config *config, const struct torus_job_config *how,
	       void *(*program)(void *), struct rank *ranks, struct fake *fake);

#endif /* TORUS_TESTS_RANKS_H */
