// SPDX-License-Identifier: GPL-2.0
/*
 * Tofu's engines: rejected commands and failing operations. The tests check the notices, and that
 * no memory was changed.
 */
#include "arch/tests/engine_rig.h"
#include "arch/tofu/barrier.h"
#include "core/run/windows.h"

/* A wrong operation, the expected error code, and the side that reports it. */
struct wrong {
	u32 op;
	u64 local, remote;	/* offset from the registered address */
	u32 length;
	u32 code;
	bool far;
};

static const struct wrong wrongs[] = {
	{ TORUS_TOFU_PUT, 0, 65, ENGINE_GUARD * 2, TORUS_TOFU_LENGTH, true },
	{ TORUS_TOFU_PUT, 1, 0, ENGINE_GUARD * 3, TORUS_TOFU_LENGTH, false },
	{ TORUS_TOFU_PUT, 0, (1ull << 40) - 8, 16, TORUS_TOFU_LENGTH, true },
	{ TORUS_TOFU_PUT, 0, -1ull, 16, TORUS_TOFU_STADD, true },
	{ TORUS_TOFU_PUT, 0, 5ull << 40, 16, TORUS_TOFU_STADD, true },
	{ TORUS_TOFU_PUT, 5ull << 40, 0, 16, TORUS_TOFU_STADD, false },
	{ TORUS_TOFU_GET, 0, 65, ENGINE_GUARD * 2, TORUS_TOFU_LENGTH, true },
	{ TORUS_TOFU_GET, 65, 0, ENGINE_GUARD * 2, TORUS_TOFU_LENGTH, false },
	{ TORUS_TOFU_GET, 0, 5ull << 40, 16, TORUS_TOFU_STADD, true },
	{ TORUS_TOFU_GET, 5ull << 40, 0, 16, TORUS_TOFU_STADD, false },
	{ TORUS_TOFU_ATOMIC, 0, 192, 8, TORUS_TOFU_LENGTH, true },
	{ TORUS_TOFU_ATOMIC, 0, 4, 8, TORUS_TOFU_STADD, true },
	{ TORUS_TOFU_ATOMIC, 0, 2, 4, TORUS_TOFU_STADD, true },
	{ TORUS_TOFU_ATOMIC, 0, 5ull << 40, 8, TORUS_TOFU_STADD, true },
};

static void check_wrong(struct engine_pair *t, const struct wrong *w, u32 flags)
{
	static const u32 type[] = {
		[TORUS_TOFU_PUT] = TORUS_TOFU_LCL_PUT, [TORUS_TOFU_GET] = TORUS_TOFU_LCL_GET,
		[TORUS_TOFU_ATOMIC] = TORUS_TOFU_LCL_ATOMIC,
	};
	struct torus_tofu_command c = {
		.op = (u8)w->op, .flags = (u16)flags, .edata = 77, .remote = t->remote + w->remote,
	};
	const struct torus_tofu_notice *n;
	u32 before = t->a->ins;

	if (w->op == TORUS_TOFU_ATOMIC) {
		c.size = (u8)w->length;
		c.atomic = TORUS_ATOMIC_ADD;
		c.data[0] = 1;
	} else {
		c.length = w->length;
		c.local = t->local + w->local;
	}
	engine_post(t->a, t->b, &c);
	rig_settle(t->f);
	engine_pair_check(t, t->to, 2, NULL, 0, 0, 0);
	engine_pair_check(t, t->from, 1, NULL, 0, 0, 0);
	n = &t->a->in[t->a->ins - 1];
	assert_true(t->a->ins > before);
	assert_int_equal(n->code, w->code);
	assert_int_equal(n->remote_code, w->far);
	assert_int_equal(n->type, w->far || flags & TORUS_TOFU_TELL_LOCAL ? type[w->op] :
									     TORUS_TOFU_TCQ);
	assert_int_equal(t->b->ins, 0);
}

/* An error is reported even if no notice was requested, and no memory is changed. */
static void test_wrong(void **state)
{
	struct engine_pair t;
	u32 i;

	engine_pair_make(&t, "3x1x1", "", 12, 64);
	for (i = 0; i < COUNT(wrongs); i++) {
		check_wrong(&t, &wrongs[i], ENGINE_TELL_ALL);
		check_wrong(&t, &wrongs[i], 0);
	}
	engine_pair_free(&t);
}

/* A long put or get whose end is out of range does not change memory at its beginning either. */
static void test_long(void **state)
{
	u32 length = 4 * TOFU_DATA_MAX;
	struct wrong w = { TORUS_TOFU_PUT, 0, 0, length, TORUS_TOFU_LENGTH, true };
	struct engine_pair t;

	engine_pair_make(&t, "3x1x1", "", 12, length);
	t.b->region[0].length = length - 1;
	check_wrong(&t, &w, 0);
	w.op = TORUS_TOFU_GET;
	check_wrong(&t, &w, 0);
	t.b->region[0].length = length;
	t.a->region[0].length = length - 1;
	w.far = false;
	check_wrong(&t, &w, 0);
	w.op = TORUS_TOFU_PUT;
	check_wrong(&t, &w, 0);
	engine_pair_free(&t);
}

/*
 * Operations fail on read-only memory, another queue's memory, unregistered memory, and memory of
 * a program that has ended.
 */
static void test_closed(void **state)
{
	const struct wrong denied = { TORUS_TOFU_PUT, 0, 0, 16, TORUS_TOFU_MEMORY, true };
	const struct wrong added = { TORUS_TOFU_ATOMIC, 0, 0, 8, TORUS_TOFU_MEMORY, true };
	struct wrong gone = { TORUS_TOFU_PUT, 0, 0, 16, TORUS_TOFU_STADD, true };
	struct torus_tofu_command c;
	struct torus_error err;
	struct engine_pair t;

	engine_pair_make(&t, "3x1x1", "", 12, 64);
	t.b->region[0].read_only = true;
	check_wrong(&t, &denied, 0);
	check_wrong(&t, &added, 0);
	c = engine_transfer(&t, TORUS_TOFU_GET, 0, 0, 16);
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	engine_pair_check(&t, t.from, 1, t.to, 0, 0, 16);
	assert_int_equal(t.a->in[t.a->ins - 1].code, TORUS_TOFU_FINE);
	engine_mark(t.from, t.bytes, 1);
	t.b->ins = 0;
	t.b->region[0].read_only = false;
	t.b->region[0].queue = tofu_queue(0, 1);
	check_wrong(&t, &gone, 0);
	t.b->region[0].queue = 0;
	engine_unregister(t.b, t.remote);
	check_wrong(&t, &gone, ENGINE_TELL_ALL);
	engine_register(t.b, 0, t.to, t.bytes, ENGINE_STAG + 1, false);
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
	engine_pair_free(&t);
}

/*
 * If a program ends during a put to it, the rest of the put fails, and the next owner of the group
 * receives none of it.
 */
static void test_leaves(void **state)
{
	struct torus_tofu_command c;
	struct engine_program *next;
	struct engine_pair t;

	engine_pair_make(&t, "3x1x1", "", 12, 100 * TOFU_DATA_MAX);
	c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, 100 * TOFU_DATA_MAX);
	c.flags = 0;
	engine_post(t.a, t.b, &c);
	torus_nic_poll(t.f);
	torus_fabric_run(t.f, engine_put_ticks(1, 50 * TOFU_DATA_MAX), 0, 1);
	engine_leave(t.b);
	next = engine_attach(t.f, 12, 0);
	engine_mark(t.to, t.bytes, 2);
	engine_register(next, 0, t.to, t.bytes, ENGINE_STAG + 1, false);
	rig_settle(t.f);
	engine_pair_check(&t, t.to, 2, NULL, 0, 0, 0);
	assert_int_equal(t.a->ins, 1);
	assert_int_equal(t.a->in[0].code, TORUS_TOFU_PEER);
	/* if the sending program leaves, the put ends after a whole packet */
	engine_post(t.a, next, &c);
	torus_nic_poll(t.f);
	torus_fabric_run(t.f, torus_fabric_clock(t.f) + engine_put_ticks(1, 50 * TOFU_DATA_MAX),
			 0, 1);
	engine_leave(t.a);
	rig_settle(t.f);
	assert_memory_equal(t.to, t.from, 49 * TOFU_DATA_MAX);
	assert_int_not_equal(memcmp(t.to, t.from, 99 * TOFU_DATA_MAX), 0);
	engine_end(next);
	engine_pair_free(&t);
}

/* Unknown commands are rejected and counted. */
static void test_refused(void **state)
{
	static const struct torus_tofu_command bad[] = {
		{ .op = TORUS_TOFU_OPS },
		{ .op = TORUS_TOFU_PUT },
		{ .op = TORUS_TOFU_PUT, .length = 1, .vcq = TORUS_VCQS },
		{ .op = TORUS_TOFU_PUT, .length = 1, .peer_engine = 4 },
		{ .op = TORUS_TOFU_PUT, .length = 1, .peer_vcq = TORUS_VCQS },
		{ .op = TORUS_TOFU_PUT, .length = 1, .steps = 16 },
		{ .op = TORUS_TOFU_GET, .length = 1, .steps = 1 },
		{ .op = TORUS_TOFU_PUT, .length = 1, .flags = 16 },
		{ .op = TORUS_TOFU_PUT, .length = 1, .reserved = 1 },
		{ .op = TORUS_TOFU_PUT, .length = 1, .spare = 1 },
		{ .op = TORUS_TOFU_PUT, .length = 1, .size = 4 },
		{ .op = TORUS_TOFU_PIGGYBACK, .length = 33 },
		{ .op = TORUS_TOFU_PIGGYBACK, .length = 8, .local = 1 },
		{ .op = TORUS_TOFU_ATOMIC, .size = 2 },
		{ .op = TORUS_TOFU_ATOMIC, .size = 8, .atomic = TORUS_ATOMICS },
		{ .op = TORUS_TOFU_ATOMIC, .size = 8, .length = 8 },
		{ .op = TORUS_TOFU_NOP, .length = 1 },
	};
	struct engine_pair t;
	u32 i;

	engine_pair_make(&t, "3x1x1", "", 12, 64);
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
	engine_pair_free(&t);
}

/* Send a packet to engine 0 with header @head and data; @flags: TORUS_PACKET_*. */
static void send_head(struct torus_fabric *f, const struct tofu_head *head, u32 chunks, u8 flags)
{
	struct torus_packet p = rig_packet(f, 0, 12, chunks);
	struct torus_domain *d = torus_domain_of(f, 0);
	u8 *bytes;

	p.body = torus_bodies_get(&d->bodies);
	bytes = torus_body_at(&d->bodies, p.body)->bytes;
	memset(bytes, 0, chunks * TOFU_CHUNK_BYTES);
	memcpy(bytes + TOFU_HEAD_AT, head, sizeof(*head));
	tofu_fields(&p)->fifo = TORUS_TOFU_FIFO_GATE;
	tofu_fields(&p)->sw = TORUS_TOFU_KIND_ENGINE << TORUS_TOFU_KIND_SHIFT;
	p.flags |= flags;
	rig_inject(f, 0, &p);
	rig_settle(f);
}

/* Packets that no engine sends, for example after undetected damage, are dropped and counted. */
static void test_malformed(void **state)
{
	static const struct { struct tofu_head head; u32 chunks; } bad[] = {
		{ { .kind = TOFU_KINDS, .length = 8, .total = 8 }, 2 },
		{ { .kind = TOFU_KIND_PUT, .length = 8, .total = 8 }, 3 },
		{ { .kind = TOFU_KIND_PUT, .length = 8, .total = 8, .queue = 4 * TORUS_VCQS }, 2 },
		{ { .kind = TOFU_KIND_PUT, .length = 8, .total = 8, .peer_queue = 255 }, 2 },
		{ { .kind = TOFU_KIND_PUT, .length = 8, .total = 8, .peer_group = 4 }, 2 },
		{ { .kind = TOFU_KIND_PUT, .length = 8, .total = 8, .offset = 9 }, 2 },
		{ { .kind = TOFU_KIND_PUT, .length = 8, .total = 8, .offset = 1 }, 2 },
		{ { .kind = TOFU_KIND_PUT, .length = 8, .total = 8, .steps = 16 }, 2 },
		{ { .kind = TOFU_KIND_DATA, .length = 8, .total = 7 }, 2 },
		{ { .kind = TOFU_KIND_ATOMIC, .length = 16, .total = 5 }, 3 },
		{ { .kind = TOFU_KIND_ATOMIC, .length = 16, .total = 8, .offset = 1 }, 3 },
		{ { .kind = TOFU_KIND_ATOMIC, .length = 16, .total = 8, .op = TORUS_ATOMICS }, 3 },
		{ { .kind = TOFU_KIND_ATOMIC, .length = 8, .total = 8 }, 2 },
		{ { .kind = TOFU_KIND_ANSWER, .length = 8, .op = TOFU_KIND_DATA }, 2 },
		{ { .kind = TOFU_KIND_ANSWER, .length = 16, .total = 16 }, 3 },
	};
	const struct tofu_head good = { .kind = TOFU_KIND_PUT, .length = 8, .total = 8 };
	struct torus_tni_counters tni;
	struct torus_packet p;
	struct torus_stats stats;
	struct engine_pair t;
	u32 i;

	engine_pair_make(&t, "3x1x1", "", 12, 64);
	for (i = 0; i < COUNT(bad); i++) {
		send_head(t.f, &bad[i].head, bad[i].chunks, 0);
		torus_stats_sum(t.f, &stats);
		assert_int_equal(stats.dropped[TORUS_DROP_MACHINE + TOFU_DROP_ENGINE_MALFORMED],
				 i + 1);
		torus_tni_counters(t.f, 12, 0, &tni);
		assert_int_equal(tni.refused, i + 1);
	}
	/* a packet without bytes */
	p = rig_packet(t.f, 0, 12, 3);
	tofu_fields(&p)->fifo = TORUS_TOFU_FIFO_GATE;
	tofu_fields(&p)->sw = TORUS_TOFU_KIND_ENGINE << TORUS_TOFU_KIND_SHIFT;
	rig_inject(t.f, 0, &p);
	rig_settle(t.f);
	torus_stats_sum(t.f, &stats);
	assert_int_equal(stats.dropped[TORUS_DROP_MACHINE + TOFU_DROP_ENGINE_MALFORMED], i + 1);
	assert_int_equal(stats.delivered, 0);
	/*
	 * a user's packet that was misrouted to an engine: the engine must not interpret its bytes
	 */
	send_head(t.f, &good, 2, TORUS_PACKET_USER);
	torus_stats_sum(t.f, &stats);
	assert_int_equal(stats.dropped[TORUS_DROP_MACHINE + TOFU_DROP_ENGINE_MALFORMED], i + 2);
	assert_int_equal(stats.delivered, 0);
	/* a valid packet of an engine is delivered */
	send_head(t.f, &good, 2, 0);
	torus_stats_sum(t.f, &stats);
	assert_int_equal(stats.dropped[TORUS_DROP_MACHINE + TOFU_DROP_ENGINE_MALFORMED], i + 2);
	assert_int_equal(stats.delivered, 1);
	engine_pair_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_closed),
		cmocka_unit_test(test_leaves),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_malformed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
