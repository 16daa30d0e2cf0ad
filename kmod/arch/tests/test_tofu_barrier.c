// SPDX-License-Identifier: GPL-2.0
/*
 * Barrier gates in Tofu's router: the ticks of their packets, the gates that receive them, and the
 * dropped packets.
 */
#include "arch/tofu/channel.h"
#include "arch/tofu/tofu.h"
#include "core/nic/inject_queue.h"
#include "core/run/windows.h"
#include "core/tests/live_params.h"
#include "core/tests/rig.h"
#include "core/tests/draw.h"

#define LATENCY	125u	/* ticks per hop */
#define DELAY	25u	/* default gate_delay */
#define CHUNKS	2u	/* chunks of a packet with one value */
#define TICKS	(CHUNKS * TOFU_CHUNK_TICKS)
#define MEMBERS	16u
#define STEPS	4u
#define PAGE	4096u

static u32 results;	/* number of calls of barrier_done() */

static void barrier_done(void *owner, u32 node, u64 vbg)
{
	assert_ptr_equal(owner, &results);
	results++;
}

static struct torus_fabric *make(const char *shape, const char *settings)
{
	struct torus_fabric *f = rig_make_arch("tofu", shape, settings);
	struct torus_error err;

	results = 0;
	assert_int_equal(tofu_barrier_open(f, barrier_done, &results, &err), 0);
	return f;
}

static struct tofu_gates *gates_of(struct torus_fabric *f, u32 node, u32 tni)
{
	struct torus_error err;
	struct tofu_gates *gates = tofu_barrier_gates(f, node, tni, &err);

	assert_non_null(gates);
	return gates;
}

/*
 * Configure an end gate that sends to @dest and waits for the packet of @source. If @source is
 * TOFU_VBG_NULL, it waits for its own signal only.
 */
static void set_end(struct tofu_gates *gates, u64 source, u64 dest, u32 path)
{
	u64 own = gates->self, local = source == TOFU_VBG_NULL ? own : TOFU_VBG_NULL;
	struct tofu_gate_setting setting = {
		.gate = own, .local_source = local, .local_dest = local,
		.remote_source = source, .remote_dest = dest, .path = (u8)path,
	};
	u64 vbg;

	if (!(gates->used & 1)) {
		assert_int_equal(tofu_gates_alloc(gates, 1, &vbg), TOFU_GATE_FINE);
		assert_int_equal(vbg, own);
	}
	assert_int_equal(tofu_gates_set(gates, &setting), TOFU_GATE_FINE);
}

static void start(struct tofu_gates *gates, u64 value)
{
	assert_int_equal(tofu_gates_start(gates, gates->self, TOFU_OP_SUM, &value, 1),
			 TOFU_GATE_FINE);
}

/*
 * Send a packet from a gate of node @from to a gate of node @to. Return: the tick of its arrival.
 */
static u64 send_one(struct torus_fabric *f, u32 from, u32 to, u32 path)
{
	struct tofu_gates *a = gates_of(f, from, 1), *b = gates_of(f, to, 2);
	struct tofu_reduction result;
	struct rig_trace trace;
	u64 at;

	set_end(a, TOFU_VBG_NULL, b->self, path);
	set_end(b, a->self, TOFU_VBG_NULL, TOFU_GATE_PATH_DEFAULT);
	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	start(a, 7);
	rig_drain(f);
	assert_int_equal(trace.n, 1);
	assert_int_equal(trace.step[0].node, to);
	assert_int_equal(tofu_gates_poll(a, a->self, &result), TOFU_GATE_FINE);
	/* the value waits at the gate until the gate's own program starts */
	assert_int_equal(tofu_gates_poll(b, b->self, &result), TOFU_GATE_IDLE);
	start(b, 100);
	assert_int_equal(tofu_gates_poll(b, b->self, &result), TOFU_GATE_FINE);
	assert_int_equal(result.word[0], 7);
	at = trace.step[0].at;
	rig_trace_free(&trace);
	rig_empty(f);
	return at;
}

/*
 * A packet leaves gate_delay ticks after the event that made its gate fire, and takes the
 * configured path.
 */
static void test_alone(void **state)
{
	static const struct { const char *settings; u32 delay; } some[] = {
		{ "", DELAY }, { "gate_delay=1", 1 }, { "gate_delay=70000 tnis=6", 70000 },
	};
	u32 i, start_at;

	for (i = 0; i < COUNT(some); i++) {
		struct torus_fabric *f = make("3x1x1", some[i].settings);

		/* the default path has one link, the path over relay 1 has three */
		assert_int_equal(send_one(f, 0, 12, TOFU_GATE_PATH_DEFAULT),
				 some[i].delay + LATENCY + TICKS);
		start_at = (u32)torus_fabric_clock(f);
		assert_int_equal(send_one(f, 0, 12, 1),
				 start_at + some[i].delay + 3 * LATENCY + TICKS);
		assert_int_equal(tofu_barrier_sent(f), 2);
		assert_int_equal(results, 4);
		torus_fabric_destroy(f);
	}
}

/* A packet to the own node bypasses the router. A second one arrives after its last byte. */
static void test_own_node(void **state)
{
	struct torus_fabric *f = make("1x1x1", "");
	struct tofu_gates *b = gates_of(f, 5, 2), *a = gates_of(f, 5, 1);
	u64 first = send_one(f, 5, 5, TOFU_GATE_PATH_DEFAULT), value = 1, vbgs[2];
	struct tofu_gate_setting setting = { .local_dest = TOFU_VBG_NULL };
	struct rig_trace trace;

	assert_int_equal(first, DELAY + TICKS);
	/* a start gate sends to b, and signals a relay gate, which sends to b, too */
	assert_int_equal(tofu_gates_alloc(a, 2, vbgs), TOFU_GATE_FINE);
	assert_int_equal(tofu_gates_free(a, vbgs[0]), TOFU_GATE_FINE);
	setting = (struct tofu_gate_setting){
		.gate = a->self, .local_source = vbgs[1], .local_dest = vbgs[1],
		.remote_source = TOFU_VBG_NULL, .remote_dest = b->self,
		.path = TOFU_GATE_PATH_DEFAULT,
	};
	assert_int_equal(tofu_gates_set(a, &setting), TOFU_GATE_FINE);
	setting.gate = vbgs[1];
	setting.local_source = a->self;
	setting.local_dest = a->self;
	assert_int_equal(tofu_gates_set(a, &setting), TOFU_GATE_FINE);
	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER | 1u << TORUS_TRACE_HOP |
			     1u << TORUS_TRACE_DROP);
	first = torus_fabric_clock(f) + DELAY + TICKS;
	assert_int_equal(tofu_gates_start(a, a->self, TOFU_OP_SUM, &value, 1), TOFU_GATE_FINE);
	rig_drain(f);
	assert_int_equal(trace.n, 2);
	assert_int_equal(trace.step[0].at, first);
	assert_int_equal(trace.step[0].what, TORUS_TRACE_DELIVER);
	/* b accepts packets of the first gate only */
	assert_int_equal(trace.step[1].at, first + TICKS);
	assert_int_equal(trace.step[1].what, TORUS_TRACE_DROP);
	rig_trace_free(&trace);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/* Packets of gates go before packets of software that wait for the slot, and stay in order. */
static void test_slot(void **state)
{
	struct torus_fabric *f = make("3x1x1", "");
	struct tofu_gates *a = gates_of(f, 0, 0);
	struct torus_domain *d = f->domain;
	struct rig_trace trace;
	struct torus_packet p;
	u32 pkt, i;

	set_end(a, TOFU_VBG_NULL, gates_of(f, 12, 0)->self, TOFU_GATE_PATH_DEFAULT);
	rig_trace_start(f, &trace, 1u << TORUS_TRACE_INJECT);
	/* the slot holds one packet of full size; the second waits in the queue of its FIFO */
	p = rig_packet(f, 0, 12, TOFU_PACKET_CHUNKS);
	rig_inject(f, 0, &p);
	pkt = torus_pool_get(&d->pool);
	torus_pool_fill(&d->pool, pkt, &p);
	torus_stats_inject(d, torus_packet_at(d, pkt));
	torus_inject_put(d, 0, 0, pkt);
	for (i = 0; i < 3; i++) {
		struct tofu_reduction result;

		start(a, i);
		assert_int_equal(tofu_gates_poll(a, a->self, &result), TOFU_GATE_FINE);
	}
	rig_drain(f);
	assert_int_equal(trace.n, 5);
	for (i = 2; i < 5; i++) {
		/*
		 * all three gate packets enter when the first packet of software has left the slot
		 */
		assert_int_equal(trace.step[i].at, TOFU_PACKET_CHUNKS * TOFU_CHUNK_TICKS);
		assert_int_equal(trace.step[i].chunks, CHUNKS);
		assert_int_equal(trace.step[i].seq, 4 * (i - 2));
	}
	rig_trace_free(&trace);
	rig_empty(f);
	torus_fabric_destroy(f);
}

static u64 dropped(struct torus_fabric *f, u32 reason)
{
	struct torus_stats t;
	u64 all = 0;
	u32 i;

	torus_stats_sum(f, &t);
	for (i = 0; i < TORUS_DROP_MAX; i++)
		all += t.dropped[i];
	assert_int_equal(t.injected, t.delivered + all);
	return t.dropped[reason];
}

static void send_again(struct torus_fabric *f, struct tofu_gates *a)
{
	struct tofu_reduction result;

	start(a, 1);
	assert_int_equal(tofu_gates_poll(a, a->self, &result), TOFU_GATE_FINE);
	rig_drain(f);
	rig_empty(f);
}

/* If a gate is configured again while a packet for it is under way, the packet is dropped. */
static void test_set_again(void **state)
{
	struct torus_fabric *f = make("3x1x1", "");
	struct tofu_gates *a = gates_of(f, 0, 0), *b = gates_of(f, 12, 3);
	struct tofu_reduction result;

	set_end(a, TOFU_VBG_NULL, b->self, TOFU_GATE_PATH_DEFAULT);
	set_end(b, a->self, TOFU_VBG_NULL, TOFU_GATE_PATH_DEFAULT);
	start(a, 7);
	torus_fabric_run(f, DELAY + 1, 0, 1);
	assert_int_equal(torus_fabric_in_flight(f), 1);
	set_end(b, a->self, TOFU_VBG_NULL, TOFU_GATE_PATH_DEFAULT);
	rig_drain(f);
	rig_empty(f);
	assert_int_equal(dropped(f, TORUS_DROP_MACHINE + TOFU_DROP_GATE_STRANGER), 1);
	start(b, 100);
	assert_int_equal(tofu_gates_poll(b, b->self, &result), TOFU_GATE_RUNNING);
	assert_int_equal(tofu_gates_poll(a, a->self, &result), TOFU_GATE_FINE);
	start(a, 8);
	rig_drain(f);
	assert_int_equal(tofu_gates_poll(b, b->self, &result), TOFU_GATE_FINE);
	assert_int_equal(result.word[0], 8);
	torus_fabric_destroy(f);
}

/* Each reason for dropping a packet has its own counter. */
static void test_dropped(void **state)
{
	static const char *const names[] = {
		"gate_unset", "gate_stranger", "gate_overrun", "gate_malformed",
		"engine_malformed",
	};
	struct torus_fabric *f = make("3x1x1", "");
	struct tofu_gates *a = gates_of(f, 0, 0), *b;
	struct torus_packet p;
	struct torus_error err;
	u32 i;

	for (i = 0; i < TOFU_DROPS; i++)
		assert_string_equal(f->arch->drops[i], names[i]);
	/*
	 * dropped: packets to a TNI without gates, to a TNI that does not exist, to a gate that
	 * is not set
	 */
	set_end(a, TOFU_VBG_NULL, tofu_vbg((u32[]){ 1, 0, 0, 0, 0, 0 }, 3, 0), 3);
	send_again(f, a);
	set_end(a, TOFU_VBG_NULL, tofu_vbg((u32[]){ 1, 0, 0, 0, 0, 0 }, 7, 0), 3);
	send_again(f, a);
	b = gates_of(f, 12, 3);
	set_end(a, TOFU_VBG_NULL, b->self, 3);
	send_again(f, a);
	assert_int_equal(dropped(f, TORUS_DROP_MACHINE + TOFU_DROP_GATE_UNSET), 3);
	/* dropped: a packet of the wrong gate, a packet from another partition */
	set_end(b, a->self | 1, TOFU_VBG_NULL, 0);
	send_again(f, a);
	set_end(b, a->self, TOFU_VBG_NULL, 0);
	assert_int_equal(torus_fabric_partition_set(f, 12, 5, &err), 0);
	send_again(f, a);
	assert_int_equal(torus_fabric_partition_set(f, 12, 0, &err), 0);
	assert_int_equal(dropped(f, TORUS_DROP_MACHINE + TOFU_DROP_GATE_STRANGER), 2);
	send_again(f, a);
	assert_int_equal(dropped(f, TORUS_DROP_MACHINE + TOFU_DROP_GATE_OVERRUN), 0);
	send_again(f, a);
	assert_int_equal(dropped(f, TORUS_DROP_MACHINE + TOFU_DROP_GATE_OVERRUN), 1);
	/* not the packet of a gate: it has no bytes */
	p = rig_packet(f, 0, 12, 1);
	tofu_fields(&p)->fifo = TORUS_TOFU_FIFO_GATE;
	tofu_fields(&p)->sw = 3;
	tofu_fields(&p)->path = 0;
	rig_inject(f, 0, &p);
	rig_drain(f);
	rig_empty(f);
	assert_int_equal(dropped(f, TORUS_DROP_MACHINE + TOFU_DROP_GATE_MALFORMED), 1);
	/* dropped: a packet to a node outside the shape */
	set_end(a, TOFU_VBG_NULL, tofu_vbg((u32[]){ 3, 0, 0, 0, 0, 0 }, 0, 0), 0);
	send_again(f, a);
	assert_int_equal(dropped(f, TORUS_DROP_NO_ROUTE), 1);
	torus_fabric_destroy(f);
}

/* --------------------------------------------------------------------- chains */

static u64 chain_vbg(struct tofu_gates *const *gates, u32 member, u32 gate)
{
	return gates[member]->self | (gate ? TOFU_ENDS + gate - 1 : 0);
}

/* Figure 6: in step s gate s of each member sends to the next gate of its partner. */
static void chain_set(struct torus_fabric *f, const u32 *nodes, struct tofu_gates **gates)
{
	u64 vbgs[STEPS];
	u32 i, s;

	for (i = 0; i < MEMBERS; i++) {
		gates[i] = gates_of(f, nodes[i], i % 4);
		assert_int_equal(tofu_gates_alloc(gates[i], STEPS, vbgs), TOFU_GATE_FINE);
	}
	for (i = 0; i < MEMBERS; i++) {
		for (s = 0; s < STEPS; s++) {
			u32 last = (s + STEPS - 1) % STEPS;
			struct tofu_gate_setting setting = {
				.gate = chain_vbg(gates, i, s),
				.local_source = chain_vbg(gates, i, last),
				.local_dest = chain_vbg(gates, i, (s + 1) % STEPS),
				.remote_source = chain_vbg(gates, i ^ 1u << last, last),
				.remote_dest = chain_vbg(gates, i ^ 1u << s, (s + 1) % STEPS),
				.path = TOFU_GATE_PATH_DEFAULT,
			};

			assert_int_equal(tofu_gates_set(gates[i], &setting), TOFU_GATE_FINE);
		}
	}
}

/*
 * Compute @times sums over all members, which start in turn, a random one first. Return: the number
 * of packets delivered since the start or reset.
 */
static u64 chain_run(struct torus_fabric *f, struct tofu_gates **gates, u32 times)
{
	struct tofu_reduction result;
	struct torus_stats t;
	u32 i;

	while (times--) {
		u32 first = draw_below(MEMBERS);

		for (i = 0; i < MEMBERS; i++) {
			struct tofu_gates *own = gates[(first + i) % MEMBERS];

			start(own, 1ull << 4 * ((first + i) % MEMBERS));
			if (i + 1 < MEMBERS) {
				/* no member finishes before the last one has started */
				rig_drain(f);
				assert_int_equal(tofu_gates_poll(own, own->self, &result),
						 TOFU_GATE_RUNNING);
			}
		}
		rig_drain(f);
		for (i = 0; i < MEMBERS; i++) {
			assert_int_equal(tofu_gates_poll(gates[i], gates[i]->self, &result),
					 TOFU_GATE_FINE);
			assert_int_equal(result.word[0], 0x1111111111111111ull);
		}
	}
	rig_empty(f);
	torus_stats_sum(f, &t);
	return t.delivered;
}

static void nodes_draw(u32 *nodes, u32 count)
{
	u32 all[64], i;

	assert_in_range(count, MEMBERS, COUNT(all));
	for (i = 0; i < count; i++)
		all[i] = i;
	for (i = 0; i < MEMBERS; i++) {
		u32 other = i + draw_below(count - i), node = all[other];

		all[other] = all[i];
		all[i] = node;
		nodes[i] = node;
	}
}

/*
 * Figure 6: 16 nodes with four gates each send 64 packets, for random nodes and with link errors.
 */
static void test_figure(void **state)
{
	static const char *const settings[] = { "", "path=roundrobin", "ber=1e-4", "tnis=6" };
	struct tofu_gates *gates[MEMBERS];
	u32 nodes[MEMBERS], i;

	for (i = 0; i < COUNT(settings); i++) {
		struct torus_fabric *f = make("2x2x1", settings[i]);

		nodes_draw(nodes, 48);
		chain_set(f, nodes, gates);
		assert_int_equal(chain_run(f, gates, 5), 5 * 64);
		assert_int_equal(tofu_barrier_sent(f), 5 * 64);
		assert_int_equal(results, 5 * MEMBERS);
		torus_fabric_destroy(f);
	}
}

/*
 * The delivery hash is the same for each number of domains, and after a reset of the fabric, which
 * keeps the configuration of the gates.
 */
static void test_domains(void **state)
{
	static const char *const settings[] = { "", "domains=2", "domains=5" };
	struct tofu_gates *gates[MEMBERS];
	u32 nodes[MEMBERS], i;
	u64 hash[COUNT(settings)], seed;
	struct torus_stats t;

	nodes_draw(nodes, 36);
	seed = draw_seed;
	for (i = 0; i < COUNT(settings); i++) {
		struct torus_fabric *f = make("3x1x1", settings[i]);
		struct torus_error err;

		chain_set(f, nodes, gates);
		draw_seed = seed;
		chain_run(f, gates, 5);
		torus_stats_sum(f, &t);
		hash[i] = t.hash;
		assert_int_equal(hash[i], hash[0]);
		/* reset the fabric during a barrier */
		start(gates[3], 1);
		start(gates[2], 1);
		torus_fabric_run(f, torus_fabric_clock(f) + DELAY + 1, 0, 1);
		assert_int_equal(torus_fabric_reset(f, f->cfg.seed, &err), 0);
		draw_seed = seed;
		assert_int_equal(chain_run(f, gates, 5), 5 * 64);
		torus_stats_sum(f, &t);
		assert_int_equal(t.hash, hash[0]);
		torus_fabric_destroy(f);
	}
}

/* inject=hold also stops the packets of gates. */
static void test_inject_hold(void **state)
{
	struct torus_fabric *f = make("3x1x1", "");
	struct tofu_gates *a = gates_of(f, 0, 0);
	struct torus_error err;

	set_end(a, TOFU_VBG_NULL, gates_of(f, 12, 0)->self, 0);
	assert_int_equal(torus_fabric_set(f, "inject", "hold", &err), 0);
	start(a, 1);
	rig_drain(f);
	rig_count(f);
	assert_int_equal(tofu_barrier_sent(f), 1);
	assert_int_equal(dropped(f, TORUS_DROP_MACHINE + TOFU_DROP_GATE_UNSET), 0);
	assert_int_equal(torus_fabric_set(f, "inject", "go", &err), 0);
	rig_drain(f);
	assert_int_equal(dropped(f, TORUS_DROP_MACHINE + TOFU_DROP_GATE_UNSET), 1);
	torus_fabric_destroy(f);
}

/*
 * Gates of an engine take memory from their first use. A wrong node or engine is rejected with an
 * error message.
 */
static void test_memory_of_gates(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "2x1x1", "");
	u64 bytes = torus_fabric_memory(f), opened;
	struct torus_error err;

	assert_int_equal(f->arch->later_bytes(f), 0);
	assert_int_equal(tofu_barrier_sent(f), 0);
	assert_int_equal(tofu_barrier_open(f, NULL, NULL, &err), 0);
	opened = torus_fabric_memory(f);
	assert_true(opened > bytes);
	assert_ptr_equal(gates_of(f, 23, 3), gates_of(f, 23, 3));
	assert_int_equal(torus_fabric_memory(f) - opened, tofu_barrier_engine_bytes());
	assert_in_range(tofu_barrier_engine_bytes(), sizeof(struct tofu_gates), 16 * PAGE);
	assert_int_equal(tofu_barrier_open(f, NULL, NULL, &err), -EBUSY);
	assert_says(err.text, "barrier gate");
	assert_null(tofu_barrier_gates(f, 24, 0, &err));
	assert_null(tofu_barrier_gates(f, 0, 4, &err));
	assert_says(err.text, "node 0 engine 4 24");
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_own_node),
		cmocka_unit_test(test_slot),
		cmocka_unit_test(test_dropped),
		cmocka_unit_test(test_set_again),
		cmocka_unit_test(test_figure),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_inject_hold),
		cmocka_unit_test(test_memory_of_gates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
