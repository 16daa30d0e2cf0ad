/* SPDX-License-Identifier: GPL-2.0 */
/* Ranks 0 and 1 of a job in one thread, for tests that step the engine by hand. */
#ifndef TORUS_TESTS_PAIR_H
#define TORUS_TESTS_PAIR_H

#include <stdint.h>

#include "ranks.h"

/**
 * struct pair - ranks 0 and 1 in one thread, which also steps the engine
 * @fake: the fabric
 * @a: job of rank 0
 * @b: job of rank 1
 * @counts: counters of rank 1 after the last pair_settle()
 */
struct pair {
	struct fake fake;
	struct torus_job *a;
	struct torus_job *b;
	struct torus_job_counts counts;
};

void pair_start(struct pair *pair, const struct fake_config *config,
		const struct torus_job_config *job);
void pair_settle(struct pair *pair);
void pair_stop(struct pair *pair);
void pair_send_text(struct pair *pair, uint32_t tag, const char *text);
void pair_expect(struct pair *pair, __s64 tag, const char *text);
void pair_expect_bad(struct pair *pair, __s64 tag, const char *text);

#endif /* TORUS_TESTS_PAIR_H */
