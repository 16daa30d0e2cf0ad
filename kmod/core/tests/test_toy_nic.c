// SPDX-License-Identifier: GPL-2.0
/*
 * The NIC on the toy machine: ten injection FIFOs that share two slots in turn, packets to the own
 * node, packets to memory, and node numbers with gaps.
 */
#include "core/base/node_number.h"
#include "core/workload/pair_list.h"
#include "core/nic/inject.h"
#include "core/nic/inject_queue.h"
#include "core/tests/rig.h"
#include "core/tests/toy/toy.h"

/* Queue a packet to the node with number @number. */
static struct rig_message *send(struct rig_client *c, u32 number, u32 fifo, u32 chunks, u32 flags,
				u32 mark)
{
	struct rig_message *m = &c->out[c->outs++];
	const u8 header[TOY_HEADER_BYTES] = {
		(u8)(number >> 24), (u8)(number >> 16), (u8)(number >> 8), (u8)number,
		(u8)((chunks - 1) | flags), 0,
	};

	memset(m, 0, sizeof(*m));
	m->chunks = (u8)chunks;
	m->fifo = (u8)fifo;
	rig_bytes(m->bytes, header, chunks, mark);
	return m;
}

static u32 number(struct torus_fabric *f, u32 node)
{
	return torus_node_number(&f->cfg.geo, node);
}

/* -------------------------------------------------------------------- numbers */

static void test_numbers(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x3x1", "");
	struct rig_client a, b;
	char text[64];

	assert_int_equal(f->nodes, 72);
	assert_int_equal(f->cfg.geo.numbering.last, 5 * 16 + 11);
	assert_string_equal(torus_geometry_shape(&f->cfg.geo, text, sizeof(text)), "2x3x1");
	assert_int_equal(number(f, f->nodes - 1), 5 * 16 + 11);
	rig_attach(&a, f, torus_node_index(&f->cfg.geo, 3), 0, false);
	rig_attach(&b, f, torus_node_index(&f->cfg.geo, 5 * 16 + 7), 0, false);
	send(&a, 5 * 16 + 7, 0, 4, 0, 1);
	send(&a, 12, 0, 4, 0, 2);
	send(&a, 6 * 16, 0, 4, 0, 3);
	send(&a, 5 * 16 + 7, 0, 2, 0, 4);
	rig_settle(f);
	assert_int_equal(b.ins, 2);
	assert_int_equal(rig_mark(b.in[0].bytes, 4), 1);
	assert_int_equal(rig_mark(b.in[1].bytes, 2), 4);
	/* number 12 is in a gap, and number 96 is beyond the last number */
	assert_int_equal(a.refusals, 2);
	assert_int_equal(a.out[1].code, TORUS_REFUSE_DESTINATION);
	assert_int_equal(a.out[2].code, TORUS_REFUSE_DESTINATION);
	rig_client_free(&a);
	rig_client_free(&b);
	rig_empty(f);
	torus_fabric_destroy(f);
}

static void test_table_by_numbers(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "");
	struct torus_pair pair[2] = {
		{ .src = 0, .dst = 27, .weight = 1 }, { .src = 27, .dst = 11, .weight = 1 },
	};
	const struct torus_traffic t = {
		.pattern = TORUS_PATTERN_TABLE, .size_min = 32, .size_max = 32, .packets = 5,
	};
	struct torus_error err;
	struct rig_trace trace;

	pair[0].src = 13;
	assert_int_equal(torus_traffic_pairs(f, pair, 2, &err), -EINVAL);
	assert_says(err.text, "table source 13");
	pair[0].src = 28;
	assert_int_equal(torus_traffic_pairs(f, pair, 2, &err), -EINVAL);
	assert_says(err.text, "table source 28 0 27");
	pair[0].src = 27;
	pair[0].dst = 11;
	assert_int_equal(torus_traffic_pairs(f, pair, 2, &err), -EINVAL);
	assert_says(err.text, "table 27 11");
	pair[0].src = 0;
	pair[0].dst = 27;
	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	assert_int_equal(torus_traffic_pairs(f, pair, 2, &err), 0);
	assert_int_equal(torus_traffic_start(f, &t, &err), 0);
	rig_finish(f, 0, 1);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_DELIVER,
				   torus_node_index(&f->cfg.geo, 27)), 5);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_DELIVER,
				   torus_node_index(&f->cfg.geo, 11)), 5);
	assert_int_equal(trace.n, 10);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* --------------------------------------------------------------------- queues */

/*
 * FIFOs 0, 2 and 4 of a group share slot 0. Each of them sends every third packet, regardless of
 * the lengths of the packets.
 */
static void test_queues_in_turns(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "");
	struct torus_domain *d = &f->domain[0];
	u32 i, seen[3] = { 0 }, fifo;
	struct torus_check check = { .f = f };
	struct rig_trace trace;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	for (i = 0; i < 3; i++)
		for (fifo = 0; fifo < 5; fifo += 2) {
			struct torus_packet p = rig_packet(f, 0, 12, fifo == 2 ? 1 : 8);
			u32 pkt = torus_pool_get(&d->pool);

			p.seq = fifo / 2;
			torus_pool_fill(&d->pool, pkt, &p);
			torus_stats_inject(d, torus_packet_at(d, pkt));
			assert_true(torus_fifo_room(f, 0, fifo) >= p.chunks);
			torus_inject_put(d, 0, fifo, pkt);
		}
	/*
	 * 8 + 1 + 8 chunks are in the slot of 24; the next packet of 8 chunks does not fit, and its
	 * queue keeps the turn
	 */
	torus_queues_census(d, &check);
	assert_int_equal(check.packets, 9 - 3);
	rig_count(f);
	f->router->touch(f, 0);
	rig_drain(f);
	assert_int_equal(trace.n, 9);
	for (i = 0; i < 9; i++) {
		seen[trace.step[i].seq]++;
		if (i % 3 == 2)
			assert_true(seen[0] == i / 3 + 1 && seen[1] == i / 3 + 1 &&
				    seen[2] == i / 3 + 1);
	}
	rig_trace_free(&trace);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/* A full FIFO leaves free space in the other FIFOs of its slot. */
static void test_queues_have_own_space(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "");
	struct rig_client a, b;
	u32 i, fifo;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 12, 0, false);
	b.credits = 0;
	for (i = 0; i < 60; i++)
		send(&a, number(f, 12), i % TOY_FIFOS, 8, 0, i);
	rig_settle(f);
	/* the client has one ring, whose next packet waits for a full FIFO; no FIFO overflows */
	assert_true(a.pulled < 60);
	fifo = a.out[a.pulled].fifo;
	assert_true(torus_nic_inject_chunks(f, 0, 0, fifo) > TOY_FIFO_CHUNKS - 8);
	for (i = 0; i < TOY_FIFOS; i++)
		assert_true(torus_nic_inject_chunks(f, 0, 0, i) <= TOY_FIFO_CHUNKS);
	rig_count(f);
	b.credits = RIG_RING;
	rig_settle(f);
	assert_int_equal(b.ins, 60);
	rig_client_free(&a);
	rig_client_free(&b);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/* ------------------------------------------------------------ packets to the own node */

static void test_own_node(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "");
	struct torus_fabric_counters *c = calloc(1, sizeof(*c));
	struct rig_client a;
	u32 i;

	rig_attach(&a, f, 5, 0, false);
	for (i = 0; i < 20; i++)
		send(&a, number(f, 5), i % TOY_FIFOS, 8, 0, i);
	rig_settle(f);
	assert_int_equal(a.ins, 20);
	torus_fabric_counters(f, c);
	assert_int_equal(c->delivered, 20);
	assert_int_equal(c->hops_total, 0);
	/* the path transfers one packet at a time: arrivals are the ticks of a transfer apart */
	for (i = 1; i < 20; i++)
		assert_in_range(a.in[i].at - a.in[i - 1].at, TOY_LOOP_TICKS + 8,
				TOY_LOOP_TICKS + 10);
	rig_client_free(&a);
	rig_empty(f);
	torus_fabric_destroy(f);
	free(c);
}

/*
 * A program that does not read blocks its own packets, and those after them in the same FIFO, but
 * no other packets.
 */
static void test_own_node_waits(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "");
	struct rig_client a, b;
	u32 i;

	rig_attach(&a, f, 5, 0, false);
	rig_attach(&b, f, 12, 0, false);
	a.credits = 0;
	for (i = 0; i < 6; i++)
		send(&a, number(f, 5), 0, 8, 0, i);
	for (i = 0; i < 4; i++)
		send(&a, number(f, 12), 2, 8, 0, 100 + i);
	rig_settle(f);
	assert_int_equal(a.ins, 0);
	/* FIFO 2 shares the slot of the blocked FIFO */
	assert_int_equal(b.ins, 4);
	rig_count(f);
	a.credits = RIG_RING;
	rig_settle(f);
	assert_int_equal(a.ins, 6);
	for (i = 0; i < 6; i++)
		assert_int_equal(rig_mark(a.in[i].bytes, 8), i);
	/* packets to the own node are also dropped if their group has no owner */
	send(&a, number(f, 5), 0, 8, 0, 7);
	a.out[a.outs - 1].bytes[5] = 1;
	rig_settle(f);
	assert_int_equal(a.ins, 6);
	assert_int_equal(f->domain[0].stats.dropped[TORUS_DROP_NO_LISTENER], 1);
	rig_client_free(&a);
	rig_client_free(&b);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/* --------------------------------------------------------------------- memory */

static void test_memory(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "");
	struct toy_machine *m = f->machine;
	u64 *dropped = f->domain[0].stats.dropped;
	struct rig_client a;
	u32 i;

	rig_attach(&a, f, 5, 0, false);
	/* node 12 has no group with an owner; packets to memory need no owner */
	for (i = 0; i < 5; i++)
		send(&a, number(f, 12), 0, 8, TOY_PUT, i);
	send(&a, number(f, 5), 0, 3, TOY_PUT, 9);
	rig_settle(f);
	assert_int_equal(m->memory[12], 40);
	assert_int_equal(m->memory[5], 3);
	assert_int_equal(a.ins, 0);
	for (i = 0; i < 5; i++)
		send(&a, number(f, 12), 1, 8, TOY_PUT, i);
	rig_settle(f);
	assert_int_equal(m->memory[12], TOY_MEMORY_CHUNKS);
	assert_int_equal(dropped[TORUS_DROP_MACHINE + TOY_DROP_FULL], 2);
	assert_int_equal(f->domain[0].stats.delivered, 9);
	rig_client_free(&a);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/* Clients on several domains receive all packets once and in order, with link errors. */
static void test_clients_on_bad_links(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "3x1x1", "ber=1e-5 domains=3");
	struct rig_client a, b;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, f->nodes - 1, 0, false);
	for (i = 0; i < 1000; i++)
		send(&a, number(f, f->nodes - 1), 3, 1 + i % 8, 0, i);
	rig_settle(f);
	assert_int_equal(b.ins, 1000);
	for (i = 0; i < 1000; i++) {
		assert_int_equal(b.in[i].chunks, 1 + i % 8);
		assert_int_equal(rig_mark(b.in[i].bytes, b.in[i].chunks), i);
	}
	rig_client_free(&a);
	rig_client_free(&b);
	rig_drain(f);
	rig_empty(f);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_table_by_numbers),
		cmocka_unit_test(test_queues_in_turns),
		cmocka_unit_test(test_queues_have_own_space),
		cmocka_unit_test(test_own_node),
		cmocka_unit_test(test_own_node_waits),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_clients_on_bad_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
