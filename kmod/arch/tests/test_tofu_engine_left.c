// SPDX-License-Identifier: GPL-2.0
/*
 * Tofu's engines: an engine serves programs in turn, limits the open gets of each, and sends
 * nothing more for or to a program that has left.
 */
#include <stdlib.h>

#include "arch/tests/engine_rig.h"
#include "arch/tofu/replies.h"
#include "core/run/windows.h"

#define PACKETS		40u			/* packets of a long get */
#define LONG		(PACKETS * TOFU_DATA_MAX)
#define PACKET_TICKS	((u64)TOFU_PACKET_CHUNKS * TOFU_CHUNK_TICKS)

static const struct tofu_engine *engine_at(const struct torus_fabric *f, u32 node, u32 tni)
{
	const struct tofu_engines *all = ((const struct tofu_machine *)f->machine)->engines;

	return &all->node[node]->tni[tni];
}

static struct torus_tofu_command get(u32 length)
{
	return (struct torus_tofu_command){
		.op = TORUS_TOFU_GET, .flags = TORUS_TOFU_TELL_LOCAL, .length = length,
		.local = 7ull << TORUS_STADD_BITS, .remote = 8ull << TORUS_STADD_BITS,
	};
}

/* Attach a program that registers @bytes for gets by each of its engines. */
static struct engine_program *getter(struct torus_fabric *f, u32 node, u32 group, u8 *bytes,
				     u32 length)
{
	struct engine_program *p = engine_attach(f, node, group);
	u32 engine;

	for (engine = 0; engine < 4; engine++)
		engine_register(p, tofu_queue(engine, 0), bytes, length, 7 + 256 * engine, false);
	return p;
}

static void post_get(struct engine_program *p, const struct engine_program *to, u32 engine,
		     u32 length)
{
	struct torus_tofu_command c = get(length);

	c.local += (u64)(256 * engine) << TORUS_STADD_BITS;
	engine_post_by(p, engine, to, TORUS_TOFU_PATH_ANY, &c);
}

static void run_for(struct torus_fabric *f, u64 ticks)
{
	torus_nic_poll(f);
	torus_fabric_run(f, torus_fabric_clock(f) + ticks, 0, 1);
}

/*
 * Check that all injected packets were delivered, and that no engine of @node has replies to send.
 */
static void check_rest(struct torus_fabric *f, u32 node)
{
	struct torus_stats stats;
	u32 tni;

	rig_empty(f);
	torus_stats_sum(f, &stats);
	assert_int_equal(stats.injected, stats.delivered);
	for (tni = 0; tni < 4; tni++) {
		assert_int_equal(engine_at(f, node, tni)->replies.count, 0);
		assert_null(engine_at(f, node, tni)->replies.last);
	}
}

/* ---------------------------------------------------------------- in turn */

/*
 * A short get waits for one packet of each other program, regardless of the length of their gets.
 */
static void test_short(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x1x1", "");
	u8 *bytes = calloc(4, LONG), small[8];
	struct engine_program *b = engine_attach(f, 1, 0), *a[3], *c;
	u64 posted, alone;
	u32 i, k;

	engine_register(b, 0, bytes + 3 * LONG, LONG, 8, false);
	c = getter(f, 5, 0, small, sizeof(small));
	post_get(c, b, 0, 8);
	rig_settle(f);
	alone = c->at[0];
	for (i = 0; i < 3; i++) {
		a[i] = getter(f, 2 + i, 0, bytes + i * LONG, LONG);
		for (k = 0; k < 8; k++)
			post_get(a[i], b, 0, LONG);
	}
	run_for(f, 20 * PACKET_TICKS);
	posted = torus_fabric_clock(f);
	post_get(c, b, 0, 8);
	rig_settle(f);
	assert_int_equal(c->ins, 2);
	assert_int_equal(c->in[1].code, TORUS_TOFU_FINE);
	/* the short get also waits for packets that the engine has sent already */
	assert_true(c->at[1] - posted <= alone + 6 * PACKET_TICKS);
	/* the three programs receive equal shares */
	for (i = 0; i < 3; i++) {
		assert_int_equal(engine_count(a[i], TORUS_TOFU_LCL_GET), 8);
		assert_true(a[i]->at[7] + 4 * PACKET_TICKS > a[0]->at[7]);
		assert_true(a[0]->at[7] + 4 * PACKET_TICKS > a[i]->at[7]);
	}
	check_rest(f, 1);
	for (i = 0; i < 3; i++)
		engine_end(a[i]);
	engine_end(b);
	engine_end(c);
	torus_fabric_destroy(f);
	free(bytes);
}

/* Two programs on one node are served in separate turns, and each receives its own bytes. */
static void test_groups(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x1x1", "");
	u8 *bytes = calloc(3, LONG);
	struct engine_program *b = engine_attach(f, 1, 0), *a[2];
	u32 i;

	engine_mark(bytes + 2 * LONG, LONG, 5);
	engine_register(b, 0, bytes + 2 * LONG, LONG, 8, false);
	for (i = 0; i < 2; i++) {
		/* groups 0 and 2 start with the same engine */
		a[i] = getter(f, 0, 2 * i, bytes + i * LONG, LONG);
		post_get(a[i], b, 0, LONG);
	}
	rig_settle(f);
	for (i = 0; i < 2; i++) {
		assert_int_equal(a[i]->ins, 1);
		assert_int_equal(a[i]->in[0].code, TORUS_TOFU_FINE);
		assert_memory_equal(bytes + i * LONG, bytes + 2 * LONG, LONG);
	}
	/*
	 * The gets end within a few packets of each other. If they were served one after the other,
	 * they would end PACKETS packets apart.
	 */
	assert_true(a[0]->at[0] < a[1]->at[0] + 3 * PACKET_TICKS);
	assert_true(a[1]->at[0] < a[0]->at[0] + 3 * PACKET_TICKS);
	check_rest(f, 1);
	engine_end(a[0]);
	engine_end(a[1]);
	engine_end(b);
	torus_fabric_destroy(f);
	free(bytes);
}

/* ------------------------------------------------------- limit of open gets */

/*
 * A program uses four engines to request more gets from one engine than its limit. The gets above
 * the limit are rejected by that engine, and reported in order. Another program is not affected.
 * After its gets have ended, the first program can get again.
 */
static void test_limit(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x1x1", "");
	u8 *bytes = calloc(3, LONG);
	struct engine_program *b = engine_attach(f, 1, 0), *a, *c;
	struct torus_tni_counters tni;
	u32 i, k, busy = 0;

	engine_mark(bytes + 2 * LONG, LONG, 5);
	engine_register(b, 0, bytes + 2 * LONG, LONG, 8, false);
	a = getter(f, 0, 0, bytes, LONG);
	c = getter(f, 2, 0, bytes + LONG, LONG);
	for (i = 0; i < TOFU_OPEN_MAX; i++)
		for (k = 0; k < 4; k++)
			post_get(a, b, k, LONG);
	for (i = 0; i < TORUS_TOFU_GETS; i++)
		post_get(c, b, 0, 2 * TOFU_DATA_MAX);
	/* all requests have arrived before the second of these gets ends */
	run_for(f, 2 * PACKETS * PACKET_TICKS);
	assert_int_equal(a->pulled, 4 * TOFU_OPEN_MAX);
	assert_in_range(engine_at(f, 1, 0)->replies.count, 1, 5 * TOFU_OPEN_MAX);
	rig_settle(f);
	assert_int_equal(a->ins, 4 * TOFU_OPEN_MAX);
	for (i = 0; i < a->ins; i++) {
		busy += a->in[i].code == TORUS_TOFU_BUSY;
		assert_true(a->in[i].type == TORUS_TOFU_LCL_GET);
		assert_true(a->in[i].remote_code == (a->in[i].code == TORUS_TOFU_BUSY));
		/* the first 64 notices report served gets: an engine reports its gets in order */
		if (i < TORUS_TOFU_GETS)
			assert_int_equal(a->in[i].code, TORUS_TOFU_FINE);
	}
	/* one or two gets may have ended while requests still arrived */
	assert_in_range(busy, 3 * TORUS_TOFU_GETS - 2, 3 * TORUS_TOFU_GETS);
	torus_tni_counters(f, 1, 0, &tni);
	assert_int_equal(tni.refused, busy);
	assert_memory_equal(bytes, bytes + 2 * LONG, LONG);
	assert_int_equal(c->ins, TORUS_TOFU_GETS);
	for (i = 0; i < c->ins; i++)
		assert_int_equal(c->in[i].code, TORUS_TOFU_FINE);
	/* through one engine, which limits its own open gets, any number of gets is served */
	a->ins = 0;
	for (i = 0; i < 3 * TORUS_TOFU_GETS; i++)
		post_get(a, b, 0, 4 * TOFU_DATA_MAX);
	rig_settle(f);
	assert_int_equal(a->ins, 3 * TORUS_TOFU_GETS);
	for (i = 0; i < a->ins; i++)
		assert_int_equal(a->in[i].code, TORUS_TOFU_FINE);
	check_rest(f, 1);
	engine_end(a);
	engine_end(b);
	engine_end(c);
	torus_fabric_destroy(f);
	free(bytes);
}

/* A rejected get writes no memory. */
static void test_rejected(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x1x1", "");
	u8 *bytes = calloc(2, LONG);
	struct engine_program *b = engine_attach(f, 1, 0), *a;
	u32 i;

	engine_register(b, 0, memset(bytes + LONG, 1, LONG), LONG, 8, false);
	a = engine_attach(f, 0, 0);
	engine_register(a, 0, bytes, LONG, 7, false);
	engine_register(a, tofu_queue(1, 0), bytes + LONG / 2, LONG / 2, 7 + 256, false);
	for (i = 0; i < TORUS_TOFU_GETS; i++)
		post_get(a, b, 0, LONG / 2);
	run_for(f, 10 * PACKET_TICKS);
	assert_int_equal(engine_at(f, 1, 0)->replies.count, TORUS_TOFU_GETS);
	post_get(a, b, 1, 8);
	rig_settle(f);
	assert_int_equal(a->ins, TORUS_TOFU_GETS + 1);
	assert_int_equal(a->in[a->ins - 1].code, TORUS_TOFU_BUSY);
	for (i = 0; i < LONG; i++)
		assert_int_equal(bytes[i], i < LONG / 2);
	check_rest(f, 1);
	engine_end(a);
	engine_end(b);
	torus_fabric_destroy(f);
	free(bytes);
}

/* --------------------------------------------------------- programs that leave */

/*
 * Programs request many gets and leave, one after the other. The engine never keeps more replies
 * than one program may have open, and no replies after the last program has left. Packets that were
 * sent arrive.
 */
static void leaves(bool detach)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x1x1", "");
	u8 *bytes = calloc(2, LONG), small[8];
	struct engine_program *b = engine_attach(f, 1, 0), *a, *c;
	struct torus_stats before, after;
	u32 i, k, round;
	u64 posted;

	for (k = 0; k < 4; k++)
		engine_register(b, tofu_queue(k, 0), bytes + LONG, LONG, 8, false);
	c = getter(f, 2, 0, small, sizeof(small));
	for (round = 0; round < 10; round++) {
		a = getter(f, 0, 0, bytes, LONG);
		for (i = 0; i < TOFU_OPEN_MAX; i++)
			for (k = 0; k < 4; k++)
				post_get(a, b, k, LONG);
		run_for(f, 20 * PACKET_TICKS);
		assert_in_range(engine_at(f, 1, 0)->replies.count, 1, 4 * TOFU_OPEN_MAX);
		if (detach || round < 9) {
			engine_end(a);
			a = NULL;
		} else {
			torus_nic_leave(f, 0, 0);
		}
	}
	torus_stats_sum(f, &before);
	posted = torus_fabric_clock(f);
	post_get(c, b, 0, 8);
	rig_settle(f);
	assert_int_equal(c->ins, 1);
	assert_int_equal(c->in[0].code, TORUS_TOFU_FINE);
	assert_true(c->at[0] - posted < 10 * PACKET_TICKS);
	/* two packets of the get, and requests that waited in injection slots, but no data */
	torus_stats_sum(f, &after);
	assert_in_range(after.injected - before.injected, 2, 10);
	check_rest(f, 1);
	if (a)
		engine_end(a);
	engine_end(b);
	engine_end(c);
	torus_fabric_destroy(f);
	free(bytes);
}

static void test_leaves(void **state)
{
	leaves(true);
}

/* The same holds for a program that is leaving, while its rings still exist. */
static void test_leaving(void **state)
{
	leaves(false);
}

/* An engine that cannot send keeps replies only for the last owner of a group. */
static void test_blocked(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x1x1", "");
	struct tofu_replies replies = { 0 };
	u32 i, generation;

	for (generation = 1; generation < 9; generation += 2) {
		assert_false(tofu_gets_full(&replies, 5, 2, generation));
		for (i = 0; i < TORUS_TOFU_GETS; i++)
			assert_non_null(tofu_reply_new(&f->domain[0], &replies, 5, 2, generation,
						       true));
		assert_true(tofu_gets_full(&replies, 5, 2, generation));
		assert_int_equal(replies.count, TORUS_TOFU_GETS);
	}
	/*
	 * replies to another group, and to another node of the same bucket, are counted separately
	 */
	assert_non_null(tofu_reply_new(&f->domain[0], &replies, 5, 3, 1, true));
	assert_non_null(tofu_reply_new(&f->domain[0], &replies, 5 + TOFU_BUCKETS, 2, 1, true));
	assert_int_equal(replies.count, TORUS_TOFU_GETS + 2);
	tofu_replies_empty(&replies);
	assert_int_equal(replies.count, 0);
	for (i = 0; i < TOFU_BUCKETS; i++)
		assert_null(replies.bucket[i]);
	torus_fabric_destroy(f);
}

/* Commands of a program that has left are removed from its ring, and not executed. */
static void test_ring(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x1x1", "");
	u8 bytes[16] = { 0 };
	struct engine_program *b = engine_attach(f, 1, 0), *a;
	struct torus_tni_counters tni;
	struct torus_stats stats;
	u32 i;

	engine_register(b, 0, bytes + 8, 8, 8, false);
	a = getter(f, 0, 0, bytes, 8);
	for (i = 0; i < 1000; i++)
		post_get(a, b, i % 4, 8);
	torus_nic_leave(f, 0, 0);
	rig_settle(f);
	assert_int_equal(a->pulled, 1000);
	assert_int_equal(a->refused, 0);
	torus_stats_sum(f, &stats);
	assert_int_equal(stats.injected, 0);
	for (i = 0; i < 4; i++) {
		torus_tni_counters(f, 0, i, &tni);
		assert_int_equal(tni.commands, 0);
	}
	engine_end(a);
	engine_end(b);
	torus_fabric_destroy(f);
}

/* A put to a program that leaves is cut short, and reported like a put that arrives too late. */
static void test_put(void **state)
{
	struct torus_tofu_command c;
	struct torus_stats stats;
	struct engine_pair t;

	engine_pair_make(&t, "3x1x1", "", 12, LONG);
	c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, LONG);
	engine_post(t.a, t.b, &c);
	torus_nic_poll(t.f);
	torus_fabric_run(t.f, engine_put_ticks(1, 9 * TOFU_DATA_MAX), 0, 1);
	engine_leave(t.b);
	rig_settle(t.f);
	assert_int_equal(t.a->ins, 2);
	engine_check_notice(engine_find(t.a, TORUS_TOFU_TCQ, 0), TORUS_TOFU_FINE,
			    c.local + c.length, c.remote + c.length);
	engine_check_notice(engine_find(t.a, TORUS_TOFU_LCL_PUT, 0), TORUS_TOFU_PEER,
			    c.local + c.length, c.remote + c.length);
	assert_true(engine_find(t.a, TORUS_TOFU_LCL_PUT, 0)->remote_code);
	torus_stats_sum(t.f, &stats);
	assert_in_range(stats.injected, 9, 16);
	check_rest(t.f, 12);
	engine_pair_free(&t);
}

/* ---------------------------------------------------------------- domains */

#define CROWD	12u

/*
 * All programs get from one node; every third one leaves and attaches again. Return: the delivery
 * hash.
 */
static u64 crowd(const char *settings)
{
	struct torus_fabric *f = rig_make_arch("tofu", "2x1x1", settings);
	u8 *bytes = calloc(CROWD + 1, LONG);
	struct engine_program *b = engine_attach(f, 7, 0), *a[CROWD];
	struct torus_stats stats;
	u32 i, k;

	for (k = 0; k < 4; k++)
		engine_register(b, tofu_queue(k, 0), bytes, LONG, 8, false);
	for (i = 0; i < CROWD; i++) {
		a[i] = getter(f, 2 * i, 0, bytes + (i + 1) * LONG, LONG);
		for (k = 0; k < 4 * 8; k++)
			post_get(a[i], b, k % 4, LONG / 4);
	}
	run_for(f, 100 * PACKET_TICKS);
	for (i = 0; i < CROWD; i += 3) {
		engine_end(a[i]);
		a[i] = getter(f, 2 * i, 0, bytes + (i + 1) * LONG, LONG);
		post_get(a[i], b, 0, LONG);
	}
	rig_settle(f);
	for (i = 0; i < CROWD; i++) {
		assert_int_equal(a[i]->ins, i % 3 ? 4 * 8 : 1);
		for (k = 0; k < a[i]->ins; k++)
			assert_int_equal(a[i]->in[k].code, TORUS_TOFU_FINE);
	}
	check_rest(f, 7);
	torus_stats_sum(f, &stats);
	for (i = 0; i < CROWD; i++)
		engine_end(a[i]);
	engine_end(b);
	torus_fabric_destroy(f);
	free(bytes);
	return stats.hash;
}

static void test_domains(void **state)
{
	u64 hash = crowd("");

	assert_int_equal(crowd("domains=2"), hash);
	assert_int_equal(crowd("domains=5"), hash);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_rejected),
		cmocka_unit_test(test_leaves),
		cmocka_unit_test(test_leaving),
		cmocka_unit_test(test_blocked),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_put),
		cmocka_unit_test(test_domains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
