// SPDX-License-Identifier: GPL-2.0
/*
 * Test processes that simulate a fabric together. For any number of processes and threads and any
 * delay of messages, the results must be those of a single process. If a process ends, all must
 * end.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/run/snapshot.h"
#include "core/state/mail.h"
#include "core/tests/rig.h"
#include "../transport/procs.h"
#include "lead.h"

#define DELAY_US	200
/*
 * Time-out for silent processes. It is much longer than the time that a process needs to answer on
 * a busy machine.
 */
#define SILENCE_MS	2000

/* A fabric and its workload. */
struct procs_scene {
	const char *arch;
	const char *shape;
	const char *settings;
	/* offered load in percent of the peak; 0: closed loop of @packets packets */
	u32 percent;
	u32 packets;
	u32 reply;
	bool faults;
	bool far_fault;
	u32 budget;
};

/* Results of a run. */
struct procs_result {
	struct torus_result result;
	struct torus_cycle cycle;
	int verdict;
	u64 source_sum;
	u64 latency_max;
	u64 busy;
	u64 bubbles;
};

static bool set_faults(struct torus_fabric *f)
{
	const struct torus_fault all = {
		.what = TORUS_FAULT_BER, .node = TORUS_NONE, .dir = 0, .ber = 1ull << 46,
	}, down = {
		.what = TORUS_FAULT_STATE, .node = 1, .dir = 1, .at = 900, .lasts = 5000,
	}, delay = {
		.what = TORUS_FAULT_DELAY | TORUS_FAULT_CORRUPT, .node = f->nodes - 1,
		.dir = TORUS_NONE, .delay = 70, .corrupt = 3, .at = 500, .lasts = 1500,
	};
	struct torus_error err;

	return !torus_fault_set(f, &all, &err) && !torus_fault_set(f, &down, &err) &&
	       !torus_fault_set(f, &delay, &err);
}

static bool set_far_fault(struct torus_fabric *f)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = 0, .dir = TORUS_NONE, .ber = 1ull << 50,
	};
	struct torus_error err;

	return !torus_fault_set(f, &fault, &err);
}

/* Hash of the counters of all links. The processes at both ends of a link each have a part. */
static u64 links_sum(struct torus_fabric *f)
{
	struct torus_link_counters c;
	u64 sum = 0;
	u32 node, dir;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			if (!torus_link_near(f, node, dir))
				continue;
			torus_link_counters(f, node, dir, &c);
			sum += (c.busy_ticks + 3 * c.packets[0] + 7 * c.crc_packet_errors) *
			       torus_mix(node * f->dirs + dir);
		}
	return torus_procs_sum_one(f, sum);
}

/* Tick at which the state of a run is saved. */
#define KEPT_TICK	1000

/**
 * struct kept - saved state of a run, in memory
 * @bytes: the state
 * @n: number of bytes
 * @room: capacity of @bytes
 * @at: number of bytes that have been read
 * @given: true: the run starts from this state; false: the run saves its state here
 */
struct kept {
	u8 *bytes;
	size_t n;
	size_t room;
	size_t at;
	bool given;
};

static int kept_write(void *file, const void *bytes, u32 n)
{
	struct kept *kept = file;

	if (kept->n + n > kept->room) {
		kept->room = 2 * (kept->n + n);
		kept->bytes = realloc(kept->bytes, kept->room);
		if (!kept->bytes)
			return -ENOMEM;
	}
	memcpy(kept->bytes + kept->n, bytes, n);
	kept->n += n;
	return 0;
}

static int kept_read(void *file, void *bytes, u32 n)
{
	struct kept *kept = file;

	n = n < kept->n - kept->at ? n : (u32)(kept->n - kept->at);
	memcpy(bytes, kept->bytes + kept->at, n);
	kept->at += n;
	return (int)n;
}

static bool keep(struct torus_fabric *f, struct kept *kept)
{
	static const struct torus_snapshot_ops to = { .write = kept_write },
					      from = { .read = kept_read };
	struct torus_error err;
	struct torus_snapshot snap;
	int ret;

	torus_snapshot_init(&snap, kept->given ? &from : &to, kept, &err);
	ret = torus_fabric_snapshot_file(&snap, f, "", 0);
	torus_snapshot_free(&snap);
	return !ret || !sim_error("%s", err.text);
}

static bool run_on(struct torus_fabric *f, const struct procs_scene *scene, u32 threads,
		   struct kept *kept)
{
	bool take = kept && !kept->given;

	if (kept && kept->given && !keep(f, kept))
		return false;
	if (take)
		torus_traffic_pause(f, KEPT_TICK);
	while (rig_step(f, scene->budget, threads)) {
		if (!take || f->clock < KEPT_TICK)
			continue;
		if (!keep(f, kept))
			return false;
		take = false;
	}
	return true;
}

/*
 * Run a scene. No assertions: this may be a child process, which reports failures to its parent.
 */
static bool simulate(const struct procs_scene *scene, u32 threads, struct procs_result *found,
		     struct kept *kept)
{
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 32, .size_max = 256,
		.load = ((u64)scene->percent << 32) / 100, .cycles = scene->percent ? 3000 : 0,
		.warmup = scene->percent ? 500 : 0, .packets = scene->packets,
		.reply = scene->reply,
	};
	struct torus_latencies *latencies;
	struct torus_check check;
	struct torus_config cfg;
	struct torus_fabric *f;
	struct torus_error err;

	memset(found, 0, sizeof(*found));
	rig_config(&cfg, scene->arch, scene->shape, scene->settings);
	cfg.procs = sim_procs();
	cfg.threads = threads;
	cfg.domains = sim_procs_count() * threads;
	if (torus_fabric_create(&cfg, &f, &err) || (scene->faults && !set_faults(f)) ||
	    (scene->far_fault && !set_far_fault(f)) || torus_latencies_start(f) ||
	    torus_traffic_start(f, &t, &err))
		return false;
	if (!run_on(f, scene, threads, kept))
		return false;
	torus_traffic_result(f, &found->result);
	found->result.memory = 0;
	found->verdict = torus_watchdog_check(f, &found->cycle);
	latencies = torus_latencies_take(f);
	found->source_sum = latencies ? latencies->source.sum : 0;
	found->latency_max = latencies ? latencies->total.max : 0;
	torus_latencies_free(latencies);
	found->busy = links_sum(f);
	if (torus_check_fabric(f, &check))
		return false;
	found->bubbles = check.bubbles;
	torus_fabric_destroy(f);
	return true;
}

/**
 * struct proc_task - expected results of the processes
 * @scene: the fabric and its workload
 * @threads: number of threads per process
 * @alone: results of a single process
 * @kept: state that a single process saved; NULL: do not compare states
 * @give: true: the processes start from @kept; false: they save their state, which must equal @kept
 */
struct proc_task {
	const struct procs_scene *scene;
	u32 threads;
	struct procs_result alone;
	const struct kept *kept;
	bool give;
};

static int compare(const void *arg)
{
	const struct proc_task *task = arg;
	struct kept kept = { 0 };
	struct procs_result found;

	if (task->give) {
		kept = *task->kept;
		kept.given = true;
	}
	if (!simulate(task->scene, task->threads, &found, task->kept ? &kept : NULL))
		return sim_error("not simulated");
	if (found.result.hash != task->alone.result.hash)
		return sim_error("another hash");
	if (memcmp(&found.result, &task->alone.result, sizeof(found.result)))
		return sim_error("another result");
	if (found.verdict != task->alone.verdict || found.cycle.stuck != task->alone.cycle.stuck ||
	    strcmp(found.cycle.text, task->alone.cycle.text))
		return sim_error("another verdict: %s", found.cycle.text);
	if (memcmp(&found, &task->alone, sizeof(found)))
		return sim_error("other counters");
	if (task->kept && !sim_procs()->self &&
	    (kept.n != task->kept->n || memcmp(kept.bytes, task->kept->bytes, kept.n)))
		return sim_error("another state");
	return SIM_OK;
}

static void find(const struct proc_task *task, u32 ranks, u32 seed)
{
	const struct procs_scene *scene = task->scene;
	char said[LEAD_SAID_MAX];

	lead_asked.ranks = ranks;
	lead_asked.delay_us = DELAY_US;
	lead_asked.seed = seed;
	lead_asked.stranger = 0;
	if (lead_ranks(compare, task, said))
		fail_msg("%s %s %s, %u ranks of %u threads: %s", scene->arch, scene->shape,
			 scene->settings, ranks, task->threads, said);
	assert_string_equal(said, "");
}

static void together(const struct procs_scene *scene, u32 ranks, u32 threads, u32 seed)
{
	struct proc_task task = { .scene = scene, .threads = threads };

	assert_true(simulate(scene, 1, &task.alone, NULL));
	find(&task, ranks, seed);
}

static const struct procs_scene loads[] = {
	{ "bgl", "4x3x2", "", .percent = 90, .budget = 40 },
	{ "bgl", "4x4x2", "crc=full", .percent = 60, .reply = 64, .budget = 1000 },
	{ "bgl", "3x3x3m", "", .percent = 60, .faults = true, .budget = 100 },
	{ "bgl", "4x2x2", "", .packets = 20, .faults = true, .budget = 7 },
	{ "bgl", "4x4x1", "receive_packet=300", .packets = 10, .reply = 128, .budget = 100 },
	/* the buffers are so small that a ring has little more space than the bubble rule needs */
	{ "bgl", "16x1x1", "routing=deterministic vc_bytes=512", .percent = 200, .budget = 100 },
	{ "bgl", "1x1x16", "routing=deterministic vc_bytes=512", .percent = 200, .budget = 100 },
	/* this scene ends in a deadlock */
	{ "bgl", "6x6x1", "routing=deterministic bubble=one vc_bytes=512", .packets = 400 },
	{ "kncube", "3x3x3", "", .percent = 95, .budget = 3 },
	{ "kncube", "4x4", "buffers=finite", .percent = 90, .budget = 100 },
	{ "tofu", "1x1x2", "", .percent = 50, .budget = 50 },
};

static void test_results_equal_those_of_one_process(void **state)
{
	static const u32 ranks[] = { 2, 3, 5, 8 };
	u32 i, j;

	for (i = 0; i < COUNT(loads); i++)
		for (j = 0; j < COUNT(ranks); j++)
			together(&loads[i], ranks[j], 1 + (i + j) % 2, 1 + i * 10 + j);
}

/*
 * Only process 0 has links whose protocol is simulated, but other processes send packets over
 * them.
 */
static void test_live_links_in_one_process_only(void **state)
{
	static const struct procs_scene scene = {
		"bgl", "2x2x8", "", .percent = 80, .far_fault = true, .budget = 100,
	};

	together(&scene, 4, 1, 1);
}

/*
 * The state that several processes save is identical to that of one process, and they continue
 * from it.
 */
static void test_saved_state_equals_that_of_one_process(void **state)
{
	static const u32 ranks[] = { 2, 3, 5, 8 };
	struct proc_task task;
	struct kept kept;
	u32 i;

	for (i = 0; i < COUNT(loads); i++) {
		kept = (struct kept){ .given = false };
		task = (struct proc_task){ &loads[i], .threads = 1 + i % 2, .kept = &kept };
		assert_true(simulate(task.scene, 1, &task.alone, &kept));
		assert_true(kept.n > 1000);
		find(&task, ranks[i % COUNT(ranks)], i);
		task.give = true;
		find(&task, ranks[(i + 1) % COUNT(ranks)], i);
		free(kept.bytes);
	}
}

static void test_any_order_of_messages(void **state)
{
	u32 seed;

	for (seed = 1; seed <= (rig_soak() ? 1000 : 100); seed++)
		together(&loads[seed % 2 ? 2 : 5], 2 + seed % 4, 1, seed);
}

/* ---------------------------------------------------------------------- ends */

/*
 * Parameters of end_apart(). Process @rank calls @does before it simulates. The other processes
 * simulate at once.
 */
struct proc_end {
	u32 rank;
	int (*does)(void);
	u32 timeout_ms;
};

static int no_memory(void)
{
	return sim_error("no memory");
}

static int out_of_memory(void)
{
	sim_procs()->no_memory(sim_procs());
	return SIM_OK;
}

static int killed(void)
{
	return raise(SIGKILL);
}

static int end_apart(const void *arg)
{
	const struct proc_end *end = arg;
	struct procs_result found;

	sim_procs_timeout(end->timeout_ms);
	if (sim_procs()->self == end->rank && end->does() == SIM_FAILED)
		return SIM_FAILED;
	return simulate(&loads[0], 1, &found, NULL) ? SIM_OK : SIM_FAILED;
}

static void apart(u32 rank, int (*does)(void), u32 timeout_ms, int status, const char *what)
{
	const struct proc_end end = { .rank = rank, .does = does, .timeout_ms = timeout_ms };
	char said[LEAD_SAID_MAX];

	lead_asked.ranks = 4;
	lead_asked.delay_us = DELAY_US;
	lead_asked.stranger = 0;
	assert_int_equal(lead_ranks(end_apart, &end, said), status);
	if (*what)
		assert_says_line(said, what);
	else
		assert_string_equal(said, "");
}

static void ends(u32 rank, int (*does)(void), const char *what)
{
	apart(rank, does, 0, SIM_FAILED, what);
}

static void test_process_that_ends_alone_is_named(void **state)
{
	ends(2, no_memory, "torus-sim: rank 2 memory");
	ends(0, no_memory, "torus-sim: memory");
	ends(3, killed, "torus-sim: rank 3");
}

static void nap(void)
{
	const struct timespec time = { .tv_nsec = SILENCE_MS / 4 * 1000000L };

	nanosleep(&time, NULL);
}

static int stopped(void)
{
	return raise(SIGSTOP);
}

/* Stop this process; a child continues it later. */
static int stopped_for_a_while(void)
{
	pid_t child = fork();
	u32 i;

	if (child)
		return child < 0 ? SIM_FAILED : raise(SIGSTOP);
	for (i = 0; i < 3; i++)
		nap();
	kill(getppid(), SIGCONT);
	_exit(0);
}

/* Compute for longer than the time-out, and send heartbeats. */
static int busy(void)
{
	u32 i;

	for (i = 0; i < 6; i++) {
		nap();
		sim_procs_beat();
	}
	return SIM_OK;
}

static void test_stopped_process_is_waited_for(void **state)
{
	apart(2, stopped_for_a_while, 0, SIM_OK, "");
	apart(0, stopped_for_a_while, 0, SIM_OK, "");
}

static void test_silent_process_times_out(void **state)
{
	apart(2, stopped, SILENCE_MS, SIM_FAILED, "torus-sim: rank 2 --rank-timeout");
	apart(0, stopped, SILENCE_MS, LEAD_KILLED, "torus-sim: rank 0 --rank-timeout");
}

static void test_busy_process_does_not_time_out(void **state)
{
	apart(1, busy, SILENCE_MS, SIM_OK, "");
	apart(0, busy, SILENCE_MS, SIM_OK, "");
}

static int all_fail(const void *arg)
{
	return sim_error("load 3: at most 2");
}

static void test_common_error_is_printed_once(void **state)
{
	char said[LEAD_SAID_MAX];

	lead_asked.ranks = 3;
	lead_asked.stranger = 0;
	assert_int_equal(lead_ranks(all_fail, NULL, said), SIM_FAILED);
	assert_says_line(said, "torus-sim: load 3: at most 2");
}

static void test_different_program_is_rejected(void **state)
{
	char said[LEAD_SAID_MAX];

	lead_asked.ranks = 3;
	lead_asked.stranger = 1;
	assert_int_equal(lead_ranks(all_fail, NULL, said), SIM_FAILED);
	assert_says_line(said, "torus-sim: rank 1 0 program");
}

static void test_different_command_line_is_rejected(void **state)
{
	char said[LEAD_SAID_MAX];

	lead_asked.ranks = 4;
	lead_asked.stranger = 0;
	lead_asked.other = 2;
	assert_int_equal(lead_ranks(all_fail, NULL, said), SIM_FAILED);
	lead_asked.other = 0;
	assert_says_line(said, "torus-sim: rank 2 0");
}

static int reads_files(const void *arg)
{
	const u64 *marks = arg;

	u32 other = sim_procs_other(marks[sim_procs()->self]);

	return other ? sim_error("rank %u has read other files", other) : SIM_OK;
}

static void test_different_files_are_rejected(void **state)
{
	static const u64 same[] = { 5, 5, 5 }, other[] = { 5, 7, 7 };
	char said[LEAD_SAID_MAX];

	lead_asked.ranks = 3;
	lead_asked.stranger = 0;
	assert_int_equal(lead_ranks(reads_files, same, said), SIM_OK);
	assert_string_equal(said, "");
	assert_int_equal(lead_ranks(reads_files, other, said), SIM_FAILED);
	assert_says_line(said, "torus-sim: rank 1 has read other files");
}

static bool no_memory_reported;

static void report_no_memory(struct torus_procs *ranks)
{
	no_memory_reported = true;
}

/* A process that runs out of memory in a joint action of all processes reports this and ends. */
static void test_lack_of_memory_ends_all(void **state)
{
	const struct proc_end end = { .rank = 2, .does = out_of_memory };
	struct torus_procs ranks = { .count = 2, .no_memory = report_no_memory };
	struct torus_fabric *f = calloc(1, sizeof(*f));
	char said[LEAD_SAID_MAX];

	assert_non_null(f);
	assert_null(torus_procs_alloc(f, (size_t)1 << 60));
	f->cfg.procs = &ranks;
	assert_null(torus_procs_alloc(f, (size_t)1 << 60));
	assert_true(no_memory_reported);
	free(f);
	/*
	 * a process that notices the failure ends, too; a third process may notice that end first
	 */
	lead_asked.ranks = 4;
	lead_asked.stranger = 0;
	assert_int_equal(lead_ranks(end_apart, &end, said), SIM_FAILED);
	said[strcspn(said, "\n")] = '\0';
	assert_says(said, "torus-sim: rank 2 memory");
}

static void test_too_few_domains_are_rejected(void **state)
{
	struct torus_procs ranks = { .count = 3 };
	struct torus_config cfg;
	struct torus_fabric *f;
	struct torus_error err;

	rig_config(&cfg, "bgl", "4x4x4", "");
	cfg.procs = &ranks;
	cfg.threads = 2;
	cfg.domains = 5;
	assert_int_equal(torus_fabric_create(&cfg, &f, &err), -EINVAL);
	assert_says(err.text, "domains 5 3 rank 2 thread");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_results_equal_those_of_one_process),
		cmocka_unit_test(test_live_links_in_one_process_only),
		cmocka_unit_test(test_saved_state_equals_that_of_one_process),
		cmocka_unit_test(test_any_order_of_messages),
		cmocka_unit_test(test_process_that_ends_alone_is_named),
		cmocka_unit_test(test_stopped_process_is_waited_for),
		cmocka_unit_test(test_silent_process_times_out),
		cmocka_unit_test(test_busy_process_does_not_time_out),
		cmocka_unit_test(test_common_error_is_printed_once),
		cmocka_unit_test(test_different_program_is_rejected),
		cmocka_unit_test(test_different_command_line_is_rejected),
		cmocka_unit_test(test_different_files_are_rejected),
		cmocka_unit_test(test_lack_of_memory_ends_all),
		cmocka_unit_test(test_too_few_domains_are_rejected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
