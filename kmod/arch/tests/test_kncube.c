// SPDX-License-Identifier: GPL-2.0
/* The k-ary n-cube of Liu et al. (2012): routes, times, and the counters of its links. */
#include "arch/kncube/station_router.h"
#include "core/workload/pair_list.h"
#include "core/run/windows.h"
#include "core/tests/rig.h"
#include "arch/kncube/kncube.h"

#define LINK_TICKS	440	/* ticks of a full packet on a link */
#define HOP_TICKS	462

static struct torus_packet packet_to(u32 dst)
{
	return (struct torus_packet){ .dst = dst, .chunks = KNCUBE_PACKET_CHUNKS };
}

static u32 way(struct torus_fabric *f, u32 from, u32 to, u32 *hops)
{
	struct torus_packet p = packet_to(to);

	kncube_route(f->machine, from, &p);
	*hops = ((struct kncube_fields *)p.header)->left;
	return ((struct kncube_fields *)p.header)->dir;
}

/*
 * A packet takes the shorter direction. If both are equal, even coordinates take plus, odd ones
 * minus.
 */
static void test_ways(void **state)
{
	struct torus_fabric *f = rig_make_arch("kncube", "8x1", "");
	u32 from, steps, hops;

	for (from = 0; from < 8; from++)
		for (steps = 1; steps < 8; steps++) {
			bool minus = steps > 4 || (steps == 4 && from & 1);

			assert_int_equal(way(f, from, (from + steps) % 8, &hops), minus);
			assert_int_equal(hops, minus ? 8 - steps : steps);
		}
	torus_fabric_destroy(f);
	f = rig_make_arch("kncube", "8mx1", "");
	assert_int_equal(way(f, 0, 7, &hops), 0);
	assert_int_equal(hops, 7);
	torus_fabric_destroy(f);
}

/* "The well-known e-cube algorithm routes packets in decreasing dimension order". */
static void test_order(void **state)
{
	struct torus_fabric *f = rig_make_arch("kncube", "4x4x4", "");
	u32 hops;

	assert_int_equal(way(f, 0, 1 + 4 + 16, &hops), 4);
	assert_int_equal(way(f, 0, 1 + 4, &hops), 2);
	assert_int_equal(way(f, 0, 1, &hops), 0);
	torus_fabric_destroy(f);
}

static struct torus_fabric *loaded(const char *shape, const char *settings, u32 percent, u32 min,
				   u64 cycles)
{
	struct torus_fabric *f = rig_make_arch("kncube", shape, settings);

	rig_load(f, percent, min, 256, cycles);
	return f;
}

/*
 * Without other packets a hop takes the time of its link and of the processing unit after the
 * link.
 */
static void test_latency(void **state)
{
	struct torus_fabric *f = rig_make_arch("kncube", "8x1", "");
	const struct torus_pair pair = { .src = 0, .dst = 3, .weight = 1 };
	const struct torus_traffic t = { .pattern = TORUS_PATTERN_TABLE, .size_min = 256,
					 .size_max = 256, .packets = 1 };
	struct torus_error err;
	struct torus_result r;

	assert_int_equal(torus_traffic_pairs(f, &pair, 1, &err), 0);
	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.win_latency_max, 3 * HOP_TICKS);
	torus_fabric_destroy(f);
}

/* If two packets want one link, the second arrives one link time after the first. */
static void test_first_come(void **state)
{
	struct torus_fabric *f = rig_make_arch("kncube", "8x1", "");
	const struct torus_pair pair = { .src = 0, .dst = 1, .weight = 1 };
	const struct torus_traffic t = { .pattern = TORUS_PATTERN_TABLE, .size_min = 256,
					 .size_max = 256, .packets = 5 };
	struct torus_error err;
	struct torus_result r;

	assert_int_equal(torus_traffic_pairs(f, &pair, 1, &err), 0);
	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.win_latency_max, 5 * LINK_TICKS + HOP_TICKS - LINK_TICKS);
	torus_fabric_destroy(f);
}

/* The busy time of a link is that of the packets that it has begun to send. */
static void check_counts(struct torus_fabric *f)
{
	struct torus_stats sum;
	u64 packets = 0, chunks = 0, waiting = 0;
	u32 node, dir, i;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			struct torus_link_counters c = rig_link(f, node, dir);
			u64 ticks = c.chunks[0] * KNCUBE_CHUNK_BYTES +
				    c.packets[0] * (LINK_TICKS - 256);

			/* the busy time of the last packet may not be complete */
			assert_true(ticks >= c.busy_ticks);
			assert_true(ticks < c.busy_ticks + LINK_TICKS);
			assert_true(c.busy_ticks <= f->clock);
			packets += c.packets[0];
			chunks += c.chunks[0];
		}
	torus_stats_sum(f, &sum);
	assert_int_equal(torus_stats_hops(&sum), packets);
	assert_int_equal(sum.payload_bytes, chunks * KNCUBE_CHUNK_BYTES);
	for (i = 0; i < f->ndomains; i++)
		waiting += torus_stats_hops(&f->domain[i].stats);
	assert_true(waiting > packets + f->nodes);
}

static void test_counts(void **state)
{
	static const u32 least[] = { 256, 32 };
	static const char *const domains[] = { "", "domains=4" };
	u32 i, j;

	for (i = 0; i < COUNT(least); i++)
		for (j = 0; j < COUNT(domains); j++) {
			struct torus_fabric *f = loaded("6x6", domains[j], 180, least[i], 30000);

			rig_finish(f, 0, 1);
			check_counts(f);
			torus_fabric_destroy(f);
		}
}

/*
 * After a workload is stopped, the pending events of its sources leave the wheel within two turns.
 */
static void test_stopped(void **state)
{
	struct torus_fabric *f = rig_make_arch("kncube", "4x4", "");
	const struct torus_traffic t = { .pattern = TORUS_PATTERN_UNIFORM, .size_min = 256,
					 .size_max = 256, .load = 100, .cycles = 1 };
	struct torus_error err;

	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	rig_step(f, 1, 1);
	assert_true(torus_fabric_events(f) > 8);
	torus_traffic_stop(f);
	torus_fabric_run(f, f->clock + 2 * TORUS_WHEEL_SIZE, 0, 1);
	assert_int_equal(torus_fabric_events(f), 0);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_first_come),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
