// SPDX-License-Identifier: GPL-2.0
/*
 * Test the replay of an application's log by several processes. Each process replays the ranks at
 * its own nodes. The results must be those of a single process.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../replay/deadlock.h"
#include "core/state/domain.h"
#include "core/tests/rig.h"
#include "../../replay/run.h"
#include "../base/signals.h"
#include "../transport/procs.h"
#include "lead.h"

#define DELAY_US	200
#define TEXT_MAX	160

void sim_command_set(const char *name)
{
}

int sim_reject(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	return SIM_USAGE;
}

/* A log and its machine. */
struct replay_scene {
	const char *arch;
	const char *shape;
	const char *settings;
	const char *log;
};

/* Results of a replay. */
struct replay_summary {
	struct replay_result result;
	u64 ranks;		/* hash of the results of all ranks */
	u64 held;		/* number of nodes whose FIFO group is still attached at the end */
	char text[TEXT_MAX];
};

static u64 rank_mark(const struct replay_rank *rank)
{
	const struct replay_rank_result *result = &rank->result;
	const u64 numbers[] = {
		result->at, result->ended, result->end, result->time[REPLAY_TIME_COMPUTE],
		result->time[REPLAY_TIME_SEND], result->time[REPLAY_TIME_WAIT],
		result->time[REPLAY_TIME_BARRIER], result->sent, result->sent_bytes,
		result->received, result->latency_sum, result->latency_max, rank->match.unclaimed,
	};
	u64 mark = result->number;
	u32 i;

	for (i = 0; i < COUNT(numbers); i++)
		mark = torus_mix(mark ^ numbers[i]);
	return mark;
}

static int run(const struct replay_job *job, struct torus_fabric *f, u32 threads,
	       struct replay_summary *found)
{
	struct replay_ranks app;
	int status = replay_ranks_begin(&app, job, f);
	u32 i;

	if (!status)
		status = replay_run(&app, threads, false, &found->result);
	/*
	 * clear values that depend on the number of processes: processor time, wall time and events
	 */
	found->result.cpu_s = 0;
	found->result.wall_s = 0;
	found->result.counters.events = 0;
	for (i = 0; !status && i < job->size; i++)
		found->ranks += rank_mark(&app.ranks[i]);
	if (!status && found->result.outcome == REPLAY_DEADLOCK)
		replay_deadlock_text(&app, found->result.waiters[0], found->text, TEXT_MAX);
	replay_ranks_end(&app);
	for (i = 0; i < f->nodes; i++)
		found->held += torus_group_generation(f, i, 0) & 1;
	return status;
}

static int replay(const struct replay_scene *scene, u32 threads, struct replay_summary *found)
{
	struct replay_job job = { .size = 0 };
	struct torus_config cfg;
	struct torus_error err;
	struct torus_fabric *f;
	struct replay_log log;
	int status = SIM_USAGE;

	memset(found, 0, sizeof(*found));
	rig_config(&cfg, scene->arch, scene->shape, scene->settings);
	cfg.procs = sim_procs();
	cfg.threads = threads;
	cfg.domains = sim_procs_count() * threads;
	if (replay_log_parse(&log, "log", scene->log) && replay_job_make(&job, &log, &cfg) &&
	    !torus_fabric_create(&cfg, &f, &err)) {
		status = run(&job, f, threads, found);
		torus_fabric_destroy(f);
	}
	replay_job_free(&job);
	replay_log_free(&log);
	return status;
}

/* A scene, the number of threads, and the results of a single process. */
struct replay_task {
	const struct replay_scene *scene;
	u32 threads;
	struct replay_summary alone;
};

static int compare(const void *arg)
{
	const struct replay_task *task = arg;
	struct replay_summary found;

	if (replay(task->scene, task->threads, &found))
		return sim_error("not replayed");
	if (found.result.outcome != task->alone.result.outcome)
		return sim_error("another end: %d", found.result.outcome);
	if (found.result.counters.hash != task->alone.result.counters.hash)
		return sim_error("another hash");
	if (memcmp(&found.result.counters, &task->alone.result.counters,
		   sizeof(found.result.counters)))
		return sim_error("other counters");
	if (memcmp(&found.result, &task->alone.result, sizeof(found.result)))
		return sim_error("another result");
	if (found.ranks != task->alone.ranks)
		return sim_error("ranks did otherwise");
	if (strcmp(found.text, task->alone.text))
		return sim_error("other words: %s", found.text);
	return found.held ? sim_error("%llu NICs held", found.held) : SIM_OK;
}

static void together(const struct replay_scene *scene, u32 ranks, u32 threads, u32 seed)
{
	struct replay_task task = { .scene = scene, .threads = threads };
	char said[LEAD_SAID_MAX];

	lead_asked.ranks = ranks;
	lead_asked.delay_us = DELAY_US;
	lead_asked.seed = seed;
	assert_int_equal(replay(scene, 1, &task.alone), SIM_OK);
	if (lead_ranks(compare, &task, said))
		fail_msg("%s %s %s, %u ranks of %u threads: %s", scene->arch, scene->shape,
			 scene->settings, ranks, threads, said);
	assert_string_equal(said, "");
}

static const char some[] =
	"barrier 300 all { repeat 2 { alltoall 100 isend (rank + 5) % size 1000 recv any wait "
	"if rank % 3 == 1 { compute 70 } barrier } }";
static const char few[] =
	"ranks 3 all { isend (rank + 1) % size 3000 tag 1 recv (rank - 1) % size tag 1 wait "
	"barrier isend rank 700 recv rank send (rank + 2) % size 9 }";
static const char stuck[] =
	"all { barrier send (rank + 1) % size 600 recv any recv (rank * 5 + 1) % 7 tag 2 }";
static const char absent[] = "ranks 9 rank 1 .. 8 { barrier }";

static const struct replay_scene scenes[] = {
	{ "bgl", "4x3x2", "", some },
	{ "bgl", "4x2x2", "ber=3e-5", some },
	{ "bgl", "3x3x3m", "crc=full", few },
	{ "bgl", "4x2x2", "", stuck },
	{ "bgl", "4x4x1", "", absent },
	{ "tofu", "1x1x2", "", some },
};

static void test_results_equal_those_of_one_process(void **state)
{
	static const u32 ranks[] = { 2, 3, 8 };
	u32 i, j;

	for (i = 0; i < COUNT(scenes); i++)
		for (j = 0; j < COUNT(ranks); j++)
			together(&scenes[i], ranks[j], 1 + (i + j == 3), 1 + i * 10 + j);
}

/* Interrupt one process: all must stop. */
static int interrupt(const void *arg)
{
	struct replay_summary found;

	if (sim_procs()->self == 1)
		sim_interrupt(15);
	if (replay(arg, 1, &found))
		return sim_error("not replayed");
	if (found.result.outcome != REPLAY_INTERRUPTED)
		return sim_error("no interrupt: %d", found.result.outcome);
	return sim_interrupted() == 15 ? SIM_OK : sim_error("another signal");
}

static void test_interrupt_ends_all_processes(void **state)
{
	static const struct replay_scene scene = {
		"bgl", "2x2x2", "", "all { send (rank + 1) % size 1M recv any }",
	};
	char said[LEAD_SAID_MAX];

	lead_asked.ranks = 3;
	if (lead_ranks(interrupt, &scene, said))
		fail_msg("%s", said);
	assert_string_equal(said, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_results_equal_those_of_one_process),
		cmocka_unit_test(test_interrupt_ends_all_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
