// SPDX-License-Identifier: GPL-2.0
/* Fill workloads: each node but a root receives each packet once, and the root's links are busy. */
#include "arch/arch.h"
#include "core/workload/broadcast_fill.h"
#include "arch/tests/bgl_rig.h"

static struct torus_traffic fill(u32 pattern, u64 packets)
{
	return (struct torus_traffic){
		.pattern = pattern, .size_min = 256, .size_max = 256, .packets = packets,
	};
}

static bool is_root(struct torus_fabric *f, const struct torus_traffic *t, u32 node)
{
	u32 a[TORUS_DIMS_MAX];

	torus_geometry_coords(&f->cfg.geo, node, a);
	return a[0] == t->region_at[0] &&
	       (t->pattern == TORUS_PATTERN_LINEFILL || a[1] == t->region_at[1]);
}

/*
 * Check that each node except the roots receives each packet of each colour once. A node has one
 * sender per colour, which numbers its packets.
 */
static void check_reach(const char *shape, const char *settings, const struct torus_traffic *t)
{
	struct torus_fabric *f = rig_make(shape, settings);
	u32 packets = (u32)t->packets, i, j;
	struct rig_trace trace;
	struct torus_result r;
	u8 *seen = calloc(f->nodes, packets);

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	rig_start(f, t);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	for (i = 0; i < trace.n; i++) {
		const struct rig_step *s = &trace.step[i];

		assert_true(s->seq < packets);
		assert_int_equal(s->chunks, t->size_min / 32);
		assert_int_equal(seen[s->node * packets + s->seq]++, 0);
	}
	for (i = 0; i < f->nodes; i++)
		for (j = 0; j < packets; j++)
			assert_int_equal(seen[i * packets + j], !is_root(f, t, i));
	assert_int_equal(torus_traffic_progress(f), 65536);
	rig_at_rest(f);
	free(seen);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static void test_line_reaches_all(void **state)
{
	struct torus_traffic t = fill(TORUS_PATTERN_LINEFILL, 61);

	check_reach("8x2x3", "", &t);
	check_reach("3x4mx1", "", &t);
	check_reach("2x1x1", "", &t);
	t.region_at[0] = 5;
	check_reach("7x2x1", "", &t);
	t.packets = 1;
	check_reach("7x2x1", "", &t);
}

static void test_plane_reaches_all(void **state)
{
	static const char *const shapes[] = {
		"4x4x2", "8x3x1", "3x5x1", "2x2x2", "2x5x1", "6x2x1",
	};
	struct torus_traffic t = fill(TORUS_PATTERN_PLANEFILL, 61);
	u32 i;

	for (i = 0; i < COUNT(shapes); i++)
		check_reach(shapes[i], "", &t);
	t.size_min = 32;
	t.size_max = 32;
	check_reach("5x4x1", "", &t);
	t.region_at[0] = 2;
	t.region_at[1] = 3;
	check_reach("5x4x1", "", &t);
	t.region_at[1] = 0;
	for (t.packets = 1; t.packets <= 5; t.packets++)
		check_reach("3x3x1", "", &t);
}

/* The plane fill completes with link errors, software costs and small buffers. */
static void test_plane_under_stress(void **state)
{
	static const char *const settings[] = {
		"ber=0.00002", "inject_packet=300 receive_packet=100", "vc_bytes=512 bubble=full",
		"injection=infinite", "routing=deterministic crc=full",
	};
	struct torus_traffic t = fill(TORUS_PATTERN_PLANEFILL, 200);
	u32 i;

	for (i = 0; i < COUNT(settings); i++)
		check_reach("5x4x1", settings[i], &t);
}

/* Each link has packets of one colour only, at most a quarter of all packets. */
static void test_plane_one_stream_a_link(void **state)
{
	struct torus_fabric *f = rig_make("5x6x1", "");
	struct torus_traffic t = fill(TORUS_PATTERN_PLANEFILL, 80);
	u32 node, dir, used = 0;

	rig_start(f, &t);
	rig_finish(f, 0, 1);
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < 4; dir++) {
			struct torus_link_counters c = rig_link(f, node, dir);
			u64 sum = c.packets[0] + c.packets[1] + c.packets[2] + c.packets[3];

			assert_true(sum == 0 || sum == 20);
			used += sum != 0;
		}
	/*
	 * in each of four directions one link is unused: in the ring through the root, the link
	 * that leads back to the root
	 */
	assert_int_equal(used, 4 * f->nodes - 4);
	torus_fabric_destroy(f);
}

static u64 percent(const char *shape, u32 pattern, u64 packets)
{
	struct torus_fabric *f = rig_make(shape, "");
	struct torus_traffic t = fill(pattern, packets);
	struct torus_result r;

	rig_start(f, &t);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.delivered, torus_fill_deliveries(f, &t));
	/* at the peak each link of the root starts a packet every 270 ticks */
	assert_int_equal(r.peak_num / r.peak_den,
			 packets * 270 / torus_fill_colours(pattern));
	torus_fabric_destroy(f);
	return 10000 * r.peak_num / (r.peak_den * r.window_end);
}

/*
 * A fill of 1 MB reaches "at least 99 %" of the bandwidth of two links, or "at least 96 %" of that
 * of four links.
 */
static void test_share_of_peak(void **state)
{
	assert_true(percent("8x8x1", TORUS_PATTERN_LINEFILL, 4370) >= 9900);
	assert_true(percent("8x8x1", TORUS_PATTERN_PLANEFILL, 4370) >= 9600);
	assert_true(percent("4x4x2", TORUS_PATTERN_PLANEFILL, 4370) >= 9600);
	if (rig_soak()) {
		assert_true(percent("8x8x8", TORUS_PATTERN_LINEFILL, 4370) >= 9900);
		assert_true(percent("8x8x8", TORUS_PATTERN_PLANEFILL, 4370) >= 9600);
		assert_true(percent("4x4x4", TORUS_PATTERN_PLANEFILL, 4370) >= 9600);
	}
}

/* The delivery hash is the same for each number of domains and threads. */
static void test_domains(void **state)
{
	static const char *const settings[] = {
		"domains=1", "domains=2", "domains=3", "domains=8",
	};
	struct torus_traffic t = fill(TORUS_PATTERN_PLANEFILL, 50);
	u64 hash = 0;
	u32 i;

	for (i = 0; i < COUNT(settings); i++) {
		struct torus_fabric *f = rig_make("4x3x2", settings[i]);
		struct torus_result r;

		rig_start(f, &t);
		r = rig_finish(f, 0, i ? 2 : 1);
		hash = i ? hash : r.hash;
		assert_true(r.hash == hash);
		torus_fabric_destroy(f);
	}
}

static void test_refusals(void **state)
{
	static const struct {
		const char *shape;
		u32 pattern;
		u32 size;
		u64 load;
		u32 at;
		const char *text;
	} bad[] = {
		{ "1x4x4", TORUS_PATTERN_LINEFILL, 256, 0, 0, "linefill dimension 0 1" },
		{ "4mx4x4", TORUS_PATTERN_LINEFILL, 256, 0, 0, "dimension 0 mesh" },
		{ "4x4mx4", TORUS_PATTERN_PLANEFILL, 256, 0, 0, "dimension 1 mesh" },
		{ "4x1x4", TORUS_PATTERN_PLANEFILL, 256, 0, 0, "planefill dimension 1" },
		{ "4x4x4", TORUS_PATTERN_PLANEFILL, 128, 0, 0, "size" },
		{ "4x4x4", TORUS_PATTERN_PLANEFILL, 256, 1ull << 31, 0, "load" },
		{ "4x4x4", TORUS_PATTERN_PLANEFILL, 256, 0, 4, "root_at 4" },
	};
	struct torus_error err;
	u32 i;

	for (i = 0; i < COUNT(bad); i++) {
		struct torus_fabric *f = rig_make(bad[i].shape, "");
		struct torus_traffic t = fill(bad[i].pattern, bad[i].load ? 0 : 5);

		t.size_min = bad[i].size;
		t.load = bad[i].load;
		t.cycles = bad[i].load ? 100 : 0;
		t.region_at[0] = bad[i].at;
		err.text[0] = '\0';
		assert_int_equal(torus_traffic_start(f, &t, &err), -EINVAL);
		assert_says(err.text, bad[i].text);
		torus_fabric_destroy(f);
	}
}

/* A machine without row broadcasts rejects a fill. After a fill another workload runs as usual. */
static void test_before_and_after(void **state)
{
	struct torus_traffic t = fill(TORUS_PATTERN_LINEFILL, 5);
	struct torus_config cfg;
	struct torus_fabric *f;
	struct torus_error err;
	u32 shape[2] = { 4, 4 };

	assert_int_equal(torus_arch_config(&cfg, "kncube", &err), 0);
	assert_int_equal(torus_config_shape(&cfg, 2, shape, 0, &err), 0);
	assert_int_equal(torus_fabric_create(&cfg, &f, &err), 0);
	assert_int_equal(torus_traffic_start(f, &t, &err), -EOPNOTSUPP);
	assert_says(err.text, "kncube broadcast");
	torus_fabric_destroy(f);

	f = rig_make("4x4x1", "");
	rig_start(f, &t);
	rig_finish(f, 0, 1);
	assert_int_equal(torus_fabric_reset(f, 1, &err), 0);
	assert_false(f->domain[0].hand_over);
	rig_packets(f, 7, 256, 256);
	assert_int_equal(rig_finish(f, 0, 1).delivered, 7 * 16);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line_reaches_all),
		cmocka_unit_test(test_plane_reaches_all),
		cmocka_unit_test(test_plane_under_stress),
		cmocka_unit_test(test_plane_one_stream_a_link),
		cmocka_unit_test(test_share_of_peak),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_before_and_after),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
