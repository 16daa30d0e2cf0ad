// SPDX-License-Identifier: GPL-2.0
/* Compare the descriptions of the machines with the core, which describes the same machines. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arch/bgl/header.h"
#include "arch/bgl/hints.h"
#include "arch/tofu/header.h"
#include "arch/xt/header.h"
#include "arch/arch.h"
#include "core/base/geometry.h"
#include "core/base/node_number.h"
#include "core/state/arch.h"
#include "core/state/domain.h"
#include "core/run/fabric.h"
#include "core/tests/says.h"
#include "../machine.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
/* Values of enum torus_route, whose header cannot be included together with the core's. */
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
		assert_int_equal(m->dims_max, (*arch)->dims_max);
		assert_int_equal(m->port_links, (*arch)->port_links);
		assert_true((*arch)->header_bytes <= TORUS_MACHINE_HEADER_MAX);
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_REGISTERS),
				 *(*arch)->nregs != 0);
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_ATTACH),
				 (*arch)->receive_fifos != 0);
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_PRIORITY),
				 (*arch)->inject_priority != 0);
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_CLASSES), !!m->second_fifos);
		assert_int_equal(m->fifos & m->second_fifos, 0);
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_DEPOSIT),
				 !!(*arch)->deposit);
		/* A machine with FIFOs for programs needs a function that builds headers. */
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_ATTACH), !!m->build);
		assert_int_equal(torus_machine_can(m, TORUS_MACHINE_HINTS), !!m->hint);
	}
}

/* Return: the bits of all fields of a register. Fields must not overlap. */
static u32 fields_of(const struct torus_machine *m, const char *reg)
{
	const struct torus_machine_field *field;
	u32 bits = 0;

	for (field = m->fields; field && field->reg; field++) {
		if (strcmp(field->reg, reg))
			continue;
		assert_in_range(field->width, 1, 32 - field->first);
		assert_int_equal(bits & torus_machine_field_mask(field), 0);
		assert_ptr_equal(torus_machine_field(m, reg, field->name), field);
		bits |= torus_machine_field_mask(field);
	}
	return bits;
}

/*
 * No field has bits that the core rejects. Each writable bit belongs to a field, unless all bits of
 * the register are writable.
 */
static void test_machine_fields_are_the_cores(void **state)
{
	const struct torus_machine_field *field;
	const struct torus_arch *const *arch;
	u32 i;

	for (arch = torus_archs; *arch; arch++) {
		const struct torus_machine *m = torus_machine_find((*arch)->name);

		for (i = 0; i < *(*arch)->nregs; i++) {
			const struct torus_reg *reg = &(*arch)->regs[i];
			u32 bits = fields_of(m, reg->name);

			if (reg->flags & TORUS_REG_READ_ONLY)
				continue;
			assert_int_equal(bits & ~reg->mask, 0);
			if (reg->mask != ~0u)
				assert_int_equal(bits, reg->mask);
		}
		for (field = m->fields; field && field->reg; field++) {
			for (i = 0; i < *(*arch)->nregs; i++)
				if (!strcmp((*arch)->regs[i].name, field->reg))
					break;
			assert_in_range(i, 0, *(*arch)->nregs - 1);
		}
	}
	assert_null(torus_machine_field(NULL, "arbitration", "full"));
	assert_null(torus_machine_field(&torus_machine_bgl, "arbitration", "empty"));
	field = torus_machine_field(&torus_machine_bgl, "arbitration", "full");
	assert_int_equal(torus_machine_field_mask(field), 0x03fc0000);
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

/* The overhead of a packet on Blue Gene/L equals the core's. */
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
		{ TORUS_MACHINE_HINTS, "kncube hint" },
		{ TORUS_MACHINE_DEPOSIT, "kncube deposit" },
		{ TORUS_MACHINE_AVOID, "kncube dead" },
		{ TORUS_MACHINE_TABLES, "kncube table" },
		{ TORUS_MACHINE_REGISTERS, "kncube register" },
		{ TORUS_MACHINE_ATTACH, "kncube FIFO" },
		{ TORUS_MACHINE_PRIORITY, "kncube priority" },
		{ TORUS_MACHINE_CLASSES, "kncube class" },
		{ TORUS_MACHINE_UNITS, "kncube unit" },
		{ TORUS_MACHINE_ENGINES, "kncube engine" },
		{ TORUS_MACHINE_PATHS, "kncube path" },
		{ TORUS_MACHINE_VIEWS, "kncube view" },
	};
	char why[TORUS_MACHINE_WHY_MAX];
	size_t i;

	assert_int_equal(COUNT(lacks), TORUS_MACHINE_CAN_MAX);
	for (i = 0; i < COUNT(lacks); i++) {
		assert_int_equal(torus_machine_demand("kncube", lacks[i].what, why, sizeof(why)),
				 -EOPNOTSUPP);
		assert_says(why, lacks[i].text);
	}
	strcpy(why, "untouched");
	assert_int_equal(torus_machine_demand("bgl", TORUS_MACHINE_REGISTERS, why, sizeof(why)),
			 0);
	assert_string_equal(why, "untouched");
	assert_int_equal(torus_machine_demand("bgl", TORUS_MACHINE_TABLES, why, sizeof(why)),
			 -EOPNOTSUPP);
	assert_says(why, "bgl table");
	assert_int_equal(torus_machine_demand("paragon", TORUS_MACHINE_ATTACH, why, sizeof(why)),
			 -EOPNOTSUPP);
	assert_says(why, "paragon FIFO");
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
		struct torus_machine_shape shape = {
			.ndims = g.ndims, .dims = shapes[i].dims, .mesh = g.mesh,
		};
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

/* Compare all numbers up to the last one, and some beyond it, with the core's conversion. */
static void compare_numbers(struct torus_geometry *g)
{
	const struct torus_machine_shape shape = {
		.ndims = g->ndims, .dims = g->dims, .numbering = &g->numbering,
	};
	u32 node, number, wanted, coords[TORUS_DIMS_MAX], want[TORUS_DIMS_MAX];

	for (node = 0; node < g->nodes; node++) {
		torus_geometry_coords(g, node, coords);
		assert_int_equal(torus_machine_number(NULL, &shape, coords, &number), 0);
		assert_int_equal(number, torus_node_number(g, node));
	}
	for (number = 0; number <= g->numbering.last + 40; number++) {
		wanted = torus_node_index(g, number);
		assert_int_equal(torus_machine_place(NULL, &shape, number, coords),
				 wanted == TORUS_NONE ? -ENOENT : 0);
		if (wanted == TORUS_NONE)
			continue;
		torus_geometry_coords(g, wanted, want);
		assert_memory_equal(coords, want, g->ndims * sizeof(*want));
	}
}

static void test_machine_numbers_with_gaps(void **state)
{
	/* z varies fastest; regions of three x coordinates begin at multiples of 100 */
	struct torus_geometry regions = { .ndims = 3, .dims = { 8, 3, 4 } };
	/* the group coordinates x, y and z vary slowest; a, b and c vary fastest */
	struct torus_geometry groups = { .ndims = 6, .dims = { 3, 2, 2, 2, 3, 2 } };
	const struct torus_numbering plain = { .split = { 0 } };
	u32 number = 7, coords[TORUS_DIMS_MAX], dims[] = { 4, 4 }, at[] = { 4, 0 };
	struct torus_machine_shape shape = { 2, dims, 0, NULL };

	assert_true(torus_geometry_init(&regions, 1u << 20));
	regions.numbering = (struct torus_numbering){
		.split = { 3, 3, 4 }, .stride = { 12, 4, 1 }, .jump = { 100, 0, 0 },
	};
	assert_true(torus_number_init(&regions));
	compare_numbers(&regions);
	assert_true(torus_geometry_init(&groups, 1u << 20));
	groups.numbering = (struct torus_numbering){
		.split = { 3, 2, 2, 2, 3, 2 }, .stride = { 12, 36, 72, 1, 2, 6 },
	};
	assert_true(torus_number_init(&groups));
	compare_numbers(&groups);

	/* A coordinate outside the shape, and an unknown machine. */
	assert_int_equal(torus_machine_number(torus_machines[0], &shape, at, &number), -ERANGE);
	assert_int_equal(torus_machine_number(NULL, &shape, at, &number), -EOPNOTSUPP);
	assert_int_equal(torus_machine_place(NULL, &shape, 0, coords), -EOPNOTSUPP);
	assert_int_equal(number, 7);
	/* An empty numbering identifies no node, but must not cause a division by zero. */
	shape.numbering = &plain;
	at[0] = 3;
	assert_int_equal(torus_machine_number(NULL, &shape, at, &number), 0);
	assert_int_equal(torus_machine_place(NULL, &shape, 5, coords), -ENOENT);
}

/* Return: the first hop by the core's rule. */
static unsigned int core_direction(struct torus_fabric *f, const u32 *from, const u32 *to)
{
	u32 dim;

	for (dim = 0; dim < f->cfg.geo.ndims; dim++) {
		s32 steps = torus_fabric_steps(f, dim, from[dim], to[dim]);

		if (steps)
			return 2 * dim + (steps < 0);
	}
	return 0;
}

static void compare_directions(struct torus_fabric *f)
{
	const struct torus_geometry *g = &f->cfg.geo;
	const struct torus_machine_shape shape = {
		.ndims = g->ndims, .dims = g->dims, .mesh = g->mesh,
	};
	u32 from, to, a[TORUS_DIMS_MAX], b[TORUS_DIMS_MAX];

	for (from = 0; from < f->nodes; from++) {
		for (to = 0; to < f->nodes; to++) {
			torus_geometry_coords(g, from, a);
			torus_geometry_coords(g, to, b);
			assert_int_equal(torus_machine_direction(&shape, a, b),
					 core_direction(f, a, b));
		}
	}
	torus_fabric_destroy(f);
}

static void test_machine_direction_is_the_cores(void **state)
{
	const struct torus_arch *const *arch;

	for (arch = torus_archs; *arch; arch++) {
		compare_directions(make((*arch)->name, 6, 5, 4, 0));
		compare_directions(make((*arch)->name, 7, 2, 3, 2));
		compare_directions(make((*arch)->name, 1, 8, 2, 5));
	}
}

static void test_machine_header_is_the_cores(void **state)
{
	const struct torus_machine *m = torus_machine_find("bgl");
	const u32 dest[3] = { 1, 2, 250 };
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
			/* A header built for another length and resized must be the same. */
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

/*
 * Build a header for @packet. The result must be @error, with an error message that contains the
 * words of @text.
 */
static void build_says(const struct torus_machine *m, const struct torus_machine_packet *packet,
		       int error, const char *text)
{
	unsigned char bytes[TORUS_MACHINE_HEADER_MAX];
	char why[TORUS_MACHINE_WHY_MAX] = "";

	assert_int_equal(m->build(bytes, packet, why, sizeof(why)), error);
	if (error)
		assert_says(why, text);
	else
		assert_string_equal(why, "");
}

/* Change one member of the valid packet @good: the machine @m must reject it. */
#define REFUSED(member, value, error, text) do {					\
		struct torus_machine_packet bad = good;					\
											\
		bad.member = (value);							\
		build_says(m, &bad, error, text);					\
	} while (0)

static void test_machine_header_refusals(void **state)
{
	const struct torus_machine *m = torus_machine_find("bgl");
	const u32 dest[3] = { 1, 2, 3 }, far[3] = { 1, 256, 3 };
	const struct torus_machine_packet good = { .dest = dest, .chunks = 1 };

	build_says(m, &good, 0, "");
	REFUSED(dest, far, -ERANGE, "coordinate 256 0 255");
	REFUSED(chunks, 0, -ERANGE, "0 chunk 1 8");
	REFUSED(chunks, 9, -ERANGE, "9 chunk 1 8");
	REFUSED(chunks, 257, -ERANGE, "257 chunk 1 8");
	REFUSED(group, 2, -ERANGE, "group 2 0 1");
	REFUSED(group, 256, -ERANGE, "group 256 0 1");
	REFUSED(hints, 0x40, -ERANGE, "hint 0x40 6");
	REFUSED(hints, 0x100, -ERANGE, "hint 0x100 6");
}

static void test_machine_xt_header_is_the_cores(void **state)
{
	const struct torus_machine *m = torus_machine_find("xt");
	struct torus_machine_packet packet = { .node = 0x7123 };
	unsigned char bytes[TORUS_MACHINE_HEADER_MAX] = { 0 }, other[sizeof(bytes)] = { 0 };
	char why[TORUS_MACHINE_WHY_MAX];
	unsigned int chunks;
	struct xt_header h;

	for (chunks = 1; chunks <= 9; chunks++) {
		packet.chunks = chunks;
		packet.group = chunks & 1;
		assert_int_equal(m->build(bytes, &packet, why, sizeof(why)), 0);
		xt_header_unpack(&h, bytes);
		assert_int_equal(h.nid, 0x7123);
		assert_int_equal(h.flits, chunks);
		assert_int_equal(h.tail, chunks == 1);
		assert_int_equal(h.group, chunks & 1);
		assert_int_equal(h.vc | h.age | h.sw | h.reserved, 0);
		assert_int_equal(m->chunks(bytes), chunks);
		packet.chunks = 10 - chunks;
		assert_int_equal(m->build(other, &packet, why, sizeof(why)), 0);
		m->resize(other, chunks);
		assert_memory_equal(other, bytes, sizeof(bytes));
	}
	assert_true(torus_machine_ordered(m, ORDERED));
	assert_false(torus_machine_ordered(m, DYNAMIC));
}

static void test_machine_xt_refusals(void **state)
{
	const struct torus_machine *m = torus_machine_find("xt");
	const struct torus_machine_packet good = { .chunks = 1 };

	build_says(m, &good, 0, "");
	REFUSED(hints, 0x20, -EOPNOTSUPP, "xt hint");
	REFUSED(deposit, true, -EOPNOTSUPP, "xt deposit");
	REFUSED(route, PRIORITY, -EOPNOTSUPP, "xt priority");
	REFUSED(node, 32768, -ERANGE, "NID 32768 0 32767");
	REFUSED(chunks, 0, -ERANGE, "0 flit 1 9");
	REFUSED(chunks, 10, -ERANGE, "10 flit 1 9");
	REFUSED(group, 2, -ERANGE, "group 2 0 1");
}

/* The core must read the same destination, path and FIFO from a header of either route. */
static void test_machine_tofu_header_is_the_cores(void **state)
{
	const struct torus_machine *m = torus_machine_find("tofu");
	const u32 dest[6] = { 200, 17, 3, 1, 2, 0 };
	struct torus_machine_packet packet = {
		.dest = dest, .group = 3, .chunks = 64, .route = ORDERED,
	};
	char why[TORUS_MACHINE_WHY_MAX];
	unsigned char bytes[TORUS_TOFU_HEADER_BYTES];
	struct tofu_header h;

	memset(bytes, 0xff, sizeof(bytes));
	assert_int_equal(m->build(bytes, &packet, why, sizeof(why)), 0);
	tofu_header_unpack(&h, bytes);
	assert_memory_equal(h.dest, dest, sizeof(dest));
	assert_int_equal(h.group, 3);
	assert_int_equal(h.chunks, 64);
	assert_int_equal(h.path, TORUS_TOFU_PATH_FIXED);
	assert_int_equal(h.fifo, 0);
	assert_false(h.reserved);
	m->spread(bytes, 5);
	tofu_header_unpack(&h, bytes);
	assert_int_equal(h.path, TORUS_TOFU_PATH_FIXED);
	assert_int_equal(h.fifo, 0);
	assert_int_equal(m->chunks(bytes), 64);
	m->resize(bytes, 5);
	assert_int_equal(m->chunks(bytes), 5);
	tofu_header_unpack(&h, bytes);
	assert_int_equal(h.chunks, 5);
	assert_memory_equal(h.dest, dest, sizeof(dest));
	packet.route = DYNAMIC;
	assert_int_equal(m->build(bytes, &packet, why, sizeof(why)), 0);
	tofu_header_unpack(&h, bytes);
	assert_int_equal(h.path, TORUS_TOFU_PATH_ANY);
	assert_int_equal(h.fifo, TORUS_TOFU_FIFO_ANY);
	m->spread(bytes, 5);
	tofu_header_unpack(&h, bytes);
	assert_int_equal(h.path, TORUS_TOFU_PATH_APART);
	assert_int_equal(h.fifo, 5);
	assert_memory_equal(h.dest, dest, sizeof(dest));
	assert_int_equal(h.group, 3);
	assert_int_equal(h.chunks, 64);
}

static void test_machine_tofu_refusals(void **state)
{
	const struct torus_machine *m = torus_machine_find("tofu");
	const u32 here[6] = { 0 }, far[6] = { 0, 256 }, beyond[6] = { 0, 0, 0, 0, 3 };
	const struct torus_machine_packet good = { .dest = here, .chunks = 1 };

	build_says(m, &good, 0, "");
	REFUSED(hints, 0x20, -EOPNOTSUPP, "tofu hint");
	REFUSED(deposit, true, -EOPNOTSUPP, "tofu deposit");
	REFUSED(route, PRIORITY, -EOPNOTSUPP, "tofu priority");
	REFUSED(dest, far, -ERANGE, "coordinate y 256 0 255");
	REFUSED(dest, beyond, -ERANGE, "coordinate b 3 0 2");
	REFUSED(chunks, 0, -ERANGE, "0 chunk 1 64");
	REFUSED(chunks, 65, -ERANGE, "65 chunk 1 64");
	REFUSED(group, 4, -ERANGE, "group 4 0 3");
}

/*
 * The nodes of a unit belong to it and differ. Machines without units have no functions for them.
 */
static void test_machine_units(void **state)
{
	static const u32 unit[TORUS_MACHINE_UNIT_AXES] = { 7, 8, 9, 2 };
	u32 coords[TORUS_MACHINE_UNIT_NODES][TORUS_DIMS_MAX] = { 0 }, of[COUNT(unit)];
	unsigned int i, j, k;

	for (i = 0; torus_machines[i]; i++) {
		const struct torus_machine *m = torus_machines[i];
		bool units = torus_machine_can(m, TORUS_MACHINE_UNITS);

		assert_int_equal(units, !!m->unit_node);
		assert_int_equal(units, !!m->unit_of);
		for (j = 0; units && j < TORUS_MACHINE_UNIT_NODES; j++) {
			m->unit_node(unit, j, coords[j]);
			m->unit_of(coords[j], of);
			assert_memory_equal(of, unit, sizeof(unit));
			for (k = 0; k < j; k++)
				assert_memory_not_equal(coords[k], coords[j], sizeof(coords[j]));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machine_each_has_a_table),
		cmocka_unit_test(test_machine_fields_are_the_cores),
		cmocka_unit_test(test_machine_numbers_are_the_cores),
		cmocka_unit_test(test_machine_wire_is_the_cores),
		cmocka_unit_test(test_machine_lacks_by_name),
		cmocka_unit_test(test_machine_places_are_the_cores),
		cmocka_unit_test(test_machine_numbers_with_gaps),
		cmocka_unit_test(test_machine_direction_is_the_cores),
		cmocka_unit_test(test_machine_header_is_the_cores),
		cmocka_unit_test(test_machine_header_refusals),
		cmocka_unit_test(test_machine_xt_header_is_the_cores),
		cmocka_unit_test(test_machine_xt_refusals),
		cmocka_unit_test(test_machine_tofu_header_is_the_cores),
		cmocka_unit_test(test_machine_tofu_refusals),
		cmocka_unit_test(test_machine_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
