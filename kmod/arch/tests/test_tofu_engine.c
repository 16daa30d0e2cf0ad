// SPDX-License-Identifier: GPL-2.0
/*
 * Tofu's engines: put, get, piggyback, atomic operations and notices. The tests check each byte
 * and the ticks.
 */
#include <stdlib.h>

#include "arch/tests/engine_rig.h"
#include "core/base/node_number.h"
#include "core/run/windows.h"

static const u32 lengths[] = {
	1, 7, 8, 32, 33, 255, TOFU_DATA_MAX - 1, TOFU_DATA_MAX, TOFU_DATA_MAX + 1,
	3 * TOFU_DATA_MAX + 5, 100003,
};

/* A put of each length to odd addresses writes the right bytes at the right tick. */
static void test_put(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;
	u32 i, at = ENGINE_GUARD - 3, from = ENGINE_GUARD + 5;

	for (i = 0; i < COUNT(lengths); i++) {
		/* over one link in x */
		engine_pair_make(&t, "3x1x1", "", 12, lengths[i]);
		c = engine_transfer(&t, TORUS_TOFU_PUT, from, at, lengths[i]);
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		engine_pair_check(&t, t.to, 2, t.from, at, from, lengths[i]);
		engine_check_notice(engine_find(t.a, TORUS_TOFU_TCQ, 0), 0, c.local + c.length,
				    c.remote + c.length);
		assert_int_equal(engine_find(t.a, TORUS_TOFU_TCQ, 0)->cookie, 0x1234);
		engine_check_notice(engine_find(t.a, TORUS_TOFU_LCL_PUT, 0), 0, c.local + c.length,
				    c.remote + c.length);
		engine_check_notice(engine_find(t.b, TORUS_TOFU_RMT_PUT, 0), 0, c.local + c.length,
				    c.remote + c.length);
		assert_int_equal(engine_find(t.b, TORUS_TOFU_RMT_PUT, 0)->peer_node, 0);
		assert_int_equal(engine_find(t.a, TORUS_TOFU_LCL_PUT, 0)->peer_node,
				 torus_node_number(&t.f->cfg.geo, 12));
		assert_int_equal(engine_when(t.b, TORUS_TOFU_RMT_PUT),
				 engine_put_ticks(1, lengths[i]));
		assert_int_equal(t.a->ins + t.b->ins, 3);
		engine_pair_free(&t);
	}
}

/* A put of the maximum length is accepted, a longer one rejected. */
static void test_longest(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;

	engine_pair_make(&t, "1x1x1", "", 1, TORUS_TOFU_LENGTH_MAX);
	c = engine_transfer(&t, TORUS_TOFU_PUT, 1, 3, TORUS_TOFU_LENGTH_MAX);
	engine_post(t.a, t.b, &c);
	c.length++;
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(t.a->refused, 1);
	assert_int_equal(t.a->out[1].code, TORUS_REFUSE_COMMAND);
	engine_pair_check(&t, t.to, 2, t.from, 3, 1, TORUS_TOFU_LENGTH_MAX);
	engine_pair_free(&t);
}

/* A short put takes 0.91 us over one link. Each further link adds a link's latency. */
static void test_latency(void **state)
{
	static const struct { u32 peer, hops; } some[] = {
		{ 1, 1 }, { 2, 2 }, { 4, 4 }, { 0, 0 },
	};
	struct torus_tofu_command c;
	struct engine_pair t;
	u64 ticks;
	u32 i;

	for (i = 0; i < COUNT(some); i++) {
		engine_pair_make(&t, "9x1x1", "", some[i].peer, 8);
		c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, 8);
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		ticks = engine_when(t.b, TORUS_TOFU_RMT_PUT);
		assert_int_equal(ticks, tofu_latency_there(some[i].hops));
		/* a tick is 0.8 ns: the latency is 910 ns, plus or minus 5 ns */
		if (some[i].hops == 1)
			assert_in_range(ticks * 8 / 10, 905, 915);
		/* the reply takes as many links back */
		if (some[i].hops)
			assert_int_equal(engine_when(t.a, TORUS_TOFU_LCL_PUT),
					 ticks + tofu_latency_back(some[i].hops));
		engine_pair_free(&t);
	}
}

static void test_piggyback(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;
	u32 length;

	for (length = 1; length <= TORUS_TOFU_PIGGYBACK_MAX; length++) {
		engine_pair_make(&t, "2x1x1", "", 13, 64);
		c = engine_transfer(&t, TORUS_TOFU_PIGGYBACK, 0, ENGINE_GUARD + 1, length);
		c.local = 0;
		engine_mark((u8 *)c.data, sizeof(c.data), length);
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		engine_pair_check(&t, t.to, 2, (u8 *)c.data, ENGINE_GUARD + 1, 0, length);
		engine_check_notice(engine_find(t.b, TORUS_TOFU_RMT_PUT, 0), 0, 0,
				    c.remote + length);
		engine_pair_free(&t);
	}
}

static void test_get(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;
	u32 i, at = ENGINE_GUARD - 9, from = ENGINE_GUARD + 1;

	for (i = 0; i < COUNT(lengths); i++) {
		engine_pair_make(&t, "3x1x1", i & 1 ? "tnis=6" : "", 12, lengths[i]);
		/* from offset @at of b's memory to offset @from of a's */
		c = engine_transfer(&t, TORUS_TOFU_GET, from, at, lengths[i]);
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		engine_pair_check(&t, t.from, 1, t.to, from, at, lengths[i]);
		engine_check_notice(engine_find(t.a, TORUS_TOFU_LCL_GET, 0), 0, c.local + c.length,
				    c.remote + c.length);
		engine_check_notice(engine_find(t.b, TORUS_TOFU_RMT_GET, 0), 0, c.local + c.length,
				    c.remote + c.length);
		assert_int_equal(engine_count(t.a, TORUS_TOFU_TCQ), 1);
		/*
		 * the request's latency, then that of a put that starts when the request has
		 * arrived
		 */
		assert_int_equal(engine_when(t.a, TORUS_TOFU_LCL_GET),
				 engine_put_ticks(1, lengths[i]) + tofu_latency_back(1));
		engine_pair_free(&t);
	}
}

/* Compare all atomic operations of both sizes with the same operations in C. */
static void test_atomics(void **state)
{
	const u64 old = 0xf0e1d2c3b4a59687ull, operand = 0x0123456789abcdefull;
	const u64 right[] = {
		[TORUS_ATOMIC_CSWAP] = operand, [TORUS_ATOMIC_SWAP] = operand,
		[TORUS_ATOMIC_ADD] = old + operand, [TORUS_ATOMIC_XOR] = old ^ operand,
		[TORUS_ATOMIC_AND] = old & operand, [TORUS_ATOMIC_OR] = old | operand,
	};
	struct engine_pair t;
	u32 i, size;

	engine_pair_make(&t, "3x1x1", "", 12, 64);
	for (i = 0; i < 2 * (TORUS_ATOMICS + 1); i++) {
		bool other = i / 2 == TORUS_ATOMICS;	/* CSWAP, no match */
		u32 op = other ? TORUS_ATOMIC_CSWAP : i / 2;
		const struct torus_tofu_notice *n;
		struct torus_tofu_command c;
		u64 mask, got;

		size = i & 1 ? 4 : 8;
		mask = size == 4 ? 0xffffffffull : ~0ull;
		memcpy(t.to + ENGINE_GUARD, &old, 8);
		c = (struct torus_tofu_command){
			.op = TORUS_TOFU_ATOMIC, .atomic = (u8)op, .size = (u8)size, .edata = 77,
			.flags = ENGINE_TELL_ALL, .remote = t.remote + ENGINE_GUARD,
			.data = { operand & mask, (old + other) & mask },
		};
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		memcpy(&got, t.to + ENGINE_GUARD, 8);
		assert_int_equal(got, ((other ? old : right[op]) & mask) | (old & ~mask));
		n = engine_find(t.a, TORUS_TOFU_LCL_ATOMIC, i);
		engine_check_notice(n, 0, 0, c.remote);
		assert_int_equal(n->value, old & mask);
		assert_int_equal(n->length, size);
		engine_check_notice(engine_find(t.b, TORUS_TOFU_RMT_ATOMIC, i), 0, 0, c.remote);
	}
	engine_pair_free(&t);
}

#define ADDERS	23u
#define ADDS	20u

/*
 * Many nodes add to one word with all of their engines. Each addition returns a different old
 * value.
 */
static u64 adders_run(const char *settings, u32 threads)
{
	struct torus_fabric *f = rig_make_arch("tofu", "2x1x1", settings);
	struct engine_program *p[ADDERS + 1];
	struct torus_stats stats;
	u64 word = 0, seen[ADDERS * ADDS] = { 0 }, hash;
	u32 i, j, k;

	for (i = 0; i <= ADDERS; i++)
		p[i] = engine_attach(f, i, 0);
	for (j = 0; j < 4; j++)
		engine_register(p[ADDERS], tofu_queue(j, j), &word, 8, 7 + j, false);
	for (i = 0; i < ADDERS; i++)
		for (j = 0; j < ADDS; j++) {
			const struct torus_tofu_command c = {
				.op = TORUS_TOFU_ATOMIC, .atomic = TORUS_ATOMIC_ADD, .size = 8,
				.flags = TORUS_TOFU_TELL_LOCAL, .peer_engine = (u8)(i % 4),
				.peer_vcq = (u8)(i % 4), .data = { 1 },
				.remote = (u64)(7 + i % 4) << 40,
			};

			engine_post_by(p[i], j % 6, p[ADDERS], j % 12, &c);
		}
	do {
		torus_nic_poll(f);
		torus_fabric_run(f, ~0ull - 1, 0, threads);
	} while (torus_nic_poll(f));
	assert_int_equal(word, ADDERS * ADDS);
	for (i = 0; i < ADDERS; i++)
		for (k = 0; k < p[i]->ins; k++) {
			assert_true(p[i]->in[k].value < ADDERS * ADDS);
			seen[p[i]->in[k].value]++;
		}
	for (i = 0; i < ADDERS * ADDS; i++)
		assert_int_equal(seen[i], 1);
	torus_stats_sum(f, &stats);
	hash = stats.hash;
	assert_int_equal(stats.delivered, 2 * ADDERS * ADDS);
	rig_empty(f);
	for (i = 0; i <= ADDERS; i++)
		engine_end(p[i]);
	torus_fabric_destroy(f);
	return hash;
}

static void test_many_adders(void **state)
{
	u64 hash = adders_run("", 1);

	assert_int_equal(adders_run("domains=2", 1), hash);
	assert_int_equal(adders_run("domains=5", 1), hash);
	assert_int_equal(adders_run("ber=1e-5 domains=2", 1) != hash, 1);
}

/* If a program does not read its notices, no notice is lost, and no packet waits in the network. */
static void test_unread(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;
	u32 i;

	engine_pair_make(&t, "3x1x1", "", 12, 64);
	t.b->credits = 0;
	for (i = 0; i < 300; i++) {
		c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, 8);
		c.flags = TORUS_TOFU_TELL_REMOTE;
		c.edata = (u8)i;
		engine_post(t.a, t.b, &c);
	}
	rig_settle(t.f);
	assert_int_equal(torus_fabric_in_flight(t.f), 0);
	assert_int_equal(t.b->ins, 0);
	assert_true(torus_nic_blocked(t.f));
	t.b->credits = ~0u;
	rig_settle(t.f);
	assert_int_equal(t.b->ins, 300);
	for (i = 0; i < 300; i++)
		assert_int_equal(t.b->in[i].edata, i & 0xff);
	engine_pair_free(&t);
}

/*
 * Session mode: commands wait for steps, which puts from another node grant. Steps that arrive
 * early are kept.
 */
static void test_session(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;
	u32 i;

	engine_pair_make(&t, "3x1x1", "", 12, 64);
	for (i = 0; i < 4; i++) {
		c = (struct torus_tofu_command){
			.op = TORUS_TOFU_PIGGYBACK, .vcq = 3, .length = 8, .data = { i },
			.flags = TORUS_TOFU_SESSION | TORUS_TOFU_TELL_TCQ, .remote = t.local,
		};
		engine_post(t.b, t.a, &c);
	}
	/* commands of another queue do not wait */
	c.vcq = 0;
	c.flags = TORUS_TOFU_TELL_TCQ;
	engine_post(t.b, t.a, &c);
	rig_settle(t.f);
	assert_int_equal(t.b->ins, 1);
	c = (struct torus_tofu_command){
		.op = TORUS_TOFU_PUT, .length = 8, .local = t.local, .remote = t.remote,
		.peer_vcq = 3, .steps = 3,
	};
	engine_register(t.b, 3, t.to, 8, ENGINE_STAG + 1, false);
	t.b->region[0].bytes = NULL;
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(t.b->ins, 4);
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(t.b->ins, 5);
	/* two steps are left */
	c = (struct torus_tofu_command){
		.op = TORUS_TOFU_NOP, .vcq = 3, .flags = TORUS_TOFU_SESSION | TORUS_TOFU_TELL_TCQ,
	};
	for (i = 0; i < 3; i++)
		engine_post(t.b, t.a, &c);
	rig_settle(t.f);
	assert_int_equal(t.b->ins, 7);
	engine_pair_free(&t);
}

/* STAG 0 is valid. */
static void test_first_stag(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;

	engine_pair_make(&t, "3x1x1", "", 12, 64);
	c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, 8);
	c.local = engine_register(t.a, 0, t.from, t.bytes, 0, false);
	c.remote = engine_register(t.b, 0, t.to, t.bytes, 0, false);
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	engine_check_notice(engine_find(t.a, TORUS_TOFU_LCL_PUT, 0), 0, 8, 8);
	engine_check_notice(engine_find(t.b, TORUS_TOFU_RMT_PUT, 0), 0, 8, 8);
	engine_pair_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_put),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_piggyback),
		cmocka_unit_test(test_get),
		cmocka_unit_test(test_atomics),
		cmocka_unit_test(test_many_adders),
		cmocka_unit_test(test_unread),
		cmocka_unit_test(test_session),
		cmocka_unit_test(test_first_stag),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
