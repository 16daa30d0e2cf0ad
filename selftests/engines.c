// SPDX-License-Identifier: GPL-2.0
/*
 * The four engines (TNIs) of a Tofu node at once, in simulated time: their bandwidth, gets beyond
 * the capacity of an engine, and gets of programs that leave.
 */
#include "memory.h"
#include "kselftest_harness.h"

#define FABRIC	"enginestest"
#define ENGINES	4
#define BYTES	200000

/* Neighbours of node 0 along x, z, a and c in 3x3x3 groups: the paths to them share no link. */
static const __u32 peers[ENGINES] = { 12, 108, 1, 6 };

/*
 * Create a Tofu fabric. @stands: use virtual time, which stops while the fabric's only program does
 * not wait.
 */
static int tofu_add(bool stands)
{
	struct torus_nl_param params[] = {
		{ .key = "time", .text = "virtual", .is_text = true },
		{ .key = "programs", .value = 1 },
	};
	const struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "tofu", .ndims = 3, .dims = { 3, 3, 3 },
		.params = params, .nparams = stands ? 2 : 0,
	};

	fabric_del(FABRIC);
	return nl_with(ask_add, &spec, NULL, 0);
}

/* Move BYTES to or from each peer with @engines engines. Return: the ticks, or 0 on failure. */
static __u64 moved(__u32 op, __u32 engines)
{
	static unsigned char near[ENGINES][BYTES], far[ENGINES][BYTES];
	struct torus_context *own, *peer[ENGINES];
	struct torus_tofu_notice notice;
	__u64 begun, at, last = 0;
	__u32 i, k, good = 0;

	memset(op == TORUS_TOFU_PUT ? far : near, 0, sizeof(far));
	for (i = 0; i < ENGINES; i++)
		for (k = 0; k < BYTES; k++)
			(op == TORUS_TOFU_PUT ? near : far)[i][k] = (unsigned char)(k * 7 + i + 1);
	if (tofu_add(true) || torus_context_attach(&own, FABRIC, 0, NULL))
		return 0;
	begun = torus_context_clock(own);
	for (i = 0; i < ENGINES; i++) {
		__u32 fifo = i % engines;
		struct torus_tofu_command c = {
			.op = (__u8)op, .flags = TORUS_TOFU_TELL_LOCAL, .length = BYTES,
			.peer_engine = (__u8)i,
		};

		if (torus_context_attach(&peer[i], FABRIC, peers[i], NULL))
			return 0;
		c.local = stadd_by(own, fifo, near[i], BYTES, 0, 0);
		c.remote = stadd_by(peer[i], i, far[i], BYTES, 0, 0);
		good += !post_by(own, fifo, peers[i], &c);
	}
	for (i = 0; i < ENGINES; i++) {
		good += !next_notice(own,
				     op == TORUS_TOFU_PUT ? TORUS_TOFU_LCL_PUT : TORUS_TOFU_LCL_GET,
				     &notice);
		if (torus_receive_arrived(own, TORUS_FIFO_ANY, &at))
			return 0;
		last = at > last ? at : last;
	}
	for (i = 0; i < ENGINES; i++) {
		good += !memcmp(near[i], far[i], BYTES);
		torus_context_detach(peer[i]);
	}
	torus_context_detach(own);
	fabric_del(FABRIC);
	return good == 3 * ENGINES ? last - begun : 0;
}

/* Four engines on disjoint paths move data at least 3.5 times as fast as one engine. */
static void compared(struct __test_metadata *_metadata, const char *name, __u32 op)
{
	__u64 one = moved(op, 1), four = moved(op, ENGINES);

	ASSERT_NE(0, one);
	ASSERT_NE(0, four);
	TH_LOG("%s of %u bytes with each of four: %llu ticks by one engine, %llu by four: "
	       "%llu.%02llu times",
	       name, BYTES, one, four, one / four, one * 100 / four % 100);
	EXPECT_GE(2 * one, 7 * four);
}

TEST(put_by_four)
{
	compared(_metadata, "puts", TORUS_TOFU_PUT);
}

TEST(get_by_four)
{
	compared(_metadata, "gets", TORUS_TOFU_GET);
}

#define KEPT	TORUS_TOFU_GETS
#define EACH	20000u		/* bytes of a get */

/*
 * Post TORUS_TOFU_GETS gets, the capacity of an engine, on each of four engines.
 * @apart: address a different peer engine from each engine, instead of engine 0 for all
 */
static int post_gets(struct torus_context *own, unsigned char *at, __u32 length, __u32 node,
		     const __u64 *remote, bool apart)
{
	__u32 i, fifo;

	for (fifo = 0; fifo < ENGINES; fifo++) {
		struct torus_tofu_command c = {
			.op = TORUS_TOFU_GET, .flags = TORUS_TOFU_TELL_LOCAL, .length = length,
			.peer_engine = apart ? (__u8)fifo : 0, .remote = remote[apart ? fifo : 0],
		};

		c.local = stadd_by(own, fifo, at, length, 0, 0);
		for (i = 0; i < KEPT; i++)
			if (post_by(own, fifo, node, &c))
				return -1;
	}
	return 0;
}

/*
 * Post gets with four engines in virtual time, so that all requests arrive at the peer's engine
 * before more than a few gets complete.
 */
TEST(get_too_much)
{
	static unsigned char near[EACH], far[EACH];
	struct torus_context *own, *peer;
	struct torus_tofu_notice notice;
	__u32 i, kept = 0, busy = 0;
	__u64 remote;

	memset(far, 1, sizeof(far));
	ASSERT_EQ(0, tofu_add(true));
	ASSERT_EQ(0, torus_context_attach(&own, FABRIC, 0, NULL));
	ASSERT_EQ(0, torus_context_attach(&peer, FABRIC, peers[0], NULL));
	remote = stadd_by(peer, 0, far, EACH, 0, 0);
	ASSERT_EQ(0, post_gets(own, near, EACH, peers[0], &remote, false));
	for (i = 0; i < ENGINES * KEPT; i++) {
		switch (next_notice(own, TORUS_TOFU_LCL_GET, &notice)) {
		case TORUS_TOFU_FINE:
			kept++;
			break;
		case TORUS_TOFU_BUSY:
			busy += notice.remote_code;
			break;
		}
	}
	/* a few gets may complete while requests arrive */
	EXPECT_EQ(ENGINES * KEPT, kept + busy);
	EXPECT_GE(KEPT + 4, kept);
	EXPECT_LE(KEPT, kept);
	EXPECT_EQ(0, memcmp(near, far, EACH));
	torus_context_detach(peer);
	torus_context_detach(own);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/*
 * A program posts gets of nearly 16 MiB each, nearly 4 GiB in all, and leaves, several times. A get
 * of another program then takes as long as on an idle fabric, plus a few packets.
 */
TEST(get_and_leave)
{
	const __u32 longest = TORUS_TOFU_LENGTH_MAX;
	unsigned char *near = shared_alloc(longest), *far = shared_alloc(longest), small[8];
	struct torus_context *own, *peer, *other;
	struct torus_tofu_notice notice;
	struct torus_tofu_command c = {
		.op = TORUS_TOFU_GET, .flags = TORUS_TOFU_TELL_LOCAL, .length = sizeof(small),
	};
	__u64 remote[ENGINES], begun, at;
	__u32 i;

	ASSERT_EQ(0, tofu_add(false));
	ASSERT_EQ(0, torus_context_attach(&peer, FABRIC, 0, NULL));
	for (i = 0; i < ENGINES; i++)
		remote[i] = stadd_by(peer, i, far, longest, 0, 0);
	ASSERT_EQ(0, torus_context_attach(&own, FABRIC, peers[1], NULL));
	for (i = 0; i < 5; i++) {
		ASSERT_EQ(0, torus_context_attach(&other, FABRIC, peers[0], NULL));
		ASSERT_EQ(0, post_gets(other, near, longest, 0, remote, true));
		torus_context_detach(other);
	}
	c.local = stadd_by(own, 0, small, sizeof(small), 0, 0);
	c.remote = remote[0];
	begun = torus_context_clock(own);
	ASSERT_EQ(0, post_by(own, 0, 0, &c));
	ASSERT_EQ(0, next_notice(own, TORUS_TOFU_LCL_GET, &notice));
	ASSERT_EQ(0, torus_receive_arrived(own, TORUS_FIFO_ANY, &at));
	TH_LOG("the get took %llu ticks", at - begun);
	EXPECT_GT(50000, at - begun);
	torus_context_detach(own);
	torus_context_detach(peer);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

TEST_HARNESS_MAIN
