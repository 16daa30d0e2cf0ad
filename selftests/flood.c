// SPDX-License-Identifier: GPL-2.0
/*
 * Limits of a user's packets and notices. Packets to programs that do not read wait in the senders'
 * rings when max_bytes is reached, and unread notices are limited. The fabric does not fail, other
 * programs on it continue, and the counted memory is the allocated memory.
 */
#include <signal.h>
#include <torus/torus.h>
#include "kernel_file.h"
#include "memory.h"
#include "vtime.h"
#include "kselftest_harness.h"

#define FABRIC		"flood"
#define FLOODERS	32u
#define SLACK_KIB	6000		/* memory that the rest of the system may take meanwhile */
#define REST_MS		2000		/* a flood ends after this time without progress */
#define FLOOD_S		60		/* and after this time in any case */
#define STRANGER	65534
#define PACKETS		100
#define NOTICES		6000u
/* notices that may wait before operations of other programs fail */
#define NOTICES_MOST	3072u
#define BYTES		64u

FIXTURE(flood)
{
	char kept[32];
};

FIXTURE_VARIANT(flood)
{
	const char *shape;
	/* nodes of programs that continue; the flood does not use their links */
	__u32 from, to;
	__u32 bytes;		/* bytes per packet */
	enum torus_route route;	/* route of the flood's packets */
	__u32 floods;		/* nodes 0 to floods - 1 send the flood */
	__u32 left;		/* free bytes of max_bytes when the flood starts */
	__u32 owed;		/* part of @left that is reserved for packets to other domains */
};

FIXTURE_VARIANT_ADD(flood, bgl)
{
	.shape = "arch bgl shape 4x4x4", .from = 63, .to = 59, .bytes = 32, .floods = 32,
	.left = 4 << 20,
};

FIXTURE_VARIANT_ADD(flood, bgl_domains)
{
	.shape = "arch bgl shape 4x4x4 domains 2", .from = 63, .to = 59, .bytes = 32,
	.floods = 32, .left = 4 << 20, .owed = 2 << 20,
};

FIXTURE_VARIANT_ADD(flood, xt)
{
	.shape = "arch xt shape 4x4x4", .from = 63, .to = 59, .bytes = 16, .floods = 32,
	.route = TORUS_ROUTE_ORDERED, .left = 2 << 20,
};

FIXTURE_VARIANT_ADD(flood, tofu)
{
	.shape = "arch tofu shape 3x1x1", .from = 35, .to = 35, .bytes = 32, .floods = 16,
	.route = TORUS_ROUTE_ORDERED, .left = 24 << 20,
};

FIXTURE_SETUP(flood)
{
	char command[160];

	fabric_del(FABRIC);
	snprintf(command, sizeof(command), "torusctl fabric add " FABRIC " %s", variant->shape);
	ASSERT_EQ(0, system(command));
	ASSERT_TRUE(module_parameter("max_bytes", "0", self->kept, sizeof(self->kept)));
}

FIXTURE_TEARDOWN(flood)
{
	EXPECT_TRUE(module_parameter("max_bytes", self->kept, NULL, 0));
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/*
 * Return: used bytes of max_bytes, from the error message for a fabric that is too large; 0 if that
 * fabric is not rejected.
 */
static unsigned long long taken(void)
{
	const struct torus_nl_fabric_spec spec = {
		.name = "floodlarge", .arch = "bgl", .ndims = 3, .dims = { 256, 256, 16 },
	};
	unsigned long long bytes;
	char words[256] = "";

	nl_with(ask_add, &spec, words, sizeof(words));
	bytes = number_before(words, "max_bytes");
	return bytes == ~0ull ? 0 : bytes;
}

static bool limit(unsigned long long bytes)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", bytes);
	return module_parameter("max_bytes", text, NULL, 0);
}

/*
 * Fill all injection rings of a context except priority rings. Return: the number of packets
 * injected.
 */
static unsigned long long fill(struct torus_context *context, __u32 to, __u32 bytes,
			       enum torus_route route)
{
	__u32 fifos = torus_context_info(context)->inject_fifos, fifo;
	unsigned char packet[96] = { 0 };
	unsigned long long put = 0;

	if (torus_packet_begin(context, packet, bytes, to, 0, route) < 0)
		_exit(4);
	for (fifo = 0; fifo < fifos; fifo++) {
		if (torus_context_info(context)->inject_priority >> fifo & 1)
			continue;
		while (torus_inject_try(context, (int)fifo, packet, bytes) >= 0)
			put++;
	}
	return put;
}

/*
 * Attach a context to each node from 0 to @nodes - 1, and write a byte to @said. After a byte from
 * @asked, let the contexts send to each other without reading. Write another byte when they can
 * send no more.
 */
static void flood(__u32 nodes, __u32 bytes, enum torus_route route, int said, int asked)
{
	const struct torus_attach_config config = { .inject_chunks = 128, .receive_chunks = 128 };
	struct torus_context *context[FLOODERS];
	unsigned long long put = 0;
	struct torus_refusal refusal;
	double moved, until;
	__u32 i;

	if (setresuid(STRANGER, STRANGER, STRANGER))
		_exit(1);
	for (i = 0; i < nodes; i++)
		if (torus_context_attach(&context[i], FABRIC, i, &config))
			_exit(2);
	if (write(said, "a", 1) != 1 || read(asked, &i, 1) != 1)
		_exit(3);
	moved = now_s();
	until = moved + FLOOD_S;
	for (; now_s() < moved + REST_MS / 1000.0 && now_s() < until; usleep(10000)) {
		for (i = 0; i < nodes; i++) {
			unsigned long long more = fill(context[i], (i + nodes / 2 + 1) % nodes,
						       bytes, route);

			put += more;
			if (more)
				moved = now_s();
		}
	}
	torus_inject_refused(context[0], &refusal);
	fprintf(stderr, "# %llu packets, the first program's: %llu rejected, %u\n", put,
		(unsigned long long)refusal.packets, refusal.code);
	if (write(said, "b", 1) != 1)
		_exit(3);
	pause();
	_exit(0);
}

/* Send packets from one program to the other. Return: true if all arrive. */
static bool pass(struct torus_context *from, struct torus_context *to, __u32 bytes)
{
	unsigned char packet[96] = { 0 }, got[256];
	__u32 node = torus_context_info(to)->node, i;

	for (i = 0; i < PACKETS; i++) {
		if (torus_packet_begin(from, packet, bytes, node, 0, TORUS_ROUTE_ORDERED) < 0 ||
		    torus_inject_packet(from, 0, packet, bytes, WAIT_MS) ||
		    torus_receive_packet(to, TORUS_FIFO_ANY, got, sizeof(got), WAIT_MS) < 0) {
			fprintf(stderr, "# packet %u: %s\n", i, torus_error_text());
			return false;
		}
	}
	return true;
}

TEST_F_TIMEOUT(flood, packets, 3600)
{
	struct torus_context *from, *to;
	unsigned long long rest, full;
	int said[2], asked[2];
	long before;
	pid_t pid;
	char c;

	ASSERT_EQ(0, torus_context_attach(&from, FABRIC, variant->from, NULL));
	to = from;
	if (variant->to != variant->from)
		ASSERT_EQ(0, torus_context_attach(&to, FABRIC, variant->to, NULL));
	ASSERT_TRUE(pass(from, to, variant->bytes));
	ASSERT_EQ(0, pipe(said) | pipe(asked));
	pid = start();
	if (!pid)
		flood(variant->floods, variant->bytes, variant->route, said[1], asked[0]);
	close(said[1]);
	ASSERT_EQ(1, read(said[0], &c, 1));
	rest = taken();
	ASSERT_LT(0, rest);
	ASSERT_TRUE(limit(rest + variant->left));
	before = available_kib();
	ASSERT_EQ(1, write(asked[1], "x", 1));
	ASSERT_EQ(1, read(said[0], &c, 1));
	full = taken();
	TH_LOG("%llu bytes at rest, %llu flooded, %ld KiB", rest, full, before - available_kib());
	/*
	 * the flood may use seven eighths of the limit, less the next allocation; the rest is
	 * reserved for packets that move
	 */
	EXPECT_LE((rest + variant->left) / 8 * 7, full + variant->owed + (1 << 20));
	EXPECT_GE(rest + variant->left, full);
	/* the counted bytes match the allocated memory */
	EXPECT_LT(before - available_kib(), (long)((full - rest) / 1024 * 9 / 8) + SLACK_KIB);
	EXPECT_FALSE(fabric_failed(FABRIC));
	EXPECT_TRUE(pass(from, to, variant->bytes));
	kill(pid, SIGKILL);
	EXPECT_EQ(256 + SIGKILL, status_of(pid));
	EXPECT_TRUE(pass(from, to, variant->bytes));
	EXPECT_FALSE(fabric_failed(FABRIC));
	if (to != from)
		torus_context_detach(to);
	torus_context_detach(from);
}

/* ---------------------------------------------------------------- notices */

static int tofu_add(void)
{
	struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "tofu", .ndims = 3, .dims = { 1, 1, 1 },
	};

	fabric_del(FABRIC);
	return nl_with(ask_add, &spec, NULL, 0);
}

/* The target does not read the notices of puts: puts beyond the limit of unread notices fail. */
TEST(notices)
{
	static unsigned char source[BYTES] __attribute__((aligned(4096)));
	static unsigned char target[BYTES] __attribute__((aligned(4096)));
	const struct torus_attach_config small = { .receive_chunks = 64 };
	struct torus_tofu_command c = {
		.op = TORUS_TOFU_PUT, .length = 8,
		.flags = TORUS_TOFU_TELL_LOCAL | TORUS_TOFU_TELL_REMOTE,
	};
	struct torus_context *own, *peer;
	struct torus_tofu_notice notice;
	unsigned int fine = 0, other = 0, i;
	long before;
	int code;

	ASSERT_EQ(0, tofu_add());
	ASSERT_EQ(0, torus_context_attach(&own, FABRIC, 0, NULL));
	ASSERT_EQ(0, torus_context_attach(&peer, FABRIC, 4, &small));
	c.local = stadd_of(own, source, BYTES, 0, 0);
	c.remote = stadd_of(peer, target, BYTES, 0, 0);
	before = available_kib();
	for (i = 0; i < NOTICES; i++) {
		ASSERT_EQ(0, post(own, 4, &c));
		code = next_notice(own, TORUS_TOFU_LCL_PUT, &notice);
		fine += code == TORUS_TOFU_FINE;
		other += code == TORUS_TOFU_OTHER;
	}
	EXPECT_EQ(NOTICES, fine + other);
	EXPECT_EQ(fine, NOTICES_MOST + 64 / TORUS_TOFU_NOTICE_CHUNKS);
	EXPECT_LT(before - available_kib(), SLACK_KIB);
	EXPECT_FALSE(fabric_failed(FABRIC));
	/* the notices are read in order, and a further one is accepted */
	for (i = 0; i < fine; i++)
		ASSERT_EQ(TORUS_TOFU_FINE, next_notice(peer, TORUS_TOFU_RMT_PUT, &notice));
	ASSERT_EQ(0, post(own, 4, &c));
	EXPECT_EQ(TORUS_TOFU_FINE, next_notice(own, TORUS_TOFU_LCL_PUT, &notice));
	torus_context_detach(peer);
	torus_context_detach(own);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

TEST_HARNESS_MAIN
