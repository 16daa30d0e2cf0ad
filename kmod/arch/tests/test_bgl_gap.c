// SPDX-License-Identifier: GPL-2.0
/*
 * Effects inside the arbiters that the papers studied: the arbiter gap that performance
 * verification found, the occupancy of VCs, the share of returned tokens that unblock a packet,
 * and control packets.
 */
#include "arch/bgl/bgl.h"
#include "scene.h"

#define D0	TORUS_BGL_D0
#define D1	TORUS_BGL_D1
#define BN	TORUS_BGL_BN

/* ---------------------------------------------------------------------- the arbiter gap */

/*
 * Ticks at which packets leave over link y+, which is busy until tick 46: a packet of the network,
 * and a packet of an injection FIFO (@injected).
 */
struct wait {
	u64 network;
	u64 injected;
};

static struct wait waits(const char *settings, bool injected)
{
	struct wait w = { 0 };
	struct trace_scene s;
	u32 seq, other = 0;

	scene_open(&s, settings, 1);
	scene_transit(&s, ZP, D0, TORUS_BGL_HINT_YP, 1);
	scene_left(&s, 1, 0);
	seq = scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 2);
	if (injected)
		other = scene_inject(&s, 0, D0, TORUS_BGL_HINT_YP, 2);
	scene_left(&s, 400, 0);
	w.network = scene_when(&s, seq);
	if (injected)
		w.injected = scene_when(&s, other);
	scene_close(&s);
	return w;
}

/*
 * "A one-cycle gap in the arbitration pipeline of the receivers could occur when all possible
 * outgoing links and VCs were busy": in the gap injection takes the link.
 */
static void test_arbiter_gap(void **state)
{
	struct wait w;

	w = waits("", true);
	assert_int_equal(w.network, 46);
	assert_int_equal(w.injected, 46 + 2 * 32 + 14);
	w = waits("arbiter_gap=1", true);
	assert_int_equal(w.injected, 46);
	/*
	 * the packet of the network misses its cycle; the injected packet occupies the link; then
	 * the first packet misses a cycle again
	 */
	assert_int_equal(w.network, 46 + 2 * 32 + 14 + 1);
	/* without an injected packet, the packet leaves only one tick later */
	assert_int_equal(waits("", false).network, 46);
	assert_int_equal(waits("arbiter_gap=1", false).network, 47);
	assert_int_equal(waits("arbiter_gap=1 escape=dateline", false).network, 47);
}

/* A packet that finds a link free at once misses no cycle. */
static void test_no_gap_when_free(void **state)
{
	static const char *const settings[] = { "", "arbiter_gap=1" };
	u32 i;

	for (i = 0; i < 2; i++) {
		struct torus_packet p;
		struct trace_scene s;
		u32 seq;

		scene_open(&s, settings[i], 1);
		seq = scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 2);
		p = rig_packet_on(s.f, torus_geometry_neighbor(&s.f->cfg.geo, s.node, ZM),
				  scene_target(&s, TORUS_BGL_HINT_XP), 3, D0,
				  TORUS_BGL_HINT_ZP | TORUS_BGL_HINT_XP);
		bgl_fields(&p)->hints = TORUS_BGL_HINT_ZP | TORUS_BGL_HINT_XP;
		rig_inject(s.f, 0, &p);
		scene_left(&s, 100, 0);
		assert_int_equal(scene_when(&s, seq), 0);
		scene_close(&s);
	}
}

static struct torus_result load(const char *shape, const char *settings, u32 percent, u64 cycles)
{
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 256, .size_max = 256,
		.load = ((u64)percent << 32) / 100, .warmup = cycles, .cycles = cycles,
		.batches = 64,
	};
	struct torus_fabric *f = rig_make(shape, settings);
	struct torus_result r;

	rig_start(f, &t);
	r = rig_finish(f, 0, 1);
	rig_census(f);
	torus_fabric_destroy(f);
	return r;
}

/* Compute the mean number of chunks in a link's VC buffers, in units of 2^-8. */
static u64 occupancy(const struct torus_result *r)
{
	u64 sum = 0;
	u32 vc;

	for (vc = 0; vc < TORUS_VCS_MAX; vc++)
		sum += r->vc_occupancy[vc];
	return sum / r->links;
}

/*
 * Injection in the gap fills the buffers of the network. While the sources inject below saturation,
 * the throughput does not rise. If they inject all they can, the network stays full and the
 * throughput falls. The measurement starts after 60,000 ticks, when either state is steady.
 */
static void test_gap_fills_buffers(void **state)
{
	struct torus_result without = load("8x8x4", "", 90, 60000);
	struct torus_result with = load("8x8x4", "arbiter_gap=1", 90, 60000);
	u64 busy = without.win_busy[0];

	print_message("mean chunks in a link's buffers: %u.%02u, with the gap %u.%02u\n",
		      (u32)(occupancy(&without) >> 8), (u32)(occupancy(&without) & 255) * 100 / 256,
		      (u32)(occupancy(&with) >> 8), (u32)(occupancy(&with) & 255) * 100 / 256);
	assert_true(100 * occupancy(&with) > 130 * occupancy(&without));
	assert_in_range(with.win_busy[0], busy - busy / 50, busy + busy / 50);

	without = load("8x8x4", "", 110, 60000);
	with = load("8x8x4", "arbiter_gap=1", 110, 60000);
	assert_true(occupancy(&with) > 2 * occupancy(&without));
	assert_true(10 * with.win_busy[0] < 7 * without.win_busy[0]);
}

/* ---------------------------------------------------------------------------- occupancy */

/*
 * The occupancy of a buffer counts a packet with its true size or as full-sized, depending on the
 * VC.
 */
static void test_occupancy_counts(void **state)
{
	static const char *const settings[] = {
		"", "dynamic_vcs=4 escape=dateline", "bubble=plain",
	};
	u32 i, chunks;

	for (i = 0; i < COUNT(settings); i++)
		for (chunks = 1; chunks <= 8; chunks++) {
			u64 seen[TORUS_VCS_MAX] = { 0 };
			struct trace_scene s;

			scene_open(&s, settings[i], 1);
			scene_transit(&s, XP, D1, TORUS_BGL_HINT_YP, chunks);
			scene_transit(&s, YM, BN, TORUS_BGL_HINT_ZP, chunks);
			s.f->router->occupancy(&s.f->domain[0], seen);
			assert_int_equal(seen[D0], 0);
			assert_int_equal(seen[D1], chunks);
			/* a dateline pair of escape VCs, and bubble=plain, count the true size */
			assert_int_equal(seen[scene_vc(&s, BN)], i ? chunks : 8);
			rig_drain(s.f);
			memset(seen, 0, sizeof(seen));
			s.f->router->occupancy(&s.f->domain[0], seen);
			assert_int_equal(seen[D1] | seen[scene_vc(&s, BN)], 0);
			scene_close(&s);
		}
}

/* ---------------------------------------------------------------------------- unblocking */

struct returns {
	u64 tokens;
	u64 needed;
	u64 unblocks;
};

static struct returns returned(const struct trace_scene *s)
{
	const struct torus_stats *t = &s->f->domain[0].stats;

	return (struct returns){ t->token_returns, t->token_needed, t->token_unblocks };
}

/*
 * Fill the buffers of y+. From tick 276 on the tokens of their packets return one after the other,
 * those of D0 first.
 */
static void block(struct trace_scene *s, const char *settings)
{
	scene_open(s, settings, 1);
	scene_fill(s, YP, D0, 4, 8);
	scene_fill(s, YP, D1, 4, 8);
	scene_fill(s, YP, BN, 4, 8);
}

/* "A token-ack is returned that frees at least one previously blocked packet to move". */
static void test_unblocking(void **state)
{
	struct trace_scene s;
	u32 seq;

	block(&s, "unblocking=on");
	seq = scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 8);
	scene_left(&s, 276, 0);
	assert_int_equal(returned(&s).tokens, 0);
	scene_left(&s, 277, 0);
	assert_int_equal(returned(&s).tokens, 1);
	assert_int_equal(returned(&s).unblocks, 1);
	assert_int_equal(scene_when(&s, seq), 276);
	/* no packet waits any more */
	rig_drain(s.f);
	assert_true(returned(&s).tokens > 12);
	assert_int_equal(returned(&s).needed, 1);
	assert_int_equal(returned(&s).unblocks, 1);
	scene_close(&s);
}

/*
 * Returned tokens unblock no packet if they are for a VC that the waiting packet may not use. Nor
 * do they if they are too few to enter a bubble VC.
 */
static void test_unblocking_other_vc(void **state)
{
	u64 before;
	struct trace_scene s;
	u32 seq;

	block(&s, "unblocking=on");
	seq = scene_transit(&s, XP, BN, TORUS_BGL_HINT_YP, 8);
	scene_left(&s, 277, 0);
	assert_int_equal(returned(&s).tokens, 1);
	assert_int_equal(returned(&s).unblocks, 0);
	assert_int_equal(scene_when(&s, seq), ~0ull);
	for (before = 277; scene_when(&s, seq) == ~0ull; before++) {
		assert_int_equal(returned(&s).unblocks, 0);
		scene_left(&s, before, 0);
		assert_true(before < 5000);
	}
	assert_int_equal(returned(&s).unblocks, 1);
	assert_true(returned(&s).needed > 2);
	assert_true(returned(&s).tokens >= returned(&s).needed);
	scene_close(&s);
}

/* A packet that has tokens but waits for a busy link is not blocked by tokens. */
static void test_unblocking_busy_link(void **state)
{
	struct trace_scene s;
	u32 seq;

	scene_open(&s, "unblocking=on", 1);
	scene_fill(&s, YP, D0, 4, 8);
	scene_left(&s, 200, 0);
	/* a packet on D1 or BN occupies y+ from tick 200 to 470 */
	scene_transit(&s, ZP, D0, TORUS_BGL_HINT_YP, 8);
	scene_left(&s, 201, 0);
	seq = scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 8);
	scene_left(&s, 300, 0);
	assert_int_equal(returned(&s).tokens, 1);
	assert_int_equal(returned(&s).unblocks, 0);
	rig_drain(s.f);
	assert_int_equal(scene_when(&s, seq), 470);
	assert_int_equal(returned(&s).unblocks, 0);
	scene_close(&s);
}

/*
 * If no packet waits, no returned token counts as unblocking. With unblocking=off nothing is
 * counted.
 */
static void test_unblocking_no_waiter(void **state)
{
	struct trace_scene s;

	block(&s, "unblocking=on");
	scene_left(&s, 2000, 0);
	assert_true(returned(&s).tokens >= 7);
	assert_int_equal(returned(&s).needed, 0);
	assert_int_equal(returned(&s).unblocks, 0);
	scene_close(&s);

	block(&s, "");
	scene_transit(&s, XP, D0, TORUS_BGL_HINT_YP, 8);
	scene_left(&s, 2000, 0);
	assert_int_equal(returned(&s).tokens, 0);
	assert_int_equal(returned(&s).unblocks, 0);
	scene_close(&s);
}

#define TIGHT	"escape=dateline dynamic_vcs=1 vc_bytes=512"

/*
 * Counting does not change the simulation, and each interval of the measurement reports the
 * counts.
 */
static void test_unblocking_only_counts(void **state)
{
	struct torus_result without = load("8x2x2", TIGHT, 130, 6000);
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 256, .size_max = 256,
		.load = (130ull << 32) / 100, .warmup = 6000, .cycles = 6000, .batches = 64,
	};
	struct torus_fabric *f = rig_make("8x2x2", TIGHT " unblocking=on");
	const struct torus_point *point;
	struct torus_error err;
	struct torus_result r;
	u32 n, i;

	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.hash, without.hash);
	n = torus_traffic_points(f, &point);
	assert_int_equal(n, 65);
	for (i = 1; i < n; i++) {
		assert_true(point[i].token_returns > point[i - 1].token_returns);
		assert_true(point[i].token_unblocks >= point[i - 1].token_unblocks);
		assert_true(point[i].token_unblocks <= point[i].token_needed);
		assert_true(point[i].token_needed <= point[i].token_returns);
		assert_true(point[i].vc_packets[0] >= point[i - 1].vc_packets[0]);
	}
	assert_true(point[n - 1].token_unblocks > 0);
	torus_fabric_destroy(f);
}

/* ----------------------------------------------------------------------- control packets */

/*
 * Let a packet of one chunk arrive over x+. After its last byte its token-ack packet wants link
 * x-, as does a packet that is injected at tick @at. Return: the tick at which the injected packet
 * leaves.
 */
static u64 behind_control(const char *settings, u64 at)
{
	struct torus_packet p;
	struct trace_scene s;
	u32 seq;

	scene_open(&s, settings, 1);
	p = rig_packet_on(s.f, torus_geometry_neighbor(&s.f->cfg.geo, s.node, XM), s.node, 1, D0,
			  TORUS_BGL_HINT_XP);
	rig_inject(s.f, 0, &p);
	scene_left(&s, at, 0);
	seq = scene_inject(&s, 0, D0, TORUS_BGL_HINT_XM, 8);
	scene_left(&s, 400, 0);
	at = scene_when(&s, seq);
	scene_close(&s);
	return at;
}

/*
 * Control packets go before all others and take eight byte-times each. The first control packet
 * returns the tokens of the buffer that was read. The acknowledgement follows; it is due when the
 * packet's trailer and gap have arrived.
 */
static void test_control_first(void **state)
{
	const u64 read = 20 + 32, acked = read + 6;

	assert_int_equal(behind_control("control=simulated", read), read + 2 * 8);
	assert_int_equal(behind_control("control=simulated", acked), read + 2 * 8);
	assert_int_equal(behind_control("control=simulated escape=dateline", read), read + 2 * 8);
	assert_int_equal(behind_control("control=simulated", read - 1), read - 1);
	assert_int_equal(behind_control("", read), read);
}

/*
 * If all links are busy in both directions, simulated control packets take as much link time as the
 * charge that replaces them.
 */
static void test_control_costs(void **state)
{
	struct torus_result charged = load("4x4x4", "", 130, 20000);
	struct torus_result simulated = load("4x4x4", "control=simulated", 130, 20000);
	u64 some = charged.win_delivered / 20;

	assert_in_range(simulated.win_delivered, charged.win_delivered - some,
			charged.win_delivered + some);
	/* the busy time of a link does not exceed the length of the measurement */
	assert_true(simulated.win_busy[0] <= simulated.dim_links[0] * 20300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arbiter_gap),
		cmocka_unit_test(test_no_gap_when_free),
		cmocka_unit_test(test_gap_fills_buffers),
		cmocka_unit_test(test_occupancy_counts),
		cmocka_unit_test(test_unblocking),
		cmocka_unit_test(test_unblocking_other_vc),
		cmocka_unit_test(test_unblocking_busy_link),
		cmocka_unit_test(test_unblocking_no_waiter),
		cmocka_unit_test(test_unblocking_only_counts),
		cmocka_unit_test(test_control_first),
		cmocka_unit_test(test_control_costs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
