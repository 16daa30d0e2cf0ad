// SPDX-License-Identifier: GPL-2.0
/*
 * A run that is saved at a tick, and continued in another fabric with other domains, ends like an
 * uninterrupted run. The saved bytes do not depend on the domains. Damaged files are rejected.
 */
#include "arch/tests/snapshot_rig.h"
#include "core/run/snapshot.h"
#include "core/run/measure.h"
#include "core/state/latency_histogram.h"

struct snapshot_outcome {
	struct torus_result result;
	struct torus_latencies *latencies;
	u64 links;
};

/* Mix all counters of all links into one sum. */
static u64 links(struct torus_fabric *f)
{
	struct torus_link_counters c;
	u64 sum = 0;
	u32 node, dir;
	size_t i;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			torus_link_counters(f, node, dir, &c);
			for (i = 0; i < sizeof(c) / sizeof(u64); i++)
				sum = torus_mix(sum ^ ((u64 *)&c)[i]);
		}
	return sum;
}

/* Run to the end of the workload, and destroy the fabric. */
static struct snapshot_outcome finish(struct torus_fabric *f)
{
	struct snapshot_outcome o = { 0 };

	snapshot_run_to(f, 0);
	torus_traffic_result(f, &o.result);
	/* allocated memory depends on the history of a fabric */
	o.result.memory = 0;
	o.latencies = torus_latencies_take(f);
	o.links = links(f);
	torus_fabric_destroy(f);
	return o;
}

static void same(const struct snapshot_outcome *a, const struct snapshot_outcome *b)
{
	assert_int_equal(a->result.hash, b->result.hash);
	assert_int_equal(a->result.events, b->result.events);
	assert_memory_equal(&a->result, &b->result, sizeof(a->result));
	assert_int_equal(a->links, b->links);
	assert_int_equal(!a->latencies, !b->latencies);
	if (!a->latencies)
		return;
	assert_memory_equal(&a->latencies->source, &b->latencies->source,
			    sizeof(a->latencies->source));
	assert_memory_equal(&a->latencies->total, &b->latencies->total,
			    sizeof(a->latencies->total));
	assert_memory_equal(a->latencies->by_class, b->latencies->by_class,
			    sizeof(a->latencies->by_class));
	assert_memory_equal(a->latencies->network, b->latencies->network,
			    a->latencies->hops * sizeof(a->latencies->network[0]));
	assert_memory_equal(a->latencies->received, b->latencies->received,
			    a->latencies->nodes * sizeof(u64));
}

static void equal(const struct snapshot_file *a, const struct snapshot_file *b)
{
	assert_int_equal(a->n, b->n);
	assert_memory_equal(a->bytes, b->bytes, a->n);
}

/*
 * Save a run at tick @tick, restore it with other domains, save it again, and restore it with yet
 * other domains. Each run must end with outcome @whole.
 */
static void broken(const struct snapshot_scene *s, u64 tick, const struct snapshot_outcome *whole)
{
	struct torus_fabric *one = snapshot_make(s, 1), *other = snapshot_make(s, 5), *third;
	struct snapshot_file saved, again, apart;
	struct torus_error err;
	struct snapshot_outcome o;

	assert_true(snapshot_run_to(one, tick));
	assert_true(snapshot_run_to(other, tick));
	saved = snapshot_save(one);
	apart = snapshot_save(other);
	equal(&saved, &apart);
	torus_fabric_destroy(other);
	/* saving has not changed the run */
	o = finish(one);
	same(&o, whole);
	torus_latencies_free(o.latencies);

	other = snapshot_make(s, 3);
	if (snapshot_whole(other, &saved, &snapshot_from, &err))
		fail_msg("%s %s %s: %s", s->arch, s->shape, s->settings, err.text);
	again = snapshot_save(other);
	equal(&saved, &again);
	snapshot_run_to(other, tick + 777);
	free(again.bytes);
	free(apart.bytes);
	apart = snapshot_save(other);
	o = finish(other);
	same(&o, whole);
	torus_latencies_free(o.latencies);

	third = snapshot_make(s, 2);
	if (snapshot_whole(third, &apart, &snapshot_from, &err))
		fail_msg("%s", err.text);
	o = finish(third);
	same(&o, whole);
	torus_latencies_free(o.latencies);
	free(saved.bytes);
	free(apart.bytes);
}

static void test_scenes(void **state)
{
	u64 rng = 5;
	size_t i;
	u32 n;

	for (i = 0; i < SNAPSHOT_SCENES; i++) {
		struct snapshot_outcome whole = finish(snapshot_make(&snapshot_scenes[i], 1));

		assert_int_equal(whole.result.done, 1);
		for (n = 0; n < (rig_soak() ? 50 : 2); n++) {
			u64 tick = 1 + torus_random_below(&rng, (u32)(whole.result.clock - 900));

			broken(&snapshot_scenes[i], tick, &whole);
		}
		torus_latencies_free(whole.latencies);
	}
}

/*
 * Two packets have gone to other domains, but their transfers to the second stage still end in one
 * tick. The restored domain has no packet and no memory for packets.
 */
static void test_domain_without_packets(void **state)
{
	static const struct snapshot_scene scene = {
		.arch = "xt", .shape = "4x2x2", .settings = "",
		.traffic = { .load = 1, .cycles = 5000, .size_min = 72, .size_max = 72 },
	};
	struct torus_fabric *f = snapshot_make(&scene, 1);
	u32 node = rig_node(f, 1, 0, 0), next = rig_node(f, 2, 0, 0), last = rig_node(f, 0, 0, 0);
	struct torus_packet there = rig_packet(f, last, next, 9);
	struct torus_packet back = rig_packet(f, next, last, 9);
	struct torus_error err;
	struct snapshot_file m;

	rig_place(f, node, 0, 0, &there);
	rig_place(f, node, 1, 0, &back);
	assert_true(snapshot_run_to(f, 100));
	m = snapshot_save(f);
	torus_fabric_destroy(f);
	f = snapshot_make(&scene, 16);
	if (snapshot_whole(f, &m, &snapshot_from, &err))
		fail_msg("%s", err.text);
	assert_int_equal(torus_domain_of(f, node)->pool.segments, 0);
	snapshot_run_to(f, 0);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	torus_fabric_destroy(f);
	free(m.bytes);
}

/* A file with one flipped bit, and a truncated file, is rejected. */
static void test_damage(void **state)
{
	struct snapshot_file whole = snapshot_state(&snapshot_scenes[0], 700), m;
	u32 tries = rig_soak() ? 10000 : 60, i;
	struct torus_error err;
	u64 rng = 3;

	for (i = 0; i < tries; i++) {
		m = snapshot_copy(&whole);
		m.bytes[torus_random_below(&rng, (u32)m.n)] ^=
			(u8)(1u << torus_random_below(&rng, 8));
		assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
		free(m.bytes);
		m = snapshot_copy(&whole);
		m.n = torus_random_below(&rng, (u32)m.n);
		assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
		free(m.bytes);
	}
	free(whole.bytes);
}

/* Each kind of error has its own error message. */
static void test_error_messages(void **state)
{
	const struct snapshot_scene other = {
		.arch = "kncube", .shape = "5x4x3", .settings = "processing=23",
		.traffic = snapshot_scenes[0].traffic,
	};
	struct snapshot_file whole = snapshot_state(&snapshot_scenes[0], 700), m;
	struct torus_error err;
	struct snapshot_head head;

	assert_true(snapshot_refused(&other, &whole, &err, false));
	assert_says(err.text, "state fabric");

	m = snapshot_copy(&whole);
	m.n = 10;
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state file section 0");
	m.n = whole.n;
	m.bytes[0] ^= 1;
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state file");
	memcpy(&head, whole.bytes, sizeof(head));
	head.what = __builtin_bswap32(head.what);
	memcpy(m.bytes, &head, sizeof(head));
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state byte order");
	memcpy(m.bytes, whole.bytes, m.n);
	m.bytes[5] ^= 1;
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state section 0 damaged");
	snapshot_seal(&m);
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state section 0");
	memcpy(m.bytes, whole.bytes, m.n);
	m.bytes[sizeof(head)]++;
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state section 0 damaged");
	snapshot_seal(&m);
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state version 10 9");
	free(m.bytes);

	/*
	 * the first section is a byte short; the tick and the number of packets of section 1 are
	 * wrong
	 */
	m = snapshot_copy(&whole);
	m.n--;
	memmove(m.bytes + sizeof(head), m.bytes + sizeof(head) + 1, m.n - sizeof(head));
	m.bytes[offsetof(struct snapshot_head, bytes)] = 3;
	snapshot_seal(&m);
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state section 0");
	free(m.bytes);
	m = snapshot_copy(&whole);
	m.bytes[59] = 0x80;
	snapshot_seal(&m);
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state section 1 tick 9223372036854776508");
	m.bytes[59] = 0;
	m.bytes[75]++;
	snapshot_seal(&m);
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state packet token");
	free(m.bytes);

	/* a byte after the last section */
	m = snapshot_copy(&whole);
	m.bytes = realloc(m.bytes, ++m.n);
	m.bytes[m.n - 1] = 0;
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state last section");
	/* now the last section's head says that the section contains that byte */
	m.bytes[whole.n - sizeof(head) + offsetof(struct snapshot_head, bytes)] = 1;
	snapshot_seal(&m);
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state section 4 1 byte");
	free(m.bytes);
	free(whole.bytes);
}

/* The length of a node's record differs from the length of its data. */
static void test_node_record_length(void **state)
{
	struct snapshot_file m = snapshot_state(&snapshot_scenes[0], 700);
	struct torus_error err;
	size_t at, bytes;

	at = snapshot_section(&m, 2, &bytes) + 2;
	m.bytes[at]++;
	snapshot_seal(&m);
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state section 2 node byte 1");
	memset(m.bytes + at, 0xff, sizeof(u32));
	snapshot_seal(&m);
	assert_true(snapshot_refused(&snapshot_scenes[0], &m, &err, false));
	assert_says(err.text, "state section 2 node byte 4294967295");
	free(m.bytes);
}

static int memory_full(void *file, const void *bytes, u32 n)
{
	return -ENOSPC;
}

static int memory_broken(void *file, void *bytes, u32 n)
{
	return -EIO;
}

/* Fabrics that cannot be saved, and files that cannot be written or read, are rejected. */
static void test_refused(void **state)
{
	static const struct torus_snapshot_ops full = { .write = memory_full };
	static const struct torus_snapshot_ops broken_file = { .read = memory_broken };
	struct torus_fabric *f = rig_make("2x2x2", "");
	struct snapshot_file m = { 0 };
	struct torus_error err;

	assert_int_equal(snapshot_whole(f, &m, &snapshot_to, &err), -EOPNOTSUPP);
	assert_says(err.text, "state workload");
	rig_load(f, 50, 64, 64, 1000);
	rig_reg_set(f, 1, "arbitration", rig_reg(f, 1, "arbitration"));
	assert_int_equal(snapshot_whole(f, &m, &snapshot_to, &err), -EOPNOTSUPP);
	assert_says(err.text, "state register");
	torus_fabric_destroy(f);

	f = rig_make("2x2x2", "");
	rig_load(f, 50, 64, 64, 1000);
	assert_int_equal(snapshot_whole(f, &m, &full, &err), -ENOSPC);
	assert_says(err.text, "state section 0");
	assert_int_equal(snapshot_whole(f, &m, &broken_file, &err), -EIO);
	assert_says(err.text, "state section 0");
	torus_fabric_destroy(f);
	free(m.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scenes),
		cmocka_unit_test(test_domain_without_packets),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_error_messages),
		cmocka_unit_test(test_node_record_length),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
