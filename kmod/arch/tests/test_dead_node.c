// SPDX-License-Identifier: GPL-2.0
/* Dead nodes: no transmission starts on their links until the node lives again. */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"
#include "core/link/dead_node.h"

static void put(struct torus_fabric *f, u32 node, bool dead)
{
	struct torus_error err;

	if (torus_node_kill(f, node, dead, &err))
		fail_msg("%s", err.text);
}

static u32 disabled(struct torus_fabric *f)
{
	u32 node, dir, sum = 0;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++)
			sum += torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE &&
			       rig_view(f, node, dir).disabled;
	return sum;
}

/*
 * A dead node disables its twelve links. After its revival the links to a dead neighbour stay
 * disabled.
 */
static void test_links(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");

	assert_false(torus_node_dead(f, 5));
	put(f, 5, true);
	assert_true(torus_node_dead(f, 5));
	assert_int_equal(disabled(f), 12);
	put(f, 6, true);
	assert_int_equal(disabled(f), 22);
	put(f, 5, false);
	assert_false(torus_node_dead(f, 5));
	assert_int_equal(disabled(f), 12);
	assert_true(rig_view(f, 5, 0).disabled);
	put(f, 6, false);
	assert_int_equal(disabled(f), 0);
	torus_fabric_destroy(f);
}

/* A node between two dead ones can be reached again when one of them lives. */
static void test_between_dead_nodes(void **state)
{
	struct torus_fabric *f = rig_make("3x1x1", "");

	put(f, 0, true);
	put(f, 2, true);
	assert_int_equal(disabled(f), 6);
	put(f, 0, false);
	assert_false(rig_view(f, 0, 0).disabled);
	assert_false(rig_view(f, 1, 1).disabled);
	assert_int_equal(disabled(f), 4);
	torus_fabric_destroy(f);
}

/*
 * No packet is granted a link to a dead node. A waiting packet leaves when the node lives again.
 */
static void test_nothing_starts(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
	struct torus_packet p = rig_packet(f, 0, 1, 8);

	put(f, 1, true);
	rig_inject(f, 0, &p);
	rig_drain(f);
	assert_int_equal(torus_fabric_in_flight(f), 1);
	assert_int_equal(rig_link(f, 0, 0).packets[TORUS_BGL_BN], 0);
	put(f, 1, false);
	rig_drain(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	torus_fabric_destroy(f);
}

static void test_edge_of_a_mesh(void **state)
{
	struct torus_fabric *f = rig_make("4mx4mx1", "");

	put(f, 0, true);
	assert_int_equal(disabled(f), 4);
	torus_fabric_destroy(f);
}

static void test_reset_revives(void **state)
{
	struct torus_fabric *f = rig_make("4x4x1", "");
	struct torus_error err;

	put(f, 3, true);
	assert_int_equal(torus_fabric_reset(f, 1, &err), 0);
	assert_false(torus_node_dead(f, 3));
	assert_int_equal(disabled(f), 0);
	torus_fabric_destroy(f);
}

static void test_senders(void **state)
{
	struct torus_fabric *f = rig_make("4mx4x1", "");
	struct torus_error err;

	assert_int_equal(torus_senders_set(f, TORUS_NONE, 0, TORUS_SENDER_OFF, &err), 0);
	assert_int_equal(disabled(f), 12);
	assert_int_equal(torus_senders_set(f, 0, TORUS_NONE, TORUS_SENDER_OFF, &err), 0);
	assert_int_equal(disabled(f), 14);
	assert_int_equal(torus_senders_set(f, TORUS_NONE, TORUS_NONE, TORUS_SENDER_ON, &err), 0);
	assert_int_equal(disabled(f), 0);
	assert_int_equal(torus_senders_set(f, 3, 0, TORUS_SENDER_OFF, &err), -ENOLINK);
	assert_int_equal(torus_senders_set(f, 16, 0, TORUS_SENDER_OFF, &err), -EINVAL);
	assert_int_equal(torus_senders_set(f, 3, 6, TORUS_SENDER_OFF, &err), -EINVAL);
	torus_fabric_destroy(f);
}

static void test_refusals(void **state)
{
	struct torus_fabric *f = rig_make("4x4x1", "");
	struct torus_error err;

	assert_int_equal(torus_node_kill(f, 16, true, &err), -EINVAL);
	assert_says(err.text, "16");
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_between_dead_nodes),
		cmocka_unit_test(test_nothing_starts),
		cmocka_unit_test(test_edge_of_a_mesh),
		cmocka_unit_test(test_reset_revives),
		cmocka_unit_test(test_senders),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
