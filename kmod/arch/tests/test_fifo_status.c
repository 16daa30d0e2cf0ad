// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of FIFOs: injection checksums cover the bytes that software wrote, in the order of the
 * packets. Watermarks interrupt when they are crossed. Counters exist for each FIFO.
 */
#include "arch/bgl/bgl.h"
#include "core/nic/fifo_status.h"
#include "core/run/windows.h"
#include "core/state/interrupt.h"
#include "arch/tests/bgl_rig.h"

#define RECEIVE_PRIORITY	TORUS_BGL_RECEIVE_PRIORITY
#define INJECT_PRIORITY		TORUS_BGL_INJECT_PRIORITY

/* Compute CRC-32 one bit at a time, as an independent reference. */
static u32 crc32(u32 crc, const u8 *bytes, size_t n)
{
	size_t i;
	u32 bit;

	crc = ~crc;
	for (i = 0; i < n; i++) {
		crc ^= bytes[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void set_fields(struct rig_message *m, u32 skip, bool sk)
{
	struct bgl_header h;

	bgl_header_unpack(&h, m->bytes);
	h.csum_skip = (u8)skip;
	h.sk = sk;
	bgl_header_pack(&h, m->bytes);
}

static struct rig_message *send_through(struct rig_client *c, u32 fifo, u32 dst, u32 chunks,
					u32 mark)
{
	struct rig_message *m = rig_send(c, dst, 0, chunks, true, mark);

	m->fifo = (u8)fifo;
	return m;
}

static void make_priority(struct rig_message *m)
{
	struct bgl_header h;

	bgl_header_unpack(&h, m->bytes);
	h.vc = TORUS_BGL_BP;
	h.dynamic = 0;
	bgl_header_pack(&h, m->bytes);
	m->fifo = INJECT_PRIORITY;
}

static struct torus_fifo_counters fifo_of(struct torus_fabric *f, u32 node, u32 group,
					  bool receive, u32 fifo)
{
	struct torus_fifo_counters c;

	torus_nic_counters(f, node, group, receive, fifo, &c);
	assert_int_equal(c.group, group);
	assert_int_equal(c.receive, receive);
	assert_int_equal(c.fifo, fifo);
	return c;
}

/* ---------------------------------------------------------------- checksums */

/*
 * Each injection FIFO has a checksum of all bytes as software wrote them, the hardware's header
 * included.
 */
static void test_checksum(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	u32 want[2][4] = { { 0 } }, i, g;
	struct rig_client a[2], b;

	rig_attach(&a[0], f, 0, 0, true);
	rig_attach(&a[1], f, 0, 1, true);
	rig_attach(&b, f, 42, 0, false);
	for (i = 0; i < 200; i++)
		for (g = 0; g < 2; g++) {
			u32 fifo = (i + g) % 4;
			struct rig_message *m = send_through(&a[g], fifo, 42, 1 + i % 8, i);

			if (fifo == INJECT_PRIORITY)
				make_priority(m);
			/*
			 * the hardware overwrites these bytes; the checksum covers the values that
			 * software wrote
			 */
			m->bytes[6] = (u8)i;
			m->bytes[7] = (u8)(i * 3);
			want[g][fifo] = crc32(want[g][fifo], m->bytes, m->chunks * 32u);
		}
	for (g = 0; g < 2; g++)
		for (i = 0; i < 4; i++)
			assert_int_equal(torus_nic_checksum(f, 0, g, i), 0);
	rig_settle(f);
	assert_int_equal(b.ins, 400);
	for (g = 0; g < 2; g++)
		for (i = 0; i < 4; i++) {
			assert_int_equal(torus_nic_checksum(f, 0, g, i), want[g][i]);
			assert_int_equal(fifo_of(f, 0, g, false, i).checksum, want[g][i]);
			assert_int_equal(fifo_of(f, 0, g, false, i).packets, 50);
		}
	/* a node that only receives, and a group without a program, have checksum 0 */
	assert_int_equal(torus_nic_checksum(f, 42, 0, 0), 0);
	assert_int_equal(torus_nic_checksum(f, 7, 1, 3), 0);
	rig_client_free(&a[0]);
	rig_client_free(&a[1]);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/* CSum_Skip counts units of two bytes to leave out. 4 leaves out the hardware's header. */
static void test_checksum_skip(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	u32 skip, chunks, want = 0;
	struct rig_client a, b;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 5, 0, false);
	for (skip = 0; skip < 128; skip++)
		for (chunks = 1; chunks <= 8; chunks += 1 + (chunks == 1)) {
			struct rig_message *m = send_through(&a, 0, 5, chunks, skip);

			set_fields(m, skip, false);
			if (2 * skip < chunks * 32)
				want = crc32(want, m->bytes + 2 * skip, chunks * 32 - 2 * skip);
		}
	rig_settle(f);
	assert_int_equal(a.accepts, a.outs);
	assert_int_equal(torus_nic_checksum(f, 0, 0, 0), want);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/*
 * The Sk bit leaves the whole packet out, regardless of CSum_Skip. A rejected packet is left out,
 * too.
 */
static void test_checksum_sk(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct rig_client a, b;
	u32 i, want = 0;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 5, 0, false);
	for (i = 0; i < 90; i++) {
		struct rig_message *m = send_through(&a, 1, 5, 1 + i % 8, i);

		set_fields(m, i % 7, i % 3 == 1);
		if (i % 3 == 2)
			m->bytes[3] = 200;	/* outside the machine */
		if (i % 3 == 0)
			want = crc32(want, m->bytes + 2 * (i % 7), m->chunks * 32 - 2 * (i % 7));
	}
	rig_settle(f);
	assert_int_equal(a.refusals, 30);
	assert_int_equal(b.ins, 60);
	assert_int_equal(torus_nic_checksum(f, 0, 0, 1), want);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

enum run_flaw { RUN_SAME, RUN_BIT, RUN_SWAP, RUN_SHORT };

/*
 * Run a program that sends 100 packets. @others: number of other programs that send; @flaw:
 * difference from the regular run. Return: its checksum.
 */
static u32 run_of(const char *settings, u32 others, u32 ticks, enum run_flaw flaw)
{
	struct torus_fabric *f = rig_make("4x4x4", settings);
	struct rig_client a, b, other[8];
	u32 i, sum;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 42, 0, false);
	for (i = 0; i < others; i++) {
		u32 j;

		rig_attach(&other[i], f, 1 + i, 1, false);
		for (j = 0; j < 200; j++)
			rig_send(&other[i], 42, 0, 8, true, j);
	}
	for (i = 0; i < 100; i++) {
		u32 mark = flaw == RUN_SWAP && (i == 50 || i == 51) ? 101 - i : i;

		if (flaw == RUN_SHORT && i == 99)
			break;
		send_through(&a, 0, 42, 8, mark);
		if (flaw == RUN_BIT && i == 50)
			a.out[i].bytes[200] ^= 4;
		if (ticks && i % 10 == 0) {
			torus_nic_poll(f);
			torus_fabric_run(f, f->clock + ticks, 0, 1);
		}
	}
	rig_settle(f);
	sum = torus_nic_checksum(f, 0, 0, 0);
	rig_client_free(&a);
	rig_client_free(&b);
	for (i = 0; i < others; i++)
		rig_client_free(&other[i]);
	torus_fabric_destroy(f);
	return sum;
}

/*
 * Purpose of the checksum: two runs of a program have the same checksum, regardless of the state
 * of the network. A changed bit, a changed order or a missing packet changes it.
 */
static void test_checksum_two_runs(void **state)
{
	u32 sum = run_of("", 0, 0, RUN_SAME);

	assert_int_equal(run_of("seed=7", 0, 0, RUN_SAME), sum);
	assert_int_equal(run_of("seed=9 domains=3", 8, 0, RUN_SAME), sum);
	assert_int_equal(run_of("ber=1e-4", 4, 0, RUN_SAME), sum);
	assert_int_equal(run_of("", 3, 333, RUN_SAME), sum);
	assert_int_not_equal(run_of("", 0, 0, RUN_BIT), sum);
	assert_int_not_equal(run_of("", 0, 0, RUN_SWAP), sum);
	assert_int_not_equal(run_of("", 0, 0, RUN_SHORT), sum);
}

/*
 * A checksum belongs to the node. It remains after the program ends, until it is cleared or the
 * fabric is reset.
 */
static void test_checksum_stays(void **state)
{
	struct torus_fabric *f = rig_make("4x4x4", "");
	struct rig_client a, b;
	struct torus_error err;
	u32 first, want;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 5, 0, false);
	send_through(&a, 0, 5, 8, 1);
	send_through(&a, 2, 5, 8, 2);
	rig_settle(f);
	first = torus_nic_checksum(f, 0, 0, 0);
	want = crc32(0, a.out[0].bytes, 256);
	assert_int_equal(first, want);
	rig_client_free(&a);
	assert_int_equal(torus_nic_checksum(f, 0, 0, 0), first);
	rig_attach(&a, f, 0, 0, false);
	send_through(&a, 0, 5, 8, 3);
	rig_settle(f);
	want = crc32(want, a.out[0].bytes, 256);
	assert_int_equal(torus_nic_checksum(f, 0, 0, 0), want);
	/* a reset of the counters does not clear checksums */
	torus_fabric_counters_reset(f);
	assert_int_equal(torus_nic_checksum(f, 0, 0, 0), want);
	assert_int_equal(fifo_of(f, 0, 0, false, 0).packets, 0);
	/* clearing one checksum does not clear that of the next FIFO */
	torus_nic_checksum_clear(f, 0, 0, 0);
	torus_nic_checksum_clear(f, 9, 1, 0);
	assert_int_equal(torus_nic_checksum(f, 0, 0, 0), 0);
	assert_int_not_equal(torus_nic_checksum(f, 0, 0, 2), 0);
	send_through(&a, 0, 5, 8, 3);
	rig_settle(f);
	assert_int_equal(torus_nic_checksum(f, 0, 0, 0), crc32(0, a.out[1].bytes, 256));
	assert_int_equal(torus_fabric_reset(f, 1, &err), 0);
	assert_int_equal(torus_nic_checksum(f, 0, 0, 0), 0);
	assert_int_equal(torus_nic_checksum(f, 0, 0, 2), 0);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/* ----------------------------------------------------------------- counters */

static void test_counters(void **state)
{
	struct torus_fabric *f = rig_make("4x1x1", "");
	struct torus_fifo_counters c;
	struct rig_client a, b;
	u32 i;

	rig_attach(&a, f, 0, 0, true);
	rig_attach(&b, f, 1, 0, false);
	b.credits = 2;
	for (i = 0; i < 10; i++)
		send_through(&a, 1, 1, 6, i);
	make_priority(send_through(&a, 3, 1, 2, 10));
	rig_settle(f);
	/* an injection FIFO and a reception FIFO of 32 chunks hold 5 packets of 6 chunks */
	c = fifo_of(f, 0, 0, false, 1);
	assert_int_equal(c.packets, 10);
	assert_int_equal(c.high_water, 30);
	assert_int_equal(c.chunks, 0);
	c = fifo_of(f, 0, 0, false, 3);
	assert_int_equal(c.packets, 1);
	assert_int_equal(c.high_water, 2);
	assert_int_equal(fifo_of(f, 0, 0, false, 0).packets, 0);
	c = fifo_of(f, 1, 0, true, 0);
	assert_int_equal(c.packets, 2);
	assert_int_equal(c.chunks, 30);
	assert_int_equal(c.high_water, 30);
	c = fifo_of(f, 1, 0, true, RECEIVE_PRIORITY);
	assert_int_equal(c.packets + (c.chunks != 0), 1);
	torus_fabric_counters_reset(f);
	c = fifo_of(f, 1, 0, true, 0);
	assert_int_equal(c.packets, 0);
	assert_int_equal(c.high_water, 30);
	b.credits = RIG_RING;
	rig_settle(f);
	assert_int_equal(b.ins, 11);
	assert_int_equal(fifo_of(f, 1, 0, true, 0).chunks, 0);
	assert_int_equal(fifo_of(f, 1, 1, true, 0).packets, 0);
	assert_int_equal(fifo_of(f, 3, 1, true, 0).packets, 0);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/* --------------------------------------------------------------- watermarks */

#define CAUSES_MAX	64

/*
 * Interrupts in the order in which they were raised, and a copy of the machine that can mask one
 * cause.
 */
static struct {
	struct torus_arch arch;
	u32 masked;		/* masked cause, or TORUS_NONE */
	u32 n;
	struct {
		u32 node, cause;
		u64 at;
	} list[CAUSES_MAX];
} raised;

static bool unmasked(struct torus_fabric *f, u32 node, u32 cause)
{
	return cause != raised.masked;
}

static void on_interrupt(struct torus_fabric *f, u32 node, u32 cause)
{
	assert_true(raised.n < CAUSES_MAX);
	assert_ptr_equal(f->owner, &raised);
	raised.list[raised.n].node = node;
	raised.list[raised.n].cause = cause;
	raised.list[raised.n++].at = torus_nic_clock(f, node);
}

static struct torus_fabric *make_interrupting(const char *shape, const char *settings)
{
	struct torus_fabric *f = rig_make(shape, settings);

	memset(&raised, 0, sizeof(raised));
	raised.arch = *f->arch;
	raised.arch.unmasked = unmasked;
	raised.masked = TORUS_NONE;
	f->arch = &raised.arch;
	f->interrupt = on_interrupt;
	f->owner = &raised;
	return f;
}

/* Check that @n interrupts were raised, each with cause @cause at node @node. */
static void assert_raised(u32 n, u32 node, u32 cause)
{
	u32 i;

	assert_int_equal(raised.n, n);
	for (i = 0; i < n; i++) {
		assert_int_equal(raised.list[i].node, node);
		assert_int_equal(raised.list[i].cause, cause);
	}
}

/* A reception FIFO raises one interrupt when its contents rise above the watermark. */
static void test_watermark_receive(void **state)
{
	const u32 cause = TORUS_CAUSE(TORUS_INTERRUPT_RECEIVE, 7 + 0);	/* group 1, x+ */
	struct torus_fabric *f = make_interrupting("4x1x1", "");
	struct rig_client a, b;
	u32 i;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 1, 1, false);
	assert_int_equal(torus_nic_watermark_set(f, 1, 1, TORUS_NIC_WATERMARK_RECEIVE, 16), 0);
	assert_int_equal(torus_nic_watermark(f, 1, 1, TORUS_NIC_WATERMARK_RECEIVE), 16);
	assert_int_equal(torus_nic_watermark(f, 1, 0, TORUS_NIC_WATERMARK_RECEIVE), 0);
	b.credits = 0;
	for (i = 0; i < 2; i++)
		rig_send(&a, 1, 1, 8, false, i);
	rig_settle(f);
	/* 16 chunks are not above the watermark of 16 */
	assert_raised(0, 1, cause);
	rig_send(&a, 1, 1, 1, false, 2);
	rig_settle(f);
	assert_raised(1, 1, cause);
	/* the contents stay above: no second interrupt */
	rig_send(&a, 1, 1, 1, false, 3);
	rig_settle(f);
	assert_raised(1, 1, cause);
	assert_int_equal(b.interrupts, 1);
	assert_int_equal(fifo_of(f, 1, 1, true, 0).interrupts, 1);
	assert_int_equal(fifo_of(f, 1, 1, true, 0).watermark, 16);
	/* the contents fall below the watermark, and rise above it again */
	b.credits = 2;
	rig_settle(f);
	b.credits = 0;
	for (i = 0; i < 2; i++)
		rig_send(&a, 1, 1, 8, false, 4 + i);
	rig_settle(f);
	assert_raised(2, 1, cause);
	/*
	 * a client with free space empties the FIFO at once, so only a watermark of 0 is crossed
	 */
	b.credits = RIG_RING;
	for (i = 0; i < 10; i++)
		rig_send(&a, 1, 1, 8, false, 6 + i);
	rig_settle(f);
	assert_raised(2, 1, cause);
	assert_int_equal(torus_nic_watermark_set(f, 1, 1, TORUS_NIC_WATERMARK_RECEIVE, 0), 0);
	for (i = 0; i < 10; i++)
		rig_send(&a, 1, 1, 8, false, 16 + i);
	rig_settle(f);
	assert_raised(12, 1, cause);
	/* the interrupt has the tick of the packet's last byte */
	assert_int_equal(raised.list[11].at, b.in[b.ins - 1].at);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/* The priority FIFO has a watermark of its own. */
static void test_watermark_priority(void **state)
{
	const u32 cause = TORUS_CAUSE(TORUS_INTERRUPT_RECEIVE, RECEIVE_PRIORITY);
	struct torus_fabric *f = make_interrupting("4x1x1", "");
	struct rig_client a, b;

	rig_attach(&a, f, 0, 0, true);
	rig_attach(&b, f, 1, 0, false);
	assert_int_equal(torus_nic_watermark_set(f, 1, 0, TORUS_NIC_WATERMARK_RECEIVE, 31), 0);
	assert_int_equal(torus_nic_watermark_set(f, 1, 0, TORUS_NIC_WATERMARK_PRIORITY, 3), 0);
	make_priority(send_through(&a, INJECT_PRIORITY, 1, 3, 0));
	send_through(&a, 0, 1, 8, 1);
	rig_settle(f);
	assert_raised(0, 1, cause);
	make_priority(send_through(&a, INJECT_PRIORITY, 1, 4, 2));
	rig_settle(f);
	assert_raised(1, 1, cause);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/*
 * An injection FIFO raises an interrupt when its client has no more packets and the contents fall
 * below the watermark.
 */
static void test_watermark_inject(void **state)
{
	const u32 cause = TORUS_CAUSE(TORUS_INTERRUPT_INJECT, 4 + 2);	/* group 1, I2 */
	struct torus_fabric *f = make_interrupting("4x1x1", "");
	struct rig_client a, b;
	u32 i, round;
	u64 from;

	rig_attach(&a, f, 0, 1, false);
	rig_attach(&b, f, 1, 0, false);
	assert_int_equal(torus_nic_watermark_set(f, 0, 1, TORUS_NIC_WATERMARK_INJECT + 2, 16), 0);
	assert_int_equal(torus_nic_watermark_set(f, 1, 0, TORUS_NIC_WATERMARK_RECEIVE, 31), 0);
	for (round = 1; round <= 3; round++) {
		from = f->clock;
		for (i = 0; i < 20; i++)
			send_through(&a, 2, 1, 8, i);
		send_through(&a, 1, 1, 8, i);
		rig_settle(f);
		assert_raised(round, 0, cause);
		assert_int_equal(a.interrupts, round);
		/* after 19 packets of 270 ticks one packet is left, 8 chunks */
		assert_in_range(raised.list[round - 1].at - from, 19 * 270, 20 * 270);
	}
	assert_int_equal(fifo_of(f, 0, 1, false, 2).interrupts, 3);
	assert_int_equal(fifo_of(f, 0, 1, false, 1).interrupts, 0);
	/* contents that never reach the watermark cannot fall below it */
	send_through(&a, 2, 1, 8, 0);
	rig_settle(f);
	assert_raised(3, 0, cause);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/* A masked interrupt is discarded: unmasking does not raise it. */
static void test_interrupt_mask(void **state)
{
	const u32 cause = TORUS_CAUSE(TORUS_INTERRUPT_RECEIVE, 0);
	struct torus_fabric *f = make_interrupting("4x1x1", "");
	struct rig_client a, b;

	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 1, 0, false);
	raised.masked = cause;
	rig_send(&a, 1, 0, 8, false, 0);
	rig_settle(f);
	assert_raised(0, 1, cause);
	raised.masked = TORUS_NONE;
	rig_settle(f);
	assert_raised(0, 1, cause);
	rig_send(&a, 1, 0, 8, false, 1);
	rig_settle(f);
	assert_raised(1, 1, cause);
	/* a machine without masks raises no interrupt */
	raised.arch.unmasked = NULL;
	rig_send(&a, 1, 0, 8, false, 2);
	rig_settle(f);
	assert_raised(1, 1, cause);
	assert_int_equal(b.ins, 3);
	rig_client_free(&a);
	rig_client_free(&b);
	torus_fabric_destroy(f);
}

/*
 * A watermark belongs to the node: it can be set before a program attaches, and a reset clears it.
 */
static void test_watermark_stays(void **state)
{
	struct torus_fabric *f = make_interrupting("4x1x1", "");
	struct torus_error err;
	struct rig_client a, b;

	assert_int_equal(torus_nic_watermark_set(f, 1, 0, TORUS_NIC_WATERMARK_RECEIVE, 31), 0);
	rig_attach(&a, f, 0, 0, false);
	rig_attach(&b, f, 1, 0, false);
	rig_send(&a, 1, 0, 8, false, 0);
	rig_settle(f);
	assert_int_equal(raised.n, 0);
	rig_client_free(&b);
	assert_int_equal(torus_nic_watermark(f, 1, 0, TORUS_NIC_WATERMARK_RECEIVE), 31);
	assert_int_equal(torus_fabric_reset(f, 1, &err), 0);
	assert_int_equal(torus_nic_watermark(f, 1, 0, TORUS_NIC_WATERMARK_RECEIVE), 0);
	rig_client_free(&a);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_checksum),
		cmocka_unit_test(test_checksum_skip),
		cmocka_unit_test(test_checksum_sk),
		cmocka_unit_test(test_checksum_two_runs),
		cmocka_unit_test(test_checksum_stays),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_watermark_receive),
		cmocka_unit_test(test_watermark_priority),
		cmocka_unit_test(test_watermark_inject),
		cmocka_unit_test(test_interrupt_mask),
		cmocka_unit_test(test_watermark_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
