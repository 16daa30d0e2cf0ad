// SPDX-License-Identifier: GPL-2.0
/* Tofu's router: where packets go, when they arrive, what engines and links carry at once. */
#include "arch/tofu/nic.h"
#include "core/tests/rig.h"

#define LATENCY	125u	/* of a hop, unless told */

static u32 node_at(struct torus_fabric *f, const u32 *coords)
{
	return torus_geometry_node(&f->cfg.geo, coords);
}

/* A packet that names a path, put into FIFO @fifo of its source. */
static void send(struct torus_fabric *f, u32 src, u32 dst, u32 path, u32 fifo, u32 chunks)
{
	struct torus_packet p = rig_packet(f, src, dst, chunks);

	tofu_fields(&p)->path = (u8)path;
	tofu_fields(&p)->fifo = (u8)(fifo % TORUS_TOFU_FIFOS);
	rig_inject(f, fifo, &p);
}

/* Links of a minimal way within a group. */
static u32 group_hops(const u32 *from, const u32 *to)
{
	u32 axis, hops = 0;

	for (axis = TOFU_A; axis <= TOFU_C; axis++)
		hops += from[axis] != to[axis];
	return hops;
}

static u32 length_of(struct torus_fabric *f, u32 src, u32 dst, u32 path)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 a[TOFU_AXES], b[TOFU_AXES], relay[TOFU_AXES], axis, hops = 0;

	torus_geometry_coords(g, src, a);
	torus_geometry_coords(g, dst, b);
	tofu_slot_coords(path, relay);
	for (axis = 0; axis < TOFU_GROUP_AXES; axis++) {
		s32 way = torus_geometry_steps(g, axis, a[axis], b[axis]);

		hops += (u32)(way < 0 ? -way : way);
	}
	return hops + group_hops(a, relay) + group_hops(relay, b);
}

/* Alone in the network: a hop is its latency, the last byte comes behind the first. */
static void check_alone(struct torus_fabric *f, u32 src, u32 dst, u32 path, u32 chunks,
			u32 latency)
{
	u32 relay[TOFU_AXES], hops = length_of(f, src, dst, path), i;
	u64 start = torus_fabric_clock(f);
	const struct rig_step *last;
	bool relayed;
	struct rig_trace trace;

	rig_watch(f, &trace, 1u << TORUS_WATCH_DELIVER | 1u << TORUS_WATCH_HOP);
	send(f, src, dst, path, 1, chunks);
	rig_drain(f);
	assert_int_equal(rig_times(&trace, TORUS_WATCH_HOP, TORUS_NONE), hops);
	assert_int_equal(trace.n, hops + 1);
	last = &trace.step[hops];
	assert_int_equal(last->what, TORUS_WATCH_DELIVER);
	assert_int_equal(last->node, dst);
	assert_int_equal(last->at, start + hops * latency + chunks * TOFU_CHUNK_TICKS);
	/* by way of the relay that it names */
	torus_geometry_coords(&f->cfg.geo, src, relay);
	tofu_slot_coords(path, relay);
	for (relayed = false, i = 0; i <= hops; i++)
		relayed |= trace.step[i].node == node_at(f, relay);
	assert_true(relayed);
	rig_trace_free(&trace);
	rig_empty(f);
}

/* Every node of a group and of others, by each path. */
static void test_alone(void **state)
{
	static const char *const shapes[] = { "3x3x2", "4x1x2m", "2mx2x3" };
	u32 i, path, dst;

	for (i = 0; i < COUNT(shapes); i++) {
		struct torus_fabric *f = rig_make_arch("tofu", shapes[i], "");

		for (path = 0; path < TOFU_PATHS; path++)
			for (dst = 1; dst < f->nodes; dst++)
				check_alone(f, 0, dst, path, 1 + (dst + path) % 64, LATENCY);
		torus_fabric_destroy(f);
	}
}

static void test_latency_told(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x1x1", "latency=80");

	check_alone(f, 0, 35, 4, 64, 80);
	check_alone(f, 5, 30, 0, 1, 80);
	torus_fabric_destroy(f);
}

/* A packet to the own node goes round in the NIC, and none of its links moves. */
static void test_own_node(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "1x1x1", "");
	struct torus_packet p = rig_packet(f, 3, 3, 7);
	u32 ticks;

	assert_int_equal(f->arch->loop(f, 3, &p, &ticks), tofu_fields(&p)->fifo);
	assert_int_equal(ticks, 7 * 8);
	torus_fabric_destroy(f);
}

/*
 * "Each engine can transmit and receive packets simultaneously, transmit packets to any
 * direction, and receive packets from any direction": @engines packets leave and arrive side
 * by side, one more behind another.
 */
static void check_engines(const char *settings, u32 engines)
{
	static const u32 away[6][TOFU_AXES] = {
		{ 1 }, { 0, 1 }, { 0, 0, 1 }, { 0, 0, 0, 1 }, { 0, 0, 0, 0, 1 },
		{ 0, 0, 0, 0, 0, 1 },
	};
	struct torus_fabric *f = rig_make_arch("tofu", "3x3x3", settings);
	u32 far = node_at(f, (const u32[TOFU_AXES]) { 2 }), i;
	struct rig_trace trace;

	rig_watch(f, &trace, 1u << TORUS_WATCH_DELIVER);
	for (i = 0; i < engines; i++) {
		u32 other = node_at(f, away[i]);

		send(f, 0, other, 0, i, 32);
		send(f, other, 0, i < 3 ? 0 : tofu_slot((const u32[TOFU_AXES]) { 0 }), i, 32);
	}
	/* one more in, that is served before the one from x- beside it, and one more out */
	send(f, far, 0, 0, 0, 32);
	send(f, 0, far, 0, engines, 32);
	rig_drain(f);
	assert_int_equal(trace.n, 2 * engines + 2);
	for (i = 0; i < trace.n; i++) {
		bool second = trace.step[i].src == node_at(f, away[0]) || trace.step[i].dst == far;

		assert_int_equal(trace.step[i].at,
				 trace.step[i].hops * LATENCY + (second ? 2 : 1) * 256);
	}
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static void test_engines(void **state)
{
	check_engines("", 4);
	check_engines("tnis=6", 6);
}

/* Whoever asks for a port gets it in turn, far slots as near ones. */
static void test_ports_in_turn(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x3x1", "");
	const u32 from[4] = {
		node_at(f, (const u32[TOFU_AXES]) { 1 }),
		node_at(f, (const u32[TOFU_AXES]) { 2 }),
		node_at(f, (const u32[TOFU_AXES]) { 0, 1 }),
		node_at(f, (const u32[TOFU_AXES]) { 0, 2 }),
	};
	u32 counts[4] = { 0 }, i, j;
	struct rig_trace trace;

	rig_watch(f, &trace, 1u << TORUS_WATCH_DELIVER);
	/* eight of 256 bytes from each neighbour, all through engine 0 */
	for (j = 0; j < 8; j++)
		for (i = 0; i < 4; i++)
			send(f, from[i], 0, 0, 0, 8);
	rig_drain(f);
	assert_int_equal(trace.n, 32);
	for (i = 0; i < trace.n; i++) {
		for (j = 0; j < 4; j++)
			counts[j] += trace.step[i].src == from[j];
		if (i % 4 == 3)
			for (j = 0; j < 4; j++)
				assert_int_equal(counts[j], i / 4 + 1);
		assert_int_equal(trace.step[i].at, LATENCY + (i + 1) * 64);
	}
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* Two that want one link get it in turn: who passes, and who is sent here. */
static void test_links_in_turn(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3mx1x1", "");
	u32 middle = node_at(f, (const u32[TOFU_AXES]) { 1 }), i;
	u32 far = node_at(f, (const u32[TOFU_AXES]) { 2 });
	struct rig_trace trace;

	rig_watch(f, &trace, 1u << TORUS_WATCH_DELIVER);
	for (i = 0; i < 8; i++) {
		send(f, 0, far, 0, 0, 8);
		send(f, middle, far, 0, 1, 8);
	}
	rig_drain(f);
	assert_int_equal(trace.n, 16);
	/* two have left before the first comes by; then alternately, while both have some */
	for (i = 2; i < 13; i++)
		assert_int_not_equal(trace.step[i].src, trace.step[i + 1].src);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

/* Ten links busy both ways at once with packets in transit, and four engines beside. */
static void test_ten_links(void **state)
{
	static const struct { u32 dir, from[TOFU_AXES], to[TOFU_AXES]; } way[] = {
		{ 0, { 2, 1, 1 }, { 0, 1, 1 } }, { 1, { 0, 1, 1 }, { 2, 1, 1 } },
	};
	struct torus_fabric *f = rig_make_arch("tofu", "3mx3x3", "");
	u32 i, j, middle = node_at(f, (const u32[TOFU_AXES]) { 1, 1, 1 });
	u64 busy = 0;

	/* along x through the middle, both ways: what passes takes no engine of it */
	for (i = 0; i < 2; i++)
		for (j = 0; j < 8; j++)
			send(f, node_at(f, way[i].from), node_at(f, way[i].to), 0, j % 4, 16);
	assert_int_equal(torus_fabric_run(f, 2 * LATENCY + 8 * 128, 0, 1), TORUS_RUN_TIME);
	for (i = 0; i < 2; i++)
		for (j = 0; j < TOFU_VCS; j++)
			busy += rig_link(f, middle, i).packets[j];
	assert_int_equal(busy, 16);
	rig_drain(f);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/* A buffer of 2 KB takes a packet at a time: any other could be as long as the longest. */
static void test_room_for_the_longest(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3mx1x1", "vc_bytes=2048");
	struct rig_trace trace;
	u32 far = node_at(f, (const u32[TOFU_AXES]) { 1 });

	rig_watch(f, &trace, 1u << TORUS_WATCH_HOP);
	send(f, 0, far, 0, 0, 1);
	send(f, 0, far, 0, 1, 1);
	rig_drain(f);
	assert_int_equal(trace.n, 2);
	/* it has left its buffer when its last byte has been received; the credit comes back */
	assert_int_equal(trace.step[1].at - trace.step[0].at, LATENCY + 8 + LATENCY);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_latency_told),
		cmocka_unit_test(test_own_node),
		cmocka_unit_test(test_engines),
		cmocka_unit_test(test_ports_in_turn),
		cmocka_unit_test(test_links_in_turn),
		cmocka_unit_test(test_ten_links),
		cmocka_unit_test(test_room_for_the_longest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
