// SPDX-License-Identifier: GPL-2.0
/* The tables against the core, which says the same of its machines in its own way. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arch/bgl/header.h"
#include "arch/bgl/hints.h"
#include "arch/arch.h"
#include "core/base/geometry.h"
#include "core/state/arch.h"
#include "core/state/domain.h"
#include "core/run/fabric.h"
#include "../machine.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
/* enum torus_route, whose header does not stand beside the core's */
#define DYNAMIC		0
#define ORDERED		1
#define PRIORITY	2

static void test_machine_each_has_a_table(void **state)
{
	const struct torus_arch *const *arch;
	unsigned int tables = 0, machines = 0;

	for (arch = torus_archs; *arch; arch++, machines++)
		assert_non_null(torus_machine_find((*arch)->name));
	while (torus_machines[tables])
		tables++;
	assert_int_equal(tables, machines);
	assert_null(torus_machine_find("bg"));
	assert_null(torus_machine_find("bglx"));
	assert_null(torus_machine_find(""));
}

static void test_machine_numbers_are_the_cores(void **state)
{
	const struct torus_arch *const *arch;

	for (arch = torus_archs; *arch; arch++) {
		const struct torus_machine *m = torus_machine_find((*arch)->name);

		assert_string_equal(m->name, (*arch)->name);
		assert_int_equal(m->chunk_bytes, (*arch)->chunk_bytes);
		assert_int_equal(m->chunk_ticks, (*arch)->ticks_per_chunk);
		assert_int_equal(m->header_bytes, (*arch)->header_bytes);
		assert_int_equal(m->header_bytes + m->software_bytes, (*arch)->payload_overhead);
		assert_int_equal(m->dims_min, (*arch)->dims_min);
		assert_int_equal(m->dims_max, (*arch)->dims_max);
		assert_true(m->header_bytes <= TORUS_MACHINE_HEADER_MAX);
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_REGISTERS),
				 *(*arch)->nregs != 0);
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_ATTACH),
				 (*arch)->receive_fifos != 0);
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_PRIORITY),
				 (*arch)->inject_priority != 0);
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_DEPOSIT),
				 (*arch)->deposit != NULL);
		assert_int_equal(m->packet_crc != NULL, (*arch)->crc != NULL);
		assert_int_equal(m->header_crc != NULL, (*arch)->intact != NULL);
		/* What a program writes, and what this library must therefore know. */
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_ATTACH), m->build != NULL);
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_HINTS), m->hint != NULL);
	}
}

static struct torus_fabric *make(const char *arch, u32 x, u32 y, u32 z, u32 mesh)
{
	const u32 dims[3] = { x, y, z };
	struct torus_config config;
	struct torus_fabric *f;
	struct torus_error err;

	if (torus_arch_config(&config, arch, &err) ||
	    torus_config_shape(&config, 3, dims, mesh, &err) ||
	    (!strcmp(arch, "bgl") && torus_config_set(&config, "hints", "minimal", &err)) ||
	    torus_fabric_create(&config, &f, &err))
		fail_msg("%s", err.text);
	return f;
}

/* With a machine's parameters, a packet's wire takes what the core charges. */
static void test_machine_wire_is_the_cores(void **state)
{
	const struct torus_machine *m = torus_machine_find("bgl");
	struct torus_fabric *f = make("bgl", 2, 2, 2, 0);

	assert_int_equal(m->wire_bytes, f->overhead_ticks);
	torus_fabric_destroy(f);
}

static void test_machine_lacks_by_name(void **state)
{
	static const struct {
		enum torus_machine_can what;
		const char *text;
	} lacks[] = {
		{ TORUS_MACHINE_HINTS, "kncube has no hint bits" },
		{ TORUS_MACHINE_DEPOSIT, "kncube has no deposit bit" },
		{ TORUS_MACHINE_AVOID, "kncube has no routes around what is dead" },
		{ TORUS_MACHINE_TABLES, "kncube has no routing tables" },
		{ TORUS_MACHINE_REGISTERS, "kncube has no registers" },
		{ TORUS_MACHINE_ATTACH, "kncube has no FIFOs that programs can attach to" },
		{ TORUS_MACHINE_PRIORITY, "kncube has no packets of high priority" },
	};
	char why[TORUS_MACHINE_WHY_MAX];
	size_t i;

	assert_int_equal(COUNT(lacks), TORUS_MACHINE_CAN_MAX);
	for (i = 0; i < COUNT(lacks); i++) {
		assert_int_equal(torus_machine_demand("kncube", lacks[i].what, why, sizeof(why)),
				 -EOPNOTSUPP);
		assert_string_equal(why, lacks[i].text);
	}
	strcpy(why, "untouched");
	assert_int_equal(torus_machine_demand("bgl", TORUS_MACHINE_REGISTERS, why, sizeof(why)),
			 0);
	assert_string_equal(why, "untouched");
	assert_int_equal(torus_machine_demand("bgl", TORUS_MACHINE_TABLES, why, sizeof(why)),
			 -EOPNOTSUPP);
	assert_string_equal(why, "bgl has no routing tables");
	assert_int_equal(torus_machine_demand("paragon", TORUS_MACHINE_ATTACH, why, sizeof(why)),
			 -EOPNOTSUPP);
	assert_string_equal(why, "paragon is a machine that is not known here: whether it has "
				 "FIFOs that programs can attach to cannot be told");
	assert_true(strlen(why) < sizeof(why) - 1);
	assert_false(torus_machine_can(NULL, TORUS_MACHINE_ATTACH));
}

static const struct torus_geometry shapes[] = {
	{ .ndims = 3, .dims = { 4, 4, 4 } },
	{ .ndims = 3, .dims = { 5, 3, 2 }, .mesh = 2 },
	{ .ndims = 3, .dims = { 8, 1, 3 }, .mesh = 7 },
	{ .ndims = 1, .dims = { 7 } },
	{ .ndims = 6, .dims = { 3, 2, 4, 2, 3, 2 }, .mesh = 0x28 },
	{ .ndims = 10, .dims = { 2, 2, 2, 2, 2, 2, 2, 2, 2, 2 } },
};

static void test_machine_places_are_the_cores(void **state)
{
	const struct torus_machine *const *m;
	size_t i;

	for (i = 0; i < COUNT(shapes); i++) {
		struct torus_geometry g = shapes[i];
		struct torus_machine_shape shape = { g.ndims, shapes[i].dims, g.mesh };
		u32 node, number, coords[TORUS_DIMS_MAX], want[TORUS_DIMS_MAX];

		assert_true(torus_geometry_init(&g, 1u << 20));
		for (m = torus_machines; *m; m++) {
			for (node = 0; node < g.nodes; node++) {
				torus_geometry_coords(&g, node, want);
				assert_int_equal(torus_machine_place(*m, &shape, node, coords),
						 0);
				assert_memory_equal(coords, want, g.ndims * sizeof(*want));
				assert_int_equal(torus_machine_number(*m, &shape, coords,
								      &number), 0);
				assert_int_equal(number, node);
			}
			assert_int_equal(torus_machine_place(*m, &shape, g.nodes, coords),
					 -ENOENT);
			memcpy(coords, want, sizeof(coords));
			coords[0] = g.dims[0];
			assert_int_equal(torus_machine_number(*m, &shape, coords, &number),
					 -ERANGE);
			assert_int_equal(number, g.nodes - 1);
		}
	}
}

/* A machine in cabinets of three, whose numbers leave out every fourth. */
static int gapped_number(const struct torus_machine_shape *shape, const __u32 *coords,
			 __u32 *number)
{
	*number = coords[0] + coords[0] / 3;
	return 0;
}

static int gapped_place(const struct torus_machine_shape *shape, __u32 number, __u32 *coords)
{
	coords[0] = number - number / 4;
	return number % 4 == 3 || coords[0] >= shape->dims[0] ? -ENOENT : 0;
}

static void test_machine_numbers_with_gaps(void **state)
{
	static const struct torus_machine gapped = {
		.number = gapped_number,
		.place = gapped_place,
	};
	const __u32 dims[] = { 8 }, outside = 8;
	struct torus_machine_shape shape = { 1, dims, 0 };
	__u32 x, number, back, last = 0;

	for (x = 0; x < 8; x++) {
		assert_int_equal(torus_machine_number(&gapped, &shape, &x, &number), 0);
		assert_int_equal(torus_machine_place(&gapped, &shape, number, &back), 0);
		assert_int_equal(back, x);
		last = number;
	}
	assert_int_equal(last, 9);
	assert_int_equal(torus_machine_place(&gapped, &shape, 3, &back), -ENOENT);
	assert_int_equal(torus_machine_place(&gapped, &shape, 10, &back), -ENOENT);
	/* A coordinate outside is found out before the machine's own rule sees it. */
	assert_int_equal(torus_machine_number(&gapped, &shape, &outside, &number), -ERANGE);
	assert_int_equal(torus_machine_number(NULL, &shape, &outside, &number), -EOPNOTSUPP);
	assert_int_equal(torus_machine_place(NULL, &shape, 0, &back), -EOPNOTSUPP);
}

/* The first hop that the core's rule of steps gives. */
static unsigned int core_direction(struct torus_fabric *f, const struct torus_arch *arch,
				   const u32 *from, const u32 *to)
{
	u32 dim;

	for (dim = 0; dim < f->cfg.geo.ndims; dim++) {
		s32 steps = from[dim] == to[dim] ? 0 : arch->steps(f, dim, from[dim], to[dim]);

		if (steps)
			return 2 * dim + (steps < 0);
	}
	return 0;
}

static void compare_directions(struct torus_fabric *f, const struct torus_arch *arch)
{
	const struct torus_geometry *g = &f->cfg.geo;
	const struct torus_machine_shape shape = { g->ndims, g->dims, g->mesh };
	u32 from, to, a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX];

	for (from = 0; from < f->nodes; from++) {
		for (to = 0; to < f->nodes; to++) {
			torus_geometry_coords(g, from, a);
			torus_geometry_coords(g, to, b);
			assert_int_equal(torus_machine_direction(&shape, a, b),
					 core_direction(f, arch, a, b));
		}
	}
	torus_fabric_destroy(f);
}

static void test_machine_direction_is_the_cores(void **state)
{
	const struct torus_arch *const *arch;

	for (arch = torus_archs; *arch; arch++) {
		compare_directions(make((*arch)->name, 6, 5, 4, 0), *arch);
		compare_directions(make((*arch)->name, 7, 2, 3, 2), *arch);
		compare_directions(make((*arch)->name, 1, 8, 2, 5), *arch);
	}
}

static void test_machine_header_is_the_cores(void **state)
{
	const struct torus_machine *m = torus_machine_find("bgl");
	const __u32 dest[3] = { 1, 2, 250 };
	struct torus_machine_packet packet = { .dest = dest, .group = 1 };
	unsigned char bytes[TORUS_MACHINE_HEADER_MAX] = { 0 }, small[sizeof(bytes)] = { 0 };
	char why[TORUS_MACHINE_WHY_MAX];
	unsigned int chunks, dir;
	struct bgl_header h;
	int route;

	for (route = DYNAMIC; route <= PRIORITY; route++) {
		for (chunks = 1; chunks <= 8; chunks++) {
			packet.route = route;
			packet.chunks = chunks;
			packet.hints = route == ORDERED ? m->hint(2) : 0;
			packet.deposit = route == ORDERED;
			assert_int_equal(m->build(bytes, &packet, why, sizeof(why)), 0);
			bgl_header_unpack(&h, bytes);
			assert_int_equal(h.dest[0], 1);
			assert_int_equal(h.dest[2], 250);
			assert_int_equal(h.chunks, chunks);
			assert_int_equal(h.hints, route == ORDERED ? bgl_hint_bit(2) : 0);
			assert_int_equal(h.dp, route == ORDERED);
			assert_int_equal(h.dynamic, route == DYNAMIC);
			assert_int_equal(h.vc, route == DYNAMIC ? TORUS_BGL_D0 :
					       route == ORDERED ? TORUS_BGL_BN : TORUS_BGL_BP);
			assert_int_equal(m->chunks(bytes), chunks);
			/* The same header, written for another length and changed. */
			packet.chunks = 9 - chunks;
			assert_int_equal(m->build(small, &packet, why, sizeof(why)), 0);
			m->resize(small, chunks);
			assert_memory_equal(small, bytes, sizeof(bytes));
		}
		assert_int_equal(torus_machine_ordered(m, route), route != DYNAMIC);
	}
	for (dir = 0; dir < 6; dir++)
		assert_int_equal(m->hint(dir), bgl_hint_bit(dir));
}

static void test_machine_header_refusals(void **state)
{
	const struct torus_machine *m = torus_machine_find("bgl");
	const __u32 dest[3] = { 1, 2, 3 }, far[3] = { 1, 256, 3 };
	const struct torus_machine_packet good = { .dest = dest, .chunks = 1 };
	struct torus_machine_packet bad = good;
	char why[TORUS_MACHINE_WHY_MAX];
	unsigned char bytes[8];

#define REFUSED(member, value, text) do {						\
		bad = good;								\
		bad.member = (value);							\
		assert_int_equal(m->build(bytes, &bad, why, sizeof(why)), -ERANGE);	\
		assert_string_equal(why, text);						\
	} while (0)
	assert_int_equal(m->build(bytes, &good, why, sizeof(why)), 0);
	REFUSED(dest, far, "coordinate 256: 0 to 255");
	REFUSED(chunks, 0, "0 chunks: 1 to 8");
	REFUSED(chunks, 9, "9 chunks: 1 to 8");
	REFUSED(chunks, 257, "257 chunks: 1 to 8");
	REFUSED(group, 2, "FIFO group 2: 0 or 1");
	REFUSED(group, 256, "FIFO group 256: 0 or 1");
	REFUSED(hints, 0x40, "hints 0x40: 6 bits");
	REFUSED(hints, 0x100, "hints 0x100: 6 bits");
#undef REFUSED
}

static void test_machine_payload(void **state)
{
	const struct torus_machine *m = torus_machine_find("bgl");

	assert_int_equal(torus_machine_payload(m, 256), 240);
	assert_int_equal(torus_machine_payload(m, 17), 1);
	assert_int_equal(torus_machine_payload(m, 16), 0);
	assert_int_equal(torus_machine_payload(m, 8), 0);
	assert_int_equal(torus_machine_payload(torus_machine_find("kncube"), 256), 256);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machine_each_has_a_table),
		cmocka_unit_test(test_machine_numbers_are_the_cores),
		cmocka_unit_test(test_machine_wire_is_the_cores),
		cmocka_unit_test(test_machine_lacks_by_name),
		cmocka_unit_test(test_machine_places_are_the_cores),
		cmocka_unit_test(test_machine_numbers_with_gaps),
		cmocka_unit_test(test_machine_direction_is_the_cores),
		cmocka_unit_test(test_machine_header_is_the_cores),
		cmocka_unit_test(test_machine_header_refusals),
		cmocka_unit_test(test_machine_payload),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
