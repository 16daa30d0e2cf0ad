// SPDX-License-Identifier: GPL-2.0
/*
 * Router of Tofu: the paths of packets, their arrival ticks, and the number of packets that
 * engines and links transfer at the same time.
 */
#include "arch/tofu/inject.h"
#include "core/nic/inject_queue.h"
#include "core/run/windows.h"
#include "core/state/packets.h"
#include "core/tests/rig.h"

#define LATENCY	125u	/* default ticks per hop */

static u32 node_at(struct torus_fabric *f, const u32 *coords)
{
	return torus_geometry_node(&f->cfg.geo, coords);
}

/* Put a packet with path @path into FIFO @fifo of its source. */
static void send(struct torus_fabric *f, u32 src, u32 dst, u32 path, u32 fifo, u32 chunks)
{
	struct torus_packet p = rig_packet(f, src, dst, chunks);

	tofu_fields(&p)->path = (u8)path;
	tofu_fields(&p)->fifo = (u8)(fifo % TORUS_TOFU_FIFOS);
	rig_inject(f, fifo, &p);
}

/* Count the links of a minimal path within a group. */
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

/*
 * Check the ticks of a packet without other traffic: each hop takes the latency, and the last byte
 * follows the first by the packet's length.
 */
static void check_alone(struct torus_fabric *f, u32 src, u32 dst, u32 path, u32 chunks,
			u32 latency)
{
	u32 relay[TOFU_AXES], hops = length_of(f, src, dst, path), i;
	u64 start = torus_fabric_clock(f);
	const struct rig_step *last;
	bool relayed;
	struct rig_trace trace;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER | 1u << TORUS_TRACE_HOP);
	send(f, src, dst, path, 1, chunks);
	rig_drain(f);
	assert_int_equal(rig_times(&trace, TORUS_TRACE_HOP, TORUS_NONE), hops);
	assert_int_equal(trace.n, hops + 1);
	last = &trace.step[hops];
	assert_int_equal(last->what, TORUS_TRACE_DELIVER);
	assert_int_equal(last->node, dst);
	assert_int_equal(last->at, start + hops * latency + chunks * TOFU_CHUNK_TICKS);
	/* without traffic, the packet passes the relay of its path */
	torus_geometry_coords(&f->cfg.geo, src, relay);
	tofu_slot_coords(path, relay);
	for (relayed = false, i = 0; i <= hops; i++)
		relayed |= trace.step[i].node == node_at(f, relay);
	assert_true(relayed);
	rig_trace_free(&trace);
	rig_empty(f);
}

static void check_from(struct torus_fabric *f, u32 z, u32 dst, u32 path)
{
	u32 src = node_at(f, (const u32[TOFU_AXES]) { 0, 0, z });

	if (dst != src)
		check_alone(f, src, dst, path, 1 + (dst + path) % 64, LATENCY);
}

/* Send to each node of the own group and of other groups, by each path. */
static void test_alone(void **state)
{
	static const char *const shapes[] = { "3x3x2", "4x1x2m", "2mx2x3" };
	u32 i, path, dst, z;

	for (i = 0; i < COUNT(shapes); i++) {
		struct torus_fabric *f = rig_make_arch("tofu", shapes[i], "");

		/* I/O nodes (z is 0) move along z last, compute nodes first */
		for (z = 0; z < f->cfg.geo.dims[TOFU_Z] && z < 2; z++)
			for (path = 0; path < TOFU_PATHS; path++)
				for (dst = 0; dst < f->nodes; dst++)
					check_from(f, z, dst, path);
		torus_fabric_destroy(f);
	}
}

static void test_latency_parameter(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x1x1", "latency=80");

	check_alone(f, 0, 35, 4, 64, 80);
	check_alone(f, 5, 30, 0, 1, 80);
	torus_fabric_destroy(f);
}

/* A packet to the own node stays in the NIC, and uses no link. */
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
 * "Each engine can transmit and receive packets simultaneously, transmit packets to any direction,
 * and receive packets from any direction": @engines packets leave and arrive at the same time. Of
 * one more packet each way, one that arrives and one that departs have to wait.
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

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	for (i = 0; i < engines; i++) {
		u32 other = node_at(f, away[i]);

		send(f, 0, other, 0, i, 32);
		send(f, other, 0, 0, i, 32);
	}
	/*
	 * one more arriving packet, which is served before the packet of node (1,0,0), and one more
	 * departing packet
	 */
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

/* The slots that request a port are served in turn, whatever their numbers are. */
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

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	/* each neighbour sends eight packets of 256 bytes through engine 0 */
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

/* Packets in transit and packets of the own node that want one link are served in turn. */
static void test_links_in_turn(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3mx1x1", "");
	u32 middle = node_at(f, (const u32[TOFU_AXES]) { 1 }), i;
	u32 far = node_at(f, (const u32[TOFU_AXES]) { 2 });
	struct rig_trace trace;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	for (i = 0; i < 8; i++) {
		send(f, 0, far, 0, 0, 8);
		send(f, middle, far, 0, 1, 8);
	}
	rig_drain(f);
	assert_int_equal(trace.n, 16);
	/*
	 * two packets of the own node leave before the first packet in transit arrives; then both
	 * senders alternate
	 */
	for (i = 2; i < 13; i++)
		assert_int_not_equal(trace.step[i].src, trace.step[i + 1].src);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

static u64 link_chunks(struct torus_fabric *f, u32 node, u32 dir)
{
	const struct torus_link_counters link = rig_link(f, node, dir);
	u64 chunks = 0;
	u32 vc;

	for (vc = 0; vc < TOFU_VCS; vc++)
		chunks += link.chunks[vc];
	return chunks;
}

/*
 * Send packets of full size from @src to @dst by two engines in turn. An engine's FIFO has space
 * for only one packet, so one engine alone would wait for each refill.
 */
static void feed(struct torus_fabric *f, u32 src, u32 dst)
{
	u32 fifo;

	for (fifo = 0; fifo < 2; fifo++)
		if (f->router->inject_room(f, src, fifo) >= TOFU_PACKET_CHUNKS)
			send(f, src, dst, 0, fifo, TOFU_PACKET_CHUNKS);
}

/* Count the chunks that crossed each of the links to a node, and each of those from it. */
static void count_links(struct torus_fabric *f, u32 node, u64 *in, u64 *out)
{
	u32 dir;

	for (dir = 0; dir < f->dirs; dir++) {
		u32 other = torus_geometry_neighbor(&f->cfg.geo, node, dir);

		if (other == TORUS_NONE)
			continue;
		*in++ = link_chunks(f, other, TORUS_REVERSE(dir));
		*out++ = link_chunks(f, node, dir);
	}
}

/*
 * Ten links of one node are busy both ways at once. Each of ten streams arrives over a link of its
 * own and leaves over another one: straight on, out of the group, or within it.
 */
static void test_ten_links(void **state)
{
	static const struct { u32 from[TOFU_AXES], to[TOFU_AXES]; } stream[] = {
		{ { 0, 1, 1 }, { 1, 1, 1, 1 } }, { { 1, 1, 1, 1 }, { 2, 1, 1 } },
		{ { 2, 1, 1 }, { 1, 1, 1, 0, 0, 1 } }, { { 1, 1, 1, 0, 0, 1 }, { 0, 1, 1 } },
		{ { 1, 0, 1 }, { 1, 1, 1, 0, 1 } }, { { 1, 1, 1, 0, 2 }, { 1, 2, 1 } },
		{ { 1, 1, 0 }, { 1, 1, 1, 0, 2 } }, { { 1, 1, 1, 0, 1 }, { 1, 1, 2 } },
		{ { 1, 2, 1 }, { 1, 0, 1 } }, { { 1, 1, 2 }, { 1, 1, 0 } },
	};
	struct torus_fabric *f = rig_make_arch("tofu", "3mx3mx3m", "");
	u32 i, j, middle = node_at(f, (const u32[TOFU_AXES]) { 1, 1, 1 });
	const u32 packet = TOFU_PACKET_CHUNKS * TOFU_CHUNK_TICKS;
	u64 in[2][COUNT(stream)], out[2][COUNT(stream)];

	assert_int_equal(COUNT(stream), 10);
	for (j = 0; j < 16; j++) {
		if (j == 4)
			count_links(f, middle, in[0], out[0]);
		if (j == 12)
			count_links(f, middle, in[1], out[1]);
		for (i = 0; i < COUNT(stream); i++)
			feed(f, node_at(f, stream[i].from), node_at(f, stream[i].to));
		torus_fabric_run(f, (j + 1) * packet, 0, 1);
	}
	/*
	 * each of ten links transfers 5 GB/s both ways; a packet's bytes include its header and
	 * CRC
	 */
	for (i = 0; i < COUNT(stream); i++) {
		assert_int_equal(in[1][i] - in[0][i], 8 * TOFU_PACKET_CHUNKS);
		assert_int_equal(out[1][i] - out[0][i], 8 * TOFU_PACKET_CHUNKS);
	}
	rig_drain(f);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/*
 * Return the ticks until a megabyte in packets of full size has arrived, from FIFOs that are never
 * empty.
 */
static u64 megabyte(const u32 *to, u32 path, u32 fifos)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x3x3", "");
	struct torus_domain *d = torus_domain_of(f, 0);
	u32 dst = node_at(f, to), i, pkt;
	struct rig_trace trace;
	u64 ticks;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_DELIVER);
	for (i = 0; i < 512; i++) {
		struct torus_packet p = rig_packet(f, 0, dst, TOFU_PACKET_CHUNKS);

		tofu_fields(&p)->path = (u8)path;
		tofu_fields(&p)->fifo = (u8)(i % fifos);
		assert_int_equal(tofu_inject_route(f, 0, &p), TORUS_REFUSE_NONE);
		pkt = torus_pool_get(&d->pool);
		torus_pool_fill(&d->pool, pkt, &p);
		torus_stats_inject(d, torus_packet_at(d, pkt));
		torus_inject_put(d, 0, i % fifos, pkt);
	}
	f->router->touch(f, 0);
	rig_drain(f);
	assert_int_equal(trace.n, 512);
	ticks = trace.step[511].at;
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
	return ticks;
}

/* All engines on disjoint paths transfer at least 3.5 times as much as one path. */
static void test_apart(void **state)
{
	static const u32 to[][TOFU_AXES] = {
		{ 1 }, { 0, 0, 1 }, { 0, 0, 0, 1 }, { 0, 0, 0, 0, 1 }, { 0, 0, 0, 0, 0, 1 },
		{ 1, 1, 1, 1, 2, 1 }, { 0, 2, 0, 0, 1, 1 }, { 2, 0, 0, 1 },
	};
	u32 i;

	for (i = 0; i < COUNT(to); i++) {
		u64 one = megabyte(to[i], TORUS_TOFU_PATH_FIXED, 1);
		u64 all = megabyte(to[i], TORUS_TOFU_PATH_APART, 4);

		if (2 * one < 7 * all)
			fail_msg("destination %u: %llu ticks by one path, %llu by all", i,
				 (unsigned long long)one, (unsigned long long)all);
	}
}

/*
 * A buffer of 2 KB accepts one packet at a time, because there must be space for one of full size.
 */
static void test_room_for_the_longest(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3mx1x1", "vc_bytes=2048");
	struct rig_trace trace;
	u32 far = node_at(f, (const u32[TOFU_AXES]) { 1 });

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
	send(f, 0, far, 0, 0, 1);
	send(f, 0, far, 0, 1, 1);
	rig_drain(f);
	assert_int_equal(trace.n, 2);
	/* a packet frees its buffer when its last byte was received; then the credit returns */
	assert_int_equal(trace.step[1].at - trace.step[0].at, LATENCY + 8 + LATENCY);
	rig_trace_free(&trace);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_latency_parameter),
		cmocka_unit_test(test_own_node),
		cmocka_unit_test(test_engines),
		cmocka_unit_test(test_ports_in_turn),
		cmocka_unit_test(test_links_in_turn),
		cmocka_unit_test(test_ten_links),
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_room_for_the_longest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
