// SPDX-License-Identifier: GPL-2.0
/*
 * The packets of programs that Blue Gene/L accepts, and the reasons for which it rejects others.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"

#define XP	TORUS_BGL_HINT_XP
#define XM	TORUS_BGL_HINT_XM
#define YP	TORUS_BGL_HINT_YP
#define YM	TORUS_BGL_HINT_YM
#define ZP	TORUS_BGL_HINT_ZP
#define ZM	TORUS_BGL_HINT_ZM

#define D0	TORUS_BGL_D0
#define D1	TORUS_BGL_D1
#define BN	TORUS_BGL_BN
#define BP	TORUS_BGL_BP

/* A packet from node (1, 1, 0) of 4x4mx1 through FIFO @fifo, and the expected code. */
struct check_packet {
	u8 x, y, z;
	u8 hints;
	bool dynamic;
	u8 vc;
	bool dp;
	u32 fifo;
	bool right;
	u32 code;
};

static u32 judge(const struct check_packet *c)
{
	struct torus_fabric *f = rig_make("4x4mx1", "");
	const struct bgl_header h = {
		.hints = c->hints, .dp = c->dp, .chunks = 3, .dynamic = c->dynamic, .vc = c->vc,
		.dest = { c->x, c->y, c->z }, .pid = 1, .sw = 2, .csum_skip = 4,
	};
	struct torus_packet p;
	u8 bytes[96] = { 0 };
	u32 code;

	bgl_header_pack(&h, bytes);
	assert_int_equal(f->arch->size(bytes), 3);
	code = f->arch->check(f, rig_node(f, 1, 1, 0), 0, c->fifo, c->right, bytes, &p);
	if (!code)
		code = f->arch->inject_route(f, rig_node(f, 1, 1, 0), &p);
	if (!code) {
		assert_int_equal(p.dst, rig_node(f, c->x, c->y, c->z));
		assert_int_equal(p.chunks, 3);
		assert_int_equal(p.group, 1);
		assert_int_equal(!!(p.flags & TORUS_PACKET_PRIORITY), c->vc == BP);
		assert_true(bgl_fields(&p)->hints != 0);
		if (c->hints)
			assert_int_equal(bgl_fields(&p)->hints, c->hints);
	}
	torus_fabric_destroy(f);
	return code;
}

static void check_all(const struct check_packet *c, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (judge(&c[i]) != c[i].code)
			fail_msg("packet %u: code %u, not %u", i, judge(&c[i]), c[i].code);
}

static void test_good_packets(void **state)
{
	static const struct check_packet c[] = {
		{ .x = 2, .y = 1, .dynamic = true, .vc = D0 },
		{ .x = 3, .y = 3, .dynamic = true, .vc = D1, .fifo = 2 },
		{ .x = 0, .y = 0, .vc = BN, .fifo = 1 },
		{ .x = 0, .y = 0, .vc = BP, .fifo = 3, .right = true },
		{ .x = 2, .y = 1, .hints = XP, .dynamic = true, .vc = D0 },
		/* the longer way round a ring */
		{ .x = 2, .y = 1, .hints = XM, .dynamic = true, .vc = D0 },
		{ .x = 3, .y = 2, .hints = XP | YP, .vc = BN },
		{ .x = 3, .y = 0, .hints = XM | YM, .vc = BN },
		/* to its own node, once round the ring */
		{ .x = 1, .y = 1, .hints = XP, .dynamic = true, .vc = D0 },
		{ .x = 1, .y = 2, .hints = XM | YP, .dynamic = true, .vc = D0 },
	};

	check_all(c, COUNT(c));
}

static void test_refuse_destination(void **state)
{
	static const struct check_packet c[] = {
		{ .x = 4, .y = 1, .dynamic = true, .vc = D0, .code = TORUS_REFUSE_DESTINATION },
		{ .x = 0, .y = 4, .dynamic = true, .vc = D0, .code = TORUS_REFUSE_DESTINATION },
		{ .x = 0, .y = 0, .z = 1, .dynamic = true, .vc = D0,
		  .code = TORUS_REFUSE_DESTINATION },
		{ .x = 255, .y = 255, .z = 255, .vc = BN, .code = TORUS_REFUSE_DESTINATION },
	};

	check_all(c, COUNT(c));
}

static void test_refuse_vc(void **state)
{
	static const struct check_packet c[] = {
		{ .x = 2, .y = 1, .dynamic = true, .vc = BN, .code = TORUS_REFUSE_VC },
		{ .x = 2, .y = 1, .dynamic = true, .vc = BP, .fifo = 3, .right = true,
		  .code = TORUS_REFUSE_VC },
		{ .x = 2, .y = 1, .vc = D0, .code = TORUS_REFUSE_VC },
		{ .x = 2, .y = 1, .vc = D1, .code = TORUS_REFUSE_VC },
	};

	check_all(c, COUNT(c));
}

/* A high-priority packet needs a right of its program, and a high-priority FIFO. */
static void test_refuse_priority(void **state)
{
	static const struct check_packet c[] = {
		{ .x = 2, .y = 1, .vc = BP, .fifo = 3, .code = TORUS_REFUSE_PRIORITY },
		{ .x = 2, .y = 1, .vc = BP, .fifo = 0, .right = true,
		  .code = TORUS_REFUSE_PRIORITY },
		{ .x = 2, .y = 1, .vc = BN, .fifo = 3, .right = true,
		  .code = TORUS_REFUSE_PRIORITY },
		{ .x = 2, .y = 1, .dynamic = true, .vc = D0, .fifo = 3, .right = true,
		  .code = TORUS_REFUSE_PRIORITY },
	};

	check_all(c, COUNT(c));
}

static void test_refuse_hints(void **state)
{
	static const struct check_packet c[] = {
		{ .x = 2, .y = 1, .hints = XP | XM, .dynamic = true, .vc = D0,
		  .code = TORUS_REFUSE_HINTS },
		{ .x = 2, .y = 2, .hints = XP | YP | YM, .dynamic = true, .vc = D0,
		  .code = TORUS_REFUSE_HINTS },
		/* a hint for a dimension without links */
		{ .x = 2, .y = 1, .hints = XP | ZP, .dynamic = true, .vc = D0,
		  .code = TORUS_REFUSE_HINTS },
		{ .x = 2, .y = 1, .hints = XP | ZM, .dynamic = true, .vc = D0,
		  .code = TORUS_REFUSE_HINTS },
	};

	check_all(c, COUNT(c));
}

static void test_refuse_unreachable(void **state)
{
	static const struct check_packet c[] = {
		/* no hint for a dimension in which the packet must move */
		{ .x = 2, .y = 2, .hints = XP, .dynamic = true, .vc = D0,
		  .code = TORUS_REFUSE_UNREACHABLE },
		{ .x = 2, .y = 2, .hints = YP, .vc = BN, .code = TORUS_REFUSE_UNREACHABLE },
		/* a mesh has no link round its ends */
		{ .x = 1, .y = 3, .hints = YM, .dynamic = true, .vc = D0,
		  .code = TORUS_REFUSE_UNREACHABLE },
		{ .x = 1, .y = 0, .hints = YP, .dynamic = true, .vc = D0,
		  .code = TORUS_REFUSE_UNREACHABLE },
		{ .x = 2, .y = 1, .hints = XP | YP, .dynamic = true, .vc = D0,
		  .code = TORUS_REFUSE_UNREACHABLE },
	};

	check_all(c, COUNT(c));
}

static void test_refuse_self(void **state)
{
	static const struct check_packet c[] = {
		{ .x = 1, .y = 1, .dynamic = true, .vc = D0, .code = TORUS_REFUSE_SELF },
		{ .x = 1, .y = 1, .vc = BN, .code = TORUS_REFUSE_SELF },
	};

	check_all(c, COUNT(c));
}

/* "Broadcast down any Cartesian dimension": a deposit packet moves in one dimension only. */
static void test_refuse_deposit(void **state)
{
	static const struct check_packet c[] = {
		{ .x = 3, .y = 1, .hints = XP, .dynamic = true, .vc = D0, .dp = true },
		{ .x = 3, .y = 1, .dynamic = true, .vc = D0, .dp = true },
		{ .x = 3, .y = 1, .hints = XM, .vc = BN, .dp = true },
		/* to its own node, once round the ring */
		{ .x = 1, .y = 1, .hints = XP, .dynamic = true, .vc = D1, .dp = true },
		{ .x = 3, .y = 2, .hints = XP | YP, .dynamic = true, .vc = D0, .dp = true,
		  .code = TORUS_REFUSE_DEPOSIT },
		{ .x = 3, .y = 2, .dynamic = true, .vc = D0, .dp = true,
		  .code = TORUS_REFUSE_DEPOSIT },
	};

	check_all(c, COUNT(c));
}

/* Each random header is rejected, or its packet reaches a destination. */
static void test_random_headers_end(void **state)
{
	u32 rounds = rig_soak() ? 100000 : 8000, taken = 0, i;
	struct torus_fabric *f = rig_make("3x4mx2", "");
	u64 rng = torus_random_seed(6, 6, 6);

	for (i = 0; i < rounds; i++) {
		u32 node = torus_random_below(&rng, f->nodes);
		u32 fifo = torus_random_below(&rng, 4);
		u64 random = torus_random(&rng);
		struct torus_packet p;
		u8 bytes[256] = { 0 };

		memcpy(bytes, &random, 8);
		/*
		 * often make the coordinates valid, and often clear the deposit flag and the hints
		 */
		bytes[3] &= random >> 56 & 1 ? 0xff : 2;
		bytes[4] &= 3;
		bytes[5] &= 1;
		if (random >> 57 & 3)
			bytes[1] &= 0xfd;
		if (random >> 59 & 1)
			bytes[1] &= 0x03;
		if (f->arch->check(f, node, 0, fifo, true, bytes, &p) ||
		    f->arch->inject_route(f, node, &p))
			continue;
		taken++;
		p.next = TORUS_NONE;
		p.body = TORUS_NONE;
		p.born = torus_fabric_clock(f);
		rig_inject(f, fifo, &p);
		rig_drain(f);
		assert_int_equal(torus_fabric_in_flight(f), 0);
	}
	assert_true(taken > rounds / 20);
	assert_true(f->domain[0].stats.deposits > 0);
	assert_int_equal(f->domain[0].stats.delivered, taken + f->domain[0].stats.deposits);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_packets),
		cmocka_unit_test(test_refuse_destination),
		cmocka_unit_test(test_refuse_vc),
		cmocka_unit_test(test_refuse_priority),
		cmocka_unit_test(test_refuse_hints),
		cmocka_unit_test(test_refuse_unreachable),
		cmocka_unit_test(test_refuse_self),
		cmocka_unit_test(test_refuse_deposit),
		cmocka_unit_test(test_random_headers_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
