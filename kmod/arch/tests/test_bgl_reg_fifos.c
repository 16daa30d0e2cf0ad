// SPDX-License-Identifier: GPL-2.0
/* FIFO registers: watermarks and injection checksums. */
#include "arch/bgl/registers.h"
#include "core/nic/fifo_status.h"
#include "core/state/interrupt.h"
#include "arch/tests/bgl_rig.h"

static u32 raised[64], raises;

static void on_interrupt(struct torus_fabric *f, u32 node, u32 cause)
{
	assert_true(raises < COUNT(raised));
	raised[raises++] = cause;
}

/* Registers 0D and 0E hold six watermarks of five bits each, the reception pool first. */
static void test_watermark_fields(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "");
	u32 group, i;

	for (group = 0; group < 2; group++) {
		char name[16];

		snprintf(name, sizeof(name), "watermarks_%u", group);
		rig_reg_set(f, 2, name, 1u << 27 | 2u << 22 | 3u << 17 | 4u << 12 | 5u << 7 |
				     31u << 2);
		for (i = 0; i < 6; i++)
			assert_int_equal(torus_nic_watermark(f, 2, group, i), i < 5 ? i + 1 : 31);
		assert_int_equal(torus_nic_watermark(f, 2, !group, 0), group);
		assert_int_equal(torus_nic_watermark(f, 1, group, 0), 0);
		torus_nic_watermark_set(f, 2, group, TORUS_NIC_WATERMARK_INJECT + 1, 17);
		assert_int_equal(rig_reg(f, 2, name), 1u << 27 | 2u << 22 | 3u << 17 | 17u << 12 |
						      5u << 7 | 31u << 2);
	}
	torus_fabric_destroy(f);
}

/*
 * An interrupt is raised by a reception FIFO above its watermark and by an injection FIFO below
 * it. Watermark 0 switches it off.
 */
static void test_watermark_zero_is_off(void **state)
{
	static const struct {
		u32 node;
		u32 value;
		u32 cause;
	} cases[] = {
		{ 1, 0, TORUS_NONE },
		{ 1, 9u << 27, TORUS_CAUSE(TORUS_INTERRUPT_RECEIVE, TORUS_BGL_RECEIVE_FIFOS) },
		{ 0, 9u << 17, TORUS_CAUSE(TORUS_INTERRUPT_INJECT, TORUS_BGL_INJECT_FIFOS) },
	};
	u32 i, j;

	for (i = 0; i < COUNT(cases); i++) {
		struct torus_fabric *f = rig_make("4x1x1", "routing=deterministic");
		struct rig_client a, b;

		f->interrupt = on_interrupt;
		raises = 0;
		rig_reg_set(f, cases[i].node, "watermarks_1", cases[i].value);
		rig_attach(&a, f, 0, 1, false);
		rig_attach(&b, f, 1, 1, false);
		b.credits = 0;
		for (j = 0; j < 3; j++)
			rig_send(&a, 1, 1, 8, false, j);
		rig_settle(f);
		assert_int_equal(raises, cases[i].cause != TORUS_NONE);
		if (raises)
			assert_int_equal(raised[0], cases[i].cause);
		rig_client_free(&a);
		rig_client_free(&b);
		torus_fabric_destroy(f);
	}
}

/*
 * Registers 4D-54 are the checksums of FIFOs N0-N2 of group 0, N3-N5 of group 1, P0 and P1.
 * Register 1E has a bit that clears each of them.
 */
static void test_checksums(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "");
	struct rig_client c[2];
	u32 i, j, group, fifo;

	for (i = 0; i < 2; i++)
		rig_attach(&c[i], f, 0, i, true);
	for (i = 0; i < 8; i++) {
		struct rig_message *m;

		group = i < 6 ? i / 3 : i - 6;
		fifo = i < 6 ? i % 3 : 3;
		m = rig_send(&c[group], 1, 0, 2, false, 100 + i);
		m->fifo = (u8)fifo;
		if (i >= 6)
			m->bytes[2] |= TORUS_BGL_BP;
	}
	rig_settle(f);
	assert_int_equal(c[0].refusals + c[1].refusals, 0);
	for (i = 0; i < 8; i++) {
		u32 value, before[8];
		struct torus_error err;

		group = i < 6 ? i / 3 : i - 6;
		fifo = i < 6 ? i % 3 : 3;
		for (j = 0; j < 8; j++)
			f->arch->reg_read(f, 0, REG_CHECKSUM + j, &before[j], &err);
		assert_int_not_equal(before[i], 0);
		assert_int_equal(before[i], torus_nic_checksum(f, 0, group, fifo));
		rig_reg_set(f, 0, "clear", 0x800u >> i);
		for (j = 0; j < 8; j++) {
			f->arch->reg_read(f, 0, REG_CHECKSUM + j, &value, &err);
			assert_int_equal(value, j == i ? 0 : before[j]);
		}
	}
	/* a reset of the injection units clears all checksums */
	rig_send(&c[0], 1, 0, 2, false, 7);
	rig_settle(f);
	assert_int_not_equal(rig_reg(f, 0, "checksum_n0"), 0);
	rig_reg_set(f, 0, "reset", BGL_RESET_INJECTION);
	assert_int_equal(rig_reg(f, 0, "checksum_n0"), 0);
	for (i = 0; i < 2; i++)
		rig_client_free(&c[i]);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_watermark_fields),
		cmocka_unit_test(test_watermark_zero_is_off),
		cmocka_unit_test(test_checksums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
