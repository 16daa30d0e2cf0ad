// SPDX-License-Identifier: GPL-2.0
/* Test the dependency check on rings with route functions of this file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "../proof/proof.h"

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
static void follow(struct proof *proof, uint32_t far, bool dateline)
{
	uint32_t from, hops, node, vc;

	for (from = 0; from < NODES; from++) {
		struct proof_channel held = { .node = from };

		for (hops = 1, node = next(NULL, from, 0); hops < far; hops++) {
			struct proof_channel wanted;

			vc = node == 0 && dateline ? 1 : held.vc;
			wanted = (struct proof_channel){ .node = node, .vc = vc };
			proof_wait(proof, &held, &wanted);
			held = wanted;
			node = next(NULL, node, 0);
		}
	}
}

static void test_ring(void **state)
{
	const struct proof_machine machine = { .nodes = NODES, .dirs = 1, .vcs = 2, .next = next };
	struct proof proof;
	uint32_t i;

	assert_int_equal(proof_init(&proof, &machine), 0);
	follow(&proof, NODES - 1, true);
	assert_true(proof_check(&proof));
	proof_clear(&proof);
	follow(&proof, 1, false);
	assert_true(proof_check(&proof));
	follow(&proof, NODES - 1, false);
	assert_false(proof_check(&proof));
	assert_int_equal(proof.circles, 1);
	assert_int_equal(proof.ends[0], NODES);
	for (i = 0; i < NODES; i++) {
		assert_int_equal(proof.cycle[i].vc, 0);
		assert_int_equal(proof.cycle[(i + 1) % NODES].node,
				 next(NULL, proof.cycle[i].node, 0));
	}
	proof_clear(&proof);
	assert_true(proof_check(&proof));
	proof_free(&proof);
}

/*
 * Test a cycle through both VCs, with one chain of waits that leads into the cycle and one that
 * leads out of it.
 */
static void test_tails(void **state)
{
	const struct proof_machine machine = { .nodes = NODES, .dirs = 1, .vcs = 2, .next = next };
	struct proof proof;
	uint32_t i;

	assert_int_equal(proof_init(&proof, &machine), 0);
	for (i = 0; i < NODES; i++)
		proof_wait(&proof, &(struct proof_channel){ .node = i, .vc = i == 3 },
			   &(struct proof_channel){ .node = (i + 1) % NODES, .vc = i == 2 });
	proof_wait(&proof, &(struct proof_channel){ .node = 1, .vc = 1 },
		   &(struct proof_channel){ .node = 2 });
	proof_wait(&proof, &(struct proof_channel){ .node = 4 },
		   &(struct proof_channel){ .node = 5, .vc = 1 });
	assert_false(proof_check(&proof));
	assert_int_equal(proof.circles, 1);
	assert_int_equal(proof.ends[0], NODES);
	for (i = 0; i < NODES; i++)
		assert_int_equal(proof.cycle[i].vc, proof.cycle[i].node == 3);
	proof_free(&proof);
}

/*
 * Test two rings with bubbles. Packets change from each ring to the other, and leave a ring at
 * another node than where they enter it.
 */
static void test_bubbles(void **state)
{
	const struct proof_machine machine = { .nodes = NODES, .dirs = 1, .vcs = 2, .next = next };
	struct proof proof;
	uint32_t i, vc;

	assert_int_equal(proof_init(&proof, &machine), 0);
	for (vc = 0; vc < 2; vc++)
		for (i = 0; i < NODES; i++)
			proof_go_on(&proof, &(struct proof_channel){ .node = i, .vc = vc },
				    &(struct proof_channel){ .node = (i + 1) % NODES, .vc = vc });
	assert_true(proof_check(&proof));
	proof_wait(&proof, &(struct proof_channel){ .node = 0 },
		   &(struct proof_channel){ .node = 1, .vc = 1 });
	assert_true(proof_check(&proof));
	proof_wait(&proof, &(struct proof_channel){ .node = 3, .vc = 1 },
		   &(struct proof_channel){ .node = 4 });
	assert_false(proof_check(&proof));
	assert_int_equal(proof.circles, 1);
	assert_int_equal(proof.ends[0], 2);
	for (i = 0; i < 2; i++)
		assert_int_equal(proof.cycle[i].node, proof.cycle[i].vc ? 3 : 0);
	assert_int_not_equal(proof.cycle[0].vc, proof.cycle[1].vc);
	/* a packet that leaves its ring and enters it again needs the space of the bubble */
	proof_clear(&proof);
	for (i = 0; i < NODES; i++)
		proof_go_on(&proof, &(struct proof_channel){ .node = i },
			    &(struct proof_channel){ .node = (i + 1) % NODES });
	proof_wait(&proof, &(struct proof_channel){ .node = 2 },
		   &(struct proof_channel){ .node = 3 });
	assert_false(proof_check(&proof));
	assert_int_equal(proof.circles, 1);
	assert_int_equal(proof.ends[0], 1);
	assert_int_equal(proof.cycle[0].node, 2);
	proof_free(&proof);
}

static uint32_t both_ways(const void *machine, uint32_t node, uint32_t dir)
{
	return (node + (dir ? NODES - 1 : 1)) % NODES;
}

/* Test that both cycles of a ring with links in both directions are found. */
static void test_both_ways(void **state)
{
	const struct proof_machine machine = {
		.nodes = NODES, .dirs = 2, .vcs = 1, .next = both_ways,
	};
	const struct proof_channel *channel, *next;
	uint32_t node, i, j, dir, count, seen = 0;
	struct proof proof;

	assert_int_equal(proof_init(&proof, &machine), 0);
	for (dir = 0; dir < 2; dir++)
		for (node = 0; node < NODES; node++)
			proof_wait(&proof, &(struct proof_channel){ .node = node, .dir = dir },
				   &(struct proof_channel){ .node = both_ways(NULL, node, dir),
							    .dir = dir });
	assert_false(proof_check(&proof));
	assert_int_equal(proof.circles, 2);
	for (i = 0; i < 2; i++) {
		channel = proof_circle(&proof, i, &count);
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
	proof_free(&proof);
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
