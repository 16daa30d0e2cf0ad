// SPDX-License-Identifier: GPL-2.0
/*
 * Results do not depend on the number of domains and threads, or on the slices of a run. This
 * holds with faults, too.
 */
#include "arch/tests/bgl_rig.h"
#include "core/run/windows.h"

struct domains_outcome {
	u64 hash;
	u64 delivered;
	u64 hops;
	u64 latency;
	u64 resends;
	u64 clock;
	u64 unblocks;	/* counted with unblocking=on */
};

static void faults(struct torus_fabric *f)
{
	const struct torus_fault down = {
		.what = TORUS_FAULT_STATE, .node = 1, .dir = 0, .at = 900, .lasts = 5000,
	}, all = {
		.what = TORUS_FAULT_CORRUPT | TORUS_FAULT_CORRUPT_ACK | TORUS_FAULT_DELAY,
		.node = TORUS_NONE, .dir = TORUS_NONE, .corrupt = 1, .corrupt_ack = 1,
		.delay = 70, .at = 2500, .lasts = 1500,
	}, last = {
		.what = TORUS_FAULT_STATE, .node = f->nodes - 1, .dir = TORUS_NONE, .at = 3000,
		.lasts = 20000,
	};

	rig_fault(f, &down);
	rig_fault(f, &all);
	rig_fault(f, &last);
}

struct domains_run {
	const char *shape;
	const char *settings;
	u32 packets;
	bool faults;
};

static struct domains_outcome run(const struct domains_run *what, u32 domains, u32 threads,
				  u64 budget)
{
	struct torus_result r;
	struct torus_fabric *f;
	char text[256];
	u64 unblocks = 0;
	u32 i;

	snprintf(text, sizeof(text), "%s domains=%u", what->settings, domains);
	f = rig_make(what->shape, text);
	if (what->faults)
		faults(f);
	rig_packets(f, what->packets, 32, 256);
	r = rig_finish(f, budget, threads);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, (u64)what->packets * f->nodes);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	if (what->faults)
		assert_true(r.retransmitted > 0);
	rig_at_rest(f);
	for (i = 0; i < domains; i++)
		unblocks += f->domain[i].stats.token_unblocks;
	torus_fabric_destroy(f);
	return (struct domains_outcome){
		.hash = r.hash, .delivered = r.delivered, .hops = r.hops_total,
		.latency = r.win_latency_sum, .resends = r.retransmitted, .clock = r.clock,
		.unblocks = unblocks,
	};
}

static void same(struct domains_outcome a, struct domains_outcome b)
{
	assert_int_equal(a.hash, b.hash);
	assert_int_equal(a.delivered, b.delivered);
	assert_int_equal(a.hops, b.hops);
	assert_int_equal(a.latency, b.latency);
	assert_int_equal(a.resends, b.resends);
	assert_int_equal(a.clock, b.clock);
	assert_int_equal(a.unblocks, b.unblocks);
}

static void check_domains(const struct domains_run *what)
{
	static const u32 domains[] = { 2, 3, 8 };
	struct domains_outcome one = run(what, 1, 1, 0);
	u32 i;

	for (i = 0; i < COUNT(domains); i++) {
		same(run(what, domains[i], 1, 0), one);
		same(run(what, domains[i], 2, 0), one);
	}
}

static void test_domains_4x4x4(void **state)
{
	check_domains(&(struct domains_run){ "4x4x4", "", 60, false });
}

static void test_domains_8x8x8(void **state)
{
	check_domains(&(struct domains_run){ "8x8x8", "seed=5", 10, false });
}

/* Results are equal if another thread runs a domain in the next slice of a run. */
static void test_domains_change_threads(void **state)
{
	struct torus_fabric *one = rig_make("4x4x4", ""), *f = rig_make("4x4x4", "domains=8");
	struct torus_result want, r;
	u32 i = 0;

	rig_packets(one, 40, 32, 256);
	want = rig_finish(one, 0, 1);
	rig_packets(f, 40, 32, 256);
	while (rig_step(f, 3, 1 + i++ % 2))
		assert_int_equal(f->domain[3].thread, 3 % f->run_threads);
	torus_traffic_result(f, &r);
	assert_true(i > 20);
	assert_int_equal(r.hash, want.hash);
	assert_int_equal(r.delivered, want.delivered);
	rig_at_rest(f);
	torus_fabric_destroy(one);
	torus_fabric_destroy(f);
}

static void test_domains_shapes(void **state)
{
	check_domains(&(struct domains_run){ "5x3x2", "routing=deterministic", 100, false });
	check_domains(&(struct domains_run){ "9x1x1", "seed=2", 100, false });
	check_domains(&(struct domains_run){ "4mx6x3m", "latency=9 ack_delay=30", 50, false });
	check_domains(&(struct domains_run){ "2x2x2", "latency=40 ack_delay=8", 100, false });
}

static void test_domains_faults(void **state)
{
	check_domains(&(struct domains_run){ "4x4x4", "ber=5e-5", 60, true });
	check_domains(&(struct domains_run){ "5x3x2", "ber=1e-4 routing=deterministic", 60, true });
	check_domains(&(struct domains_run){ "4x4x4", "crc=full", 30, true });
	check_domains(&(struct domains_run){ "8x2x1", "ber=1e-4 latency=12", 60, true });
}

/*
 * With the parameters of the router studies, and with optional counters, results are equal for each
 * number of domains, with and without faults.
 */
static void test_domains_router(void **state)
{
	static const char *const settings[] = {
		"bypass=off", "vc_delay=13", "vc_delay=50 bypass=off", "arbiter_gap=1",
		"dynamic_vcs=4 vc_bytes=512", "escape=dateline escape_order=direction",
		"escape=dateline routing=deterministic vc_delay=7 arbiter_gap=1",
		"escape_order=direction escape_bytes=512", "control=simulated",
		"control=simulated escape=dateline vc_bytes=544", "link_mbps=350",
		"midplane_ticks=30 rack_ticks=90", "unblocking=on dynamic_vcs=1 vc_bytes=512",
		"unblocking=on dynamic_vcs=1 vc_bytes=512 escape=dateline arbiter_gap=1",
	};
	u32 i, faults;

	for (i = 0; i < COUNT(settings); i++)
		for (faults = 0; faults < 2; faults++) {
			struct domains_run what = { "9x2x2", NULL, 60, faults };
			struct domains_outcome one;
			char text[128];
			u32 domains;

			snprintf(text, sizeof(text), "%s%s", settings[i],
				 faults ? " ber=5e-5" : "");
			what.settings = text;
			one = run(&what, 1, 1, 0);
			for (domains = 2; domains <= 4; domains++)
				same(run(&what, domains, domains == 3 ? 2 : 1, 0), one);
			assert_int_equal(one.unblocks != 0, !strncmp(text, "unblocking", 10));
		}
}

/* More than two threads, up to one per domain, give equal results. */
static void test_domains_many_threads(void **state)
{
	const struct domains_run what = { "4x4x4", "ber=2e-5", 20, true };
	struct domains_outcome one = run(&what, 1, 1, 0);

	same(run(&what, 3, 3, 0), one);
	same(run(&what, 8, 4, 0), one);
}

/* A run gives equal results in slices of any number of windows. */
static void test_budget_slices(void **state)
{
	static const struct domains_run what = { "4x4x4", "ber=3e-5", 30, true };
	struct domains_outcome one = run(&what, 1, 1, 0);

	same(run(&what, 1, 1, 1), one);
	same(run(&what, 1, 1, 7), one);
	same(run(&what, 3, 1, 1), one);
	same(run(&what, 2, 2, 5), one);
}

/* A run gives equal results in slices that end at random ticks. */
static void test_tick_slices(void **state)
{
	u64 rng = torus_random_seed(4, 4, 4);
	struct torus_result whole, r;
	struct torus_fabric *f;
	u32 domains;

	f = rig_make("4x4x4", "ber=3e-5");
	faults(f);
	rig_packets(f, 20, 32, 256);
	whole = rig_finish(f, 0, 1);
	torus_fabric_destroy(f);
	for (domains = 1; domains <= 3; domains++) {
		char text[64];

		snprintf(text, sizeof(text), "ber=3e-5 domains=%u", domains);
		f = rig_make("4x4x4", text);
		faults(f);
		rig_packets(f, 20, 32, 256);
		rig_step(f, 1, 1);
		while (torus_fabric_pending(f)) {
			u64 until = torus_fabric_clock(f) + 1 + torus_random_below(&rng, 90);

			if (torus_fabric_run(f, until, 0, 1) == TORUS_RUN_TIME)
				assert_int_equal(torus_fabric_clock(f), until);
		}
		r = rig_finish(f, 0, 1);
		assert_int_equal(r.done, 1);
		assert_int_equal(r.hash, whole.hash);
		torus_fabric_destroy(f);
	}
}

/* In an open loop, the statistics of the measurement are also equal. */
static void test_open_loop(void **state)
{
	struct torus_result first = { 0 }, r;
	u32 domains;

	for (domains = 1; domains <= 4; domains++) {
		const struct torus_traffic t = {
			.pattern = TORUS_PATTERN_UNIFORM, .size_min = 32, .size_max = 256,
			.load = 3ull << 30, .warmup = 3000, .cycles = 5000,
		};
		struct torus_fabric *f;
		struct torus_error err;
		char text[32];

		snprintf(text, sizeof(text), "seed=7 domains=%u", domains);
		f = rig_make("4x4x4", text);
		assert_int_equal(torus_traffic_start(f, &t, &err), 0);
		r = rig_finish(f, domains, domains > 1 ? 2 : 1);
		torus_fabric_destroy(f);
		assert_int_equal(r.clock, 8000);
		if (domains == 1) {
			first = r;
			continue;
		}
		assert_int_equal(r.hash, first.hash);
		assert_int_equal(r.win_generated, first.win_generated);
		assert_int_equal(r.win_delivered, first.win_delivered);
		assert_int_equal(r.win_latency_sum, first.win_latency_sum);
		assert_int_equal(r.win_latency_p99, first.win_latency_p99);
		assert_int_equal(r.win_busy[0], first.win_busy[0]);
		assert_int_equal(r.win_population_ticks, first.win_population_ticks);
		assert_int_equal(r.in_flight, first.in_flight);
	}
}

/* A different seed gives a different run. */
static void test_seed_matters(void **state)
{
	const struct domains_run a = { "4x4x4", "seed=1", 20, false };
	const struct domains_run b = { "4x4x4", "seed=2", 20, false };

	assert_int_not_equal(run(&a, 1, 1, 0).hash, run(&b, 1, 1, 0).hash);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_domains_4x4x4),
		cmocka_unit_test(test_domains_8x8x8),
		cmocka_unit_test(test_domains_change_threads),
		cmocka_unit_test(test_domains_shapes),
		cmocka_unit_test(test_domains_faults),
		cmocka_unit_test(test_domains_router),
		cmocka_unit_test(test_domains_many_threads),
		cmocka_unit_test(test_budget_slices),
		cmocka_unit_test(test_tick_slices),
		cmocka_unit_test(test_open_loop),
		cmocka_unit_test(test_seed_matters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
