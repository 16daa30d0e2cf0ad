// SPDX-License-Identifier: GPL-2.0
/*
 * Test worker threads when a workload has finished. A finished workload starts no run of the
 * fabric, so workers must not wait for a run.
 */
#include <stdlib.h>
#include <string.h>

#include "core/run/snapshot.h"
#include "core/run/measure.h"
#include "core/tests/rig.h"
#include "../run/threads.h"

#define THREADS		2
#define STATE_MAX	(8u << 20)

/* Number of packets in flight from which the kernel module's leader starts its workers. */
#define SHARED		(THREADS * 64)

struct memory {
	u8 *bytes;
	u32 n;
	u32 at;
};

static int memory_write(void *file, const void *bytes, u32 n)
{
	struct memory *m = file;

	assert_true(n <= STATE_MAX - m->n);
	memcpy(m->bytes + m->n, bytes, n);
	m->n += n;
	return 0;
}

static int memory_read(void *file, void *bytes, u32 n)
{
	struct memory *m = file;

	n = n < m->n - m->at ? n : m->n - m->at;
	memcpy(bytes, m->bytes + m->at, n);
	m->at += n;
	return (int)n;
}

static const struct torus_snapshot_ops to = { .write = memory_write };
static const struct torus_snapshot_ops from = { .read = memory_read };

static const struct torus_traffic loaded = {
	.load = 15ull << 28, .cycles = 3000, .size_min = 256, .size_max = 256,
};

/* Create a fabric with a finished workload that has left packets in flight. */
static struct torus_fabric *ended(void)
{
	struct torus_fabric *f = rig_make_arch("bgl", "4x4x4", "domains=2");

	rig_start(f, &loaded);
	while (torus_traffic_step(f, 0, 1))
		;
	assert_true(torus_fabric_in_flight(f) >= SHARED);
	return f;
}

/* Create the same fabric from a saved state. */
static struct torus_fabric *restored(void)
{
	struct torus_fabric *f = ended(), *like, *out;
	struct memory m = { .bytes = malloc(STATE_MAX) };
	struct torus_snapshot snap;
	struct torus_error err;

	assert_non_null(m.bytes);
	torus_snapshot_init(&snap, &to, &m, &err);
	assert_int_equal(torus_fabric_snapshot_file(&snap, f, "{}", 2), 0);
	torus_snapshot_free(&snap);
	torus_fabric_destroy(f);
	like = rig_make_arch("bgl", "4x4x4", "domains=2");
	torus_snapshot_init(&snap, &from, &m, &err);
	assert_int_equal(torus_fabric_restore(&snap, like, &loaded, NULL, 0, &out), 0);
	torus_snapshot_free(&snap);
	torus_fabric_destroy(like);
	free(m.bytes);
	assert_true(torus_fabric_in_flight(out) >= SHARED);
	return out;
}

/* Check that steps return at once, and that the workers can be stopped afterwards. */
static void steps_end(struct torus_fabric *f)
{
	struct sim_team *team = sim_team_new(f, THREADS);
	u64 clock = torus_fabric_clock(f);
	u32 i;

	assert_non_null(team);
	for (i = 0; i < 3; i++)
		assert_false(sim_team_step(team, 1));
	assert_int_equal(torus_fabric_clock(f), clock);
	sim_team_free(team);
	torus_fabric_destroy(f);
}

static void test_finished_workload(void **state)
{
	steps_end(ended());
}

static void test_restored_finished_workload(void **state)
{
	steps_end(restored());
}

static void test_no_workload(void **state)
{
	steps_end(rig_make_arch("bgl", "4x4x4", "domains=2"));
}

/* A step after the last step of a workload returns at once, too. */
static void test_step_after_the_last(void **state)
{
	struct torus_fabric *f = rig_make_arch("bgl", "4x4x4", "domains=2");
	struct sim_team *team = sim_team_new(f, THREADS);

	assert_non_null(team);
	rig_start(f, &loaded);
	assert_true(torus_traffic_runs(f));
	while (sim_team_step(team, 100))
		assert_true(torus_traffic_runs(f));
	assert_false(torus_traffic_runs(f));
	assert_false(sim_team_step(team, 100));
	sim_team_free(team);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finished_workload),
		cmocka_unit_test(test_restored_finished_workload),
		cmocka_unit_test(test_no_workload),
		cmocka_unit_test(test_step_after_the_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
