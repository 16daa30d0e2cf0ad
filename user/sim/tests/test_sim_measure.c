// SPDX-License-Identifier: GPL-2.0
/* Test how a run ends when the watchdog, which checks the rest of the fabric, has no memory. */
#include <errno.h>
#include <string.h>

#include "core/run/watchdog.h"
#include "core/tests/rig.h"
#include "../base/message.h"
#include "../base/progress.h"
#include "../cmdline/run_config.h"
#include "../run/measure.h"

static int verdict;

/* ---------------------------------------------------- stubs of base/message.c */

void sim_command_typed(const char *name)
{
}

void sim_command_set(const char *name)
{
}

void sim_source_set(const char *file)
{
}

void sim_message(const char *format, ...)
{
}

int sim_error(const char *format, ...)
{
	return SIM_FAILED;
}

int sim_reject(const char *format, ...)
{
	return SIM_USAGE;
}

/* --------------------------------------------------------------------- outcome */

/* Replace the core's watchdog. */
int torus_watchdog_check(struct torus_fabric *f, struct torus_cycle *cycle)
{
	memset(cycle, 0, sizeof(*cycle));
	return verdict;
}

/* Run a short workload to its end. Return the exit status. */
static int run(enum sim_outcome *outcome)
{
	struct sim_run_config options = {
		.load.traffic = {
			.pattern = TORUS_PATTERN_UNIFORM, .size_min = 32, .size_max = 32,
			.packets = 3,
		},
		.threads = 1,
	};
	struct sim_progress progress;
	struct sim_measure measure;
	struct torus_fabric *f;
	int status;

	rig_config(&options.config, "bgl", "2x2x2", "");
	assert_int_equal(sim_fabric_new(&options, &f), SIM_OK);
	sim_progress_begin(&progress, false, 1);
	assert_int_equal(sim_measure(f, &options, &progress, NULL, &measure), SIM_OK);
	sim_progress_end(&progress);
	*outcome = measure.outcome;
	status = sim_measure_status(&measure);
	sim_measure_free(&measure);
	torus_fabric_destroy(f);
	return status;
}

/* A part of the fabric that was not checked may be deadlocked, so the run has not succeeded. */
static void test_watchdog_without_memory(void **state)
{
	enum sim_outcome outcome;

	verdict = TORUS_VERDICT_ALIVE;
	assert_int_equal(run(&outcome), SIM_OK);
	assert_int_equal(outcome, SIM_DONE);
	verdict = -ENOMEM;
	assert_int_equal(run(&outcome), SIM_FAILED);
	assert_int_equal(outcome, SIM_NO_MEMORY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_watchdog_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
