// SPDX-License-Identifier: GPL-2.0
/* Reassembly: complete datagrams, lost fragments, limits of memory and time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drivers/net/wire/reassembly.h"

#define SIZE	56
#define COST	16640	/* that of the longest datagram on x86-64 */

struct rig {
	struct torus_net_reassembly r;
	u32 live;
	u32 cost;	/* of each datagram */
	bool full;	/* no memory */
};

static struct torus_net_partial *rig_alloc(void *owner, u32 length)
{
	struct torus_net_partial *partial;
	struct rig *rig = owner;

	if (rig->full)
		return NULL;
	partial = malloc(sizeof(*partial));
	assert_non_null(partial);
	partial->data = malloc(length);
	assert_non_null(partial->data);
	partial->cost = rig->cost;
	rig->live++;
	return partial;
}

static void rig_free(void *owner, struct torus_net_partial *partial)
{
	struct rig *rig = owner;

	rig->live--;
	free(partial->data);
	free(partial);
}

static const struct torus_net_buffer_ops rig_ops = { .alloc = rig_alloc, .free = rig_free };

static struct rig *rig_new(void)
{
	struct rig *rig = calloc(1, sizeof(*rig));

	assert_non_null(rig);
	rig->cost = COST;
	torus_net_reassembly_init(&rig->r, &rig_ops, rig, SIZE);
	return rig;
}

static void rig_end(struct rig *rig)
{
	torus_net_reassembly_clear(&rig->r);
	assert_int_equal(rig->live, 0);
	assert_int_equal(rig->r.bytes, 0);
	free(rig);
}

static u8 pattern(u32 at, u16 id)
{
	return (u8)(at * 7 + id);
}

/* Add a fragment of a datagram. Return: the complete datagram, or NULL. */
static struct torus_net_partial *add(struct rig *rig, u32 source, u16 id, u32 length, u32 index,
				     u32 now)
{
	struct torus_net_fragment f = { .source = source, .id = id, .index = (u16)index };
	u8 data[SIZE];
	u32 i;

	if (index)
		f.last = index + 1 == torus_net_fragments(length, SIZE);
	else
		f.length = (u16)length;
	for (i = 0; i < SIZE; i++)
		data[i] = pattern(index * SIZE + i, id);
	return torus_net_reassembly_add(&rig->r, &f, data, SIZE, now);
}

/* Add all fragments of a datagram but one, TORUS_NONE for none. Return: true if it is complete. */
static bool send(struct rig *rig, u32 source, u16 id, u32 length, u32 lost)
{
	struct torus_net_partial *partial = NULL;
	u32 i, count = torus_net_fragments(length, SIZE);

	for (i = 0; i < count; i++) {
		assert_null(partial);
		if (i != lost)
			partial = add(rig, source, id, length, i, 0);
	}
	if (!partial)
		return false;
	assert_int_equal(partial->length, length);
	assert_int_equal(partial->source, source);
	for (i = 0; i < length; i++)
		assert_int_equal(partial->data[i], pattern(i, id));
	rig_free(rig, partial);
	return true;
}

static void test_complete(void **state)
{
	struct rig *rig = rig_new();
	u32 length;

	for (length = 1; length <= TORUS_NET_MTU_MAX; length += length < 300 ? 1 : 997)
		assert_true(send(rig, 3, (u16)length, length, TORUS_NONE));
	assert_true(send(rig, 3, 0, TORUS_NET_MTU_MAX, TORUS_NONE));
	assert_int_equal(rig->live, 0);
	assert_int_equal(rig->r.counts.lost, 0);
	assert_int_equal(rig->r.counts.strays, 0);
	rig_end(rig);
}

/* Each fragment that is lost costs one datagram, which is counted once; the next one arrives. */
static void test_lost(void **state)
{
	u32 count = torus_net_fragments(1000, SIZE), lost;
	struct rig *rig = rig_new();
	u16 id = 0;

	for (lost = 0; lost < count; lost++) {
		assert_false(send(rig, 3, id++, 1000, lost));
		assert_true(send(rig, 3, id++, 1000, TORUS_NONE));
		assert_int_equal(rig->r.counts.lost, lost + 1);
	}
	assert_int_equal(rig->r.counts.expired + rig->r.counts.evicted, 0);
	rig_end(rig);
}

/* The end of one datagram and the beginning of the next are lost: they are not joined. */
static void test_not_joined(void **state)
{
	struct rig *rig = rig_new();
	u32 i;

	for (i = 0; i < 3; i++)
		assert_null(add(rig, 3, 1, 6 * SIZE, i, 0));
	for (i = 3; i < 6; i++)
		assert_null(add(rig, 3, 2, 6 * SIZE, i, 0));
	assert_int_equal(rig->r.counts.lost, 2);
	rig_end(rig);
}

/* A fragment that has overtaken another one ends the datagram: its bytes have the wrong place. */
static void test_overtaken(void **state)
{
	static const u32 order[] = { 0, 2, 1, 3 };
	struct rig *rig = rig_new();
	u32 i;

	for (i = 0; i < sizeof(order) / sizeof(*order); i++)
		assert_null(add(rig, 3, 1, 4 * SIZE, order[i], 0));
	assert_int_equal(rig->r.counts.lost, 1);
	assert_int_equal(rig->live, 0);
	rig_end(rig);
}

static void test_senders_apart(void **state)
{
	struct torus_net_partial *partial;
	struct rig *rig = rig_new();
	u32 i, source;

	for (i = 0; i < 4; i++) {
		for (source = 0; source < 240; source++) {
			partial = add(rig, source * 1000, 5, 4 * SIZE, i, 0);
			assert_int_equal(!partial, i < 3);
			if (partial)
				rig_free(rig, partial);
		}
	}
	assert_int_equal(rig->r.counts.lost + rig->r.counts.evicted, 0);
	rig_end(rig);
}

static void test_short_packet(void **state)
{
	struct torus_net_fragment f = { .source = 1, .length = 100 };
	struct rig *rig = rig_new();
	u8 data[SIZE] = { 0 };

	assert_null(torus_net_reassembly_add(&rig->r, &f, data, SIZE - 1, 0));
	f = (struct torus_net_fragment){ .source = 1, .index = 1, .last = true };
	assert_null(torus_net_reassembly_add(&rig->r, &f, data, SIZE, 0));
	assert_int_equal(rig->r.counts.lost, 1);
	rig_end(rig);
}

/* First fragments from all peers: the memory is limited, the oldest datagrams are discarded. */
static void check_memory(u32 cost)
{
	struct rig *rig = rig_new();
	u32 i;

	rig->cost = cost;
	for (i = 0; i < 100000; i++) {
		assert_null(add(rig, i, 0, TORUS_NET_MTU_MAX, 0, 0));
		assert_true(rig->r.bytes <= TORUS_NET_REASSEMBLY_BYTES);
		assert_int_equal(rig->r.bytes, rig->live * cost);
	}
	assert_int_equal(rig->r.counts.evicted + rig->live, 100000);
	assert_true(rig->r.peak <= TORUS_NET_REASSEMBLY_BYTES);
	assert_true(rig->r.peak > TORUS_NET_REASSEMBLY_BYTES - TORUS_NET_DATAGRAM_COST);
	/* The youngest is still there, the oldest is not. */
	assert_int_equal(rig->r.counts.strays, 0);
	assert_null(add(rig, 99999, 0, TORUS_NET_MTU_MAX, 1, 0));
	assert_int_equal(rig->r.counts.strays, 0);
	assert_null(add(rig, 0, 0, TORUS_NET_MTU_MAX, 1, 0));
	assert_int_equal(rig->r.counts.strays, 1);
	rig_end(rig);
}

static void test_memory(void **state)
{
	check_memory(4096);
	check_memory(COST);
	check_memory(TORUS_NET_DATAGRAM_COST);
}

static void test_no_memory(void **state)
{
	struct rig *rig = rig_new();

	rig->full = true;
	assert_null(add(rig, 1, 0, 100, 0, 0));
	assert_int_equal(rig->r.counts.no_memory, 1);
	rig->full = false;
	assert_true(send(rig, 1, 1, 100, TORUS_NONE));
	rig_end(rig);
}

/* The clock may overflow. */
static void test_time(void **state)
{
	u32 begin = 0u - 1000;
	struct rig *rig = rig_new();

	assert_null(add(rig, 1, 0, 200, 0, begin));
	assert_null(add(rig, 2, 0, 200, 0, begin + 500));
	torus_net_reassembly_expire(&rig->r, begin + TORUS_NET_REASSEMBLY_MS - 1);
	assert_int_equal(rig->r.counts.expired, 0);
	torus_net_reassembly_expire(&rig->r, begin + TORUS_NET_REASSEMBLY_MS);
	assert_int_equal(rig->r.counts.expired, 1);
	assert_int_equal(rig->live, 1);
	/* Each fragment prolongs the time. */
	assert_null(add(rig, 2, 0, 200, 1, begin + 2000));
	torus_net_reassembly_expire(&rig->r, begin + TORUS_NET_REASSEMBLY_MS + 1999);
	assert_int_equal(rig->r.counts.expired, 1);
	torus_net_reassembly_expire(&rig->r, begin + TORUS_NET_REASSEMBLY_MS + 2000);
	assert_int_equal(rig->r.counts.expired, 2);
	rig_end(rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_complete),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_not_joined),
		cmocka_unit_test(test_overtaken),
		cmocka_unit_test(test_senders_apart),
		cmocka_unit_test(test_short_packet),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
