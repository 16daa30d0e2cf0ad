// SPDX-License-Identifier: GPL-2.0
/*
 * Mechanisms of the core on the toy machine: conservation of packets and tokens, the same result
 * with any number of domains, deadlocks and their cycles, reset, the machine's own drop reasons,
 * arbitration by age and in turns.
 */
#include "core/workload/pair_list.h"
#include "core/run/watchdog.h"
#include "core/tests/live_params.h"
#include "core/tests/rig.h"
#include "core/tests/toy/toy.h"

static void check_saturated(const char *shape, const char *settings, u64 each)
{
	struct torus_fabric *f = rig_make_arch("toy", shape, settings);
	struct torus_result r;
	u32 looks = 0;

	rig_packets(f, each, 32, 256);
	while (rig_step(f, 40, 1)) {
		rig_count(f);
		looks++;
	}
	torus_traffic_result(f, &r);
	assert_true(looks > 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, each * f->nodes);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	assert_int_equal(torus_watchdog_check(f, NULL), TORUS_VERDICT_ALIVE);
	rig_empty(f);
	torus_fabric_destroy(f);
}

static void test_saturated_oldest_first(void **state)
{
	check_saturated("3x2x4", "", 40);
}

static void test_saturated_in_turns(void **state)
{
	check_saturated("3x2x4", "arbiter=turns", 40);
}

static void test_saturated_small_buffers(void **state)
{
	check_saturated("5x1x2", "buffer=8", 40);
}

static void test_saturated_mesh(void **state)
{
	check_saturated("3mx3mx1", "", 40);
}

/* A saturated network works if a link's latency is longer than a turn of the wheel. */
static void test_saturated_long_links(void **state)
{
	check_saturated("2x2x1", "latency=5000", 20);
}

/* ------------------------------------------------------------------ domains */

static u64 hash_of(const char *settings, u32 threads)
{
	return rig_hash(rig_make_arch("toy", "3x2x2", settings), 90, 32, 256, 6000, threads);
}

static void test_domains(void **state)
{
	char settings[64];
	u64 age = hash_of("", 1), turns = hash_of("arbiter=turns", 1);
	u32 domains;

	assert_true(age != turns);
	for (domains = 2; domains <= 8; domains++) {
		snprintf(settings, sizeof(settings), "domains=%u", domains);
		assert_true(hash_of(settings, domains < 4 ? domains : 2) == age);
		snprintf(settings, sizeof(settings), "arbiter=turns domains=%u", domains);
		assert_true(hash_of(settings, 1) == turns);
	}
}

/* After a reset the same seed gives the same run, and another seed another run. */
static void test_reset(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "3x2x1", "");
	struct torus_result r[3];
	struct torus_error err;
	u32 i;

	for (i = 0; i < 3; i++) {
		rig_load(f, 80, 32, 256, 3000);
		r[i] = rig_finish(f, 0, 1);
		/* a reset discards the packets in queues, banks and the NIC */
		assert_true(r[i].in_flight > 0);
		assert_int_equal(torus_fabric_reset(f, i ? 7 : f->cfg.seed, &err), 0);
		rig_empty(f);
	}
	assert_true(r[0].hash == r[1].hash);
	assert_true(r[0].hash != r[2].hash);
	torus_fabric_destroy(f);
}

/* ----------------------------------------------------------------- deadlock */

/* Create a ring with one VC, in which each node sends to the node three hops away. */
static struct torus_fabric *ring(const char *settings)
{
	struct torus_fabric *f = rig_make_arch("toy", "6x1x1", settings);
	struct torus_pair pair[6];
	struct torus_error err;
	u32 x;
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_TABLE, .size_min = 256, .size_max = 256, .packets = 200,
	};

	for (x = 0; x < 6; x++)
		pair[x] = (struct torus_pair){
			.src = x * TOY_NUMBERS, .dst = (x + 3) % 6 * TOY_NUMBERS, .weight = 1,
		};
	if (torus_traffic_pairs(f, pair, 6, &err) || torus_traffic_start(f, &t, &err))
		fail_msg("%s", err.text);
	return f;
}

static void test_deadlock_found(void **state)
{
	struct torus_fabric *f = ring("dateline=off buffer=8");
	struct torus_result r = rig_finish(f, 0, 1);
	struct torus_cycle cycle;

	assert_int_equal(r.done, 2);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	assert_int_equal(torus_watchdog_check(f, &cycle), TORUS_VERDICT_DEADLOCK);
	assert_int_equal(cycle.length, 6);
	assert_int_equal(cycle.stuck, 6);
	assert_non_null(strstr(cycle.text, "0,0,0,0,0,0 x+ R0"));
	assert_non_null(strstr(cycle.text, " > "));
	assert_null(strstr(cycle.text, "R1"));
	rig_count(f);
	torus_fabric_destroy(f);

	f = ring("buffer=8");
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, 6 * 200);
	assert_int_equal(torus_watchdog_check(f, NULL), TORUS_VERDICT_ALIVE);
	torus_fabric_destroy(f);
}

/* ------------------------------------------------------------- drops, limits */

static void test_own_drop(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "");
	struct torus_fabric_counters *c = calloc(1, sizeof(*c));
	struct torus_error err;

	assert_string_equal(torus_drop_name(f->arch, TORUS_DROP_MACHINE + TOY_DROP_ONE_WAY),
			    "one_way");
	assert_string_equal(torus_drop_name(f->arch, TORUS_DROP_HOP_LIMIT), "hop_limit");
	assert_null(torus_drop_name(f->arch, TORUS_DROP_MACHINE + TOY_DROPS));
	assert_string_equal(torus_drop_name(f->arch, TORUS_DROP_NODE_FAILED), "node_failed");
	assert_int_equal(torus_fabric_set(f, "one_way", "on", &err), 0);
	rig_packets(f, 50, 32, 256);
	rig_finish(f, 0, 1);
	torus_fabric_counters(f, c);
	/*
	 * a third of the destinations is one hop in b- away, so more than a quarter of the packets
	 * are dropped
	 */
	assert_true(c->dropped[TORUS_DROP_MACHINE + TOY_DROP_ONE_WAY] > 24 * 50 / 4);
	assert_int_equal(c->dropped[TORUS_DROP_MACHINE + TOY_DROP_ONE_WAY] + c->delivered, 24 * 50);
	rig_empty(f);
	torus_fabric_destroy(f);
	free(c);
}

/* There are twelve directions. At each node two of them have no link: the ends of the meshes. */
static void test_directions(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x2x2", "");
	u32 node, dir, links = 0;

	assert_int_equal(f->dirs, 12);
	for (node = 0; node < f->nodes; node++) {
		for (dir = 0; dir < 12; dir++)
			links += torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE;
		assert_int_equal(links, (node + 1) * 10);
	}
	torus_fabric_destroy(f);
}

static void test_hop_limit(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "4x1x1", "hop_limit=2");
	struct torus_fabric_counters *c = calloc(1, sizeof(*c));

	rig_packets(f, 20, 32, 256);
	rig_finish(f, 0, 1);
	torus_fabric_counters(f, c);
	assert_true(c->dropped[TORUS_DROP_HOP_LIMIT] > 0);
	assert_int_equal(c->hops_max, 2);
	assert_int_equal(c->dropped[TORUS_DROP_HOP_LIMIT] + c->delivered, 48 * 20);
	rig_empty(f);
	torus_fabric_destroy(f);
	free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_saturated_oldest_first),
		cmocka_unit_test(test_saturated_in_turns),
		cmocka_unit_test(test_saturated_small_buffers),
		cmocka_unit_test(test_saturated_mesh),
		cmocka_unit_test(test_saturated_long_links),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_deadlock_found),
		cmocka_unit_test(test_own_drop),
		cmocka_unit_test(test_directions),
		cmocka_unit_test(test_hop_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
