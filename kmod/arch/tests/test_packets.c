// SPDX-License-Identifier: GPL-2.0
/*
 * Pools of packets. Packets are narrow until a feature needs the members at their end. At that
 * moment, narrow packets may be in flight.
 */
#include "arch/tests/link_pair.h"
#include "core/run/windows.h"
#include "core/tests/live_params.h"

#define PACKETS	20000	/* more packets than fit in a segment */

/* Write a packet whose bytes all depend on @mark. */
static void mark(struct torus_pool *pool, u32 i, u32 mark)
{
	struct torus_packet p;

	memset(&p, (int)mark & 0xff, sizeof(p));
	p.seq = mark;
	torus_pool_fill(pool, i, &p);
}

static void marked(struct torus_pool *pool, u32 i, u32 mark)
{
	const struct torus_packet *p = torus_pool_at(pool, i);
	u32 byte = (mark & 0xff) * 0x01010101u;

	assert_int_equal(p->seq, mark);
	assert_int_equal(p->next, byte);
	assert_int_equal(p->header[TORUS_HEADER_MAX - 1], mark & 0xff);
	assert_int_equal(p->entered, (u64)byte << 16 | (byte & 0xffff));
	if (torus_pool_is_wide(pool, i)) {
		assert_int_equal(p->generation, byte);
		assert_int_equal(p->link_seq, byte);
	}
}

static void test_pool(void **state)
{
	static u32 narrow[PACKETS], wide[PACKETS];
	struct torus_pool pool;
	u32 i, again;

	assert_int_equal(torus_pool_init(&pool), 0);
	for (i = 0; i < PACKETS; i++) {
		narrow[i] = torus_pool_get(&pool);
		mark(&pool, narrow[i], i);
	}
	/* a narrow packet has 48 bytes; segments have 2^18 bytes */
	assert_true(torus_pool_bytes(&pool) < PACKETS * 48ull + (1u << 18) + 4096);
	torus_pool_put(&pool, narrow[7]);
	assert_int_equal(torus_pool_get(&pool), narrow[7]);
	mark(&pool, narrow[7], 7);

	torus_pool_widen(&pool);
	torus_pool_widen(&pool);
	for (i = 0; i < PACKETS; i++) {
		wide[i] = torus_pool_get(&pool);
		assert_true(torus_pool_is_wide(&pool, wide[i]));
		assert_false(torus_pool_is_wide(&pool, narrow[i]));
		mark(&pool, wide[i], ~i);
	}
	for (i = 0; i < PACKETS; i++) {
		marked(&pool, narrow[i], i);
		marked(&pool, wide[i], ~i);
	}
	/* a freed narrow packet is not used again, because it lacks the last fields */
	torus_pool_put(&pool, narrow[0]);
	again = torus_pool_get(&pool);
	assert_true(torus_pool_is_wide(&pool, again));
	torus_pool_put(&pool, wide[0]);
	assert_int_equal(torus_pool_get(&pool), wide[0]);
	assert_int_equal(pool.used, 2 * PACKETS);

	torus_pool_clear(&pool);
	assert_true(torus_pool_is_wide(&pool, torus_pool_get(&pool)));
	torus_pool_free(&pool);
}

/* A packet stores the low 48 bits of a tick. */
static void test_since(void **state)
{
	u64 now = (1ull << 48) + 5;
	struct torus_packet p;

	p.born = now - 10;
	p.entered = now - 3;
	assert_int_equal(torus_packet_since(now, p.born), 10);
	assert_int_equal(torus_packet_since(now, p.entered), 3);
	assert_int_equal(torus_packet_since(now + (1ull << 40), p.born), 10 + (1ull << 40));
}

/* Links become live, or crc=full is set, while narrow packets are under way. */
static void test_on_the_way(void **state)
{
	struct torus_error err;
	struct link_pair p;
	u32 at, how;

	for (at = 0; at < 1200; at += 37)
		for (how = 0; how < 2; how++) {
			pair_open(&p, "", at);
			pair_send(&p, 3, 8);
			torus_fabric_run(p.f, at, 0, 1);
			assert_int_equal(p.f->domain->pool.grains, TORUS_PACKET_NARROW);
			if (!how)
				link_set(p.f, TORUS_FAULT_CORRUPT, 2);
			else
				assert_int_equal(torus_fabric_set(p.f, "crc", "full", &err), 0);
			assert_int_equal(p.f->domain->pool.grains, TORUS_PACKET_WIDE);
			pair_send(&p, 2, 4);
			pair_close(&p);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pool),
		cmocka_unit_test(test_since),
		cmocka_unit_test(test_on_the_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
