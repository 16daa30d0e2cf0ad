// SPDX-License-Identifier: GPL-2.0
/* The peak of every pattern on every machine, compared with an enumeration of pairs and hops. */
#include <stdlib.h>

#include "arch/tests/bgl_rig.h"
#include "core/base/node_number.h"
#include "core/base/random.h"
#include "core/workload/pattern.h"
#include "core/workload/link_load.h"
#include "core/workload/permutation.h"
#include "core/workload/pair_list.h"
#include "core/workload/workload.h"

#define ONE	(1ull << 32)
#define SETS	64	/* maximum length of a dimension */

static struct torus_traffic uniform(u32 percent)
{
	return (struct torus_traffic){
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 256, .size_max = 256,
		.load = percent * ONE / 100, .warmup = 20000, .cycles = 40000,
	};
}

/* ---------------------------------------------------------- pairs of nodes */

/* Count the links of a node that have a neighbour. */
static u32 links_of(struct torus_fabric *f, u32 node)
{
	u32 dir, n = 0;

	for (dir = 0; dir < f->dirs; dir++)
		n += torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE;
	return n;
}

static double to_neighbor(struct torus_fabric *f, u32 src, u32 dst)
{
	u32 dir, n = 0;

	for (dir = 0; dir < f->dirs; dir++)
		n += torus_geometry_neighbor(&f->cfg.geo, src, dir) == dst;
	return (double)n / links_of(f, src);
}

static bool is_around(const struct torus_geometry *g, u32 a, u32 b)
{
	u32 x[TORUS_DIMS_MAX], y[TORUS_DIMS_MAX], dim;

	torus_geometry_coords(g, a, x);
	torus_geometry_coords(g, b, y);
	for (dim = 0; dim < g->ndims; dim++) {
		u32 n = g->dims[dim], ahead = (y[dim] + n - x[dim]) % n;
		bool wraps = !(g->mesh >> dim & 1);
		u32 apart = x[dim] > y[dim] ? x[dim] - y[dim] : y[dim] - x[dim];

		if (apart > 1 && !(wraps && (ahead == 1 || ahead == n - 1)))
			return false;
	}
	return a != b;
}

static double to_stencil(struct torus_fabric *f, u32 src, u32 dst)
{
	u32 node, n = 0;

	if (!is_around(&f->cfg.geo, src, dst))
		return 0;
	for (node = 0; node < f->nodes; node++)
		n += is_around(&f->cfg.geo, src, node);
	return 1.0 / n;
}

static bool in_region(const struct torus_geometry *g, const struct torus_traffic *t, u32 node)
{
	u32 a[TORUS_DIMS_MAX], dim;

	torus_geometry_coords(g, node, a);
	for (dim = 0; dim < g->ndims; dim++)
		if ((a[dim] + g->dims[dim] - t->region_at[dim]) % g->dims[dim] >= t->region[dim])
			return false;
	return true;
}

static double to_region(struct torus_fabric *f, const struct torus_traffic *t, u32 src, u32 dst)
{
	double share = t->packets ? 1 : (double)t->share / ONE, hot = 1;
	u32 dim;

	for (dim = 0; dim < f->cfg.geo.ndims; dim++)
		hot *= t->region[dim];
	if (share >= 1 && in_region(&f->cfg.geo, t, src))
		return 0;
	return (1 - share) / (f->nodes - 1) +
	       (in_region(&f->cfg.geo, t, dst) ? share / hot : 0);
}

static bool is_hot(const struct torus_traffic *t, u32 node)
{
	u32 i;

	for (i = 0; i < t->hots; i++)
		if (t->hot[i] == node)
			return true;
	return false;
}

static double to_hot(struct torus_fabric *f, const struct torus_traffic *t, u32 src, u32 dst)
{
	double share = (double)t->share / ONE, rest = (1 - share) / (f->nodes - 1);

	if (!is_hot(t, src))
		return rest + (is_hot(t, dst) ? share / t->hots : 0);
	if (t->hots > 1)
		return rest + (is_hot(t, dst) ? share / (t->hots - 1) : 0);
	return share < 1 ? 1.0 / (f->nodes - 1) : 0;
}

static double to_listed(struct torus_fabric *f, const struct torus_traffic *t, u32 src, u32 dst)
{
	u32 i;

	for (i = f->pairs->first[src]; i < f->pairs->first[src + 1]; i++)
		if (f->pairs->dst[i] == dst)
			return t->load ? torus_pairs_pair_weight(f->pairs, src, i) : 1;
	return 0;
}

/*
 * Return the packets from @src to @dst per packet that a node sends; with a table, per packet of a
 * pair of weight 1.
 */
static double rate(struct torus_fabric *f, const struct torus_traffic *t, u32 src, u32 dst)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 line = g->dims[0], plane = g->ndims > 1 ? line * g->dims[1] : line;

	if (src == dst)
		return 0;
	switch (t->pattern) {
	case TORUS_PATTERN_UNIFORM:
	case TORUS_PATTERN_ALLTOALL:
		return 1.0 / (f->nodes - 1);
	case TORUS_PATTERN_ALLTOALL_LINE:
		return src / line == dst / line ? 1.0 / (line - 1) : 0;
	case TORUS_PATTERN_ALLTOALL_PLANE:
		return src / plane == dst / plane ? 1.0 / (plane - 1) : 0;
	case TORUS_PATTERN_NEIGHBOR:
		return to_neighbor(f, src, dst);
	case TORUS_PATTERN_STENCIL:
		return to_stencil(f, src, dst);
	case TORUS_PATTERN_HOTREGION:
		return to_region(f, t, src, dst);
	case TORUS_PATTERN_HOTSPOT:
		return to_hot(f, t, src, dst);
	case TORUS_PATTERN_TABLE:
		return to_listed(f, t, src, dst);
	}
	return torus_permutation(f, t->pattern, src) == dst;
}

/* ------------------------------------------------------- the busiest link */

/* Add @ticks to each link of a straight path in one dimension. */
static u32 walk(struct torus_fabric *f, u32 node, u32 dim, bool minus, u32 hops, double ticks,
		double *on)
{
	while (hops--) {
		on[node * f->dirs + 2 * dim + minus] += ticks;
		node = torus_geometry_neighbor(&f->cfg.geo, node, 2 * dim + minus);
		assert_int_not_equal(node, TORUS_NONE);
	}
	return node;
}

/* Add @ticks to each link of the path of a pair in dimension order. */
static void walk_pair(struct torus_fabric *f, u32 src, u32 dst, double ticks, double *on)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX], dim, node = src;

	torus_geometry_coords(g, src, a);
	torus_geometry_coords(g, dst, b);
	for (dim = 0; dim < g->ndims; dim++) {
		u32 n = g->dims[dim], plus = (b[dim] + n - a[dim]) % n, minus = n - plus;

		if (!plus)
			continue;
		if (g->mesh >> dim & 1) {
			node = b[dim] > a[dim] ? walk(f, node, dim, false, plus, ticks, on) :
						 walk(f, node, dim, true, minus, ticks, on);
		} else if (plus < minus) {
			node = walk(f, node, dim, false, plus, ticks, on);
		} else if (plus > minus) {
			node = walk(f, node, dim, true, minus, ticks, on);
		} else {
			walk(f, node, dim, false, plus, ticks / 2, on);
			node = walk(f, node, dim, true, minus, ticks / 2, on);
		}
	}
	assert_int_equal(node, dst);
}

/*
 * Return the number of ticks that the busiest link or port is busy for each packet that a node
 * sends.
 */
static double busiest(struct torus_fabric *f, const struct torus_traffic *t)
{
	u32 dirs = f->dirs, src, dst, i, ports = f->arch->port_links;
	double *on = calloc((size_t)f->nodes * dirs, sizeof(*on)), most = 0;
	double *in = calloc(f->nodes, sizeof(*in)), *out = calloc(f->nodes, sizeof(*out));
	double over = f->overhead_ticks + f->control_ticks;
	double tick = (double)f->arch->ticks_per_chunk / f->arch->chunk_bytes;
	double ask = (t->size_min + t->size_max) / 2.0 * tick + over;
	double answer = t->reply ? (double)t->reply * tick + over : 0;

	assert_true(on && in && out);
	for (src = 0; src < f->nodes; src++)
		for (dst = 0; dst < f->nodes; dst++) {
			double r = rate(f, t, src, dst);

			if (!(r > 0))
				continue;
			walk_pair(f, src, dst, r * ask, on);
			if (answer > 0)
				walk_pair(f, dst, src, r * answer, on);
			out[src] += r * ask;
			in[dst] += r * ask;
			out[dst] += r * answer;
			in[src] += r * answer;
		}
	for (i = 0; i < f->nodes * dirs; i++)
		most = on[i] > most ? on[i] : most;
	for (i = 0; ports && i < f->nodes; i++) {
		most = in[i] / ports > most ? in[i] / ports : most;
		most = out[i] / ports > most ? out[i] / ports : most;
	}
	free(on);
	free(in);
	free(out);
	return most;
}

static void check(struct torus_fabric *f, const struct torus_traffic *t, const char *shape)
{
	struct torus_error err;
	double want, got;

	/* the pattern does not support this shape */
	if (torus_pattern_check(f, t, &err))
		return;
	want = busiest(f, t);
	got = torus_pattern_peak_gap(f, t) / 65536.0;
	if (got < want * 0.9999 - 0.001 || got > want * 1.0001 + 0.001)
		fail_msg("%s %s pattern %u, packets %llu, reply %llu: %f, not %f", f->arch->name,
			 shape, t->pattern, t->packets, t->reply, got, want);
}

static const u32 plain[] = {
	TORUS_PATTERN_UNIFORM, TORUS_PATTERN_ALLTOALL, TORUS_PATTERN_ALLTOALL_LINE,
	TORUS_PATTERN_ALLTOALL_PLANE, TORUS_PATTERN_NEIGHBOR, TORUS_PATTERN_STENCIL,
	TORUS_PATTERN_TRANSPOSE, TORUS_PATTERN_BITCOMP, TORUS_PATTERN_TORNADO,
	TORUS_PATTERN_BITREV, TORUS_PATTERN_SHUFFLE, TORUS_PATTERN_PERMUTATION,
};

/*
 * Check the patterns without parameters. If replies double the traffic of a pattern, check it with
 * replies, too.
 */
static void check_plain(struct torus_fabric *f, const char *shape, u32 size)
{
	struct torus_traffic t = uniform(100);
	struct torus_error err;
	u32 i;

	t.size_min = size;
	t.size_max = size;
	for (i = 0; i < COUNT(plain); i++) {
		t.pattern = plain[i];
		t.reply = 0;
		check(f, &t, shape);
		t.reply = f->arch->chunk_bytes * 2;
		if (!torus_traffic_check(f, &t, &err))
			check(f, &t, shape);
	}
}

static void check_region(struct torus_fabric *f, const char *shape, u32 length, u32 at, u32 size)
{
	struct torus_traffic t = uniform(100);
	u32 dim, percent;

	t.pattern = TORUS_PATTERN_HOTREGION;
	t.size_min = size;
	t.size_max = size;
	for (dim = 0; dim < f->cfg.geo.ndims; dim++) {
		u32 n = f->cfg.geo.dims[dim];

		t.region[dim] = length + (dim & 1) < n ? length + (dim & 1) : n;
		t.region_at[dim] = at % n;
	}
	for (percent = 0; percent <= 100; percent += 25) {
		t.share = percent * ONE / 100;
		check(f, &t, shape);
	}
	t.load = 0;
	t.cycles = 0;
	t.warmup = 0;
	t.packets = 3;
	check(f, &t, shape);
}

static void check_hot(struct torus_fabric *f, const char *shape, u32 hots, u32 size)
{
	static const u32 percents[] = { 0, 3, 40, 100 };
	struct torus_traffic t = uniform(100);
	u32 i;

	t.pattern = TORUS_PATTERN_HOTSPOT;
	t.size_min = size;
	t.size_max = size;
	t.hots = hots;
	for (i = 0; i < hots; i++)
		t.hot[i] = i * 5 % f->nodes;
	for (i = 0; i < hots; i++)
		if (i && t.hot[i] == t.hot[0])
			return;
	for (i = 0; i < COUNT(percents); i++) {
		t.share = percents[i] * ONE / 100;
		t.reply = 0;
		check(f, &t, shape);
		t.reply = f->arch->chunk_bytes * 2;
		check(f, &t, shape);
	}
}

static void check_table(struct torus_fabric *f, const char *shape, u32 size)
{
	struct torus_traffic t = uniform(100);
	struct torus_pair pairs[40];
	struct torus_error err;
	u32 i, n = 0;

	t.pattern = TORUS_PATTERN_TABLE;
	t.size_min = size;
	t.size_max = size;
	for (i = 0; i < COUNT(pairs); i++) {
		u32 src = i / 2 % f->nodes, dst = (i / 2 + 1 + i * i) % f->nodes;

		if (src != dst && (!n || i / 2 < f->nodes))
			pairs[n++] = (struct torus_pair){
				.src = torus_node_number(&f->cfg.geo, src),
				.dst = torus_node_number(&f->cfg.geo, dst), .weight = 1 + i % 7,
			};
		if (n > 1 && pairs[n - 1].src == pairs[n - 2].src &&
		    pairs[n - 1].dst == pairs[n - 2].dst)
			n--;
	}
	if (!n)
		return;
	assert_int_equal(torus_traffic_pairs(f, pairs, n, &err), 0);
	check(f, &t, shape);
	t.load = 0;
	t.packets = 2;
	check(f, &t, shape);
	torus_pairs_free(f);
}

static void check_shape(const char *arch, const char *shape, const char *settings)
{
	struct torus_fabric *f = rig_make_arch(arch, shape, settings);
	u32 size = f->arch->chunk_bytes * 8;

	check_plain(f, shape, size);
	check_region(f, shape, 1, 0, size);
	check_region(f, shape, 2, 3, size);
	check_hot(f, shape, 1, size);
	check_hot(f, shape, 2, size);
	check_hot(f, shape, 4, size);
	check_table(f, shape, size);
	torus_fabric_destroy(f);
}

/* Check even lengths, lengths of 2 and 3, tori and meshes. */
static void test_machines(void **state)
{
	static const char *const shapes[] = {
		"4x4x4", "2x2x2", "8x4x2", "3x3x3", "6x5x2", "2x1x1", "3x1x1", "1x6x1", "7x2x3",
		"4mx4mx4m", "2mx3mx4m", "5mx4x3m", "6mx1x2", "3mx2mx2m", "8mx2x2", "3x5mx6m",
		"1x1x7m", "16x1x2m",
	};
	u32 i;

	for (i = 0; i < COUNT(shapes); i++) {
		check_shape("bgl", shapes[i], "");
		check_shape("xt", shapes[i], "");
		check_shape("kncube", shapes[i], "");
	}
	check_shape("kncube", "4x4x4", "buffers=finite routing=valiant");
	check_shape("kncube", "2x3mx2x4m", "");
	check_shape("kncube", "3mx3mx3mx3m", "");
	check_shape("kncube", "5mx5m", "");
	check_shape("tofu", "1x1x1", "");
	check_shape("tofu", "2x3x1", "path=roundrobin");
	check_shape("tofu", "4x1x2m", "");
}

/* ----------------------------------------------- percent of peak in results */

/*
 * Return the packets of the measurement as a percentage of those that the busiest links can
 * transmit.
 */
static double of_peak(const char *shape, const char *settings, const struct torus_traffic *t)
{
	struct torus_fabric *f = rig_make(shape, settings);
	struct torus_result r;

	rig_start(f, t);
	r = rig_finish(f, 0, 1);
	torus_fabric_destroy(f);
	return 100.0 * r.win_delivered / r.nodes * r.peak_num / r.peak_den / t->cycles;
}

/*
 * At saturation a result is about 100 % of the peak, although other links of the dimension are not
 * busy.
 */
static void test_saturated(void **state)
{
	struct torus_traffic t = uniform(120);
	double part;

	/*
	 * in a ring of two the parity decides each tie, so every second link is idle, and half of
	 * the peak is reached
	 */
	part = of_peak("2x2x2", "", &t);
	assert_true(part > 46 && part < 51);
	part = of_peak("8x8x8", "", &t);
	assert_true(part > 95 && part < 101);
	t.pattern = TORUS_PATTERN_TORNADO;
	part = of_peak("8x8x8", "", &t);
	assert_true(part > 96 && part < 100.5);
	/* share 0: uniform traffic saturates all links, not only those into the region */
	t.pattern = TORUS_PATTERN_HOTREGION;
	memcpy(t.region, (u32[]){ 2, 2, 2 }, 3 * sizeof(u32));
	part = of_peak("8x8x8", "", &t);
	assert_true(part > 97 && part < 101);
}

/*
 * Below the peak the result equals the load. An all-to-all exchange takes at least the time that
 * its busiest link needs.
 */
static void test_time(void **state)
{
	static const char *const shapes[] = { "7x7x7", "6x6x6", "8mx4x4", "2x2x2" };
	struct torus_traffic t = uniform(40);
	u32 i;

	for (i = 0; i < COUNT(shapes); i++) {
		struct torus_traffic all = {
			.pattern = TORUS_PATTERN_ALLTOALL, .size_min = 256, .size_max = 256,
			.packets = 2,
		};
		struct torus_fabric *f = rig_make(shapes[i], "");
		struct torus_error err;
		struct torus_result r;
		double part;

		part = of_peak(shapes[i], "", &t);
		assert_true(part > 39 && part < 41);
		assert_int_equal(torus_traffic_start(f, &all, &err), 0);
		r = rig_finish(f, 0, 1);
		part = 100.0 * r.peak_num / r.peak_den / (r.window_end - r.window_start);
		assert_true(part > 30 && part <= 100);
		torus_fabric_destroy(f);
	}
}

/* The peak counts only nodes that send. Below the peak the result equals the load. */
static void test_senders(void **state)
{
	struct torus_traffic t = uniform(60);
	double part;

	t.pattern = TORUS_PATTERN_HOTREGION;
	t.share = ONE;
	memcpy(t.region, (u32[]){ 2, 4, 4 }, 3 * sizeof(u32));
	part = of_peak("4x4x4", "", &t);
	assert_true(part > 57 && part < 63);
	t.pattern = TORUS_PATTERN_TRANSPOSE;
	t.cycles = 200000;
	part = of_peak("4x4x4", "", &t);
	assert_true(part > 58 && part < 62);
}

/* Add the load of each pair separately. */
static u64 pairs_one_by_one(struct torus_fabric *f, const struct torus_ring_loads *r)
{
	u64 cross[2 * SETS] = { 0 };
	struct torus_ring_loads one = *r;
	u32 a, b;

	for (a = 0; a < r->n; a++)
		for (b = 0; b < r->n; b++)
			torus_link_load_add(&f->cfg.geo, 0, cross, cross + r->n, 1, a, b,
					    r->from[a] * r->to[b]);
	one.cross = cross;
	return torus_ring_loads_max(&one);
}

/*
 * With random weights, loads that are computed in one pass equal loads that are added pair by pair.
 */
static void test_pairs(void **state)
{
	u64 rng = 7, want;
	struct torus_ring_loads r;
	char shape[16];
	u32 n, mesh, i;

	for (n = 2; n < SETS; n++)
		for (mesh = 0; mesh < 2; mesh++) {
			struct torus_fabric *f;

			snprintf(shape, sizeof(shape), "%u%s", n, mesh ? "m" : "");
			f = rig_make_arch("kncube", shape, "");
			assert_true(torus_ring_loads_init(&r, n));
			for (i = 0; i < n; i++) {
				r.from[i] = torus_random_below(&rng, 5);
				r.to[i] = torus_random_below(&rng, 1000);
			}
			want = pairs_one_by_one(f, &r);
			torus_ring_loads_pairs(&f->cfg.geo, 0, &r);
			assert_int_equal(torus_ring_loads_max(&r), want);
			torus_ring_loads_free(&r);
			torus_fabric_destroy(f);
		}
}

/*
 * The peak of each pattern is computed in one pass over the nodes, so a dimension of 65535 is fast
 * enough.
 */
static void test_long(void **state)
{
	static const u32 patterns[] = {
		TORUS_PATTERN_UNIFORM, TORUS_PATTERN_ALLTOALL_LINE, TORUS_PATTERN_HOTREGION,
		TORUS_PATTERN_TORNADO, TORUS_PATTERN_PERMUTATION, TORUS_PATTERN_HOTSPOT,
		TORUS_PATTERN_STENCIL,
	};
	struct torus_fabric *f = rig_make_arch("kncube", "65535x1", "");
	struct torus_traffic t = uniform(50);
	u64 peak, small;
	u32 i;

	t.region[0] = 5;
	t.region[1] = 1;
	t.share = ONE / 2;
	t.hots = 64;
	for (i = 0; i < t.hots; i++)
		t.hot[i] = 1000 * i;
	for (i = 0; i < COUNT(patterns); i++) {
		t.pattern = patterns[i];
		peak = torus_pattern_peak_gap(f, &t);
		assert_true(peak > 1);
	}
	t.pattern = TORUS_PATTERN_UNIFORM;
	peak = torus_pattern_peak_gap(f, &t);
	torus_fabric_destroy(f);
	/*
	 * for odd n, the load of a link is proportional to (n + 1) / 4: here 8192 times that of a
	 * ring of 7
	 */
	f = rig_make_arch("kncube", "7x1", "");
	small = torus_pattern_peak_gap(f, &t);
	assert_in_range(peak, small * 8192 - small, small * 8192 + small);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_saturated),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_senders),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
