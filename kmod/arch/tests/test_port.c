// SPDX-License-Identifier: GPL-2.0
/* Programmed I/O of ports on all machines with FIFOs: every byte, rejections, wrong accesses. */
#include "arch/bgl/bgl.h"
#include "arch/tests/port_rig.h"
#include "core/nic/group.h"
#include "core/nic/inject.h"

static const char *const archs[] = { "bgl", "xt", "tofu" };

/* A fabric with ports on the nodes 0 and 3. */
struct pair {
	struct torus_fabric *f;
	struct port_rig r[2];
};

static void pair_make(struct pair *t, const char *arch)
{
	t->f = port_rig_fabric(arch);
	port_rig_make(&t->r[0], t->f, 0, 0, &port_rig_ops);
	port_rig_make(&t->r[1], t->f, 3, 0, &port_rig_ops);
}

static void pair_free(struct pair *t)
{
	port_rig_free(&t->r[0]);
	port_rig_free(&t->r[1]);
	rig_empty(t->f);
	torus_fabric_destroy(t->f);
}

/* Send a packet from port @from to the other one. Return: result of the last word's write. */
static int pair_send(struct pair *t, u32 from, u32 chunks, u32 mark)
{
	u8 bytes[PORT_PACKET];
	u32 length = port_packet(t->f, t->r[from].port->node, t->r[!from].port->node, chunks, mark,
				 bytes);

	return port_put(&t->r[from], 0, bytes, length);
}

/* Packets of all lengths arrive in both directions, with all bytes. */
static void test_exchange(void **state)
{
	u8 bytes[PORT_PACKET];
	struct pair t;
	u32 i, from, chunks;

	for (i = 0; i < COUNT(archs); i++) {
		pair_make(&t, archs[i]);
		for (chunks = 1; chunks <= t.f->arch->packet_chunks_max; chunks++)
			for (from = 0; from < 2; from++) {
				assert_int_equal(pair_send(&t, from, chunks, chunks * 2 + from), 0);
				port_settle(t.r, 2);
				assert_int_equal(port_take_any(&t.r[!from], bytes),
						 chunks * t.f->arch->chunk_bytes);
				port_check(t.f, chunks, chunks * 2 + from, bytes);
				assert_int_equal(port_get(&t.r[!from], TORUS_PORT_READABLE), 0);
			}
		for (from = 0; from < 2; from++) {
			assert_int_equal(port_get(&t.r[from], TORUS_PORT_TAKEN_LOW), chunks - 1);
			assert_int_equal(port_get(&t.r[from], TORUS_PORT_ENDED_LOW), chunks - 1);
			assert_int_equal(port_get(&t.r[from], TORUS_PORT_ERRORS), 0);
			assert_int_equal(port_get(&t.r[from], TORUS_PORT_STATUS),
					 TORUS_PORT_STATUS_RECEIVE | TORUS_PORT_STATUS_INJECT |
					 TORUS_PORT_STATUS_ENDED);
		}
		pair_free(&t);
	}
}

/* A port exchanges packets with a client that is not a port. */
static void test_client(void **state)
{
	struct torus_fabric *f = port_rig_fabric("bgl");
	struct rig_message *m;
	struct rig_client c;
	struct port_rig r;
	u8 bytes[PORT_PACKET];

	rig_attach(&c, f, 5, 0, false);
	port_rig_make(&r, f, 2, 0, &port_rig_ops);
	assert_int_equal(port_put(&r, 1, bytes, port_packet(f, 2, 5, 8, 77, bytes)), 0);
	m = &c.out[c.outs++];
	memset(m, 0, sizeof(*m));
	port_packet(f, 5, 2, 3, 78, m->bytes);
	m->chunks = 3;
	port_settle(&r, 1);
	assert_int_equal(c.ins, 1);
	port_check(f, 8, 77, c.in[0].bytes);
	assert_int_equal(port_take_any(&r, bytes), 96);
	port_check(f, 3, 78, bytes);
	port_rig_free(&r);
	rig_client_free(&c);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/* The fabric sees a packet only after its last word. */
static void test_last_word(void **state)
{
	u8 bytes[PORT_PACKET];
	struct pair t;
	u32 i, length, words;

	for (i = 0; i < COUNT(archs); i++) {
		pair_make(&t, archs[i]);
		length = port_packet(t.f, 0, 3, t.f->arch->packet_chunks_max, 5, bytes);
		words = length / 4;
		port_put_words(&t.r[0], 0, bytes, 0, 1);
		assert_int_equal(port_get(&t.r[0], TORUS_PORT_MISSING),
				 t.f->arch->header_bytes / 4 - 1);
		port_put_words(&t.r[0], 0, bytes, 1, words - 1);
		assert_int_equal(port_get(&t.r[0], TORUS_PORT_MISSING), 1);
		port_settle(t.r, 2);
		assert_int_equal(port_get(&t.r[0], TORUS_PORT_TAKEN_LOW), 0);
		assert_int_equal(t.r[0].polls, 0);
		assert_int_equal(port_put_words(&t.r[0], 0, bytes, words - 1, words), 0);
		assert_int_equal(t.r[0].polls, 1);
		port_settle(t.r, 2);
		assert_int_equal(port_get(&t.r[0], TORUS_PORT_MISSING), 0);
		assert_int_equal(port_take_any(&t.r[1], bytes), length);
		port_check(t.f, t.f->arch->packet_chunks_max, 5, bytes);
		pair_free(&t);
	}
}

static u32 rejected(struct port_rig *r, u32 fifo, u32 field)
{
	u32 value = port_get(r, TORUS_PORT_AT_FIFO(TORUS_PORT_REJECTED, fifo));

	return field == TORUS_PORT_REJECTED_CODE ? value & field :
						   value >> TORUS_PORT_REJECTED_COUNT_SHIFT;
}

/* A packet with a wrong header is rejected with its code; the packets next to it arrive. */
static void test_rejected(void **state)
{
	u8 good[PORT_PACKET], bad[PORT_PACKET];
	u32 length, i;
	struct pair t;

	pair_make(&t, "bgl");
	length = port_packet(t.f, 0, 3, 2, 9, good);
	memcpy(bad, good, length);
	bad[4] = 200;	/* y of the destination */
	for (i = 1; i <= 3; i++) {
		port_put(&t.r[0], 0, good, length);
		port_put(&t.r[0], 0, bad, length);
		port_settle(t.r, 2);
		assert_int_equal(rejected(&t.r[0], 0, TORUS_PORT_REJECTED_CODE),
				 TORUS_REFUSE_DESTINATION);
		assert_int_equal(rejected(&t.r[0], 0, TORUS_PORT_REJECTED_COUNT), i);
		assert_int_equal(port_take_any(&t.r[1], bad), length);
		port_check(t.f, 2, 9, bad);
		port_packet(t.f, 0, 3, 2, 9, bad);
		bad[4] = 200;
	}
	assert_int_equal(port_get(&t.r[0], TORUS_PORT_TAKEN_LOW), 3);
	assert_int_equal(port_get(&t.r[0], TORUS_PORT_ERRORS), TORUS_PORT_ERRORS_REJECTED);
	assert_true(port_get(&t.r[0], TORUS_PORT_STATUS) & TORUS_PORT_STATUS_ERROR);
	/* a priority packet in a normal FIFO, and the port's right to send priority packets */
	bad[2] |= 3;
	bad[4] = good[4];
	bad[2] &= (u8)~(TORUS_BGL_DYNAMIC >> 8);
	port_put(&t.r[0], 0, bad, length);
	port_put(&t.r[0], TORUS_BGL_INJECT_PRIORITY, bad, length);
	port_settle(t.r, 2);
	assert_int_equal(rejected(&t.r[0], 0, TORUS_PORT_REJECTED_CODE), TORUS_REFUSE_PRIORITY);
	assert_int_equal(rejected(&t.r[0], TORUS_BGL_INJECT_PRIORITY, TORUS_PORT_REJECTED_COUNT),
			 0);
	assert_int_equal(port_get(&t.r[1], TORUS_PORT_READABLE), 1u << TORUS_BGL_RECEIVE_PRIORITY);
	assert_int_equal(port_take_any(&t.r[1], bad), length);
	pair_free(&t);
}

/* A header without a valid size is a packet by itself. */
static void test_no_size(void **state)
{
	u8 bytes[PORT_PACKET];
	struct pair t;

	pair_make(&t, "xt");
	port_packet(t.f, 0, 3, 2, 1, bytes);
	bytes[4] |= 0xf0;	/* 16 flits */
	port_put_words(&t.r[0], 0, bytes, 0, 2);
	assert_int_equal(port_get(&t.r[0], TORUS_PORT_MISSING), 0);
	assert_int_equal(pair_send(&t, 0, 9, 4), 0);
	port_settle(t.r, 2);
	assert_int_equal(rejected(&t.r[0], 0, TORUS_PORT_REJECTED_CODE), TORUS_REFUSE_SIZE);
	assert_int_equal(rejected(&t.r[0], 0, TORUS_PORT_REJECTED_COUNT), 1);
	assert_int_equal(port_take_any(&t.r[1], bytes), 72);
	port_check(t.f, 9, 4, bytes);
	pair_free(&t);
}

/* A command to Tofu's engines is rejected with a code, and executed in no part. */
static void test_command(void **state)
{
	u8 bytes[PORT_PACKET] = { 0 };
	struct pair t;

	pair_make(&t, "tofu");
	port_packet(t.f, 0, 3, TORUS_TOFU_COMMAND_CHUNKS, 1, bytes);
	memset(bytes + TORUS_TOFU_HEADER_BYTES, 0, PORT_PACKET - TORUS_TOFU_HEADER_BYTES);
	bytes[3] = (u8)((bytes[3] & ~(TORUS_TOFU_FIFO_MASK << TORUS_TOFU_FIFO_SHIFT)) |
			TORUS_TOFU_FIFO_GATE << TORUS_TOFU_FIFO_SHIFT);
	bytes[6] = TORUS_TOFU_KIND_COMMAND;
	bytes[7] = 0;
	port_put(&t.r[0], 0, bytes, TORUS_TOFU_COMMAND_CHUNKS * 32);
	port_settle(t.r, 2);
	assert_int_equal(rejected(&t.r[0], 0, TORUS_PORT_REJECTED_CODE), TORUS_REFUSE_COMMAND);
	assert_int_equal(rejected(&t.r[0], 0, TORUS_PORT_REJECTED_COUNT), 1);
	assert_null(torus_nic_get(t.f, 0, 0)->records);
	pair_free(&t);
}

/* The machine counts all wrong accesses, even if more of them happen than one poll reports. */
static void test_many_errors(void **state)
{
	struct pair t;
	u32 i, polls;

	pair_make(&t, archs[0]);
	while (!pair_send(&t, 0, t.f->arch->packet_chunks_max, 0))
		;
	polls = t.r[0].polls;
	for (i = 1; i < 200; i++)
		pair_send(&t, 0, t.f->arch->packet_chunks_max, 0);
	for (i = 0; t.r[0].polls != polls; i++) {
		polls = t.r[0].polls;
		torus_port_poll(t.r[0].port, t.f);
	}
	assert_true(i > 1);
	assert_int_equal(port_get(&t.r[0], TORUS_PORT_WRITES_FULL), 200);
	assert_int_equal(rig_reg(t.f, 0, "bad_header"), 200);
	pair_free(&t);
}

/*
 * A packet for which a FIFO has no space is ignored as a whole, counted, and reported as the
 * machine's error by the next poll. The packets before and after it arrive.
 */
static void test_full(void **state)
{
	u8 bytes[PORT_PACKET];
	struct pair t;
	u32 i, n, wrong, fit, max;

	for (i = 0; i < COUNT(archs); i++) {
		pair_make(&t, archs[i]);
		max = t.f->arch->packet_chunks_max;
		fit = t.f->arch->fifo_chunks / max;
		for (n = 0; n < fit; n++)
			assert_int_equal(pair_send(&t, 0, max, n), 0);
		wrong = 0;
		if (t.f->arch->fifo_chunks % max) {
			assert_int_equal(pair_send(&t, 0, t.f->arch->fifo_chunks % max, n), 0);
			n++;
		}
		assert_int_equal(port_get(&t.r[0], TORUS_PORT_SPACE), 0);
		for (; wrong < 3; wrong++)
			assert_int_equal(pair_send(&t, 0, max, 1000 + wrong), -ENOSPC);
		assert_int_equal(port_get(&t.r[0], TORUS_PORT_WRITES_FULL), 3);
		assert_int_equal(port_get(&t.r[0], TORUS_PORT_ERRORS), 0);
		port_settle(t.r, 2);
		assert_int_equal(port_get(&t.r[0], TORUS_PORT_ERRORS),
				 TORUS_PORT_ERRORS_WRITE_FULL);
		assert_true(port_get(&t.r[0], TORUS_PORT_STATUS) & TORUS_PORT_STATUS_ERROR);
		if (!i)
			assert_int_not_equal(rig_reg(t.f, 0, "nre_access"), 0);
		assert_int_equal(pair_send(&t, 0, 1, 2000), 0);
		for (fit = 0; fit < n; fit++) {
			port_settle(t.r, 2);
			assert_int_not_equal(port_take_any(&t.r[1], bytes), 0);
			if (fit < t.f->arch->fifo_chunks / max)
				port_check(t.f, max, fit, bytes);
		}
		port_settle(t.r, 2);
		assert_int_equal(port_take_any(&t.r[1], bytes), t.f->arch->chunk_bytes);
		port_check(t.f, 1, 2000, bytes);
		assert_int_equal(port_get(&t.r[1], TORUS_PORT_READABLE), 0);
		pair_free(&t);
	}
}

/* A read of an empty FIFO is counted, reported, and disturbs no later packet. */
static void test_empty(void **state)
{
	u8 bytes[PORT_PACKET];
	struct pair t;
	u32 i, value;

	for (i = 0; i < COUNT(archs); i++) {
		pair_make(&t, archs[i]);
		assert_int_equal(torus_port_read(t.r[1].port, TORUS_PORT_READ_DATA, &value),
				 -ENODATA);
		assert_int_equal(value, ~0u);
		assert_int_equal(t.r[1].polls, 1);
		assert_int_equal(port_get(&t.r[1], TORUS_PORT_READS_EMPTY), 1);
		port_settle(t.r, 2);
		assert_int_equal(port_get(&t.r[1], TORUS_PORT_ERRORS),
				 TORUS_PORT_ERRORS_READ_EMPTY);
		if (!i)
			assert_int_not_equal(rig_reg(t.f, 3, "nre_access"), 0);
		port_set(&t.r[1], TORUS_PORT_ERRORS, TORUS_PORT_ERRORS_READ_EMPTY);
		assert_int_equal(port_get(&t.r[1], TORUS_PORT_ERRORS), 0);
		pair_send(&t, 0, 1, 6);
		port_settle(t.r, 2);
		assert_int_equal(port_get(&t.r[1], TORUS_PORT_ERRORS), 0);
		assert_int_equal(port_take_any(&t.r[1], bytes), t.f->arch->chunk_bytes);
		port_check(t.f, 1, 6, bytes);
		pair_free(&t);
	}
}

/* A driver that does not read loses nothing: packets wait in the network. */
static void test_backpressure(void **state)
{
	u8 bytes[PORT_PACKET], seen[1000];
	struct pair t;
	u32 i, sent, got, max, polls;

	for (i = 0; i < COUNT(archs); i++) {
		pair_make(&t, archs[i]);
		memset(seen, 0, sizeof(seen));
		max = t.f->arch->packet_chunks_max;
		for (sent = 0; sent < 1000; sent++) {
			if (port_get(&t.r[0], TORUS_PORT_SPACE) < max)
				port_settle(t.r, 2);
			if (port_get(&t.r[0], TORUS_PORT_SPACE) < max)
				break;
			assert_int_equal(pair_send(&t, 0, max, sent), 0);
		}
		assert_true(sent > 4 && sent < 1000);
		assert_true(torus_nic_blocked(t.f));
		polls = t.r[1].polls;
		for (got = 0; got < sent; got++) {
			assert_int_equal(port_take_any(&t.r[1], bytes),
					 max * t.f->arch->chunk_bytes);
			/* the first read frees the space that a packet waits for */
			if (!got)
				assert_true(t.r[1].polls > polls);
			assert_true(port_mark(t.f, bytes) < sent);
			assert_false(seen[port_mark(t.f, bytes)]++);
			port_check(t.f, max, port_mark(t.f, bytes), bytes);
			port_settle(t.r, 2);
		}
		assert_int_equal(port_get(&t.r[1], TORUS_PORT_READABLE), 0);
		pair_free(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exchange),
		cmocka_unit_test(test_client),
		cmocka_unit_test(test_last_word),
		cmocka_unit_test(test_rejected),
		cmocka_unit_test(test_no_size),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_many_errors),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_backpressure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
