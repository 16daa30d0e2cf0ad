// SPDX-License-Identifier: GPL-2.0
/*
 * Errors in the memory of a receiver. A single wrong bit is corrected. Two wrong bits, or a parity
 * error, lose the packet, which is counted as lost.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"

#define XP	0

static void ecc(struct torus_fabric *f, u32 node, u32 dir, u32 what, u32 n, u64 at)
{
	const struct torus_fault fault = {
		.what = what, .node = node, .dir = dir, .at = at,
		.ecc_single = n, .ecc_double = n, .parity = n,
	};

	rig_fault(f, &fault);
}

static u64 lost(struct torus_fabric *f)
{
	struct torus_fabric_counters c;

	torus_fabric_counters(f, &c);
	assert_int_equal(c.injected, c.delivered + c.dropped[TORUS_DROP_ECC]);
	assert_int_equal(c.links_differ, 0);
	return c.dropped[TORUS_DROP_ECC];
}

static void send(struct torus_fabric *f, u32 src, u32 dst, u32 packets)
{
	while (packets--) {
		struct torus_packet p = rig_packet(f, src, dst, 4);

		rig_inject(f, 0, &p);
	}
	rig_drain(f);
}

/* A corrected error neither loses nor retransmits nor delays a packet. */
static void test_single_bit_is_corrected(void **state)
{
	u64 latency[2];
	u32 i;

	for (i = 0; i < 2; i++) {
		struct torus_fabric *f = rig_make("4x1x1", "crc=full");
		struct torus_fabric_counters c;

		ecc(f, 0, XP, TORUS_FAULT_ECC_SINGLE, 2 * i, 0);
		send(f, 0, 1, 3);
		assert_int_equal(lost(f), 0);
		assert_int_equal(rig_view(f, 0, XP).ecc_single, 0);
		assert_int_equal(rig_link(f, 0, XP).resends, 0);
		torus_fabric_counters(f, &c);
		latency[i] = c.latency_sum;
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
	assert_int_equal(latency[0], latency[1]);
}

/* The receiver has acknowledged the packet, so it is lost for good. Its buffer space is freed. */
static void test_double_bit_loses_the_packet(void **state)
{
	static const u32 what[] = { TORUS_FAULT_ECC_DOUBLE, TORUS_FAULT_PARITY };
	u32 i, domains;

	for (i = 0; i < COUNT(what); i++)
		for (domains = 1; domains <= 2; domains++) {
			char text[32];
			struct torus_fabric *f;

			snprintf(text, sizeof(text), "crc=full domains=%u", domains);
			f = rig_make("4x1x1", text);
			/* sender and receiver are in different domains */
			ecc(f, 1, XP, what[i], 2, 0);
			send(f, 0, 2, 5);
			assert_int_equal(lost(f), 2);
			assert_int_equal(rig_link(f, 1, XP).resends, 0);
			assert_int_equal(rig_view(f, 1, XP).ecc_double, 0);
			assert_int_equal(rig_view(f, 1, XP).parity, 0);
			rig_at_rest(f);
			torus_fabric_destroy(f);
		}
}

/*
 * The memory error applies to the next packet that is accepted: not to a damaged copy, but to its
 * retransmission.
 */
static void test_error_meets_the_accepted_copy(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
	const struct torus_fault fault = {
		.what = TORUS_FAULT_CORRUPT | TORUS_FAULT_ECC_DOUBLE, .node = 0, .dir = XP,
		.corrupt = 1, .ecc_double = 1,
	};

	rig_fault(f, &fault);
	send(f, 0, 1, 2);
	assert_int_equal(lost(f), 1);
	assert_int_equal(rig_link(f, 0, XP).crc_header_errors +
			 rig_link(f, 0, XP).crc_packet_errors, 1);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/* Memory errors on all links under load give the same results with each number of domains. */
static void test_any_number_of_domains(void **state)
{
	static const u32 domains[] = { 1, 2, 4, 1, 2, 4 };
	struct torus_result first = { .hash = 0 };
	u32 i;

	for (i = 0; i < COUNT(domains); i++) {
		struct torus_fabric_counters c;
		struct torus_result r;
		struct torus_fabric *f;
		char text[64];

		snprintf(text, sizeof(text), "seed=9 domains=%u control=%s", domains[i],
			 i < 3 ? "charged" : "simulated");
		f = rig_make("4x4x4", text);
		ecc(f, TORUS_NONE, TORUS_NONE, TORUS_FAULT_ECC_DOUBLE, 1, 3000);
		ecc(f, 5, TORUS_NONE, TORUS_FAULT_PARITY, 2, 4000);
		rig_packets(f, 60, 32, 256);
		r = rig_finish(f, 0, 1);
		torus_fabric_counters(f, &c);
		assert_int_equal(c.dropped[TORUS_DROP_ECC], 384 + 12);
		assert_int_equal(c.injected, c.delivered + c.dropped[TORUS_DROP_ECC]);
		if (i % 3 == 0)
			first = r;
		assert_int_equal(r.hash, first.hash);
		assert_int_equal(r.clock, first.clock);
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_single_bit_is_corrected),
		cmocka_unit_test(test_double_bit_loses_the_packet),
		cmocka_unit_test(test_error_meets_the_accepted_copy),
		cmocka_unit_test(test_any_number_of_domains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
