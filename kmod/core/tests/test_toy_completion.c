// SPDX-License-Identifier: GPL-2.0
/* Notices to senders on a machine with drop reasons of its own and a memory. */
#include "core/base/node_number.h"
#include "core/state/completion.h"
#include "core/tests/rig.h"
#include "core/tests/toy/toy.h"

static void send(struct rig_client *c, u32 number, u32 fifo, u32 flags)
{
	struct rig_message *m = &c->out[c->outs++];
	const u8 header[TOY_HEADER_BYTES] = {
		(u8)(number >> 24), (u8)(number >> 16), (u8)(number >> 8), (u8)number,
		(u8)(7 | flags), 0,
	};

	memset(m, 0, sizeof(*m));
	m->chunks = 8;
	m->fifo = (u8)fifo;
	rig_bytes(m->bytes, header, 8, c->outs);
}

static void test_machine_reasons(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "one_way=on");
	struct rig_client a;
	u32 i;

	/*
	 * one_way forbids direction b-: node 2 is one hop in b+ from node 0, and in b- from node 4
	 */
	rig_attach(&a, f, torus_node_index(&f->cfg.geo, 2), 0, false);
	send(&a, 0, 3, 0);
	send(&a, 4, 4, 0);
	rig_settle(f);
	assert_int_equal(a.losses, 2);
	assert_int_equal(a.completed, 2);
	i = a.loss[0].number == RIG_NUMBER ? 0 : 1;
	assert_int_equal(a.loss[i].reason, TORUS_DROP_MACHINE + TOY_DROP_ONE_WAY);
	assert_int_equal(a.loss[i].fifo, 3);
	assert_int_equal(a.loss[i].node, a.node);
	assert_int_equal(torus_node_number(&f->cfg.geo, a.loss[i].dst), 0);
	assert_int_equal(a.loss[1 - i].reason, TORUS_DROP_NO_LISTENER);
	assert_int_equal(a.loss[1 - i].fifo, 4);
	assert_int_equal(torus_node_number(&f->cfg.geo, a.loss[1 - i].node), 4);
	rig_client_free(&a);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/*
 * A packet that the machine stores in its memory has completed. A notice would report it lost only
 * if the memory were full.
 */
static void test_memory(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "");
	struct rig_client a;

	rig_attach(&a, f, 0, 0, false);
	send(&a, 27, 0, TOY_PUT);
	send(&a, 0, 1, TOY_PUT);
	rig_settle(f);
	assert_int_equal(a.losses, 0);
	assert_int_equal(a.completed, 2);
	rig_client_free(&a);
	rig_empty(f);
	torus_fabric_destroy(f);
}

/*
 * A node sends itself three packets: one is read, one is not read, and one is dropped in its queue.
 */
static void test_own_node(void **state)
{
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "");
	struct rig_client a;

	rig_attach(&a, f, 5, 0, false);
	send(&a, torus_node_number(&f->cfg.geo, 5), 0, 0);
	a.credits = 1;
	send(&a, torus_node_number(&f->cfg.geo, 5), 0, 0);
	send(&a, torus_node_number(&f->cfg.geo, 5), 1, 0);
	a.out[2].bytes[5] = 1;
	rig_settle(f);
	assert_int_equal(a.ins, 1);
	assert_int_equal(a.completed, 2);
	assert_int_equal(a.losses, 1);
	assert_int_equal(a.loss[0].number, RIG_NUMBER + 2);
	assert_int_equal(a.loss[0].fifo, 1);
	assert_int_equal(a.loss[0].group, 1);
	assert_int_equal(a.loss[0].reason, TORUS_DROP_NO_LISTENER);
	torus_nic_leave(f, 5, 0);
	rig_settle(f);
	assert_int_equal(a.completed, 3);
	assert_int_equal(a.loss[1].reason, TORUS_NOTICE_READER_GONE_UNREAD);
	rig_client_free(&a);
	rig_empty(f);
	torus_fabric_destroy(f);
}

static u32 silent_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct rig_client *c = client;

	if (c->pulled == c->outs || c->out[c->pulled].fifo != fifo)
		return 0;
	memcpy(bytes, c->out[c->pulled++].bytes, 256);
	return 8;
}

static void silent(void *client)
{
}

static void silent_accepted(void *client, u32 fifo)
{
}

/* Clients without a callback for notices receive none, and no record is stored for them. */
static void test_clients_without_notices(void **state)
{
	static const struct torus_nic_ops ops = {
		.pull = silent_pull, .accepted = silent_accepted, .notify = silent,
	};
	struct torus_fabric *f = rig_make_arch("toy", "2x1x1", "");
	struct rig_client c = { .out = calloc(8, sizeof(*c.out)) }, other;
	struct torus_error err;
	u32 generation;

	assert_int_equal(torus_nic_attach(f, 3, 0, false, &ops, &c, &generation, &err), 0);
	send(&c, 0, 0, 0);
	rig_settle(f);
	assert_int_equal(c.pulled, 1);
	assert_null(f->completions);
	/* the client also receives no notices while another client receives notices */
	rig_attach(&other, f, 4, 0, false);
	send(&c, 0, 0, 0);
	send(&other, 0, 0, 0);
	rig_settle(f);
	assert_int_equal(other.losses, 1);
	assert_int_equal(other.completed, 1);
	torus_nic_detach(f, 3, 0);
	rig_client_free(&other);
	rig_empty(f);
	torus_fabric_destroy(f);
	free(c.out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machine_reasons),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_own_node),
		cmocka_unit_test(test_clients_without_notices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
