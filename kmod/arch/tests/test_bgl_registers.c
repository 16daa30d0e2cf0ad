// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of Blue Gene/L: the values that they report, the values that can be written, and the
 * effects of a write.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"

static u32 bytes3(u32 x, u32 y, u32 z)
{
	return x << 16 | y << 8 | z;
}

static void test_boot_values(void **state)
{
	struct torus_fabric *f = rig_make("8x4mx2", "");
	u32 node = rig_node(f, 5, 3, 0);

	assert_int_equal(rig_reg(f, node, "maximum_coordinate"), bytes3(7, 3, 1));
	assert_int_equal(rig_reg(f, node, "node_coordinate"), bytes3(5, 3, 0));
	assert_int_equal(rig_reg(f, node, "plus_neighbor"), bytes3(6, 4, 1));
	assert_int_equal(rig_reg(f, node, "minus_neighbor"), bytes3(4, 2, 1));
	/*
	 * x: the coordinate is odd, so ties go in minus direction; y: a mesh; z: the coordinate is
	 * even, so ties go in plus direction
	 */
	assert_int_equal(rig_reg(f, node, "cutoff_plus"), bytes3(7, 4, 1));
	assert_int_equal(rig_reg(f, node, "cutoff_minus"), bytes3(1, 0, 0));
	assert_int_equal(rig_reg(f, node, "timeout_y"), 1024 << 16 | 1024);
	assert_int_equal(rig_reg(f, node, "tokens_xp"), 0x20202020);
	assert_int_equal(rig_reg(f, node, "tokens_yp"), 0);	/* mesh edge */
	assert_int_equal(rig_reg(f, node, "fullness_zm"), 0);
	assert_int_equal(rig_reg(f, 0, "minus_neighbor"), bytes3(7, 0, 1));
	torus_fabric_destroy(f);
}

/* The machine has a register at each of these offsets, and at no other. */
static void test_map(void **state)
{
	static const struct {
		u32 first, last;
	} map[] = {
		{ 0x00, 0x0e }, { 0x12, 0x12 }, { 0x16, 0x1b }, { 0x1e, 0x1e }, { 0x20, 0x2c },
		{ 0x30, 0x30 }, { 0x32, 0x54 }, { 0x5c, 0x68 }, { 0x6c, 0x7e },
	};
	static const struct {
		const char *name;
		u32 offset;
	} some[] = {
		{ "reset", 0x00 }, { "minus_neighbor", 0x04 }, { "bypass_thresholds", 0x07 },
		{ "timeout_z", 0x0a }, { "arbitration", 0x0b }, { "clock_ratio", 0x0c },
		{ "watermarks_1", 0x0e }, { "link_control", 0x12 }, { "threshold_overflow", 0x1b },
		{ "clear", 0x1e }, { "nre_mask_header", 0x26 }, { "nre_mask_access", 0x2c },
		{ "error_mask", 0x30 }, { "receiver_crc_zm", 0x37 }, { "fullness_xp", 0x38 },
		{ "tokens_xp", 0x3e }, { "sender_crc_xp", 0x44 }, { "resend_z", 0x4c },
		{ "checksum_n0", 0x4d }, { "checksum_p1", 0x54 }, { "nre_receiver_xp", 0x5c },
		{ "nre_header", 0x62 }, { "nre_access", 0x68 }, { "input_errors_zm", 0x71 },
		{ "ecc_resend", 0x72 }, { "ecc_receiver", 0x73 }, { "retries_xp", 0x74 },
		{ "random_parity", 0x7a }, { "ecc_inject", 0x7b }, { "ecc_receive", 0x7c },
		{ "bad_header", 0x7d }, { "vc_overflow", 0x7e },
	};
	struct torus_fabric *f = rig_make("4x4x4", "");
	u32 offset, i, j, value, found = 0;
	struct torus_error err;

	for (offset = 0; offset < 0x80; offset++) {
		bool there = false;

		for (i = 0; i < COUNT(map); i++)
			there |= offset >= map[i].first && offset <= map[i].last;
		assert_int_equal(f->arch->reg_peek(f, 0, offset, &value, &err),
				 there ? 0 : -ENOENT);
		found += there;
	}
	assert_int_equal(found, *f->arch->nregs);
	for (i = 0; i < found; i++) {
		const struct torus_reg *r = &f->arch->regs[i];

		assert_non_null(r->help);
		assert_true(!i || r->offset > r[-1].offset);
		for (j = 0; j < i; j++)
			assert_string_not_equal(r->name, f->arch->regs[j].name);
	}
	for (i = 0; i < COUNT(some); i++) {
		for (j = 0; f->arch->regs[j].offset != some[i].offset; j++)
			;
		assert_string_equal(f->arch->regs[j].name, some[i].name);
	}
	torus_fabric_destroy(f);
}

/* Return a value that the register can hold and that differs from its boot value. */
static u32 sample(const struct torus_reg *r)
{
	if (!strcmp(r->name, "arbitration"))
		return 1u << 29 | 100 << 18 | 100 << 10 | 3 << 5;
	if (!strcmp(r->name, "clock_ratio"))
		return 4u << 29;
	if (!strcmp(r->name, "link_control"))
		return 0x40200000;
	return 0x12345678 & r->mask;
}

/* reg_boot() reports the boot value of a register, also after a write. */
static void test_boot_known(void **state)
{
	struct torus_fabric *f = rig_make("4x8x4", "slq_fraction=50 timeout=4321 hints=minimal");
	u32 i, node, value, writable = 0;
	struct torus_error err;

	for (i = 0; i < *f->arch->nregs; i++) {
		const struct torus_reg *r = &f->arch->regs[i];

		if (r->flags & (TORUS_REG_READ_ONLY | TORUS_REG_READ_CLEARS))
			continue;
		for (node = 0; node < 9; node++) {
			assert_int_equal(f->arch->reg_peek(f, node, r->offset, &value, &err), 0);
			assert_int_equal(f->arch->reg_boot(f, node, r->offset), value);
		}
		assert_int_equal(f->arch->reg_write(f, 3, r->offset, sample(r), &err), 0);
		assert_int_equal(f->arch->reg_peek(f, 3, r->offset, &value, &err), 0);
		if (!(r->flags & TORUS_REG_WRITE_CLEARS))
			assert_int_not_equal(f->arch->reg_boot(f, 3, r->offset), value);
		writable++;
	}
	assert_in_range(writable, 30, 60);
	torus_fabric_destroy(f);
}

/*
 * A written value can be read back. A write of a read-only register is rejected with an error
 * message.
 */
static void test_every_register(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_error err;
	char text[32];
	u32 i, value;

	for (i = 0; i < *f->arch->nregs; i++) {
		const struct torus_reg *r = &f->arch->regs[i];
		u32 write = sample(r);

		assert_int_equal(f->arch->reg_read(f, 9, r->offset, &value, &err), 0);
		if (r->flags & TORUS_REG_READ_ONLY) {
			assert_int_equal(f->arch->reg_write(f, 9, r->offset, write, &err), -EPERM);
			assert_says(err.text, r->name);
			assert_says(err.text, "read-only");
			continue;
		}
		if (r->mask != 0xffffffff) {
			/* the error message has the name, the value and the accepted bits */
			assert_int_equal(f->arch->reg_write(f, 9, r->offset, write | ~r->mask,
							    &err), -ERANGE);
			assert_says(err.text, r->name);
			snprintf(text, sizeof(text), "reserved 0x%08x", write | ~r->mask);
			assert_says(err.text, text);
		}
		assert_int_equal(f->arch->reg_write(f, 9, r->offset, write, &err), 0);
		if (r->flags & TORUS_REG_WRITE_CLEARS) {
			assert_int_equal(f->arch->reg_read(f, 9, r->offset, &value, &err), 0);
			assert_int_equal(value, 0);
			continue;
		}
		/* reg_peek() changes no register, and a write changes only its own node */
		assert_int_equal(f->arch->reg_peek(f, 9, r->offset, &value, &err), 0);
		assert_int_equal(value, write);
		assert_int_equal(f->arch->reg_read(f, 9, r->offset, &value, &err), 0);
		assert_int_equal(value, write);
		assert_int_equal(f->arch->reg_read(f, 10, r->offset, &value, &err), 0);
		assert_int_not_equal(value, write);
		assert_int_equal(f->arch->reg_read(f, 9, r->offset, &value, &err), 0);
		assert_int_equal(value, r->flags & TORUS_REG_READ_CLEARS ? 0 : write);
	}
	torus_fabric_destroy(f);
}

static void test_bad_values(void **state)
{
	static const struct {
		const char *name;
		u32 value;
	} bad[] = {
		{ "plus_neighbor", 0x01000000 }, { "minus_neighbor", 0xffffffff },
		{ "cutoff_plus", 0x01000000 }, { "cutoff_minus", 0x80000000 },
		{ "timeout_x", 0x00000400 }, { "timeout_z", 0x04000000 },
		{ "arbitration", 0 }, { "arbitration", 157 << 18 | 53 << 10 | 1 },
		{ "arbitration", 1u << 31 }, { "clock_ratio", 5u << 29 },
		{ "bypass_thresholds", 0x80 }, { "watermarks_0", 1 }, { "link_control", 1 << 18 },
		{ "error_mask", 1 }, { "clear", 1 << 25 }, { "reset", 1 << 13 },
	};
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_error err;
	u32 i, j, value;
	char text[16];

	for (i = 0; i < COUNT(bad); i++) {
		for (j = 0; strcmp(f->arch->regs[j].name, bad[i].name); j++)
			;
		value = rig_reg(f, 3, bad[i].name);
		assert_int_equal(f->arch->reg_write(f, 3, f->arch->regs[j].offset, bad[i].value,
						    &err), -ERANGE);
		assert_says(err.text, bad[i].name);
		snprintf(text, sizeof(text), "0x%08x", bad[i].value);
		assert_says(err.text, text);
		assert_int_equal(rig_reg(f, 3, bad[i].name), value);
	}
	assert_int_equal(f->arch->reg_write(f, 3, 0x7f, 1, &err), -ENOENT);
	assert_says(err.text, "0x7f");
	assert_int_equal(f->arch->reg_read(f, 3, 0x7f, &value, &err), -ENOENT);
	/* rejected writes allocate no memory */
	assert_null(bgl_machine(f)->regs);
	torus_fabric_destroy(f);
}

/* Send one packet through an empty fabric. Return: the direction in which it leaves its source. */
static u32 first_dir(struct torus_fabric *f, u32 src, u32 dst)
{
	struct torus_packet p = rig_packet(f, src, dst, 8);
	struct rig_trace trace;
	u32 dir;

	rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP | 1u << TORUS_TRACE_DELIVER);
	rig_inject(f, 0, &p);
	rig_drain(f);
	assert_int_equal(trace.step[trace.n - 1].what, TORUS_TRACE_DELIVER);
	dir = trace.step[0].dir;
	rig_trace_free(&trace);
	f->domain[0].tracer = NULL;
	return dir;
}

/* The cutoff registers select the direction round a ring. */
static void test_cutoff_changes_the_route(void **state)
{
	struct torus_fabric *f = rig_make("8x8x8", "");

	assert_int_equal(first_dir(f, 0, 3), 0);
	rig_reg_set(f, 0, "cutoff_plus", bytes3(2, 4, 4));
	assert_int_equal(first_dir(f, 0, 3), 1);
	assert_int_equal(first_dir(f, 0, 2), 0);
	assert_int_equal(first_dir(f, 7, 5), 1);
	rig_reg_set(f, 7, "cutoff_minus", bytes3(6, 0, 0));
	assert_int_equal(first_dir(f, 7, 5), 0);
	assert_int_equal(first_dir(f, 7, 6), 1);
	torus_fabric_destroy(f);
}

/* A time-out register has the time-outs of two directions, one in each half. */
static void test_timeouts_act(void **state)
{
	static const struct {
		u32 dir;
		const char *name;
		u32 value;
		u64 timeout;
	} cases[] = {
		{ 0, "timeout_x", 700 << 16 | 5000, 700 },
		{ 1, "timeout_x", 700 << 16 | 5000, 5000 },
		{ 3, "timeout_y", 9999 << 16 | 800, 800 },
		{ 4, "timeout_z", 3000 << 16 | 1, 3000 },
	};
	u32 i;

	for (i = 0; i < COUNT(cases); i++) {
		struct torus_fabric *f = rig_make("4x4x4", "");
		const struct torus_fault fault = {
			.what = TORUS_FAULT_CORRUPT, .node = 21, .dir = cases[i].dir, .corrupt = 1,
		};
		struct torus_packet p;
		struct rig_trace trace;

		rig_reg_set(f, 21, cases[i].name, cases[i].value);
		rig_fault(f, &fault);
		rig_trace_start(f, &trace, 1u << TORUS_TRACE_RESEND);
		p = rig_packet(f, 21, torus_geometry_neighbor(&f->cfg.geo, 21, cases[i].dir), 8);
		rig_inject(f, 0, &p);
		rig_drain(f);
		assert_int_equal(trace.n, 1);
		assert_int_equal(trace.step[0].at, 270 + cases[i].timeout);
		rig_trace_free(&trace);
		torus_fabric_destroy(f);
	}
}

/* The fullness and token registers report the present state of the buffers. */
static void test_fullness_and_tokens(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct torus_packet p = rig_packet_on(f, 0, 5, 3, TORUS_BGL_D1, 0);

	rig_place(f, 5, 2, TORUS_BGL_D1, &p);
	p = rig_packet_on(f, 0, 5, 3, TORUS_BGL_BP, 0);
	rig_place(f, 5, 2, TORUS_BGL_BP, &p);
	assert_int_equal(rig_reg(f, 5, "fullness_yp"), 0x00030008);
	assert_int_equal(rig_reg(f, 1, "tokens_yp"), 0x201d2018);
	rig_drain(f);
	assert_int_equal(rig_reg(f, 5, "fullness_yp"), 0);
	assert_int_equal(rig_reg(f, 1, "tokens_yp"), 0x20202020);
	torus_fabric_destroy(f);
}

/*
 * Each end of a link reports its CRC: the sender's at one node, the receiver's at the neighbour.
 */
static void test_link_crc_registers(void **state)
{
	static const char *const names[] = { "xp", "xm", "yp", "ym", "zp", "zm" };
	struct torus_fabric *f = rig_make("4x4x4", "crc=full");
	u32 node, dir, used = 0;

	rig_packets(f, 30, 32, 256);
	rig_finish(f, 0, 1);
	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < 6; dir++) {
			struct torus_link_view v = rig_view(f, node, dir);
			char name[32];

			snprintf(name, sizeof(name), "sender_crc_%s", names[dir]);
			assert_int_equal(rig_reg(f, node, name), v.tx_crc);
			snprintf(name, sizeof(name), "receiver_crc_%s", names[dir]);
			assert_int_equal(rig_reg(f, v.peer, name), v.rx_crc);
			assert_int_equal(v.tx_crc, v.rx_crc);
			used += v.tx_crc != 0;
		}
	assert_int_equal(used, 384);
	torus_fabric_destroy(f);
}

/* HPINJ sets the fraction of cycles in which injection has priority. */
static void test_arbitration_register(void **state)
{
	u32 seed, first[2] = { 0 };

	for (seed = 1; seed <= 64; seed++) {
		u32 i;

		for (i = 0; i < 2; i++) {
			struct torus_fabric *f;
			struct torus_packet p, q;
			struct rig_trace trace;
			char text[32];

			snprintf(text, sizeof(text), "seed=%u", seed);
			f = rig_make("4x4x4", text);
			if (i)
				rig_reg_set(f, 0, "arbitration", 157 << 18 | 53 << 10 | 31 << 5);
			rig_trace_start(f, &trace, 1u << TORUS_TRACE_HOP);
			p = rig_packet_on(f, 2, 4, 8, TORUS_BGL_D0, TORUS_BGL_HINT_YP);
			rig_place(f, 0, 0, TORUS_BGL_D0, &p);
			q = rig_packet_on(f, 0, 4, 8, TORUS_BGL_D0, TORUS_BGL_HINT_YP);
			rig_inject(f, 0, &q);
			rig_drain(f);
			first[i] += trace.step[0].seq == q.seq;
			rig_trace_free(&trace);
			torus_fabric_destroy(f);
		}
	}
	assert_int_equal(first[0], 0);
	assert_in_range(first[1], 56, 64);
}

/*
 * The first write of a register allocates the registers of all nodes. The other nodes keep their
 * boot values.
 */
static void test_memory(void **state)
{
	struct torus_fabric *f = rig_make("4x5x3", "");
	u64 rest = torus_fabric_memory(f);
	const u32 timeout = 0x08000900, offset = 0x08;
	struct torus_error err;
	u32 node, was;

	/* a reset of all parts except the pointers of resend FIFOs allocates no memory */
	assert_int_equal(f->arch->reg_write(f, 7, 0, 0xffffc000 & ~(3u << 20), &err), 0);
	assert_null(bgl_machine(f)->regs);
	was = f->arch->reg_boot(f, 7, offset);
	assert_int_equal(f->arch->reg_write(f, 7, offset, timeout, &err), 0);
	assert_int_equal(torus_fabric_memory(f), rest + 60 * f->arch->reg_node_bytes);
	for (node = 0; node < 60; node++) {
		u32 value;

		assert_int_equal(f->arch->reg_read(f, node, offset, &value, &err), 0);
		assert_int_equal(value, node == 7 ? timeout : was);
	}
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boot_values),
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_boot_values),
		cmocka_unit_test(test_boot_known),
		cmocka_unit_test(test_every_register),
		cmocka_unit_test(test_bad_values),
		cmocka_unit_test(test_cutoff_changes_the_route),
		cmocka_unit_test(test_timeouts_act),
		cmocka_unit_test(test_fullness_and_tokens),
		cmocka_unit_test(test_link_crc_registers),
		cmocka_unit_test(test_arbitration_register),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
