// SPDX-License-Identifier: GPL-2.0
/*
 * The points of a figure of the papers, dealt out to ranks: each is simulated by one of them, and
 * the figure is the one that a process alone finds, or ends as its would.
 */
#include <string.h>

#include "../../paper/gather.h"
#include "core/tests/rig.h"
#include "../../paper/paper.h"
#include "../base/memory.h"
#include "../transport/procs.h"
#include "lead.h"

#define POINTS		11
#define COST_S		3.0	/* seconds of processors that a point takes */

/* What the program has beside: its clock goes on by points alone. */
static double cpu_s;

double sim_cpu_s(void)
{
	return cpu_s;
}

u64 sim_memory_available(void)
{
	return 1000 + (sim_procs() ? sim_procs()->rank : 0);
}

/* A figure of numbers that each point makes of its own. */
struct task {
	u32 fails;	/* the point that does, from 1 on; 0: none */
	u32 fails_too;	/* a later one */
	bool before;	/* the last rank has no memory before its first point */
};

static u32 simulated;	/* points, by this process */

static int simulate(const struct task *task, u32 number, double *found)
{
	simulated++;
	cpu_s += COST_S;
	if (number + 1 == task->fails || number + 1 == task->fails_too)
		return sim_error("point %u stands still", number);
	*found = number * 1.5;
	return SIM_OK;
}

static int point(const struct task *task, u32 number, double *found)
{
	int status;

	if (paper_gather(found, sizeof(*found), &status))
		return status;
	return paper_gather_keep(found, sizeof(*found), simulate(task, number, found));
}

/* A point of two, of which the second hangs on what the first has found. */
static int pair(const struct task *task, u32 number, double *found)
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
	const struct task *task = source->argument;
	double found;
	u32 i;

	if (task->before && sim_procs() && sim_procs()->rank + 1 == sim_procs_count())
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
	u32 ranks = sim_procs_count(), rank = sim_procs()->rank, own = 0, i;
	int status;

	status = paper_gather_run(&source, NULL, &figure);
	if (status)
		return status;
	/* the pair is one point of two */
	for (i = 0; i < POINTS; i++)
		own += i % ranks == rank ? 1 + (i == 4) : 0;
	if (simulated != own)
		return sim_error("%u points simulated, %u are dealt", simulated, own);
	if (rank)
		return SIM_OK;
	if (figure.nrows != POINTS + 1 || figure.cpu_s != COST_S * (POINTS + 1))
		return sim_error("%u rows, %g s", figure.nrows, figure.cpu_s);
	/* the ranks are on one machine, and share what the least of them sees */
	if (figure.rows[POINTS].ours != 1000 / ranks)
		return sim_error("memory: %g", figure.rows[POINTS].ours);
	for (i = 0; i < POINTS; i++)
		if (figure.rows[i].ours != (i == 4 ? 18 : i * 1.5))
			return sim_error("point %u: %g", i, figure.rows[i].ours);
	return SIM_OK;
}

static void ends(const struct task *task, u32 ranks, int status, const char *what)
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

static void test_each_point_is_one_ranks(void **state)
{
	static const struct task task;
	u32 ranks;

	for (ranks = 2; ranks <= POINTS + 2; ranks++)
		ends(&task, ranks, SIM_OK, "");
}

static void test_the_first_that_fails_is_told(void **state)
{
	static const struct task first = { .fails = 1 }, second = { .fails = 2, .fails_too = 7 },
				 both = { .fails = 6, .fails_too = 9 },
				 other = { .fails = 7, .fails_too = 9 };

	ends(&first, 4, SIM_FAILED, "torus-sim: point 0 stands still");
	/* by ranks 1 and 2, by 1 and 0, by 2 and 0 */
	ends(&second, 4, SIM_FAILED, "torus-sim: rank 1 point 1 stands still");
	ends(&both, 4, SIM_FAILED, "torus-sim: rank 1 point 5 stands still");
	ends(&other, 4, SIM_FAILED, "torus-sim: rank 2 point 6 stands still");
}

static void test_a_rank_without_memory_is_told(void **state)
{
	static const struct task before = { .before = true };

	ends(&before, 3, SIM_FAILED, "torus-sim: rank 2 no memory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_point_is_one_ranks),
		cmocka_unit_test(test_the_first_that_fails_is_told),
		cmocka_unit_test(test_a_rank_without_memory_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
