// SPDX-License-Identifier: GPL-2.0
/* Tofu's packet header, rejected packets of software, and rejected parameters and shapes. */
#include "arch/tofu/header.h"
#include "arch/tofu/inject.h"
#include "arch/tofu/path.h"
#include "core/base/node_number.h"
#include "core/tests/rig.h"

static void test_every_field(void **state)
{
	static const u32 most[TOFU_AXES] = { 255, 255, 255, 1, 3, 1 };
	struct tofu_header h = { .chunks = 1 }, back;
	u8 bytes[TORUS_TOFU_HEADER_BYTES];
	u64 rng = 7;
	u32 i, axis;

	for (i = 0; i < 1000; i++) {
		for (axis = 0; axis < TOFU_AXES; axis++)
			h.dest[axis] = torus_random_below(&rng, most[axis] + 1);
		h.fifo = (u8)torus_random_below(&rng, 8);
		h.group = (u8)torus_random_below(&rng, TORUS_TOFU_GROUPS);
		h.path = (u8)torus_random_below(&rng, 16);
		h.order = (u8)torus_random_below(&rng, 2);
		h.reserved = torus_random_below(&rng, 2);
		h.chunks = (u8)(1 + torus_random_below(&rng, 64));
		h.sw = (u16)torus_random(&rng);
		tofu_header_pack(&h, bytes);
		tofu_header_unpack(&back, bytes);
		assert_memory_equal(h.dest, back.dest, sizeof(h.dest));
		assert_int_equal(h.fifo, back.fifo);
		assert_int_equal(h.group, back.group);
		assert_int_equal(h.path, back.path);
		assert_int_equal(h.order, back.order);
		assert_int_equal(h.reserved, back.reserved);
		assert_int_equal(h.chunks, back.chunks);
		assert_int_equal(h.sw, back.sw);
		assert_int_equal(tofu_size(bytes), h.chunks);
	}
}

/*
 * The header's CRC-8 detects a flip of each bit of the header's first twelve bytes. The packet's
 * CRC comes after them.
 */
static void test_seal(void **state)
{
	struct tofu_header h = { .dest = { 3, 2, 1, 1, 2, 1 }, .path = 11, .chunks = 64 };
	u8 bytes[TORUS_TOFU_HEADER_BYTES];
	u32 bit;

	tofu_header_pack(&h, bytes);
	tofu_header_seal(bytes, 0x1234);
	assert_int_equal(bytes[8], 0x12);
	assert_int_equal(bytes[9], 0x34);
	assert_true(tofu_header_intact(bytes));
	for (bit = 0; bit < 8 * TORUS_TOFU_HEADER_BYTES; bit++) {
		bytes[bit / 8] ^= (u8)(1u << bit % 8);
		assert_int_equal(tofu_header_intact(bytes), bit >= 8 * TORUS_TOFU_CRC_AT);
		bytes[bit / 8] ^= (u8)(1u << bit % 8);
	}
}

static u32 judged(struct torus_fabric *f, struct tofu_header h, struct torus_packet *p)
{
	u8 bytes[TORUS_TOFU_HEADER_BYTES];

	tofu_header_pack(&h, bytes);
	return tofu_check(f, 2, 0, 0, false, bytes, p);
}

#define H(...) ((struct tofu_header){ .chunks = 64, __VA_ARGS__ })

static void test_check(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "4x3x2", "");
	struct torus_packet p;

	assert_int_equal(judged(f, H(.dest = { 3, 2, 1, 1, 2, 1 }, .path = 11, .fifo = 5,
				     .group = 1, .sw = 77), &p), TORUS_REFUSE_NONE);
	assert_int_equal(p.dst, f->nodes - 1);
	assert_int_equal(torus_node_number(&f->cfg.geo, p.dst), f->nodes - 1);
	assert_int_equal(p.src, 2);
	assert_int_equal(p.chunks, 64);
	assert_int_equal(p.group, 1);
	assert_int_equal(tofu_fields(&p)->slot, 11);
	assert_int_equal(tofu_fields(&p)->sw, 77);
	assert_int_equal(judged(f, H(.dest = { 4 }), &p), TORUS_REFUSE_DESTINATION);
	assert_int_equal(judged(f, H(.dest = { 0, 0, 2 }), &p), TORUS_REFUSE_DESTINATION);
	assert_int_equal(judged(f, H(.dest = { 0, 0, 0, 0, 3 }), &p), TORUS_REFUSE_DESTINATION);
	assert_int_equal(judged(f, H(.path = 12), &p), TORUS_REFUSE_PATH);
	assert_int_equal(judged(f, H(.path = 15), &p), TORUS_REFUSE_NONE);
	assert_int_equal(judged(f, H(.fifo = 6), &p), TORUS_REFUSE_PATH);
	assert_int_equal(judged(f, H(.fifo = 7), &p), TORUS_REFUSE_NONE);
	assert_int_equal(judged(f, H(.reserved = true), &p), TORUS_REFUSE_PATH);
	torus_fabric_destroy(f);
}

/*
 * Check the path and engine that packets 0, 1, .. from @src to @dst get if their headers name
 * neither. Packets of I/O nodes (z is 0) move along z last by default, packets of other nodes
 * first.
 */
static void check_policy(const char *settings, u32 src, u32 dst, u32 tnis)
{
	struct torus_fabric *f = rig_make_arch("tofu", "4x3x2", settings);
	const struct torus_geometry *g = &f->cfg.geo;
	u32 hash = tofu_path_hash(torus_node_number(g, src), torus_node_number(g, dst));
	bool io_last = !strstr(settings, "io_order=first");
	u32 fixed = 0, coords[TOFU_AXES], i;
	struct torus_packet p = { .dst = dst };

	torus_geometry_coords(g, src, coords);
	for (i = 0; i < 24; i++) {
		const struct tofu_fields *fields = tofu_fields(&p);

		p.seq = i;
		tofu_make(f, &p, 3);
		assert_int_equal(tofu_inject_route(f, src, &p), TORUS_REFUSE_NONE);
		if (strstr(settings, "roundrobin"))
			assert_int_equal(fields->path, i % 12);
		else if (strstr(settings, "hash"))
			assert_int_equal(fields->path, hash);
		else if (!i)
			fixed = fields->slot;
		if (!strstr(settings, "path"))
			assert_int_equal(fields->path, fixed);
		assert_int_equal(fields->fifo, i % tnis);
		assert_int_equal(fields->order, !coords[TOFU_Z] == io_last ? TOFU_Z_LAST :
									     TOFU_Z_FIRST);
	}
	torus_fabric_destroy(f);
}

static void test_policies(void **state)
{
	check_policy("", 0, 57, 4);
	check_policy("path=hash", 0, 57, 4);
	check_policy("path=hash", 0, 58, 4);
	check_policy("path=hash", 4 * 3 + 5, 58, 4);
	check_policy("path=roundrobin tnis=6", 0, 57, 6);
	check_policy("path=roundrobin tnis=6", 4 * 3, 57, 6);
	check_policy("path=hash io_order=first", 0, 58, 4);
	check_policy("path=hash io_order=first", 4 * 3 + 5, 58, 4);
}

static void walk_apart(const struct torus_geometry *g, u8 *taken, const struct torus_packet *p)
{
	const struct tofu_fields *fields = (const struct tofu_fields *)p->header;
	struct tofu_path_iter walk;
	u32 from = p->src;

	tofu_path_iter_init(&walk, g, p->src, p->dst, fields->path, fields->order);
	while (tofu_path_iter_next(&walk)) {
		u8 *link = &taken[from * TOFU_DIRS + walk.hop.dir];

		assert_false(*link);
		*link = 1;
		from = walk.node;
	}
	assert_int_equal(walk.node, p->dst);
}

/*
 * Path 13 in a header: the number of the injection FIFO selects one of five disjoint paths, or of
 * four within a group.
 */
static void check_apart(struct torus_fabric *f, u8 *taken, u32 src, u32 dst)
{
	const struct torus_geometry *g = &f->cfg.geo;
	u32 from = torus_node_number(g, src), to = torus_node_number(g, dst);
	u32 ways = from / TOFU_GROUP == to / TOFU_GROUP ? 4 : 5;
	u8 first = 0;
	u32 fifo;

	memset(taken, 0, f->nodes * TOFU_DIRS);
	for (fifo = 0; fifo < TORUS_TOFU_FIFOS; fifo++) {
		struct tofu_header h = {
			.chunks = 64, .fifo = (u8)fifo, .path = TORUS_TOFU_PATH_APART,
		};
		u8 bytes[TORUS_TOFU_HEADER_BYTES];
		struct torus_packet p;

		torus_geometry_coords(g, dst, h.dest);
		tofu_header_pack(&h, bytes);
		assert_int_equal(tofu_check(f, src, 0, 0, false, bytes, &p), TORUS_REFUSE_NONE);
		assert_int_equal(tofu_inject_route(f, src, &p), TORUS_REFUSE_NONE);
		assert_int_equal(tofu_fields(&p)->fifo, fifo);
		if (!fifo)
			first = tofu_fields(&p)->path;
		if (fifo < ways)
			walk_apart(g, taken, &p);
		else if (fifo == ways)
			assert_int_equal(tofu_fields(&p)->path, first);
	}
}

static void test_apart(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "3x2x2", "");
	u8 *taken = test_calloc(f->nodes, TOFU_DIRS);
	u32 src, dst;

	for (src = 0; src < f->nodes; src++)
		for (dst = 0; dst < f->nodes; dst++)
			if (src != dst)
				check_apart(f, taken, src, dst);
	test_free(taken);
	torus_fabric_destroy(f);
}

/* The header on the link has the fields of the packet that was sent. */
static void test_adopt(void **state)
{
	struct torus_fabric *f = rig_make_arch("tofu", "4x3x2", "");
	struct torus_packet p, q;
	u8 bytes[TORUS_TOFU_HEADER_BYTES];

	assert_int_equal(judged(f, H(.dest = { 1, 2, 0, 1, 1, 0 }, .path = 7, .fifo = 3,
				     .group = 1, .sw = 9), &p), TORUS_REFUSE_NONE);
	assert_int_equal(tofu_inject_route(f, 2, &p), 0);
	tofu_image(&p, 70000, bytes);
	assert_true(tofu_header_intact(bytes));
	q = p;
	q.dst = 0;
	tofu_fields(&q)->path = 0;
	tofu_fields(&q)->sw = 0;
	assert_true(tofu_adopt(f, bytes, &q));
	assert_int_equal(q.dst, p.dst);
	assert_memory_equal(q.header, p.header, sizeof(p.header));
	q.chunks = 63;
	assert_false(tofu_adopt(f, bytes, &q));
	q.chunks = 64;
	tofu_fields(&q)->order ^= 1;
	assert_false(tofu_adopt(f, bytes, &q));
	torus_fabric_destroy(f);
}

/* The packet's CRC covers all bytes except its own. */
static void test_crc(void **state)
{
	u8 bytes[64];
	u32 bit, crc;

	for (bit = 0; bit < sizeof(bytes); bit++)
		bytes[bit] = (u8)(bit * 37);
	crc = tofu_packet_crc(bytes, sizeof(bytes));
	for (bit = 0; bit < 8 * sizeof(bytes); bit++) {
		bool own = bit / 32 == 3;

		bytes[bit / 8] ^= (u8)(1u << bit % 8);
		assert_int_equal(tofu_packet_crc(bytes, sizeof(bytes)) == crc, own);
		bytes[bit / 8] ^= (u8)(1u << bit % 8);
	}
}

struct refused {
	const char *key;	/* NULL: the shape is rejected */
	const char *value;
	u32 dims[4];
	u32 ndims;
	u32 mesh;
	int ret;
	const char *text;
};

static void test_refused(void **state)
{
	static const struct refused cases[] = {
		{ "path", "short", .ret = -EINVAL, .text = "path short fixed hash roundrobin" },
		{ "tnis", "5", .ret = -EINVAL, .text = "tnis 5 4 6" },
		{ "vc_bytes", "2047", .ret = -ERANGE,
		  .text = "vc_bytes 2047 2048 65536" },
		{ "resend_bytes", "65537", .ret = -ERANGE,
		  .text = "resend_bytes 65537 2048 65536" },
		{ "latency", "7", .ret = -ERANGE, .text = "latency 7 8 2048" },
		{ "vc_bytes", "2050", .ret = -EINVAL,
		  .text = "vc_bytes 2050 32" },
		{ "resend_bytes", "2050", .ret = -EINVAL,
		  .text = "resend_bytes 2050 32" },
		{ .dims = { 3, 3 }, .ndims = 2, .ret = -EINVAL,
		  .text = "shape 3x3 tofu 3 2" },
		{ .dims = { 257, 1, 1 }, .ndims = 3, .ret = -EINVAL,
		  .text = "shape 257x1x1 x tofu 256" },
		{ .dims = { 99, 99, 99 }, .ndims = 3, .ret = -EINVAL,
		  .text = "shape 99x99x99 11643588 tofu 1048576" },
		{ .dims = { 3, 3, 3 }, .ndims = 3, .mesh = 1u << TOFU_B, .ret = -EINVAL,
		  .text = "mesh b ring" },
	};
	u32 i;

	for (i = 0; i < COUNT(cases); i++) {
		const struct refused *c = &cases[i];
		struct torus_fabric *f;
		struct torus_config cfg;
		struct torus_error err;
		int ret;

		rig_config(&cfg, "tofu", "2x2x2", "");
		if (c->key) {
			ret = torus_config_set(&cfg, c->key, c->value, &err);
			if (!ret)
				ret = torus_fabric_create(&cfg, &f, &err);
		} else {
			ret = torus_config_shape(&cfg, c->ndims, c->dims, c->mesh, &err);
		}
		assert_int_equal(ret, c->ret);
		assert_says(err.text, c->text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_field),
		cmocka_unit_test(test_seal),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_policies),
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_adopt),
		cmocka_unit_test(test_crc),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
