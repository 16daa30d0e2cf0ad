// SPDX-License-Identifier: GPL-2.0
/*
 * The SeaStar's links: "a sliding window go-back-N link-layer protocol that provides
 * reliable chip-to-chip communication" (paper 001, section 2.1).
 */
#include "core/link/fault.h"
#include "xt_rig.h"

#define PACKETS	20000

/* One link between two nodes, kept busy; bit errors in units of 2^-64. */
static struct torus_fabric *line(const char *settings, u64 ber)
{
	struct torus_fabric *f = xt_rig_make("2mx1x1", settings, true);
	const struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = TORUS_NONE, .dir = TORUS_NONE, .ber = ber,
	};

	rig_fault(f, &fault);
	return f;
}

/* Ticks until @packets of 72 bytes have arrived, each once. */
static u64 ticks_of(struct torus_fabric *f, u64 packets)
{
	const struct torus_pair pair = { .src = 0, .dst = 1, .weight = 1 };
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_TABLE, .size_min = 72, .size_max = 72, .packets = packets,
	};
	struct rig_trace trace;
	struct torus_result r;
	struct torus_error err;
	u64 ticks;

	rig_watch(f, &trace, 1u << TORUS_WATCH_DELIVER);
	assert_int_equal(torus_traffic_table(f, &pair, 1, &err), 0);
	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, packets);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	ticks = trace.step[trace.n - 1].at;
	rig_trace_free(&trace);
	return ticks;
}

/* (1 - p) / (1 - p + p R): p that a packet has an error, R packets of a round trip. */
static double go_back_n(double ber, double round_trip)
{
	double good = 1, wire = 9 * XT_FLIT_TICKS;
	u32 i;

	for (i = 0; i < (72 + XT_CRC_BYTES + 1) * 8; i++)
		good *= 1 - ber;
	return good / (good + (1 - good) * (wire + round_trip) / wire);
}

static void check_rate(double ber, const char *settings, double round_trip)
{
	struct torus_fabric *f = line(settings, (u64)(ber * 18446744073709551616.0)), *clean;
	double share, formula = go_back_n(ber, round_trip);

	clean = line(settings, 0);
	share = (double)ticks_of(clean, PACKETS) / (double)ticks_of(f, PACKETS);
	if (share < 0.95 * formula || share > 1.05 * formula)
		fail_msg("ber %g: throughput %f, go-back-N's is %f", ber, share, formula);
	rig_empty(f);
	torus_fabric_destroy(f);
	torus_fabric_destroy(clean);
}

static void test_throughput(void **state)
{
	check_rate(0.000001, "", 816);
	check_rate(0.00001, "", 816);
	check_rate(0.0001, "", 816);
	check_rate(0.0001, "latency=204 credit_delay=204", 408);
}

/* A lost packet costs a round trip, not a time-out. */
static void test_nack_is_quick(void **state)
{
	struct torus_fabric *f = line("", 0);
	const struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT, .node = 0, .dir = 0, .corrupt = 1, .at = 10000,
	};
	u64 clean = ticks_of(f, 1000), ticks;

	torus_fabric_destroy(f);
	f = line("", 0);
	rig_fault(f, &fault);
	ticks = ticks_of(f, 1000);
	if (ticks < clean + 816 || ticks > clean + 816 + 3 * 9 * XT_FLIT_TICKS)
		fail_msg("%llu ticks, %llu without the fault", (unsigned long long)ticks,
			 (unsigned long long)clean);
	assert_int_equal(rig_link(f, 0, 0).timeouts, 0);
	torus_fabric_destroy(f);
}

/* A lost nack is made good by the next one, a lost packet behind which nothing comes by time. */
static void test_lost_nacks(void **state)
{
	struct torus_fabric *f = line("", 0);
	struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT | TORUS_FAULT_DROP_NACK, .node = 0, .dir = 0,
		.corrupt = 1, .drop_nack = 3, .at = 10000,
	};

	rig_fault(f, &fault);
	ticks_of(f, 1000);
	assert_int_equal(rig_link(f, 0, 0).timeouts, 0);
	assert_int_equal(rig_link(f, 0, 0).ack_errors, 3);
	torus_fabric_destroy(f);

	f = line("", 0);
	fault.at = 0;
	fault.drop_nack = 1;
	rig_fault(f, &fault);
	ticks_of(f, 1);
	assert_int_equal(rig_link(f, 0, 0).timeouts, 1);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/* A nack tells what has arrived: it lets packets go even if every acknowledgement was lost. */
static void test_nack_acknowledges(void **state)
{
	struct torus_fabric *f = line("", 0);
	const struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT | TORUS_FAULT_DROP_ACK, .node = 0, .dir = 0,
		.corrupt = 1, .drop_ack = 60, .at = 10000,
	};

	rig_fault(f, &fault);
	ticks_of(f, 300);
	/* what was sent again is less than a round trip: nothing before the wanted one */
	assert_true(rig_link(f, 0, 0).resends <= 8);
	torus_fabric_destroy(f);
}

/* Every kind of fault on every link, uniform traffic: each packet once. */
static void test_all_faults(void **state)
{
	struct torus_fabric *f = xt_rig_make("4x3x2", "ber=1e-5", false);
	struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT | TORUS_FAULT_DROP_ACK | TORUS_FAULT_CORRUPT_ACK |
			TORUS_FAULT_DROP_NACK,
		.node = TORUS_NONE, .dir = TORUS_NONE,
		.corrupt = 5, .drop_ack = 4, .corrupt_ack = 3, .drop_nack = 2, .at = 3000,
	};
	struct torus_result r;

	rig_fault(f, &fault);
	rig_packets(f, 300, 8, 72);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, 300 * f->nodes);
	assert_true(r.retransmitted > 24 * 6);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/*
 * "The input buffer is sized to cover the round-trip latency across the network link": one VC
 * fills a link while the round trip, from the first flit to the usable credit, is at most 90
 * flits with packets of nine (96 less what is left when eight more do not fit).
 */
static double share_of_link(const char *settings)
{
	struct torus_fabric *f = xt_rig_make("2mx1x1", settings, true);
	u64 ticks = ticks_of(f, 2000);

	torus_fabric_destroy(f);
	return 2000.0 * 9 * XT_FLIT_TICKS / (double)ticks;
}

static void test_buffer_covers_round_trip(void **state)
{
	/* the link, the packet itself through the port, and the credit: in flits of 17 ticks */
	assert_true(share_of_link("latency=680 credit_delay=527 window=4096") > 0.99);
	assert_true(share_of_link("latency=680 credit_delay=1360 window=4096") < 0.80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_throughput),
		cmocka_unit_test(test_nack_is_quick),
		cmocka_unit_test(test_lost_nacks),
		cmocka_unit_test(test_nack_acknowledges),
		cmocka_unit_test(test_all_faults),
		cmocka_unit_test(test_buffer_covers_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
