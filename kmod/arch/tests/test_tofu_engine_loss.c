// SPDX-License-Identifier: GPL-2.0
/*
 * Tofu's engines after the loss of packets: each operation ends once, with an error if any of its
 * packets was lost, and frees its entry among the open operations.
 */
#include <pthread.h>
#include <stdlib.h>

#include "arch/tests/engine_rig.h"
#include "core/base/node_number.h"
#include "core/link/fault.h"
#include "core/run/node_state.h"
#include "core/run/windows.h"

/* Check that no engine waits for a reply or has packets to send. */
static void check_places(const struct torus_fabric *f)
{
	const struct tofu_engines *all = ((const struct tofu_machine *)f->machine)->engines;
	u32 node, tni, list;

	for (node = 0; node < f->nodes; node++)
		for (tni = 0; all->node[node] && tni < TOFU_TNIS_MAX; tni++) {
			const struct tofu_engine *e = &all->node[node]->tni[tni];

			for (list = 0; list < TORUS_TOFU_GROUPS; list++) {
				assert_int_equal(e->from[list].open, 0);
				assert_int_equal(e->from[list].count, 0);
			}
			assert_int_equal(e->replies.count, 0);
		}
}

/* -------------------------------------------------------- loss of one packet */

#define SPAN	(4 * TOFU_DATA_MAX + 8)		/* bytes of five packets */
#define STEP	8u				/* ticks between two checks of a link */

/* Count the packets that have begun to leave @node over its link to the other node. */
static u64 begun(struct torus_fabric *f, u32 node)
{
	struct torus_link_counters c = rig_link(f, node, 2 * TOFU_A + node);
	u64 sum = 0;
	u32 vc;

	for (vc = 0; vc < TOFU_VCS; vc++)
		sum += c.packets[vc];
	return sum;
}

/*
 * Run an operation between node (0,0,0,0,0,0) and its neighbour along a. The @nth of its packets
 * that leave @node is lost. Return: false if the operation has fewer packets.
 */
static bool lose(struct engine_pair *t, const struct torus_tofu_command *c, u32 node, u32 nth)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_ECC_DOUBLE, .node = node, .dir = 2 * TOFU_A + node,
		.ecc_double = 1,
	};
	const struct torus_fault off = {
		.what = TORUS_FAULT_ECC_DOUBLE, .node = node, .dir = 2 * TOFU_A + node,
	};
	u64 before = begun(t->f, node);

	/* make the link live first: a fault affects only packets that leave over a live link */
	rig_fault(t->f, &off);
	engine_post(t->a, t->b, c);
	torus_nic_poll(t->f);
	while (torus_fabric_pending(t->f)) {
		torus_fabric_run(t->f, torus_fabric_clock(t->f) + STEP, 0, 1);
		if (begun(t->f, node) != before + nth + 1)
			continue;
		rig_fault(t->f, &fault);
		rig_settle(t->f);
		return true;
	}
	return false;
}

static const u8 answer_of[] = {
	[TORUS_TOFU_PUT] = TORUS_TOFU_LCL_PUT, [TORUS_TOFU_PIGGYBACK] = TORUS_TOFU_LCL_PUT,
	[TORUS_TOFU_GET] = TORUS_TOFU_LCL_GET, [TORUS_TOFU_ATOMIC] = TORUS_TOFU_LCL_ATOMIC,
};

static const u8 remote_of[] = {
	[TORUS_TOFU_PUT] = TORUS_TOFU_RMT_PUT, [TORUS_TOFU_PIGGYBACK] = TORUS_TOFU_RMT_PUT,
	[TORUS_TOFU_GET] = TORUS_TOFU_RMT_GET, [TORUS_TOFU_ATOMIC] = TORUS_TOFU_RMT_ATOMIC,
};

static struct torus_tofu_command command(const struct engine_pair *t, u32 op, u32 flags)
{
	struct torus_tofu_command c = {
		.op = (u8)op, .flags = (u16)flags, .edata = 77, .remote = t->remote,
	};

	switch (op) {
	case TORUS_TOFU_PIGGYBACK:
		c.length = 32;
		break;
	case TORUS_TOFU_ATOMIC:
		c.size = 8;
		c.atomic = TORUS_ATOMIC_ADD;
		c.data[0] = 1;
		break;
	default:
		c.length = SPAN;
		c.local = t->local;
	}
	return c;
}

/*
 * Check the notices of an operation whose @nth packet from @node was lost. Return: false if it has
 * fewer packets.
 */
static bool check_lost(u32 op, u32 flags, u32 node, u32 nth)
{
	struct torus_tofu_command c;
	const struct torus_tofu_notice *n;
	struct engine_pair t;
	bool request = !node;

	engine_pair_make(&t, "1x1x1", "", 1, SPAN);
	c = command(&t, op, flags);
	if (!lose(&t, &c, node, nth)) {
		engine_pair_free(&t);
		return false;
	}
	assert_int_equal(engine_count(t.a, answer_of[op]), 1);
	n = engine_find(t.a, answer_of[op], 0);
	assert_int_equal(n->code, TORUS_TOFU_LOST);
	assert_int_equal(n->edata, 77);
	assert_int_equal(n->peer_node, 1);
	assert_int_equal(n->remote, c.remote + (op == TORUS_TOFU_ATOMIC ? 0 : c.length));
	assert_int_equal(engine_count(t.a, TORUS_TOFU_TCQ), !!(flags & TORUS_TOFU_TELL_TCQ));
	/* the other program is notified only of complete data */
	assert_int_equal(engine_count(t.b, remote_of[op]),
			 flags & TORUS_TOFU_TELL_REMOTE && !request);
	assert_int_equal(t.a->ins + t.b->ins, engine_count(t.a, TORUS_TOFU_TCQ) + 1 +
			 engine_count(t.b, remote_of[op]));
	check_places(t.f);
	/* the next operation is not affected */
	t.a->ins = 0;
	c.flags = TORUS_TOFU_TELL_LOCAL;
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(t.a->ins, 1);
	assert_int_equal(t.a->in[0].code, TORUS_TOFU_FINE);
	engine_pair_free(&t);
	return true;
}

/* Lose each packet of an operation, and each packet of its reply, one at a time. */
static void check_each(u32 op, u32 flags, u32 requests, u32 answers)
{
	u32 i;

	for (i = 0; i < requests; i++)
		assert_true(check_lost(op, flags, 0, i));
	assert_false(check_lost(op, flags, 0, requests));
	for (i = 0; i < answers; i++)
		assert_true(check_lost(op, flags, 1, i));
	assert_false(check_lost(op, flags, 1, answers));
}

static void test_each_packet(void **state)
{
	check_each(TORUS_TOFU_PUT, ENGINE_TELL_ALL, 5, 1);
	check_each(TORUS_TOFU_GET, ENGINE_TELL_ALL, 1, 5);
	check_each(TORUS_TOFU_PIGGYBACK, ENGINE_TELL_ALL, 1, 1);
	check_each(TORUS_TOFU_ATOMIC, ENGINE_TELL_ALL, 1, 1);
	/* a loss is reported even if no notice was requested */
	check_each(TORUS_TOFU_PUT, 0, 5, 0);
	check_each(TORUS_TOFU_GET, 0, 1, 5);
	check_each(TORUS_TOFU_ATOMIC, 0, 1, 0);
}

/*
 * An operation loses its last packet, and the next operation its first packet. The second packet of
 * the next operation has the offset of the lost last packet. Both operations must end with an
 * error.
 */
static void test_two_operations(void **state)
{
	struct torus_tofu_command c;
	struct engine_pair t;

	engine_pair_make(&t, "1x1x1", "", 1, SPAN);
	c = command(&t, TORUS_TOFU_PUT, TORUS_TOFU_TELL_LOCAL);
	c.length = TOFU_DATA_MAX + 8;
	assert_true(lose(&t, &c, 0, 1));
	c.length = SPAN;
	assert_true(lose(&t, &c, 0, 0));
	assert_int_equal(t.a->ins, 2);
	assert_int_equal(t.a->in[0].code, TORUS_TOFU_LOST);
	assert_int_equal(t.a->in[1].code, TORUS_TOFU_LOST);
	engine_pair_free(&t);
}

/*
 * A long put runs while an operation of another queue waits for a free entry among the open
 * operations. The put completes normally, although the other operation may be sent before the put
 * ends.
 */
static void test_other_queue_waits(void **state)
{
	const u32 stag = ENGINE_STAG + 2;
	struct torus_tofu_command c;
	struct engine_pair t;
	u32 i;

	engine_pair_make(&t, "1x1x1", "", 1, 40 * TOFU_DATA_MAX);
	engine_register(t.a, tofu_queue(0, 1), t.from, t.bytes, stag, false);
	c = command(&t, TORUS_TOFU_GET, 0);
	c.length = 8;
	for (i = 0; i < TOFU_OPEN_MAX; i++)
		engine_post(t.a, t.b, &c);
	c = command(&t, TORUS_TOFU_PUT, TORUS_TOFU_TELL_LOCAL);
	engine_post(t.a, t.b, &c);
	c = command(&t, TORUS_TOFU_PUT, TORUS_TOFU_TELL_REMOTE);
	c.vcq = 1;
	c.local = (u64)stag << TORUS_STADD_BITS;
	c.length = 40 * TOFU_DATA_MAX;
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(t.a->ins, 1);
	assert_int_equal(t.a->in[0].code, TORUS_TOFU_FINE);
	assert_int_equal(t.a->in[0].length, SPAN);
	assert_int_equal(t.b->ins, 1);
	assert_int_equal(t.b->in[0].length, 40 * TOFU_DATA_MAX);
	check_places(t.f);
	engine_pair_free(&t);
}

/* Operations to a dead node complete with an error at once, at the sender. */
static void test_dead(void **state)
{
	struct torus_tofu_command c;
	struct torus_error err;
	struct engine_pair t;
	u32 i;

	engine_pair_make(&t, "1x1x1", "", 1, SPAN);
	assert_int_equal(torus_node_set(t.f, 1, TORUS_NODE_FAILED, &err), 0);
	for (i = TORUS_TOFU_PUT; i < TORUS_TOFU_OPS; i++) {
		t.a->ins = 0;
		c = command(&t, i, TORUS_TOFU_TELL_LOCAL);
		engine_post(t.a, t.b, &c);
		rig_settle(t.f);
		assert_int_equal(t.a->ins, 2);
		assert_int_equal(t.a->in[0].type, TORUS_TOFU_TCQ);
		assert_int_equal(t.a->in[0].code, TORUS_TOFU_PEER);
		assert_int_equal(t.a->in[1].type, answer_of[i]);
		assert_int_equal(t.a->in[1].code, TORUS_TOFU_PEER);
	}
	/* a NOP to a dead node succeeds, because it sends no packet */
	t.a->ins = 0;
	c = (struct torus_tofu_command){ .op = TORUS_TOFU_NOP, .flags = TORUS_TOFU_TELL_TCQ };
	engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(t.a->ins, 1);
	assert_int_equal(t.a->in[0].code, TORUS_TOFU_FINE);
	assert_int_equal(t.a->refused, 0);
	check_places(t.f);
	assert_int_equal(torus_node_set(t.f, 1, TORUS_NODE_ALIVE, &err), 0);
	rig_settle(t.f);
	engine_pair_free(&t);
}

/*
 * After TOFU_OPEN_MAX operations have lost their replies, all entries of open operations are free
 * again.
 */
static void test_places(void **state)
{
	const struct torus_fault fault = {
		.what = TORUS_FAULT_ECC_DOUBLE, .node = 1, .dir = 2 * TOFU_A + 1,
		.ecc_double = TOFU_OPEN_MAX,
	};
	struct torus_tofu_command c;
	struct engine_pair t;
	u32 i, lost = 0;

	engine_pair_make(&t, "1x1x1", "", 1, SPAN);
	rig_fault(t.f, &fault);
	c = command(&t, TORUS_TOFU_ATOMIC, TORUS_TOFU_TELL_LOCAL);
	for (i = 0; i < TOFU_OPEN_MAX + 7; i++)
		engine_post(t.a, t.b, &c);
	rig_settle(t.f);
	assert_int_equal(t.a->ins, TOFU_OPEN_MAX + 7);
	for (i = 0; i < t.a->ins; i++)
		lost += t.a->in[i].code == TORUS_TOFU_LOST;
	assert_int_equal(lost, TOFU_OPEN_MAX);
	check_places(t.f);
	engine_pair_free(&t);
}

/* ------------------------------------------------------------------ failing units */

#define NODES	24u
#define UNIT	4u
#define OPS	12u		/* operations per program */
#define BYTES	6000u		/* bytes per operation */
#define WORDS	(NODES * OPS * BYTES)

/*
 * Memory of a program: data to send, data that it gets, data that others put, words for atomic
 * operations of others.
 */
struct loss_memory {
	u8 from[BYTES * OPS];
	u8 got[BYTES * OPS];
	u8 to[WORDS];
	u64 word[NODES * OPS];
};

struct loss_worker {
	struct torus_fabric *f;
	u32 thread;
};

static void *work(void *arg)
{
	struct loss_worker *w = arg;

	torus_fabric_work(w->f, w->thread);
	return NULL;
}

static void run(struct torus_fabric *f, u64 until, u32 threads)
{
	struct loss_worker worker[4];
	pthread_t id[4];
	u32 i;

	torus_nic_poll(f);
	for (i = 1; i < threads; i++) {
		worker[i] = (struct loss_worker){ f, i };
		assert_int_equal(pthread_create(&id[i], NULL, work, &worker[i]), 0);
	}
	torus_fabric_run(f, until, 0, threads);
	for (i = 1; i < threads; i++)
		pthread_join(id[i], NULL);
	torus_nic_poll(f);
}

static u32 op_of(u32 k)
{
	static const u8 ops[] = { TORUS_TOFU_PUT, TORUS_TOFU_GET, TORUS_TOFU_ATOMIC };

	return ops[k % COUNT(ops)];
}

static u32 peer_of(u32 node, u32 k)
{
	return (node + 1 + 5 * k) % NODES;
}

static void post_all(struct engine_program **p)
{
	u32 i, k;

	for (i = 0; i < NODES; i++)
		for (k = 0; k < OPS; k++) {
			struct torus_tofu_command c = {
				.op = (u8)op_of(k), .peer_engine = (u8)(k % 4), .edata = (u8)k,
				.flags = TORUS_TOFU_TELL_LOCAL | TORUS_TOFU_TELL_REMOTE,
				.local = (u64)(k % 4) << 40, .remote = (u64)(k % 4) << 40,
				.length = BYTES,
			};

			switch (c.op) {
			case TORUS_TOFU_PUT:
				c.local += BYTES * k;
				c.remote += offsetof(struct loss_memory, to) +
					    BYTES * (i * OPS + k);
				break;
			case TORUS_TOFU_GET:
				c.local += offsetof(struct loss_memory, got) + BYTES * k;
				c.remote += BYTES * k;
				break;
			default:
				c.local = 0;
				c.length = 0;
				c.size = 8;
				c.data[0] = 1;
				c.atomic = TORUS_ATOMIC_ADD;
				c.remote += offsetof(struct loss_memory, word) + 8 * (i * OPS + k);
			}
			engine_post_by(p[i], k % 4, p[peer_of(i, k)], k, &c);
		}
}

/*
 * Check that the end of a program's @k-th operation was reported once and correctly. Return: 1 if
 * it succeeded.
 */
static u32 check_end(const struct engine_program *p, const struct loss_memory *all, u32 k)
{
	const struct loss_memory *peer = &all[peer_of(p->node, k)], *own = &all[p->node];
	const u8 *to = peer->to + BYTES * (p->node * OPS + k);
	u32 op = op_of(k), i, ends = 0, fine = 0;

	for (i = 0; i < p->ins; i++)
		if (p->in[i].type == answer_of[op] && p->in[i].edata == k) {
			ends++;
			fine += p->in[i].code == TORUS_TOFU_FINE;
		}
	assert_int_equal(ends, 1);
	if (op == TORUS_TOFU_ATOMIC)
		assert_in_range(peer->word[p->node * OPS + k], fine, 1);
	else if (fine && op == TORUS_TOFU_PUT)
		assert_memory_equal(to, own->from + BYTES * k, BYTES);
	else if (fine)
		assert_memory_equal(own->got + BYTES * k, peer->from + BYTES * k, BYTES);
	return fine;
}

/* For each notice of another program's put, check that the data has arrived. */
static void check_notices(const struct engine_program *p, const struct loss_memory *all)
{
	u32 i, from;

	for (i = 0; i < p->ins; i++) {
		const struct torus_tofu_notice *n = &p->in[i];

		if (n->type != TORUS_TOFU_RMT_PUT)
			continue;
		from = torus_node_index(&p->f->cfg.geo, n->peer_node);
		assert_int_equal(n->code, TORUS_TOFU_FINE);
		assert_memory_equal(all[p->node].to + BYTES * (from * OPS + n->edata),
				    all[from].from + BYTES * n->edata, BYTES);
	}
}

/* Set the state of the four nodes of a unit, which have the same group and the same b. */
static void set_unit(struct torus_fabric *f, u32 unit, enum torus_node_state state)
{
	struct torus_error err;
	u32 i, at[TORUS_DIMS_MAX] = { unit / 3 };

	at[TOFU_B] = unit % 3;
	for (i = 0; i < UNIT; i++) {
		at[TOFU_A] = i & 1;
		at[TOFU_C] = i >> 1;
		assert_int_equal(torus_node_set(f, torus_geometry_node(&f->cfg.geo, at), state,
						&err), 0);
	}
}

struct loss_outcome {
	u64 hash;
	u64 ends;
	u32 fine;
};

/*
 * All programs have operations under way when unit @unit fails at tick @when. The unit comes back
 * later.
 */
static struct loss_outcome storm(const char *settings, u32 threads, u32 unit, u64 when)
{
	struct torus_fabric *f = rig_make_arch("tofu", "2x1x1", settings);
	struct loss_memory *all = calloc(NODES, sizeof(*all));
	struct loss_outcome out = { 0 };
	struct engine_program *p[NODES];
	struct torus_stats stats;
	u32 i, k;

	for (i = 0; i < NODES; i++) {
		p[i] = engine_attach(f, i, 0);
		engine_mark(all[i].from, sizeof(all[i].from), i);
		for (k = 0; k < 4; k++)
			engine_register(p[i], tofu_queue(k, 0), &all[i], sizeof(*all), k, false);
	}
	post_all(p);
	run(f, when, threads);
	set_unit(f, unit, TORUS_NODE_FAILED);
	run(f, when + 3000, threads);
	set_unit(f, unit, TORUS_NODE_ALIVE);
	do
		run(f, ~0ull - 1, threads);
	while (torus_fabric_pending(f));
	for (i = 0; i < NODES; i++) {
		assert_int_equal(p[i]->refused, 0);
		for (k = 0; k < OPS; k++)
			out.fine += check_end(p[i], all, k);
		check_notices(p[i], all);
		for (k = 0; k < p[i]->ins; k++)
			out.ends += torus_mix(torus_mix(p[i]->at[k] + k) + p[i]->in[k].code +
					      ((u64)i << 32 | p[i]->in[k].edata));
	}
	check_places(f);
	torus_stats_sum(f, &stats);
	out.hash = stats.hash;
	rig_empty(f);
	for (i = 0; i < NODES; i++)
		engine_end(p[i]);
	torus_fabric_destroy(f);
	free(all);
	return out;
}

/* Test failures at several ticks. Results do not depend on the number of domains and threads. */
static void test_units(void **state)
{
	static const struct { const char *settings; u32 threads; } divided[] = {
		{ "domains=2", 1 }, { "domains=2", 2 }, { "domains=5", 1 }, { "domains=5", 3 },
	};
	u32 i, j, lost = 0;

	for (i = 0; i < 6; i++) {
		struct loss_outcome one = storm("", 1, i, 700 + 650 * i), other;

		lost += NODES * OPS - one.fine;
		for (j = i % 2; j < COUNT(divided); j += 2) {
			other = storm(divided[j].settings, divided[j].threads, i, 700 + 650 * i);
			assert_int_equal(other.hash, one.hash);
			assert_int_equal(other.ends, one.ends);
			assert_int_equal(other.fine, one.fine);
		}
	}
	assert_in_range(lost, 6 * UNIT, 6 * NODES * OPS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_packet),
		cmocka_unit_test(test_two_operations),
		cmocka_unit_test(test_other_queue_waits),
		cmocka_unit_test(test_dead),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
