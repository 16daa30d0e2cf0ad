// SPDX-License-Identifier: GPL-2.0
/*
 * The episodes of a driver in virtual time: when they begin and end, the time of their accesses,
 * and the tick at which the fabric takes each packet.
 */
#include "arch/tests/port_rig.h"
#include "core/nic/group.h"
#include "core/port/episode.h"
#include "core/run/windows.h"

#define RECEIVE		TORUS_PORT_STATUS_RECEIVE
#define INJECT		TORUS_PORT_STATUS_INJECT

static const u32 cost[TORUS_PORT_COSTS_MAX] = {
	[TORUS_PORT_COST_READ] = 100,
	[TORUS_PORT_COST_WRITE] = 10,
	[TORUS_PORT_COST_DATA] = 1,
	[TORUS_PORT_COST_MACHINE] = 1000,
};

/* Interrupts are enabled, and the driver takes part from tick @now on. */
static void joined(struct torus_port_episode *ep, u64 now)
{
	torus_port_episode_init(ep, cost);
	assert_false(torus_port_episode_written(ep, TORUS_PORT_ENABLE, RECEIVE | INJECT));
	torus_port_episode_join(ep, now);
	assert_int_equal(torus_port_episode_tick(ep), TORUS_PORT_NO_TICK);
}

/* The port sends an interrupt, which waits for the next episode. Return: report. */
static bool interrupt(struct torus_port_episode *ep, u32 cause)
{
	bool held, report = torus_port_episode_interrupt(ep, cause, &held);

	assert_true(held);
	return report;
}

/* An episode begins at tick @now, with the interrupt of a cause. */
static void begins(struct torus_port_episode *ep, u64 now, u32 cause)
{
	u32 got;

	assert_true(torus_port_episode_begin(ep, now, &got));
	assert_int_equal(got, cause);
	assert_int_equal(torus_port_episode_tick(ep), now);
}

static void test_interrupt(void **state)
{
	struct torus_port_episode ep;
	u32 cause;

	joined(&ep, 5);
	assert_false(torus_port_episode_begin(&ep, 6, &cause));
	assert_true(interrupt(&ep, TORUS_PORT_CAUSE_RECEIVE));
	begins(&ep, 7, TORUS_PORT_CAUSE_RECEIVE);
	torus_port_episode_access(&ep, TORUS_PORT_ENABLE, true);
	assert_false(torus_port_episode_written(&ep, TORUS_PORT_ENABLE, INJECT));
	/* acknowledged, but not enabled again */
	assert_false(torus_port_episode_written(&ep, TORUS_PORT_ACKNOWLEDGE, RECEIVE));
	torus_port_episode_access(&ep, TORUS_PORT_READABLE, false);
	assert_int_equal(torus_port_episode_tick(&ep), 7 + 110);
	assert_true(torus_port_episode_written(&ep, TORUS_PORT_ENABLE, RECEIVE | INJECT));
	assert_int_equal(torus_port_episode_tick(&ep), TORUS_PORT_NO_TICK);
	assert_int_equal(ep.end, 7 + 110);
	/* outside an episode, an access has no cost */
	torus_port_episode_access(&ep, TORUS_PORT_READABLE, false);
	assert_int_equal(ep.end, 7 + 110);
	/* enabled, but not acknowledged */
	interrupt(&ep, TORUS_PORT_CAUSE_INJECT);
	begins(&ep, 200, TORUS_PORT_CAUSE_INJECT);
	assert_false(torus_port_episode_written(&ep, TORUS_PORT_ACKNOWLEDGE, RECEIVE));
	assert_true(torus_port_episode_written(&ep, TORUS_PORT_ACKNOWLEDGE, INJECT));
}

/* The costs of the accesses. */
static void test_costs(void **state)
{
	static const struct {
		u32 offset;
		bool write;
		u32 ticks;
	} access[] = {
		{ TORUS_PORT_STATUS, false, 100 },
		{ TORUS_PORT_ACKNOWLEDGE, true, 10 },
		{ TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, 3), false, 1 },
		{ TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, 3), false, 100 },
		{ TORUS_PORT_AT_FIFO(TORUS_PORT_WRITE_DATA, 2), true, 1 },
		{ TORUS_PORT_AT_RING(TORUS_PORT_TAIL, 2), true, 10 },
		{ 0x40, false, 1000 },
		{ 0x40, true, 1000 },
	};
	struct torus_port_episode ep;
	u64 sum = 0;
	u32 i;

	joined(&ep, 0);
	torus_port_episode_busy(&ep);
	begins(&ep, 0, TORUS_PORT_CAUSES);
	for (i = 0; i < COUNT(access); i++) {
		torus_port_episode_access(&ep, access[i].offset, access[i].write);
		sum += access[i].ticks;
		assert_int_equal(torus_port_episode_tick(&ep), sum);
	}
	ep.sum = TORUS_PORT_EPISODE_MAX - 1;
	torus_port_episode_access(&ep, TORUS_PORT_STATUS, false);
	assert_int_equal(torus_port_episode_tick(&ep), TORUS_PORT_EPISODE_MAX);
}

/* Several causes: one interrupt each episode, the lowest first; an acknowledged one is not sent. */
static void test_causes(void **state)
{
	struct torus_port_episode ep;
	u32 cause;

	joined(&ep, 0);
	torus_port_episode_written(&ep, TORUS_PORT_ENABLE, 0x3f);
	interrupt(&ep, TORUS_PORT_CAUSE_ERROR);
	interrupt(&ep, TORUS_PORT_CAUSE_INJECT);
	interrupt(&ep, TORUS_PORT_CAUSE_RECEIVE);
	begins(&ep, 1, TORUS_PORT_CAUSE_RECEIVE);
	assert_true(torus_port_episode_written(&ep, TORUS_PORT_ACKNOWLEDGE, RECEIVE | INJECT));
	assert_true(torus_port_episode_wanted(&ep));
	begins(&ep, 2, TORUS_PORT_CAUSE_ERROR);
	/* enabled again without an acknowledgement: the port sends the interrupt again */
	torus_port_episode_written(&ep, TORUS_PORT_ENABLE, 0);
	assert_true(interrupt(&ep, TORUS_PORT_CAUSE_ERROR));
	torus_port_episode_written(&ep, TORUS_PORT_ENABLE, 0x3f);
	begins(&ep, 3, TORUS_PORT_CAUSE_ERROR);
	/* disabled before it was sent */
	interrupt(&ep, TORUS_PORT_CAUSE_RECEIVE);
	torus_port_episode_written(&ep, TORUS_PORT_ENABLE, TORUS_PORT_STATUS_ERROR);
	assert_true(torus_port_episode_written(&ep, TORUS_PORT_ACKNOWLEDGE,
					       TORUS_PORT_STATUS_ERROR));
	assert_false(torus_port_episode_begin(&ep, 4, &cause));
}

static void test_busy(void **state)
{
	struct torus_port_episode ep;

	joined(&ep, 0);
	interrupt(&ep, TORUS_PORT_CAUSE_RECEIVE);
	begins(&ep, 3, TORUS_PORT_CAUSE_RECEIVE);
	assert_false(torus_port_episode_busy(&ep));
	assert_false(torus_port_episode_busy(&ep));
	assert_false(torus_port_episode_written(&ep, TORUS_PORT_ACKNOWLEDGE, RECEIVE));
	assert_false(torus_port_episode_idle(&ep));
	assert_true(torus_port_episode_idle(&ep));
	assert_false(torus_port_episode_idle(&ep));
	assert_int_equal(ep.busy, 0);
	/* it begins an episode, too */
	assert_true(torus_port_episode_busy(&ep));
	begins(&ep, 4, TORUS_PORT_CAUSES);
	assert_true(torus_port_episode_idle(&ep));
}

/* free_irq(), a reset of the port, and leaving end what is owed. */
static void test_ends(void **state)
{
	struct torus_port_episode ep;
	u32 cause;

	joined(&ep, 0);
	interrupt(&ep, TORUS_PORT_CAUSE_RECEIVE);
	interrupt(&ep, TORUS_PORT_CAUSE_INJECT);
	begins(&ep, 1, TORUS_PORT_CAUSE_RECEIVE);
	assert_false(torus_port_episode_release(&ep, TORUS_PORT_CAUSE_INJECT));
	assert_true(torus_port_episode_release(&ep, TORUS_PORT_CAUSE_RECEIVE));
	assert_false(torus_port_episode_begin(&ep, 2, &cause));

	interrupt(&ep, TORUS_PORT_CAUSE_RECEIVE);
	interrupt(&ep, TORUS_PORT_CAUSE_INJECT);
	begins(&ep, 3, TORUS_PORT_CAUSE_RECEIVE);
	torus_port_episode_busy(&ep);
	assert_true(torus_port_episode_written(&ep, TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET));
	assert_false(torus_port_episode_begin(&ep, 4, &cause));

	torus_port_episode_busy(&ep);
	begins(&ep, 5, TORUS_PORT_CAUSES);
	torus_port_episode_leave(&ep, NULL);
	assert_int_equal(torus_port_episode_tick(&ep), TORUS_PORT_NO_TICK);
	assert_false(torus_port_episode_wanted(&ep));
}

/* A wait ends an episode, at least a tick later; its end makes the caller busy again. */
static void test_wait(void **state)
{
	struct torus_port_episode ep;
	u32 number;

	joined(&ep, 0);
	torus_port_episode_busy(&ep);
	begins(&ep, 10, TORUS_PORT_CAUSES);
	number = ep.number;
	assert_true(torus_port_episode_wait(&ep));
	assert_int_equal(ep.end, 11);
	assert_int_equal(ep.number, number);
	begins(&ep, 11, TORUS_PORT_CAUSES);
	assert_int_not_equal(ep.number, number);
	torus_port_episode_access(&ep, TORUS_PORT_STATUS, false);
	/* another caller is busy: the episode continues until that one is idle */
	torus_port_episode_busy(&ep);
	assert_false(torus_port_episode_wait(&ep));
	assert_true(torus_port_episode_idle(&ep));
	assert_int_equal(ep.end, 111);
	/* given up before, and after the next episode has begun */
	assert_false(torus_port_episode_give_up(&ep, ep.number));
	assert_false(torus_port_episode_wanted(&ep));
	torus_port_episode_wait(&ep);
	number = ep.number;
	begins(&ep, 111, TORUS_PORT_CAUSES);
	assert_true(torus_port_episode_give_up(&ep, number));
}

/* Before it takes part, the driver's interrupts are sent at once, and count when it does. */
static void test_join(void **state)
{
	struct torus_port_episode ep;
	bool held;

	torus_port_episode_init(&ep, cost);
	torus_port_episode_written(&ep, TORUS_PORT_ENABLE, RECEIVE);
	assert_false(torus_port_episode_interrupt(&ep, TORUS_PORT_CAUSE_RECEIVE, &held));
	assert_false(held);
	torus_port_episode_join(&ep, 0);
	assert_int_equal(torus_port_episode_tick(&ep), 0);
	assert_true(torus_port_episode_written(&ep, TORUS_PORT_ACKNOWLEDGE, RECEIVE));

	torus_port_episode_init(&ep, cost);
	assert_false(torus_port_episode_busy(&ep));
	torus_port_episode_join(&ep, 9);
	assert_int_equal(torus_port_episode_tick(&ep), 9);

	torus_port_episode_init(&ep, cost);
	assert_false(torus_port_episode_wait(&ep));
	torus_port_episode_join(&ep, 9);
	assert_int_equal(ep.number, 1);
	assert_true(torus_port_episode_idle(&ep));
}

/* ------------------------------------------------------------------------- doorbells */

static struct torus_port_episode rig_episode;

static bool rig_offer(void *owner, u32 queue, u32 tail)
{
	return torus_port_episode_offer(&rig_episode, queue, tail);
}

/* Write a packet of a chunk, word by word. */
static void send(struct port_rig *r, u32 mark)
{
	u8 bytes[PORT_PACKET];
	u32 length = port_packet(r->f, r->port->node, 1, 1, mark, bytes), i;

	for (i = 0; i < length / 4; i++) {
		torus_port_episode_access(&rig_episode, TORUS_PORT_WRITE_DATA, true);
		assert_int_equal(port_put_words(r, 0, bytes, i, i + 1), 0);
	}
}

static void shown(struct port_rig *r, u64 now, u64 next, u32 taken)
{
	assert_int_equal(torus_port_episode_show(&rig_episode, r->port, now), next);
	port_settle(r, 1);
	assert_int_equal(port_get(r, TORUS_PORT_TAKEN_LOW), taken);
}

/* The fabric takes a packet at the tick of its last word, and not before. */
static void test_doorbells(void **state)
{
	struct torus_port_ops ops = port_rig_ops;
	struct port_rig r;

	ops.offer = rig_offer;
	port_rig_make(&r, port_rig_fabric("bgl"), 0, 0, &ops);
	joined(&rig_episode, 0);
	torus_port_episode_busy(&rig_episode);
	begins(&rig_episode, 50, TORUS_PORT_CAUSES);
	send(&r, 1);
	send(&r, 2);
	torus_port_episode_access(&rig_episode, TORUS_PORT_STATUS, false);
	port_settle(&r, 1);
	assert_int_equal(port_get(&r, TORUS_PORT_TAKEN_LOW), 0);
	assert_true(torus_port_episode_idle(&rig_episode));
	/* A packet has 8 words. One that is written after the episode does not overtake these. */
	send(&r, 3);
	shown(&r, 50, 58, 0);
	shown(&r, 57, 58, 0);
	shown(&r, 58, 66, 1);
	shown(&r, 66, 166, 2);
	shown(&r, 166, 166, 3);
	/* outside an episode, a packet is taken at once */
	send(&r, 4);
	port_settle(&r, 1);
	assert_int_equal(port_get(&r, TORUS_PORT_TAKEN_LOW), 4);
	rig_empty(r.f);
	port_rig_free(&r);
	torus_fabric_destroy(r.f);
}

/* More doorbells than an episode keeps: the later ones count at its end. A reset discards them. */
static void test_many_doorbells(void **state)
{
	const u32 queue = TORUS_PORT_QUEUE_RING(3), many = TORUS_PORT_EPISODE_DOORBELLS + 5;
	struct port_rig r;
	u32 i;

	port_rig_make(&r, port_rig_fabric("bgl"), 0, 0, &port_rig_ops);
	joined(&rig_episode, 0);
	torus_port_episode_busy(&rig_episode);
	begins(&rig_episode, 0, TORUS_PORT_CAUSES);
	for (i = 1; i <= many; i++) {
		torus_port_episode_access(&rig_episode, TORUS_PORT_TAIL, true);
		assert_true(torus_port_episode_offer(&rig_episode, queue, i));
	}
	torus_port_episode_idle(&rig_episode);
	assert_int_equal(torus_port_episode_show(&rig_episode, r.port, 15), 20);
	assert_int_equal(r.port->ring[3]->shown, 1);
	i = torus_port_episode_show(&rig_episode, r.port, 10 * many - 1);
	assert_int_equal(i, 10 * many);
	assert_int_equal(r.port->ring[3]->shown, TORUS_PORT_EPISODE_DOORBELLS);
	assert_true(torus_port_episode_offer(&rig_episode, queue, many + 1));
	torus_port_episode_show(&rig_episode, r.port, 10 * many);
	assert_int_equal(r.port->ring[3]->shown, many + 1);
	assert_false(torus_port_episode_offer(&rig_episode, queue, many + 2));

	torus_port_episode_busy(&rig_episode);
	begins(&rig_episode, 9000, TORUS_PORT_CAUSES);
	torus_port_episode_offer(&rig_episode, queue, many + 3);
	torus_port_episode_written(&rig_episode, TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET);
	torus_port_episode_show(&rig_episode, r.port, 9999);
	assert_int_equal(r.port->ring[3]->shown, many + 1);
	port_rig_free(&r);
	torus_fabric_destroy(r.f);
}

/* A reset of the fabric and leaving show all that was offered. */
static void test_show_all(void **state)
{
	const u32 queue = TORUS_PORT_QUEUE_RING(0);
	struct port_rig r;

	port_rig_make(&r, port_rig_fabric("bgl"), 0, 0, &port_rig_ops);
	joined(&rig_episode, 0);
	torus_port_episode_busy(&rig_episode);
	begins(&rig_episode, 70, TORUS_PORT_CAUSES);
	torus_port_episode_access(&rig_episode, TORUS_PORT_TAIL, true);
	torus_port_episode_offer(&rig_episode, queue, 1);
	rig_episode.due[0] = 1000;
	torus_port_episode_reset(&rig_episode, r.port);
	assert_int_equal(r.port->ring[0]->shown, 1);
	assert_int_equal(torus_port_episode_tick(&rig_episode), 0);
	assert_int_equal(rig_episode.due[0], 0);
	torus_port_episode_offer(&rig_episode, queue, 2);
	torus_port_episode_leave(&rig_episode, r.port);
	assert_int_equal(r.port->ring[0]->shown, 2);
	port_rig_free(&r);
	torus_fabric_destroy(r.f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interrupt),
		cmocka_unit_test(test_costs),
		cmocka_unit_test(test_causes),
		cmocka_unit_test(test_busy),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_wait),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_doorbells),
		cmocka_unit_test(test_many_doorbells),
		cmocka_unit_test(test_show_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
