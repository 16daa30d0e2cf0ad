// SPDX-License-Identifier: GPL-2.0
/*
 * The SeaStar's links: "a sliding window go-back-N link-layer protocol that provides
 * reliable chip-to-chip communication" (Abts et al. (2007), section 2.1).
 */
#include "core/link/fault.h"
#include "xt_rig.h"
#include "core/workload/pair_list.h"

#define PACKETS	20000

/* Create two nodes with a link in each direction; @ber: bit-error rate in units of 2^-64. */
static struct torus_fabric *line(const char *settings, u64 ber)
{
	struct torus_fabric *f = xt_rig_make("2mx1x1", settings, true);
	const struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = TORUS_NONE, .dir = TORUS_NONE, .ber = ber,
	};

	rig_fault(f, &fault);
	return f;
}

/*
 * Return the ticks until @packets packets of @bytes have arrived. Each must arrive once and in
 * order.
 */
static u64 ticks_of_size(struct torus_fabric *f, u64 packets, u32 bytes)
{
	const struct torus_pair pair = { .src = 0, .dst = 1, .weight = 1 };
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_TABLE, .size_min = bytes, .size_max = bytes,
		.packets = packets,
	};
	struct rig_trace trace;
	struct torus_result r;
	struct torus_error err;
	u64 ticks, i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	assert_int_equal(torus_traffic_pairs(f, &pair, 1, &err), 0);
	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, packets);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	assert_int_equal(trace.n, packets);
	for (i = 0; i < packets; i++)
		assert_int_equal(trace.step[i].seq, i);
	ticks = trace.step[trace.n - 1].at;
	rig_trace_free(&trace);
	return ticks;
}

static u64 ticks_of(struct torus_fabric *f, u64 packets)
{
	return ticks_of_size(f, packets, 72);
}

/*
 * Compute the share of useful transmissions, (1 - p) / (1 - p + p R): p is the probability that a
 * packet has an error, R a round trip in packets.
 */
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
	check_rate(0.000000001, "", 816);
	check_rate(0.00000001, "", 816);
	check_rate(0.0000001, "", 816);
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

/* The next nack replaces a lost nack. If no packet follows a lost packet, a time-out occurs. */
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

/*
 * A nack that acknowledges no packet counts as no progress, so a link that delivers nothing is
 * parked.
 */
static void test_nacks_park(void **state)
{
	struct torus_fabric *f = xt_rig_make("2mx1x1", "retries=20", true);
	const struct torus_fault bad = {
		.what = TORUS_FAULT_CORRUPT, .node = 0, .dir = 0, .corrupt = 1000000,
	}, good = {
		.what = TORUS_FAULT_CORRUPT, .node = 0, .dir = 0,
	};
	u32 i;

	rig_fault(f, &bad);
	for (i = 0; i < 4; i++) {
		struct torus_packet p = rig_packet(f, 0, 1, 9);

		rig_inject(f, 0, &p);
		rig_drain(f);
	}
	assert_true(rig_view(f, 0, 0).parked);
	assert_in_range(rig_link(f, 0, 0).resends, 20, 40);
	assert_int_equal(torus_fabric_in_flight(f), 4);
	rig_count(f);
	/* retransmission starts when the state of the link changes */
	rig_fault(f, &good);
	rig_drain(f);
	assert_false(rig_view(f, 0, 0).parked);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/*
 * A nack acknowledges the packets before the missing one, even if all acknowledgements were lost.
 */
static void test_nack_acknowledges(void **state)
{
	struct torus_fabric *f = line("", 0);
	const struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT | TORUS_FAULT_DROP_ACK, .node = 0, .dir = 0,
		.corrupt = 1, .drop_ack = 60, .at = 10000,
	};

	rig_fault(f, &fault);
	ticks_of(f, 300);
	/* few retransmissions: the packets before the missing packet are not sent again */
	assert_true(rig_link(f, 0, 0).resends <= 8);
	torus_fabric_destroy(f);
}

/* With all kinds of faults on all links each packet of uniform traffic arrives once. */
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
 * With damaged packets, and damaged nacks and acknowledgements, each packet arrives once and in
 * order.
 */
static void test_bad_control(void **state)
{
	struct torus_fabric *f = line("", 0), *back = line("", 0);
	const struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = 0, .dir = 0, .ber = 1ull << 54,
	};
	u64 clean = ticks_of(back, PACKETS), ticks;

	/* at 2^-10 per bit 6 % of the messages of 64 bits are lost, and 44 % of the packets */
	rig_fault(f, &fault);
	ticks = ticks_of(f, PACKETS);
	assert_true(rig_link(f, 0, 0).ack_errors > PACKETS / 40);
	assert_true(rig_link(f, 0, 0).resends > PACKETS / 2);
	if (ticks < 4 * clean || ticks > 10 * clean)
		fail_msg("%llu ticks, %llu without errors", (unsigned long long)ticks,
			 (unsigned long long)clean);
	rig_empty(f);
	torus_fabric_destroy(f);
	torus_fabric_destroy(back);
}

/*
 * "The input buffer is sized to cover the round-trip latency across the network link". A buffer
 * holds W = 96 / L packets of L flits. The space of a packet is free again a round trip R after its
 * first flit left. R is the latency of the link, L flits over the crossbar, and the credit's way
 * back. One VC keeps the link busy if R is at most W L flits (96 with packets of 8, 90 of 9).
 * Otherwise one VC keeps the link busy for W L / R of the time.
 */
static double share_of_link(u32 flits, u32 ticks)
{
	u64 few, many;
	char settings[64];
	struct torus_fabric *f;

	snprintf(settings, sizeof(settings), "latency=680 credit_delay=%u", ticks);
	f = xt_rig_make("2mx1x1", settings, true);
	few = ticks_of_size(f, 1000, flits * 8);
	torus_fabric_destroy(f);
	f = xt_rig_make("2mx1x1", settings, true);
	many = ticks_of_size(f, 3000, flits * 8);
	torus_fabric_destroy(f);
	return 2000.0 * flits * XT_FLIT_TICKS / (double)(many - few);
}

static void check_share(u32 flits, u32 round_trip)
{
	u32 held = XT_BUFFER_FLITS / flits * flits;
	double formula = round_trip <= held ? 1 : (double)held / round_trip, share;

	share = share_of_link(flits, (round_trip - flits) * XT_FLIT_TICKS - 680);
	if (share < 0.995 * formula || share > 1.005 * formula)
		fail_msg("packets of %u flits, a round trip of %u: the VC fills %f, not %f",
			 flits, round_trip, share, formula);
}

static void test_buffer_covers_round_trip(void **state)
{
	static const u32 trips[] = { 60, 89, 90, 91, 95, 96, 97, 120, 192 };
	u32 i;

	for (i = 0; i < COUNT(trips); i++) {
		check_share(8, trips[i]);
		check_share(9, trips[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_throughput),
		cmocka_unit_test(test_nack_is_quick),
		cmocka_unit_test(test_lost_nacks),
		cmocka_unit_test(test_nack_acknowledges),
		cmocka_unit_test(test_nacks_park),
		cmocka_unit_test(test_all_faults),
		cmocka_unit_test(test_bad_control),
		cmocka_unit_test(test_buffer_covers_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
