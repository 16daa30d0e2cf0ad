// SPDX-License-Identifier: GPL-2.0
/* The switches of links: a sender disabled, and let go again. */
#include "arch/bgl/bgl.h"
#include "core/tests/rig.h"

#define XP	0

static void disable(struct torus_fabric *f, u32 node, u32 dir, bool on)
{
	struct torus_error err;

	if (torus_link_disable(f, node, dir, on, &err))
		fail_msg("%s", err.text);
}

/* No new packet; what waits stays, and goes when the sender is let go. */
static void test_disabled_sender_starts_nothing(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
	u32 i;

	disable(f, 0, XP, true);
	for (i = 0; i < 3; i++) {
		struct torus_packet p = rig_packet(f, 0, 1, 8);

		rig_inject(f, 0, &p);
	}
	rig_drain(f);
	assert_int_equal(torus_fabric_in_flight(f), 3);
	assert_int_equal(rig_link(f, 0, XP).packets[TORUS_BGL_BN], 0);
	/* nothing is between the two ends */
	assert_true(rig_view(f, 0, XP).rest);
	rig_census(f);
	disable(f, 0, XP, false);
	rig_drain(f);
	assert_int_equal(rig_link(f, 0, XP).packets[TORUS_BGL_BN], 3);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* What is on its way finishes, a resend included. */
static void test_disabled_sender_finishes(void **state)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT, .node = 0, .dir = XP, .corrupt = 1,
	};
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
	u32 i;

	rig_fault(f, &fault);
	for (i = 0; i < 2; i++) {
		struct torus_packet p = rig_packet(f, 0, 1, 8);

		rig_inject(f, 0, &p);
	}
	/* the first has begun, the second waits for the link */
	torus_fabric_run(f, 100, 0, 1);
	disable(f, 0, XP, true);
	rig_drain(f);
	assert_int_equal(rig_link(f, 0, XP).resends, 1);
	assert_int_equal(torus_fabric_in_flight(f), 1);
	disable(f, 0, XP, false);
	rig_drain(f);
	assert_int_equal(rig_link(f, 0, XP).packets[TORUS_BGL_BN], 2);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* Dynamic packets that have a choice take another link. */
static void test_dynamic_packets_go_round(void **state)
{
	struct torus_fabric *f = rig_make("4x4x1", "");
	u32 i;

	disable(f, 0, XP, true);
	for (i = 0; i < 20; i++) {
		struct torus_packet p = rig_packet(f, 0, rig_node(f, 1, 1, 0), 1);

		rig_inject(f, 0, &p);
	}
	rig_drain(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	assert_int_equal(rig_link(f, 0, XP).busy_ticks, 0);
	torus_fabric_destroy(f);
}

static void test_bad_arguments(void **state)
{
	struct torus_fabric *f = rig_make("4mx4x1", "");
	struct torus_error err;

	assert_int_equal(torus_link_disable(f, 16, XP, true, &err), -EINVAL);
	assert_non_null(strstr(err.text, "16"));
	assert_int_equal(torus_link_disable(f, 3, 6, true, &err), -EINVAL);
	assert_non_null(strstr(err.text, "6"));
	assert_int_equal(torus_link_disable(f, 3, XP, true, &err), -ENOLINK);
	assert_non_null(strstr(err.text, "3,0,0"));
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_disabled_sender_starts_nothing),
		cmocka_unit_test(test_disabled_sender_finishes),
		cmocka_unit_test(test_dynamic_packets_go_round),
		cmocka_unit_test(test_bad_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
