// SPDX-License-Identifier: GPL-2.0
/*
 * Tofu under load: each packet arrives once and in order on its path, with packets of each size,
 * with and without link errors, and with each number of domains.
 */
#include "arch/tofu/inject.h"
#include "core/link/fault.h"
#include "core/workload/pattern.h"
#include "core/workload/workload.h"
#include "core/tests/rig.h"

/**
 * struct load_ledger - packets that have left and arrived
 * @tracer: hook of the core
 * @left: number of packets that have left their source, by source, destination and path
 * @come: number of packets that have arrived, by source, destination and path
 * @place: number of earlier packets on the same path, by source and sequence number
 * @packets: maximum packets per source
 * @delivered: number of delivered packets
 */
struct load_ledger {
	struct torus_tracer tracer;
	u32 *left;
	u32 *come;
	u32 *place;
	u64 packets;
	u64 delivered;
};

static void on_event(struct torus_tracer *tracer, struct torus_domain *d, u32 what, u32 node,
		     u32 dir, u32 vc, const struct torus_packet *p)
{
	struct load_ledger *l = (struct load_ledger *)tracer;
	u32 path = ((const struct tofu_fields *)p->header)->path;
	u32 key = (p->src * d->f->nodes + p->dst) * TOFU_PATHS + path;
	u32 *place = &l->place[p->src * l->packets + p->seq];

	assert_true(path < TOFU_PATHS && p->seq < l->packets);
	if (what == TORUS_TRACE_HOP && p->hops == 1)
		*place = l->left[key]++;
	if (what != TORUS_TRACE_DELIVER)
		return;
	assert_int_equal(node, p->dst);
	if (*place != l->come[key]++)
		fail_msg("tick %llu: packet %u of %u to %u left as %u on path %u, arrived as %u",
			 (unsigned long long)d->now, p->seq, p->src, p->dst, *place, path,
			 l->come[key] - 1);
	l->delivered++;
}

static void ledger_open(struct load_ledger *l, struct torus_fabric *f, u64 packets)
{
	size_t keys = (size_t)f->nodes * f->nodes * TOFU_PATHS;
	u32 i;

	*l = (struct load_ledger){
		.tracer.event = on_event, .packets = packets,
		.left = test_calloc(keys, sizeof(u32)), .come = test_calloc(keys, sizeof(u32)),
		.place = test_calloc(f->nodes * packets, sizeof(u32)),
	};
	for (i = 0; i < f->ndomains; i++)
		f->domain[i].tracer = &l->tracer;
}

static void ledger_close(struct load_ledger *l)
{
	test_free(l->left);
	test_free(l->come);
	test_free(l->place);
}

/*
 * Send @packets packets of @min to @max bytes from each node to random nodes, and check that all
 * arrive. Return: the number of retransmissions.
 */
static u64 check_all_arrive(const char *shape, const char *settings, double ber, u64 packets,
			    u32 min, u32 max)
{
	struct torus_fabric *f = rig_make_arch("tofu", shape, settings);
	const struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = TORUS_NONE, .dir = TORUS_NONE,
		.ber = (u64)(ber * 18446744073709551616.0),
	};
	struct torus_result r;
	struct load_ledger l;
	u64 resends = 0;
	u32 node, dir;

	ledger_open(&l, f, packets);
	if (ber > 0)
		rig_fault(f, &fault);
	rig_packets(f, packets, min, max);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.conservation, 1);
	assert_int_equal(r.tokens, 1);
	assert_int_equal(r.delivered, packets * f->nodes);
	assert_int_equal(l.delivered, r.delivered);
	rig_drain(f);
	rig_empty(f);
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++)
			if (torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE)
				resends += rig_link(f, node, dir).resends;
	ledger_close(&l);
	torus_fabric_destroy(f);
	return resends;
}

/* A closed loop with full FIFOs does not deadlock, with any sizes and paths. */
static void test_saturated(void **state)
{
	static const char *const paths[] = { "path=fixed", "path=hash", "path=roundrobin" };
	static const char *const shapes[] = { "4x2x2", "1x1x5", "2mx3x2" };
	u32 i;

	for (i = 0; i < 3; i++) {
		check_all_arrive(shapes[i], paths[2], 0, 60, 32, 2048);
		check_all_arrive(shapes[0], paths[i], 0, 60, 32, 2048);
	}
	check_all_arrive("3x2x2", "path=roundrobin vc_bytes=2048 tnis=6", 0, 60, 32, 2048);
}

static void test_bit_errors(void **state)
{
	static const double rates[] = { 1 / 1e9, 1 / 1e8, 1 / 1e7, 1 / 1e6, 1 / 1e5 };
	u64 resends[COUNT(rates)][2];
	u32 i;

	for (i = 0; i < COUNT(rates); i++) {
		resends[i][0] = check_all_arrive("2x2x1", "path=roundrobin", rates[i], 60, 32, 32);
		resends[i][1] = check_all_arrive("2x2x1", "path=roundrobin", rates[i], 60, 2048,
						 2048);
	}
	assert_true(resends[4][0]);
	assert_true(resends[3][1]);
	assert_true(resends[4][1] > 4 * resends[3][1]);
}

/* An error that escapes the packet's CRC is accepted. Only the link CRCs differ. */
static void test_escapes(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "2mx1x1", "crc=full");
	const struct torus_fault fault = {
		.what = TORUS_FAULT_ESCAPE, .node = TORUS_NONE, .dir = TORUS_NONE, .escape = 1,
	};
	u64 escapes = 0;
	u32 node, dir;

	rig_fault(f, &fault);
	rig_packets(f, 40, 64, 64);
	assert_int_equal(rig_finish(f, 0, 1).delivered, 40 * 24);
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++)
			if (torus_geometry_neighbor(&f->cfg.geo, node, dir) != TORUS_NONE)
				escapes += rig_link(f, node, dir).escapes;
	assert_int_equal(escapes, f->nodes * 5);
	torus_fabric_destroy(f);
}

static u64 hash_of(const char *settings, u32 threads)
{
	return rig_hash(rig_make_arch("tofu", "3x2x2", settings), 90, 32, 2048, 6000, threads);
}

static void test_domains(void **state)
{
	u64 one = hash_of("path=roundrobin", 1), bad = hash_of("path=hash ber=1e-6", 1);

	assert_int_equal(hash_of("path=roundrobin domains=2", 2), one);
	assert_int_equal(hash_of("path=roundrobin domains=5", 2), one);
	assert_int_equal(hash_of("path=roundrobin crc=full", 1), one);
	assert_int_equal(hash_of("path=hash ber=1e-6 domains=5", 2), bad);
	assert_int_not_equal(hash_of("path=fixed", 1), one);
}

/* Return the ticks between two packets of 256 bytes of a node at the peak of uniform traffic. */
static double peak_ticks(const char *shape, const char *settings)
{
	struct torus_fabric *f = rig_make_arch("tofu", shape, settings);
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 256, .size_max = 256,
	};
	double ticks = (double)torus_pattern_peak_gap(f, &t) / 65536;

	torus_fabric_destroy(f);
	return ticks;
}

static void assert_near(double value, double wanted)
{
	if (value < wanted * 0.9999 || value > wanted * 1.0001)
		fail_msg("%f, not %f", value, wanted);
}

/*
 * Half of all packets take the node's only link in a, with any choice of paths. In a long ring the
 * x links are busier.
 */
static void test_peak(void **state)
{
	assert_near(peak_ticks("1x1x1", "path=fixed"), 64 * 0.5 * 12 / 11);
	assert_near(peak_ticks("1x1x1", "path=hash"), 64 * 0.5 * 12 / 11);
	assert_near(peak_ticks("1x1x1", "path=roundrobin"), 64 * 0.5 * 12 / 11);
	assert_near(peak_ticks("16x1x1", "path=fixed"), 64 * 4 / 2.0 * 192 / 191);
	assert_near(peak_ticks("16x1x1", "path=roundrobin"), 64 * 4 / 2.0 * 192 / 191);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_saturated),
		cmocka_unit_test(test_bit_errors),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_peak),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
