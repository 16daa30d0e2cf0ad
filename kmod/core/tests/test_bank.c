// SPDX-License-Identifier: GPL-2.0
/* Banks of the second router stage: the lists of their packets, and their masks after a restore. */
#include "banks.h"

/* Check the list of a bank. Return the number of packets that are not heads. */
static u32 check_bank(struct torus_domain *d, const struct router_bank *b)
{
	u32 pkt, seen = 0, others = 0;

	for (pkt = b->head; pkt != TORUS_NONE; pkt = torus_packet_at(d, pkt)->next) {
		u32 bit = 1u << torus_packet_at(d, pkt)->slot;

		if (seen == b->waiting)
			others++;
		else
			assert_int_equal(seen & bit, 0);
		seen |= bit;
		if (torus_packet_at(d, pkt)->next == TORUS_NONE)
			assert_int_equal(b->tail, pkt);
	}
	assert_int_equal(seen, b->waiting);
	return others;
}

/*
 * The list of a bank begins with the heads of its queues, so an arbitration visits no other
 * packets. Queues have up to 32 packets; bit errors remove packets from any place of a queue.
 */
static void test_heads_are_first(void **state)
{
	struct torus_fabric *f = banks_deep_fabric(4, 4, 1, true, 32);
	struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = 1, .dir = TORUS_NONE, .ber = 1ull << 46,
	};
	u32 node, i, step, others = 0;

	rig_fault(f, &fault);
	rig_load(f, 150, 32, 64, 20000);
	for (step = 0; step < 400; step++) {
		rig_step(f, 50, 1);
		for (node = 0; node < f->nodes; node++)
			for (i = 0; i < ROUTER_BANKS; i++)
				others += check_bank(f->domain,
						     &router_node(f->domain, node)->bank[i]);
	}
	assert_true(others > 1000);
	census(f);
	torus_fabric_destroy(f);
}

/* A section of a snapshot in memory. */
static struct {
	u8 bytes[1 << 16];
	size_t n;
	size_t at;
} section;

static int section_write(void *file, const void *bytes, u32 n)
{
	assert_true(section.n + n <= sizeof(section.bytes));
	memcpy(section.bytes + section.n, bytes, n);
	section.n += n;
	return 0;
}

static int section_read(void *file, void *bytes, u32 n)
{
	assert_true(section.at + n <= section.n);
	memcpy(bytes, section.bytes + section.at, n);
	section.at += n;
	return (int)n;
}

/* Write or read node @node. */
static void section_node(struct torus_fabric *f, u32 node, bool reading)
{
	const struct torus_snapshot_ops to = { .write = section_write };
	const struct torus_snapshot_ops from = { .read = section_read };
	struct torus_snapshot snap;
	struct torus_error err;

	torus_snapshot_init(&snap, reading ? &from : &to, NULL, &err);
	torus_snapshot_begin(&snap, TORUS_SECTION_NODES);
	f->router->snapshot(&snap, f->domain, node);
	torus_snapshot_end(&snap);
	if (snap.status)
		fail_msg("node %u: %s", node, err.text);
	torus_snapshot_free(&snap);
}

/*
 * Masks that follow from other members are not in a snapshot: a saved state cannot have wrong ones.
 * In the saved nodes all of them are wrong.
 */
static void test_restored_masks(void **state)
{
	struct torus_fabric *f = banks_fabric(4, 4, 1, true), *other = banks_fabric(4, 4, 1, true);
	u32 node, dir, i, requests = 0, waiting = 0;

	rig_load(f, 90, 32, 256, 20000);
	rig_step(f, 4000, 1);
	other->clock = f->clock;
	for (node = 0; node < f->nodes; node++) {
		struct router_node *n = router_node(f->domain, node), right = *n;
		struct router_node *got = router_node(other->domain, node);

		for (dir = 0; dir < ROUTER_DIRS; dir++)
			n->want_dir[dir] = ~n->want_dir[dir];
		n->local = ~n->local;
		n->due_slots = ~0u;
		n->due_outputs = ~0u;
		for (i = 0; i < ROUTER_BANKS; i++)
			n->bank[i].waiting = ~n->bank[i].waiting;
		section.n = 0;
		section.at = 0;
		section_node(f, node, false);
		section_node(other, node, true);
		for (dir = 0; dir < ROUTER_DIRS; dir++) {
			assert_int_equal(got->want_dir[dir] & got->ready,
					 right.want_dir[dir] & right.ready);
			assert_int_equal(got->want_dir[dir] >> ROUTER_SLOTS, 0);
			requests += got->want_dir[dir] & got->ready ? 1 : 0;
		}
		assert_int_equal(got->local & got->ready, right.local & right.ready);
		assert_int_equal(got->local >> ROUTER_SLOTS, 0);
		assert_int_equal(got->due_slots, 0);
		assert_int_equal(got->due_outputs, 0);
		for (i = 0; i < ROUTER_BANKS; i++) {
			assert_int_equal(got->bank[i].waiting, right.bank[i].waiting);
			waiting += right.bank[i].waiting ? 1 : 0;
		}
	}
	assert_true(requests > 10);
	assert_true(waiting > 10);
	torus_fabric_destroy(f);
	torus_fabric_destroy(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heads_are_first),
		cmocka_unit_test(test_restored_masks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
