// SPDX-License-Identifier: GPL-2.0
/*
 * FIFO groups and their clients. The bytes of programs arrive unchanged, with faults, too. No
 * client receives packets for another client. A client that does not read blocks the network, as on
 * the machine.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"
#include "core/nic/inject.h"
#include "core/run/windows.h"

#define RECEIVE_PRIORITY	TORUS_BGL_RECEIVE_PRIORITY
#define INJECT_PRIORITY		TORUS_BGL_INJECT_PRIORITY

static struct torus_fabric_counters counters(struct torus_fabric *f)
{
	struct torus_fabric_counters c;

	torus_fabric_counters(f, &c);
	return c;
}

/*
 * Send packets of mixed sizes between all groups, and check that each arrives once with the right
 * bytes.
 */
static void check_bytes(const char *shape, const char *settings, u32 each, bool faults)
{
	struct torus_fabric *f = rig_make(shape, settings);
	u32 clients = 2 * f->nodes, total = clients * each, i, j;
	struct rig_client *c = calloc(clients, sizeof(*c));
	u64 rng = torus_random_seed(5, 5, each);
	u32 *sent = calloc(total, sizeof(*sent));
	u8 *seen = calloc(total, 1);

	if (faults) {
		const struct torus_fault down = {
			.what = TORUS_FAULT_STATE, .node = TORUS_NONE, .dir = 1, .at = 2000,
			.lasts = 3000,
		};

		rig_fault(f, &down);
	}
	for (i = 0; i < clients; i++)
		rig_attach(&c[i], f, i / 2, i % 2, false);
	for (i = 0; i < clients; i++)
		for (j = 0; j < each; j++) {
			u32 dst = torus_random_below(&rng, f->nodes - 1);
			u32 mark = i * each + j, pid = torus_random_below(&rng, 2);
			u32 chunks = 1 + torus_random_below(&rng, 8);

			dst += dst >= c[i].node;
			rig_send(&c[i], dst, pid, chunks, torus_random_below(&rng, 2), mark)->fifo =
				(u8)torus_random_below(&rng, 3);
			sent[mark] = dst << 8 | pid << 4 | chunks;
		}
	rig_settle(f);
	for (i = 0; i < clients; i++) {
		assert_int_equal(c[i].accepts, each);
		assert_int_equal(c[i].refusals, 0);
		for (j = 0; j < c[i].ins; j++) {
			struct rig_message *m = &c[i].in[j];
			u32 mark = rig_mark(m->bytes, m->chunks);
			struct bgl_header h;

			assert_true(mark < total);
			assert_int_equal(sent[mark], c[i].node << 8 | c[i].group << 4 | m->chunks);
			assert_int_equal(seen[mark]++, 0);
			assert_true(m->fifo < RECEIVE_PRIORITY);
			bgl_header_unpack(&h, m->bytes);
			assert_int_equal(h.chunks, m->chunks);
			assert_int_equal(h.pid, c[i].group);
			assert_int_equal(h.hints, 0);
			assert_true(bgl_header_intact(m->bytes));
		}
	}
	for (i = 0; i < total; i++)
		assert_int_equal(seen[i], 1);
	assert_int_equal(counters(f).delivered, total);
	assert_int_equal(counters(f).links_differ, 0);
	if (faults) {
		assert_true(counters(f).resends > 0);
		assert_true(counters(f).crc_errors > 0);
	}
	rig_at_rest(f);
	for (i = 0; i < clients; i++)
		rig_client_free(&c[i]);
	torus_fabric_destroy(f);
	free(c);
	free(sent);
	free(seen);
}

static void test_bytes_arrive(void **state)
{
	check_bytes("3x3x3", "", 60, false);
	check_bytes("4x2x1", "crc=full domains=3", 60, false);
}

static void test_bytes_arrive_through_faults(void **state)
{
	check_bytes("3x3x3", "ber=1e-4", 60, true);
	check_bytes("4x2x1", "ber=2e-4 domains=2 crc=full", 100, true);
}

/*
 * Deterministic packets between two nodes through one FIFO keep their order, with bit errors, too.
 */
static void test_deterministic_in_order(void **state)
{
	static const char *const settings[] = { "", "ber=2e-4" };
	u32 i, j;

	for (i = 0; i < COUNT(settings); i++) {
		struct torus_fabric *f = rig_make("4x4x4", settings[i]);
		struct rig_client a, b, other[4];

		rig_attach(&a, f, 0, 0, false);
		rig_attach(&b, f, rig_node(f, 2, 3, 1), 1, false);
		for (j = 0; j < 4; j++) {
			u32 k;

			/* competing traffic */
			rig_attach(&other[j], f, 1 + j, 0, false);
			for (k = 0; k < 300; k++)
				rig_send(&other[j], 1 + (j + 1) % 4, 0, 8, true, k);
		}
		for (j = 0; j < 500; j++)
			rig_send(&a, b.node, 1, 1 + j % 8, false, j);
		rig_settle(f);
		assert_int_equal(b.ins, 500);
		for (j = 0; j < 500; j++)
			assert_int_equal(rig_mark(b.in[j].bytes, b.in[j].chunks), j);
		rig_client_free(&a);
		rig_client_free(&b);
		for (j = 0; j < 4; j++)
			rig_client_free(&other[j]);
		torus_fabric_destroy(f);
	}
}

/* A packet enters the reception FIFO of the direction from which it arrived. */
static void test_receive_fifo_by_direction(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct rig_client from[6], to;
	u32 dir;

	rig_attach(&to, f, rig_node(f, 1, 1, 1), 0, false);
	for (dir = 0; dir < 6; dir++) {
		u32 peer = torus_geometry_neighbor(&f->cfg.geo, to.node, TORUS_REVERSE(dir));

		rig_attach(&from[dir], f, peer, 0, false);
		rig_send(&from[dir], to.node, 0, 2, true, dir);
	}
	rig_settle(f);
	assert_int_equal(to.ins, 6);
	for (dir = 0; dir < 6; dir++)
		assert_int_equal(rig_mark(to.in[dir].bytes, 2), to.in[dir].fifo);
	for (dir = 0; dir < 6; dir++)
		rig_client_free(&from[dir]);
	rig_client_free(&to);
	torus_fabric_destroy(f);
}

/* ------------------------------------------------------------------- generations */

/* A new owner of a FIFO group does not receive the packets for an earlier owner. */
static void check_generation(const char *settings, u64 ticks)
{
	struct torus_fabric *f = rig_make("4x4x4", settings);
	struct rig_client a, old, new;
	u32 i, before;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&old, f, 42, 1, false);
	for (i = 0; i < 40; i++)
		rig_send(&a, 42, 1, 8, true, i);
	torus_nic_poll(f);
	torus_fabric_run(f, ticks, 0, 1);
	before = old.ins;
	assert_true(a.accepts > before);
	rig_detach(&old);
	i = old.generation;
	rig_attach(&new, f, 42, 1, false);
	assert_true(new.generation > i);
	/* packets that client @a injects from now on are for the new owner */
	i = a.accepts;
	rig_settle(f);
	assert_int_equal(a.accepts, 40);
	assert_int_equal(new.ins, 40 - i);
	for (i = 0; i < new.ins; i++)
		assert_true(rig_mark(new.in[i].bytes, 8) >= 40 - new.ins);
	assert_int_equal(counters(f).dropped[TORUS_DROP_NO_LISTENER], 40 - new.ins - before);
	assert_int_equal(counters(f).in_flight, 0);
	rig_census(f);
	rig_client_free(&a);
	rig_client_free(&old);
	rig_client_free(&new);
	torus_fabric_destroy(f);
}

static void test_generation(void **state)
{
	static const u64 ticks[] = { 50, 300, 380, 500, 700, 1000, 2000 };
	u32 i;

	for (i = 0; i < COUNT(ticks); i++) {
		check_generation("", ticks[i]);
		check_generation("no_listener=hold", ticks[i]);
		check_generation("ber=1e-4", ticks[i]);
	}
}

/*
 * A detached client's packets in the reception FIFO count as unread. The next owner starts with an
 * empty FIFO.
 */
static void test_unread(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct rig_client a, b, c;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 1, 0, false);
	b.credits = 0;
	for (i = 0; i < 3; i++)
		rig_send(&a, 1, 0, 8, false, i);
	rig_settle(f);
	assert_int_equal(torus_nic_receive_chunks(f, 1, 0, 0), 24);
	assert_true(torus_nic_blocked(f));
	rig_detach(&b);
	assert_int_equal(counters(f).unread, 3);
	assert_false(torus_nic_blocked(f));
	rig_attach(&c, f, 1, 0, false);
	assert_int_equal(torus_nic_receive_chunks(f, 1, 0, 0), 0);
	rig_send(&a, 1, 0, 8, false, 9);
	rig_settle(f);
	assert_int_equal(c.ins, 1);
	assert_int_equal(rig_mark(c.in[0].bytes, 8), 9);
	rig_at_rest(f);
	rig_client_free(&a);
	rig_client_free(&b);
	rig_client_free(&c);
	torus_fabric_destroy(f);
}

static void test_no_listener_drop(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct rig_client a;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	for (i = 0; i < 30; i++)
		rig_send(&a, i % 63 + 1, i % 2, 8, i % 3, i);
	rig_settle(f);
	assert_int_equal(counters(f).dropped[TORUS_DROP_NO_LISTENER], 30);
	rig_at_rest(f);
	rig_client_free(&a);
	torus_fabric_destroy(f);
}

/* With no_listener=hold packets wait for the next owner of the group. */
static void test_no_listener_hold(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "no_listener=hold");
	struct rig_client a, b;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	for (i = 0; i < 10; i++)
		rig_send(&a, 9, 1, 8, false, i);
	rig_settle(f);
	assert_int_equal(counters(f).dropped[TORUS_DROP_NO_LISTENER], 0);
	assert_int_equal(torus_fabric_in_flight(f), 10);
	assert_int_equal(torus_watchdog_check(f, NULL), TORUS_VERDICT_WAITING);
	rig_census(f);
	rig_attach(&b, f, 9, 1, false);
	rig_settle(f);
	assert_int_equal(b.ins, 10);
	for (i = 0; i < 10; i++)
		assert_int_equal(rig_mark(b.in[i].bytes, 8), i);
	rig_at_rest(f);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/* The packets of a sender that detaches still arrive. */
static void test_sender_leaves(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct rig_client a, b;
	u32 i, sent;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 42, 0, false);
	for (i = 0; i < 20; i++)
		rig_send(&a, 42, 0, 8, true, i);
	torus_nic_poll(f);
	torus_fabric_run(f, 400, 0, 1);
	sent = a.accepts;
	assert_true(sent > 0 && sent < 20);
	rig_detach(&a);
	rig_settle(f);
	assert_int_equal(b.ins, sent);
	rig_at_rest(f);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/* -------------------------------------------------------------------- slow readers */

/* A full reception FIFO blocks packets in the network, and loses none. */
static void test_full_reception_pushes_back(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "");
	struct rig_client a, b;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 1, 0, false);
	b.credits = 5;
	for (i = 0; i < 100; i++)
		rig_send(&a, 1, 0, 8, false, i);
	rig_settle(f);
	assert_int_equal(b.ins, 5);
	/*
	 * full: the reception FIFO (32 chunks), the buffer (3 packets) and the injection FIFO (32
	 * chunks)
	 */
	assert_int_equal(torus_nic_receive_chunks(f, 1, 0, 0), 32);
	assert_int_equal(torus_nic_inject_chunks(f, 0, 0, 0), 32);
	assert_true(torus_nic_blocked(f));
	assert_int_equal(counters(f).delivered, 5 + 4);
	assert_true(a.accepts < 20);
	assert_int_equal(torus_watchdog_check(f, NULL), TORUS_VERDICT_WAITING);
	rig_census(f);
	/* reading one packet lets one more packet enter */
	b.credits = 1;
	i = a.accepts;
	rig_settle(f);
	assert_int_equal(b.ins, 6);
	assert_int_equal(a.accepts, i + 1);
	b.credits = RIG_RING;
	rig_settle(f);
	assert_int_equal(b.ins, 100);
	for (i = 0; i < 100; i++)
		assert_int_equal(rig_mark(b.in[i].bytes, 8), i);
	rig_at_rest(f);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/* rx_stall limits the time during which a client that does not read blocks packets. */
static void test_rx_stall(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "rx_stall=5000");
	struct rig_client a, b, c;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 1, 0, false);
	rig_attach(&c, f, 2, 0, false);
	b.credits = 0;
	for (i = 0; i < 30; i++)
		rig_send(&a, 1, 0, 8, false, i);
	for (i = 0; i < 10; i++)
		rig_send(&a, 2, 0, 8, false, 100 + i);
	rig_settle(f);
	/* no packet moves, and none is dropped before the limit */
	assert_int_equal(counters(f).dropped[TORUS_DROP_RX_STALL], 0);
	assert_int_equal(c.ins, 0);
	torus_fabric_idle_advance(f, 3000);
	rig_settle(f);
	assert_int_equal(counters(f).dropped[TORUS_DROP_RX_STALL], 0);
	torus_fabric_idle_advance(f, 3000);
	rig_settle(f);
	/*
	 * the reception FIFO keeps 4 packets, the others are dropped, and the next node receives
	 * its own
	 */
	assert_int_equal(counters(f).dropped[TORUS_DROP_RX_STALL], 26);
	assert_int_equal(c.ins, 10);
	b.credits = RIG_RING;
	rig_settle(f);
	assert_int_equal(b.ins, 4);
	rig_at_rest(f);
	/* the reader reads again: no more packets are dropped */
	for (i = 0; i < 10; i++)
		rig_send(&a, 1, 0, 8, false, i);
	rig_settle(f);
	assert_int_equal(b.ins, 14);
	assert_int_equal(counters(f).dropped[TORUS_DROP_RX_STALL], 26);
	rig_client_free(&a);
	rig_client_free(&b);
	rig_client_free(&c);
	torus_fabric_destroy(f);
}

/* The priority FIFO has a bus of its own, so a full normal FIFO does not block it. */
static void test_priority_passes_a_full_fifo(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "");
	struct rig_client a, b, hi;
	struct rig_message *m;
	struct bgl_header h;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&hi, f, 0, 1, true);
	rig_attach(&b, f, 1, 0, false);
	b.credits = 0;
	for (i = 0; i < 30; i++)
		rig_send(&a, 1, 0, 8, false, i);
	rig_settle(f);
	m = rig_send(&hi, 1, 0, 4, false, 77);
	bgl_header_unpack(&h, m->bytes);
	h.vc = TORUS_BGL_BP;
	bgl_header_pack(&h, m->bytes);
	m->fifo = INJECT_PRIORITY;
	rig_settle(f);
	assert_int_equal(hi.accepts, 1);
	assert_int_equal(torus_nic_receive_chunks(f, 1, 0, RECEIVE_PRIORITY), 4);
	b.credits = RIG_RING;
	rig_settle(f);
	assert_int_equal(b.ins, 31);
	for (i = 0; b.in[i].fifo != RECEIVE_PRIORITY; i++)
		;
	assert_int_equal(rig_mark(b.in[i].bytes, 4), 77);
	rig_at_rest(f);
	rig_client_free(&a);
	rig_client_free(&b);
	rig_client_free(&hi);
	torus_fabric_destroy(f);
}

/* ---------------------------------------------------------------- rejected packets */

#define OUTSIDE	200	/* not a coordinate */

/*
 * Queue a packet of four chunks to node 5 with coordinate @x and size @chunks in its header, right
 * or wrong.
 */
static struct rig_message *send_saying(struct rig_client *client, u32 x, u32 chunks, u32 mark)
{
	struct rig_message *m = rig_send(client, 5, 0, 4, false, mark);
	struct bgl_header h;

	bgl_header_unpack(&h, m->bytes);
	h.dest[0] = (u8)x;
	h.chunks = (u8)chunks;
	bgl_header_pack(&h, m->bytes);
	return m;
}

/*
 * A rejected packet is reported with its code and counted. Its FIFO continues with the next
 * packet.
 */
static void test_refused_fifo_continues(void **state)
{
	static const struct {
		u32 x, chunks, code;
	} kinds[] = {
		{ 1, 4, 0 },
		{ OUTSIDE, 4, TORUS_REFUSE_DESTINATION },
		{ 1, 5, TORUS_REFUSE_SIZE },	/* the header's size is not the pulled size */
	};
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct rig_client a, b;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 5, 0, false);
	for (i = 0; i < 30; i++)
		send_saying(&a, kinds[i % 3].x, kinds[i % 3].chunks, i);
	rig_settle(f);
	assert_int_equal(a.refusals, 20);
	assert_int_equal(a.accepts, 10);
	assert_int_equal(counters(f).refused, 20);
	assert_int_equal(b.ins, 10);
	for (i = 0; i < 30; i++) {
		assert_int_equal(a.out[i].refused, i % 3 != 0);
		assert_int_equal(a.out[i].code, kinds[i % 3].code);
	}
	rig_at_rest(f);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/*
 * The number of packets that one poll rejects per client is limited, regardless of the number of
 * its FIFOs.
 */
static void test_refused_bounded(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct rig_client a, b;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 5, 0, false);
	for (i = 0; i < 120; i++)
		send_saying(&a, OUTSIDE, 4, i)->fifo = (u8)(i / 40);
	rig_send(&b, 0, 0, 4, false, 1);
	assert_true(torus_nic_poll(f));
	assert_int_equal(a.refusals, 64);
	assert_int_equal(b.accepts, 1);
	rig_settle(f);
	assert_int_equal(a.refusals, 120);
	rig_at_rest(f);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/* An error that escapes CRC-24 reaches the program, and the link CRCs differ. */
static void test_escape_reaches_the_user(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	const struct torus_fault fault = {
		.what = TORUS_FAULT_ESCAPE, .node = 1, .dir = 0, .escape = 1,
	};
	u32 node, dir, differ = 0, i, wrong = 0;
	struct rig_client a, b;

	rig_fault(f, &fault);
	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 2, 0, false);
	for (i = 0; i < 5; i++) {
		struct rig_message *m = rig_send(&a, 2, 0, 8, false, i);
		struct bgl_header h;

		bgl_header_unpack(&h, m->bytes);
		h.hints = TORUS_BGL_HINT_XP;
		bgl_header_pack(&h, m->bytes);
	}
	rig_settle(f);
	assert_int_equal(b.ins, 5);
	for (i = 0; i < 5; i++)
		wrong += rig_mark(b.in[i].bytes, 8) == ~0u;
	assert_int_equal(wrong, 1);
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < 6; dir++) {
			struct torus_link_view v = rig_view(f, node, dir);

			differ += v.tx_crc != v.rx_crc;
			assert_int_equal(v.tx_crc != 0, dir == 0 && node < 2);
		}
	assert_int_equal(differ, 1);
	assert_true(rig_view(f, 1, 0).tx_crc != rig_view(f, 1, 0).rx_crc);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes_arrive),
		cmocka_unit_test(test_bytes_arrive_through_faults),
		cmocka_unit_test(test_deterministic_in_order),
		cmocka_unit_test(test_receive_fifo_by_direction),
		cmocka_unit_test(test_generation),
		cmocka_unit_test(test_unread),
		cmocka_unit_test(test_no_listener_drop),
		cmocka_unit_test(test_no_listener_hold),
		cmocka_unit_test(test_sender_leaves),
		cmocka_unit_test(test_full_reception_pushes_back),
		cmocka_unit_test(test_rx_stall),
		cmocka_unit_test(test_priority_passes_a_full_fifo),
		cmocka_unit_test(test_refused_fifo_continues),
		cmocka_unit_test(test_refused_bounded),
		cmocka_unit_test(test_escape_reaches_the_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
