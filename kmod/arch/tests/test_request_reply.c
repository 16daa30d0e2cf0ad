// SPDX-License-Identifier: GPL-2.0
/*
 * Requests and replies: counts, latencies, the limit of outstanding requests, the peak, and
 * freedom from deadlock.
 */
#include "arch/arch.h"
#include "arch/tests/bgl_rig.h"
#include "arch/tests/xt_rig.h"
#include "core/base/random.h"
#include "core/workload/pattern.h"
#include "core/workload/request_reply.h"
#include "core/run/config.h"
#include "core/run/measure.h"
#include "core/run/windows.h"

#define ONE	(1ull << 32)

static struct torus_traffic ask(u64 packets, u64 outstanding)
{
	return (struct torus_traffic){
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 64, .size_max = 64, .reply = 256,
		.packets = packets, .outstanding = outstanding,
	};
}

/*
 * Two nodes send requests one at a time, so links have no other traffic. A round trip takes the
 * latency of the request plus that of the reply. With one outstanding request, the next one waits
 * for the reply.
 */
static void test_one_by_one(void **state)
{
	const struct torus_traffic t = ask(5, 1);
	struct torus_fabric *f = rig_make("2x1x1", "");
	struct torus_result r;

	rig_start(f, &t);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, 20);
	assert_int_equal(r.win_requests, 10);
	assert_int_equal(r.win_replies, 10);
	assert_int_equal(r.win_trip_sum, r.win_request_latency_sum + r.win_reply_latency_sum);
	assert_int_equal(r.win_trip_max * 10, r.win_trip_sum);
	/* the latency of a reply is longer by its additional bytes, and by one tick in memory */
	assert_int_equal(r.win_reply_latency_max, r.win_request_latency_max + 192 + 1);
	assert_int_equal(r.backlog, 0);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* The number of requests without a reply never exceeds the limit, and reaches it. */
static void test_outstanding(void **state)
{
	u64 outstanding;

	for (outstanding = 1; outstanding < 8; outstanding += 3) {
		const struct torus_traffic t = ask(30, outstanding);
		struct torus_fabric *f = rig_make("4x4x4", "");
		u64 most = 0;
		u32 node;

		rig_start(f, &t);
		do {
			for (node = 0; node < f->nodes; node++) {
				const struct torus_reply *r = &f->workload->replies[node];
				u64 open = r->asked - r->answered;

				most = open > most ? open : most;
			}
			torus_traffic_pause(f, f->clock + 50);
		} while (torus_traffic_step(f, 0, 1));
		assert_int_equal(most, outstanding);
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
}

/* Create a fabric of a machine, with one parameter set. */
static struct torus_fabric *machine(const char *arch, const char *shape, const char *key,
				    const char *value, u32 domains)
{
	struct torus_config config;
	struct torus_error err;
	struct torus_fabric *f;
	u32 dims[TORUS_DIMS_MAX], n = 0;

	for (; *shape; shape++)
		if (*shape != 'x')
			dims[n++] = *shape - '0';
	torus_config_init(&config, torus_arch_find(arch));
	assert_int_equal(torus_config_shape(&config, n, dims, 0, &err), 0);
	if (key)
		assert_int_equal(torus_config_set(&config, key, value, &err), 0);
	config.seed = 7;
	config.domains = domains;
	if (torus_fabric_create(&config, &f, &err))
		fail_msg("%s", err.text);
	if (!strcmp(arch, "xt")) {
		struct xt_plan plan = { .dateline = { 3, 3, 3 } };
		size_t bytes;
		void *image = xt_rig_image(f, &plan, &bytes);

		assert_int_equal(xt_rig_load(f, image, bytes, &err), 0);
		test_free(image);
	}
	return f;
}

static const struct {
	const char *arch, *shape, *key, *value;
} machines[] = {
	{ "bgl", "4x4x4", "routing", "dynamic" }, { "bgl", "4x4x4", "injection", "infinite" },
	{ "bgl", "4x4x4", "source_order", "direction" }, { "bgl", "4x4x4", "receive_packet", "50" },
	{ "xt", "4x4x4", NULL, NULL }, { "kncube", "8x8", NULL, NULL },
	{ "kncube", "8x8", "buffers", "finite" }, { "tofu", "2x2x1", NULL, NULL },
};

/*
 * Send 10^5 requests as fast as FIFOs and buffers permit, each with a reply. All arrive, and the
 * network is empty at the end.
 */
static void test_no_deadlock(void **state)
{
	u32 i;

	for (i = 0; i < COUNT(machines); i++) {
		struct torus_fabric *f = machine(machines[i].arch, machines[i].shape,
						 machines[i].key, machines[i].value, 1);
		u32 chunk = f->arch->chunk_bytes, size = (64 + chunk - 1) / chunk * chunk;
		struct torus_traffic t = ask(100000 / f->nodes + 1, 0);
		struct torus_result r;

		t.size_min = size;
		t.size_max = size;
		t.reply = f->arch->packet_chunks_max * chunk;
		t.reply = t.reply > 256 ? 256 / chunk * chunk : t.reply;
		rig_start(f, &t);
		r = rig_finish(f, 0, 1);
		assert_int_equal(r.done, 1);
		assert_true(r.win_requests >= 100000);
		assert_int_equal(r.win_replies, r.win_requests);
		assert_int_equal(r.delivered, 2 * r.win_requests);
		assert_true(r.win_trip_sum == r.win_request_latency_sum + r.win_reply_latency_sum);
		assert_int_equal(r.backlog, 0);
		torus_fabric_destroy(f);
	}
}

static u64 hash_of(u32 i, u32 domains, bool open)
{
	struct torus_fabric *f = machine(machines[i].arch, machines[i].shape, machines[i].key,
					 machines[i].value, domains);
	u32 chunk = f->arch->chunk_bytes, size = (64 + chunk - 1) / chunk * chunk;
	struct torus_traffic t = ask(20, 3);
	struct torus_result r;

	t.size_min = size;
	t.size_max = size;
	t.reply = size;
	if (open) {
		t.packets = 0;
		t.outstanding = 0;
		t.load = ONE * 9 / 10;
		t.cycles = 5000;
		t.warmup = 1000;
	}
	rig_start(f, &t);
	r = rig_finish(f, 0, domains > 2 ? 2 : domains);
	assert_true(r.delivered > 100);
	torus_fabric_destroy(f);
	return r.hash;
}

/* The delivery hash does not depend on the number of domains. */
static void test_domains(void **state)
{
	u32 i, open;

	for (i = 0; i < COUNT(machines); i++)
		for (open = 0; open < 2; open++) {
			u64 hash = hash_of(i, 1, open);

			assert_true(hash_of(i, 2, open) == hash);
			assert_true(hash_of(i, 5, open) == hash);
		}
}

/*
 * Below the peak the accepted traffic equals the load. At the peak it is as high as without
 * replies.
 */
static void test_load(void **state)
{
	static const struct {
		u32 pattern, load, least, most;
	} runs[] = {
		{ TORUS_PATTERN_UNIFORM, 50, 49, 51 }, { TORUS_PATTERN_UNIFORM, 120, 87, 101 },
		{ TORUS_PATTERN_BITCOMP, 50, 49, 51 }, { TORUS_PATTERN_HOTSPOT, 50, 47, 53 },
		{ TORUS_PATTERN_HOTSPOT, 150, 100, 160 },
	};
	u32 i;

	for (i = 0; i < COUNT(runs); i++) {
		struct torus_traffic t = ask(0, 0);
		struct torus_fabric *f = rig_make("4x4x4", "");
		struct torus_result r;
		double part;

		t.pattern = runs[i].pattern;
		t.load = runs[i].load * ONE / 100;
		t.cycles = 100000;
		t.warmup = 20000;
		t.hots = 1;
		t.share = ONE;
		rig_start(f, &t);
		r = rig_finish(f, 0, 1);
		part = 200.0 * r.win_replies / r.nodes * r.peak_num / r.peak_den / t.cycles;
		if (part < runs[i].least || part > runs[i].most)
			fail_msg("run %u: %f %% of peak", i, part);
		torus_fabric_destroy(f);
	}
}

/*
 * The busiest link of a hot spot is a link over which requests arrive, or over which replies leave.
 */
static void test_hot_peak(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_traffic t = ask(0, 0);
	double in, out;

	t.pattern = TORUS_PATTERN_HOTSPOT;
	t.load = ONE;
	t.cycles = 1;
	t.hots = 1;
	t.share = ONE;
	/*
	 * Requests arrive over z links, replies leave over x links. Such a link serves the 16
	 * lines of the next node, and half of the 16 lines half-way round. Packets take 64 + 14
	 * and 256 + 14 ticks.
	 */
	out = torus_pattern_peak_gap(f, &t) / 65536.0;
	assert_true(out > 24 * 270 * 0.999 && out < 24 * 270 * 1.001);
	t.size_min = 256;
	t.size_max = 256;
	t.reply = 32;
	in = torus_pattern_peak_gap(f, &t) / 65536.0;
	assert_true(in > 24 * 270 * 0.999 && in < 24 * 270 * 1.001);
	torus_fabric_destroy(f);
}

/* A node that has sent 2^31 requests can send another one. */
static void test_many(void **state)
{
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 64, .size_max = 64, .reply = 64,
		.load = ONE / 2, .cycles = 10000, .warmup = 1000,
	};
	struct torus_fabric *f = rig_make("2x1x1", "");
	struct torus_result r;
	u32 i;

	rig_start(f, &t);
	for (i = 0; i < f->nodes; i++)
		f->workload->sources[i].number += (1ull << 31) - 5;
	r = rig_finish(f, 0, 1);
	assert_true(r.win_requests > 50);
	assert_true(r.win_replies > r.win_requests - 4 && r.win_replies < r.win_requests + 4);
	torus_fabric_destroy(f);
}

/*
 * Nodes that wait for replies to lost requests send no more. Their workload does not end with the
 * outcome "done".
 */
static void test_lost(void **state)
{
	u32 outstanding;

	for (outstanding = 0; outstanding < 3; outstanding += 2) {
		const struct torus_traffic t = ask(30, outstanding);
		struct torus_fabric *f = rig_make("4x4x4", "hop_limit=3");
		struct torus_result r;

		rig_start(f, &t);
		r = rig_finish(f, 0, 1);
		assert_true(r.dropped);
		assert_int_equal(r.in_flight, 0);
		assert_int_equal(!!r.backlog, !!outstanding);
		assert_int_equal(r.done, outstanding ? 2 : 1);
		torus_fabric_destroy(f);
	}
}

static void test_refused(void **state)
{
	struct torus_traffic t = ask(1, 0);

	t.reply = 48;
	rig_start_refused(&t, "reply 48 bgl 32 256");
	t.reply = 288;
	rig_start_refused(&t, "reply 288 bgl 32 256");
	t.reply = 32;
	t.pattern = TORUS_PATTERN_TORNADO;
	rig_start_refused(&t, "reply 32 hotspot");
	t.reply = 0;
	t.outstanding = 2;
	rig_start_refused(&t, "outstanding 2 reply");
}

/* If a workload is stopped before all replies are sent, no packet is left in the network. */
static void test_stop(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	const struct torus_traffic t = ask(100, 0);
	struct torus_error err;

	rig_start(f, &t);
	torus_traffic_pause(f, 3000);
	torus_traffic_step(f, 0, 1);
	torus_traffic_stop(f);
	torus_fabric_run(f, ~0ull - 1, 0, 1);
	rig_at_rest(f);
	assert_int_equal(torus_fabric_reset(f, 1, &err), 0);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_by_one),
		cmocka_unit_test(test_outstanding),
		cmocka_unit_test(test_no_deadlock),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_hot_peak),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
