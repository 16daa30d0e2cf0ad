// SPDX-License-Identifier: GPL-2.0
/* Uploads of pair lists are transactions: a workload uses a complete list, or is rejected. */
#include "device.h"
#include "../user/netlink/traffic.h"
#include "kselftest_harness.h"

#define FABRIC	"tabletest"

static const __u32 shape[3] = { 4, 4, 4 };

FIXTURE(table)
{
	struct torus_nl *nl;
};

FIXTURE_SETUP(table)
{
	fabric_del(FABRIC);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	self->nl = torus_nl_new();
	ASSERT_NE(NULL, self->nl);
	ASSERT_EQ(0, torus_nl_connect(self->nl));
}

FIXTURE_TEARDOWN(table)
{
	torus_nl_free(self->nl);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

static int begin_on(struct torus_nl *nl, const char *fabric, __u64 count)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_TRAFFIC_PAIRS, fabric);

	nla_put_u64(msg, TORUS_A_VALUE, count);
	return torus_nl_do(nl, msg, NULL, NULL);
}

static int begin(struct torus_nl *nl, __u64 count)
{
	return begin_on(nl, FABRIC, count);
}

static int add_bytes(struct torus_nl *nl, const void *pairs, size_t bytes)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_TRAFFIC_PAIRS, FABRIC);

	nla_put(msg, TORUS_A_PAIRS, (int)bytes, pairs);
	return torus_nl_do(nl, msg, NULL, NULL);
}

static int add(struct torus_nl *nl, __u32 src, __u32 dst, __u32 weight)
{
	const struct torus_pair pair = { .src = src, .dst = dst, .weight = weight };

	return add_bytes(nl, &pair, sizeof(pair));
}

static int run(struct torus_nl *nl)
{
	const struct torus_traffic traffic = {
		.pattern = TORUS_PATTERN_TABLE, .size_min = 256, .size_max = 256, .packets = 10,
	};

	return torus_nl_traffic_start(nl, FABRIC, &traffic, NULL);
}

/* Wait until the workload has finished. Return: the number of packets delivered. */
static __u64 delivered(struct torus_nl *nl)
{
	struct torus_nl_progress progress;
	double until = now_s() + WAIT_MS / 1000;

	do {
		if (torus_nl_traffic_get(nl, FABRIC, &progress))
			return 0;
	} while (!progress.done && now_s() < until);
	return progress.result.delivered;
}

/* Return: true if the error message of the last request contains each of @words. */
static bool said(struct torus_nl *nl, const char *words)
{
	if (says(torus_nl_error(nl), words))
		return true;
	fprintf(stderr, "# got: %s\n", torus_nl_error(nl));
	return false;
}

TEST_F(table, whole)
{
	ASSERT_EQ(0, begin(self->nl, 2));
	ASSERT_EQ(0, add(self->nl, 0, 1, 1));
	ASSERT_EQ(0, add(self->nl, 5, 60, 7));
	ASSERT_EQ(0, run(self->nl));
	EXPECT_EQ(20, delivered(self->nl));
	/* a list can be used once */
	EXPECT_EQ(-ENOENT, run(self->nl));
	EXPECT_TRUE(said(self->nl, "table"));
}

TEST_F(table, not_whole)
{
	ASSERT_EQ(0, begin(self->nl, 2));
	ASSERT_EQ(0, add(self->nl, 0, 1, 1));
	EXPECT_EQ(-ENODATA, run(self->nl));
	EXPECT_TRUE(said(self->nl, "table 1 2 pair"));
	/* adding the missing pair completes the list */
	ASSERT_EQ(0, add(self->nl, 1, 0, 1));
	ASSERT_EQ(0, run(self->nl));
	EXPECT_EQ(20, delivered(self->nl));
}

TEST_F(table, too_many)
{
	EXPECT_EQ(-ERANGE, begin(self->nl, 0));
	EXPECT_EQ(-ERANGE, begin(self->nl, TORUS_PAIRS_MAX + 1ull));
	EXPECT_EQ(-ERANGE, begin(self->nl, 1ull << 60));
	EXPECT_TRUE(said(self->nl, "1 4194304"));
	ASSERT_EQ(0, begin(self->nl, 1));
	ASSERT_EQ(0, add(self->nl, 0, 1, 1));
	EXPECT_EQ(-ERANGE, add(self->nl, 1, 0, 1));
	EXPECT_TRUE(said(self->nl, "table 1"));
	/* the error has ended the transaction */
	EXPECT_EQ(-ENOENT, run(self->nl));
}

TEST_F(table, bad_pairs)
{
	char half[24] = "";

	EXPECT_EQ(-ENOENT, add(self->nl, 0, 1, 1));
	ASSERT_EQ(0, begin(self->nl, 2));
	EXPECT_EQ(-EINVAL, add_bytes(self->nl, half, sizeof(half)));
	EXPECT_TRUE(said(self->nl, "PAIRS 24 16"));
	ASSERT_EQ(0, add(self->nl, 0, 1, 1));
	EXPECT_EQ(-EINVAL, add(self->nl, 0, 64, 1));
	EXPECT_TRUE(said(self->nl, "pair 1 node 64 0 63"));
	/* errors that only the complete list reveals */
	ASSERT_EQ(0, begin(self->nl, 2));
	ASSERT_EQ(0, add(self->nl, 3, 4, 1));
	ASSERT_EQ(0, add(self->nl, 3, 4, 2));
	EXPECT_EQ(-EINVAL, run(self->nl));
	EXPECT_TRUE(said(self->nl, "3 4"));
	ASSERT_EQ(0, begin(self->nl, 1));
	ASSERT_EQ(0, add(self->nl, 3, 4, 0));
	EXPECT_EQ(-ERANGE, run(self->nl));
	EXPECT_TRUE(said(self->nl, "weight 0 3 4"));
}

TEST_F(table, replaced)
{
	struct torus_nl *other = torus_nl_new();

	ASSERT_EQ(0, torus_nl_connect(other));
	ASSERT_EQ(0, begin(self->nl, 1));
	ASSERT_EQ(0, add(self->nl, 0, 1, 1));
	/* another socket can neither use the list nor add to it */
	EXPECT_EQ(-ENOENT, run(other));
	EXPECT_EQ(-ENOENT, add(other, 0, 1, 1));
	/* but another socket can replace the list */
	ASSERT_EQ(0, begin(other, 3));
	EXPECT_EQ(-ENOENT, run(self->nl));
	EXPECT_EQ(-ENOENT, add(self->nl, 0, 1, 1));
	ASSERT_EQ(0, begin(self->nl, 1));
	ASSERT_EQ(0, add(self->nl, 0, 2, 1));
	ASSERT_EQ(0, run(self->nl));
	EXPECT_EQ(10, delivered(self->nl));
	torus_nl_free(other);
}

/* Closing a socket frees its list and the memory that counts toward max_bytes. */
TEST_F(table, closed)
{
	struct torus_nl *other = torus_nl_new();
	char before[32];

	ASSERT_EQ(0, torus_nl_connect(other));
	fabric_del("tabletest2");
	ASSERT_EQ(0, fabric_add("tabletest2", shape, NULL, 0));
	/* a pair takes 64 bytes: the limit allows one of the two lists */
	ASSERT_TRUE(module_parameter("max_bytes", "100000000", before, sizeof(before)));
	EXPECT_EQ(0, begin_on(other, "tabletest2", 1 << 20));
	EXPECT_EQ(-ENOSPC, begin(self->nl, 1 << 20));
	EXPECT_TRUE(said(self->nl, "max_bytes"));
	torus_nl_free(other);
	EXPECT_EQ(0, begin(self->nl, 1 << 20));
	/* the second list replaces the first */
	EXPECT_EQ(0, begin(self->nl, 1 << 20));
	EXPECT_TRUE(module_parameter("max_bytes", before, NULL, 0));
	EXPECT_EQ(0, fabric_del("tabletest2"));
}

TEST_F(table, deleted)
{
	ASSERT_EQ(0, begin(self->nl, 1000));
	ASSERT_EQ(0, fabric_del(FABRIC));
	EXPECT_EQ(-ENOENT, add(self->nl, 0, 1, 1));
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	EXPECT_EQ(-ENOENT, add(self->nl, 0, 1, 1));
}

TEST_HARNESS_MAIN
