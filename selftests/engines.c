// SPDX-License-Identifier: GPL-2.0
/* Tofu's four engines of a node at once, in the fabric's time. */
#include "memory.h"
#include "kselftest_harness.h"

#define FABRIC	"enginestest"
#define ENGINES	4
#define BYTES	200000

/* Along x, z, a and c of node 0 in 3x3x3 groups: no two ways share a link. */
static const __u32 peers[ENGINES] = { 12, 108, 1, 6 };

/* A fabric whose time stands while its one program is not waiting. */
static int tofu_add(void)
{
	struct torus_nl_param params[] = {
		{ .key = "time", .text = "virtual", .is_text = true },
		{ .key = "programs", .value = 1 },
	};
	const struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "tofu", .ndims = 3, .dims = { 3, 3, 3 },
		.params = params, .nparams = 2,
	};

	fabric_del(FABRIC);
	return nl_with(ask_add, &spec, NULL, 0);
}

/* Ticks in which so many engines move BYTES to or from each peer; 0: they do not. */
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
	if (tofu_add() || torus_context_attach(&own, FABRIC, 0, NULL))
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
		good += !told(own, op == TORUS_TOFU_PUT ? TORUS_TOFU_LCL_PUT : TORUS_TOFU_LCL_GET,
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

/* Four engines on disjoint ways do at least 3.5 times what one does, each way. */
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

TEST_HARNESS_MAIN
