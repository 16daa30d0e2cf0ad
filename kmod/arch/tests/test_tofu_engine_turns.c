// SPDX-License-Identifier: GPL-2.0
/*
 * Tofu's engines: the order in which they serve packets and queues, and sessions. Results do not
 * depend on the number of domains.
 */
#include <stdlib.h>

#include "arch/tests/engine_rig.h"
#include "core/nic/inject_queue.h"
#include "core/run/windows.h"

/* Put a packet of software with full size into the queue of an injection FIFO. */
static void software(struct torus_fabric *f, u32 src, u32 dst, u32 fifo)
{
	struct torus_packet p = rig_packet(f, src, dst, TOFU_PACKET_CHUNKS);
	struct torus_domain *d = torus_domain_of(f, src);
	u32 pkt = torus_pool_get(&d->pool);

	torus_pool_fill(&d->pool, pkt, &p);
	torus_stats_inject(d, torus_packet_at(d, pkt));
	torus_inject_put(d, src, fifo, pkt);
}

/* A long put alternates with packets of software. */
static void test_software_too(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;
	struct rig_trace trace;
	u32 i, ours = 0;

	engine_pair_make(&t, "3x1x1", "engine_delay=1", 1, 40 * TOFU_DATA_MAX);
	rig_trace_start(t.f, &trace, 1u << TORUS_TRACE_DELIVER);
	c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, 40 * TOFU_DATA_MAX);
	c.flags = 0;
	engine_post(t.a, t.b, &c);
	torus_nic_poll(t.f);
	torus_fabric_run(t.f, 100, 0, 1);
	for (i = 0; i < 3; i++)
		software(t.f, 0, 2, 0);
	rig_settle(t.f);
	assert_int_equal(trace.n, 43);
	/* all packets of software arrive early, and never two in a row */
	for (i = 0; i < 12; i++)
		ours += trace.step[i].dst == 2;
	assert_int_equal(ours, 3);
	for (i = 1; i < trace.n; i++)
		assert_false(trace.step[i].dst == 2 && trace.step[i - 1].dst == 2);
	rig_trace_free(&trace);
	engine_pair_free(&t);
}

/*
 * At most TOFU_OPEN_MAX operations wait for replies. The next ones are sent when replies have
 * arrived.
 */
static void test_open_limit(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;
	struct rig_trace trace;
	u32 i, requests = 0;

	engine_pair_make(&t, "3x1x1", "memory_delay=50000", 1, 64);
	rig_trace_start(t.f, &trace, 1u << TORUS_TRACE_INJECT);
	c = engine_transfer(&t, TORUS_TOFU_GET, 0, 0, 8);
	c.flags = 0;
	for (i = 0; i < 3 * TOFU_OPEN_MAX; i++)
		engine_post(t.a, t.b, &c);
	torus_nic_poll(t.f);
	torus_fabric_run(t.f, 50000, 0, 1);
	for (i = 0; i < trace.n; i++)
		requests += trace.step[i].src == 0;
	assert_int_equal(requests, TOFU_OPEN_MAX);
	rig_settle(t.f);
	assert_int_equal(trace.n, 6 * TOFU_OPEN_MAX);
	rig_trace_free(&trace);
	engine_pair_free(&t);
}

/* A queue whose operations wait for replies does not delay another queue. */
static void test_open_other_queue(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;
	u32 i;

	engine_pair_make(&t, "3x1x1", "memory_delay=50000", 1, 64);
	c = engine_transfer(&t, TORUS_TOFU_GET, 0, 0, 8);
	c.flags = 0;
	for (i = 0; i <= TOFU_OPEN_MAX; i++)
		engine_post(t.a, t.b, &c);
	c = (struct torus_tofu_command){ .vcq = 1, .flags = TORUS_TOFU_TELL_TCQ };
	engine_post(t.a, t.b, &c);
	torus_nic_poll(t.f);
	torus_fabric_run(t.f, 50000, 0, 1);
	assert_int_equal(t.a->ins, 1);
	rig_settle(t.f);
	engine_pair_free(&t);
}

/* ------------------------------------------------------------------- sessions */

#define SESSION	3u	/* number of the session's queue */

/* Post @count commands of a session. Each notice has the number of its command as cookie. */
static void post_session(struct engine_pair *t, u32 first, u32 count)
{
	struct torus_tofu_command c = {
		.op = TORUS_TOFU_NOP, .vcq = SESSION,
		.flags = TORUS_TOFU_SESSION | TORUS_TOFU_TELL_TCQ,
	};

	for (; count; count--) {
		c.cookie = first++;
		engine_post(t->b, t->a, &c);
	}
}

/* Send puts whose steps permit the session to start @steps commands. */
static void step(struct engine_pair *t, u32 steps)
{
	struct torus_tofu_command c = {
		.op = TORUS_TOFU_PUT, .length = 8, .local = t->local, .remote = 400ull << 40,
		.peer_vcq = SESSION,
	};

	for (; steps; steps -= c.steps) {
		c.steps = (u8)(steps < TORUS_TOFU_STEPS_MAX ? steps : TORUS_TOFU_STEPS_MAX);
		engine_post(t->a, t->b, &c);
	}
	rig_settle(t->f);
}

/*
 * Commands of a session that wait do not delay other queues, up to TORUS_TOFU_WAITING commands.
 * Then the engine takes no more commands. Waiting commands run in order, as do commands without
 * the session flag after them.
 */
static void test_session_waits(void **state)
{
	const struct torus_tofu_command plain = {
		.op = TORUS_TOFU_NOP, .flags = TORUS_TOFU_TELL_TCQ, .cookie = 5000,
	};
	struct torus_tofu_command behind = plain;
	struct engine_pair t;
	u32 i;

	engine_pair_make(&t, "3x1x1", "", 1, 64);
	engine_register(t.b, tofu_queue(0, SESSION), t.to, 8, 400, false);
	post_session(&t, 0, TORUS_TOFU_WAITING - 1);
	engine_post(t.b, t.a, &plain);
	rig_settle(t.f);
	assert_int_equal(t.b->ins, 1);
	assert_int_equal(t.b->in[0].cookie, 5000);
	behind.vcq = SESSION;
	behind.cookie = TORUS_TOFU_WAITING - 1;
	engine_post(t.b, t.a, &behind);
	engine_post(t.b, t.a, &plain);
	post_session(&t, TORUS_TOFU_WAITING, 2);
	rig_settle(t.f);
	assert_int_equal(t.b->pulled, TORUS_TOFU_WAITING + 1);
	assert_int_equal(t.b->ins, 1);
	step(&t, 70);
	/* the engine takes commands again */
	assert_int_equal(t.b->ins, 72);
	step(&t, TORUS_TOFU_WAITING);
	assert_int_equal(t.b->ins, TORUS_TOFU_WAITING + 4);
	for (i = 1; i < t.b->ins && t.b->in[i].cookie != 5000; i++)
		assert_int_equal(t.b->in[i].cookie, i - 1);
	for (i++; i < t.b->ins; i++)
		assert_int_equal(t.b->in[i].cookie, i - 2);
	/* steps that arrived early are kept */
	post_session(&t, 0, 4);
	rig_settle(t.f);
	assert_int_equal(t.b->ins, TORUS_TOFU_WAITING + 8);
	/* the waiting commands of a program that leaves are discarded */
	post_session(&t, 0, 200);
	rig_settle(t.f);
	engine_leave(t.b);
	rig_settle(t.f);
	engine_pair_free(&t);
}

/*
 * Return the ticks until @length bytes have arrived at each of four neighbours, sent by one engine
 * or by four.
 */
static u64 spread(u32 op, u32 engines, u8 *bytes, u32 length)
{
	/* along x, z, a and c: no two of these paths share a link */
	static const u32 to[4][TOFU_AXES] = {
		{ 1, 0, 0, 0, 0, 0 }, { 0, 0, 1, 0, 0, 0 }, { 0, 0, 0, 1, 0, 0 },
		{ 0, 0, 0, 0, 0, 1 },
	};
	struct torus_fabric *f = rig_make_arch("tofu", "3x3x3", "");
	struct engine_program *a = engine_attach(f, 0, 0), *p[4];
	u64 last = 0;
	u32 i;

	for (i = 0; i < 4; i++) {
		u32 at[TORUS_DIMS_MAX] = { 0 };
		struct torus_tofu_command c = {
			.op = (u8)op, .length = length, .peer_engine = (u8)i,
			.flags = ENGINE_TELL_ALL, .remote = (u64)i << 40, .local = 9ull << 40,
		};

		memcpy(at, to[i], sizeof(to[i]));
		p[i] = engine_attach(f, torus_geometry_node(&f->cfg.geo, at), 0);
		engine_register(p[i], tofu_queue(i, 0), bytes, length, i, false);
		if (!i || engines > 1)
			engine_register(a, tofu_queue(i, 0), bytes, length, 9 + i, false);
		c.local += engines > 1 ? (u64)i << 40 : 0;
		engine_post_by(a, engines > 1 ? i : 0, p[i], TORUS_TOFU_PATH_ANY, &c);
	}
	rig_settle(f);
	assert_int_equal(a->ins, 8);
	for (i = 0; i < 8; i++)
		last = a->at[i] > last ? a->at[i] : last;
	for (i = 0; i < 4; i++)
		engine_end(p[i]);
	engine_end(a);
	rig_empty(f);
	torus_fabric_destroy(f);
	return last;
}

/* Four engines on disjoint paths transfer at least 3.5 times as much as one, for put and get. */
static void test_four_engines(void **state)
{
	u32 length = 100 * TOFU_DATA_MAX, op;
	u8 *bytes = calloc(1, length);

	for (op = TORUS_TOFU_PUT; op <= TORUS_TOFU_GET; op += TORUS_TOFU_GET - TORUS_TOFU_PUT) {
		u64 one = spread(op, 1, bytes, length), four = spread(op, 4, bytes, length);

		assert_true(2 * one >= 7 * four);
	}
	free(bytes);
}

#define NODES	24u
#define BYTES	(5 * TOFU_DATA_MAX)

/*
 * Each program puts to one node and gets from another. Return: the delivery hash.
 */
static u64 storm(const char *settings)
{
	struct torus_fabric *f = rig_make_arch("tofu", "2x1x1", settings);
	struct engine_program *p[NODES];
	struct torus_stats stats;
	u8 *memory = malloc(3 * NODES * BYTES);
	u32 i, j;

	for (i = 0; i < NODES; i++)
		p[i] = engine_attach(f, i, i & 1);
	for (i = 0; i < NODES; i++) {
		u8 *own = memory + 3 * i * BYTES;

		engine_mark(own, BYTES, i);
		for (j = 0; j < 4; j++)
			engine_register(p[i], tofu_queue(j, 0), own, 3 * BYTES, j, false);
	}
	for (i = 0; i < NODES; i++)
		for (j = 0; j < 4; j++) {
			u64 own = (u64)((i & 1) * TORUS_TOFU_FIFOS + j) % 4 << 40;
			struct torus_tofu_command c = {
				.op = TORUS_TOFU_PUT, .length = BYTES / 4, .peer_engine = (u8)j,
				.local = own + j * (BYTES / 4),
				.remote = ((u64)j << 40) + BYTES + j * (BYTES / 4),
				.flags = ENGINE_TELL_ALL,
			};

			engine_post_by(p[i], j, p[(i + 5) % NODES], 3 * j, &c);
			c.op = TORUS_TOFU_GET;
			c.local = own + 2 * BYTES + j * (BYTES / 4);
			c.remote = ((u64)j << 40) + j * (BYTES / 4);
			engine_post_by(p[i], j, p[(i + 7) % NODES], 3 * j + 1, &c);
		}
	rig_settle(f);
	for (i = 0; i < NODES; i++) {
		assert_memory_equal(memory + (3 * ((i + 5) % NODES) + 1) * BYTES,
				    memory + 3 * i * BYTES, BYTES);
		assert_memory_equal(memory + (3 * i + 2) * BYTES,
				    memory + 3 * ((i + 7) % NODES) * BYTES, BYTES);
		/*
		 * two notices of each of the program's four puts and four gets, and one of each of
		 * as many operations of other programs
		 */
		assert_int_equal(p[i]->ins, 4 * 6);
	}
	torus_stats_sum(f, &stats);
	rig_empty(f);
	for (i = 0; i < NODES; i++)
		engine_end(p[i]);
	torus_fabric_destroy(f);
	free(memory);
	return stats.hash;
}

/*
 * The hash is equal with each number of domains, with and without link errors. No number of threads
 * is set, so domains are not merged.
 */
static void test_domains(void **state)
{
	u64 hash = storm(""), damaged = storm("ber=1e-6");

	assert_int_equal(storm("domains=2"), hash);
	assert_int_equal(storm("domains=5"), hash);
	assert_int_equal(storm("crc=full"), hash);
	assert_int_not_equal(damaged, hash);
	assert_int_equal(storm("ber=1e-6 domains=2"), damaged);
	assert_int_equal(storm("ber=1e-6 domains=5"), damaged);
}

/* Number of chunks of the packet that arrived last at a node. */
struct last {
	struct torus_tracer tracer;
	u32 node;
	u32 chunks;
};

static void on_delivery(struct torus_tracer *tracer, struct torus_domain *d, u32 what, u32 node,
			u32 dir, u32 vc, const struct torus_packet *p)
{
	struct last *last = (struct last *)tracer;

	if (what == TORUS_TRACE_DELIVER && node == last->node)
		last->chunks = p->chunks;
}

/*
 * A put that needs no reply is not sent before earlier operations of its queue, which wait for a
 * free entry.
 */
static void test_silent(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;
	struct last last = { .tracer.event = on_delivery };
	u32 i;

	engine_pair_make(&t, "3x1x1", "", 1, TOFU_DATA_MAX);
	last.node = t.b->node;
	t.f->domain[0].tracer = &last.tracer;
	c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, 8);
	c.flags = TORUS_TOFU_TELL_LOCAL;
	for (i = 0; i < TOFU_OPEN_MAX + 1; i++)
		engine_post(t.a, t.b, &c);
	c.length = TOFU_DATA_MAX;
	c.flags = 0;
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(engine_count(t.a, TORUS_TOFU_LCL_PUT), TOFU_OPEN_MAX + 1);
	assert_int_equal(last.chunks, TOFU_PACKET_CHUNKS);
	engine_pair_free(&t);
}

/* A reset discards the work of the engines and keeps the programs attached. */
static void test_reset(void **state)
{
	struct torus_tofu_command c;
	struct torus_error err;
	struct engine_pair t;

	engine_pair_make(&t, "3x1x1", "", 1, 40 * TOFU_DATA_MAX);
	c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, 40 * TOFU_DATA_MAX);
	engine_post(t.a, t.b, &c);
	torus_nic_poll(t.f);
	torus_fabric_run(t.f, engine_put_ticks(1, 9 * TOFU_DATA_MAX), 0, 1);
	if (torus_fabric_reset(t.f, 1, &err))
		fail_msg("%s", err.text);
	rig_settle(t.f);
	assert_int_equal(t.a->ins + t.b->ins, 0);
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(t.a->ins + t.b->ins, 3);
	engine_pair_check(&t, t.to, 2, t.from, 0, 0, 40 * TOFU_DATA_MAX);
	engine_pair_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_software_too),
		cmocka_unit_test(test_open_limit),
		cmocka_unit_test(test_open_other_queue),
		cmocka_unit_test(test_session_waits),
		cmocka_unit_test(test_silent),
		cmocka_unit_test(test_four_engines),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
