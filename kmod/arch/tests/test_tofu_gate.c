// SPDX-License-Identifier: GPL-2.0
/*
 * Barrier gates of Tofu, without a network: the signals and packets that gates wait for, store,
 * send and reject.
 */
#include "core/tests/rig.h"
#include "core/tests/draw.h"
#include "arch/tofu/gate.h"

#define SENT_MAX	64

/* A TNI of node 0,0,0,0,0,0, and the packets and results of its gates */
struct tni {
	struct tofu_gates gates;
	struct tofu_gate_packet sent[SENT_MAX];
	u32 nsent;
	u32 done;
};

static void tni_send(void *context, const struct tofu_gate_packet *packet)
{
	struct tni *tni = context;

	assert_in_range(tni->nsent, 0, SENT_MAX - 1);
	tni->sent[tni->nsent++] = *packet;
}

static void tni_done(void *context, u32 gate)
{
	struct tni *tni = context;

	tni->done++;
}

static const struct tofu_gate_ops tni_ops = { .send = tni_send, .done = tni_done };

static u64 elsewhere(u32 gate)
{
	return tofu_vbg((u32[]){ 3, 0, 0, 0, 1, 0 }, 2, gate);
}

/* Allocate @ends start gates 0, 1, .. and three relay gates 16, 17 and 18. */
static void tni_open(struct tni *tni, u32 ends)
{
	u64 vbgs[4];

	memset(tni, 0, sizeof(*tni));
	tofu_gates_init(&tni->gates, tofu_vbg((u32[]){ 0, 0, 0, 0, 0, 0 }, 1, 0), &tni_ops, tni);
	assert_int_equal(tofu_gates_alloc(&tni->gates, 4, vbgs), TOFU_GATE_FINE);
	while (--ends)
		assert_int_equal(tofu_gates_alloc(&tni->gates, 1, vbgs), TOFU_GATE_FINE);
}

#define NONE	(-1)

static u64 here(const struct tni *tni, int gate)
{
	return gate == NONE ? TOFU_VBG_NULL : tni->gates.self | (u64)gate;
}

/* Configure a gate of this TNI. Remote gates belong to another TNI. */
static u32 set(struct tni *tni, int gate, int local_source, int remote_source, int local_dest,
	       int remote_dest)
{
	struct tofu_gate_setting setting = {
		.gate = here(tni, gate),
		.local_source = here(tni, local_source),
		.remote_source = remote_source == NONE ? TOFU_VBG_NULL : elsewhere(remote_source),
		.local_dest = here(tni, local_dest),
		.remote_dest = remote_dest == NONE ? TOFU_VBG_NULL : elsewhere(remote_dest),
		.path = TOFU_GATE_PATH_DEFAULT,
	};

	return tofu_gates_set(&tni->gates, &setting);
}

static u32 start(struct tni *tni, int gate, u64 value)
{
	return tofu_gates_start(&tni->gates, here(tni, gate), TOFU_OP_SUM, &value, 1);
}

static u32 deliver_data(struct tni *tni, int from, int gate, u32 op, const u64 *values, u32 count)
{
	struct tofu_gate_packet packet = { .source = elsewhere(from), .dest = here(tni, gate) };

	assert_int_equal(tofu_reduce_set(&packet.data, op, values, count), TOFU_REDUCE_ACCEPTED);
	return tofu_gates_deliver(&tni->gates, &packet);
}

static u32 deliver(struct tni *tni, int from, int gate, u64 value)
{
	return deliver_data(tni, from, gate, TOFU_OP_SUM, &value, 1);
}

static u32 poll(struct tni *tni, int gate)
{
	struct tofu_reduction result;

	return tofu_gates_poll(&tni->gates, here(tni, gate), &result);
}

static void expect(struct tni *tni, int gate, u64 value)
{
	struct tofu_reduction result;

	assert_int_equal(tofu_gates_poll(&tni->gates, here(tni, gate), &result), TOFU_GATE_FINE);
	assert_int_equal(result.op, TOFU_OP_SUM);
	assert_int_equal(result.count, 1);
	assert_true(result.word[0] == value);
}

static void expect_sent(const struct tni *tni, u32 i, int from, int to, u64 value)
{
	assert_in_range(i, 0, tni->nsent - 1);
	assert_true(tni->sent[i].source == here(tni, from));
	assert_true(tni->sent[i].dest == elsewhere((u32)to));
	assert_true(tni->sent[i].data.word[0] == value);
}

/* Two members with one gate each: each poll returns the expected result. */
static void test_pair(void **state)
{
	struct tni tni;

	tni_open(&tni, 1);
	assert_int_equal(set(&tni, 0, 0, 5, 0, 6), TOFU_GATE_FINE);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_IDLE);
	assert_int_equal(start(&tni, 0, 7), TOFU_GATE_FINE);
	assert_int_equal(tni.nsent, 1);
	expect_sent(&tni, 0, 0, 6, 7);
	assert_int_equal(tni.sent[0].path, TOFU_GATE_PATH_DEFAULT);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_RUNNING);
	assert_int_equal(start(&tni, 0, 7), TOFU_GATE_BUSY);
	assert_int_equal(deliver(&tni, 5, 0, 30), TOFU_GATE_FINE);
	assert_int_equal(tni.done, 1);
	assert_int_equal(start(&tni, 0, 7), TOFU_GATE_BUSY);
	expect(&tni, 0, 37);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_IDLE);
}

/* A relay fires when all signals and packets that it waits for have arrived, in any order. */
static void test_relay(void **state)
{
	struct tni tni;

	tni_open(&tni, 1);
	assert_int_equal(set(&tni, 0, 17, NONE, 16, NONE), TOFU_GATE_FINE);
	assert_int_equal(set(&tni, 16, 0, 5, 17, 6), TOFU_GATE_FINE);
	assert_int_equal(set(&tni, 17, 16, NONE, 0, 7), TOFU_GATE_FINE);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(tni.nsent, 0);
	assert_int_equal(deliver(&tni, 5, 16, 2), TOFU_GATE_FINE);
	assert_int_equal(tni.nsent, 2);
	expect_sent(&tni, 0, 16, 6, 3);
	expect_sent(&tni, 1, 17, 7, 3);
	expect(&tni, 0, 3);

	assert_int_equal(deliver(&tni, 5, 16, 20), TOFU_GATE_FINE);
	assert_int_equal(tni.nsent, 2);
	assert_int_equal(start(&tni, 0, 10), TOFU_GATE_FINE);
	assert_int_equal(tni.nsent, 4);
	expect(&tni, 0, 30);
	assert_int_equal(tni.done, 2);
}

/* An end gate with one source returns the value that arrived from it, not its own. */
static void test_one_source(void **state)
{
	struct tni tni;

	tni_open(&tni, 1);
	assert_int_equal(set(&tni, 0, NONE, 5, NONE, 6), TOFU_GATE_FINE);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(deliver(&tni, 5, 0, 99), TOFU_GATE_FINE);
	expect(&tni, 0, 99);

	assert_int_equal(set(&tni, 0, 0, NONE, 0, NONE), TOFU_GATE_FINE);
	assert_int_equal(start(&tni, 0, 4), TOFU_GATE_FINE);
	expect(&tni, 0, 4);
	assert_int_equal(tni.nsent, 1);
}

/*
 * A packet of the next operation may arrive before the start of that operation, or before the last
 * result is read.
 */
static void test_early(void **state)
{
	struct tni tni;
	u32 i;

	tni_open(&tni, 1);
	assert_int_equal(set(&tni, 0, 0, 5, 0, 6), TOFU_GATE_FINE);
	assert_int_equal(deliver(&tni, 5, 0, 0), TOFU_GATE_FINE);
	for (i = 0; i < 10; i++) {
		assert_int_equal(poll(&tni, 0), TOFU_GATE_IDLE);
		assert_int_equal(start(&tni, 0, 100), TOFU_GATE_FINE);
		assert_int_equal(tni.done, i + 1);
		assert_int_equal(deliver(&tni, 5, 0, i + 1), TOFU_GATE_FINE);
		expect(&tni, 0, 100 + i);
	}
}

/*
 * A second packet that arrives before the first was used is rejected, and the end gate reports a
 * loss.
 */
static void test_overrun(void **state)
{
	struct tni tni;

	tni_open(&tni, 1);
	assert_int_equal(set(&tni, 0, 16, NONE, 16, NONE), TOFU_GATE_FINE);
	assert_int_equal(set(&tni, 16, 0, 5, 0, 6), TOFU_GATE_FINE);
	assert_int_equal(deliver(&tni, 5, 16, 1), TOFU_GATE_FINE);
	assert_int_equal(deliver(&tni, 5, 16, 2), TOFU_GATE_OVERRUN);
	assert_int_equal(tni.nsent, 0);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_LOST);
	assert_int_equal(tni.nsent, 1);
	assert_int_equal(tni.sent[0].data.outcome, TOFU_OUTCOME_LOST);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_IDLE);

	/* the same with signals, in a chain whose end gate does not wait for its relay */
	assert_int_equal(set(&tni, 0, NONE, 5, 16, NONE), TOFU_GATE_FINE);
	assert_int_equal(set(&tni, 16, 0, 7, NONE, 6), TOFU_GATE_FINE);
	assert_int_equal(deliver(&tni, 5, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	expect(&tni, 0, 1);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_LOST);
	assert_int_equal(deliver(&tni, 7, 16, 1), TOFU_GATE_FINE);
	assert_int_equal(tni.sent[1].data.outcome, TOFU_OUTCOME_LOST);
}

/* Packets for a gate that is not configured, or that waits for another sender, change nothing. */
static void test_unset_or_wrong_sender(void **state)
{
	struct tni tni;

	tni_open(&tni, 1);
	assert_int_equal(deliver(&tni, 5, 16, 1), TOFU_GATE_UNSET);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_UNSET);
	assert_int_equal(deliver(&tni, 5, 50, 1), TOFU_GATE_BAD_ID);
	assert_int_equal(set(&tni, 0, 16, NONE, 16, NONE), TOFU_GATE_FINE);
	assert_int_equal(set(&tni, 16, 0, 5, 0, NONE), TOFU_GATE_FINE);
	assert_int_equal(deliver(&tni, 6, 16, 1), TOFU_GATE_STRANGER);
	assert_int_equal(deliver(&tni, 5, 0, 1), TOFU_GATE_STRANGER);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_RUNNING);
	assert_int_equal(deliver(&tni, 5, 16, 1), TOFU_GATE_FINE);
	expect(&tni, 0, 2);

	assert_int_equal(tofu_gates_free(&tni.gates, here(&tni, 16)), TOFU_GATE_FINE);
	assert_int_equal(deliver(&tni, 5, 16, 1), TOFU_GATE_UNSET);
	/* the signal's destination is not configured */
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(tni.done, 2);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_LOST);

	/* a relay sends a signal to a gate that waits for another one */
	tni_open(&tni, 1);
	assert_int_equal(set(&tni, 16, NONE, 5, 17, NONE), TOFU_GATE_FINE);
	assert_int_equal(set(&tni, 17, 18, NONE, NONE, 5), TOFU_GATE_FINE);
	assert_int_equal(deliver(&tni, 5, 16, 1), TOFU_GATE_STRANGER);
	assert_int_equal(tni.nsent, 0);
}

/* Configuring a gate again discards its signals, packets and running operation. */
static void test_set_again(void **state)
{
	struct tni tni;

	tni_open(&tni, 1);
	assert_int_equal(set(&tni, 0, 0, 5, 0, 6), TOFU_GATE_FINE);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(set(&tni, 0, 0, 5, 0, 6), TOFU_GATE_FINE);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_IDLE);
	assert_int_equal(deliver(&tni, 5, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(set(&tni, 0, 0, 5, 0, 6), TOFU_GATE_FINE);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_RUNNING);
	assert_int_equal(deliver(&tni, 5, 0, 2), TOFU_GATE_FINE);
	expect(&tni, 0, 3);
}

/*
 * If members disagree on the operation or count, the result is a mismatch. The next operation
 * works.
 */
static void test_mismatch(void **state)
{
	static const u64 values[2] = { 1, 2 };
	struct tni tni;

	tni_open(&tni, 1);
	assert_int_equal(set(&tni, 0, 0, 5, 0, 6), TOFU_GATE_FINE);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(deliver_data(&tni, 5, 0, TOFU_OP_SUM, values, 2), TOFU_GATE_FINE);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_MISMATCH);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(deliver_data(&tni, 5, 0, TOFU_OP_BARRIER, NULL, 0), TOFU_GATE_FINE);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_MISMATCH);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(deliver(&tni, 5, 0, 1), TOFU_GATE_FINE);
	expect(&tni, 0, 2);

	/* an end gate that does not receive its own data compares with its own operation */
	assert_int_equal(set(&tni, 0, NONE, 5, NONE, 6), TOFU_GATE_FINE);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(deliver_data(&tni, 5, 0, TOFU_OP_MAX, values, 1), TOFU_GATE_FINE);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_MISMATCH);
}

static void test_start_refused(void **state)
{
	static const u64 values[8] = { 0 };
	struct tni tni;
	u64 end;

	tni_open(&tni, 1);
	end = here(&tni, 0);
	assert_int_equal(set(&tni, 0, 0, NONE, 0, NONE), TOFU_GATE_FINE);
	assert_int_equal(tofu_gates_start(&tni.gates, end, 0, values, 1), TOFU_GATE_BAD_OP);
	assert_int_equal(tofu_gates_start(&tni.gates, end, 9, values, 1), TOFU_GATE_BAD_OP);
	assert_int_equal(tofu_gates_start(&tni.gates, end, TOFU_OP_SUM, values, 7),
			 TOFU_GATE_BAD_COUNT);
	assert_int_equal(tofu_gates_start(&tni.gates, end, TOFU_OP_MAXLOC, values, 3),
			 TOFU_GATE_BAD_COUNT);
	assert_int_equal(start(&tni, 1, 1), TOFU_GATE_BAD_ID);		/* not allocated */
	assert_int_equal(start(&tni, 16, 1), TOFU_GATE_BAD_ID);		/* a relay */
	assert_int_equal(tofu_gates_start(&tni.gates, elsewhere(0), TOFU_OP_SUM, values, 1),
			 TOFU_GATE_BAD_ID);
	assert_int_equal(poll(&tni, 0), TOFU_GATE_IDLE);
	assert_int_equal(poll(&tni, 16), TOFU_GATE_BAD_ID);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	expect(&tni, 0, 1);
}

static void test_set_refused(void **state)
{
	struct tofu_gate_setting setting;
	struct tni tni;

	tni_open(&tni, 1);
	assert_int_equal(set(&tni, 17, NONE, NONE, 0, 5), TOFU_GATE_BAD_ID);	/* no source */
	assert_int_equal(set(&tni, 19, 0, NONE, 0, NONE), TOFU_GATE_BAD_ID);
	assert_int_equal(set(&tni, 17, 19, NONE, 0, NONE), TOFU_GATE_BAD_ID);
	assert_int_equal(set(&tni, 17, 0, NONE, 19, NONE), TOFU_GATE_BAD_ID);
	assert_int_equal(set(&tni, 17, 0, 48, 0, NONE), TOFU_GATE_BAD_ID);
	assert_int_equal(set(&tni, 17, 0, NONE, 0, 63), TOFU_GATE_BAD_ID);
	setting = (struct tofu_gate_setting){ .gate = here(&tni, 17),
		.local_source = elsewhere(0), .remote_source = TOFU_VBG_NULL,
		.local_dest = TOFU_VBG_NULL, .remote_dest = elsewhere(1), .path = 11 };
	assert_int_equal(tofu_gates_set(&tni.gates, &setting), TOFU_GATE_BAD_ID);
	setting.local_source = here(&tni, 0);
	assert_int_equal(tofu_gates_set(&tni.gates, &setting), TOFU_GATE_FINE);
	setting.remote_dest |= 1ull << 60;
	assert_int_equal(tofu_gates_set(&tni.gates, &setting), TOFU_GATE_BAD_ID);
	setting.remote_dest = elsewhere(1) | 3ull << 57;
	assert_int_equal(tofu_gates_set(&tni.gates, &setting), TOFU_GATE_BAD_ID);
	setting.remote_dest = elsewhere(1);
	setting.path = 12;
	assert_int_equal(tofu_gates_set(&tni.gates, &setting), TOFU_GATE_BAD_PATH);
	/* the packet has the path that was accepted */
	assert_int_equal(set(&tni, 0, 0, NONE, 17, NONE), TOFU_GATE_FINE);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(tni.nsent, 1);
	assert_int_equal(tni.sent[0].path, 11);
}

/* Gates are allocated for a whole chain or not at all. There are 16 start gates and 32 relays. */
static void test_alloc(void **state)
{
	struct tofu_gates gates;
	u64 vbgs[TOFU_GATES], more[TOFU_GATES];
	u32 i;

	tofu_gates_init(&gates, elsewhere(0), &tni_ops, NULL);
	assert_int_equal(tofu_gates_alloc(&gates, 0, vbgs), TOFU_GATE_FULL);
	assert_int_equal(tofu_gates_alloc(&gates, 34, vbgs), TOFU_GATE_FULL);
	assert_int_equal(gates.used, 0);
	assert_int_equal(tofu_gates_alloc(&gates, 33, vbgs), TOFU_GATE_FINE);
	assert_true(vbgs[0] == elsewhere(0));
	for (i = 1; i < 33; i++)
		assert_true(vbgs[i] == elsewhere(15 + i));
	assert_int_equal(tofu_gates_alloc(&gates, 2, more), TOFU_GATE_FULL);
	for (i = 1; i < 16; i++) {
		assert_int_equal(tofu_gates_alloc(&gates, 1, more), TOFU_GATE_FINE);
		assert_true(more[0] == elsewhere(i));
	}
	assert_int_equal(tofu_gates_alloc(&gates, 1, more), TOFU_GATE_FULL);
	assert_int_equal(tofu_gates_free(&gates, elsewhere(7)), TOFU_GATE_FINE);
	assert_int_equal(tofu_gates_free(&gates, elsewhere(7)), TOFU_GATE_BAD_ID);
	assert_int_equal(tofu_gates_free(&gates, elsewhere(48)), TOFU_GATE_BAD_ID);
	assert_int_equal(tofu_gates_alloc(&gates, 1, more), TOFU_GATE_FINE);
	assert_true(more[0] == elsewhere(7));
}

/* Pack a packet, change byte @at to @byte, and pass @length bytes to the gates. */
static u32 take(struct tni *tni, const struct tofu_gate_packet *packet, u32 at, u8 byte, u32 length)
{
	u8 bytes[TOFU_GATE_BYTES_MAX];

	tofu_gate_packet_pack(packet, bytes);
	bytes[at] = byte;
	return tofu_gates_take(&tni->gates, bytes, length);
}

static void test_malformed(void **state)
{
	struct tofu_gate_packet packet;
	struct tni tni;
	u32 i, whole;

	tni_open(&tni, 1);
	assert_int_equal(set(&tni, 0, 0, 5, 0, 6), TOFU_GATE_FINE);
	packet = (struct tofu_gate_packet){ .source = elsewhere(5), .dest = here(&tni, 0) };
	tofu_reduce_set(&packet.data, TOFU_OP_SUM, (u64[]){ 5 }, 1);
	whole = tofu_gate_packet_bytes(&packet);
	/* headers that no gate sends are rejected without an effect */
	assert_int_equal(take(&tni, &packet, 0, packet.source >> 56, 11), TOFU_GATE_MALFORMED);
	assert_int_equal(take(&tni, &packet, 8, 2, whole), TOFU_GATE_MALFORMED);
	assert_int_equal(take(&tni, &packet, 9, 48, whole), TOFU_GATE_MALFORMED);
	assert_int_equal(take(&tni, &packet, 10, 1, whole), TOFU_GATE_MALFORMED);
	assert_int_equal(take(&tni, &packet, 11, 1, whole), TOFU_GATE_MALFORMED);
	assert_int_equal(take(&tni, &packet, 9, 17, whole), TOFU_GATE_UNSET);
	assert_int_equal(take(&tni, &packet, 7, 4, whole), TOFU_GATE_STRANGER);
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(take(&tni, &packet, 8, 1, whole), TOFU_GATE_FINE);
	expect(&tni, 0, 6);

	/* the sender is right but the data invalid: the operation is lost */
	for (i = 0; i < 3; i++) {
		assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
		assert_int_equal(i == 0 ? take(&tni, &packet, 12, 9, whole) :
				 i == 1 ? take(&tni, &packet, 13, 7, whole) :
					  take(&tni, &packet, 8, 1, whole - 1),
				 TOFU_GATE_MALFORMED);
		assert_int_equal(poll(&tni, 0), TOFU_GATE_LOST);
	}
	assert_int_equal(start(&tni, 0, 1), TOFU_GATE_FINE);
	assert_int_equal(take(&tni, &packet, 8, 1, whole + 10), TOFU_GATE_FINE);
	expect(&tni, 0, 6);
}

/*
 * The packet of a barrier is the shortest one, 32 bytes with the network's header of 16. All
 * packets fit.
 */
static void test_packet_bytes(void **state)
{
	struct tofu_gate_packet packet;
	struct tni tni;
	u32 op, count, longest = 0;

	tni_open(&tni, 1);
	for (op = TOFU_OP_BARRIER; op < TOFU_OPS; op++) {
		for (count = 0; count <= TOFU_WORDS_MAX; count++) {
			u64 values[TOFU_WORDS_MAX], got[TOFU_WORDS_MAX];
			struct tofu_reduction result;
			u32 i, length;

			for (i = 0; i < TOFU_WORDS_MAX; i++)
				values[i] = draw() & ~(1ull << 62);
			memset(&packet, 0, sizeof(packet));
			if (tofu_reduce_set(&packet.data, op, values, count))
				continue;
			packet.source = elsewhere(5);
			packet.dest = here(&tni, 0);
			length = tofu_gate_packet_bytes(&packet);
			assert_int_equal(length, 16 + count * (op == TOFU_OP_BFPSUM ? 40 : 8));
			longest = length > longest ? length : longest;
			assert_int_equal(set(&tni, 0, NONE, 5, NONE, NONE), TOFU_GATE_FINE);
			assert_int_equal(take(&tni, &packet, 8, 1, length), TOFU_GATE_FINE);
			assert_int_equal(tofu_gates_start(&tni.gates, here(&tni, 0), op, values,
							  count), TOFU_GATE_FINE);
			assert_int_equal(tofu_gates_poll(&tni.gates, here(&tni, 0), &result),
					 TOFU_GATE_FINE);
			tofu_reduce_values(&result, got);
			assert_memory_equal(got, values, count * sizeof(*got));
		}
	}
	assert_int_equal(longest, TOFU_GATE_BYTES_MAX);
	assert_in_range(16 + longest, 32, 2048);
}

/* A VBG id has the documented bits, which programs may set themselves. */
static void test_vbg(void **state)
{
	u32 coords[TOFU_AXES], i, k;

	assert_true(tofu_vbg((u32[]){ 1, 2, 3, 1, 2, 1 }, 5, 17) == 0xad03020100000011ull);
	for (i = 0; i < 1000; i++) {
		u32 want[TOFU_AXES] = { draw_below(256), draw_below(256), draw_below(256),
					draw_below(2), draw_below(3), draw_below(2) };
		u32 tni = draw_below(8), gate = draw_below(64);
		u64 vbg = tofu_vbg(want, tni, gate);

		assert_true(tofu_vbg_coords(vbg, coords));
		for (k = 0; k < TOFU_AXES; k++)
			assert_int_equal(coords[k], want[k]);
		assert_int_equal(tofu_vbg_tni(vbg), tni);
		assert_int_equal(tofu_vbg_gate(vbg), gate);
	}
	assert_false(tofu_vbg_coords(1ull << 60, coords));
	assert_false(tofu_vbg_coords(1ull << 6, coords));
	assert_false(tofu_vbg_coords(1ull << 31, coords));
	assert_false(tofu_vbg_coords(3ull << 57, coords));
	assert_false(tofu_vbg_coords(TOFU_VBG_NULL, coords));
}

static int draw_gate(void)
{
	static const int gates[] = { NONE, 0, 1, 16, 17, 18 };

	return gates[draw_below(COUNT(gates))];
}

static void draw_bytes(struct tni *tni)
{
	struct tofu_gate_packet packet = { .source = elsewhere(draw_below(3)),
		.dest = here(tni, draw_below(4) ? 16 + (int)draw_below(3) : (int)draw_below(2)) };
	u8 bytes[TOFU_GATE_BYTES_MAX + 8];
	u32 i, length;

	tofu_reduce_set(&packet.data, TOFU_OP_SUM, (u64[]){ 1, 2 }, 1 + draw_below(2));
	memset(bytes, 0, sizeof(bytes));
	tofu_gate_packet_pack(&packet, bytes);
	length = draw_below(4) ? sizeof(bytes) : draw_below(sizeof(bytes));
	if (draw_below(3) == 0)
		bytes[draw_below(20)] = (u8)draw();
	if (draw_below(100) == 0)
		for (i = 0; i < length; i++)
			bytes[i] = (u8)draw();
	assert_in_range(tofu_gates_take(&tni->gates, bytes, length), 0, TOFU_GATE_ANSWERS - 1);
}

/*
 * In no configuration, even with cycles, does a packet or call cause an endless sequence of
 * signals.
 */
static void test_random_configurations(void **state)
{
	u32 rounds = rig_soak() ? 20000000 : 300000, started = 0, results = 0, i;
	struct tni tni;

	tni_open(&tni, 2);
	for (i = 0; i < rounds; i++) {
		int gate = draw_gate();

		tni.nsent = 0;
		if (draw_below(30) == 0)
			set(&tni, gate, draw_gate(), draw_below(2) ? NONE : (int)draw_below(3),
			    draw_gate(), draw_below(2) ? NONE : (int)draw_below(3));
		else if (draw_below(4) == 0)
			started += start(&tni, (int)draw_below(2), i) == TOFU_GATE_FINE;
		else if (draw_below(3) == 0)
			results += poll(&tni, (int)draw_below(2)) == TOFU_GATE_FINE;
		else
			draw_bytes(&tni);
		/* one call or packet makes each gate fire at most once */
		assert_in_range(tni.nsent, 0, 5);
	}
	/* random configurations include working chains */
	assert_in_range(results, rounds / 1000, started);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pair),
		cmocka_unit_test(test_relay),
		cmocka_unit_test(test_one_source),
		cmocka_unit_test(test_early),
		cmocka_unit_test(test_overrun),
		cmocka_unit_test(test_unset_or_wrong_sender),
		cmocka_unit_test(test_set_again),
		cmocka_unit_test(test_mismatch),
		cmocka_unit_test(test_start_refused),
		cmocka_unit_test(test_set_refused),
		cmocka_unit_test(test_alloc),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_packet_bytes),
		cmocka_unit_test(test_vbg),
		cmocka_unit_test(test_random_configurations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
