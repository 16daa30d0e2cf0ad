// SPDX-License-Identifier: GPL-2.0
/*
 * Test that a wait for a rank ends when the rank's process has left, with and without a time limit,
 * while other ranks run.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <torus/collective.h>
#include "core/tests/says.h"
#include "../job/job.h"
#include "pair.h"

#define RANKS		6
#define LIMIT_MS	5000

/**
 * struct crowd - ranks on a line: one is tested, one has left, the others compute
 * @fake: the fabric
 * @job: the job, by rank
 * @thread: thread that runs the other live ranks
 * @stop: request to end the thread
 */
struct crowd {
	struct fake fake;
	struct torus_job *job[RANKS];
	pthread_t thread;
	bool stop;
};

static struct crowd crowd;

/* Thread of the live ranks, except the tested one: they compute, and let packets move at times. */
static void *lives(void *data)
{
	struct crowd *all = data;
	int i;

	while (!__atomic_load_n(&all->stop, __ATOMIC_SEQ_CST)) {
		for (i = 0; i < RANKS; i++)
			if (all->job[i] && !__atomic_load_n(&all->fake.node[i].absent,
							    __ATOMIC_SEQ_CST))
				torus_job_progress(all->job[i]);
		usleep(1000);
	}
	return NULL;
}

/* Open the job at all ranks, let rank @left leave, and run all but the tested one in a thread. */
static struct torus_job *crowd_start(const struct fake_config *config, int tested, int left)
{
	static struct torus_member members[RANKS];
	struct torus_job_config how = ranks_ordered;
	struct torus_job *job;
	int i;

	memset(&crowd, 0, sizeof(crowd));
	fake_start(&crowd.fake, config);
	for (i = 0; i < (int)config->nodes; i++)
		members[i].node = i;
	how.members = members;
	how.count = config->nodes;
	for (i = 0; i < (int)config->nodes; i++)
		crowd.job[i] = ranks_open(&crowd.fake, i, &how);
	job = crowd.job[tested];
	crowd.job[tested] = NULL;
	__atomic_store_n(&crowd.fake.node[left].absent, true, __ATOMIC_SEQ_CST);
	fake_run(&crowd.fake);
	assert_int_equal(pthread_create(&crowd.thread, NULL, lives, &crowd), 0);
	return job;
}

static void crowd_stop(struct torus_job *job)
{
	int i;

	__atomic_store_n(&crowd.stop, true, __ATOMIC_SEQ_CST);
	pthread_join(crowd.thread, NULL);
	torus_job_close(job);
	for (i = 0; i < RANKS; i++)
		torus_job_close(crowd.job[i]);
	fake_stop(&crowd.fake);
}

static const struct fake_config line = {
	.nodes = 6, .inject_chunks = 64, .receive_chunks = 64, .notices = true,
	.dims = { 6, 1, 1 },
};

static const struct fake_config line_xt = {
	.nodes = 6, .inject_chunks = 64, .receive_chunks = 64, .notices = true,
	.dims = { 6, 1, 1 }, .xt = true,
};

static void left(int rank)
{
	char text[64];

	snprintf(text, sizeof(text), "rank %d node %d,0,0 group 0", rank, rank);
	assert_says(torus_error_text(), text);
}

/* Gather: one of the ranks whose parts are missing has left. */
static void gather(int timeout_ms)
{
	static char part[1000], all[6 * 1000];
	struct torus_job *job = crowd_start(&line, 0, 4);

	assert_int_equal(torus_gather(job, 0, part, all, sizeof(part), timeout_ms), -ENOTCONN);
	left(4);
	crowd_stop(job);
}

static void test_gather(void **state)
{
	(void)state;
	gather(-1);
	gather(LIMIT_MS);
}

/*
 * All-to-all: packets for the rank that has left wait in the network, so the kernel reports no
 * loss.
 */
static void alltoall(int timeout_ms)
{
	struct fake_config held = line;
	static char from[64], into[64];
	struct torus_job *job;

	held.hold = true;
	job = crowd_start(&held, 0, 4);
	assert_int_equal(torus_alltoall(job, from, into, 4, NULL, timeout_ms), -ENOTCONN);
	left(4);
	crowd_stop(job);
}

static void test_alltoall(void **state)
{
	(void)state;
	alltoall(-1);
	alltoall(LIMIT_MS);
}

/* Broadcast: the root, or a rank between the live root and the tested rank, has left. */
static void broadcast(const struct fake_config *config, int root, int tested, int gone,
		      uint32_t along, int timeout_ms)
{
	struct torus_job *job = crowd_start(config, tested, gone);
	char into[64];

	assert_int_equal(torus_broadcast(job, root, along, into, 6, timeout_ms), -ENOTCONN);
	left(gone);
	crowd_stop(job);
}

static void test_broadcast(void **state)
{
	(void)state;
	broadcast(&line_xt, 0, 5, 1, TORUS_BROADCAST_X, -1);
	broadcast(&line_xt, 0, 5, 1, TORUS_BROADCAST_X, LIMIT_MS);
	broadcast(&line_xt, 0, 5, 0, TORUS_BROADCAST_X, LIMIT_MS);
	broadcast(&line, 0, 5, 0, TORUS_BROADCAST_X, LIMIT_MS);
}

/* A corner of a row broadcast has left: rank 1 forwards packets from rank 0. */
static void test_corner(void **state)
{
	static const uint32_t dims[3] = { 3, 2, 1 };
	struct fake_config plane = line;
	struct torus_job *job;
	char into[64];

	(void)state;
	memcpy(plane.dims, dims, sizeof(dims));
	plane.mesh = 7;
	job = crowd_start(&plane, 4, 1);
	assert_int_equal(torus_broadcast(job, 0, TORUS_BROADCAST_X | TORUS_BROADCAST_Y, into, 6,
					 LIMIT_MS), -ENOTCONN);
	assert_says(torus_error_text(), "rank 1 node 1,0,0 group 0 process");
	crowd_stop(job);
}

static void receive(int timeout_ms)
{
	struct torus_job *job = crowd_start(&line, 0, 3);
	char into[8];

	assert_int_equal(torus_message_receive(job, 3, 5, into, 8, NULL, timeout_ms), -ENOTCONN);
	left(3);
	/* The exit is known now, so that short waits end with its error, too. */
	assert_int_equal(torus_message_receive(job, 3, 5, into, 8, NULL, 1), -ENOTCONN);
	assert_int_equal(torus_message_receive(job, 3, 5, into, 8, NULL, 20), -ENOTCONN);
	assert_int_equal(torus_message_receive(job, 3, 5, into, 8, NULL, 0), -ENOTCONN);
	assert_int_equal(torus_message_receive(job, 2, 5, into, 8, NULL, 20), -ETIMEDOUT);
	crowd_stop(job);
}

static void test_receive(void **state)
{
	(void)state;
	receive(-1);
	receive(LIMIT_MS);
}

/* Another process takes the FIFO group before the exit is noticed. */
static void retaken(int timeout_ms)
{
	struct torus_job *job = crowd_start(&line, 0, 3);
	char into[8];

	torus_job_close(crowd.job[3]);
	crowd.job[3] = NULL;
	crowd.fake.node[3].holder++;
	__atomic_store_n(&crowd.fake.node[3].absent, false, __ATOMIC_SEQ_CST);
	assert_int_equal(torus_message_receive(job, 3, 5, into, 8, NULL, timeout_ms), -ENOTCONN);
	left(3);
	crowd_stop(job);
}

static void test_retaken(void **state)
{
	(void)state;
	retaken(-1);
	retaken(LIMIT_MS);
}

/* Send: the message's packets wait in the network until it is full. */
static void test_send(void **state)
{
	static char large[200000];
	struct fake_config held = line;
	struct torus_job *job;

	(void)state;
	held.hold = true;
	job = crowd_start(&held, 0, 3);
	assert_int_equal(torus_message_send(job, 3, 5, large, sizeof(large)), -ENOTCONN);
	left(3);
	crowd_stop(job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gather),
		cmocka_unit_test(test_alltoall),
		cmocka_unit_test(test_broadcast),
		cmocka_unit_test(test_corner),
		cmocka_unit_test(test_receive),
		cmocka_unit_test(test_retaken),
		cmocka_unit_test(test_send),
	};

	return cmocka_run_group_tests_name("departure", tests, NULL, NULL);
}
