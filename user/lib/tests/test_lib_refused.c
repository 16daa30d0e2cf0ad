// SPDX-License-Identifier: GPL-2.0
/*
 * Test errors of the library and their words: values outside the machine, another version of the
 * kernel, collectives of which a part was lost, and waits that time out.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <torus/collective.h>
#include "core/tests/says.h"
#include "../context/attach.h"
#include "pair.h"

static void said(int got, int code, const char *text)
{
	if (got != code || !says(torus_error_text(), text))
		fail_msg("%d \"%s\", not %d \"%s\"", got, torus_error_text(), code, text);
}

static void test_values(void **state)
{
	const struct fake_config config = {
		.nodes = 2, .inject_chunks = 16, .receive_chunks = 16, .notices = true,
	};
	unsigned char packet[FAKE_PACKET] = { 0 }, bytes[16];
	const uint32_t outside[] = { 0, 2, 0 };
	struct torus_context *context;
	struct torus_fabric_info info;
	struct torus_notice notice;
	struct fake fake;
	uint32_t node;

	fake_start(&fake, &config);
	context = fake.node[0].context;
	said(torus_node_locate(context, outside, &node), -ERANGE, "coordinate 1 2");
	said(torus_context_fullness(context, 2, bytes), -EINVAL, "group 2");
	said(torus_inject_raw(context, 9, packet, 1), -EINVAL, "injection FIFO 9 0 3");
	said(torus_inject_raw(context, 0, packet, 17), -EINVAL, "17 chunk 16");
	said(torus_inject_room(context, -1), -EINVAL, "injection FIFO -1 0 3");
	said(torus_packet_begin(context, packet, 33, 1, 0, TORUS_ROUTE_DYNAMIC), -EINVAL,
	     "packet 33 1 8 32");
	said(torus_packet_begin(context, packet, 32, 1, 2, TORUS_ROUTE_DYNAMIC), -ERANGE,
	     "header group 2 0 1");
	said(torus_packet_begin(context, packet, 32, 1, 0, TORUS_ROUTE_SECOND), -EOPNOTSUPP,
	     "header bgl class");
	said(torus_packet_begin(context, packet, 32, 1, 0, (enum torus_route)9), -EINVAL,
	     "route 9");
	said(torus_fabric_find("a-name-that-is-much-longer-than-a-name-may-be", &info),
	     -ENAMETOOLONG, "a-name-that-is-much-longer-than-a-name-may-be 31");
	((struct torus_status_notice *)context->notice_status)->tail = 1 << 20;
	said(torus_notice_take(context, &notice), -EIO, "notice 1048576 64");
	fake_stop(&fake);
}

/* Kernels without notices, with another ABI version, and with a machine that has no FIFOs. */
static void test_other_kernels(void **state)
{
	const struct fake_config config = {
		.nodes = 1, .inject_chunks = 16, .receive_chunks = 16,
	};
	struct torus_context *context;
	struct torus_notice notice;
	void *rings[16] = { NULL };
	struct fake fake;

	fake_start(&fake, &config);
	context = fake.node[0].context;
	said(torus_notice_take(context, &notice), -EOPNOTSUPP, "kernel packet");
	context->info.abi_version++;
	said(torus_context_setup(context, rings, rings), -EPROTO, "version 2 1 ABI");
	context->info.abi_version--;
	strcpy(context->info.arch, "kncube");
	said(torus_context_setup(context, rings, rings), -EOPNOTSUPP, "fake kncube FIFO");
	fake_stop(&fake);
}

/* Start a pair.  @lose: number of the packet that is lost. */
static void pair_begin(struct pair *pair, unsigned int lose)
{
	static const struct torus_member members[2] = { { .node = 0 }, { .node = 1 } };
	struct torus_job_config job = ranks_ordered;
	struct fake_config config = ranks_tiny;

	config.lose = lose;
	job.members = members;
	job.count = 2;
	pair_start(pair, &config, &job);
}

/* Send a second message from rank 1 to rank 0.  Its arrival reveals that the first one was lost. */
static void pair_behind(struct pair *pair)
{
	assert_int_equal(torus_message_start(pair->b, 0, 0, "", 0, NULL), 0);
	pair_settle(pair);
}

static void test_lost_parts(void **state)
{
	unsigned char from[2 * 8] = { 0 }, to[2 * 8];
	struct pair pair;
	uint32_t one = 1, sum;

	pair_begin(&pair, 1);
	torus_job_barrier(pair.b, 1);
	pair_behind(&pair);
	said(torus_job_barrier(pair.a, 1000), -EBADMSG, "barrier 0 message rank 1");
	pair_stop(&pair);

	pair_begin(&pair, 1);
	torus_alltoall(pair.b, from, to, 8, NULL, 1);
	pair_behind(&pair);
	said(torus_alltoall(pair.a, from, to, 8, NULL, 1000), -EBADMSG,
	     "all-to-all 0 message rank 1");
	pair_stop(&pair);

	pair_begin(&pair, 1);
	torus_reduce(pair.b, 0, TORUS_TYPE_U32, TORUS_OPERATION_SUM, &one, NULL, 1, 1);
	pair_behind(&pair);
	said(torus_reduce(pair.a, 0, TORUS_TYPE_U32, TORUS_OPERATION_SUM, &one, &sum, 1, 1000),
	     -EBADMSG, "reduce message 0 rank 1");
	pair_stop(&pair);

	pair_begin(&pair, 0);
	torus_alltoall(pair.b, from, to, 8, NULL, 1);
	pair_settle(&pair);
	said(torus_alltoall(pair.a, from, to, 4, NULL, 1000), -EMSGSIZE, "all-to-all 0 rank 1 8 4");
	pair_stop(&pair);
}

/* Wait for a broadcast that its root never starts. */
static void test_broadcast_that_does_not_come(void **state)
{
	struct torus_broadcast *broadcast;
	struct pair pair;
	char data[8];

	pair_begin(&pair, 0);
	assert_int_equal(torus_broadcast_start(pair.b, 0, 1, data, sizeof(data), &broadcast), 0);
	assert_int_equal(torus_broadcast_wait(pair.b, broadcast, 100), -ETIMEDOUT);
	assert_says(torus_error_text(), "broadcast 0 rank");
	assert_says(torus_error_text(), "packet 100");
	pair_stop(&pair);
}

static void test_jobs(void **state)
{
	static const struct torus_member members[2] = { { .node = 0 }, { .node = 1 } };
	static const struct torus_member one_node[2] = { { .node = 0 }, { .group = 1 } };
	struct torus_job_config config = ranks_ordered;
	struct fake_config machine = ranks_tiny;
	struct torus_job *job;
	struct pair pair;
	uint32_t one = 1;

	fake_start(&pair.fake, &machine);
	config.members = members;
	config.count = 0;
	said(torus_job_open(&job, pair.fake.node[0].context, &config), -EINVAL,
	     "0 member 1 16777216");
	/* the count exceeds the list, which must not be read */
	config.count = TORUS_JOB_RANKS_MAX + 1;
	said(torus_job_open(&job, pair.fake.node[0].context, &config), -EINVAL,
	     "16777217 member 1 16777216");
	config.count = 2;
	config.route = 9;
	said(torus_job_open(&job, pair.fake.node[0].context, &config), -EINVAL, "route 9");
	config.route = TORUS_ROUTE_SECOND;
	said(torus_job_open(&job, pair.fake.node[0].context, &config), -EOPNOTSUPP, "bgl class");
	fake_stop(&pair.fake);

	/* both ranks are at one node of a mesh, in which no ring of links returns to the node */
	config.members = one_node;
	config.route = TORUS_ROUTE_ORDERED;
	machine.mesh = 7;
	fake_start(&pair.fake, &machine);
	pair.a = ranks_open(&pair.fake, 0, &config);
	said(torus_message_start(pair.a, 1, 0, "", 0, NULL), -EHOSTUNREACH, "rank 1 group mesh");
	torus_job_close(pair.a);
	fake_stop(&pair.fake);

	/* node 0 is dead: its rank takes part in no collective */
	config.members = members;
	machine.mesh = 0;
	machine.dead = 1;
	fake_start(&pair.fake, &machine);
	pair.a = ranks_open(&pair.fake, 0, &config);
	pair.b = ranks_open(&pair.fake, 1, &config);
	said(torus_job_barrier(pair.a, 100), -EHOSTUNREACH, "node 0 rank dead");
	said(torus_reduce(pair.b, 0, TORUS_TYPE_U32, TORUS_OPERATION_SUM, &one, NULL, 1, 100),
	     -EHOSTUNREACH, "reduce node 0 root dead");
	pair_stop(&pair);
}

/* Waits time out, because the test does not step the engine, and the rings stay full. */
static void test_waits(void **state)
{
	static const char zeros[5000];
	struct torus_send *send;
	struct pair pair;

	pair_begin(&pair, 0);
	assert_int_equal(torus_message_start(pair.a, 1, 0, zeros, sizeof(zeros), &send), 0);
	said(torus_message_wait(pair.a, send, 0), -EAGAIN, "message");
	assert_int_equal(torus_message_wait(pair.a, send, 100), -ETIMEDOUT);
	assert_says(torus_error_text(), "message 0 rank 1");
	assert_says(torus_error_text(), "23 packet 100");
	said(torus_message_flush(pair.a, 0), -EAGAIN, "message");
	assert_int_equal(torus_message_flush(pair.a, 100), -ETIMEDOUT);
	assert_says(torus_error_text(), "packet 100");
	pair_settle(&pair);
	assert_int_equal(torus_message_wait(pair.a, send, 1000), 0);
	pair_stop(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_other_kernels),
		cmocka_unit_test(test_lost_parts),
		cmocka_unit_test(test_broadcast_that_does_not_come),
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
