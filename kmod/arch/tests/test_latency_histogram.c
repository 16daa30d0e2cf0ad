// SPDX-License-Identifier: GPL-2.0
/* Histograms of latency: their buckets and sums. They do not depend on the number of domains. */
#include "core/tests/rig.h"
#include "core/state/latency_histogram.h"

#define ONE	(1ull << 32)

/* Buckets are contiguous, and the width of each is at most 1/32 of its values. */
static void test_buckets(void **state)
{
	u32 i;

	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++) {
		u64 least = torus_latency_floor(i), next = torus_latency_floor(i + 1);

		assert_int_equal(torus_latency_bucket(least), i);
		assert_int_equal(torus_latency_bucket(next - 1), i);
		assert_true((next - least - 1) * 32 <= least);
	}
	assert_true(torus_latency_floor(TORUS_LATENCY_BUCKETS) == 1ull << TORUS_LATENCY_BITS);
}

static u64 count(const struct torus_latency *l)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++)
		sum += l->bucket[i];
	return sum;
}

/*
 * Check that the sum of a histogram is between the sums of its buckets' lowest and highest values.
 */
static void holds_sum(const struct torus_latency *l)
{
	u64 least = 0, most = 0;
	u32 i;

	for (i = 0; i < TORUS_LATENCY_BUCKETS; i++) {
		least += l->bucket[i] * torus_latency_floor(i);
		most += l->bucket[i] * (torus_latency_floor(i + 1) - 1);
	}
	assert_in_range(l->sum, least, most);
}

struct kept_result {
	struct torus_result result;
	struct torus_latencies *latencies;
};

static struct kept_result measure(const char *settings, u64 warmup)
{
	struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 32, .size_max = 256,
		.load = 2 * ONE, .warmup = warmup, .cycles = 12000,
	};
	struct torus_fabric *f = rig_make_arch("bgl", "4x3x2", settings);
	struct kept_result kept;

	assert_int_equal(torus_latencies_start(f), 0);
	rig_start(f, &t);
	kept.result = rig_finish(f, 40, 1);
	kept.latencies = torus_latencies_take(f);
	assert_non_null(kept.latencies);
	torus_fabric_destroy(f);
	return kept;
}

/*
 * Each histogram counts all packets that were delivered in the measurement, and its sum equals that
 * of the statistics.
 */
static void check_sums(u64 warmup)
{
	struct kept_result k = measure("", warmup);
	const struct torus_latencies *l = k.latencies;
	u64 packets = 0, network = 0, hops = 0, sent = 0, received = 0;
	u32 i;

	assert_true(k.result.win_delivered > 500);
	assert_int_equal(count(&l->source), k.result.win_delivered);
	assert_int_equal(count(&l->total), k.result.win_delivered);
	assert_int_equal(l->total.sum, k.result.win_latency_sum);
	assert_int_equal(l->total.max, k.result.win_latency_max);
	/*
	 * one row for each of 0 to 4 hops (2 + 1 + 1 to the farthest node), and a last row for more
	 * hops
	 */
	assert_int_equal(l->hops, 6);
	for (i = 0; i < l->hops; i++) {
		packets += count(&l->network[i]);
		network += l->network[i].sum;
		hops += i * count(&l->network[i]);
		holds_sum(&l->network[i]);
	}
	assert_int_equal(packets, k.result.win_delivered);
	assert_int_equal(network, k.result.win_network_latency_sum);
	assert_int_equal(hops, k.result.win_hops_sum);
	assert_int_equal(l->source.sum + network, l->total.sum);
	assert_true(l->source.sum > 0);
	assert_int_equal(count(&l->network[0]), 0);
	holds_sum(&l->source);
	holds_sum(&l->total);
	for (i = 0; i < l->nodes; i++) {
		assert_true(l->sent[i] && l->received[i]);
		sent += l->sent[i];
		received += l->received[i];
	}
	assert_int_equal(sent, k.result.win_delivered);
	assert_int_equal(received, k.result.win_delivered);
	assert_in_range(l->chunks, k.result.win_delivered, 8 * k.result.win_delivered);
	torus_latencies_free(k.latencies);
}

static void test_sums(void **state)
{
	check_sums(3000);
}

static void test_without_warmup(void **state)
{
	check_sums(0);
}

static void test_domains(void **state)
{
	struct kept_result one = measure("", 2000), many = measure("domains=5", 2000);
	size_t rows = one.latencies->hops * sizeof(one.latencies->network[0]);
	size_t nodes = one.latencies->nodes * sizeof(u64);

	assert_true(one.result.hash == many.result.hash);
	assert_memory_equal(&one.latencies->source, &many.latencies->source,
			    2 * sizeof(one.latencies->source));
	assert_memory_equal(one.latencies->network, many.latencies->network, rows);
	assert_memory_equal(one.latencies->sent, many.latencies->sent, nodes);
	assert_memory_equal(one.latencies->received, many.latencies->received, nodes);
	torus_latencies_free(one.latencies);
	torus_latencies_free(many.latencies);
}

/* A reset of the counters clears the histograms, too, and the histograms then count from there. */
static void test_counters_reset(void **state)
{
	struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 256, .size_max = 256,
		.load = ONE / 2, .warmup = 2000, .cycles = 4000,
	};
	struct torus_fabric *f = rig_make_arch("bgl", "4x2x2", "");
	struct torus_latencies *l;

	assert_int_equal(torus_latencies_start(f), 0);
	rig_start(f, &t);
	assert_true(rig_finish(f, 40, 1).win_delivered > 100);
	torus_fabric_counters_reset(f);
	l = torus_latencies_take(f);
	assert_non_null(l);
	assert_int_equal(count(&l->total), 0);
	assert_int_equal(l->total.sum, 0);
	assert_int_equal(l->total.max, 0);
	assert_int_equal(count(&l->source), 0);
	torus_latencies_free(l);
	torus_fabric_destroy(f);
}

/* Histograms take no memory before torus_latencies_start(). A reset of the fabric frees them. */
static void test_only_if_asked(void **state)
{
	struct torus_fabric *f = rig_make_arch("bgl", "2x2x2", "");
	u64 memory = torus_fabric_memory(f);
	struct torus_error err;

	assert_null(torus_latencies_take(f));
	assert_int_equal(torus_latencies_start(f), 0);
	assert_int_equal(torus_fabric_memory(f) - memory,
			 torus_latencies_bytes(f->domain[0].latencies));
	assert_int_equal(torus_fabric_reset(f, 1, &err), 0);
	assert_null(torus_latencies_take(f));
	assert_int_equal(torus_fabric_memory(f), memory);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_without_warmup),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_counters_reset),
		cmocka_unit_test(test_only_if_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
