// SPDX-License-Identifier: GPL-2.0
/* Test the counters of a job's ranks: sums, the key, and a rank that is killed. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "../rank_traffic.h"

#define KEY	0xdeadc0deu
#define RANKS	1000u		/* in several pages */

static int start(void)
{
	char path[64];
	int fd = torus_rank_traffic_open(KEY, RANKS);

	assert_true(fd >= 0);
	torus_rank_traffic_path(fd, path, sizeof(path));
	assert_int_equal(setenv(TORUS_TRAFFIC_VARIABLE, path, 1), 0);
	return fd;
}

static void test_sum(void **state)
{
	struct torus_rank_traffic *traffic, sum;
	int fd = start();
	uint32_t rank;

	for (rank = 0; rank < RANKS; rank++) {
		traffic = torus_rank_traffic_map(KEY, rank);
		assert_non_null(traffic);
		assert_int_equal(traffic->messages, 0);
		traffic->messages += rank;
		traffic->bytes += 1ull << 32;
		torus_rank_traffic_unmap(traffic);
	}
	assert_true(torus_rank_traffic_sum(fd, RANKS, &sum));
	assert_int_equal(sum.messages, RANKS * (RANKS - 1) / 2);
	assert_int_equal(sum.bytes, (uint64_t)RANKS << 32);
	assert_false(torus_rank_traffic_sum(fd, RANKS + 1, &sum));
	close(fd);
}

/* Ranks of another job, and programs without torus-run, count nothing. */
static void test_others(void **state)
{
	int fd = start();

	assert_null(torus_rank_traffic_map(KEY + 1, 0));
	assert_null(torus_rank_traffic_map(KEY, RANKS));
	setenv(TORUS_TRAFFIC_VARIABLE, "/dev/null", 1);
	assert_null(torus_rank_traffic_map(KEY, 0));
	setenv(TORUS_TRAFFIC_VARIABLE, "", 1);
	assert_null(torus_rank_traffic_map(KEY, 0));
	unsetenv(TORUS_TRAFFIC_VARIABLE);
	assert_null(torus_rank_traffic_map(KEY, 0));
	torus_rank_traffic_unmap(NULL);
	close(fd);
}

static void test_killed(void **state)
{
	struct torus_rank_traffic sum;
	int fd = start(), status;
	pid_t child = fork();

	if (!child) {
		struct torus_rank_traffic *traffic = torus_rank_traffic_map(KEY, 7);

		if (traffic)
			*traffic = (struct torus_rank_traffic){ .messages = 3, .bytes = 5 };
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(torus_rank_traffic_sum(fd, RANKS, &sum));
	assert_int_equal(sum.messages, 3);
	assert_int_equal(sum.bytes, 5);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_killed),
	};

	return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
