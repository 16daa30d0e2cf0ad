// SPDX-License-Identifier: GPL-2.0
/*
 * Test that the processes of a job find each other, however late each starts and whatever ran
 * before.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/tests/says.h"
#include "../../common/rank_place.h"
#include "../job/job.h"
#include "ranks.h"

#define KEY	0xc0ec7u
#define MANY	64

static const struct fake_config machine = {
	.nodes = MANY, .inject_chunks = 16, .receive_chunks = 64, .dims = { 4, 4, 4 },
};

/**
 * struct late - a process that starts late
 * @fake: the fabric
 * @config: configuration of the job
 * @node: node of the process
 * @delay_us: delay before it starts, in microseconds
 * @ret: result of torus_job_open()
 * @text: error text of @ret
 * @session: session of the job
 * @thread: the thread that runs the process
 */
struct late {
	struct fake *fake;
	struct torus_job_config config;
	unsigned int node;
	unsigned int delay_us;
	int ret;
	char text[512];
	uint32_t session;
	struct torus_job_counts counts;
	pthread_t thread;
};

/* Open a job late, and send the next rank a message at once. */
static void *late_run(void *data)
{
	struct late *late = data;
	struct fake_node *node = &late->fake->node[late->node];
	struct torus_job *job;
	uint32_t next, token = 0;

	usleep(late->delay_us);
	__atomic_store_n(&node->absent, false, __ATOMIC_RELAXED);
	late->ret = torus_job_open(&job, node->context, &late->config);
	if (late->ret) {
		snprintf(late->text, sizeof(late->text), "%s", torus_error_text());
		return NULL;
	}
	late->session = job->wireup.session;
	next = (torus_job_rank(job) + 1) % torus_job_size(job);
	late->ret = torus_message_send(job, next, 1, &late->node, sizeof(late->node));
	if (!late->ret)
		late->ret = torus_message_receive(job, TORUS_MESSAGE_ANY, 1, &token, sizeof(token),
						  NULL, 60000);
	if (!late->ret && torus_job_size(job) == late->fake->config.nodes)
		assert_int_equal((token + 1) % torus_job_size(job), late->node);
	if (!late->ret)
		late->ret = torus_job_barrier(job, 60000);
	if (!late->ret)
		late->ret = torus_message_flush(job, 60000);
	torus_job_counts(job, &late->counts);
	torus_job_close(job);
	return NULL;
}

static void late_start(struct late *late, struct fake *fake, unsigned int node,
		       unsigned int delay_us, const struct torus_job_config *config)
{
	*late = (struct late) {
		.fake = fake, .config = *config, .node = node, .delay_us = delay_us,
	};
	torus_wait_tune(fake->node[node].context, 2, 2);
	assert_int_equal(pthread_create(&late->thread, NULL, late_run, late), 0);
}

/* Check that all processes succeed and are in one session. */
static void late_all(struct late *late, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		pthread_join(late[i].thread, NULL);
	for (i = 0; i < count; i++) {
		if (late[i].ret)
			print_error("node %u: %d %s\n", late[i].node, late[i].ret, late[i].text);
		assert_int_equal(late[i].ret, 0);
		assert_int_not_equal(late[i].session, 0);
		assert_int_equal(late[i].session, late[0].session);
	}
}

static void any_order(const struct fake_config *config, enum torus_route route)
{
	const struct torus_job_config job = { .key = KEY, .route = route };
	static struct late late[MANY];
	uint32_t session = 0;
	__u64 random = 3;
	struct fake fake;
	unsigned int i, round;

	fake_start(&fake, config);
	fake_run(&fake);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < config->nodes; i++)
			fake.node[i].absent = true;
		for (i = 0; i < config->nodes; i++)
			late_start(&late[i], &fake, i,
				   (unsigned int)(fake_random(&random) % 200000), &job);
		late_all(late, config->nodes);
		/*
		 * each run draws a new session, because packets of the last run with this key may
		 * remain
		 */
		assert_int_not_equal(session, late[0].session);
		session = late[0].session;
		/* a duplicate of the last job's packet may arrive in this one, and is rejected */
		for (i = 0; i < config->nodes && !config->duplicate; i++)
			assert_int_equal(late[i].counts.rejected_key, 0);
	}
	fake_stop(&fake);
}

static void test_any_order_drop(void **state)
{
	any_order(&machine, TORUS_ROUTE_DYNAMIC);
}

static void test_any_order_hold(void **state)
{
	struct fake_config config = machine;

	config.hold = true;
	any_order(&config, TORUS_ROUTE_ORDERED);
}

static void test_any_order_wild(void **state)
{
	struct fake_config config = machine;

	config.shuffle = true;
	config.duplicate = 3;
	any_order(&config, TORUS_ROUTE_DYNAMIC);
}

/* Two processes, either of which starts long before the other. */
static void test_two_apart(void **state)
{
	static const struct torus_member members[2] = { { .node = 3 }, { .node = 5 } };
	const struct torus_job_config job = { .key = KEY, .members = members, .count = 2 };
	struct fake_config config = machine;
	struct late late[2];
	struct fake fake;
	unsigned int first;

	for (first = 0; first < 2; first++) {
		fake_start(&fake, &config);
		fake.node[3].absent = true;
		fake.node[5].absent = true;
		fake_run(&fake);
		late_start(&late[0], &fake, 3, first ? 1500000 : 0, &job);
		late_start(&late[1], &fake, 5, first ? 0 : 1500000, &job);
		late_all(late, 2);
		fake_stop(&fake);
	}
}

/* The error names the missing ranks.  Packets for them that remain do not disturb the next run. */
static void missing(bool hold)
{
	struct torus_job_config job = { .key = KEY, .timeout_ms = 300 };
	struct fake_config config = machine;
	struct late late[8];
	struct fake fake;
	unsigned int i;

	config.nodes = 8;
	config.dims[0] = 2;
	config.dims[1] = 2;
	config.dims[2] = 2;
	config.hold = hold;
	fake_start(&fake, &config);
	fake.node[6].absent = true;
	fake_run(&fake);
	for (i = 0; i < 8; i++)
		if (i != 6)
			late_start(&late[i], &fake, i, i * 1000, &job);
	for (i = 0; i < 8; i++)
		if (i != 6)
			pthread_join(late[i].thread, NULL);
	for (i = 0; i < 8; i++) {
		if (i == 6)
			continue;
		assert_int_equal(late[i].ret, -ETIMEDOUT);
		if (!says(late[i].text, "rank 6 node 0,1,1 group 0"))
			fail_msg("rank %u: %s", i, late[i].text);
	}
	/* rank 6 starts alone, times out, and is restarted */
	job.timeout_ms = 100;
	late_start(&late[6], &fake, 6, 0, &job);
	pthread_join(late[6].thread, NULL);
	assert_int_equal(late[6].ret, -ETIMEDOUT);
	job.timeout_ms = 60000;
	for (i = 0; i < 8; i++)
		late_start(&late[i], &fake, i, i * 10000, &job);
	late_all(late, 8);
	fake_stop(&fake);
}

static void test_missing_drop(void **state)
{
	missing(false);
}

static void test_missing_hold(void **state)
{
	missing(true);
}

/* A process times out and is restarted while others wait. */
static void test_started_again(void **state)
{
	struct torus_job_config job = { .key = KEY, .timeout_ms = 60000 };
	struct fake_config config = machine;
	struct late late[8], again;
	struct fake fake;
	unsigned int i;

	config.nodes = 8;
	config.dims[0] = 2;
	config.dims[1] = 2;
	config.dims[2] = 2;
	fake_start(&fake, &config);
	fake.node[7].absent = true;
	fake_run(&fake);
	for (i = 0; i < 7; i++)
		if (i != 1)
			late_start(&late[i], &fake, i, 0, &job);
	/* rank 1, which has children, is started three times */
	for (i = 0; i < 2; i++) {
		job.timeout_ms = 150;
		late_start(&again, &fake, 1, 0, &job);
		pthread_join(again.thread, NULL);
		assert_int_equal(again.ret, -ETIMEDOUT);
	}
	job.timeout_ms = 60000;
	late_start(&late[1], &fake, 1, 0, &job);
	late_start(&late[7], &fake, 7, 100000, &job);
	late_all(late, 8);
	fake_stop(&fake);
}

/* A process starts after the job has begun with another process of the same rank. */
static void test_too_late(void **state)
{
	static const struct torus_member members[2] = { { .node = 0 }, { .node = 1 } };
	const struct torus_job_config config = { .key = KEY, .members = members, .count = 2 };
	struct fake_config fabric = machine;
	struct torus_job *job;
	struct late late;
	struct fake fake;
	unsigned int waits = 0;

	fabric.nodes = 2;
	fabric.dims[0] = 2;
	fabric.dims[1] = 1;
	fabric.dims[2] = 1;
	fake_start(&fake, &fabric);
	fake_run(&fake);
	late_start(&late, &fake, 1, 0, &config);
	assert_int_equal(torus_job_open(&job, fake.node[0].context, &config), 0);
	assert_int_equal(torus_message_send(job, 1, 1, &waits, 4), 0);
	assert_int_equal(torus_message_receive(job, 1, 1, &waits, 4, NULL, 60000), 0);
	assert_int_equal(torus_job_barrier(job, 60000), 0);
	pthread_join(late.thread, NULL);
	assert_int_equal(late.ret, 0);

	late_start(&late, &fake, 1, 0, &config);
	for (waits = 0; waits < 700 && !__atomic_load_n(&late.ret, __ATOMIC_RELAXED); waits++)
		torus_message_probe(job, 1, 1, NULL, 10);
	pthread_join(late.thread, NULL);
	assert_int_equal(late.ret, -ECONNREFUSED);
	assert_says(late.text, "rank 0 node 0,0,0 group job");
	torus_job_close(job);
	fake_stop(&fake);
}

/* ------------------------------------------------------------------- the environment */

static void environment(const char *rank, const char *size, const char *key,
			const char *members)
{
	setenv("TORUS_FABRIC", "t", 1);
	setenv("TORUS_NODE", "1", 1);
	setenv("TORUS_RANK", rank, 1);
	setenv("TORUS_SIZE", size, 1);
	setenv("TORUS_KEY", key, 1);
	unsetenv("TORUS_GROUP");
	unsetenv("TORUS_TIMEOUT");
	unsetenv("TORUS_VIEW");
	unsetenv("TORUS_DEAD");
	unsetenv("TORUS_MEMBERS");
	if (members)
		setenv("TORUS_MEMBERS", members, 1);
}

static void refused(const char *words)
{
	struct torus_context *context;
	struct torus_job *job;

	assert_int_equal(torus_job_init(&job, &context, NULL), -EINVAL);
	if (!says(torus_error_text(), words))
		fail_msg("\"%s\" instead of \"%s\"", torus_error_text(), words);
}

static void test_environment(void **state)
{
	static const struct torus_attach_config nowhere = { .device = "/nonexistent" };
	const struct torus_job_options options = { .attach = &nowhere };
	struct torus_context *context;
	struct torus_job *job;
	char list[32] = "/tmp/torus-members-XXXXXX", file[40];
	int fd;

	environment("0", "2", "7", NULL);
	unsetenv("TORUS_FABRIC");
	refused("TORUS_FABRIC");
	environment("0", "2", "7", NULL);
	setenv("TORUS_NODE", "", 1);
	refused("TORUS_NODE empty");
	environment("2", "2", "7", NULL);
	refused("TORUS_RANK 2 0 1");
	environment("-1", "2", "7", NULL);
	refused("TORUS_RANK -1");
	environment("0", "zwei", "7", NULL);
	refused("TORUS_SIZE zwei 1 16777216");
	environment("0", "2", "0", NULL);
	refused("TORUS_KEY 0 1 4294967295");
	environment("0", "2", "0x100000000", NULL);
	refused("TORUS_KEY 0x100000000");
	environment("0", "2", "7", NULL);
	setenv("TORUS_TIMEOUT", "soon", 1);
	refused("TORUS_TIMEOUT soon second");
	environment("0", "2", "7", NULL);
	setenv("TORUS_VIEW", "2x", 1);
	refused("TORUS_VIEW 2x 10");
	setenv("TORUS_VIEW", "2x0", 1);
	refused("TORUS_VIEW 2x0");
	setenv("TORUS_VIEW", "1x1x1x1x1x1x1x1x1x1x1", 1);
	refused("TORUS_VIEW 1x1x1x1x1x1x1x1x1x1x1");
	environment("0", "2", "7", NULL);
	setenv("TORUS_DEAD", "12/x+ 3/y-/down 4/w+", 1);
	refused("TORUS_DEAD 4/w+ NODE/DIR");
	setenv("TORUS_DEAD", "12/x+/up", 1);
	refused("TORUS_DEAD 12/x+/up");
	setenv("TORUS_DEAD", "12", 1);
	refused("TORUS_DEAD 12");
	/* not node 0 */
	setenv("TORUS_DEAD", "4294967296/x+", 1);
	refused("TORUS_DEAD 4294967296/x+");
	environment("0", "2", "7", NULL);
	setenv("TORUS_GROUP", "1x", 1);
	refused("TORUS_GROUP 1x");
	environment("0", "2", "7", "1 2 3");
	refused("TORUS_MEMBERS 3 TORUS_SIZE 2");
	environment("0", "2", "7", "1 2/x");
	refused("2/x rank 1 NODE/GROUP");
	environment("0", "2", "7", "1 0,1,2");
	refused("0,1,2 rank 1");
	environment("0", "2", "7", "@/nonexistent");
	assert_int_equal(torus_job_init(&job, &context, NULL), -ENOENT);
	assert_says(torus_error_text(), "TORUS_MEMBERS @/nonexistent");

	/* valid variables: the call fails only at the device */
	environment("0", "2", "0xFFFFFFFF", "1 2/1");
	setenv("TORUS_TIMEOUT", "0.5", 1);
	setenv("TORUS_VIEW", "", 1);
	setenv("TORUS_DEAD", "12/x+ 3/y-/down", 1);
	assert_int_equal(torus_job_init(&job, &context, &options), -ENOENT);
	assert_says(torus_error_text(), "/nonexistent");
	fd = mkstemp(list);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "1\n2/1\n", 6), 6);
	close(fd);
	snprintf(file, sizeof(file), "@%s", list);
	environment("0", "2", "7", file);
	assert_int_equal(torus_job_init(&job, &context, &options), -ENOENT);
	assert_says(torus_error_text(), "/nonexistent");
	unlink(list);
}

/* The environment of a process that mpirun has started. */
static void mpi_environment(const char *rank, const char *members)
{
	environment("0", "2", "7", members);
	unsetenv("TORUS_NODE");
	unsetenv("TORUS_RANK");
	unsetenv("TORUS_SIZE");
	unsetenv("TORUS_KEY");
	setenv("OMPI_COMM_WORLD_RANK", rank, 1);
	setenv("PMIX_NAMESPACE", "job 1", 1);
}

static void test_mpi_environment(void **state)
{
	static const struct torus_attach_config nowhere = { .device = "/nonexistent" };
	const struct torus_job_options options = { .attach = &nowhere };
	struct torus_context *context;
	struct torus_job *job;
	const char *name;
	uint32_t key, other, rank;

	mpi_environment("2", "1 2");
	refused("OMPI_COMM_WORLD_RANK 2 TORUS_MEMBERS 2 entries");
	mpi_environment("1", "1 2/x");
	refused("2/x rank 1 NODE/GROUP");
	mpi_environment("1", " ");
	refused("TORUS_MEMBERS 0 entries");
	mpi_environment("1", "1 2");
	setenv("TORUS_SIZE", "3", 1);
	refused("TORUS_MEMBERS 2 TORUS_SIZE 3");
	mpi_environment("1", "1 2");
	unsetenv("PMIX_NAMESPACE");
	refused("TORUS_KEY not set");
	/* without a list, a rank alone is no place */
	mpi_environment("1", NULL);
	refused("TORUS_NODE not set mpirun TORUS_MEMBERS");
	mpi_environment("first", "1 2");
	refused("TORUS_NODE not set");

	mpi_environment("1", "1 2/1");
	assert_int_equal(torus_job_init(&job, &context, &options), -ENOENT);
	assert_says(torus_error_text(), "/nonexistent");
	assert_true(torus_mpi_rank(&name, &rank) && torus_mpi_key(&key));
	assert_int_equal(rank, 1);
	assert_string_equal(name, "OMPI_COMM_WORLD_RANK");
	setenv("PMIX_NAMESPACE", "job 2", 1);
	assert_true(torus_mpi_key(&other) && other != key && key && other);
	unsetenv("OMPI_COMM_WORLD_RANK");
	unsetenv("PMIX_NAMESPACE");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_order_drop),
		cmocka_unit_test(test_any_order_hold),
		cmocka_unit_test(test_any_order_wild),
		cmocka_unit_test(test_two_apart),
		cmocka_unit_test(test_missing_drop),
		cmocka_unit_test(test_missing_hold),
		cmocka_unit_test(test_started_again),
		cmocka_unit_test(test_too_late),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_mpi_environment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
