// SPDX-License-Identifier: GPL-2.0
/* Error registers: the errors that they count, the effect of a read, and their interrupts. */
#include "arch/bgl/registers.h"
#include "core/state/interrupt.h"
#include "arch/tests/bgl_rig.h"

#define XP	0

/* Interrupts that the fabric raised. Only one fabric at a time is recorded. */
static struct {
	u32 node;
	u32 cause;
} raised[256];

static u32 raises;

static void on_interrupt(struct torus_fabric *f, u32 node, u32 cause)
{
	assert_true(raises < COUNT(raised));
	raised[raises].node = node;
	raised[raises++].cause = cause;
}

static struct torus_fabric *make(const char *shape, const char *settings)
{
	struct torus_fabric *f = rig_make(shape, settings);

	f->interrupt = on_interrupt;
	raises = 0;
	return f;
}

static u32 count(u32 node, u32 kind, u32 index)
{
	u32 i, n = 0;

	for (i = 0; i < raises; i++)
		n += raised[i].node == node && raised[i].cause == TORUS_CAUSE(kind, index);
	return n;
}

static void fault(struct torus_fabric *f, u32 node, u32 dir, u32 what, u32 n)
{
	const struct torus_fault fault = {
		.what = what, .node = node, .dir = dir, .corrupt = n, .ecc_single = n,
		.ecc_double = n, .parity = n,
	};

	rig_fault(f, &fault);
}

static void send(struct torus_fabric *f, u32 src, u32 dst, u32 packets)
{
	while (packets--) {
		struct torus_packet p = rig_packet(f, src, dst, 4);

		rig_inject(f, 0, &p);
	}
	rig_drain(f);
}

static u32 peek(struct torus_fabric *f, u32 node, u32 offset)
{
	struct torus_error err;
	u32 value;

	assert_int_equal(f->arch->reg_peek(f, node, offset, &value, &err), 0);
	return value;
}

static u32 reg(struct torus_fabric *f, u32 node, u32 offset)
{
	struct torus_error err;
	u32 value;

	assert_int_equal(f->arch->reg_read(f, node, offset, &value, &err), 0);
	return value;
}

static void write(struct torus_fabric *f, u32 node, u32 offset, u32 value)
{
	struct torus_error err;

	if (f->arch->reg_write(f, node, offset, value, &err))
		fail_msg("%s", err.text);
}

/* ------------------------------------------------- counts of recovered errors */

/* Registers 6C-71 count at the receiver, 74-79 at the sender, one register per direction. */
static void test_input_errors_and_retries(void **state)
{
	u32 dir;

	for (dir = 0; dir < 6; dir++) {
		struct torus_fabric *f = make("4x4x4", "routing=deterministic");
		u32 peer = torus_geometry_neighbor(&f->cfg.geo, 21, dir), i;
		struct torus_link_counters c;

		fault(f, 21, dir, TORUS_FAULT_CORRUPT, 3);
		send(f, 21, peer, 1);
		c = rig_link(f, 21, dir);
		assert_int_equal(c.crc_header_errors + c.crc_packet_errors, 3);
		for (i = 0; i < 6; i++) {
			assert_int_equal(peek(f, peer, REG_RE + BGL_RE_INPUT + i),
					 i == dir ? 3 : 0);
			assert_int_equal(peek(f, 21, REG_RE + BGL_RE_RETRY + i),
					 i == dir ? 3 : 0);
		}
		/* reg_read() clears a register, reg_peek() does not */
		assert_int_equal(reg(f, peer, REG_RE + BGL_RE_INPUT + dir), 3);
		assert_int_equal(reg(f, peer, REG_RE + BGL_RE_INPUT + dir), 0);
		assert_int_equal(reg(f, 21, REG_RE + BGL_RE_RETRY + dir), 3);
		assert_int_equal(reg(f, 21, REG_RE + BGL_RE_RETRY + dir), 0);
		/* each source interrupts once, at its threshold of 1 */
		assert_int_equal(count(peer, TORUS_INTERRUPT_RECEIVER, dir), 1);
		assert_int_equal(count(21, TORUS_INTERRUPT_RETRY, dir), 1);
		assert_int_equal(raises, 2);
		torus_fabric_destroy(f);
	}
}

/*
 * Register 73 counts corrected single-bit errors. These set no bit in the registers of
 * non-recoverable errors.
 */
static void test_single_bit_errors(void **state)
{
	struct torus_fabric *f = make("4x1x1", "");

	fault(f, 0, XP, TORUS_FAULT_ECC_SINGLE, 2);
	send(f, 0, 1, 5);
	assert_int_equal(peek(f, 1, REG_NRE + BGL_NRE_RECEIVER + XP), 0);
	assert_int_equal(reg(f, 1, REG_RE + BGL_RE_ECC_RECEIVER), 2);
	assert_int_equal(reg(f, 1, REG_RE + BGL_RE_ECC_RECEIVER), 0);
	assert_int_equal(count(1, TORUS_INTERRUPT_ECC, 0), 1);
	assert_int_equal(raises, 1);
	torus_fabric_destroy(f);
}

/*
 * Registers 16-1B: an interrupt is raised when a count reaches its threshold, and again after a
 * read has cleared the count.
 */
static void test_thresholds(void **state)
{
	struct torus_fabric *f = make("4x1x1", "routing=deterministic");
	u32 i;

	assert_int_equal(peek(f, 1, REG_THRESHOLD + BGL_THRESHOLD_INPUT), 1);
	write(f, 1, REG_THRESHOLD + BGL_THRESHOLD_INPUT, 3);
	write(f, 0, REG_THRESHOLD + BGL_THRESHOLD_RETRY, 0);
	for (i = 1; i <= 7; i++) {
		fault(f, 0, XP, TORUS_FAULT_CORRUPT, 1);
		send(f, 0, 1, 1);
		assert_int_equal(count(1, TORUS_INTERRUPT_RECEIVER, XP), i < 3 ? 0 : i < 7 ? 1 : 2);
		if (i == 4)
			assert_int_equal(reg(f, 1, REG_RE + BGL_RE_INPUT), 4);
	}
	/* threshold 0: no interrupt */
	assert_int_equal(raises, 2);
	assert_int_equal(reg(f, 0, REG_RE + BGL_RE_RETRY), 7);
	/* if the threshold is lowered to the present count, the interrupt is raised */
	fault(f, 0, XP, TORUS_FAULT_CORRUPT, 1);
	send(f, 0, 1, 1);
	write(f, 0, REG_THRESHOLD + BGL_THRESHOLD_RETRY, 2);
	assert_int_equal(count(0, TORUS_INTERRUPT_RETRY, XP), 0);
	write(f, 0, REG_THRESHOLD + BGL_THRESHOLD_RETRY, 1);
	assert_int_equal(count(0, TORUS_INTERRUPT_RETRY, XP), 1);
	torus_fabric_destroy(f);
}

/* Each count has a threshold, a bit of register 30 and a cause, and each count can be written. */
static void test_every_count(void **state)
{
	static const struct {
		u32 threshold, cause, index;
	} what[BGL_RES] = {
		{ BGL_THRESHOLD_INPUT, TORUS_INTERRUPT_RECEIVER, 0 },
		{ BGL_THRESHOLD_INPUT, TORUS_INTERRUPT_RECEIVER, 1 },
		{ BGL_THRESHOLD_INPUT, TORUS_INTERRUPT_RECEIVER, 2 },
		{ BGL_THRESHOLD_INPUT, TORUS_INTERRUPT_RECEIVER, 3 },
		{ BGL_THRESHOLD_INPUT, TORUS_INTERRUPT_RECEIVER, 4 },
		{ BGL_THRESHOLD_INPUT, TORUS_INTERRUPT_RECEIVER, 5 },
		{ BGL_THRESHOLD_ECC, TORUS_INTERRUPT_ECC, 0 },
		{ BGL_THRESHOLD_ECC, TORUS_INTERRUPT_ECC, 0 },
		{ BGL_THRESHOLD_RETRY, TORUS_INTERRUPT_RETRY, 0 },
		{ BGL_THRESHOLD_RETRY, TORUS_INTERRUPT_RETRY, 1 },
		{ BGL_THRESHOLD_RETRY, TORUS_INTERRUPT_RETRY, 2 },
		{ BGL_THRESHOLD_RETRY, TORUS_INTERRUPT_RETRY, 3 },
		{ BGL_THRESHOLD_RETRY, TORUS_INTERRUPT_RETRY, 4 },
		{ BGL_THRESHOLD_RETRY, TORUS_INTERRUPT_RETRY, 5 },
		{ BGL_THRESHOLD_RANDOM, TORUS_INTERRUPT_RANDOM, 0 },
		{ BGL_THRESHOLD_ECC, TORUS_INTERRUPT_ECC, 0 },
		{ BGL_THRESHOLD_ECC, TORUS_INTERRUPT_ECC, 0 },
		{ BGL_THRESHOLD_BAD_HEADER, TORUS_INTERRUPT_BAD_HEADER, 0 },
		{ BGL_THRESHOLD_OVERFLOW, TORUS_INTERRUPT_OVERFLOW, 0 },
	};
	u32 i;

	for (i = 0; i < BGL_RES; i++) {
		struct torus_fabric *f = make("4x1x1", "");

		write(f, 2, REG_THRESHOLD + what[i].threshold, 10);
		write(f, 2, REG_RE + i, 9);
		assert_int_equal(raises, 0);
		write(f, 2, REG_RE_MASK, BGL_BIT(1 + i));
		write(f, 2, REG_RE + i, 10);
		assert_int_equal(raises, 0);
		/* a pending interrupt is raised when its bit is unmasked */
		write(f, 2, REG_RE_MASK, 0xfffff000 & ~BGL_BIT(1 + i));
		assert_int_equal(count(2, what[i].cause, what[i].index), 1);
		assert_int_equal(raises, 1);
		assert_int_equal(reg(f, 2, REG_RE + i), 10);
		assert_int_equal(reg(f, 2, REG_RE + i), 0);
		write(f, 2, REG_RE + i, 12);
		assert_int_equal(count(2, what[i].cause, what[i].index), 2);
		torus_fabric_destroy(f);
	}
}

/*
 * Registers 5C-61 have bits for D0 D1 BN BP. The study router's D2 and D3 are shown as D1, its
 * escape VCs as BN, its priority VC as BP.
 */
static void test_vcs_of_the_study_router(void **state)
{
	static const u32 own[] = { 0, 1, 2, 3 }, study[] = { 0, 1, 1, 1, 2, 2, 3 };
	u32 vc, i;

	for (i = 0; i < 2; i++) {
		u32 vcs = i ? COUNT(study) : COUNT(own);

		for (vc = 0; vc < vcs; vc++) {
			struct torus_fabric *f = make("4x1x1", i ? "dynamic_vcs=4" : "");
			u32 shown = i ? study[vc] : own[vc];

			assert_int_equal(f->vcs, vcs);
			torus_error_raise(f, 1, TORUS_ERROR_ECC_DOUBLE, XP, vc);
			assert_int_equal(peek(f, 1, REG_NRE), BGL_NRE_ECC(shown));
			torus_error_raise(f, 1, TORUS_ERROR_PARITY, XP, vc);
			assert_int_equal(peek(f, 1, REG_NRE),
					 BGL_NRE_ECC(shown) | BGL_NRE_PARITY(shown));
			torus_fabric_destroy(f);
		}
	}
}

/* Register 7E stays 0 under bit errors: tokens prevent an overflow. */
static void test_no_overflow(void **state)
{
	const struct torus_fault ber = {
		.what = TORUS_FAULT_BER, .node = TORUS_NONE, .dir = TORUS_NONE,
		.ber = ~0ull / 20000,
	};
	struct torus_fabric *f = rig_make("4x4x4", "");
	u64 input = 0, retries = 0, resends = 0, errors = 0;
	u32 node, dir;

	rig_fault(f, &ber);
	rig_packets(f, 50, 32, 256);
	rig_finish(f, 0, 1);
	for (node = 0; node < f->nodes; node++) {
		assert_int_equal(reg(f, node, REG_RE + BGL_RE_OVERFLOW), 0);
		for (dir = 0; dir < 6; dir++) {
			struct torus_link_counters c = rig_link(f, node, dir);

			input += reg(f, node, REG_RE + BGL_RE_INPUT + dir);
			retries += reg(f, node, REG_RE + BGL_RE_RETRY + dir);
			errors += c.crc_header_errors + c.crc_packet_errors;
			resends += c.resends;
		}
	}
	/* the registers agree with the counters */
	assert_true(errors > 100);
	assert_int_equal(input, errors);
	assert_int_equal(retries, resends);
	torus_fabric_destroy(f);
}

/* ------------------------------------------------------- non-recoverable errors */

/*
 * Registers 5C-61 have a bit per VC and kind of error. They are read-only, and a read does not
 * clear them.
 */
static void test_nre_of_receivers(void **state)
{
	static const struct {
		u32 what, vc, bits;
	} cases[] = {
		{ TORUS_FAULT_ECC_DOUBLE, TORUS_BGL_D0, 1u << 2 },
		{ TORUS_FAULT_ECC_DOUBLE, TORUS_BGL_D1, 1u << 3 },
		{ TORUS_FAULT_ECC_DOUBLE, TORUS_BGL_BN, 1u << 4 },
		{ TORUS_FAULT_ECC_DOUBLE, TORUS_BGL_BP, 1u << 5 },
		{ TORUS_FAULT_PARITY, TORUS_BGL_D0, 1u << 6 },
		{ TORUS_FAULT_PARITY, TORUS_BGL_BP, 1u << 9 },
	};
	u32 i, dir;

	for (i = 0; i < COUNT(cases); i++) {
		struct torus_fabric *f = make("4x4x4", "dynamic_vcs=2");
		struct torus_error err;
		u32 seen = 0, value, tries;

		dir = i % 6;
		fault(f, 21, dir, cases[i].what, 1);
		/* repeat until a packet has used that VC */
		for (tries = 0; !seen && tries < 200; tries++) {
			bool priority = cases[i].vc == TORUS_BGL_BP;
			u32 peer = torus_geometry_neighbor(&f->cfg.geo, 21, dir);
			struct torus_packet p = rig_packet_on(f, 21, peer, 1, cases[i].vc,
							      TORUS_BGL_HINT_XP >> dir);

			rig_inject(f, priority ? TORUS_BGL_INJECT_PRIORITY : 0, &p);
			rig_drain(f);
			seen = reg(f, peer, REG_NRE + BGL_NRE_RECEIVER + dir);
			if (seen && seen != cases[i].bits && cases[i].vc <= TORUS_BGL_D1) {
				/* the packet used the other dynamic VC: try again */
				write(f, peer, REG_RESET, BGL_RESET_REGISTERS);
				fault(f, 21, dir, cases[i].what, 1);
				seen = 0;
				raises = 0;
			}
		}
		assert_int_equal(seen, cases[i].bits);
		value = torus_geometry_neighbor(&f->cfg.geo, 21, dir);
		assert_int_equal(count(value, TORUS_INTERRUPT_NRE, 0), 1);
		assert_int_equal(reg(f, value, REG_NRE + BGL_NRE_RECEIVER + dir), seen);
		assert_int_equal(f->arch->reg_write(f, value, REG_NRE + BGL_NRE_RECEIVER + dir, 0,
						    &err), -EPERM);
		assert_says(err.text, "reset");
		/* bit 0 of register 00 clears the error registers */
		write(f, value, REG_RESET, BGL_RESET_REGISTERS);
		assert_int_equal(reg(f, value, REG_NRE + BGL_NRE_RECEIVER + dir), 0);
		torus_fabric_destroy(f);
	}
}

/* Registers 20-2C: a masked bit raises no interrupt until it is unmasked. */
static void test_nre_masks(void **state)
{
	struct torus_fabric *f = make("4x1x1", "");

	write(f, 1, REG_NRE_MASK + BGL_NRE_RECEIVER, 0xffffffff);
	fault(f, 0, XP, TORUS_FAULT_ECC_DOUBLE, 1);
	send(f, 0, 1, 1);
	assert_int_not_equal(reg(f, 1, REG_NRE), 0);
	assert_int_equal(raises, 0);
	write(f, 1, REG_NRE_MASK + BGL_NRE_RECEIVER, 0xffffffff & ~reg(f, 1, REG_NRE));
	assert_int_equal(count(1, TORUS_INTERRUPT_NRE, 0), 1);
	/* a bit that is already set raises no second interrupt */
	fault(f, 0, XP, TORUS_FAULT_PARITY, 1);
	send(f, 0, 1, 1);
	assert_int_equal(raises, 1);
	/* bit 0 of register 30 masks all non-recoverable errors */
	write(f, 3, REG_RE_MASK, BGL_RE_MASK_NRE);
	fault(f, 2, XP, TORUS_FAULT_PARITY, 1);
	send(f, 2, 3, 1);
	assert_int_not_equal(reg(f, 3, REG_NRE), 0);
	assert_int_equal(raises, 1);
	write(f, 3, REG_RE_MASK, 0);
	assert_int_equal(count(3, TORUS_INTERRUPT_NRE, 0), 1);
	torus_fabric_destroy(f);
}

/* In the simulator no event sets registers 63-67. They stay 0, and their masks can be written. */
static void test_nre_without_cause(void **state)
{
	struct torus_fabric *f = make("4x1x1", "");
	u32 i;

	fault(f, 0, TORUS_NONE, TORUS_FAULT_ECC_DOUBLE | TORUS_FAULT_CORRUPT, 2);
	send(f, 0, 1, 3);
	for (i = BGL_NRE_SENDER; i < BGL_NRE_ACCESS; i++) {
		assert_int_equal(reg(f, 0, REG_NRE + i) | reg(f, 1, REG_NRE + i), 0);
		write(f, 0, REG_NRE_MASK + i, 0xa5a5a5a5);
		assert_int_equal(reg(f, 0, REG_NRE_MASK + i), 0xa5a5a5a5);
	}
	torus_fabric_destroy(f);
}

/*
 * Register 68 reports accesses beyond the end of a FIFO. Register 7D counts writes among them,
 * too.
 */
static void test_access_errors(void **state)
{
	struct torus_fabric *f = make("4x1x1", "");

	torus_error_raise(f, 2, TORUS_ERROR_READ_EMPTY, 0, 1);
	assert_int_equal(reg(f, 2, REG_NRE + BGL_NRE_ACCESS), 1u << 26);
	assert_int_equal(reg(f, 2, REG_RE + BGL_RE_BAD_HEADER), 0);
	torus_error_raise(f, 2, TORUS_ERROR_READ_EMPTY, 0, 0);
	torus_error_raise(f, 2, TORUS_ERROR_WRITE_FULL, 0, 0);
	assert_int_equal(reg(f, 2, REG_NRE + BGL_NRE_ACCESS), 7u << 25);
	assert_int_equal(reg(f, 2, REG_RE + BGL_RE_BAD_HEADER), 1);
	assert_int_equal(count(2, TORUS_INTERRUPT_NRE, 0), 3);
	assert_int_equal(count(2, TORUS_INTERRUPT_BAD_HEADER, 0), 1);
	torus_fabric_destroy(f);
}

/* --------------------------------------------------------------- header checks */

static u32 refuse(struct torus_fabric *f, u32 node, const struct bgl_header *h)
{
	u32 fifo = h->vc == TORUS_BGL_BP ? TORUS_BGL_INJECT_PRIORITY : 0;
	struct torus_packet p;
	u8 bytes[256] = { 0 };
	u32 code;

	bgl_header_pack(h, bytes);
	code = f->arch->check(f, node, 0, fifo, false, bytes, &p);
	assert_int_not_equal(code, TORUS_REFUSE_NONE);
	return reg(f, node, REG_NRE + BGL_NRE_HEADER);
}

/* Register 62 has five checks for each of six senders. Register 7D counts the rejected packets. */
static void test_header_checks(void **state)
{
	static const struct {
		struct bgl_header h;
		u32 bits;
	} cases[] = {
		/* both hints of x: an error at senders X+ and X- */
		{ { .hints = 0x30, .dest = { 1, 0, 0 } }, 1u << 31 | 1u << 26 },
		{ { .hints = 0x03, .dest = { 0, 0, 1 } }, 1u << 11 | 1u << 6 },
		/* a hint over the edge of the mesh, or in a dimension without a hop to go */
		{ { .hints = 0x04, .dest = { 0, 1, 0 } }, 1u << 15 },
		{ { .hints = 0x20, .dest = { 1, 1, 0 } }, 1u << 30 },
		/*
		 * a dynamic packet on the bubble VC: with hints y+ z-, or with a computed hint, x-
		 */
		{ { .hints = 0x09, .vc = TORUS_BGL_BN, .dest = { 0, 1, 3 } }, 1u << 19 | 1u << 4 },
		{ { .vc = TORUS_BGL_BN, .dest = { 3, 0, 0 } }, 1u << 24 },
		/* a destination outside the machine */
		{ { .hints = 0x20, .dest = { 9, 0, 0 } }, 1u << 28 },
		{ { .hints = 0x10, .dest = { 4, 0, 0 } }, 1u << 23 },
		/* a deposit packet with a turn */
		{ { .hints = 0x28, .dest = { 1, 1, 0 }, .dp = 1 }, 1u << 27 | 1u << 17 },
	};
	u32 i;

	for (i = 0; i < COUNT(cases); i++) {
		struct torus_fabric *f = make("4x4mx4", "");
		struct bgl_header h = cases[i].h;
		u32 bits;

		h.dynamic = 1;
		h.chunks = 1;
		bits = refuse(f, 0, &h);
		if (bits != cases[i].bits)
			fail_msg("case %u: 0x%08x, not 0x%08x", i, bits, cases[i].bits);
		assert_int_equal(reg(f, 0, REG_RE + BGL_RE_BAD_HEADER), 1);
		assert_int_equal(count(0, TORUS_INTERRUPT_NRE, 0), 1);
		assert_int_equal(count(0, TORUS_INTERRUPT_BAD_HEADER, 0), 1);
		/* a second rejected packet adds its bits */
		h = cases[(i + 2) % COUNT(cases)].h;
		h.dynamic = 1;
		h.chunks = 1;
		assert_int_equal(refuse(f, 0, &h) & cases[i].bits, cases[i].bits);
		assert_int_equal(reg(f, 0, REG_RE + BGL_RE_BAD_HEADER), 1);
		torus_fabric_destroy(f);
	}
}

/* A missing right is no header error, and a legal packet sets no bit. */
static void test_no_header_error(void **state)
{
	struct torus_fabric *f = make("4x4x4", "");
	struct bgl_header h = { .vc = TORUS_BGL_BP, .chunks = 1, .dest = { 1, 0, 0 } };
	struct torus_packet p;
	u8 bytes[256] = { 0 };

	assert_int_equal(refuse(f, 0, &h), 0);
	h.vc = TORUS_BGL_D0;
	h.dynamic = 1;
	bgl_header_pack(&h, bytes);
	assert_int_equal(f->arch->check(f, 0, 0, 0, false, bytes, &p), TORUS_REFUSE_NONE);
	assert_int_equal(reg(f, 0, REG_NRE + BGL_NRE_HEADER), 0);
	assert_int_equal(reg(f, 0, REG_RE + BGL_RE_BAD_HEADER), 0);
	assert_int_equal(raises, 0);
	torus_fabric_destroy(f);
}

/* A packet of a program is rejected, and the register of its node reports the reason. */
static void test_refused_packet_of_a_client(void **state)
{
	struct torus_fabric *f = make("4x4x4", "");
	struct rig_client c;
	struct rig_message *m;

	rig_attach(&c, f, 7, 0, false);
	m = rig_send(&c, 9, 0, 2, true, 1);
	m->bytes[1] |= 0xc0;	/* both hints of x */
	rig_settle(f);
	assert_int_equal(c.refusals, 1);
	assert_int_equal(reg(f, 7, REG_NRE + BGL_NRE_HEADER), 1u << 31 | 1u << 26);
	assert_int_equal(reg(f, 9, REG_NRE + BGL_NRE_HEADER), 0);
	rig_client_free(&c);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_input_errors_and_retries),
		cmocka_unit_test(test_single_bit_errors),
		cmocka_unit_test(test_thresholds),
		cmocka_unit_test(test_every_count),
		cmocka_unit_test(test_vcs_of_the_study_router),
		cmocka_unit_test(test_no_overflow),
		cmocka_unit_test(test_nre_of_receivers),
		cmocka_unit_test(test_nre_masks),
		cmocka_unit_test(test_nre_without_cause),
		cmocka_unit_test(test_access_errors),
		cmocka_unit_test(test_header_checks),
		cmocka_unit_test(test_no_header_error),
		cmocka_unit_test(test_refused_packet_of_a_client),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
