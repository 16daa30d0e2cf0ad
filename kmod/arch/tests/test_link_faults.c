// SPDX-License-Identifier: GPL-2.0
/*
 * Links of whole fabrics that are down, delayed or faulty for some time. Each packet is delivered
 * once, each token returns, and a run can be repeated. The CRCs of both ends of a link agree,
 * unless an error escapes the packet CRC.
 */
#include "arch/bgl/arch.h"
#include "arch/bgl/bgl.h"
#include "core/run/windows.h"
#include "core/tests/live_params.h"
#include "link_pair.h"

/* ------------------------------------------------------------------- error rates */

/* Check that each of @packets packets of each source was delivered exactly once. */
static void check_each_once(const struct rig_trace *t, u32 nodes, u32 packets)
{
	u8 *seen = calloc(nodes, packets);
	u32 i, delivered = 0;

	for (i = 0; i < t->n; i++) {
		const struct rig_step *s = &t->step[i];

		assert_int_not_equal(s->what, TORUS_TRACE_DROP);
		if (s->what != TORUS_TRACE_DELIVER)
			continue;
		assert_int_equal(s->node, s->dst);
		assert_true(s->seq < packets);
		assert_int_equal(seen[s->src * packets + s->seq]++, 0);
		delivered++;
	}
	assert_int_equal(delivered, nodes * packets);
	free(seen);
}

static void check_ber(const char *shape, const char *settings, u32 packets, u32 max)
{
	struct torus_fabric *f = rig_make(shape, settings);
	struct torus_fabric_counters c;
	struct rig_trace trace;
	struct torus_result r;
	u64 seen = 0;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER | 1u << TORUS_TRACE_DROP);
	rig_packets(f, packets, 32, max);
	/* a census at each window */
	while (rig_step(f, 4, 1)) {
		rig_census(f);
		seen++;
	}
	assert_true(seen > 10);
	torus_traffic_result(f, &r);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	torus_fabric_counters(f, &c);
	assert_true(c.resends > 0);
	assert_true(c.crc_errors > 0);
	assert_int_equal(c.links_differ, 0);
	check_each_once(&trace, f->nodes, packets);
	rig_at_rest(f);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static void test_ber_dynamic(void **state)
{
	check_ber("4x4x4", "ber=1e-4", 60, 256);
}

static void test_ber_deterministic(void **state)
{
	check_ber("4x4x4", "ber=1e-4 routing=deterministic", 60, 256);
}

static void test_ber_shapes(void **state)
{
	check_ber("2x2x2", "ber=1e-4", 100, 256);
	check_ber("8x8x1", "ber=1e-4", 60, 256);
	check_ber("5mx3x2", "ber=1e-4 bubble=full", 60, 128);
	check_ber("3x3x3", "ber=3e-4 crc=full", 60, 96);
}

/* At this rate most acknowledgements and tokens arrive, and most packets are damaged. */
static void test_ber_high(void **state)
{
	check_ber("3x3x3", "ber=2e-3 retries=1000000", 20, 64);
}

/* The share of wrong bits is the configured rate. */
static void test_ber_rate(void **state)
{
	struct torus_link_counters c;
	u64 bits = 0, errors = 0;
	struct link_pair p;
	u32 i;

	pair_open(&p, "", 4);
	link_ber(p.f, 10 * PER_MILLION, 0, 0);
	for (i = 0; i < 20000; i++) {
		pair_send(&p, 1, 8);
		rig_drain(p.f);
		p.trace.n = 0;
	}
	c = rig_link(p.f, 0, XP);
	errors = c.crc_header_errors + c.crc_packet_errors;
	bits = (20000 + c.resends) * 260 * 8;
	/* 416 errors are expected, with standard deviation 20 */
	assert_in_range(errors * 1000000000 / bits, 8000, 12000);
	p.sent = 0;
	pair_close(&p);
}

/* --------------------------------------------------------------------- link CRCs */

static u32 count_differing(struct torus_fabric *f, u32 *node, u32 *dir)
{
	u32 n, d, differ = 0;

	for (n = 0; n < f->nodes; n++)
		for (d = 0; d < f->dirs; d++) {
			struct torus_link_view v = rig_view(f, n, d);

			if (v.peer == TORUS_NONE)
				continue;
			assert_true(v.rest);
			if (v.tx_crc != v.rx_crc) {
				*node = n;
				*dir = d;
				differ++;
			}
		}
	return differ;
}

/* The CRCs of both ends of each used link agree, also after retransmissions. */
static void test_link_crc_agrees(void **state)
{
	static const char *const settings[] = { "crc=full", "crc=full ber=1e-4" };
	u32 i, node, dir, used;

	for (i = 0; i < COUNT(settings); i++) {
		struct torus_fabric *f = rig_make("4x4x4", settings[i]);

		rig_packets(f, 50, 32, 256);
		assert_int_equal(rig_finish(f, 0, 1).done, 1);
		assert_int_equal(count_differing(f, &node, &dir), 0);
		for (used = 0, node = 0; node < f->nodes; node++)
			for (dir = 0; dir < f->dirs; dir++)
				used += rig_view(f, node, dir).tx_crc != 0;
		assert_int_equal(used, 384);
		torus_fabric_destroy(f);
	}
}

/*
 * The CRCs of both ends also agree if crc=full is set while packets are on links, whether these
 * links are live or not.
 */
static void test_link_crc_begins(void **state)
{
	static const char *const settings[] = { "ber=1e-4", "ber=1e-4 domains=3", "" };
	u32 i, times, node, dir;

	for (i = 0; i < COUNT(settings); i++) {
		struct torus_fabric *f = rig_make("4x4x4", settings[i]);
		struct torus_error err;

		rig_packets(f, 50, 32, 256);
		for (times = 0; times < 3; times++) {
			rig_step(f, 40, 1);
			assert_true(torus_fabric_in_flight(f));
			assert_int_equal(torus_fabric_set(f, "crc", "full", &err), 0);
		}
		assert_int_equal(rig_finish(f, 0, 1).done, 1);
		assert_int_equal(count_differing(f, &node, &dir), 0);
		assert_int_not_equal(rig_view(f, 0, 0).tx_crc, 0);
		torus_fabric_destroy(f);
	}
}

/* An error that escapes CRC-24 is accepted, and the two CRCs of that link differ. */
static void test_escape_differs(void **state)
{
	struct torus_fabric_counters c;
	u32 i, node = 0, dir = 0;

	for (i = 0; i < 6; i++) {
		struct torus_fabric *f = rig_make("4x4x4",
						  i & 1 ? "crc=full" : "crc=full ber=1e-4");
		const struct torus_fault other = {
			.what = TORUS_FAULT_CORRUPT, .node = TORUS_NONE, .dir = TORUS_NONE,
			.corrupt = 1,
		};
		const struct torus_fault fault = {
			.what = TORUS_FAULT_ESCAPE, .node = 11 * i, .dir = i, .escape = 1,
			.at = i > 2 ? 3000 : 0,
		};

		rig_fault(f, &fault);
		rig_fault(f, &other);
		rig_packets(f, 80, 32, 256);
		assert_int_equal(rig_finish(f, 0, 1).done, 1);
		assert_int_equal(count_differing(f, &node, &dir), 1);
		assert_int_equal(node, fault.node);
		assert_int_equal(dir, fault.dir);
		assert_int_equal(rig_link(f, node, dir).escapes, 1);
		torus_fabric_counters(f, &c);
		assert_int_equal(c.links_differ, 1);
		assert_int_equal(c.delivered, 64 * 80);
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
}

static u32 constant_crc(const u8 *bytes, u32 len)
{
	return 0;
}

static bool any_header(const u8 *header)
{
	return true;
}

static bool adopt_none(struct torus_fabric *f, const u8 *bytes, struct torus_packet *packet)
{
	return false;
}

/*
 * An error passes both CRCs, but its header is not possible on this machine: the receiver discards
 * the copy. It is no escape, and later copies, which the receiver discards too, use up no fault.
 */
static void test_escape_not_adopted(void **state)
{
	struct torus_arch lenient = torus_arch_bgl;
	struct link_pair p;
	u32 seed, seen = 0;

	lenient.crc = constant_crc;
	lenient.intact = any_header;
	lenient.adopt = adopt_none;
	for (seed = 1; seed <= 40; seed++) {
		pair_open(&p, "", seed);
		p.f->arch = &lenient;
		link_set(p.f, TORUS_FAULT_CORRUPT, 1);
		link_set(p.f, TORUS_FAULT_ESCAPE, 1);
		pair_send(&p, 2, 1);
		rig_drain(p.f);
		/* the bit was in the header */
		if (rig_link(p.f, 0, XP).crc_header_errors) {
			seen++;
			assert_int_equal(rig_link(p.f, 0, XP).escapes, 0);
			assert_int_equal(rig_view(p.f, 0, XP).escape, 1);
		}
		p.f->arch = &torus_arch_bgl;
		pair_close(&p);
	}
	assert_true(seen);
}

/* ----------------------------------------------------------------------- replay */

static void faulty(struct torus_fabric *f)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_DELAY | TORUS_FAULT_CORRUPT | TORUS_FAULT_DROP_ACK,
		.node = 5, .dir = 2, .delay = 300, .corrupt = 4, .drop_ack = 3, .at = 4000,
		.lasts = 9000,
	};

	link_ber(f, 50 * PER_MILLION, 2000, 20000);
	link_down(f, 7, 3, 1500, 6000);
	link_down(f, 21, XM, 20000, 3000);
	rig_fault(f, &fault);
}

static u64 faulty_run(const char *settings, bool reset)
{
	struct torus_fabric *f = rig_make("4x4x4", settings);
	struct torus_fabric_counters c;
	struct torus_error err;
	struct torus_result r;

	if (reset) {
		faulty(f);
		rig_packets(f, 20, 32, 256);
		rig_step(f, 30, 1);
		assert_int_equal(torus_fabric_reset(f, f->cfg.seed, &err), 0);
	}
	faulty(f);
	rig_packets(f, 150, 32, 256);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.delivered, 64 * 150);
	torus_fabric_counters(f, &c);
	assert_true(c.resends > 10);
	rig_at_rest(f);
	torus_fabric_destroy(f);
	return r.hash;
}

/* A run with faults that begin at a tick and last for some ticks can be repeated exactly. */
static void test_replay(void **state)
{
	u64 hash = faulty_run("seed=9", false);

	assert_int_equal(faulty_run("seed=9", false), hash);
	assert_int_equal(faulty_run("seed=9", true), hash);
	assert_int_not_equal(faulty_run("seed=10", false), hash);
}

/* crc=full computes all CRCs at each hop, and does not change the simulation. */
static void test_crc_full_same_hash(void **state)
{
	assert_int_equal(faulty_run("seed=9 crc=full", false), faulty_run("seed=9", false));
	assert_int_equal(faulty_run("seed=4 crc=full ber=1e-4", false),
			 faulty_run("seed=4 ber=1e-4", false));
}

/* Faults that are set while packets are on the links neither lose nor duplicate packets. */
static void test_fault_set_mid_run(void **state)
{
	u32 at, node, dir;

	for (at = 1; at <= 12; at++) {
		struct torus_fabric *f = rig_make("4x4x4", at & 1 ? "crc=full" : "domains=3");
		struct torus_result r;

		rig_packets(f, 60, 32, 256);
		torus_fabric_run(f, 137 * at, 0, 1);
		link_ber(f, 50 * PER_MILLION, 0, 0);
		rig_census(f);
		while (rig_step(f, 3, 1)) {
			rig_census(f);
			if (at % 3 == 0 && torus_fabric_clock(f) < 12000)
				link_down(f, at, at % 6, 0, 700);
		}
		torus_traffic_result(f, &r);
		assert_int_equal(r.done, 1);
		assert_int_equal(r.delivered, 64 * 60);
		assert_true(r.retransmitted > 0);
		assert_int_equal(count_differing(f, &node, &dir), 0);
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
}

/*
 * Hot counters are folded into 64-bit counters before they wrap. Folding does not change reported
 * values or the simulation.
 */
static void test_fold(void **state)
{
	struct torus_link_counters c[2];
	struct torus_result r[2];
	u32 fold, node, dir;

	for (fold = 0; fold < 2; fold++) {
		struct torus_fabric *f = rig_make("4x4x4", "crc=full");

		link_down(f, 9, 2, 3000, 2000);
		rig_packets(f, 60, 32, 256);
		do {
			if (fold)
				torus_counters_fold(&f->domain[0]);
			if (torus_fabric_clock(f) > 2000 && !f->ber) {
				/*
				 * a link that becomes live derives its sequence numbers from the
				 * counters
				 */
				f->ber = 1;
				link_ber(f, 20 * PER_MILLION, 0, 0);
			}
		} while (rig_step(f, 2, 1));
		torus_traffic_result(f, &r[fold]);
		c[fold] = rig_link(f, 5, 3);
		assert_int_equal(!!f->domain[0].folded, fold);
		assert_int_equal(count_differing(f, &node, &dir), 0);
		rig_at_rest(f);
		torus_fabric_destroy(f);
	}
	assert_int_equal(r[0].hash, r[1].hash);
	assert_int_equal(r[0].win_busy[0], r[1].win_busy[0]);
	assert_memory_equal(&c[0], &c[1], sizeof(c[0]));
}

/*
 * The fold pass, which runs from time to time, folds a counter that is above half of its range,
 * and no other.
 */
static void test_fold_before_a_wrap(void **state)
{
	u32 near;

	for (near = 0; near < 2; near++) {
		struct torus_fabric *f = rig_make("4x2x2", "");
		u32 first = near ? 0xffffffff - 2 : TORUS_FOLD_COUNT - 100000;
		u32 *hot = f->hot + 3 * f->dirs * f->hot_stride;

		rig_packets(f, 100, 32, 256);
		hot[0] = first;
		f->domain[0].look_at = 500;
		while (rig_step(f, 4, 1))
			assert_true(rig_link(f, 3, 0).packets[0] >= first);
		assert_true(rig_link(f, 3, 0).packets[0] > first + 3ull);
		assert_int_equal(!!f->domain[0].folded, near);
		assert_true(f->domain[0].look_at > TORUS_LOOK_EVENTS);
		torus_fabric_destroy(f);
	}
}

/* When a fault that lasts for some ticks ends, the permanent value is restored. */
static void test_for_returns_to_base(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "ber=1e-6");
	u64 base = rig_view(f, 3, 1).ber;

	assert_int_equal(base, f->ber);
	link_ber(f, 1000 * PER_MILLION, 100, 500);
	/* pending faults alone do not advance the clock */
	rig_drain(f);
	assert_int_equal(torus_fabric_clock(f), 0);
	rig_packets(f, 40, 32, 256);
	rig_step(f, 1, 1);
	assert_true(torus_fabric_clock(f) < 90);
	torus_fabric_run(f, 90, 0, 1);
	assert_int_equal(rig_view(f, 3, 1).ber, base);
	torus_fabric_run(f, 300, 0, 1);
	assert_int_equal(rig_view(f, 3, 1).ber, 1000 * PER_MILLION);
	torus_fabric_run(f, 700, 0, 1);
	assert_int_equal(rig_view(f, 3, 1).ber, base);
	torus_fabric_destroy(f);
}

/* Impossible faults are rejected with an error message. */
static void test_bad_faults(void **state)
{
	static const struct {
		struct torus_fault fault;
		int code;
		const char *word;
	} bad[] = {
		{ { .what = TORUS_FAULT_BER, .node = 64, .dir = 0 }, -EINVAL, "node 64" },
		{ { .what = TORUS_FAULT_BER, .node = 0, .dir = 6 }, -EINVAL, "direction 6" },
		{ { .node = 0, .dir = 0 }, -EINVAL, "fault" },
		{ { .what = TORUS_FAULT_STATE, .state = 2 }, -EINVAL, "state 2" },
		{ { .what = TORUS_FAULT_DELAY, .delay = 1 << 25 }, -ERANGE, "delay" },
		{ { .what = TORUS_FAULT_BER, .node = 3, .dir = XP }, -ENOLINK, "3,0,0" },
		{ { .what = TORUS_FAULT_BER, .at = ~0ull - 5, .lasts = 10 }, -ERANGE,
		  "18446744073709551610 10" },
	};
	const struct torus_fault nowhere = {
		.what = TORUS_FAULT_BER, .node = TORUS_NONE, .dir = 4,
	};
	struct torus_fabric *f = rig_make("4mx4x4", "");
	struct torus_error err;
	u32 i;

	for (i = 0; i < COUNT(bad); i++) {
		assert_int_equal(torus_fault_set(f, &bad[i].fault, &err), bad[i].code);
		assert_says(err.text, bad[i].word);
	}
	assert_int_equal(torus_fault_set(f, &nowhere, &err), 0);
	torus_fabric_destroy(f);
	f = rig_make("4x4x1", "");
	assert_int_equal(torus_fault_set(f, &nowhere, &err), -ENOLINK);
	assert_says(err.text, "link z+");
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ber_dynamic),
		cmocka_unit_test(test_ber_deterministic),
		cmocka_unit_test(test_ber_shapes),
		cmocka_unit_test(test_ber_high),
		cmocka_unit_test(test_ber_rate),
		cmocka_unit_test(test_link_crc_agrees),
		cmocka_unit_test(test_link_crc_begins),
		cmocka_unit_test(test_escape_differs),
		cmocka_unit_test(test_escape_not_adopted),
		cmocka_unit_test(test_replay),
		cmocka_unit_test(test_crc_full_same_hash),
		cmocka_unit_test(test_fault_set_mid_run),
		cmocka_unit_test(test_fold),
		cmocka_unit_test(test_fold_before_a_wrap),
		cmocka_unit_test(test_for_returns_to_base),
		cmocka_unit_test(test_bad_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
