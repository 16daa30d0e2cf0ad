// SPDX-License-Identifier: GPL-2.0
/* The header flit (Abts et al. (2007), figure 1), and the checks of a program's packet. */
#include "arch/xt/inject.h"
#include "core/base/node_number.h"
#include "arch/xt/header.h"
#include "xt_rig.h"

static void test_every_field(void **state)
{
	static const struct xt_header one[] = {
		{ .nid = 0x7fff, .flits = 1 }, { .age = 0x7ff, .flits = 1 },
		{ .vc = 7, .flits = 1 },
		{ .tail = true, .flits = 1 }, { .group = 1, .flits = 1 },
		{ .reserved = true, .flits = 1 }, { .flits = 16 }, { .sw = 0xfff, .flits = 1 },
	};
	static const u32 words[][2] = {
		{ 0xfffe0000, 0 }, { 0x0001ffc0, 0 }, { 0x38, 0 }, { 4, 0 }, { 2, 0 }, { 1, 0 },
		{ 0, 0xf0000000 }, { 0, 0x0fff0000 },
	};
	u32 i, k;

	for (i = 0; i < COUNT(one); i++) {
		struct xt_header h;
		u8 bytes[8];

		xt_header_pack(&one[i], bytes);
		for (k = 0; k < 8; k++)
			assert_int_equal(bytes[k], (u8)(words[i][k / 4] >> (24 - 8 * (k % 4))));
		memset(&h, 0, sizeof(h));
		xt_header_unpack(&h, bytes);
		assert_int_equal(h.nid, one[i].nid);
		assert_int_equal(h.age, one[i].age);
		assert_int_equal(h.vc, one[i].vc);
		assert_int_equal(h.tail, one[i].tail);
		assert_int_equal(h.group, one[i].group);
		assert_int_equal(h.reserved, one[i].reserved);
		assert_int_equal(h.flits, one[i].flits);
		assert_int_equal(h.sw, one[i].sw);
	}
}

static void test_seal(void **state)
{
	struct xt_header h = { .nid = 77, .vc = 2, .flits = 9 };
	u8 bytes[8];
	u32 bit;

	xt_header_pack(&h, bytes);
	xt_header_seal(bytes, 200);
	assert_int_equal(bytes[6], 200);
	assert_true(xt_header_intact(bytes));
	for (bit = 0; bit < 64; bit++) {
		bytes[bit / 8] ^= 1u << bit % 8;
		assert_false(xt_header_intact(bytes));
		bytes[bit / 8] ^= 1u << bit % 8;
	}
}

static void test_sizes(void **state)
{
	struct xt_header h = { 0 };
	u8 bytes[8];

	for (h.flits = 1; h.flits <= 16; h.flits++) {
		xt_header_pack(&h, bytes);
		assert_int_equal(xt_size(bytes), h.flits <= 9 ? h.flits : 0);
	}
}

static u32 judged(struct torus_fabric *f, u32 fifo, struct xt_header h, struct torus_packet *p)
{
	u8 bytes[72] = { 0 };

	xt_header_pack(&h, bytes);
	return xt_check(f, 2, 0, fifo, false, bytes, p);
}

#define H(...) ((struct xt_header){ .flits = 9, __VA_ARGS__ })

static void test_check(void **state)
{
	struct torus_fabric *f = xt_rig_make("4x3x2", "", true);
	struct torus_packet p;

	assert_int_equal(judged(f, 0, H(.nid = 11, .sw = 5, .group = 1), &p), TORUS_REFUSE_NONE);
	assert_int_equal(p.dst, torus_node_index(&f->cfg.geo, 11));
	assert_int_equal(p.chunks, 9);
	assert_int_equal(p.group, 1);
	assert_int_equal(xt_fields(&p)->sw, 5);
	assert_int_equal(judged(f, 1, H(.nid = 11, .vc = 2), &p), TORUS_REFUSE_NONE);
	assert_int_equal(xt_fields(&p)->class, 1);
	assert_int_equal(judged(f, 0, H(.nid = 24), &p), TORUS_REFUSE_DESTINATION);
	assert_int_equal(judged(f, 0, H(.nid = 4096), &p), TORUS_REFUSE_DESTINATION);
	assert_int_equal(judged(f, 0, H(.vc = 2), &p), TORUS_REFUSE_VC);
	assert_int_equal(judged(f, 1, H(.vc = 3), &p), TORUS_REFUSE_VC);
	assert_int_equal(judged(f, 0, H(.reserved = true), &p), TORUS_REFUSE_VC);
	assert_int_equal(judged(f, 0, ((struct xt_header){ .flits = 10 }), &p), TORUS_REFUSE_SIZE);
	assert_int_equal(judged(f, 0, H(.tail = true), &p), TORUS_REFUSE_SIZE);
	assert_int_equal(judged(f, 0, ((struct xt_header){ .flits = 1 }), &p), TORUS_REFUSE_SIZE);
	torus_fabric_destroy(f);

	f = rig_make_arch("xt", "4x3x2", "");
	assert_int_equal(judged(f, 0, H(.nid = 11), &p), TORUS_REFUSE_NO_TABLE);
	torus_fabric_destroy(f);
}

/* The header on the link has the fields of the packet that was sent, age and class included. */
static void test_adopt(void **state)
{
	struct torus_fabric *f = xt_rig_make("4x3x2", "", true);
	struct torus_packet p, q;
	u8 bytes[8];

	assert_int_equal(judged(f, 1, H(.nid = 11, .vc = 2, .sw = 7, .group = 1), &p),
			 TORUS_REFUSE_NONE);
	xt_fields(&p)->age = 99;
	xt_image(&p, 300, bytes);
	assert_true(xt_header_intact(bytes));
	q = p;
	memset(q.header, 0, sizeof(q.header));
	assert_false(xt_adopt(f, bytes, &q));
	xt_fields(&q)->class = 1;
	assert_true(xt_adopt(f, bytes, &q));
	assert_int_equal(xt_fields(&q)->age, 99);
	assert_int_equal(xt_fields(&q)->nid, 11);
	assert_int_equal(xt_fields(&q)->sw, 7);
	assert_int_equal(q.dst, p.dst);
	q.chunks = 8;
	assert_false(xt_adopt(f, bytes, &q));
	torus_fabric_destroy(f);
}

/* Impossible regions are rejected. */
static void test_regions_refused(void **state)
{
	static const char *const bad[][3] = {
		{ "4x70x60", "", "planes 1 70x60 region 4096" },
		{ "4x40x40", "planes=3", "planes 3 40x40 region 4096" },
		{ "9x4x4", "planes=1", "planes 1 9 region 8" },
	};
	u32 i;

	for (i = 0; i < COUNT(bad); i++) {
		struct torus_config cfg;
		struct torus_error err;
		struct torus_fabric *f;

		rig_config(&cfg, "xt", bad[i][0], bad[i][1]);
		assert_int_equal(torus_fabric_create(&cfg, &f, &err), -ERANGE);
		assert_says(err.text, bad[i][2]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_field),
		cmocka_unit_test(test_seal),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_adopt),
		cmocka_unit_test(test_regions_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
