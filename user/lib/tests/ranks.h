/* SPDX-License-Identifier: GPL-2.0 */
/* Run the ranks of a job as threads of a test, and fill and check their messages. */
#ifndef TORUS_TESTS_RANKS_H
#define TORUS_TESTS_RANKS_H

#include <torus/message.h>
#include <stdint.h>
#include "fake.h"

#define RANKS_KEY	0xc0ffee11u

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/**
 * struct rank - one process of a job, run as a thread
 * @fake: the fabric
 * @job: job of this process
 * @number: rank of this process
 * @count: number of ranks
 * @failed: first condition that failed; NULL: none
 * @error: error of that condition
 * @thread: the thread
 * @counts: counters of the job at its end
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
void *ranks_content(uint32_t source, uint32_t dest, uint32_t id, uint32_t length);
bool ranks_content_right(const unsigned char *bytes, uint32_t source, uint32_t dest, uint32_t id,
			 uint32_t length);
struct torus_job *ranks_open(struct fake *fake, unsigned int node,
			     const struct torus_job_config *config);
void ranks_run(const struct fake_config *config, const struct torus_job_config *how,
	       void *(*program)(void *), struct rank *ranks, struct fake *fake);

#endif /* TORUS_TESTS_RANKS_H */
