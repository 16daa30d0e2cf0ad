// SPDX-License-Identifier: GPL-2.0
/* The state of the links of a port's node: faults, senders, dead nodes, the ends of a mesh. */
#include "arch/tests/port_rig.h"
#include "core/link/dead_node.h"
#include "core/link/fault.h"

static struct port_rig r;
static struct torus_fabric *f;
static u32 all;	/* bits of all links */

static int teardown(void **state)
{
	port_rig_free(&r);
	torus_fabric_destroy(f);
	return 0;
}

static void make(const char *arch, u32 node)
{
	f = port_rig_fabric(arch);
	port_rig_make(&r, f, node, 0, &port_rig_ops);
	all = port_get(&r, TORUS_PORT_LINKS);
	assert_int_not_equal(all, 0);
}

/* Read twice, as the header says: the first read requests the check. */
static u32 links(void)
{
	u32 polls = r.polls;

	port_get(&r, TORUS_PORT_LINKS);
	assert_int_equal(r.polls, polls + 1);
	torus_port_poll(r.port, f);
	return port_get(&r, TORUS_PORT_LINKS);
}

/* A link that exists has a bit, in each direction; one that does not exist has none. */
static void test_neighbours(void **state)
{
	static const char *const archs[] = { "bgl", "xt", "tofu" };
	u32 i, dir;

	for (i = 0; i < COUNT(archs); i++) {
		make(archs[i], 0);
		for (dir = 0; dir < 32; dir++)
			assert_int_equal(all >> dir & 1, dir < f->dirs &&
					 torus_geometry_neighbor(&f->cfg.geo, 0, dir) !=
					 TORUS_NONE);
		if (i + 1 < COUNT(archs))
			teardown(NULL);
	}
}

static void test_fault(void **state)
{
	struct torus_fault fault = { .what = TORUS_FAULT_STATE, .node = 0, .dir = 0, .state = 0 };
	struct torus_error err;

	make("bgl", 0);
	assert_int_equal(torus_fault_set(f, &fault, &err), 0);
	/* The last check was before the fault. */
	assert_int_equal(port_get(&r, TORUS_PORT_LINKS), all);
	assert_int_equal(links(), all & ~1u);
	fault.state = 1;
	assert_int_equal(torus_fault_set(f, &fault, &err), 0);
	assert_int_equal(links(), all);
}

static void test_senders(void **state)
{
	struct torus_error err;

	make("xt", 1);
	assert_int_equal(torus_senders_set(f, 1, 2, TORUS_SENDER_OFF, &err), 0);
	assert_int_equal(links(), all & ~4u);
	assert_int_equal(torus_senders_set(f, 1, TORUS_NONE, TORUS_SENDER_DEAD, &err), 0);
	assert_int_equal(links(), 0);
	assert_int_equal(torus_senders_set(f, 1, TORUS_NONE, TORUS_SENDER_ON, &err), 0);
	assert_int_equal(links(), all);
}

static void test_dead(void **state)
{
	struct torus_error err;

	make("tofu", 0);
	assert_int_equal(torus_node_kill(f, 0, true, &err), 0);
	assert_int_equal(links(), 0);
	/* A reset of the port does not change the links. */
	port_set(&r, TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET);
	assert_int_equal(port_get(&r, TORUS_PORT_LINKS), 0);
	torus_port_poll(r.port, f);
	assert_int_equal(links(), 0);
	assert_int_equal(torus_node_kill(f, 0, false, &err), 0);
	assert_int_equal(links(), all);
}

/* The neighbour of a dead node cannot send to it. */
static void test_dead_neighbour(void **state)
{
	struct torus_error err;
	u32 peer;

	make("bgl", 0);
	peer = torus_geometry_neighbor(&f->cfg.geo, 0, 0);
	assert_int_equal(torus_node_kill(f, peer, true, &err), 0);
	assert_int_equal(links() & 1, 0);
	assert_int_not_equal(links(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_neighbours, teardown),
		cmocka_unit_test_teardown(test_fault, teardown),
		cmocka_unit_test_teardown(test_senders, teardown),
		cmocka_unit_test_teardown(test_dead, teardown),
		cmocka_unit_test_teardown(test_dead_neighbour, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
