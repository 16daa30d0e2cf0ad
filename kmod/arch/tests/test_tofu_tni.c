// SPDX-License-Identifier: GPL-2.0
/* Counters of each TNI of a node. They add up to the counters of the node and the fabric. */
#include "arch/tests/engine_rig.h"
#include "arch/tofu/barrier.h"
#include "arch/tofu/channel.h"
#include "core/nic/inject_queue.h"
#include "core/run/report.h"
#include "core/state/tni.h"

static struct torus_tni_counters tni_of(struct torus_fabric *f, u32 node, u32 tni)
{
	struct torus_tni_counters c;

	torus_tni_counters(f, node, tni, &c);
	return c;
}

/* Sum the counters of all TNIs of a node, or of all nodes: TORUS_NONE. */
static struct torus_tni_counters sum_of(struct torus_fabric *f, u32 node)
{
	struct torus_tni_counters sum = { 0 }, c;
	u32 tni;

	for (tni = 0; tni < f->router->ports; tni++) {
		c = tni_of(f, node, tni);
		sum.packets_sent += c.packets_sent;
		sum.bytes_sent += c.bytes_sent;
		sum.packets_received += c.packets_received;
		sum.bytes_received += c.bytes_received;
		sum.commands += c.commands;
		sum.notices += c.notices;
		sum.waits += c.waits;
		sum.errors += c.errors;
		sum.refused += c.refused;
	}
	return sum;
}

static u64 packets_of(const struct rig_trace *trace, u32 what, u32 node, bool bytes)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < trace->n; i++)
		if (trace->step[i].what == what && trace->step[i].node == node)
			sum += bytes ? trace->step[i].chunks * TOFU_CHUNK_BYTES : 1;
	return sum;
}

/*
 * Packets of software of each length: the TNIs of a node count all packets that the node sends and
 * receives.
 */
static void test_software(void **state)
{
	static const char *const settings[] = { "path=roundrobin", "path=hash tnis=6", "ber=1e-5" };
	struct torus_fabric_counters all;
	struct torus_tni_counters c;
	struct rig_trace trace;
	struct torus_fabric *f;
	u32 i, node, tni;

	for (i = 0; i < COUNT(settings); i++) {
		f = rig_make_arch("tofu", "2x2x1", settings[i]);
		rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER | 1u << TORUS_TRACE_INJECT);
		rig_packets(f, 40, 32, 2048);
		rig_finish(f, 0, 1);
		for (node = 0; node < f->nodes; node++) {
			c = sum_of(f, node);
			assert_int_equal(c.packets_sent, 40);
			assert_int_equal(c.bytes_sent,
					 packets_of(&trace, TORUS_TRACE_INJECT, node, true));
			assert_int_equal(c.packets_received,
					 packets_of(&trace, TORUS_TRACE_DELIVER, node, false));
			assert_int_equal(c.bytes_received,
					 packets_of(&trace, TORUS_TRACE_DELIVER, node, true));
			assert_int_equal(c.commands + c.notices + c.waits, 0);
			assert_int_equal(c.errors + c.refused, 0);
		}
		torus_fabric_counters(f, &all);
		c = sum_of(f, TORUS_NONE);
		assert_int_equal(c.packets_sent, all.injected);
		assert_int_equal(c.packets_received, all.delivered);
		assert_int_equal(c.bytes_sent, c.bytes_received);
		/* all TNIs are used about equally */
		for (tni = 0; tni < f->router->ports; tni++)
			assert_true(tni_of(f, TORUS_NONE, tni).packets_received * 2 >
				    all.delivered / f->router->ports);
		torus_fabric_counters_reset(f);
		c = sum_of(f, TORUS_NONE);
		assert_int_equal(c.packets_sent + c.packets_received + c.bytes_sent, 0);
		rig_trace_free(&trace);
		torus_fabric_destroy(f);
	}
}

/* An operation counts at the TNI that sends it and at the one that receives it. */
static void test_sender_and_receiver(void **state)
{
	const u32 length = 3 * TOFU_DATA_MAX, tail = tofu_chunks(TOFU_DATA_MAX) * TOFU_CHUNK_BYTES;
	struct torus_tni_counters a, b, all;
	struct torus_tofu_command c;
	struct engine_pair t;
	u32 from, to;

	for (from = 0; from < 6; from++) {
		to = (from * 5 + 2) % 6;
		engine_pair_make(&t, "3x1x1", "tnis=6", 12, length);
		c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, length);
		c.local = engine_register(t.a, tofu_queue(from, 0), t.from, length, 8, false);
		c.remote = engine_register(t.b, tofu_queue(to, 0), t.to, length, 9, false);
		c.peer_engine = (u8)to;
		engine_post_by(t.a, from, t.b, TORUS_TOFU_PATH_FIXED, &c);
		rig_settle(t.f);
		a = tni_of(t.f, t.a->node, from);
		b = tni_of(t.f, t.b->node, to);
		assert_int_equal(a.packets_sent, 3);
		assert_int_equal(a.bytes_sent, 3 * tail);
		assert_int_equal(a.commands, 1);
		assert_int_equal(a.notices, 2);
		assert_int_equal(b.packets_received, 3);
		assert_int_equal(b.bytes_received, 3 * tail);
		assert_int_equal(b.notices, 1);
		assert_int_equal(b.commands, 0);
		/* the reply goes from the second TNI to the first */
		assert_int_equal(b.packets_sent, 1);
		assert_int_equal(a.packets_received, 1);
		assert_int_equal(a.bytes_received, tofu_chunks(8) * TOFU_CHUNK_BYTES);
		/* no other TNI counts anything */
		all = sum_of(t.f, TORUS_NONE);
		assert_int_equal(all.packets_sent, 4);
		assert_int_equal(all.packets_received, 4);
		assert_int_equal(all.notices, 3);
		engine_pair_free(&t);
	}
}

/*
 * A failed operation counts as an error at the TNI that sent it, and as rejected at the TNI that
 * rejected it.
 */
static void test_errors(void **state)
{
	static const u32 ops[] = { TORUS_TOFU_PUT, TORUS_TOFU_GET };
	struct torus_tofu_command c;
	struct engine_pair t;
	u32 i;

	for (i = 0; i < COUNT(ops); i++) {
		engine_pair_make(&t, "3x1x1", "", 12, 64);
		/* program b has no such memory; tested with and without a notice */
		c = engine_transfer(&t, ops[i], 0, 0, 64);
		c.remote = 5ull << TORUS_STADD_BITS;
		engine_post(t.a, t.b, &c);
		c.flags = 0;
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		assert_int_equal(tni_of(t.f, t.a->node, 0).errors, 2);
		assert_int_equal(tni_of(t.f, t.b->node, 0).refused, 2);
		/* program a has no such memory, so no packet leaves */
		c = engine_transfer(&t, ops[i], 0, 0, 64);
		c.local = 5ull << TORUS_STADD_BITS;
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		assert_int_equal(tni_of(t.f, t.a->node, 0).errors, 3);
		assert_int_equal(sum_of(t.f, TORUS_NONE).errors, 3);
		assert_int_equal(sum_of(t.f, TORUS_NONE).refused, 2);
		assert_int_equal(tni_of(t.f, t.a->node, 0).commands, 3);
		engine_pair_free(&t);
	}
	engine_pair_make(&t, "3x1x1", "", 12, 64);
	c = (struct torus_tofu_command){
		.op = TORUS_TOFU_ATOMIC, .atomic = TORUS_ATOMIC_ADD, .size = 8,
		.remote = t.remote + 4, .data = { 1 },
	};
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(tni_of(t.f, t.a->node, 0).errors, 1);
	assert_int_equal(tni_of(t.f, t.b->node, 0).refused, 1);
	engine_pair_free(&t);
}

/* A packet that finds no free space counts as one wait, regardless of the number of attempts. */
static void test_waits(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;
	u32 i;

	engine_pair_make(&t, "3x1x1", "", 12, 20 * TOFU_DATA_MAX);
	c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, TOFU_DATA_MAX);
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(sum_of(t.f, TORUS_NONE).waits, 0);
	/* an injection slot holds one packet of full size only */
	c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, 20 * TOFU_DATA_MAX);
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_in_range(tni_of(t.f, t.a->node, 0).waits, 18, 19);
	assert_int_equal(sum_of(t.f, TORUS_NONE).waits, tni_of(t.f, t.a->node, 0).waits);
	/* arriving packets cause the engine to retry */
	torus_fabric_counters_reset(t.f);
	engine_post(t.a, t.b, &c);
	for (i = 0; i < 200; i++) {
		c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, 8);
		c.local = t.remote;
		c.remote = t.local;
		c.flags = 0;
		engine_post(t.b, t.a, &c);
	}
	rig_settle(t.f);
	assert_in_range(tni_of(t.f, t.a->node, 0).waits, 18, 19);
	engine_pair_free(&t);
}

/* Packets to the own node count as sent and as received. */
static void test_own_node(void **state)
{
	struct torus_tofu_command c;
	struct torus_tni_counters own;
	struct torus_packet p;
	struct engine_pair t;
	struct torus_domain *d;
	u32 pkt;

	engine_pair_make(&t, "1x1x1", "", 0, 64);
	c = engine_transfer(&t, TORUS_TOFU_PUT, 0, 0, 64);
	c.flags = 0;
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	own = tni_of(t.f, 0, 0);
	assert_int_equal(own.packets_sent, 1);
	assert_int_equal(own.bytes_received, tofu_chunks(64) * TOFU_CHUNK_BYTES);
	/* a packet of software in injection FIFO 1 */
	p = rig_packet(t.f, 0, 0, 5);
	tofu_fields(&p)->fifo = 3;
	d = torus_domain_of(t.f, 0);
	pkt = torus_pool_get(&d->pool);
	torus_pool_fill(&d->pool, pkt, &p);
	torus_stats_inject(d, torus_packet_at(d, pkt));
	torus_inject_put(d, 0, 1, pkt);
	rig_settle(t.f);
	assert_int_equal(tni_of(t.f, 0, 1).bytes_sent, 5 * TOFU_CHUNK_BYTES);
	assert_int_equal(tni_of(t.f, 0, 3).bytes_received, 5 * TOFU_CHUNK_BYTES);
	assert_int_equal(sum_of(t.f, 0).packets_sent, 2);
	assert_int_equal(sum_of(t.f, 0).packets_received, 2);
	engine_pair_free(&t);
}

/* Packets of gates count at the TNI of the gate, also within one node. */
static void test_gates(void **state)
{
	static const u32 peers[] = { 12, 0 };
	u32 i;

	for (i = 0; i < COUNT(peers); i++) {
		struct torus_fabric *f = rig_make_arch("tofu", "3x1x1", "");
		struct tofu_gates *gates[2];
		struct torus_error err;
		u64 vbg, value = 1;
		u32 j;

		assert_int_equal(tofu_barrier_open(f, NULL, NULL, &err), 0);
		gates[0] = tofu_barrier_gates(f, 0, 1, &err);
		gates[1] = tofu_barrier_gates(f, peers[i], 2, &err);
		for (j = 0; j < 2; j++) {
			u64 own = gates[j]->self, peer = gates[!j]->self;
			struct tofu_gate_setting s = {
				.gate = own, .local_source = j ? TOFU_VBG_NULL : own,
				.local_dest = j ? TOFU_VBG_NULL : own,
				.path = TOFU_GATE_PATH_DEFAULT,
				.remote_source = j ? peer : TOFU_VBG_NULL,
				.remote_dest = j ? TOFU_VBG_NULL : peer,
			};

			assert_int_equal(tofu_gates_alloc(gates[j], 1, &vbg), TOFU_GATE_FINE);
			assert_int_equal(tofu_gates_set(gates[j], &s), TOFU_GATE_FINE);
		}
		assert_int_equal(tofu_gates_start(gates[0], gates[0]->self, TOFU_OP_SUM, &value, 1),
				 TOFU_GATE_FINE);
		rig_drain(f);
		assert_int_equal(tni_of(f, 0, 1).packets_sent, 1);
		assert_int_equal(tni_of(f, peers[i], 2).packets_received, 1);
		assert_int_equal(sum_of(f, TORUS_NONE).packets_sent, 1);
		assert_int_equal(sum_of(f, TORUS_NONE).packets_received, 1);
		torus_fabric_destroy(f);
	}
}

/*
 * A gate's packet to a TNI that its own node does not have is counted once. No counter outside the
 * array changes.
 */
static void test_gate_wrong_tni(void **state)
{
	struct tofu_gate_setting s = {
		.local_dest = TOFU_VBG_NULL, .path = TOFU_GATE_PATH_DEFAULT,
		.remote_source = TOFU_VBG_NULL,
	};
	struct torus_fabric *f = rig_make_arch("tofu", "1x1x1", "");
	u32 last = f->nodes - 1, at[TORUS_DIMS_MAX];
	struct tofu_gates *gates;
	struct torus_error err;
	u64 vbg, value = 1;

	assert_int_equal(tofu_barrier_open(f, NULL, NULL, &err), 0);
	gates = tofu_barrier_gates(f, last, 1, &err);
	assert_int_equal(tofu_gates_alloc(gates, 1, &vbg), TOFU_GATE_FINE);
	torus_geometry_coords(&f->cfg.geo, last, at);
	s.gate = gates->self;
	s.local_source = gates->self;
	s.remote_dest = tofu_vbg(at, 6, 0);
	assert_int_equal(tofu_gates_set(gates, &s), TOFU_GATE_FINE);
	assert_int_equal(tofu_gates_start(gates, gates->self, TOFU_OP_SUM, &value, 1),
			 TOFU_GATE_FINE);
	rig_drain(f);
	assert_int_equal(sum_of(f, last).packets_sent, 1);
	assert_int_equal(sum_of(f, last).packets_received, 1);
	torus_fabric_destroy(f);
}

/* The counters, waits included, are equal with each number of domains. */
static void test_domains(void **state)
{
	static const char *const settings[] = { "", "domains=2", "domains=5" };
	struct torus_tni_counters one = { 0 }, c;
	struct torus_tofu_command command;
	struct engine_pair t;
	u32 i, j;

	for (i = 0; i < COUNT(settings); i++) {
		engine_pair_make(&t, "3x2x1", settings[i], 12, 20 * TOFU_DATA_MAX);
		for (j = 0; j < 5; j++) {
			command = engine_transfer(&t, j & 1 ? TORUS_TOFU_GET : TORUS_TOFU_PUT, 0, 0,
						  20 * TOFU_DATA_MAX);
			engine_post(t.a, t.b, &command);
		}
		rig_settle(t.f);
		c = sum_of(t.f, TORUS_NONE);
		assert_true(c.waits > 0);
		if (i)
			assert_memory_equal(&c, &one, sizeof(c));
		one = c;
		engine_pair_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_software),
		cmocka_unit_test(test_sender_and_receiver),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_own_node),
		cmocka_unit_test(test_gates),
		cmocka_unit_test(test_gate_wrong_tni),
		cmocka_unit_test(test_domains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
