// SPDX-License-Identifier: GPL-2.0
/* Memory limits of control groups, read from /proc and /sys in a temporary directory. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/tests/rig.h"
#include "../base/cgroup.h"

#define UNLIMITED	(~0ull)
#define V2	"30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
#define V1	"36 30 0:33 / /sys/fs/cgroup/memory rw shared:15 - cgroup cgroup rw,memory\n" \
		"37 30 0:34 / /sys/fs/cgroup/cpu rw shared:16 - cgroup cgroup rw,cpu\n"

static char root[] = "/tmp/test_sim_cgroup.XXXXXX";

/* Write a file below the temporary directory, and create its directories. */
static void put(const char *path, const char *text)
{
	char name[PATH_MAX], *slash;
	FILE *file;

	snprintf(name, sizeof(name), "%s%s", root, path);
	for (slash = name + sizeof(root); (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(name, 0777);
		*slash = '/';
	}
	file = fopen(name, "w");
	assert_non_null(file);
	assert_int_equal(fputs(text, file) < 0, 0);
	assert_int_equal(fclose(file), 0);
}

/* Write a group's limit, use and page cache as files of version 2. */
static void group_v2(const char *path, const char *limit, const char *used, const char *cache)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "/sys/fs/cgroup%s/memory.max", path);
	put(name, limit);
	snprintf(name, sizeof(name), "/sys/fs/cgroup%s/memory.current", path);
	put(name, used);
	snprintf(name, sizeof(name), "/sys/fs/cgroup%s/memory.stat", path);
	put(name, cache);
}

/* Write a group's limit, use and page cache as files of version 1. */
static void group_v1(const char *path, const char *limit, const char *used, const char *cache)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "/sys/fs/cgroup/memory%s/memory.limit_in_bytes", path);
	put(name, limit);
	snprintf(name, sizeof(name), "/sys/fs/cgroup/memory%s/memory.usage_in_bytes", path);
	put(name, used);
	snprintf(name, sizeof(name), "/sys/fs/cgroup/memory%s/memory.stat", path);
	put(name, cache);
}

static int set_up(void **state)
{
	strcpy(strrchr(root, '.'), ".XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
	char command[sizeof(root) + 16];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static void test_cgroup_none(void **state)
{
	assert_true(sim_cgroup_available(root) == UNLIMITED);
	put("/proc/self/cgroup", "0::/\n");
	put("/proc/self/mountinfo", V2);
	assert_true(sim_cgroup_available(root) == UNLIMITED);
}

static void test_cgroup_own_limit(void **state)
{
	put("/proc/self/cgroup", "0::/a\n");
	put("/proc/self/mountinfo", V2);
	group_v2("/a", "1000\n", "400\n", "anon 300\nfile 50\n");
	assert_int_equal(sim_cgroup_available(root), 650);
	group_v2("/a", "max\n", "400\n", "file 50\n");
	assert_true(sim_cgroup_available(root) == UNLIMITED);
	group_v2("/a", "300\n", "400\n", "file 50\n");
	assert_int_equal(sim_cgroup_available(root), 50);
}

/* Limits of a parent and of a grandparent apply to their descendants. */
static void test_cgroup_parent_limit(void **state)
{
	put("/proc/self/cgroup", "0::/a/b/c\n");
	put("/proc/self/mountinfo", V2);
	group_v2("/a/b/c", "max\n", "10\n", "file 0\n");
	group_v2("/a/b", "1000\n", "400\n", "file 0\n");
	group_v2("/a", "max\n", "400\n", "file 0\n");
	assert_int_equal(sim_cgroup_available(root), 600);
	group_v2("/a", "700\n", "400\n", "file 0\n");
	assert_int_equal(sim_cgroup_available(root), 300);
}

static void test_cgroup_version_1(void **state)
{
	put("/proc/self/cgroup", "5:cpu:/x\n4:hugetlb,memory:/a/b\n0::/\n");
	put("/proc/self/mountinfo", V1);
	group_v1("/a/b", "9223372036854771712\n", "400\n", "cache 7\ntotal_cache 5\n");
	assert_true(sim_cgroup_available(root) > 1ull << 62);
	group_v1("/a/b", "1000\n", "400\n", "cache 7\ntotal_cache 5\n");
	assert_int_equal(sim_cgroup_available(root), 605);
	group_v1("/a", "500\n", "450\n", "total_cache 5\n");
	assert_int_equal(sim_cgroup_available(root), 55);
}

/* In a container, the mount shows a subtree, but /proc uses the host's names. */
static void test_cgroup_container(void **state)
{
	put("/proc/self/cgroup", "4:memory:/docker/abc/x\n");
	put("/proc/self/mountinfo", "36 30 0:33 /docker/abc /sys/fs/cgroup/memory rw - "
	    "cgroup cgroup rw,memory\n");
	group_v1("", "1000\n", "100\n", "total_cache 0\n");
	group_v1("/x", "600\n", "100\n", "total_cache 0\n");
	assert_int_equal(sim_cgroup_available(root), 500);
	/* The group is outside the mounted subtree: only the limit at the mount point applies. */
	put("/proc/self/cgroup", "4:memory:/../other\n");
	assert_int_equal(sim_cgroup_available(root), 900);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_cgroup_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cgroup_own_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cgroup_parent_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cgroup_version_1, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_cgroup_container, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
