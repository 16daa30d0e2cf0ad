// SPDX-License-Identifier: GPL-2.0
/*
 * Test members that leave a chain of barrier gates: the notices to the other members, and their
 * time.
 */
#include "arch/tofu/channel.h"
#include "core/run/windows.h"
#include "core/tests/rig.h"
#include "core/base/node_number.h"
#include "core/nic/gate.h"
#include "arch/tofu/barrier.h"
#include "../chain.h"

#define MEMBERS_MAX	16

/* A chain on a fabric of its own. Member i is at node_of(i). */
struct rig {
	struct torus_fabric *f;
	u32 members;
	u64 ids[MEMBERS_MAX][TOFU_CHAIN_GATES_MAX];
};

static const u32 sizes[] = { 2, 3, 4, 5, 7, 8, 11, 16 };

static void on_notice(void *owner, u32 node, u64 id)
{
}

static const struct torus_gate_ops *ops_of(const struct rig *r)
{
	return r->f->arch->gates;
}

static u32 node_of(u32 member)
{
	return 5 * member % 24;
}

static void alloc_at(struct rig *r, u32 node, u32 engine, u32 count, u64 *ids)
{
	size_t bytes = ops_of(r)->engine_bytes();
	struct torus_gate_memory room = { .memory = torus_alloc(bytes) };

	assert_non_null(room.memory);
	assert_int_equal(ops_of(r)->alloc(r->f, node, engine, count, &room, ids),
			 TORUS_GATE_FINE);
	torus_free(room.memory, bytes);
}

static void alloc(struct rig *r, u32 member)
{
	alloc_at(r, node_of(member), 0, tofu_chain_gates(r->members, member), r->ids[member]);
}

static void give(struct rig *r, u32 member)
{
	u32 i;

	for (i = 0; i < tofu_chain_gates(r->members, member); i++)
		ops_of(r)->free(r->f, r->ids[member][i]);
}

static u64 peer(const struct rig *r, const struct tofu_chain_peer *peer)
{
	return peer->member == TOFU_CHAIN_NONE ? TORUS_GATE_NONE :
						 r->ids[peer->member][peer->gate];
}

static u64 own(const struct rig *r, u32 member, u32 gate)
{
	return gate == TOFU_CHAIN_NONE ? TORUS_GATE_NONE : r->ids[member][gate];
}

static void set(struct rig *r, u32 member)
{
	struct tofu_chain_gate chain[TOFU_CHAIN_GATES_MAX];
	u32 count = tofu_chain_build(r->members, member, chain), i;

	for (i = 0; i < count; i++) {
		const struct torus_gate_setting setting = {
			.gate = r->ids[member][i],
			.local_source = own(r, member, chain[i].local_source),
			.remote_source = peer(r, &chain[i].remote_source),
			.local_dest = own(r, member, chain[i].local_dest),
			.remote_dest = peer(r, &chain[i].remote_dest),
			.path = TORUS_GATE_PATH_DEFAULT,
		};

		assert_int_equal(ops_of(r)->set(r->f, &setting), TORUS_GATE_FINE);
	}
}

static void rig_open(struct rig *r, u32 members, const char *settings)
{
	struct torus_error err;

	*r = (struct rig){ .f = rig_make_arch("tofu", "2x1x1", settings), .members = members };
	assert_int_equal(ops_of(r)->open(r->f, on_notice, NULL, &err), 0);
}

static void set_all(struct rig *r)
{
	u32 i;

	for (i = 0; i < r->members; i++)
		set(r, i);
}

static void chain_open(struct rig *r, u32 members, const char *settings)
{
	u32 i;

	rig_open(r, members, settings);
	for (i = 0; i < members; i++)
		alloc(r, i);
	set_all(r);
}

static void enter(struct rig *r, u32 member)
{
	const struct torus_ioc_gate ask = {
		.gate = r->ids[member][0], .op = TORUS_GATE_BARRIER,
	};

	assert_int_equal(ops_of(r)->start(r->f, &ask), TORUS_GATE_FINE);
}

static u32 poll_node(struct rig *r, u32 member, u32 *node)
{
	struct torus_ioc_gate ask = { .gate = r->ids[member][0], .node = TORUS_NONE };
	u32 answer = ops_of(r)->poll(r->f, &ask);

	*node = ask.node;
	return answer;
}

static u32 poll(struct rig *r, u32 member)
{
	u32 node;

	return poll_node(r, member, &node);
}

/* Check that each member except @gone is notified that member @named left. */
static void check_notified(struct rig *r, u32 gone, u32 named)
{
	u32 i, node;

	for (i = 0; i < r->members; i++) {
		if (i == gone)
			continue;
		assert_int_equal(poll_node(r, i, &node), TORUS_GATE_LEFT);
		assert_int_equal(node, torus_node_number(&r->f->cfg.geo, node_of(named)));
		assert_int_equal(poll(r, i), TORUS_GATE_IDLE);
	}
}

static void all_enter(struct rig *r, u32 gone)
{
	u32 i;

	for (i = 0; i < r->members; i++)
		if (i != gone)
			enter(r, i);
}

/* Check that an operation of all members except @gone completes. */
static void all_pass(struct rig *r, u32 gone)
{
	u32 i;

	all_enter(r, gone);
	rig_drain(r->f);
	for (i = 0; i < r->members; i++)
		if (i != gone)
			assert_int_equal(poll(r, i), TORUS_GATE_FINE);
}

static void rig_close(struct rig *r)
{
	rig_drain(r->f);
	rig_empty(r->f);
	torus_fabric_destroy(r->f);
}

/* Run @scene for each chain, with each member as the one that leaves. */
static void each_leaves(void (*scene)(struct rig *r, u32 leaver))
{
	struct rig r;
	u32 i, leaver;

	for (i = 0; i < COUNT(sizes); i++) {
		for (leaver = 0; leaver < sizes[i]; leaver++) {
			chain_open(&r, sizes[i], "");
			scene(&r, leaver);
			rig_close(&r);
		}
	}
}

static void before_entering(struct rig *r, u32 leaver)
{
	u64 sent;

	all_pass(r, TORUS_NONE);
	sent = tofu_barrier_sent(r->f);
	give(r, leaver);
	all_enter(r, leaver);
	check_notified(r, leaver, leaver);
	all_enter(r, leaver);
	check_notified(r, leaver, leaver);
	/* no member sends packets for an operation that cannot complete */
	assert_int_equal(tofu_barrier_sent(r->f), sent);
}

static void test_before_entering(void **state)
{
	each_leaves(before_entering);
}

/*
 * A member leaves after it has entered. Members that enter later are notified, and those that
 * entered before.
 */
static void after_entering(struct rig *r, u32 leaver)
{
	u32 i;

	all_pass(r, TORUS_NONE);
	for (i = 0; i < (r->members - 1) / 2; i++)
		if (i != leaver)
			enter(r, i);
	enter(r, leaver);
	rig_drain(r->f);
	give(r, leaver);
	for (; i < r->members; i++)
		if (i != leaver)
			enter(r, i);
	check_notified(r, leaver, leaver);
	rig_drain(r->f);
	all_enter(r, leaver);
	check_notified(r, leaver, leaver);
}

static void test_after_entering(void **state)
{
	each_leaves(after_entering);
}

/*
 * All other members wait for a member that leaves without entering. They are notified in the same
 * tick.
 */
static void while_all_wait(struct rig *r, u32 leaver)
{
	u32 i;

	all_enter(r, leaver);
	rig_drain(r->f);
	for (i = 0; i < r->members; i++)
		if (i != leaver)
			assert_int_equal(poll(r, i), TORUS_GATE_RUNNING);
	give(r, leaver);
	check_notified(r, leaver, leaver);
}

static void test_while_all_wait(void **state)
{
	each_leaves(while_all_wait);
}

/*
 * A member leaves with its result while its packets are in flight. The others still get their
 * results.
 */
static void with_its_result(struct rig *r, u32 leaver)
{
	bool passed[MEMBERS_MAX];
	u32 i;

	all_pass(r, TORUS_NONE);
	all_enter(r, TORUS_NONE);
	while (poll(r, leaver) == TORUS_GATE_RUNNING)
		torus_fabric_run(r->f, torus_fabric_clock(r->f) + 1, 0, 1);
	give(r, leaver);
	/* members that have their result enter the next operation while others still wait */
	for (i = 0; i < r->members; i++) {
		passed[i] = i != leaver && poll(r, i) == TORUS_GATE_FINE;
		if (passed[i])
			enter(r, i);
	}
	rig_drain(r->f);
	for (i = 0; i < r->members; i++) {
		if (i == leaver || passed[i])
			continue;
		assert_int_equal(poll(r, i), TORUS_GATE_FINE);
		enter(r, i);
	}
	check_notified(r, leaver, leaver);
}

static void test_with_its_result(void **state)
{
	each_leaves(with_its_result);
}

/*
 * A member that never sets its gates leaves: before the others set theirs, after that, or after a
 * start.
 */
static void test_never_set(void **state)
{
	enum { FIRST, SET, STARTED, WHENS };
	u32 i, member, leaver, when;
	struct rig r;

	for (i = 0; i < COUNT(sizes); i++) {
		for (leaver = 0; leaver < sizes[i]; leaver++) {
			for (when = FIRST; when < WHENS; when++) {
				rig_open(&r, sizes[i], "");
				for (member = 0; member < sizes[i]; member++)
					alloc(&r, member);
				if (when == FIRST)
					give(&r, leaver);
				for (member = 0; member < sizes[i]; member++)
					if (member != leaver)
						set(&r, member);
				if (when == SET)
					give(&r, leaver);
				all_enter(&r, leaver);
				if (when == STARTED)
					give(&r, leaver);
				check_notified(&r, leaver, leaver);
				rig_close(&r);
			}
		}
	}
}

/* The gates of a member that left belong to another chain before the first chain starts. */
static void test_taken_over(void **state)
{
	struct torus_gate_setting setting = {
		.local_dest = TORUS_GATE_NONE, .remote_dest = TORUS_GATE_NONE,
		.path = TORUS_GATE_PATH_DEFAULT,
	};
	struct rig r;

	rig_open(&r, 2, "");
	alloc(&r, 0);
	alloc(&r, 1);
	give(&r, 1);
	set(&r, 0);
	alloc(&r, 1);
	setting.gate = r.ids[1][0];
	setting.local_source = setting.gate;
	setting.remote_source = TORUS_GATE_NONE;
	assert_int_equal(ops_of(&r)->set(r.f, &setting), TORUS_GATE_FINE);
	enter(&r, 0);
	check_notified(&r, 1, 1);
	rig_close(&r);
}

/* The remaining members free their gates, and build a chain of their own. */
static void test_freed_and_again(void **state)
{
	struct rig r;
	u32 i, member;

	for (i = 1; i < COUNT(sizes); i++) {
		chain_open(&r, sizes[i], "");
		all_pass(&r, TORUS_NONE);
		for (member = sizes[i]; member--;) {
			give(&r, member);
			if (member + 1 != sizes[i])
				continue;
			all_enter(&r, member);
			check_notified(&r, member, member);
		}
		for (r.members--, member = 0; member < r.members; member++)
			alloc(&r, member);
		set_all(&r);
		all_pass(&r, TORUS_NONE);
		all_pass(&r, TORUS_NONE);
		rig_close(&r);
	}
}

/* Four remaining members set their gates again, each before it knows that the others do. */
static void test_set_again(void **state)
{
	struct rig r;

	chain_open(&r, 8, "");
	all_enter(&r, 7);
	give(&r, 7);
	check_notified(&r, 7, 7);
	rig_drain(r.f);
	r.members = 4;
	set_all(&r);
	all_pass(&r, TORUS_NONE);
	all_pass(&r, TORUS_NONE);
	rig_close(&r);
}

/* A gate that names a gate of a chain, but is not named by it, has no effect on the chain. */
static void test_stranger(void **state)
{
	struct torus_gate_setting setting = {
		.local_dest = TORUS_GATE_NONE, .path = TORUS_GATE_PATH_DEFAULT,
	};
	struct rig r;
	u64 id;

	chain_open(&r, 4, "");
	alloc_at(&r, 23, 1, 1, &id);
	setting.gate = id;
	setting.local_source = id;
	setting.remote_source = r.ids[0][0];
	setting.remote_dest = r.ids[1][1];
	assert_int_equal(ops_of(&r)->set(r.f, &setting), TORUS_GATE_FINE);
	ops_of(&r)->free(r.f, id);
	/* a gate that was never set has no effect either */
	alloc_at(&r, 23, 1, 1, &id);
	ops_of(&r)->free(r.f, id);
	all_pass(&r, TORUS_NONE);
	rig_close(&r);
}

/*
 * The notice names the member that left first. In virtual time, of those that left in one tick, it
 * names the one with the lowest node.
 */
static void test_named(void **state)
{
	struct rig r;
	u32 node;

	chain_open(&r, 8, "");
	all_pass(&r, TORUS_NONE);
	give(&r, 6);
	give(&r, 0);
	enter(&r, 2);
	give(&r, 1);
	assert_int_equal(poll_node(&r, 2, &node), TORUS_GATE_LEFT);
	assert_int_equal(node, torus_node_number(&r.f->cfg.geo, node_of(6)));
	enter(&r, 3);
	assert_int_equal(poll_node(&r, 3, &node), TORUS_GATE_LEFT);
	assert_int_equal(node, torus_node_number(&r.f->cfg.geo, node_of(6)));
	rig_close(&r);
}

static void test_named_of_one_tick(void **state)
{
	u32 first, node;
	struct rig r;

	for (first = 0; first < 2; first++) {
		chain_open(&r, 4, "time=virtual programs=4");
		give(&r, first ? 1 : 2);
		give(&r, first ? 2 : 1);
		enter(&r, 0);
		assert_int_equal(poll_node(&r, 0, &node), TORUS_GATE_LEFT);
		assert_int_equal(node, torus_node_number(&r.f->cfg.geo, node_of(1)));
		torus_fabric_destroy(r.f);
	}
}

/* A reset discards operations, but not the record of members that left. */
static void test_reset(void **state)
{
	struct torus_error err;
	struct rig r;

	chain_open(&r, 4, "");
	all_pass(&r, TORUS_NONE);
	all_enter(&r, TORUS_NONE);
	give(&r, 2);
	assert_int_equal(torus_fabric_reset(r.f, r.f->cfg.seed, &err), 0);
	assert_int_equal(poll(&r, 0), TORUS_GATE_IDLE);
	all_enter(&r, 2);
	check_notified(&r, 2, 2);
	rig_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_before_entering),
		cmocka_unit_test(test_after_entering),
		cmocka_unit_test(test_while_all_wait),
		cmocka_unit_test(test_with_its_result),
		cmocka_unit_test(test_never_set),
		cmocka_unit_test(test_taken_over),
		cmocka_unit_test(test_freed_and_again),
		cmocka_unit_test(test_set_again),
		cmocka_unit_test(test_stranger),
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_named_of_one_tick),
		cmocka_unit_test(test_reset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
