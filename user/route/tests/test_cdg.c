// SPDX-License-Identifier: GPL-2.0
/* Test the dependency check on rings with route functions of this file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "../deadlock/cdg.h"

#define NODES	6u

/* Return the neighbour in a ring whose links lead in one direction. */
static uint32_t next(const void *machine, uint32_t node, uint32_t dir)
{
	return (node + 1) % NODES;
}

/*
 * Add the waits of packets that move up to @far hops. With a dateline, packets that arrive at node
 * 0 continue on VC 1.
 */
static void follow(struct cdg *cdg, uint32_t far, bool dateline)
{
	uint32_t from, hops, node, vc;

	for (from = 0; from < NODES; from++) {
		struct cdg_channel held = { .node = from };

		for (hops = 1, node = next(NULL, from, 0); hops < far; hops++) {
			struct cdg_channel wanted;

			vc = node == 0 && dateline ? 1 : held.vc;
			wanted = (struct cdg_channel){ .node = node, .vc = vc };
			cdg_wait(cdg, &held, &wanted);
			held = wanted;
			node = next(NULL, node, 0);
		}
	}
}

static void test_ring(void **state)
{
	const struct cdg_machine machine = { .nodes = NODES, .dirs = 1, .vcs = 2, .next = next };
	struct cdg cdg;
	uint32_t i;

	assert_int_equal(cdg_init(&cdg, &machine), 0);
	follow(&cdg, NODES - 1, true);
	assert_true(cdg_check(&cdg));
	cdg_clear(&cdg);
	follow(&cdg, 1, false);
	assert_true(cdg_check(&cdg));
	follow(&cdg, NODES - 1, false);
	assert_false(cdg_check(&cdg));
	assert_int_equal(cdg.ncycles, 1);
	assert_int_equal(cdg.ends[0], NODES);
	for (i = 0; i < NODES; i++) {
		assert_int_equal(cdg.cycle[i].vc, 0);
		assert_int_equal(cdg.cycle[(i + 1) % NODES].node,
				 next(NULL, cdg.cycle[i].node, 0));
	}
	cdg_clear(&cdg);
	assert_true(cdg_check(&cdg));
	cdg_free(&cdg);
}

/*
 * Test a cycle through both VCs, with one chain of waits that leads into the cycle and one that
 * leads out of it.
 */
static void test_tails(void **state)
{
	const struct cdg_machine machine = { .nodes = NODES, .dirs = 1, .vcs = 2, .next = next };
	struct cdg cdg;
	uint32_t i;

	assert_int_equal(cdg_init(&cdg, &machine), 0);
	for (i = 0; i < NODES; i++)
		cdg_wait(&cdg, &(struct cdg_channel){ .node = i, .vc = i == 3 },
			 &(struct cdg_channel){ .node = (i + 1) % NODES, .vc = i == 2 });
	cdg_wait(&cdg, &(struct cdg_channel){ .node = 1, .vc = 1 },
		 &(struct cdg_channel){ .node = 2 });
	cdg_wait(&cdg, &(struct cdg_channel){ .node = 4 },
		 &(struct cdg_channel){ .node = 5, .vc = 1 });
	assert_false(cdg_check(&cdg));
	assert_int_equal(cdg.ncycles, 1);
	assert_int_equal(cdg.ends[0], NODES);
	for (i = 0; i < NODES; i++)
		assert_int_equal(cdg.cycle[i].vc, cdg.cycle[i].node == 3);
	cdg_free(&cdg);
}

/*
 * Test two rings with bubbles. Packets change from each ring to the other, and leave a ring at
 * another node than where they enter it.
 */
static void test_bubbles(void **state)
{
	const struct cdg_machine machine = { .nodes = NODES, .dirs = 1, .vcs = 2, .next = next };
	struct cdg cdg;
	uint32_t i, vc;

	assert_int_equal(cdg_init(&cdg, &machine), 0);
	for (vc = 0; vc < 2; vc++)
		for (i = 0; i < NODES; i++)
			cdg_join_ring(&cdg, &(struct cdg_channel){ .node = i, .vc = vc },
				      &(struct cdg_channel){ .node = (i + 1) % NODES, .vc = vc });
	assert_true(cdg_check(&cdg));
	cdg_wait(&cdg, &(struct cdg_channel){ .node = 0 },
		 &(struct cdg_channel){ .node = 1, .vc = 1 });
	assert_true(cdg_check(&cdg));
	cdg_wait(&cdg, &(struct cdg_channel){ .node = 3, .vc = 1 },
		 &(struct cdg_channel){ .node = 4 });
	assert_false(cdg_check(&cdg));
	assert_int_equal(cdg.ncycles, 1);
	assert_int_equal(cdg.ends[0], 2);
	for (i = 0; i < 2; i++)
		assert_int_equal(cdg.cycle[i].node, cdg.cycle[i].vc ? 3 : 0);
	assert_int_not_equal(cdg.cycle[0].vc, cdg.cycle[1].vc);
	/* a packet that leaves its ring and enters it again needs the space of the bubble */
	cdg_clear(&cdg);
	for (i = 0; i < NODES; i++)
		cdg_join_ring(&cdg, &(struct cdg_channel){ .node = i },
			      &(struct cdg_channel){ .node = (i + 1) % NODES });
	cdg_wait(&cdg, &(struct cdg_channel){ .node = 2 },
		 &(struct cdg_channel){ .node = 3 });
	assert_false(cdg_check(&cdg));
	assert_int_equal(cdg.ncycles, 1);
	assert_int_equal(cdg.ends[0], 1);
	assert_int_equal(cdg.cycle[0].node, 2);
	cdg_free(&cdg);
}

static uint32_t both_ways(const void *machine, uint32_t node, uint32_t dir)
{
	return (node + (dir ? NODES - 1 : 1)) % NODES;
}

/* Test that both cycles of a ring with links in both directions are found. */
static void test_both_ways(void **state)
{
	const struct cdg_machine machine = {
		.nodes = NODES, .dirs = 2, .vcs = 1, .next = both_ways,
	};
	const struct cdg_channel *channel, *next;
	uint32_t node, i, j, dir, count, seen = 0;
	struct cdg cdg;

	assert_int_equal(cdg_init(&cdg, &machine), 0);
	for (dir = 0; dir < 2; dir++)
		for (node = 0; node < NODES; node++)
			cdg_wait(&cdg, &(struct cdg_channel){ .node = node, .dir = dir },
				 &(struct cdg_channel){ .node = both_ways(NULL, node, dir),
							.dir = dir });
	assert_false(cdg_check(&cdg));
	assert_int_equal(cdg.ncycles, 2);
	for (i = 0; i < 2; i++) {
		channel = cdg_cycle(&cdg, i, &count);
		assert_int_equal(count, NODES);
		for (j = 0; j < NODES; j++) {
			next = &channel[(j + 1) % NODES];
			assert_int_equal(channel[j].dir, channel[0].dir);
			assert_int_equal(both_ways(NULL, channel[j].node, channel[j].dir),
					 next->node);
			seen |= 1u << (2 * channel[j].node + channel[j].dir);
		}
	}
	assert_int_equal(seen, (1u << 2 * NODES) - 1);
	cdg_free(&cdg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_tails),
		cmocka_unit_test(test_both_ways),
		cmocka_unit_test(test_bubbles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
