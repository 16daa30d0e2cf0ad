// SPDX-License-Identifier: GPL-2.0
/*
 * Links of the toy machine: errors are detected, and packets are retransmitted, for each kind of
 * fault.
 */
#include "core/tests/live_params.h"
#include "core/tests/rig.h"
#include "core/tests/toy/toy.h"

#define ALL	TORUS_NONE

static u64 resends(struct torus_fabric *f, u64 *errors)
{
	u32 node, dir;
	u64 sum = 0;

	*errors = 0;
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			struct torus_link_counters c = rig_link(f, node, dir);

			sum += c.resends;
			*errors += c.crc_header_errors + c.crc_packet_errors;
		}
	return sum;
}

/*
 * Check that each packet arrives once, and that at the end both ends of each link have the same
 * link CRC.
 */
static void check_faults(const char *settings, const struct torus_fault *fault, u64 each)
{
	struct torus_fabric *f = rig_make_arch("toy", "3x2x1", settings);
	struct torus_result r;
	u32 node, dir;

	if (fault)
		rig_fault(f, fault);
	rig_packets(f, each, 32, 256);
	while (rig_step(f, 200, 1))
		rig_count(f);
	torus_traffic_result(f, &r);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, each * f->nodes);
	assert_int_equal(r.dropped, 0);
	assert_true(r.retransmitted > 0);
	rig_drain(f);
	rig_empty(f);
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			struct torus_link_view v = rig_view(f, node, dir);

			assert_int_equal(v.tx_crc, v.rx_crc);
		}
	torus_fabric_destroy(f);
}

static void test_bit_errors(void **state)
{
	check_faults("ber=1e-5", NULL, 40);
}

static void test_bit_errors_in_turns(void **state)
{
	check_faults("ber=1e-5 arbiter=turns crc=full", NULL, 40);
}

static void test_lost_acknowledgements(void **state)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_DROP_ACK, .node = ALL, .dir = ALL, .drop_ack = 40,
	};

	check_faults("", &fault, 40);
}

static void test_corrupted_packets(void **state)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT, .node = ALL, .dir = ALL, .corrupt = 5,
	};

	check_faults("latency=40", &fault, 40);
}

/* Faults in the eleventh and twelfth direction make those links live, and no other. */
static void test_high_directions(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "");
	const struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT, .node = 0, .dir = 10, .corrupt = 4,
	};
	struct torus_error err;
	u64 errors;

	rig_fault(f, &fault);
	rig_packets(f, 60, 32, 256);
	rig_finish(f, 0, 1);
	assert_int_equal(rig_link(f, 0, 10).resends, resends(f, &errors));
	assert_true(rig_link(f, 0, 10).resends > 0);
	/*
	 * after a damaged packet, the receiver rejects the next packets by their sequence numbers
	 * before it looks at their packet CRCs
	 */
	assert_in_range(errors, 1, 4);
	assert_int_equal(errors, rig_link(f, 0, 10).crc_header_errors +
			 rig_link(f, 0, 10).crc_packet_errors);
	assert_int_equal(rig_view(f, 0, 10).corrupt, 0);
	rig_drain(f);
	rig_empty(f);
	/* node 0 has no link in this direction */
	assert_int_equal(torus_fault_set(f, &(struct torus_fault){
		.what = TORUS_FAULT_CORRUPT, .node = 0, .dir = 11, .corrupt = 1 }, &err), -ENOLINK);
	torus_fabric_destroy(f);
}

/* Packets for a link that is down wait, and arrive when it is up. */
static void test_link_down_and_up(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "3x1x1", "");
	const struct torus_fault fault = {
		.what = TORUS_FAULT_STATE, .node = 0, .dir = 8, .state = 0, .at = 500,
		.lasts = 20000,
	};
	struct torus_result r;

	rig_fault(f, &fault);
	rig_packets(f, 40, 32, 256);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, 40 * f->nodes);
	assert_true(r.clock > 20500);
	assert_true(rig_link(f, 0, 8).timeouts > 0);
	rig_drain(f);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/* Results with faults do not depend on the division of the nodes. */
static void test_domains(void **state)
{
	u64 hash = 0;
	u32 domains;

	for (domains = 1; domains <= 6; domains++) {
		struct torus_fabric *f;
		struct torus_result r;
		char settings[64];

		snprintf(settings, sizeof(settings), "ber=1e-5 domains=%u", domains);
		f = rig_make_arch("toy", "3x2x1", settings);
		rig_load(f, 60, 32, 256, 4000);
		r = rig_finish(f, 0, domains < 4 ? domains : 1);
		assert_true(r.retransmitted > 0);
		assert_int_equal(r.conservation, 1);
		assert_int_equal(r.tokens, 1);
		assert_true(domains == 1 || r.hash == hash);
		hash = r.hash;
		torus_fabric_destroy(f);
	}
}

/*
 * A new error rate applies to all links of an existing fabric. Parameters that are fixed at
 * creation, or that the machine lacks, are rejected.
 */
static void test_rate_changes(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "");
	struct torus_error err;

	assert_int_equal(torus_fabric_set(f, "ber", "0.5", &err), 0);
	assert_true(rig_view(f, 5, 8).ber == 1ull << 63);
	assert_int_equal(torus_fabric_set(f, "ber", "0", &err), 0);
	assert_true(rig_view(f, 5, 8).ber == 0);
	assert_int_equal(torus_fabric_set(f, "buffer", "9", &err), -EBUSY);
	assert_says(err.text, "buffer new fabric");
	assert_int_equal(torus_fabric_set(f, "inject_chunk", "9", &err), -EOPNOTSUPP);
	assert_says(err.text, "inject_chunk toy");
	torus_fabric_destroy(f);
}

/*
 * The values of a change take effect together in torus_change_make(). An error rate that is set
 * again replaces the rates of all links.
 */
static void test_changes_together(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "ber=0.25");
	struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = 5, .dir = 8, .ber = 1ull << 63,
	};
	struct torus_fabric_change change;
	struct torus_error err;
	u64 before, after;

	assert_true(torus_config_number(&f->cfg, "buffer", &before));
	assert_int_equal(torus_fault_set(f, &fault, &err), 0);
	torus_change_init(&change, f);
	assert_int_equal(torus_change_set(&change, f, "no_listener", "hold", &err), 0);
	assert_int_equal(torus_change_set(&change, f, "rx_stall", "5", &err), 0);
	assert_int_equal(torus_change_set(&change, f, "buffer", "9", &err), -EBUSY);
	assert_int_equal(f->hold, 0);
	assert_int_equal(torus_change_make(f, &change, &err), 0);
	assert_int_equal(f->hold, 1);
	assert_int_equal(f->rx_stall, 5);
	assert_true(torus_config_number(&f->cfg, "buffer", &after));
	assert_int_equal(after, before);
	assert_true(rig_view(f, 5, 8).ber == 1ull << 63);
	assert_int_equal(torus_fabric_set(f, "ber", "0.25", &err), 0);
	assert_true(rig_view(f, 5, 8).ber == 1ull << 62);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bit_errors),
		cmocka_unit_test(test_bit_errors_in_turns),
		cmocka_unit_test(test_lost_acknowledgements),
		cmocka_unit_test(test_corrupted_packets),
		cmocka_unit_test(test_high_directions),
		cmocka_unit_test(test_link_down_and_up),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_rate_changes),
		cmocka_unit_test(test_changes_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
