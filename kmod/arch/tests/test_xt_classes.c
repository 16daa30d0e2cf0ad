// SPDX-License-Identifier: GPL-2.0
/*
 * The two classes of packets on the Cray XT. A workload has one class. No packet waits for blocked
 * packets of the other class.
 */
#include <errno.h>

#include "core/base/node_number.h"
#include "arch/xt/header.h"
#include "xt_rig.h"

#define FLITS	9
#define STUCK	400	/* packets per sender, in the class without a reader */
#define FLOW	300	/* packets in the other class */

/* ----------------------------------------------------------- class of a workload */

static u64 hash_of(u32 class, u64 *pair)
{
	struct torus_fabric *f = xt_rig_make("5x4x3", "", false);
	struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 8, .size_max = 72, .packets = 40,
		.packet_class = class,
	};
	struct torus_result r;
	struct torus_error err;
	u32 node, dir, vc;

	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	r = rig_finish(f, 0, 1);
	assert_int_equal(r.delivered, 40 * f->nodes);
	assert_int_equal(r.conservation, 1);
	pair[0] = 0;
	pair[1] = 0;
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < XT_DIRS; dir++)
			for (vc = 0; vc < XT_VCS; vc++)
				pair[vc / 2] += rig_link(f, node, dir).packets[vc];
	torus_fabric_destroy(f);
	return r.hash;
}

/* The second class is as fast as the first, and has its own VCs. */
static void test_class_of_a_workload(void **state)
{
	u64 first[2], second[2], hash = hash_of(0, first);

	assert_true(hash == hash_of(1, second));
	assert_true(first[0] > 1000);
	assert_int_equal(first[1], 0);
	assert_int_equal(second[0], 0);
	assert_int_equal(second[1], first[0]);
}

static void test_refused(void **state)
{
	struct torus_fabric *f = xt_rig_make("4x1x1", "", true);
	struct torus_traffic t = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 8, .size_max = 72, .packets = 1,
		.packet_class = 2,
	};
	struct torus_error err;

	assert_int_equal(torus_traffic_start(f, &t, &err), -ERANGE);
	assert_says(err.text, "class 2 xt 0 1");
	t.packet_class = 1ull << 32;
	assert_int_equal(torus_traffic_start(f, &t, &err), -ERANGE);
	assert_says(err.text, "class 4294967296 xt 0 1");
	torus_fabric_destroy(f);
}

/* ---------------------------------------------------- both classes at once */

static void send(struct rig_client *c, u32 to, u32 class, u32 group, u32 packets)
{
	struct xt_header h = {
		.nid = (u16)torus_node_number(&c->f->cfg.geo, to), .vc = (u8)(2 * class),
		.group = (u8)group, .flits = FLITS,
	};

	while (packets--) {
		struct rig_message *m = &c->out[c->outs++];

		xt_header_pack(&h, m->bytes);
		m->chunks = FLITS;
		m->fifo = (u8)class;
	}
}

/*
 * Return the ticks between the first and the last arrival of FLOW packets of @class, from node 0 to
 * node 3 of a ring. If @blocked is set, packets of the other class fill the network, because their
 * reader at node 3 does not read.
 */
static u64 ticks_of(u32 class, bool blocked)
{
	struct torus_fabric *f = xt_rig_make("8x2x1", "", true);
	u32 to = rig_node(f, 3, 0, 0), node, received = 0;
	struct rig_client from[16], source, sink, idle;
	u64 ticks;

	rig_attach(&idle, f, to, 0, false);
	rig_attach(&sink, f, to, 1, false);
	rig_attach(&source, f, 0, 1, false);
	idle.credits = 0;
	for (node = 0; node < f->nodes; node++) {
		if (node == to)
			continue;
		rig_attach(&from[node], f, node, 0, false);
		if (blocked)
			send(&from[node], to, !class, 0, STUCK);
	}
	rig_settle(f);
	if (blocked) {
		/* packets are blocked back to all senders, even those next to the reader */
		assert_true(torus_fabric_in_flight(f) > 0);
		assert_true(from[rig_node(f, 2, 0, 0)].pulled < STUCK);
		assert_true(from[0].pulled < STUCK);
	}
	assert_int_equal(idle.ins, 0);
	send(&source, to, class, 1, FLOW);
	rig_settle(f);
	assert_int_equal(sink.ins, FLOW);
	/* each class has its own reception FIFO */
	assert_int_equal(sink.in[0].fifo, class);
	ticks = sink.in[FLOW - 1].at - sink.in[0].at;
	idle.credits = RIG_RING;
	while (blocked && received < STUCK * 15) {
		rig_settle(f);
		assert_true(idle.ins > 0);
		received += idle.ins;
		idle.ins = 0;
		idle.credits = RIG_RING;
	}
	rig_settle(f);
	assert_int_equal(torus_fabric_in_flight(f), 0);
	for (node = 0; node < f->nodes; node++)
		if (node != to)
			rig_client_free(&from[node]);
	rig_client_free(&source);
	rig_client_free(&sink);
	rig_client_free(&idle);
	torus_fabric_destroy(f);
	return ticks;
}

/* A blocked class takes no buffer and no cycle of the other class. */
static void test_one_class_is_stuck(void **state)
{
	u64 free = ticks_of(0, false);

	/* one flit per cycle */
	assert_int_equal(free, (u64)(FLOW - 1) * FLITS * XT_FLIT_TICKS);
	assert_int_equal(ticks_of(0, true), free);
	assert_int_equal(ticks_of(1, true), free);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_class_of_a_workload),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_one_class_is_stuck),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
