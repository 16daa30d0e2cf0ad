// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of a packet on a link whose delay changes. Two copies arrive in one tick. A copy arrives
 * after the sequence numbers in headers have wrapped. A window could hold more packets than half
 * of these numbers.
 */
#include "arch/tests/xt_rig.h"
#include "core/link/fault.h"
#include "core/workload/pair_list.h"
#include "core/run/measure.h"

/* Create a mesh of two nodes, with packets from node 0 to node 1 over x+. */
static struct torus_fabric *pair_make(const char *settings, u64 packets, u32 bytes)
{
	const struct torus_pair pair = { .src = 0, .dst = 1, .weight = 1 };
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_TABLE, .size_min = bytes, .size_max = bytes,
		.packets = packets,
	};
	struct torus_fabric *f = xt_rig_make("2mx1x1", settings, true);
	struct torus_error err;

	assert_int_equal(torus_traffic_pairs(f, &pair, 1, &err), 0);
	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	return f;
}

static struct torus_fault late(u64 delay, u32 corrupt)
{
	return (struct torus_fault){
		.what = TORUS_FAULT_DELAY | (corrupt ? TORUS_FAULT_CORRUPT : 0), .node = 0,
		.dir = 0, .delay = delay, .corrupt = corrupt, .at = 100000, .lasts = 306,
	};
}

/*
 * Let a delayed copy and a retransmitted copy arrive in the same tick, one of them damaged. The
 * order in which they are processed depends on the number of transmissions, not on mail between
 * domains. Return: the delivery hash.
 */
static u64 hash_of_copies(u32 domains, u64 delay)
{
	const struct torus_fault fault = late(delay, 1);
	struct torus_fabric *f;
	struct torus_result r;
	char text[64];

	snprintf(text, sizeof(text), "latency=200 credit_delay=200 domains=%u", domains);
	f = pair_make(text, 3000, 72);
	rig_fault(f, &fault);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.delivered, 3000);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	torus_fabric_destroy(f);
	return r.hash;
}

static void test_two_copies_in_a_tick(void **state)
{
	u64 delay;

	for (delay = 910; delay < 926; delay++)
		assert_true(hash_of_copies(1, delay) == hash_of_copies(2, delay));
}

/*
 * A copy that is late by 65,536 packets has the same number in its header as another packet. The
 * copy is not delivered.
 */
static void test_late_copy(void **state)
{
	const struct torus_fault fault = late(10028308, 0);
	struct torus_fabric *f = pair_make("", 80000, 72);
	struct rig_trace trace;
	struct torus_result r;
	u32 i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	rig_fault(f, &fault);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.delivered, 80000);
	assert_int_equal(r.conservation, 1);
	for (i = 0; i < 80000; i++)
		assert_int_equal(trace.step[i].seq, i);
	rig_empty(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* Maximum number of packets that the link's resend FIFO was seen to hold. */
struct held {
	struct torus_tracer tracer;
	u32 most;
};

static void held_event(struct torus_tracer *w, struct torus_domain *d, u32 what, u32 node, u32 dir,
		       u32 vc, const struct torus_packet *p)
{
	struct held *held = (struct held *)w;
	const struct torus_link *l = torus_link_at(d, 0, 0);
	u32 packets;

	if (what != TORUS_TRACE_WIRE || node || dir || l->head == TORUS_NONE)
		return;
	packets = l->next_seq - torus_packet_at(d, l->head)->link_seq;
	held->most = packets > held->most ? packets : held->most;
}

/*
 * The number of packets in flight is limited, so that a receiver can distinguish new numbers from
 * old ones.
 */
static void test_window_is_bounded(void **state)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_DROP_ACK, .node = 0, .dir = 0, .drop_ack = 40000,
	};
	struct torus_fabric *f = pair_make("window=4096 timeout=1000000", 60000, 8);
	struct held held = { .tracer.event = held_event };
	struct torus_result r;

	rig_fault(f, &fault);
	f->domain[0].tracer = &held.tracer;
	r = rig_finish(f, 0, 1);
	assert_int_equal(held.most, TORUS_LINK_WINDOW_MAX);
	assert_int_equal(r.delivered, 60000);
	assert_int_equal(r.conservation, 1);
	assert_in_range(rig_link(f, 0, 0).resends, 7000, 100000);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/* The census detects that one packet has left the network twice and another one never. */
static void test_census_sees_twice(void **state)
{
	struct torus_fabric *f = pair_make("", 2, 72);
	struct torus_domain *d = f->domain;
	struct torus_packet a = rig_packet(f, 0, 1, 9), b = a;
	struct torus_check check;

	b.seq = a.seq + 65536;
	torus_stats_inject(d, &a);
	torus_stats_inject(d, &b);
	torus_stats_deliver(d, 1, &a);
	torus_stats_deliver(d, 1, &a);
	assert_int_equal(torus_check_fabric(f, &check), 0);
	assert_false(check.conserved);
	torus_stats_inject(d, &a);
	torus_stats_deliver(d, 1, &b);
	assert_int_equal(torus_check_fabric(f, &check), 0);
	assert_true(check.conserved);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_copies_in_a_tick),
		cmocka_unit_test(test_late_copy),
		cmocka_unit_test(test_window_is_bounded),
		cmocka_unit_test(test_census_sees_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
