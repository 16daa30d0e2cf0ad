// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual time: what 64 processes send each other, when it arrives and when they end does not
 * depend on the order in which they are started, on how long they are kept from running, nor on
 * how the fabric is divided.  Time-outs end at their tick; nobody comes late; stamps that cannot
 * be are refused; a deadlock of waiting shows.
 */
#include <signal.h>

#include "device.h"
#include "../user/lib/context.h"
#include "kselftest_harness.h"

#define FABRIC		"virtualtest"
#define NODES		64
#define ROUNDS		2
#define BYTES		128

static const __u32 shape[3] = { 4, 4, 4 };

enum pattern { RING, HALO, ALL };

struct outcome {
	__u64 hash;
	__u64 delivered;
	__u64 latency;
	__u64 digest[NODES];
	__u64 clock[NODES];
};

static __u64 mixed(__u64 a)
{
	a = (a ^ a >> 30) * 0xbf58476d1ce4e5b9ull;
	return (a ^ a >> 27) * 0x94d049bb133111ebull;
}

static int fabric_virtual(__u32 programs, __u32 domains)
{
	struct torus_nl_param params[] = {
		{ .key = "time", .text = "virtual", .is_text = true },
		{ .key = "programs", .value = programs },
		{ .key = "inject_packet", .value = 30 },
		{ .key = "receive_packet", .value = 50 },
	};
	struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "bgl", .ndims = 3, .dims = { 4, 4, 4 },
		.domains = domains, .has_domains = true, .params = params, .nparams = 4,
	};
	char words[256] = "";
	int ret;

	fabric_del(FABRIC);
	ret = nl_with(ask_add, &spec, words, sizeof(words));
	if (ret)
		fprintf(stderr, "# %s\n", words);
	return ret;
}

static void coords_of(__u32 node, __u32 coords[3])
{
	coords[0] = node % shape[0];
	coords[1] = node / shape[0] % shape[1];
	coords[2] = node / shape[0] / shape[1];
}

static __u32 node_at(__u32 x, __u32 y, __u32 z)
{
	return x % shape[0] + shape[0] * (y % shape[1] + shape[1] * (z % shape[2]));
}

static bool send_to(struct torus_context *context, __u32 node, __u32 id)
{
	unsigned char packet[BYTES];
	__u32 dest[3];

	coords_of(node, dest);
	return packet_make(packet, BYTES, dest, TORUS_ROUTE_DYNAMIC, id) == 0 &&
	       !torus_inject_packet(context, TORUS_FIFO_ANY, packet, BYTES, -1);
}

/* So many packets, each with the clock at which it was there. */
static bool receive(struct torus_context *context, unsigned int packets, __u64 *digest)
{
	unsigned char packet[256];
	__u32 id;

	for (; packets; packets--) {
		if (torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1) !=
		    BYTES)
			return false;
		memcpy(&id, packet + 8, sizeof(id));
		*digest = mixed(*digest + mixed(id) + torus_context_clock(context));
	}
	return true;
}

/* A process's life. */
static int member(__u32 node, enum pattern pattern, struct outcome *outcome)
{
	struct torus_context *context;
	__u64 digest = node;
	__u32 at[3], round, other;
	bool good = true;

	if (torus_context_attach(&context, FABRIC, node, NULL))
		return 2;
	coords_of(node, at);
	for (round = 0; good && round < (pattern == ALL ? 1 : ROUNDS); round++) {
		good = !torus_compute(context, mixed(node * 16 + round) % 3000);
		switch (pattern) {
		case RING:
			good &= send_to(context, (node + 1) % NODES, node) &&
				receive(context, 1, &digest);
			break;
		case HALO:
			good &= send_to(context, node_at(at[0] + 1, at[1], at[2]), node) &&
				send_to(context, node_at(at[0] + 3, at[1], at[2]), node) &&
				send_to(context, node_at(at[0], at[1] + 1, at[2]), node) &&
				send_to(context, node_at(at[0], at[1] + 3, at[2]), node) &&
				send_to(context, node_at(at[0], at[1], at[2] + 1), node) &&
				send_to(context, node_at(at[0], at[1], at[2] + 3), node) &&
				receive(context, 6, &digest);
			break;
		case ALL:
			for (other = 1; good && other < NODES; other++)
				good = send_to(context, (node + other) % NODES, node);
			good &= receive(context, NODES - 1, &digest);
			break;
		}
	}
	outcome->digest[node] = digest;
	outcome->clock[node] = torus_context_clock(context);
	torus_context_detach(context);
	return good ? 0 : 1;
}

static bool play(enum pattern pattern, unsigned int seed, __u32 domains, bool stop,
		 struct outcome *outcome)
{
	struct torus_fabric_counters counters;
	struct outcome *shared = shared_alloc(sizeof(*shared));
	pid_t pid[NODES];
	__u32 order[NODES];
	bool good = true;
	unsigned int i;

	if (!shared || fabric_virtual(NODES, domains))
		return false;
	for (i = 0; i < NODES; i++)
		order[i] = i;
	for (i = NODES; seed && i > 1; i--) {
		__u32 j = mixed(seed * 100 + i) % i, k = order[i - 1];

		order[i - 1] = order[j];
		order[j] = k;
	}
	for (i = 0; i < NODES; i++) {
		pid[i] = start();
		if (!pid[i])
			_exit(member(order[i], pattern, shared));
	}
	if (stop) {
		kill(pid[seed % NODES], SIGSTOP);
		sleep(1);
		kill(pid[seed % NODES], SIGCONT);
	}
	for (i = 0; i < NODES; i++)
		good &= !status_of(pid[i]);
	good &= !fabric_counters(FABRIC, &counters);
	*outcome = *shared;
	outcome->hash = counters.hash;
	outcome->delivered = counters.delivered;
	outcome->latency = counters.latency_sum;
	munmap(shared, sizeof(*shared));
	return good && !fabric_del(FABRIC);
}

static void same(struct __test_metadata *_metadata, enum pattern pattern, unsigned int plays,
		 __u64 packets)
{
	struct outcome one, other;
	unsigned int seed;

	ASSERT_TRUE(play(pattern, 0, 1, false, &one));
	EXPECT_EQ(packets, one.delivered);
	for (seed = 1; seed < plays; seed++) {
		ASSERT_TRUE(play(pattern, seed, seed & 1 ? 4 : 1, seed == 2, &other));
		EXPECT_EQ(one.hash, other.hash);
		EXPECT_EQ(one.latency, other.latency);
		EXPECT_EQ(0, memcmp(&one, &other, sizeof(one)));
	}
	TH_LOG("hash %llx, %llu packets, mean latency %llu ticks", one.hash, one.delivered,
	       one.latency / one.delivered);
}

FIXTURE(programs)
{
	bool none;
};

FIXTURE_SETUP(programs)
{
}

FIXTURE_TEARDOWN(programs)
{
}

TEST_F_TIMEOUT(programs, ring, 900)
{
	same(_metadata, RING, 5, NODES * ROUNDS);
}

TEST_F_TIMEOUT(programs, halo, 900)
{
	same(_metadata, HALO, 3, 6 * NODES * ROUNDS);
}

TEST_F_TIMEOUT(programs, all_to_all, 900)
{
	same(_metadata, ALL, 2, (NODES - 1) * NODES);
}

/* The clock, what waits and what costs, told by one process that is all there are. */
TEST(own_clock)
{
	struct torus_context *context, *late;
	unsigned char packet[256];
	__u64 clock;
	pid_t pid;
	int fd;

	ASSERT_EQ(0, fabric_virtual(1, 1));
	ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 0, NULL));
	EXPECT_EQ(0, torus_context_clock(context));
	ASSERT_EQ(0, torus_compute(context, 1000));
	EXPECT_EQ(1000, torus_context_clock(context));
	/* a time-out ends at its tick: a millisecond has 175000 and a fraction */
	EXPECT_EQ(-ETIMEDOUT, torus_receive_packet(context, TORUS_FIFO_ANY, packet,
						   sizeof(packet), 1));
	clock = torus_context_clock(context);
	EXPECT_EQ((1000 * context->info.tick_fs / 1000000 * 1000000 + 1000000000000ull +
		   context->info.tick_fs - 1) / context->info.tick_fs, clock);
	/* looks in vain cost, so that loops end */
	EXPECT_EQ(-EAGAIN, torus_receive_poll(context, TORUS_FIFO_ANY, packet, sizeof(packet)));
	EXPECT_EQ(-EAGAIN, torus_receive_poll(context, TORUS_FIFO_ANY, packet, sizeof(packet)));
	EXPECT_EQ(-EAGAIN, torus_receive_poll(context, TORUS_FIFO_ANY, packet, sizeof(packet)));
	EXPECT_EQ(clock + 600, torus_context_clock(context));
	EXPECT_EQ(-ERANGE, torus_compute(context, 1ull << 41));

	/* who has told its clock gets no other group, who comes later none at all */
	EXPECT_EQ(-ETIME, torus_context_attach(&late, FABRIC, 1, NULL));
	pid = start();
	if (!pid) {
		fd = open(DEVICE, O_RDWR);
		_exit(raw_attach(fd, FABRIC, 1, 0, 0) == ETIME ? 0 : 1);
	}
	EXPECT_EQ(0, status_of(pid));
	torus_context_detach(context);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

static int ask_reset(struct torus_nl *nl, const void *arg)
{
	return torus_nl_fabric_reset(nl, arg);
}

/* Stamps that cannot be; a fabric that is reset lets others come. */
TEST(stamps)
{
	struct torus_context *context;
	struct torus_refusal refusal;
	unsigned char packet[BYTES];
	__u32 dest[3] = { 1, 0, 0 };
	char words[256] = "";

	ASSERT_EQ(0, fabric_virtual(1, 1));
	ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 0, NULL));
	ASSERT_EQ(0, torus_compute(context, 1000));
	ASSERT_EQ(0, packet_make(packet, BYTES, dest, TORUS_ROUTE_DYNAMIC, 1));
	/* before the clock */
	ASSERT_EQ(0, torus_inject_try(context, 0, packet, BYTES));
	context->inject[0].stamps[0] = 999;
	EXPECT_EQ(1, torus_inject_refused(context, &refusal));
	EXPECT_EQ(TORUS_REFUSE_STAMP, refusal.code);
	EXPECT_EQ(0, refusal.index);
	/* behind it */
	ASSERT_EQ(0, torus_inject_try(context, 0, packet, BYTES));
	context->inject[0].stamps[4] = 1ull << 40;
	EXPECT_EQ(1, torus_inject_refused(context, &refusal));
	EXPECT_EQ(4, refusal.index);
	/* less than the one before */
	ASSERT_EQ(0, torus_inject_try(context, 0, packet, BYTES));
	ASSERT_EQ(0, torus_inject_try(context, 0, packet, BYTES));
	context->inject[0].stamps[12] = context->inject[0].stamps[8] - 1;
	ASSERT_EQ(0, torus_compute(context, 1000));
	EXPECT_EQ(1, torus_inject_refused(context, &refusal));
	EXPECT_EQ(12, refusal.index);
	EXPECT_EQ(1, refusal.packets);

	EXPECT_EQ(-EBUSY, nl_with(ask_reset, FABRIC, words, sizeof(words)));
	EXPECT_NE(NULL, strstr(words, "time virtual: 1 contexts are attached"));
	torus_context_detach(context);
	EXPECT_EQ(0, nl_with(ask_reset, FABRIC, words, sizeof(words)));
	ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 0, NULL));
	EXPECT_EQ(0, torus_context_clock(context));
	torus_context_detach(context);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

static int ask_state(struct torus_nl *nl, const void *arg)
{
	struct torus_nl_fabric fabric;
	int ret = torus_nl_fabric_get(nl, arg, &fabric);

	return ret ? ret : (int)fabric.state;
}

/* All wait: that is seen at once, and a signal ends it. */
TEST(deadlock)
{
	struct torus_context *context;
	unsigned char packet[256];
	unsigned int i;
	pid_t pid;
	int state = 0;

	ASSERT_EQ(0, fabric_virtual(1, 1));
	pid = start();
	if (!pid) {
		if (torus_context_attach(&context, FABRIC, 0, NULL))
			_exit(2);
		torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1);
		_exit(1);
	}
	for (i = 0; i < 600 && state != TORUS_FABRIC_DEADLOCKED; i++) {
		usleep(100000);
		state = nl_with(ask_state, FABRIC, NULL, 0);
	}
	EXPECT_EQ(TORUS_FABRIC_DEADLOCKED, state);
	kill(pid, SIGTERM);
	EXPECT_EQ(256 + SIGTERM, status_of(pid));
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/* Where time is free there is no clock. */
TEST(free_time)
{
	struct torus_ioc_clock ask = { .op = TORUS_CLOCK_MOVE };
	struct torus_context *context;

	fabric_del(FABRIC);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 0, NULL));
	EXPECT_EQ(0, torus_compute(context, 1000));
	EXPECT_EQ(-1, ioctl(torus_context_fd(context), TORUS_IOC_CLOCK, &ask));
	EXPECT_EQ(EOPNOTSUPP, errno);
	ask.op = 2;
	EXPECT_EQ(-1, ioctl(torus_context_fd(context), TORUS_IOC_CLOCK, &ask));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(torus_context_fd(context), TORUS_IOC_CLOCK, NULL));
	EXPECT_EQ(EFAULT, errno);
	torus_context_detach(context);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

TEST_HARNESS_MAIN
