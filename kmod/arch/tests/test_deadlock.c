// SPDX-License-Identifier: GPL-2.0
/*
 * No run deadlocks at saturation with packets of any size, and each census finds all packets and
 * tokens. A case has a million packets, with TORUS_SOAK=1 ten million.
 */
#include "arch/tests/bgl_rig.h"
#include "core/run/windows.h"

/* Run a closed loop: each node injects as fast as its FIFOs accept packets. */
static void saturate(const char *shape, const char *settings, u32 packets)
{
	struct torus_fabric *f = rig_make(shape, settings);
	u64 each = (rig_soak() ? 10 : 1) * (packets / f->nodes + 1), looks = 0;
	struct torus_result r;

	rig_packets(f, each, 32, 256);
	/* a census costs more than a window, so take one per 100 */
	while (rig_step(f, 100, 1)) {
		rig_census(f);
		looks++;
	}
	torus_traffic_result(f, &r);
	assert_true(looks > 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.injected, each * f->nodes);
	assert_int_equal(r.delivered, each * f->nodes);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	assert_int_equal(torus_watchdog_check(f, NULL), TORUS_VERDICT_ALIVE);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

static void test_no_deadlock_3x3x3_dynamic(void **state)
{
	saturate("3x3x3", "", 1000000);
}

static void test_no_deadlock_3x3x3_deterministic(void **state)
{
	saturate("3x3x3", "routing=deterministic", 1000000);
}

static void test_no_deadlock_4x4x4_dynamic(void **state)
{
	saturate("4x4x4", "", 1000000);
}

static void test_no_deadlock_4x4x4_deterministic(void **state)
{
	saturate("4x4x4", "routing=deterministic", 1000000);
}

static void test_no_deadlock_8x8x1_dynamic(void **state)
{
	saturate("8x8x1", "", 1000000);
}

static void test_no_deadlock_8x8x1_deterministic(void **state)
{
	saturate("8x8x1", "routing=deterministic", 1000000);
}

/* Check conservation, tokens and bubbles at each window of a random run. */
static void every_window(const char *shape, const char *settings, u32 packets, bool faults)
{
	struct torus_fabric *f = rig_make(shape, settings);
	u64 rng = torus_random_seed(1, 2, packets), windows = 0;
	struct torus_result r;
	bool more;

	if (faults) {
		struct torus_fault fault = {
			.what = TORUS_FAULT_STATE, .node = 3, .dir = 1, .at = 700, .lasts = 4000,
		};

		rig_fault(f, &fault);
		fault = (struct torus_fault){
			.what = TORUS_FAULT_CORRUPT | TORUS_FAULT_DROP_ACK | TORUS_FAULT_DELAY,
			.node = TORUS_NONE, .dir = 2, .corrupt = 2, .drop_ack = 2, .delay = 90,
			.at = 1500, .lasts = 800,
		};
		rig_fault(f, &fault);
	}
	rig_packets(f, packets, 32, 256);
	do {
		/* run some ticks, sometimes a whole window */
		if (torus_random_below(&rng, 16)) {
			u64 ticks = 1 + torus_random_below(&rng, 100);

			torus_fabric_run(f, torus_fabric_clock(f) + ticks, 0, 1);
			more = true;
		} else {
			more = rig_step(f, 1, 1);
		}
		rig_census(f);
		windows++;
	} while (more);
	assert_true(windows > 40);
	torus_traffic_result(f, &r);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, (u64)packets * f->nodes);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

static void test_conservation_every_window(void **state)
{
	every_window("3x3x3", "", 150, false);
	every_window("4x4x4", "routing=deterministic", 100, false);
	every_window("5mx3x2", "domains=3", 150, false);
	every_window("8x8x1", "domains=2", 60, false);
	every_window("4x4x4", "vc_bytes=512 dynamic_vcs=1", 60, false);
}

static void test_conservation_every_window_faults(void **state)
{
	every_window("3x3x3", "ber=1e-4", 150, true);
	every_window("4x4x4", "ber=1e-4 routing=deterministic", 60, true);
	every_window("4x4x4", "ber=2e-4 domains=3", 60, true);
	every_window("5mx3x2", "ber=5e-5 crc=full", 60, true);
}

/* A fabric gives the same results after a reset in the middle of a run. */
static void test_reset_in_mid_run(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "ber=1e-5 domains=2");
	struct torus_result first, r;
	struct torus_error err;
	u32 i;

	rig_packets(f, 50, 32, 256);
	first = rig_finish(f, 0, 1);
	for (i = 0; i < 5; i++) {
		assert_int_equal(torus_fabric_reset(f, f->cfg.seed, &err), 0);
		assert_int_equal(torus_fabric_in_flight(f), 0);
		rig_at_rest(f);
		rig_packets(f, 50, 32, 256);
		rig_step(f, 10 + 7 * i, 1);
		assert_true(torus_fabric_in_flight(f) > 0);
		rig_census(f);
	}
	assert_int_equal(torus_fabric_reset(f, f->cfg.seed, &err), 0);
	rig_packets(f, 50, 32, 256);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.hash, first.hash);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_deadlock_3x3x3_dynamic),
		cmocka_unit_test(test_no_deadlock_3x3x3_deterministic),
		cmocka_unit_test(test_no_deadlock_4x4x4_dynamic),
		cmocka_unit_test(test_no_deadlock_4x4x4_deterministic),
		cmocka_unit_test(test_no_deadlock_8x8x1_dynamic),
		cmocka_unit_test(test_no_deadlock_8x8x1_deterministic),
		cmocka_unit_test(test_conservation_every_window),
		cmocka_unit_test(test_conservation_every_window_faults),
		cmocka_unit_test(test_reset_in_mid_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
