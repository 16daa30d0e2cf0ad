// SPDX-License-Identifier: GPL-2.0
/*
 * Test that kncube's routings cannot deadlock, and that the check finds cycles of wrong
 * routings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "../kncube/check.h"

static const struct torus_geometry *machine(u32 ndims, const u32 *dims, u32 mesh)
{
	static struct torus_geometry g;

	g = (struct torus_geometry){ .ndims = ndims, .mesh = mesh };
	memcpy(g.dims, dims, ndims * sizeof(*dims));
	assert_true(torus_geometry_init(&g, 4096));
	return &g;
}

/*
 * Return the length of a cycle of waits, 0 if there is none. Without bubbles, each channel of the
 * cycle must end where the next one starts.
 */
static u32 circle(const struct torus_geometry *g, const struct kncube_vcs *vcs)
{
	struct kncube_check check;
	u32 count = 0, i;
	const struct cdg_channel *cycle;

	assert_int_equal(kncube_check_init(&check, g), 0);
	kncube_check_run(&check, g, vcs);
	cycle = check.cdg.ncycles ? cdg_cycle(&check.cdg, 0, &count) : NULL;
	assert_int_equal(check.pairs, g->nodes * (g->nodes - 1));
	assert_true(check.stands > check.pairs);
	for (i = 0; i < count && !vcs->bubble; i++)
		assert_int_equal(torus_geometry_neighbor(g, cycle[i].node, cycle[i].dir),
				 cycle[(i + 1) % count].node);
	kncube_check_free(&check);
	return count;
}

static struct kncube_vcs shared(enum kncube_routing routing, enum kncube_escape escape, u32 vcs)
{
	struct kncube_vcs v;

	kncube_vcs_init(&v, routing, escape, vcs);
	return v;
}

/* Check that a machine has no cycle: all routings, with all escapes and all numbers of VCs. */
static void clean(u32 ndims, const u32 *dims, u32 mesh)
{
	const struct torus_geometry *g = machine(ndims, dims, mesh);
	u32 routing, escape, vcs;

	for (routing = KNCUBE_DOR; routing <= KNCUBE_VALIANT; routing++)
		for (escape = KNCUBE_BUBBLE; escape <= KNCUBE_DATELINE; escape++)
			for (vcs = kncube_vcs_least(routing, escape); vcs <= KNCUBE_VCS_MAX;
			     vcs++) {
				struct kncube_vcs v = shared(routing, escape, vcs);

				assert_int_equal(circle(g, &v), 0);
			}
}

static void test_clean(void **state)
{
	clean(1, (const u32[]){ 8 }, 0);
	clean(2, (const u32[]){ 5, 4 }, 0);
	clean(2, (const u32[]){ 6, 3 }, 1);
	clean(3, (const u32[]){ 3, 4, 2 }, 0);
	clean(4, (const u32[]){ 2, 3, 1, 4 }, 8);
}

/* Test that a ring without datelines and bubbles has a cycle. */
static void test_ring(void **state)
{
	const struct torus_geometry *g = machine(2, (const u32[]){ 6, 5 }, 0);
	struct kncube_vcs v = shared(KNCUBE_DOR, KNCUBE_DATELINE, 2);

	v.ahead[KNCUBE_TO_END] = v.behind[KNCUBE_TO_END];
	assert_in_range(circle(g, &v), 5, 6);
	v = shared(KNCUBE_DOR, KNCUBE_BUBBLE, 1);
	v.bubble = 0;
	assert_in_range(circle(g, &v), 5, 6);
	v = shared(KNCUBE_ADAPTIVE, KNCUBE_BUBBLE, 2);
	v.bubble = 0;
	assert_true(circle(g, &v));
	g = machine(2, (const u32[]){ 6, 5 }, 3);
	v = shared(KNCUBE_DOR, KNCUBE_BUBBLE, 1);
	v.bubble = 0;
	assert_int_equal(circle(g, &v), 0);
}

/*
 * Test that wrong use of VCs causes a cycle: both phases of Valiant's algorithm share VCs, or
 * packets use escape VCs in any order.
 */
static void test_order(void **state)
{
	const struct torus_geometry *g = machine(2, (const u32[]){ 4, 4 }, 0);
	struct kncube_vcs v = shared(KNCUBE_VALIANT, KNCUBE_DATELINE, 4);

	v.ahead[KNCUBE_TO_END] = v.ahead[KNCUBE_TO_RELAY];
	v.behind[KNCUBE_TO_END] = v.behind[KNCUBE_TO_RELAY];
	assert_true(circle(g, &v) >= 2);
	v = shared(KNCUBE_VALIANT, KNCUBE_BUBBLE, 2);
	v.ahead[KNCUBE_TO_END] = v.ahead[KNCUBE_TO_RELAY];
	v.behind[KNCUBE_TO_END] = v.behind[KNCUBE_TO_RELAY];
	assert_true(circle(g, &v));
	v = shared(KNCUBE_ADAPTIVE, KNCUBE_DATELINE, 3);
	v.free |= v.ahead[KNCUBE_TO_END] | v.behind[KNCUBE_TO_END];
	assert_true(circle(g, &v) >= 2);
	v = shared(KNCUBE_ADAPTIVE, KNCUBE_BUBBLE, 2);
	v.free |= v.ahead[KNCUBE_TO_END];
	assert_true(circle(g, &v));
	/* a mesh has no rings, so the shortest cycle has four turns */
	assert_int_equal(circle(machine(2, (const u32[]){ 4, 4 }, 3), &v), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
