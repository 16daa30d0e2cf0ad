// SPDX-License-Identifier: GPL-2.0
/* The register block of a port: each offset, access rights, reserved bits, identity. */
#include "arch/bgl/bgl.h"
#include "arch/tests/port_rig.h"
#include "core/base/node_number.h"

enum { RO, RW, WO, WC };
enum { ONE, DIMENSIONS, EVENTS, RECEIVE_FIFOS, INJECT_FIFOS, RINGS };

static const struct row {
	const char *name;
	u32 offset;
	u32 number;
	u32 access;
	u32 bits;
} rows[] = {
#define ROW(name, offset, number, access, bits, meaning)	\
	{ #name, offset, number, access, bits },
	TORUS_PORT_REGISTERS(ROW)
#undef ROW
};

static const struct field {
	u32 reg;
	u32 shift;
	u32 bits;
} fields[] = {
#define FIELD(reg, name, shift, width, meaning)	\
	{ TORUS_PORT_##reg, shift, (u32)TORUS_PORT_##reg##_##name },
	TORUS_PORT_BITS(FIELD)
#undef FIELD
};

/* The table is in the order of offsets, and the named bits of a register do not overlap. */
static void test_table(void **state)
{
	u32 i, j;

	for (i = 0; i < COUNT(rows); i++) {
		assert_int_equal(rows[i].offset & 3, 0);
		assert_in_range(rows[i].offset, TORUS_PORT_MACHINE_BYTES, TORUS_PORT_BYTES - 4);
		if (i)
			assert_true(rows[i].offset > rows[i - 1].offset);
		assert_int_equal(!rows[i].bits, rows[i].access == RO);
		/* ten dimensions, three events */
		if (i && rows[i - 1].number == DIMENSIONS)
			assert_true(rows[i].offset >= rows[i - 1].offset + 4 * TORUS_DIMS_MAX);
		if (i && rows[i - 1].number == EVENTS)
			assert_true(rows[i].offset >=
				    rows[i - 1].offset + 4 * TORUS_PORT_CAUSE_EVENTS);
	}
	for (i = 0; i < COUNT(fields); i++)
		for (j = 0; j < i; j++)
			if (fields[i].reg == fields[j].reg)
				assert_int_equal(fields[i].bits & fields[j].bits, 0);
}

/* Number of elements of a register in the machine of port @r. */
static u32 elements(const struct port_rig *r, const struct row *row)
{
	switch (row->number) {
	case DIMENSIONS:
		return r->f->cfg.geo.ndims;
	case EVENTS:
		return TORUS_PORT_CAUSE_EVENTS;
	case RECEIVE_FIFOS:
		return r->f->arch->receive_fifos;
	case INJECT_FIFOS:
		return r->f->arch->inject_fifos;
	case RINGS:
		return TORUS_PORT_RINGS;
	}
	return 1;
}

static u32 stride(const struct row *row)
{
	switch (row->number) {
	case RECEIVE_FIFOS:
	case INJECT_FIFOS:
		return TORUS_PORT_FIFO_STRIDE;
	case RINGS:
		return TORUS_PORT_RING_STRIDE;
	}
	return 4;
}

/* Find the row of an offset; NULL: no register is there. */
static const struct row *find(const struct port_rig *r, u32 offset)
{
	u32 i, j;

	for (i = 0; i < COUNT(rows); i++)
		for (j = 0; j < elements(r, &rows[i]); j++) {
			if (rows[i].number == RINGS && j >= r->f->arch->inject_fifos &&
			    j != TORUS_PORT_RECEIVE_RING)
				continue;
			if (rows[i].offset + j * stride(&rows[i]) == offset)
				return &rows[i];
		}
	return NULL;
}

/* Each offset of the block is a register with the rights of the table, or gives EIO. */
static void test_each_offset(void **state)
{
	static const char *const archs[] = { "bgl", "xt", "tofu" };
	u32 i, offset, value, seen;
	const struct row *row;
	struct port_rig r;
	int ret;

	for (i = 0; i < COUNT(archs); i++) {
		port_rig_make(&r, port_rig_fabric(archs[i]), 1, 1, &port_rig_ops);
		seen = 0;
		for (offset = TORUS_PORT_MACHINE_BYTES; offset < TORUS_PORT_BYTES + 64; offset++) {
			row = find(&r, offset);
			ret = torus_port_read(r.port, offset, &value);
			if (!row || row->access == WO)
				assert_int_equal(ret, -EIO);
			else if (row->offset == TORUS_PORT_READ_DATA)
				assert_int_equal(ret, -ENODATA);
			else
				assert_int_equal(ret, 0);
			if (ret)
				assert_int_equal(value, ~0u);
			ret = torus_port_write(r.port, offset, row && row->bits == ~0u ?
					       0 : ~(row ? row->bits : 0));
			if (!row || row->access == RO)
				assert_int_equal(ret, -EIO);
			else if (row->bits != ~0u)
				assert_int_equal(ret, -ERANGE);
			seen += row && !(offset & 3);
		}
		assert_true(seen > COUNT(rows));
		port_rig_free(&r);
		torus_fabric_destroy(r.f);
	}
}

/* Each element of a register leads to its name and its first element, and the name back to that. */
static void test_names(void **state)
{
	struct torus_fabric *f = port_rig_fabric("bgl");
	struct port_rig r;
	u32 i, j, first;

	port_rig_make(&r, f, 0, 0, &port_rig_ops);
	for (i = 0; i < COUNT(rows); i++) {
		assert_true(torus_port_register_search(rows[i].name, &first));
		assert_int_equal(first, rows[i].offset);
		for (j = 0; j < elements(&r, &rows[i]); j++) {
			first = rows[i].offset + j * stride(&rows[i]);
			assert_int_equal(torus_port_register_first(first), rows[i].offset);
			assert_string_equal(torus_port_register_name(first), rows[i].name);
		}
	}
	assert_true(torus_port_register_search("acknowledge", &first));
	assert_string_equal(torus_port_register_name(first), "ACKNOWLEDGE");
	assert_false(torus_port_register_search("nosuch", &first));
	assert_int_equal(torus_port_register_first(TORUS_PORT_BYTES), TORUS_NONE);
	assert_string_equal(torus_port_register_name(0), "");
	port_rig_free(&r);
	torus_fabric_destroy(f);
}

static void test_identity(void **state)
{
	struct torus_fabric *f = port_rig_fabric("xt");
	u32 coords[TORUS_DIMS_MAX], node = rig_node(f, 3, 2, 1), i;
	struct port_rig r;

	port_rig_make(&r, f, node, 1, &port_rig_ops);
	assert_int_equal(port_get(&r, TORUS_PORT_MAGIC), TORUS_PORT_MAGIC_VALUE);
	assert_int_equal(port_get(&r, TORUS_PORT_VERSION), TORUS_PORT_ABI_VERSION);
	assert_int_equal(port_get(&r, TORUS_PORT_MACHINE), 'x' | 't' << 8);
	assert_int_equal(port_get(&r, TORUS_PORT_FEATURES),
			 TORUS_PORT_FEATURES_RINGS | TORUS_PORT_FEATURES_MODERATION);
	assert_int_equal(port_get(&r, TORUS_PORT_NODE), torus_node_number(&f->cfg.geo, node));
	assert_int_equal(port_get(&r, TORUS_PORT_GROUP), 1);
	assert_int_equal(port_get(&r, TORUS_PORT_NODES), 24);
	assert_int_equal(port_get(&r, TORUS_PORT_DIMENSIONS), 3);
	assert_int_equal(port_get(&r, TORUS_PORT_CHUNK_BYTES), 8);
	assert_int_equal(port_get(&r, TORUS_PORT_PACKET_CHUNKS), 9);
	assert_int_equal(port_get(&r, TORUS_PORT_FIFO_CHUNKS), 72);
	torus_geometry_coords(&f->cfg.geo, node, coords);
	for (i = 0; i < 3; i++) {
		assert_int_equal(port_get(&r, TORUS_PORT_AT(TORUS_PORT_COORDINATE, i)), coords[i]);
		assert_int_equal(port_get(&r, TORUS_PORT_AT(TORUS_PORT_DIMENSION, i)),
				 f->cfg.geo.dims[i]);
		assert_int_equal(port_get(&r, TORUS_PORT_AT(TORUS_PORT_STRIDE, i)),
				 f->cfg.geo.numbering.stride[i]);
		assert_int_equal(port_get(&r, TORUS_PORT_AT(TORUS_PORT_JUMP, i)),
				 f->cfg.geo.numbering.jump[i]);
		assert_int_equal(port_get(&r, TORUS_PORT_AT(TORUS_PORT_SPLIT, i)),
				 f->cfg.geo.numbering.split[i]);
	}
	port_rig_free(&r);
	torus_fabric_destroy(f);
}

/* A bus without DMA and timers: no rings, no moderation, and the feature bits say so. */
static void test_without_features(void **state)
{
	struct torus_port_ops ops = port_rig_ops;
	struct torus_fabric *f = port_rig_fabric("bgl");
	u8 bytes[PORT_PACKET];
	struct port_rig r;
	u32 value;

	ops.dma_read = NULL;
	ops.dma_write = NULL;
	ops.delay = NULL;
	port_rig_make(&r, f, 0, 0, &ops);
	assert_int_equal(port_get(&r, TORUS_PORT_FEATURES), TORUS_PORT_FEATURES_REGISTERS);
	assert_int_equal(torus_port_read(r.port, TORUS_PORT_LENGTH, &value), -EIO);
	assert_int_equal(torus_port_write(r.port, TORUS_PORT_MODERATION, 0), -EIO);
	/* FIFOs work: a packet to the own group, the long way round */
	port_packet(f, 0, 1, 1, 5, bytes);
	port_put(&r, 0, bytes, 32);
	port_settle(&r, 1);
	assert_int_equal(port_get(&r, TORUS_PORT_TAKEN_LOW), 1);
	port_rig_free(&r);
	torus_fabric_destroy(f);
}

/* Each register of the machine reads as the machine's own access does, with the same rights. */
static void test_machine(void **state)
{
	struct torus_fabric *f = port_rig_fabric("bgl");
	const struct torus_reg *reg;
	u32 i, value, other, absent = 0;
	struct port_rig r;

	port_rig_make(&r, f, 3, 0, &port_rig_ops);
	for (i = 0; i < *f->arch->nregs; i++) {
		reg = &f->arch->regs[i];
		assert_int_equal(torus_port_machine_read(r.port, f, 4 * reg->offset, &value), 0);
		assert_int_equal(f->arch->reg_peek(f, 3, reg->offset, &other, NULL), 0);
		assert_int_equal(value, other);
		if (reg->flags & TORUS_REG_READ_ONLY)
			assert_int_equal(torus_port_machine_write(r.port, f, 4 * reg->offset, 0),
					 -EIO);
		else if (~reg->mask)
			assert_int_equal(torus_port_machine_write(r.port, f, 4 * reg->offset,
								  ~reg->mask), -ERANGE);
	}
	for (i = 0; i < TORUS_PORT_MACHINE_BYTES; i += 4)
		absent += torus_port_machine_read(r.port, f, i, &value) == -EIO;
	assert_int_equal(absent, TORUS_PORT_MACHINE_BYTES / 4 - *f->arch->nregs);
	assert_int_equal(torus_port_machine_read(r.port, f, 2, &value), -EIO);
	assert_int_equal(torus_port_read(r.port, 8, &value), -EIO);
	assert_int_equal(value, ~0u);
	port_rig_free(&r);
	torus_fabric_destroy(f);

	f = port_rig_fabric("tofu");
	port_rig_make(&r, f, 3, 0, &port_rig_ops);
	assert_int_equal(torus_port_machine_read(r.port, f, 8, &value), -EIO);
	assert_int_equal(value, ~0u);
	assert_int_equal(torus_port_machine_write(r.port, f, 8, 0), -EIO);
	port_rig_free(&r);
	torus_fabric_destroy(f);
}

/* A detached port reads all ones, sends no interrupt and makes no DMA access. */
static void test_detached(void **state)
{
	struct torus_fabric *f = port_rig_fabric("bgl");
	u8 bytes[PORT_PACKET];
	struct port_rig r[2];
	u32 value, polls;

	port_rig_make(&r[0], f, 0, 0, &port_rig_ops);
	port_rig_make(&r[1], f, 1, 0, &port_rig_ops);
	port_set(&r[1], TORUS_PORT_ENABLE, 0x3f);
	port_ring_start(&r[1], TORUS_PORT_RECEIVE_RING, 0, 16);
	port_set(&r[1], TORUS_PORT_AT_RING(TORUS_PORT_TAIL, TORUS_PORT_RECEIVE_RING), 16);
	port_put(&r[0], 0, bytes, port_packet(f, 0, 1, 8, 5, bytes));
	torus_port_detach(r[1].port, f);
	torus_port_detach(r[1].port, f);
	polls = r[1].polls;
	port_settle(r, 1);
	assert_int_equal(torus_port_read(r[1].port, TORUS_PORT_MAGIC, &value), -ENODEV);
	assert_int_equal(value, ~0u);
	assert_int_equal(torus_port_machine_read(r[1].port, f, 8, &value), -ENODEV);
	assert_int_equal(value, ~0u);
	assert_int_equal(torus_port_write(r[1].port, TORUS_PORT_ENABLE, 1), -ENODEV);
	assert_int_equal(torus_port_machine_write(r[1].port, f, 8, 0), -ENODEV);
	torus_port_expired(r[1].port, TORUS_PORT_CAUSE_RECEIVE);
	torus_port_cause_set(r[1].port, TORUS_PORT_CAUSE_ERROR);
	for (value = 0; value < TORUS_PORT_CAUSES; value++)
		assert_int_equal(r[1].interrupts[value], 0);
	assert_int_equal(r[1].accesses, 0);
	assert_int_equal(r[1].polls, polls);
	/* the packet was lost: its destination has no owner any more */
	assert_int_equal(port_get(&r[0], TORUS_PORT_LOSSES), 1);
	port_rig_free(&r[0]);
	port_rig_free(&r[1]);
	rig_empty(f);
	torus_fabric_destroy(f);
}

static void test_create_rejected(void **state)
{
	struct torus_fabric *f = port_rig_fabric("bgl");
	struct torus_port *port;
	struct torus_error err;
	struct rig_client c;

	assert_int_equal(torus_port_create(f, f->nodes, 0, &port_rig_ops, NULL, &port, &err),
			 -EINVAL);
	assert_int_equal(torus_port_create(f, 0, 2, &port_rig_ops, NULL, &port, &err), -EINVAL);
	/* a program has the group */
	rig_attach(&c, f, 0, 0, false);
	assert_int_equal(torus_port_create(f, 0, 0, &port_rig_ops, NULL, &port, &err), 0);
	assert_int_equal(torus_port_attach(port, f, &err), -EBUSY);
	torus_port_detach(port, f);
	assert_non_null(torus_nic_get(f, 0, 0)->ops);
	torus_port_destroy(port);
	rig_client_free(&c);
	torus_fabric_destroy(f);
	f = rig_make_arch("kncube", "4x4", "");
	assert_int_equal(torus_port_create(f, 0, 0, &port_rig_ops, NULL, &port, &err),
			 -EOPNOTSUPP);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_each_offset),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_without_features),
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_detached),
		cmocka_unit_test(test_create_rejected),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
