// SPDX-License-Identifier: GPL-2.0
/*
 * The experiment of figure 10 (Adiga et al. (2005)), network part only, in user space: the one-way
 * latency of messages over 1, 2, 3 hops equals the closed form of bgl_latency.h to the tick.
 * selftests/latency.c compares the kernel module with the same form.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"
#include "bgl_latency.h"

#define LONGEST		(64 * BGL_LATENCY_PACKET)

/*
 * Send a message of @bytes bytes, with all packets in the ring at once. Return: ticks from the
 * entry of the first packet to the arrival of the last byte.
 */
static u64 one_way(struct rig_client *from, struct rig_client *to, u32 bytes, bool dynamic)
{
	struct torus_fabric *f = from->f;
	u32 before = to->ins, packets = 0, left = bytes, mark = from->outs, i;
	struct torus_nic *nic;
	u64 latest = 0;

	for (; left; packets++) {
		u32 size = left < BGL_LATENCY_PACKET ? left : BGL_LATENCY_PACKET;

		rig_send(from, to->node, to->group, size / BGL_CHUNK_BYTES, dynamic,
			 mark + packets);
		left -= size;
	}
	rig_settle(f);
	assert_int_equal(to->ins, before + packets);
	/* one link per dimension and one FIFO preserve the order of the packets */
	for (i = 0; i < packets; i++)
		assert_int_equal(rig_mark(to->in[before + i].bytes, to->in[before + i].chunks),
				 mark + i);
	nic = torus_nic_get(f, to->node, to->group);
	for (i = 0; i < f->arch->receive_fifos; i++)
		if (nic->receive[i].arrived > latest)
			latest = nic->receive[i].arrived;
	/* the program's arrival time is the arrival of the last byte */
	assert_int_equal(latest, to->in[to->ins - 1].at);
	return latest - torus_nic_get(f, from->node, from->group)->inject[0].busy_since;
}

static void check_latency(const char *shape, const char *settings, const u32 dest[3], u32 hops,
			  bool dynamic)
{
	struct torus_fabric *f = rig_make(shape, settings);
	struct rig_client from, to;
	u32 bytes;

	rig_attach(&from, f, 0, 0, false);
	rig_attach(&to, f, rig_node(f, dest[0], dest[1], dest[2]), 1, false);
	/* each length up to two and a half packets, then longer lengths in larger steps */
	for (bytes = 32; bytes <= LONGEST; bytes += bytes < 640 ? 32 : 1760) {
		assert_int_equal(one_way(&from, &to, bytes, dynamic),
				 bgl_latency_ticks(hops, bytes));
		assert_true(torus_fabric_in_flight(f) == 0);
	}
	rig_at_rest(f);
	rig_client_free(&from);
	rig_client_free(&to);
	torus_fabric_destroy(f);
}

static const struct {
	u32 dest[3];
	u32 hops;
} ways[] = {
	{ { 1, 0, 0 }, 1 },
	{ { 0, 0, 7 }, 1 },
	{ { 2, 0, 0 }, 2 },
	{ { 0, 6, 0 }, 2 },
	{ { 3, 0, 0 }, 3 },
	{ { 0, 0, 5 }, 3 },
};

/* Paths in one dimension. */
static void test_deterministic(void **state)
{
	u32 i;

	for (i = 0; i < COUNT(ways); i++)
		check_latency("8x8x8", "", ways[i].dest, ways[i].hops, false);
}

static void test_dynamic(void **state)
{
	u32 i;

	for (i = 0; i < COUNT(ways); i++)
		check_latency("8x8x8", "", ways[i].dest, ways[i].hops, true);
}

/* Paths with turns: deterministic routing takes only the path of dimension order. */
static void test_corners(void **state)
{
	static const u32 two[3] = { 1, 7, 0 }, three[3] = { 1, 1, 1 };

	check_latency("8x8x8", "", two, 2, false);
	check_latency("8x8x8", "", three, 3, false);
}

/* The latency does not depend on the number of domains, the CRC mode or the seed. */
static void test_domains_and_links(void **state)
{
	static const u32 dest[3] = { 2, 0, 0 };

	check_latency("8x4x2", "domains=4", dest, 2, false);
	check_latency("8x4x2", "domains=3 crc=full", dest, 2, true);
	check_latency("8x4x2", "seed=99", dest, 2, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deterministic),
		cmocka_unit_test(test_dynamic),
		cmocka_unit_test(test_corners),
		cmocka_unit_test(test_domains_and_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
