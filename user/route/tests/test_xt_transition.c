// SPDX-License-Identifier: GPL-2.0
/*
 * Test the replacement of tables: check which tables can be replaced within one tick. Also break
 * and repair a cable of a machine under load.
 */
#include "../spec/kernel_image.h"
#include "../xt/drain_tables.h"
#include "../xt/dateline.h"
#include "../xt/build_tables.h"
#include "core/link/dead_node.h"
#include "core/run/routing_tables.h"
#include "core/run/windows.h"
#include "core/tests/rig.h"
#include "../spec/spec.h"
#include "../xt/survey.h"
#include "../xt/transition.h"

/* Map and tables of a machine with at most one broken cable. */
struct made {
	struct xt_map *map;
	struct xt_tables *tables;
};

static void made_free(struct made *made)
{
	xt_tables_free(made->tables);
	xt_map_free(made->map);
}

/*
 * Make tables of a machine. @dir: direction of the broken cable, XT_DIRS if none is broken; @lines:
 * datelines, NULL for automatic ones.
 */
static void make(struct made *made, const u32 *dims, u32 node, u32 dir, const u32 *lines)
{
	const u32 none[XT_DIMS] = { XT_NONE, XT_NONE, XT_NONE };
	struct xt_route route;
	struct xt_made what;
	struct xt_next_hops plan;

	assert_int_equal(xt_map_new(&made->map, dims, 0, 0), 0);
	if (dir < XT_DIRS)
		assert_true(xt_map_set(made->map, node, dir, XT_BROKEN));
	assert_int_equal(xt_route_init(&route, made->map, XT_POLICY_V3, true,
				       lines ? lines : none), 0);
	if (!lines) {
		assert_int_equal(xt_next_hops_init(&plan, made->map), 0);
		xt_datelines_auto(&route, &plan);
		xt_next_hops_free(&plan);
	}
	assert_int_equal(xt_tables_make(&route, &made->tables, &what), 0);
	assert_int_equal(what.unreached, 0);
	xt_route_free(&route);
}

static const u32 cube[XT_DIMS] = { 4, 4, 4 };

/*
 * Check that the bridge tables strand no packets. Return: true if the waits of old and bridge
 * tables close no cycle.
 */
static bool bridge(const struct made *whole, const struct made *left)
{
	struct xt_tables *between;
	struct xt_transition swap;
	bool circles;

	assert_int_equal(xt_drain_tables_make(&between, whole->tables, left->map, &circles), 0);
	assert_int_equal(xt_transition_check(&swap, whole->tables, between), 0);
	assert_int_equal(swap.stranded, 0);
	assert_int_equal(swap.unreached, 0);
	if (!circles)
		assert_int_equal(swap.circle, 0);
	xt_tables_free(between);
	return !circles;
}

/*
 * "Old and new tables together have no cycle wherever datelines stay", but new tables may send some
 * packets in flight back. Check this for each cable of a 4x4x4 machine.
 */
static void test_swaps(void **state)
{
	u32 nodes = 64, node, dir, stays = 0, safe = 0, bridged = 0;
	struct made whole;

	make(&whole, cube, 0, XT_DIRS, NULL);
	for (node = 0; node < nodes; node++)
		for (dir = 0; dir < XT_DIRS; dir += 2) {
			struct made left;
			struct xt_transition swap, back;
			bool stay;

			make(&left, cube, node, dir, NULL);
			stay = !memcmp(left.tables->dateline, whole.tables->dateline,
				       sizeof(left.tables->dateline));
			assert_int_equal(xt_transition_check(&swap, whole.tables, left.tables), 0);
			assert_int_equal(xt_transition_check(&back, left.tables, whole.tables), 0);
			assert_int_equal(swap.unreached, 0);
			if (stay)
				assert_true(!swap.circle && !back.circle);
			stays += stay;
			safe += xt_transition_safe(&swap);
			bridged += bridge(&whole, &left);
			made_free(&left);
		}
	made_free(&whole);
	print_message("%u cables: with %u datelines stay; %u swaps at one tick, %u bridges without "
		      "a circle\n", nodes * 3, stays, safe, bridged);
	assert_in_range(safe, nodes / 2, stays);
	assert_int_equal(bridged, nodes * 3);
}

/* Test that the check recognizes tables that strand packets in flight. */
static void test_stranded(void **state)
{
	const u32 near[XT_DIMS] = { 3, 3, 3 }, far[XT_DIMS] = { 0, 0, 0 };
	struct made a, b;
	struct xt_transition swap;

	make(&a, cube, 0, XT_DIRS, near);
	make(&b, cube, 0, XT_DIRS, far);
	assert_int_equal(xt_transition_check(&swap, a.tables, b.tables), 0);
	assert_int_equal(swap.unreached, 0);
	assert_true(swap.stranded > 0);
	assert_false(xt_transition_safe(&swap));
	assert_int_equal(xt_transition_check(&swap, a.tables, a.tables), 0);
	assert_true(xt_transition_safe(&swap));
	assert_int_equal(swap.stranded, 0);
	made_free(&a);
	made_free(&b);
}

/*
 * Test a ring whose dateline moves: neither set of tables alone has a cycle, but both together have
 * one.
 */
static void test_circle_of_both(void **state)
{
	const u32 ring[XT_DIMS] = { 8, 1, 1 };
	const u32 near[XT_DIMS] = { 7, XT_NONE, XT_NONE };
	const u32 far[XT_DIMS] = { 3, XT_NONE, XT_NONE };
	struct made a, b;
	struct xt_transition swap;

	make(&a, ring, 0, XT_DIRS, near);
	make(&b, ring, 0, XT_DIRS, far);
	assert_int_equal(xt_transition_check(&swap, a.tables, a.tables), 0);
	assert_int_equal(swap.circle, 0);
	assert_int_equal(xt_transition_check(&swap, b.tables, b.tables), 0);
	assert_int_equal(swap.circle, 0);
	assert_int_equal(xt_transition_check(&swap, a.tables, b.tables), 0);
	assert_true(swap.circle > 0);
	assert_false(xt_transition_safe(&swap));
	made_free(&a);
	made_free(&b);
}

/* ---------------------------------------------------------------- a live cable */

static void load(struct torus_fabric *f, const struct made *made)
{
	struct torus_error err;
	struct parse_error why;
	size_t bytes;
	void *image = xt_image_make(made->tables, &bytes, &why);

	assert_non_null(image);
	assert_int_equal(torus_fabric_routes_load(f, image, bytes,
						  TORUS_ROUTES_NOW, &err), 0);
	free(image);
}

static void cable(struct torus_fabric *f, u32 node, u32 dir, u32 up)
{
	const struct torus_fault fault = { .what = TORUS_FAULT_STATE, .state = up };
	struct torus_fault end = fault;

	end.node = node;
	end.dir = dir;
	rig_fault(f, &end);
	end.node = torus_geometry_neighbor(&f->cfg.geo, node, dir);
	end.dir = TORUS_REVERSE(dir);
	rig_fault(f, &end);
}

static void senders(struct torus_fabric *f, u32 node, u32 dir, enum torus_sender_state state)
{
	u32 peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);
	struct torus_error err;

	assert_int_equal(torus_senders_set(f, node, dir, state, &err), 0);
	assert_int_equal(torus_senders_set(f, peer, TORUS_REVERSE(dir), state, &err), 0);
}

#define CUT	8000
#define HOLD	6000
#define MENDED	(CUT + 3 * HOLD)
#define EACH	300

/*
 * Break a cable, mark its senders dead and repair it, at fixed ticks and under load. @lost: [out]
 * number of lost packets. Return: the delivery hash.
 */
static u64 live(const char *settings, u64 *lost)
{
	struct torus_fabric *f = rig_make_arch("xt", "4x4x4", settings);
	const u32 lines[XT_DIMS] = { 3, 3, 3 };
	/* node 1,1,1: its index in a map equals its index in the core */
	u32 there = 1 + 4 * (1 + 4 * 1), here = rig_node(f, 1, 1, 1), dir = 0;
	struct torus_fabric_counters counters;
	struct made whole, broken;
	u64 crossed;

	make(&whole, cube, 0, XT_DIRS, lines);
	make(&broken, cube, there, dir, lines);
	load(f, &whole);
	rig_packets(f, EACH, 8, 72);
	torus_fabric_run(f, CUT, 0, 1);
	cable(f, here, dir, 0);
	torus_fabric_run(f, CUT + HOLD, 0, 1);
	load(f, &broken);
	senders(f, here, dir, TORUS_SENDER_DEAD);
	rig_count(f);
	torus_fabric_run(f, MENDED, 0, 1);
	rig_count(f);
	crossed = rig_link(f, here, dir).packets[0] + rig_link(f, here, dir).packets[1];
	cable(f, here, dir, 1);
	senders(f, here, dir, TORUS_SENDER_ON);
	load(f, &whole);
	rig_drain(f);
	rig_empty(f);
	/* the cable transmits packets again */
	assert_true(rig_link(f, here, dir).packets[0] + rig_link(f, here, dir).packets[1] >
		    crossed);
	torus_fabric_counters(f, &counters);
	*lost = counters.dropped[TORUS_DROP_LINK_DEAD];
	assert_int_equal(counters.delivered + *lost, (u64)EACH * f->nodes);
	assert_true(counters.clock > MENDED);
	made_free(&whole);
	made_free(&broken);
	torus_fabric_destroy(f);
	return counters.hash;
}

/*
 * Test that few packets are lost when a cable breaks. The limit per direction is the window of 128
 * packets, and one packet in each of 24 staging buffers.
 */
static void test_cut_and_mended(void **state)
{
	u64 lost, again, hash = live("", &lost);

	print_message("lost with the cable: %llu\n", (unsigned long long)lost);
	assert_in_range(lost, 1, 2 * (128 + 24));
	assert_true(hash == live("domains=2", &again));
	assert_int_equal(again, lost);
	assert_true(hash == live("domains=5", &again));
	assert_int_equal(again, lost);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_swaps),
		cmocka_unit_test(test_stranded),
		cmocka_unit_test(test_circle_of_both),
		cmocka_unit_test(test_cut_and_mended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
