// SPDX-License-Identifier: GPL-2.0
/*
 * Test the points of a paper's figure that are distributed over processes. Each point is simulated
 * by one process. The figure, and the error of a failed point, must be the same as with a single
 * process.
 */
#include <string.h>

#include "../../paper/gather.h"
#include "core/tests/rig.h"
#include "../../paper/paper.h"
#include "../base/memory.h"
#include "../transport/procs.h"
#include "lead.h"

#define POINTS		11
#define COST_S		3.0	/* simulated processor time of a point in seconds */

/* Stub of the processor's clock, which only simulate() advances. */
static double cpu_s;

double sim_cpu_s(void)
{
	return cpu_s;
}

u64 sim_memory_available(void)
{
	return 1000 + (sim_procs() ? sim_procs()->self : 0);
}

/* A figure that a test simulates. Its values are computed from the numbers of the points. */
struct gather_task {
	u32 fails;	/* number plus 1 of the first point that fails; 0: none */
	u32 fails_too;	/* number plus 1 of a later point that fails */
	bool before;	/* the last process runs out of memory before its first point */
};

static u32 simulated;	/* number of points that this process has simulated */

static int simulate(const struct gather_task *task, u32 number, double *found)
{
	simulated++;
	cpu_s += COST_S;
	if (number + 1 == task->fails || number + 1 == task->fails_too)
		return sim_error("point %u stands still", number);
	*found = number * 1.5;
	return SIM_OK;
}

static int point(const struct gather_task *task, u32 number, double *found)
{
	int status;

	if (paper_gather(found, sizeof(*found), &status))
		return status;
	return paper_gather_keep(found, sizeof(*found), simulate(task, number, found));
}

/* Simulate two points. The result of the first point determines which point is the second. */
static int pair(const struct gather_task *task, u32 number, double *found)
{
	double first;
	int status;

	if (paper_gather(found, sizeof(*found), &status))
		return status;
	status = point(task, number, &first);
	if (!status)
		status = point(task, (u32)(2 * first), found);
	return paper_gather_keep(found, sizeof(*found), status);
}

static int run(const struct paper_source *source, const struct paper_request *request,
	       struct paper_figure *figure)
{
	const struct gather_task *task = source->argument;
	double found;
	u32 i;

	if (task->before && sim_procs() && sim_procs()->self + 1 == sim_procs_count())
		return sim_error("no memory");
	figure->cpu_s = -paper_cpu_s();
	for (i = 0; i < POINTS; i++) {
		int status = i == 4 ? pair(task, i, &found) : point(task, i, &found);

		if (status)
			return status;
		figure->rows[figure->nrows++].ours = found;
	}
	figure->cpu_s += paper_cpu_s();
	figure->rows[figure->nrows++].ours = (double)paper_memory();
	return SIM_OK;
}

static int compare(const void *arg)
{
	const struct paper_source source = { .run = run, .argument = arg };
	static struct paper_figure figure;
	u32 ranks = sim_procs_count(), rank = sim_procs()->self, own = 0, i;
	int status;

	status = paper_gather_run(&source, NULL, &figure);
	if (status)
		return status;
	/* in place of point 4, pair() simulates two points */
	for (i = 0; i < POINTS; i++)
		own += i % ranks == rank ? 1 + (i == 4) : 0;
	if (simulated != own)
		return sim_error("%u points simulated, %u are dealt", simulated, own);
	if (rank)
		return SIM_OK;
	if (figure.nrows != POINTS + 1 || figure.cpu_s != COST_S * (POINTS + 1))
		return sim_error("%u rows, %g s", figure.nrows, figure.cpu_s);
	/*
	 * all processes run on one machine: they share the least amount of memory that one of them
	 * reports
	 */
	if (figure.rows[POINTS].ours != 1000 / ranks)
		return sim_error("memory: %g", figure.rows[POINTS].ours);
	for (i = 0; i < POINTS; i++)
		if (figure.rows[i].ours != (i == 4 ? 18 : i * 1.5))
			return sim_error("point %u: %g", i, figure.rows[i].ours);
	return SIM_OK;
}

static void ends(const struct gather_task *task, u32 ranks, int status, const char *what)
{
	char said[LEAD_SAID_MAX];

	lead_asked.ranks = ranks;
	lead_asked.delay_us = 200;
	lead_asked.seed = ranks;
	assert_int_equal(lead_ranks(compare, task, said), status);
	if (*what)
		assert_says_line(said, what);
	else
		assert_string_equal(said, "");
}

static void test_one_process_simulates_each_point(void **state)
{
	static const struct gather_task task;
	u32 ranks;

	for (ranks = 2; ranks <= POINTS + 2; ranks++)
		ends(&task, ranks, SIM_OK, "");
}

static void test_first_failed_point_is_reported(void **state)
{
	static const struct gather_task first = { .fails = 1 },
					second = { .fails = 2, .fails_too = 7 },
					both = { .fails = 6, .fails_too = 9 },
					other = { .fails = 7, .fails_too = 9 };

	ends(&first, 4, SIM_FAILED, "torus-sim: point 0 stands still");
	/* the two failing points belong to processes 1 and 2, then 1 and 0, then 2 and 0 */
	ends(&second, 4, SIM_FAILED, "torus-sim: rank 1 point 1 stands still");
	ends(&both, 4, SIM_FAILED, "torus-sim: rank 1 point 5 stands still");
	ends(&other, 4, SIM_FAILED, "torus-sim: rank 2 point 6 stands still");
}

static void test_lack_of_memory_is_reported(void **state)
{
	static const struct gather_task before = { .before = true };

	ends(&before, 3, SIM_FAILED, "torus-sim: rank 2 no memory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_process_simulates_each_point),
		cmocka_unit_test(test_first_failed_point_is_reported),
		cmocka_unit_test(test_lack_of_memory_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
