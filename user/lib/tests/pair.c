// SPDX-License-Identifier: GPL-2.0
/* Two ranks in one thread: they begin, all that is under way comes to rest, they end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "pair.h"

/**
 * pair_start() - open ranks 0 and 1
 * @pair: gets them
 * @config: of the fabric
 * @job: of the job
 */
void pair_start(struct pair *pair, const struct fake_config *config,
		const struct torus_job_config *job)
{
	fake_start(&pair->fake, config);
	pair->a = ranks_open(&pair->fake, 0, job);
	pair->b = ranks_open(&pair->fake, 1, job);
}

/**
 * pair_settle() - go on until nothing moves any more
 * @pair: from pair_start()
 */
void pair_settle(struct pair *pair)
{
	int a, b;

	do {
		a = torus_job_progress(pair->a);
		b = torus_job_progress(pair->b);
		assert_true(a >= 0 && b >= 0);
	} while (fake_step(&pair->fake) || a || b);
	torus_job_counts(pair->b, &pair->counts);
}

/**
 * pair_stop() - close both
 * @pair: from pair_start()
 */
void pair_stop(struct pair *pair)
{
	torus_job_close(pair->a);
	torus_job_close(pair->b);
	fake_stop(&pair->fake);
}
