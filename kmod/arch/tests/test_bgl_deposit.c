// SPDX-License-Identifier: GPL-2.0
/*
 * Row broadcasts: "a bit in the header may be set that causes a packet to be broadcast down any
 * Cartesian dimension and deposited at each node."
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"

enum { XP, XM, YP, YM, ZP, ZM };

static void broadcast(struct torus_fabric *f, u32 src, u32 dir, u32 hops, u32 chunks, u32 fifo)
{
	struct torus_packet p = { .src = src, .next = TORUS_NONE, .body = TORUS_NONE };

	p.born = torus_fabric_clock(f);
	f->arch->deposit(f, &p, chunks, dir, hops);
	rig_inject(f, fifo, &p);
}

/*
 * Each node on the way receives a copy after the latency of its distance without load; no other
 * node receives one.
 */
static void test_each_node_on_the_way(void **state)
{
	u32 dir, hops, i;

	for (dir = 0; dir < BGL_DIRS; dir++)
		for (hops = 1; hops <= 4; hops++) {
			struct torus_fabric *f = rig_make("4x4x4", "");
			struct rig_trace trace;
			u32 at = rig_node(f, 1, 2, 3);

			rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
			broadcast(f, at, dir, hops, 8, 0);
			rig_drain(f);
			assert_int_equal(trace.n, hops);
			for (i = 0; i < hops; i++) {
				at = torus_geometry_neighbor(&f->cfg.geo, at, dir);
				assert_int_equal(rig_times(&trace, TORUS_TRACE_DELIVER, at), 1);
				assert_int_equal(trace.step[i].node, at);
				assert_int_equal(trace.step[i].dst, at);
				assert_int_equal(trace.step[i].at - trace.step[0].at, 20 * i);
			}
			assert_int_equal(f->domain[0].stats.deposits, hops - 1);
			rig_at_rest(f);
			rig_trace_free(&trace);
			torus_fabric_destroy(f);
		}
}

/* "Packets can be broadcast" at the rate of a link: copies take no link time. */
static void test_copies_cost_no_link_time(void **state)
{
	struct torus_fabric *f = rig_make("8x1x1", "");
	struct rig_trace trace;
	const struct rig_step *last;
	u32 i;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	for (i = 0; i < 12; i++)
		broadcast(f, 0, XP, 7, 8, i % 3);
	rig_drain(f);
	assert_int_equal(trace.n, 12 * 7);
	last = rig_find(&trace, TORUS_TRACE_DELIVER, 7, 11);
	assert_in_range(last->at, 11 * 270 + 7 * 20 + 256, 11 * 270 + 7 * 20 + 256 + 14);
	rig_at_rest(f);
	torus_fabric_destroy(f);
	rig_trace_free(&trace);
}

static struct rig_message *send_row(struct rig_client *c, u32 dst, u32 mark)
{
	struct rig_message *m = rig_send(c, dst, 0, 3, true, mark);

	m->bytes[1] |= TORUS_BGL_DP >> 16;
	return m;
}

/*
 * Each program on the row receives the bytes. A program that attaches after the broadcast was sent
 * receives none.
 */
static void test_clients(void **state)
{
	static const char *const settings[] = { "", "crc=full", "ber=0.00001" };
	u32 i, j;

	for (j = 0; j < COUNT(settings); j++) {
		struct torus_fabric *f = rig_make("8mx1x1", settings[j]);
		struct rig_client c[8];

		for (i = 0; i < 8; i++)
			if (i != 5)
				rig_attach(&c[i], f, i, 0, false);
		for (i = 0; i < 20; i++)
			send_row(&c[0], 7, 100 + i);
		rig_settle(f);
		for (i = 1; i < 8; i++)
			assert_true(i == 5 || c[i].ins == 20);
		assert_int_equal(f->domain[0].stats.dropped[TORUS_DROP_NO_LISTENER], 20);
		assert_int_equal(rig_mark(c[6].in[19].bytes, 3), 119);
		rig_attach(&c[5], f, 5, 0, false);
		send_row(&c[0], 7, 200);
		rig_settle(f);
		assert_int_equal(c[5].ins, 1);
		rig_at_rest(f);
		for (i = 0; i < 8; i++)
			rig_client_free(&c[i]);
		torus_fabric_destroy(f);
	}
}

/* A FIFO group changes its owner while a broadcast is under way. */
static void test_generation(void **state)
{
	struct torus_fabric *f = rig_make("8mx1x1", "");
	struct rig_client a, b, c;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 3, 0, false);
	send_row(&a, 7, 1);
	torus_nic_poll(f);
	rig_detach(&b);
	rig_attach(&c, f, 3, 0, false);
	rig_settle(f);
	assert_int_equal(c.ins, 0);
	/* the new owner at node 3 does not receive the copy, and the other nodes have no program */
	assert_int_equal(f->domain[0].stats.dropped[TORUS_DROP_NO_LISTENER], 7);
	rig_at_rest(f);
	rig_client_free(&a);
	rig_client_free(&b);
	rig_client_free(&c);
	torus_fabric_destroy(f);
}

/*
 * With no_listener=hold a broadcast waits for a program at a node that had none when it was sent.
 * A copy for an earlier owner of the group is not delivered to its successor, and does not wait.
 */
static void test_generation_hold(void **state)
{
	u32 i;

	for (i = 0; i < 4; i++) {
		/*
		 * @was: node 1 has a program when the broadcast is sent; @comes: a program attaches
		 * later
		 */
		bool was = i & 1, comes = i & 2;
		struct torus_fabric *f = rig_make("4mx1x1", "no_listener=hold");
		struct rig_client a, b, c, d, e;

		rig_attach(&a, f, 0, 0, false);
		rig_attach(&b, f, 1, 0, false);
		rig_attach(&d, f, 3, 0, false);
		if (!was)
			rig_detach(&b);
		send_row(&a, 3, 1);
		torus_nic_poll(f);
		if (was)
			rig_detach(&b);
		if (comes)
			rig_attach(&c, f, 1, 0, false);
		rig_attach(&e, f, 2, 0, false);
		rig_settle(f);
		if (comes)
			assert_int_equal(c.ins, !was);
		assert_int_equal(d.ins, was || comes);
		assert_int_equal(e.ins, was || comes);
		assert_int_equal(f->domain[0].stats.dropped[TORUS_DROP_NO_LISTENER], was);
		rig_client_free(&a);
		rig_client_free(&b);
		if (comes)
			rig_client_free(&c);
		rig_client_free(&d);
		rig_client_free(&e);
		torus_fabric_destroy(f);
	}
}

/* No copy is left in another partition. */
static void test_partition(void **state)
{
	struct torus_fabric *f = rig_make("8mx1x1", "");
	struct rig_client a, b, c;
	struct torus_error err;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 3, 0, false);
	rig_attach(&c, f, 7, 0, false);
	assert_int_equal(torus_fabric_partition_set(f, 3, 1, &err), 0);
	send_row(&a, 7, 1);
	send_row(&a, 2, 2);
	rig_settle(f);
	assert_int_equal(a.out[0].code, TORUS_REFUSE_PARTITION);
	assert_false(a.out[1].refused);
	assert_int_equal(b.ins, 0);
	assert_int_equal(c.ins, 0);
	rig_client_free(&a);
	rig_client_free(&b);
	rig_client_free(&c);
	torus_fabric_destroy(f);
}

/*
 * A row broadcast is rejected if the cutoff registers lead it off the mesh, where it would end
 * before its destination, or into another partition. Within the mesh and on a ring the same
 * registers do no harm.
 */
static void test_off_the_mesh(void **state)
{
	static const struct {
		const char *shape;
		u32 node, dest, stranger;
		const char *reg;
		u32 value, code;
	} cases[] = {
		{ "4mx4x4", 0, 2, 63, "cutoff_plus", 0, TORUS_REFUSE_UNREACHABLE },
		{ "4mx4x4", 1, 3, 63, "cutoff_plus", 0, TORUS_REFUSE_UNREACHABLE },
		{ "4mx4x4", 3, 1, 63, "cutoff_minus", 0x030303, TORUS_REFUSE_UNREACHABLE },
		{ "4x4mx4", 0, 8, 63, "cutoff_plus", 0, TORUS_REFUSE_UNREACHABLE },
		{ "4x4x4m", 0, 32, 63, "cutoff_plus", 0, TORUS_REFUSE_UNREACHABLE },
		{ "4mx4x4", 1, 3, 0, "cutoff_plus", 0, TORUS_REFUSE_PARTITION },
		{ "4mx4x4", 0, 2, 63, "cutoff_plus", 0x030303, TORUS_REFUSE_NONE },
		{ "4mx4x4", 0, 2, 63, NULL, 0, TORUS_REFUSE_NONE },
		{ "4x4x4", 0, 2, 63, "cutoff_plus", 0, TORUS_REFUSE_NONE },
	};
	struct torus_fabric *f;
	struct torus_error err;
	struct rig_client a, b;
	struct rig_message *m;
	struct bgl_header h;
	u32 i;

	for (i = 0; i < COUNT(cases); i++) {
		f = rig_make(cases[i].shape, "isolate=off");
		rig_attach(&a, f, cases[i].node, 0, false);
		rig_attach(&b, f, cases[i].dest, 0, false);
		assert_int_equal(torus_fabric_partition_set(f, cases[i].stranger, 5, &err), 0);
		if (cases[i].reg)
			rig_reg_set(f, cases[i].node, cases[i].reg, cases[i].value);
		m = rig_send(&a, cases[i].dest, 0, 1, true, 1);
		bgl_header_unpack(&h, m->bytes);
		h.hints = 0;
		h.dp = true;
		bgl_header_pack(&h, m->bytes);
		rig_settle(f);
		assert_int_equal(m->refused ? m->code : TORUS_REFUSE_NONE, cases[i].code);
		assert_int_equal(b.ins, !cases[i].code);
		rig_client_free(&a);
		rig_client_free(&b);
		torus_fabric_destroy(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_node_on_the_way),
		cmocka_unit_test(test_copies_cost_no_link_time),
		cmocka_unit_test(test_clients),
		cmocka_unit_test(test_generation),
		cmocka_unit_test(test_generation_hold),
		cmocka_unit_test(test_partition),
		cmocka_unit_test(test_off_the_mesh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
