// SPDX-License-Identifier: GPL-2.0
/* The k-ary n-cube in closed loop: packets that wait at their source are counted, not stored. */
#include <malloc.h>

#include "arch/kncube/link_queue.h"
#include "arch/tests/snapshot_rig.h"
#include "core/workload/workload.h"

#define MILLION		1000000u
/* Number of packets that sources send in tick 0 before the hot loop returns. */
#define SENDS		(1u << 18)

static unsigned int nth;	/* number of the allocation that fails; 0: none */

/* Replaces the allocator that torus_alloc() calls. */
void *aligned_alloc(size_t alignment, size_t bytes)
{
	return nth && !--nth ? NULL : memalign(alignment, bytes);
}

static struct torus_fabric *closed(const char *shape, const char *settings, u32 pattern,
				   u64 packets, u32 min)
{
	struct torus_fabric *f = rig_make_arch("kncube", shape, settings);
	const struct torus_traffic t = {
		.pattern = pattern, .packets = packets, .size_min = min, .size_max = 256,
	};

	rig_start(f, &t);
	return f;
}

static u32 stored(const struct torus_fabric *f)
{
	u32 i, packets = 0;

	for (i = 0; i < f->ndomains; i++)
		packets += f->domain[i].pool.used;
	return packets;
}

/* Check that no packet is in the network, and destroy the fabric. */
static void check_empty(struct torus_fabric *f)
{
	rig_count(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	assert_int_equal(stored(f), 0);
	torus_fabric_destroy(f);
}

/*
 * Check that only a few packets are stored, and that the census includes the packets that are only
 * counted.
 */
static void bounded(u32 pattern, u64 sent, u64 tick, u32 most)
{
	struct torus_fabric *f = closed("4x4", "", pattern, MILLION, 256);
	struct torus_point p;

	torus_traffic_pause(f, tick);
	while (f->clock < tick)
		assert_true(torus_traffic_step(f, 0, 1));
	torus_traffic_point(f, &p);
	assert_int_equal(p.injected, sent);
	assert_int_equal(p.in_flight, sent - p.delivered);
	assert_in_range(stored(f), 1, most);
	rig_count(f);
	torus_fabric_destroy(f);
}

/* Waiting packets for several destinations share a record if they take the same direction. */
static void test_bounded(void **state)
{
	bounded(TORUS_PATTERN_TRANSPOSE, 12 * MILLION, 200000, 400);
	bounded(TORUS_PATTERN_NEIGHBOR, 16 * MILLION, 30000, 16 * 4 * 22);
}

/* The hashes equal those of a version that stored each packet when it was sent. */
static void test_hashes(void **state)
{
	static const struct {
		const char *shape;
		const char *settings;
		u32 pattern;
		u32 packets;
		u32 min;
		u64 hash;
	} rows[] = {
		{ "4x4", "", TORUS_PATTERN_UNIFORM, 20000, 256, 0x673c65c87b336945ull },
		{ "4x4", "domains=4", TORUS_PATTERN_TRANSPOSE, 3000, 256, 0xe7bb12122ad59d8eull },
		{ "5mx3", "domains=3", TORUS_PATTERN_UNIFORM, 2000, 32, 0x2d703e1b6cdfa328ull },
		{ "2x2x3", "", TORUS_PATTERN_ALLTOALL, 150, 64, 0xd20ba68977beaf3full },
		{ "9x1", "", TORUS_PATTERN_NEIGHBOR, 3000, 256, 0x3c8218c78a8a9633ull },
		{ "4x4", "link_delay=5000 processing=900", TORUS_PATTERN_TORNADO, 2000, 256,
		  0x3a0eb1e875739831ull },
	};
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		struct torus_fabric *f = closed(rows[i].shape, rows[i].settings, rows[i].pattern,
						rows[i].packets, rows[i].min);
		struct torus_result r = rig_finish(f, 0, 1);

		assert_int_equal(r.done, 1);
		assert_int_equal(r.hash, rows[i].hash);
		check_empty(f);
	}
}

/* Save a fabric, and restore it into a new one with four domains. */
static struct torus_fabric *restored(struct torus_fabric *from)
{
	struct torus_fabric *f = closed("4x4", "domains=4", TORUS_PATTERN_UNIFORM, 20000, 256);
	struct snapshot_file m = snapshot_save(from);
	struct torus_error err;

	if (snapshot_whole(f, &m, &snapshot_from, &err))
		fail_msg("%s", err.text);
	free(m.bytes);
	torus_fabric_destroy(from);
	return f;
}

/* A state that was saved in the middle of tick 0 can be restored. */
static void test_interrupted(void **state)
{
	struct torus_fabric *f = closed("4x4", "", TORUS_PATTERN_UNIFORM, 20000, 256);
	struct torus_point p;

	assert_true(torus_traffic_step(f, 100, 1));
	assert_int_equal(f->clock, 0);
	assert_int_equal(torus_fabric_in_flight(f), SENDS);
	rig_count(f);
	f = restored(f);
	assert_int_equal(torus_fabric_in_flight(f), SENDS);
	torus_traffic_pause(f, 123456);
	while (f->clock < 123456)
		assert_true(rig_step(f, 100, 2));
	torus_traffic_point(f, &p);
	assert_int_equal(p.injected, 20000 * 16);
	f = restored(f);
	assert_int_equal(rig_finish(f, 0, 2).hash, 0x673c65c87b336945ull);
	check_empty(f);
}

/* Each allocation of a save fails in turn. The fabric continues as if it had not been saved. */
static void test_save_without_memory(void **state)
{
	struct torus_fabric *f = closed("4x4", "", TORUS_PATTERN_UNIFORM, 20000, 256);
	unsigned int failing = 0;
	struct torus_error err;
	int failed = 1;

	torus_traffic_pause(f, 123456);
	while (f->clock < 123456)
		assert_true(rig_step(f, 100, 1));
	while (failed) {
		struct snapshot_file m = { 0 };

		nth = ++failing;
		failed = snapshot_whole(f, &m, &snapshot_to, &err);
		nth = 0;
		free(m.bytes);
		rig_count(f);
		assert_in_range(failing, 1, 64);
	}
	assert_true(failing > 4);
	assert_int_equal(rig_finish(f, 0, 1).hash, 0x673c65c87b336945ull);
	check_empty(f);
}

/* A reset discards the packets that are only counted. */
static void test_reset(void **state)
{
	struct torus_fabric *f = closed("4x4", "", TORUS_PATTERN_TRANSPOSE, 3000, 256);
	const struct torus_traffic again = {
		.pattern = TORUS_PATTERN_TRANSPOSE, .packets = 3000, .size_min = 256,
		.size_max = 256,
	};
	struct torus_error err;

	rig_step(f, 100, 1);
	assert_true(torus_fabric_in_flight(f) > stored(f));
	assert_int_equal(torus_fabric_reset(f, 1, &err), 0);
	rig_count(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	rig_start(f, &again);
	assert_int_equal(rig_finish(f, 0, 1).hash, 0xe7bb12122ad59d8eull);
	torus_fabric_destroy(f);
}

/* ----------------------------------------------------------------- impossible states */

static struct kncube_queue *some_queue(struct torus_fabric *f)
{
	u32 node;

	for (node = 0; node < f->nodes; node++)
		if (kncube_node(f->domain, node)->queued)
			return kncube_queue(f, node,
					    torus_ctz(kncube_node(f->domain, node)->queued));
	fail_msg("no queue");
	return NULL;
}

static void one_more(struct torus_fabric *f)
{
	some_queue(f)->own++;
}

static void other_packets(struct torus_fabric *f)
{
	some_queue(f)->own_identity++;
}

static void other_numbers(struct torus_fabric *f)
{
	some_queue(f)->number += 40;
}

static void other_sizes(struct torus_fabric *f)
{
	some_queue(f)->own_chunks++;
}

static void free_later(struct torus_fabric *f)
{
	some_queue(f)->next++;
}

static void over_an_edge(struct torus_fabric *f)
{
	kncube_node(f->domain, 0)->queued |= 1 << 1;
}

static void entered_later(struct torus_fabric *f)
{
	some_queue(f)->entered = f->clock + 1;
}

static void test_refused(void **state)
{
	const struct snapshot_scene s = {
		.arch = "kncube", .shape = "4mx4", .settings = "",
		.traffic = { .packets = 400, .size_min = 64, .size_max = 256 },
	};
	static const struct {
		void (*spoil)(struct torus_fabric *f);
		const char *words;
	} rows[] = {
		{ one_more, "tick of a link =" },
		{ other_packets, "packets of a source for a link" },
		{ other_numbers, "packets of a source for a link" },
		{ other_sizes, "tick of a link =" },
		{ free_later, "tick of a link =" },
		{ over_an_edge, "packets for a missing link in direction" },
		{ entered_later, "packets of a source for a link" },
	};
	struct torus_error err;
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		struct torus_fabric *f = snapshot_make(&s, 1);
		struct snapshot_file m = { 0 };

		assert_true(snapshot_run_to(f, 1200));
		rows[i].spoil(f);
		if (!snapshot_whole(f, &m, &snapshot_to, &err) &&
		    !snapshot_refused(&s, &m, &err, false))
			fail_msg("row %zu is accepted, not: %s", i, rows[i].words);
		if (!strstr(err.text, rows[i].words))
			fail_msg("row %zu: %s, not: %s", i, err.text, rows[i].words);
		torus_fabric_destroy(f);
		free(m.bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_hashes),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_save_without_memory),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
