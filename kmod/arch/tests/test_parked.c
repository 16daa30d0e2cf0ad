// SPDX-License-Identifier: GPL-2.0
/* Parked links, and the switches and revived nodes that start them again. */
#include "arch/tests/link_pair.h"
#include "core/link/control.h"
#include "core/link/dead_node.h"
#include "core/link/fault.h"

static void sender(struct torus_fabric *f, u32 node, u32 dir, enum torus_sender_state state)
{
	struct torus_error err;

	if (torus_senders_set(f, node, dir, state, &err))
		fail_msg("%s", err.text);
}

static void kill(struct torus_fabric *f, u32 node, bool dead)
{
	struct torus_error err;

	if (torus_node_kill(f, node, dead, &err))
		fail_msg("%s", err.text);
}

/* Create a pair whose link is parked with an unacknowledged packet. */
static void pair_park(struct link_pair *p)
{
	pair_open(p, "retries=1", 1);
	link_set(p->f, TORUS_FAULT_DROP_ACK, 2);
	pair_send(p, 1, 8);
	rig_drain(p->f);
	assert_true(rig_view(p->f, 0, XP).parked);
}

static void test_sender_on_unparks(void **state)
{
	struct link_pair p;

	pair_park(&p);
	sender(p.f, 0, XP, TORUS_SENDER_ON);
	assert_false(rig_view(p.f, 0, XP).parked);
	pair_send(&p, 1, 8);
	pair_close(&p);
}

/*
 * A parked sender that is declared dead discards its unacknowledged packets. After it is enabled,
 * it starts with the next packet.
 */
static void test_sender_on_unparks_what_was_dead(void **state)
{
	struct link_pair p;

	pair_park(&p);
	sender(p.f, 0, XP, TORUS_SENDER_DEAD);
	assert_true(rig_view(p.f, 0, XP).disabled);
	sender(p.f, 0, XP, TORUS_SENDER_ON);
	assert_false(rig_view(p.f, 0, XP).parked);
	assert_false(rig_view(p.f, 0, XP).disabled);
	pair_send(&p, 1, 8);
	pair_close(&p);
}

/* A parked link that wakes does not retransmit while retransmissions are stopped. */
static void test_waking_link_stops_resend(void **state)
{
	struct torus_error err;
	struct link_pair p;

	pair_open(&p, "retries=1", 1);
	link_set(p.f, TORUS_FAULT_STATE, 0);
	pair_send(&p, 1, 8);
	rig_drain(p.f);
	assert_true(rig_view(p.f, 0, XP).parked);
	assert_int_equal(rig_link(p.f, 0, XP).resends, 1);
	assert_int_equal(torus_link_stop_resend(p.f, 0, XP, true, &err), 0);
	link_set(p.f, TORUS_FAULT_STATE, 1);
	rig_drain(p.f);
	assert_false(rig_view(p.f, 0, XP).parked);
	assert_int_equal(rig_link(p.f, 0, XP).resends, 1);
	assert_int_equal(rig_times(&p.trace, TORUS_TRACE_DELIVER, 1), 0);
	assert_int_equal(torus_link_stop_resend(p.f, 0, XP, false, &err), 0);
	pair_close(&p);
}

/*
 * A sender that was disabled, dead or parked before its node died has the same state after the node
 * is revived.
 */
static void test_dead_node_keeps_senders(void **state)
{
	struct torus_fabric *f = rig_make("4x4x1", "");
	u32 dir;

	sender(f, 5, 0, TORUS_SENDER_OFF);
	sender(f, 5, 1, TORUS_SENDER_DEAD);
	sender(f, 9, 3, TORUS_SENDER_OFF);
	kill(f, 5, true);
	kill(f, 6, true);
	for (dir = 0; dir < 4; dir++)
		assert_true(rig_view(f, 5, dir).disabled);
	assert_true(rig_view(f, 5, 1).dead);
	kill(f, 5, false);
	assert_true(rig_view(f, 5, 0).disabled);
	assert_true(rig_view(f, 5, 1).disabled);
	assert_true(rig_view(f, 5, 1).dead);
	assert_false(rig_view(f, 5, 2).disabled);
	assert_false(rig_view(f, 5, 3).disabled);
	assert_true(rig_view(f, 9, 3).disabled);
	/* the neighbour is still dead, so the link stays disabled */
	sender(f, 5, 0, TORUS_SENDER_ON);
	assert_true(rig_view(f, 5, 0).disabled);
	kill(f, 6, false);
	assert_false(rig_view(f, 5, 0).disabled);
	assert_true(rig_view(f, 5, 1).disabled);
	torus_fabric_destroy(f);
}

static void test_dead_node_keeps_parked(void **state)
{
	struct link_pair p;

	pair_park(&p);
	kill(p.f, 1, true);
	kill(p.f, 1, false);
	assert_true(rig_view(p.f, 0, XP).parked);
	sender(p.f, 0, XP, TORUS_SENDER_ON);
	pair_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sender_on_unparks),
		cmocka_unit_test(test_sender_on_unparks_what_was_dead),
		cmocka_unit_test(test_waking_link_stops_resend),
		cmocka_unit_test(test_dead_node_keeps_senders),
		cmocka_unit_test(test_dead_node_keeps_parked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
