// SPDX-License-Identifier: GPL-2.0
/*
 * Workloads of the core: the offered traffic is the configured one, and results agree with the
 * recorded packets.
 */
#include "core/base/random.h"
#include "arch/tests/bgl_rig.h"
#include "core/workload/pattern.h"
#include "core/workload/workload.h"

#define ONE	(1ull << 32)

static struct torus_traffic uniform(u32 percent, u32 min, u32 max, u64 warmup, u64 cycles)
{
	return (struct torus_traffic){
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = min, .size_max = max,
		.load = percent * ONE / 100, .warmup = warmup, .cycles = cycles,
	};
}

/* Check that the links of dimension @busiest are busy for @per_mille of the time. */
static void check_load(const char *shape, const char *settings, struct torus_traffic t,
		       u32 busiest, u32 per_mille, u32 slack)
{
	struct torus_fabric *f = rig_make(shape, settings);
	struct torus_result r;
	u64 busy;

	rig_start(f, &t);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.window_end - r.window_start, t.cycles);
	busy = r.win_busy[busiest] * 1000 / (t.cycles * r.dim_links[busiest]);
	assert_in_range(busy, per_mille - slack, per_mille + slack);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	torus_fabric_destroy(f);
}

static void test_offered_load_poisson(void **state)
{
	check_load("8x8x8", "", uniform(50, 256, 256, 4000, 25000), 0, 500, 10);
	check_load("8x8x8", "", uniform(50, 256, 256, 4000, 25000), 2, 500, 10);
	check_load("8x8x8", "seed=3", uniform(20, 32, 32, 2000, 8000), 1, 200, 10);
}

static void test_offered_load_bernoulli(void **state)
{
	struct torus_traffic t = uniform(50, 256, 256, 4000, 25000);

	t.arrivals = 1;
	check_load("8x8x8", "", t, 0, 500, 10);
	t = uniform(40, 64, 256, 3000, 15000);
	t.arrivals = 1;
	check_load("8x8x8", "", t, 1, 400, 10);
}

/* The load refers to the busiest dimension, in 8x4x2 the longest one. */
static void test_offered_load_shapes(void **state)
{
	check_load("8x4x2", "", uniform(50, 256, 256, 4000, 100000), 0, 500, 12);
	check_load("5x3x2", "hints=minimal", uniform(30, 96, 256, 4000, 100000), 0, 300, 12);
}

/* The gap at the peak is N / (N - 1) (L / 4) 270 / 2; a packet takes 256 + 14 ticks. */
static void test_peak_gap(void **state)
{
	static const struct {
		const char *shape;
		u32 n, length, size;
	} cases[] = {
		{ "4x4x4", 64, 4, 256 }, { "8x8x8", 512, 8, 256 }, { "8x4x2", 64, 8, 256 },
		{ "16x4x4", 256, 16, 256 }, { "4x4x4", 64, 4, 32 }, { "2x2x2", 8, 2, 128 },
	};
	u32 i;

	for (i = 0; i < COUNT(cases); i++) {
		struct torus_fabric *f = rig_make(cases[i].shape, "");
		struct torus_traffic t = uniform(100, cases[i].size, cases[i].size, 0, 1);
		double want = (double)cases[i].n / (cases[i].n - 1) * cases[i].length / 4 *
			      (cases[i].size + 14) / 2;
		double got = torus_pattern_peak_gap(f, &t) / 65536.0;

		assert_true(got > want * 0.9995 && got < want * 1.0005);
		torus_fabric_destroy(f);
	}
}

struct gaps {
	double mean;
	double variance;
	u32 n;
};

/* Measure the gaps between the packets that one source generates. */
static struct gaps measure_gaps(u32 arrivals, u32 percent, u32 burst)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_traffic t = uniform(percent, 32, 32, 0, 120000);
	double last[64], sum = 0, squares = 0;
	struct rig_trace trace;
	struct gaps g = { 0 };
	u32 i;

	t.arrivals = arrivals;
	t.burst = burst;
	rig_trace_start(f, &trace, 1u << TORUS_TRACE_INJECT);
	rig_start(f, &t);
	rig_finish(f, 0, 1);
	for (i = 0; i < 64; i++)
		last[i] = -1;
	for (i = 0; i < trace.n; i++) {
		const struct rig_step *s = &trace.step[i];
		double gap = s->born - last[s->src];

		assert_true(s->born <= s->at);
		if (last[s->src] >= 0) {
			assert_true(gap >= arrivals);
			sum += gap;
			squares += gap * gap;
			g.n++;
		}
		last[s->src] = s->born;
	}
	g.mean = sum / g.n;
	g.variance = squares / g.n - g.mean * g.mean;
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
	return g;
}

/* Gaps are exponential: the variance is the square of the mean. */
static void test_poisson_gaps(void **state)
{
	double mean = 64.0 / 63 * 46 / 2 / 0.25;
	struct gaps g = measure_gaps(0, 25, 0);

	assert_true(g.n > 70000);
	assert_true(g.mean > mean * 0.985 && g.mean < mean * 1.015);
	assert_true(g.variance > mean * mean * 0.95 && g.variance < mean * mean * 1.05);
}

/* Gaps are geometric: the variance is (1 - p) / p^2. */
static void test_bernoulli_gaps(void **state)
{
	double mean = 64.0 / 63 * 46 / 2 / 0.5, variance = mean * mean - mean;
	struct gaps g = measure_gaps(1, 50, 1);

	assert_true(g.n > 70000);
	assert_true(g.mean > mean * 0.985 && g.mean < mean * 1.015);
	assert_true(g.variance > variance * 0.95 && g.variance < variance * 1.05);
}

/*
 * In a burst of 8 packets 7 follow the one before with the gap of the peak. The pause between
 * bursts keeps the mean load.
 */
static void test_bursts(void **state)
{
	double peak = 64.0 / 63 * 46 / 2, mean = peak / 0.25, pause = 8 * mean - 7 * peak;
	double variance = 7 / 8.0 * peak * peak + 2 * pause * pause / 8 - mean * mean;
	u32 arrivals;

	for (arrivals = 0; arrivals < 2; arrivals++) {
		struct gaps g = measure_gaps(arrivals, 25, 8);

		assert_true(g.n > 70000);
		assert_true(g.mean > mean * 0.95 && g.mean < mean * 1.05);
		assert_true(g.variance > variance * 0.9 && g.variance < variance * 1.1);
	}
}

/* 1 / ln(g / (g - 1)) is about g - 1/2, also for gaps as long as those between bursts. */
static void test_geometric_gaps(void **state)
{
	u32 bits;

	for (bits = 20; bits < 54; bits++) {
		double want = (double)(5ull << bits) - 32768;
		double got = (double)torus_gap_geometric(5ull << bits);

		assert_true(got > want * 0.998 && got < want * 1.002);
	}
}

static double logarithm(double x)
{
	/* without libm: halve x, then use the series of ln x around 1 */
	double k = 0, y, sum = 0, term;
	u32 i;

	for (; x > 1.5; x /= 2)
		k++;
	y = (x - 1) / (x + 1);
	for (i = 0, term = y; i < 60; i++, term *= y * y)
		sum += term / (2 * i + 1);
	return 2 * sum + k * 0.69314718055994530942;
}

static void test_integer_logarithm(void **state)
{
	u64 rng = torus_random_seed(1, 1, 1);
	u32 i;

	assert_int_equal(torus_log2_q26(1), 0);
	assert_int_equal(torus_log2_q26(1ull << 63), 63ull << 26);
	for (i = 0; i < 2000; i++) {
		u64 x = (torus_random(&rng) >> torus_random_below(&rng, 63)) | 1;
		double want = logarithm((double)x) / 0.69314718055994530942;
		double got = torus_log2_q26(x) / 67108864.0;

		assert_true(got <= want + 0.000000001 && got > want - 0.00000004);
	}
}

static void test_exponential(void **state)
{
	double sum = 0, squares = 0, n = 400000, mean = 1000;
	u64 rng = torus_random_seed(8, 8, 8);
	u32 i, below = 0;

	for (i = 0; i < n; i++) {
		double x = torus_random_exponential(&rng, 1000ull << 16) / 65536.0;

		sum += x;
		squares += x * x;
		below += x < 693.147;
	}
	assert_true(sum / n > mean * 0.993 && sum / n < mean * 1.007);
	squares = squares / n - (sum / n) * (sum / n);
	assert_true(squares > mean * mean * 0.98 && squares < mean * mean * 1.02);
	/* the median of the distribution is ln 2 times the mean */
	assert_in_range(below, 198500, 201500);
}

/* Multiplication by an inverse of struct torus_logs gives the exact quotient of a division. */
static void test_inverse(void **state)
{
	struct torus_logs logs;
	u64 i, back;

	torus_logs_init(&logs);
	for (i = 0; i < 256; i++)
		for (back = 1; back <= 1024; back++) {
			u64 rest = (1ull << 31) - back;

			assert_int_equal(torus_mul_shift(rest << 24, logs.inverse[i], 64),
					 (rest << 8) / (256 + i));
		}
}

/* ------------------------------------------------------------------- histogram */

static void test_histogram_buckets(void **state)
{
	u64 rng = torus_random_seed(2, 2, 2), v;
	u32 i, last = 0;

	for (v = 0; v < 100000; v++) {
		u32 b = torus_hist_bucket(v);

		assert_true(b == last || b == last + 1);
		last = b;
		assert_true(torus_hist_floor(b) <= v && v < torus_hist_floor(b + 1));
	}
	for (i = 0; i < 100000; i++) {
		u32 b;

		v = torus_random(&rng) >> (torus_random_below(&rng, 62) + 1);
		b = torus_hist_bucket(v);
		assert_true(b < TORUS_HIST_BUCKETS);
		assert_true(torus_hist_floor(b) <= v && v < torus_hist_floor(b + 1));
		v &= (1ull << TORUS_LATENCY_BITS) - 1;
		b = torus_hist_bucket(v);
		assert_int_equal(torus_hist_bucket(torus_latency_floor(torus_latency_bucket(v))),
				 b);
		/* the width is at most an eighth of the value */
		if (v >= 8)
			assert_true((torus_hist_floor(b + 1) - torus_hist_floor(b)) * 8 <= v);
	}
}

static int by_size(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* Mean, quantiles, maximum, hops and halves in the result agree with the traced packets. */
static void test_window_figures(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	const struct torus_traffic t = uniform(70, 32, 256, 5000, 30000);
	u64 *latency, sum = 0, hops = 0, n = 0, first = 0, hops_max = 0, hops_in = 0;
	struct rig_trace trace;
	struct torus_result r;
	u32 i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER | 1u << TORUS_TRACE_HOP);
	rig_start(f, &t);
	r = rig_finish(f, 0, 1);
	latency = calloc(trace.n, sizeof(*latency));
	for (i = 0; i < trace.n; i++) {
		const struct rig_step *s = &trace.step[i];

		if (s->at < 5000)
			continue;
		if (s->what == TORUS_TRACE_HOP) {
			hops_in++;
			continue;
		}
		latency[n++] = s->at - s->born;
		sum += s->at - s->born;
		hops += s->hops;
		hops_max = s->hops > hops_max ? s->hops : hops_max;
		first += s->at < 20000;
	}
	qsort(latency, n, sizeof(*latency), by_size);
	assert_true(n > 5000);
	assert_int_equal(r.win_delivered, n);
	assert_int_equal(r.win_latency_sum, sum);
	assert_int_equal(r.win_latency_max, latency[n - 1]);
	assert_int_equal(r.win_hops_sum, hops);
	assert_int_equal(r.win_hops_max, hops_max);
	assert_int_equal(r.win_half_delivered[0], first);
	assert_int_equal(r.win_half_delivered[1], n - first);
	assert_int_equal(r.vc_packets[0] + r.vc_packets[1] + r.vc_packets[2] + r.vc_packets[3],
			 hops_in);
	assert_true(r.win_latency_p50 * 8 >= latency[n / 2] * 7 &&
		    r.win_latency_p50 * 8 <= latency[n / 2] * 9);
	assert_true(r.win_latency_p99 * 8 >= latency[n * 99 / 100] * 7 &&
		    r.win_latency_p99 * 8 <= latency[n * 99 / 100] * 9);
	/* Little's law: population = throughput x latency, counted from the FIFO */
	assert_true(r.win_population_ticks > r.win_network_latency_sum * 98 / 100 &&
		    r.win_population_ticks < r.win_network_latency_sum * 102 / 100);
	free(latency);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* The domains' sums equal the sums of the links' counters, folded or not. */
static void test_sums_of_links(void **state)
{
	u32 domains, i, node, dir, vc;

	for (domains = 1; domains <= 3; domains += 2) {
		struct torus_fabric *f = rig_make("4x3x5", domains > 1 ? "domains=3" : "");
		struct torus_fault down = { .node = 7, .dir = 1, .at = 3000, .lasts = 500,
					    .what = TORUS_FAULT_STATE };
		u64 packets[TORUS_VCS_MAX] = { 0 }, busy[3] = { 0 }, resends = 0;
		struct torus_result r;

		rig_fault(f, &down);
		rig_load(f, 80, 32, 256, 6000);
		for (i = 0; rig_step(f, 20, 1); i++)
			if (i == 3)
				torus_counters_fold(&f->domain[0]);
		torus_traffic_result(f, &r);
		for (node = 0; node < f->nodes; node++)
			for (dir = 0; dir < f->dirs; dir++) {
				struct torus_link_counters c = rig_link(f, node, dir);

				busy[dir / 2] += c.busy_ticks;
				resends += c.resends;
				for (vc = 0; vc < TORUS_VCS_MAX; vc++)
					packets[vc] += c.packets[vc];
			}
		assert_true(packets[0] && packets[1] && resends);
		assert_memory_equal(r.vc_packets, packets, sizeof(packets));
		assert_memory_equal(r.win_busy, busy, sizeof(busy));
		assert_int_equal(r.retransmitted, resends);
		torus_fabric_destroy(f);
	}
}

/* At very low load the latency is that of an empty network, within a bucket. */
static void test_quantiles_of_an_empty_network(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_traffic t = uniform(1, 256, 256, 0, 300000);
	struct torus_result r;

	t.pattern = TORUS_PATTERN_NEIGHBOR;
	rig_start(f, &t);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.win_hops_max, 1);
	/* 20 + 256 is in the bucket 256 .. 288 */
	assert_int_equal(r.win_latency_p50, 272);
	assert_true(r.win_latency_sum >= r.win_delivered * 276);
	assert_true(r.win_latency_sum < r.win_delivered * 280);
	torus_fabric_destroy(f);
}

/* ------------------------------------------------------------------- closed loop */

static void test_closed_loop(void **state)
{
	struct torus_fabric *f = rig_make("5x3x2", "");
	struct rig_trace trace;
	struct torus_result r;
	u32 count[30] = { 0 }, i;
	u32 progress = 0;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	rig_packets(f, 77, 64, 128);
	while (rig_step(f, 1, 1)) {
		u32 now = torus_traffic_progress(f);

		assert_true(now >= progress && now < 65536);
		progress = now;
	}
	assert_int_equal(torus_traffic_progress(f), 65536);
	torus_traffic_result(f, &r);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.win_generated, 30 * 77);
	assert_int_equal(r.delivered, 30 * 77);
	for (i = 0; i < trace.n; i++) {
		assert_int_not_equal(trace.step[i].src, trace.step[i].dst);
		assert_in_range(trace.step[i].chunks, 2, 4);
		count[trace.step[i].src]++;
	}
	for (i = 0; i < 30; i++)
		assert_int_equal(count[i], 77);
	rig_at_rest(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* Destinations and sizes of uniform traffic are uniformly distributed. */
static void test_uniform_destinations(void **state)
{
	struct torus_fabric *f = rig_make("3x3x3", "");
	struct rig_trace trace;
	u32 to[27] = { 0 }, size[9] = { 0 }, i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_INJECT);
	rig_packets(f, 2000, 32, 256);
	rig_finish(f, 0, 1);
	for (i = 0; i < trace.n; i++) {
		to[trace.step[i].dst]++;
		size[trace.step[i].chunks]++;
	}
	for (i = 0; i < 27; i++)
		assert_in_range(to[i], 1800, 2200);
	for (i = 1; i <= 8; i++)
		assert_in_range(size[i], 6750 - 350, 6750 + 350);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* Saturated dynamic traffic keeps the links of 8x8x8 busy for more than 95 % of the time. */
static void test_saturated_dynamic(void **state)
{
	struct torus_fabric *f = rig_make("8x8x8", "");
	const struct torus_traffic t = uniform(120, 256, 256, 10000, 10000);
	struct torus_result r;

	rig_start(f, &t);
	r = rig_finish(f, 0, 1);
	assert_true(r.win_busy[0] * 100 / (t.cycles * r.dim_links[0]) >= 95);
	assert_true(r.win_busy[1] * 100 / (t.cycles * r.dim_links[1]) >= 95);
	assert_true(r.win_busy[2] * 100 / (t.cycles * r.dim_links[2]) >= 95);
	torus_fabric_destroy(f);
}

/* No quantile exceeds the maximum latency. */
static void test_quantiles_below_the_greatest(void **state)
{
	u32 seed;

	for (seed = 1; seed < 20; seed++) {
		struct torus_traffic t = uniform(1, 256, 256, 0, 40000);
		struct torus_fabric *f;
		struct torus_result r;
		char settings[16];

		snprintf(settings, sizeof(settings), "seed=%u", seed);
		f = rig_make("2x2x1", settings);
		rig_start(f, &t);
		r = rig_finish(f, 0, 1);
		assert_true(r.win_delivered > 0);
		assert_true(r.win_latency_p50 <= r.win_latency_p99);
		assert_true(r.win_latency_p99 <= r.win_latency_max);
		torus_fabric_destroy(f);
	}
}

/* -------------------------------------------------------------- rejected workloads */

/* A pattern by which no node sends is rejected, instead of ending at once. */
static void test_no_senders(void **state)
{
	static const struct torus_traffic idle[] = {
		{ .pattern = TORUS_PATTERN_TORNADO, .size_min = 32, .size_max = 32, .load = ONE,
		  .cycles = 100 },
		{ .pattern = TORUS_PATTERN_TORNADO, .size_min = 32, .size_max = 32, .packets = 1 },
		{ .pattern = TORUS_PATTERN_HOTREGION, .size_min = 32, .size_max = 32,
		  .load = ONE, .cycles = 100, .region = { 2, 2, 2 }, .share = ONE },
		{ .pattern = TORUS_PATTERN_HOTREGION, .size_min = 32, .size_max = 32,
		  .packets = 1, .region = { 2, 2, 2 }, .share = ONE / 2 },
	};
	struct torus_fabric *f = rig_make("2x2x2", "");
	struct torus_error err;
	u32 i;

	for (i = 0; i < COUNT(idle); i++) {
		err.text[0] = '\0';
		assert_int_equal(torus_traffic_start(f, &idle[i], &err), -EINVAL);
		assert_says(err.text, "node packet");
	}
	torus_fabric_destroy(f);
}

static void test_bad_values(void **state)
{
	static const struct {
		struct torus_traffic t;
		int code;
		const char *text;
	} bad[] = {
		{ { .size_min = 31, .size_max = 64, .packets = 1 }, -EINVAL, "size 31:64" },
		{ { .size_min = 32, .size_max = 288, .packets = 1 }, -EINVAL, "32:288 32 256" },
		{ { .size_min = 0, .size_max = 64, .packets = 1 }, -EINVAL, "size 0:64" },
		{ { .size_min = 128, .size_max = 64, .packets = 1 }, -EINVAL, "size 128:64" },
		{ { .size_min = 32, .size_max = 40, .packets = 1 }, -EINVAL, "size 32:40" },
		{ { .size_min = 32, .size_max = 64 }, -EINVAL, "load packet" },
		{ { .size_min = 32, .size_max = 64, .load = 1, .packets = 1, .cycles = 1 }, -EINVAL,
		  "load packets 1" },
		{ { .size_min = 32, .size_max = 64, .load = 4 * ONE + 1, .cycles = 1 }, -ERANGE,
		  "load 4" },
		{ { .size_min = 32, .size_max = 64, .load = ONE }, -EINVAL, "cycles 0" },
		{ { .size_min = 32, .size_max = 64, .load = ONE, .cycles = 1ull << 41 }, -ERANGE,
		  "2^40" },
		{ { .size_min = 32, .size_max = 64, .packets = ONE + 1 }, -ERANGE, "2^32" },
		{ { .size_min = 32, .size_max = 64, .packets = 1, .arrivals = 2 }, -EINVAL,
		  "arrivals 2" },
		{ { .size_min = 32, .size_max = 64, .packets = 1, .burst = 2 }, -EINVAL,
		  "burst 2 load 1" },
		{ { .size_min = 32, .size_max = 64, .load = ONE, .cycles = 1, .burst = 2 },
		  -EINVAL, "burst 2 load 1" },
		{ { .size_min = 32, .size_max = 64, .load = 1, .cycles = 1, .burst = 65537 },
		  -ERANGE, "burst 65537 65536" },
		{ { .size_min = 32, .size_max = 64, .load = 1, .cycles = 1, .burst = 3,
		    .pattern = TORUS_PATTERN_TABLE }, -EINVAL, "burst 3 table" },
		{ { .size_min = 32, .size_max = 64, .packets = 1, .pattern = 99 }, -EINVAL,
		  "pattern" },
		{ { .size_min = 32, .size_max = 64, .packets = 1,
		    .pattern = TORUS_PATTERN_TRANSPOSE }, -EINVAL, "transpose" },
	};
	struct torus_fabric *f = rig_make("4x4x2", "");
	struct torus_error err;
	u32 i;

	for (i = 0; i < COUNT(bad); i++) {
		err.text[0] = '\0';
		assert_int_equal(torus_traffic_start(f, &bad[i].t, &err), bad[i].code);
		assert_int_equal(err.code, bad[i].code);
		assert_says(err.text, bad[i].text);
	}
	rig_packets(f, 1, 32, 32);
	assert_int_equal(torus_traffic_start(f, &(struct torus_traffic){
		.size_min = 32, .size_max = 32, .packets = 1 }, &err), -EBUSY);
	rig_finish(f, 0, 1);
	torus_fabric_destroy(f);

	f = rig_make("1x1x1", "");
	assert_int_equal(torus_traffic_start(f, &(struct torus_traffic){
		.size_min = 32, .size_max = 32, .packets = 1 }, &err), -EINVAL);
	assert_says(err.text, "node");
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offered_load_poisson),
		cmocka_unit_test(test_offered_load_bernoulli),
		cmocka_unit_test(test_offered_load_shapes),
		cmocka_unit_test(test_peak_gap),
		cmocka_unit_test(test_poisson_gaps),
		cmocka_unit_test(test_bernoulli_gaps),
		cmocka_unit_test(test_bursts),
		cmocka_unit_test(test_geometric_gaps),
		cmocka_unit_test(test_integer_logarithm),
		cmocka_unit_test(test_exponential),
		cmocka_unit_test(test_inverse),
		cmocka_unit_test(test_histogram_buckets),
		cmocka_unit_test(test_window_figures),
		cmocka_unit_test(test_sums_of_links),
		cmocka_unit_test(test_quantiles_of_an_empty_network),
		cmocka_unit_test(test_quantiles_below_the_greatest),
		cmocka_unit_test(test_no_senders),
		cmocka_unit_test(test_closed_loop),
		cmocka_unit_test(test_uniform_destinations),
		cmocka_unit_test(test_saturated_dynamic),
		cmocka_unit_test(test_bad_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
