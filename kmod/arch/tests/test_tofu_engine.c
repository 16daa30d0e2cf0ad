// SPDX-License-Identifier: GPL-2.0
/* Tofu's engines: put, get, piggyback, atomics, notices; what they refuse, and leave alone. */
#include <stdlib.h>

#include "arch/tests/engine_rig.h"
#include "core/base/number.h"

#define LATENCY		125u	/* of a hop */
#define DELAYS		996u	/* engine_delay and memory_delay */
#define TELL_ALL	(TORUS_TOFU_TELL_TCQ | TORUS_TOFU_TELL_LOCAL | TORUS_TOFU_TELL_REMOTE)
#define STAG		300u

static const struct torus_tofu_notice *find(const struct engine_program *p, u32 type, u32 nth)
{
	u32 i;

	for (i = 0; i < p->ins; i++)
		if (p->in[i].type == type && !nth--)
			return &p->in[i];
	return NULL;
}

static u64 when(const struct engine_program *p, u32 type)
{
	return p->at[find(p, type, 0) - p->in];
}

static u32 count(const struct engine_program *p, u32 type)
{
	u32 n = 0;

	while (find(p, type, n))
		n++;
	return n;
}

static void mark(u8 *bytes, u32 length, u32 seed)
{
	u64 rng = torus_random_seed(1, 11, seed);
	u32 i;

	for (i = 0; i < length; i++)
		bytes[i] = (u8)(torus_random(&rng) >> 32);
}

/* Two programs, a guard of bytes that nobody may touch around what is transferred. */
#define GUARD	64u

struct pair {
	struct torus_fabric *f;
	struct engine_program *a, *b;
	u8 *from, *to;
	u64 local, remote;
	u32 bytes;
};

static void pair_make(struct pair *t, const char *shape, const char *settings, u32 peer, u32 bytes)
{
	memset(t, 0, sizeof(*t));
	t->f = rig_make_arch("tofu", shape, settings);
	t->a = engine_attach(t->f, 0, 0);
	t->b = peer ? engine_attach(t->f, peer, 0) : t->a;
	t->bytes = bytes + 2 * GUARD;
	t->from = malloc(t->bytes);
	t->to = malloc(t->bytes);
	mark(t->from, t->bytes, 1);
	mark(t->to, t->bytes, 2);
	t->local = engine_register(t->a, 0, t->from, t->bytes, STAG, false);
	t->remote = engine_register(t->b, 0, t->to, t->bytes, STAG + 1, false);
}

static void pair_free(struct pair *t)
{
	rig_empty(t->f);
	if (t->b != t->a)
		engine_end(t->b);
	engine_end(t->a);
	torus_fabric_destroy(t->f);
	free(t->from);
	free(t->to);
}

/* So many bytes at @at are the other side's, all others as they were. */
static void pair_check(const struct pair *t, const u8 *got, u32 seed, const u8 *source, u32 at,
		       u32 from, u32 length)
{
	u8 *right = malloc(t->bytes);

	mark(right, t->bytes, seed);
	if (length)
		memcpy(right + at, source + from, length);
	assert_memory_equal(got, right, t->bytes);
	free(right);
}

static struct torus_tofu_command transfer(const struct pair *t, u32 op, u32 from, u32 at,
					  u32 length)
{
	return (struct torus_tofu_command){
		.op = (u8)op, .flags = TELL_ALL, .length = length, .edata = 77, .cookie = 0x1234,
		.local = t->local + from, .remote = t->remote + at,
	};
}

static void check_notice(const struct torus_tofu_notice *n, u32 code, u64 local, u64 remote)
{
	assert_non_null(n);
	assert_int_equal(n->code, code);
	assert_int_equal(n->edata, 77);
	assert_int_equal(n->local, local);
	assert_int_equal(n->remote, remote);
}

/* Ticks of a put over so many links: as engine.h has it. */
static u64 put_ticks(u32 hops, u32 length)
{
	u32 packets = (length + TOFU_DATA_MAX - 1) / TOFU_DATA_MAX;
	u32 last = length - (packets - 1) * TOFU_DATA_MAX;

	/* packets follow each other without a gap */
	return DELAYS + hops * LATENCY +
	       ((packets - 1) * TOFU_PACKET_CHUNKS + tofu_chunks(last)) * TOFU_CHUNK_TICKS;
}

static const u32 lengths[] = {
	1, 7, 8, 32, 33, 255, TOFU_DATA_MAX - 1, TOFU_DATA_MAX, TOFU_DATA_MAX + 1,
	3 * TOFU_DATA_MAX + 5, 100003,
};

/* Byte by byte, at odd places, and when. */
static void test_put(void **state)
{
	struct torus_tofu_command c;
	struct pair t;
	u32 i, at = GUARD - 3, from = GUARD + 5;

	for (i = 0; i < COUNT(lengths); i++) {
		/* over one link: x */
		pair_make(&t, "3x1x1", "", 12, lengths[i]);
		c = transfer(&t, TORUS_TOFU_PUT, from, at, lengths[i]);
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		pair_check(&t, t.to, 2, t.from, at, from, lengths[i]);
		check_notice(find(t.a, TORUS_TOFU_TCQ, 0), 0, c.local + c.length,
			     c.remote + c.length);
		assert_int_equal(find(t.a, TORUS_TOFU_TCQ, 0)->cookie, 0x1234);
		check_notice(find(t.a, TORUS_TOFU_LCL_PUT, 0), 0, c.local + c.length,
			     c.remote + c.length);
		check_notice(find(t.b, TORUS_TOFU_RMT_PUT, 0), 0, c.local + c.length,
			     c.remote + c.length);
		assert_int_equal(find(t.b, TORUS_TOFU_RMT_PUT, 0)->peer_node, 0);
		assert_int_equal(find(t.a, TORUS_TOFU_LCL_PUT, 0)->peer_node,
				 torus_node_number(&t.f->cfg.geo, 12));
		assert_int_equal(when(t.b, TORUS_TOFU_RMT_PUT), put_ticks(1, lengths[i]));
		assert_int_equal(t.a->ins + t.b->ins, 3);
		pair_free(&t);
	}
}

/* The longest, and none longer. */
static void test_longest(void **state)
{
	struct torus_tofu_command c;
	struct pair t;

	pair_make(&t, "1x1x1", "", 1, TORUS_TOFU_LENGTH_MAX);
	c = transfer(&t, TORUS_TOFU_PUT, 1, 3, TORUS_TOFU_LENGTH_MAX);
	engine_post(t.a, t.b, &c);
	c.length++;
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(t.a->refused, 1);
	assert_int_equal(t.a->out[1].code, TORUS_REFUSE_COMMAND);
	pair_check(&t, t.to, 2, t.from, 3, 1, TORUS_TOFU_LENGTH_MAX);
	pair_free(&t);
}

/* 0.91 us over one link; each further one adds its latency. */
static void test_latency(void **state)
{
	static const struct { u32 peer, hops; } some[] = {
		{ 1, 1 }, { 2, 2 }, { 4, 4 }, { 0, 0 },
	};
	struct torus_tofu_command c;
	struct pair t;
	u64 ticks;
	u32 i;

	for (i = 0; i < COUNT(some); i++) {
		pair_make(&t, "9x1x1", "", some[i].peer, 8);
		c = transfer(&t, TORUS_TOFU_PUT, 0, 0, 8);
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		ticks = when(t.b, TORUS_TOFU_RMT_PUT);
		assert_int_equal(ticks, DELAYS + some[i].hops * LATENCY + 16);
		/* a tick is 0.8 ns: within 5 ns of 910 */
		if (some[i].hops == 1)
			assert_in_range(ticks * 8 / 10, 905, 915);
		/* the answer comes back the same way */
		if (some[i].hops)
			assert_int_equal(when(t.a, TORUS_TOFU_LCL_PUT),
					 ticks + some[i].hops * LATENCY + 16 + 498);
		pair_free(&t);
	}
}

static void test_piggyback(void **state)
{
	struct torus_tofu_command c;
	struct pair t;
	u32 length;

	for (length = 1; length <= TORUS_TOFU_PIGGYBACK_MAX; length++) {
		pair_make(&t, "2x1x1", "", 13, 64);
		c = transfer(&t, TORUS_TOFU_PIGGYBACK, 0, GUARD + 1, length);
		c.local = 0;
		mark((u8 *)c.data, sizeof(c.data), length);
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		pair_check(&t, t.to, 2, (u8 *)c.data, GUARD + 1, 0, length);
		check_notice(find(t.b, TORUS_TOFU_RMT_PUT, 0), 0, 0, c.remote + length);
		pair_free(&t);
	}
}

static void test_get(void **state)
{
	struct torus_tofu_command c;
	struct pair t;
	u32 i, at = GUARD - 9, from = GUARD + 1;

	for (i = 0; i < COUNT(lengths); i++) {
		pair_make(&t, "3x1x1", i & 1 ? "tnis=6" : "", 12, lengths[i]);
		/* from b's @at to a's @from */
		c = transfer(&t, TORUS_TOFU_GET, from, at, lengths[i]);
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		pair_check(&t, t.from, 1, t.to, from, at, lengths[i]);
		check_notice(find(t.a, TORUS_TOFU_LCL_GET, 0), 0, c.local + c.length,
			     c.remote + c.length);
		check_notice(find(t.b, TORUS_TOFU_RMT_GET, 0), 0, c.local + c.length,
			     c.remote + c.length);
		assert_int_equal(count(t.a, TORUS_TOFU_TCQ), 1);
		/* request, then data as of a put that is posted when it has been taken */
		assert_int_equal(when(t.a, TORUS_TOFU_LCL_GET),
				 put_ticks(1, lengths[i]) + 498 + LATENCY + 16);
		pair_free(&t);
	}
}

/* Which code, who tells it, and that nothing was written. */
struct wrong {
	u32 op;
	u64 local, remote;	/* beyond the registered address */
	u32 length;
	u32 code;
	bool far;
};

static const struct wrong wrongs[] = {
	{ TORUS_TOFU_PUT, 0, 65, GUARD * 2, TORUS_TOFU_LENGTH, true },
	{ TORUS_TOFU_PUT, 1, 0, GUARD * 3, TORUS_TOFU_LENGTH, false },
	{ TORUS_TOFU_PUT, 0, (1ull << 40) - 8, 16, TORUS_TOFU_LENGTH, true },
	{ TORUS_TOFU_PUT, 0, -1ull, 16, TORUS_TOFU_STADD, true },
	{ TORUS_TOFU_PUT, 0, 5ull << 40, 16, TORUS_TOFU_STADD, true },
	{ TORUS_TOFU_PUT, 5ull << 40, 0, 16, TORUS_TOFU_STADD, false },
	{ TORUS_TOFU_GET, 0, 65, GUARD * 2, TORUS_TOFU_LENGTH, true },
	{ TORUS_TOFU_GET, 65, 0, GUARD * 2, TORUS_TOFU_LENGTH, false },
	{ TORUS_TOFU_GET, 0, 5ull << 40, 16, TORUS_TOFU_STADD, true },
	{ TORUS_TOFU_GET, 5ull << 40, 0, 16, TORUS_TOFU_STADD, false },
	{ TORUS_TOFU_ATOMIC, 0, 192, 8, TORUS_TOFU_LENGTH, true },
	{ TORUS_TOFU_ATOMIC, 0, 4, 8, TORUS_TOFU_STADD, true },
	{ TORUS_TOFU_ATOMIC, 0, 2, 4, TORUS_TOFU_STADD, true },
	{ TORUS_TOFU_ATOMIC, 0, 5ull << 40, 8, TORUS_TOFU_STADD, true },
};

static void check_wrong(struct pair *t, const struct wrong *w, u32 tell)
{
	static const u32 type[] = {
		[TORUS_TOFU_PUT] = TORUS_TOFU_LCL_PUT, [TORUS_TOFU_GET] = TORUS_TOFU_LCL_GET,
		[TORUS_TOFU_ATOMIC] = TORUS_TOFU_LCL_ATOMIC,
	};
	struct torus_tofu_command c = {
		.op = (u8)w->op, .flags = (u16)tell, .edata = 77, .remote = t->remote + w->remote,
	};
	const struct torus_tofu_notice *n;
	u32 before = t->a->ins;

	if (w->op == TORUS_TOFU_ATOMIC) {
		c.size = (u8)w->length;
		c.atomic = TORUS_TOFU_ADD;
		c.data[0] = 1;
	} else {
		c.length = w->length;
		c.local = t->local + w->local;
	}
	engine_post(t->a, t->b, &c);
	rig_settle(t->f);
	pair_check(t, t->to, 2, NULL, 0, 0, 0);
	pair_check(t, t->from, 1, NULL, 0, 0, 0);
	n = &t->a->in[t->a->ins - 1];
	assert_true(t->a->ins > before);
	assert_int_equal(n->code, w->code);
	assert_int_equal(n->remote_code, w->far);
	assert_int_equal(n->type, w->far || tell & TORUS_TOFU_TELL_LOCAL ? type[w->op] :
									     TORUS_TOFU_TCQ);
	assert_int_equal(t->b->ins, 0);
}

/* Told whether asked for or not, and nothing touched. */
static void test_wrong(void **state)
{
	struct pair t;
	u32 i;

	pair_make(&t, "3x1x1", "", 12, 64);
	for (i = 0; i < COUNT(wrongs); i++) {
		check_wrong(&t, &wrongs[i], TELL_ALL);
		check_wrong(&t, &wrongs[i], 0);
	}
	pair_free(&t);
}

/* Read only, another queue's, given back, and of a program that is no more. */
static void test_closed(void **state)
{
	const struct wrong denied = { TORUS_TOFU_PUT, 0, 0, 16, TORUS_TOFU_MEMORY, true };
	const struct wrong added = { TORUS_TOFU_ATOMIC, 0, 0, 8, TORUS_TOFU_MEMORY, true };
	struct wrong gone = { TORUS_TOFU_PUT, 0, 0, 16, TORUS_TOFU_STADD, true };
	struct torus_tofu_command c;
	struct torus_error err;
	struct pair t;

	pair_make(&t, "3x1x1", "", 12, 64);
	t.b->region[0].read_only = true;
	check_wrong(&t, &denied, 0);
	check_wrong(&t, &added, 0);
	c = transfer(&t, TORUS_TOFU_GET, 0, 0, 16);
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	pair_check(&t, t.from, 1, t.to, 0, 0, 16);
	assert_int_equal(t.a->in[t.a->ins - 1].code, TORUS_TOFU_FINE);
	mark(t.from, t.bytes, 1);
	t.b->ins = 0;
	t.b->region[0].read_only = false;
	t.b->region[0].queue = tofu_queue(0, 1);
	check_wrong(&t, &gone, 0);
	t.b->region[0].queue = 0;
	engine_unregister(t.b, t.remote);
	check_wrong(&t, &gone, TELL_ALL);
	engine_register(t.b, 0, t.to, t.bytes, STAG + 1, false);
	assert_int_equal(torus_fabric_partition_set(t.f, 12, 3, &err), 0);
	gone.code = TORUS_TOFU_PEER;
	check_wrong(&t, &gone, 0);
	gone.op = TORUS_TOFU_GET;
	check_wrong(&t, &gone, 0);
	assert_int_equal(torus_fabric_partition_set(t.f, 12, 0, &err), 0);
	engine_leave(t.b);
	check_wrong(&t, &gone, 0);
	gone.op = TORUS_TOFU_PUT;
	check_wrong(&t, &gone, 0);
	pair_free(&t);
}

/* A program ends while it is put to: the rest fails, and its successor sees none of it. */
static void test_leaves(void **state)
{
	struct torus_tofu_command c;
	struct engine_program *next;
	struct pair t;

	pair_make(&t, "3x1x1", "", 12, 100 * TOFU_DATA_MAX);
	c = transfer(&t, TORUS_TOFU_PUT, 0, 0, 100 * TOFU_DATA_MAX);
	c.flags = 0;
	engine_post(t.a, t.b, &c);
	torus_nic_poll(t.f);
	torus_fabric_run(t.f, put_ticks(1, 50 * TOFU_DATA_MAX), 0, 1);
	engine_leave(t.b);
	next = engine_attach(t.f, 12, 0);
	mark(t.to, t.bytes, 2);
	engine_register(next, 0, t.to, t.bytes, STAG + 1, false);
	rig_settle(t.f);
	pair_check(&t, t.to, 2, NULL, 0, 0, 0);
	assert_int_equal(t.a->ins, 1);
	assert_int_equal(t.a->in[0].code, TORUS_TOFU_PEER);
	/* and when who puts leaves, it ends at a packet's edge */
	engine_post(t.a, next, &c);
	torus_nic_poll(t.f);
	torus_fabric_run(t.f, torus_fabric_clock(t.f) + put_ticks(1, 50 * TOFU_DATA_MAX), 0, 1);
	engine_leave(t.a);
	rig_settle(t.f);
	assert_memory_equal(t.to, t.from, 49 * TOFU_DATA_MAX);
	assert_int_not_equal(memcmp(t.to, t.from, 99 * TOFU_DATA_MAX), 0);
	engine_end(next);
	pair_free(&t);
}

/* All operations, of both sizes, beside what C makes of them. */
static void test_atomics(void **state)
{
	const u64 old = 0xf0e1d2c3b4a59687ull, operand = 0x0123456789abcdefull;
	const u64 right[] = {
		[TORUS_TOFU_CSWAP] = operand, [TORUS_TOFU_SWAP] = operand,
		[TORUS_TOFU_ADD] = old + operand, [TORUS_TOFU_XOR] = old ^ operand,
		[TORUS_TOFU_AND] = old & operand, [TORUS_TOFU_OR] = old | operand,
	};
	struct pair t;
	u32 i, size;

	pair_make(&t, "3x1x1", "", 12, 64);
	for (i = 0; i < 2 * (TORUS_TOFU_ATOMICS + 1); i++) {
		bool other = i / 2 == TORUS_TOFU_ATOMICS;	/* CSWAP that finds another */
		u32 op = other ? TORUS_TOFU_CSWAP : i / 2;
		const struct torus_tofu_notice *n;
		struct torus_tofu_command c;
		u64 mask, got;

		size = i & 1 ? 4 : 8;
		mask = size == 4 ? 0xffffffffull : ~0ull;
		memcpy(t.to + GUARD, &old, 8);
		c = (struct torus_tofu_command){
			.op = TORUS_TOFU_ATOMIC, .atomic = (u8)op, .size = (u8)size, .edata = 77,
			.flags = TELL_ALL, .remote = t.remote + GUARD,
			.data = { operand & mask, (old + other) & mask },
		};
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		memcpy(&got, t.to + GUARD, 8);
		assert_int_equal(got, ((other ? old : right[op]) & mask) | (old & ~mask));
		n = find(t.a, TORUS_TOFU_LCL_ATOMIC, i);
		check_notice(n, 0, 0, c.remote);
		assert_int_equal(n->value, old & mask);
		assert_int_equal(n->length, size);
		check_notice(find(t.b, TORUS_TOFU_RMT_ATOMIC, i), 0, 0, c.remote);
	}
	pair_free(&t);
}

#define ADDERS	23u
#define ADDS	20u

/* Many nodes on one word, by all engines: each finds another value there. */
static u64 adders_run(const char *settings, u32 threads)
{
	struct torus_fabric *f = rig_make_arch("tofu", "2x1x1", settings);
	struct engine_program *p[ADDERS + 1];
	struct torus_tally tally;
	u64 word = 0, seen[ADDERS * ADDS] = { 0 }, hash;
	u32 i, j, k;

	for (i = 0; i <= ADDERS; i++)
		p[i] = engine_attach(f, i, 0);
	for (j = 0; j < 4; j++)
		engine_register(p[ADDERS], tofu_queue(j, j), &word, 8, 7 + j, false);
	for (i = 0; i < ADDERS; i++)
		for (j = 0; j < ADDS; j++) {
			const struct torus_tofu_command c = {
				.op = TORUS_TOFU_ATOMIC, .atomic = TORUS_TOFU_ADD, .size = 8,
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
	torus_tally_sum(f, &tally);
	hash = tally.hash;
	assert_int_equal(tally.delivered, 2 * ADDERS * ADDS);
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

/* A program that reads no notices: none is lost, and no packet waits for it. */
static void test_unread(void **state)
{
	struct torus_tofu_command c;
	struct pair t;
	u32 i;

	pair_make(&t, "3x1x1", "", 12, 64);
	t.b->room = 0;
	for (i = 0; i < 300; i++) {
		c = transfer(&t, TORUS_TOFU_PUT, 0, 0, 8);
		c.flags = TORUS_TOFU_TELL_REMOTE;
		c.edata = (u8)i;
		engine_post(t.a, t.b, &c);
	}
	rig_settle(t.f);
	assert_int_equal(torus_fabric_in_flight(t.f), 0);
	assert_int_equal(t.b->ins, 0);
	assert_true(torus_nic_blocked(t.f));
	t.b->room = ~0u;
	rig_settle(t.f);
	assert_int_equal(t.b->ins, 300);
	for (i = 0; i < 300; i++)
		assert_int_equal(t.b->in[i].edata, i & 0xff);
	pair_free(&t);
}

/* Session mode: commands wait for steps, which puts bring; early ones are kept. */
static void test_session(void **state)
{
	struct torus_tofu_command c;
	struct pair t;
	u32 i;

	pair_make(&t, "3x1x1", "", 12, 64);
	for (i = 0; i < 4; i++) {
		c = (struct torus_tofu_command){
			.op = TORUS_TOFU_PIGGYBACK, .vcq = 3, .length = 8, .data = { i },
			.flags = TORUS_TOFU_SESSION | TORUS_TOFU_TELL_TCQ, .remote = t.local,
		};
		engine_post(t.b, t.a, &c);
	}
	/* of another queue: goes on */
	c.vcq = 0;
	c.flags = TORUS_TOFU_TELL_TCQ;
	engine_post(t.b, t.a, &c);
	rig_settle(t.f);
	assert_int_equal(t.b->ins, 1);
	c = (struct torus_tofu_command){
		.op = TORUS_TOFU_PUT, .length = 8, .local = t.local, .remote = t.remote,
		.peer_vcq = 3, .steps = 3,
	};
	engine_register(t.b, 3, t.to, 8, STAG + 1, false);
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
	pair_free(&t);
}

/* What no engine knows is refused, and counted. */
static void test_refused(void **state)
{
	static const struct torus_tofu_command bad[] = {
		{ .op = TORUS_TOFU_OPS },
		{ .op = TORUS_TOFU_PUT },
		{ .op = TORUS_TOFU_PUT, .length = 1, .vcq = TORUS_TOFU_VCQS },
		{ .op = TORUS_TOFU_PUT, .length = 1, .peer_engine = 4 },
		{ .op = TORUS_TOFU_PUT, .length = 1, .peer_vcq = TORUS_TOFU_VCQS },
		{ .op = TORUS_TOFU_PUT, .length = 1, .steps = 16 },
		{ .op = TORUS_TOFU_GET, .length = 1, .steps = 1 },
		{ .op = TORUS_TOFU_PUT, .length = 1, .flags = 16 },
		{ .op = TORUS_TOFU_PUT, .length = 1, .reserved = 1 },
		{ .op = TORUS_TOFU_PUT, .length = 1, .spare = 1 },
		{ .op = TORUS_TOFU_PUT, .length = 1, .size = 4 },
		{ .op = TORUS_TOFU_PIGGYBACK, .length = 33 },
		{ .op = TORUS_TOFU_PIGGYBACK, .length = 8, .local = 1 },
		{ .op = TORUS_TOFU_ATOMIC, .size = 2 },
		{ .op = TORUS_TOFU_ATOMIC, .size = 8, .atomic = TORUS_TOFU_ATOMICS },
		{ .op = TORUS_TOFU_ATOMIC, .size = 8, .length = 8 },
		{ .op = TORUS_TOFU_NOP, .length = 1 },
	};
	struct pair t;
	u32 i;

	pair_make(&t, "3x1x1", "", 12, 64);
	for (i = 0; i < COUNT(bad); i++)
		engine_post(t.a, t.b, &bad[i]);
	rig_settle(t.f);
	for (i = 0; i < COUNT(bad); i++)
		assert_int_equal(t.a->out[i].code, TORUS_REFUSE_COMMAND);
	engine_post_by(t.a, 0, t.b, 12, &bad[0]);
	rig_settle(t.f);
	assert_int_equal(t.a->out[i].code, TORUS_REFUSE_PATH);
	assert_int_equal(t.a->refused, COUNT(bad) + 1);
	assert_int_equal(t.a->ins + t.b->ins, 0);
	pair_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_put),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_piggyback),
		cmocka_unit_test(test_get),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_closed),
		cmocka_unit_test(test_leaves),
		cmocka_unit_test(test_atomics),
		cmocka_unit_test(test_many_adders),
		cmocka_unit_test(test_unread),
		cmocka_unit_test(test_session),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
