// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual time: the packets of 64 processes, their arrival times and the end of the processes do
 * not depend on:
 * - the order in which the processes start
 * - delays of their scheduling
 * - the division of the fabric into domains
 *
 * torus-sim computes the same results from a record of the run. A process cannot attach after time
 * has started, and invalid stamps are rejected.
 */
#include <signal.h>

#include "vtime.h"
#include "../user/lib/context/context.h"
#include "kselftest_harness.h"

#define FABRIC		"virtualtest"
#define NODES		64
#define ROUNDS		2
#define BYTES		128
#define RECORD		"/tmp/virtualtest.record"

static const __u32 shape[3] = { 4, 4, 4 };

enum pattern { RING, HALO, ALL };

struct virtual_outcome {
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

/* Receive @packets packets. Mix each one's ID and the clock of its receipt into @digest. */
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

/* Run the process of a node. @stop: the process stops itself once. Return: its exit status. */
static int member(__u32 node, enum pattern pattern, bool stop, struct virtual_outcome *outcome)
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
		if (stop && !round)
			raise(SIGSTOP);
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

/**
 * struct virtual_way - variations of a run that must not change the outcome
 * @order: seed of the start order of the programs; 0: in the order of their nodes
 * @domains: domains of the fabric
 * @busy: run next to processes that keep the processors busy
 * @stop: one of the programs is stopped for a second
 * @record: record the run and replay it with torus-sim
 */
struct virtual_way {
	unsigned int order;
	__u32 domains;
	bool busy;
	bool stop;
	bool record;
};

static const struct virtual_way ways[] = {
	{ .order = 0, .domains = 1 },
	{ .order = 1, .domains = 4, .record = true },
	{ .order = 2, .domains = 1, .stop = true },
	{ .order = 3, .domains = 4, .busy = true },
	{ .order = 4, .domains = 1, .busy = true },
	{ .order = 5, .domains = 4 },
	{ .order = 6, .domains = 1, .busy = true },
	{ .order = 7, .domains = 4, .busy = true, .stop = true },
	{ .order = 8, .domains = 1, .busy = true },
	{ .order = 9, .domains = 4 },
};

#define WAYS	(sizeof(ways) / sizeof(ways[0]))

/*
 * Return: the hash that torus-sim computes from the record, on a fabric of @domains domains; 0 on
 * error.
 */
static __u64 hash_again(__u32 domains)
{
	char command[128], line[256];
	__u64 hash = 0;
	FILE *out;

	snprintf(command, sizeof(command), "torus-sim rerun " RECORD " --domains %u", domains);
	out = popen(command, "r");
	while (out && fgets(line, sizeof(line), out))
		sscanf(line, "hash %llx", &hash);
	return out && !pclose(out) ? hash : 0;
}

static bool play(enum pattern pattern, const struct virtual_way *way,
		 struct virtual_outcome *outcome)
{
	struct torus_fabric_counters counters;
	struct virtual_outcome *shared = shared_alloc(sizeof(*shared));
	__u32 order[NODES], stops = mixed(way->order) % NODES;
	pid_t pid[NODES], others[BUSY];
	unsigned int i;
	bool good;

	if (!shared || fabric_virtual(FABRIC, NODES, way->domains))
		return false;
	for (i = 0; i < NODES; i++)
		order[i] = i;
	for (i = NODES; way->order && i > 1; i--) {
		__u32 j = mixed(way->order * 100 + i) % i, k = order[i - 1];

		order[i - 1] = order[j];
		order[j] = k;
	}
	if (way->busy)
		busy(others, true);
	if (way->record && (system("torusctl save " FABRIC " >" RECORD) ||
			    setenv("TORUS_RECORD", RECORD, 1)))
		return false;
	for (i = 0; i < NODES; i++) {
		pid[i] = start();
		if (!pid[i])
			_exit(member(order[i], pattern, way->stop && i == stops, shared));
	}
	good = end_well(pid, NODES, way->stop ? pid[stops] : 0);
	if (way->busy)
		busy(others, false);
	good &= !fabric_counters(FABRIC, &counters);
	*outcome = *shared;
	outcome->hash = counters.hash;
	outcome->delivered = counters.delivered;
	outcome->latency = counters.latency_sum;
	if (way->record) {
		unsetenv("TORUS_RECORD");
		good &= hash_again(1) == counters.hash && hash_again(3) == counters.hash;
	}
	munmap(shared, sizeof(*shared));
	return good && !fabric_del(FABRIC);
}

/* Print the outcome in one line, for a comparison with other hosts. */
static void print_outcome(const char *name, const struct virtual_outcome *outcome)
{
	__u64 clocks = 0;
	unsigned int i;

	for (i = 0; i < NODES; i++)
		clocks = mixed(mixed(clocks + outcome->clock[i]) + outcome->digest[i]);
	printf("# virtual %s hash %016llx packets %llu latency %llu clocks %016llx\n", name,
	       outcome->hash, outcome->delivered, outcome->latency, clocks);
	fflush(stdout);
}

/*
 * Run the first @plays variations, or all of them if TORUS_SOAK is set, and compare their outcomes.
 */
static void same(struct __test_metadata *_metadata, const char *name, enum pattern pattern,
		 unsigned int plays, __u64 packets)
{
	struct virtual_outcome one, other;
	unsigned int i;

	if (getenv("TORUS_SOAK"))
		plays = WAYS;
	ASSERT_TRUE(play(pattern, &ways[0], &one));
	EXPECT_EQ(packets, one.delivered);
	for (i = 1; i < plays; i++) {
		ASSERT_TRUE(play(pattern, &ways[i], &other));
		EXPECT_EQ(one.hash, other.hash);
		EXPECT_EQ(one.latency, other.latency);
		EXPECT_EQ(0, memcmp(&one, &other, sizeof(one)));
	}
	print_outcome(name, &one);
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
	same(_metadata, "ring", RING, 5, NODES * ROUNDS);
}

TEST_F_TIMEOUT(programs, halo, 900)
{
	same(_metadata, "halo", HALO, 3, 6 * NODES * ROUNDS);
}

TEST_F_TIMEOUT(programs, all_to_all, 900)
{
	same(_metadata, "all_to_all", ALL, 2, (NODES - 1) * NODES);
}

/* Clock, waits and costs of a process that is the only program of the fabric. */
TEST(own_clock)
{
	struct torus_context *context, *late;
	unsigned char packet[256];
	__u64 clock;
	pid_t pid;
	int fd;

	ASSERT_EQ(0, fabric_virtual(FABRIC, 1, 1));
	ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 0, NULL));
	EXPECT_EQ(0, torus_context_clock(context));
	ASSERT_EQ(0, torus_compute(context, 1000));
	EXPECT_EQ(1000, torus_context_clock(context));
	/* a time-out ends at its tick; a millisecond has slightly less than 175000 ticks */
	EXPECT_EQ(-ETIMEDOUT, torus_receive_packet(context, TORUS_FIFO_ANY, packet,
						   sizeof(packet), 1));
	clock = torus_context_clock(context);
	EXPECT_EQ((1000 * context->info.tick_fs / 1000000 * 1000000 + 1000000000000ull +
		   context->info.tick_fs - 1) / context->info.tick_fs, clock);
	/* polls that find nothing cost time, so that polling loops end */
	EXPECT_EQ(-EAGAIN, torus_receive_poll(context, TORUS_FIFO_ANY, packet, sizeof(packet)));
	EXPECT_EQ(-EAGAIN, torus_receive_poll(context, TORUS_FIFO_ANY, packet, sizeof(packet)));
	EXPECT_EQ(-EAGAIN, torus_receive_poll(context, TORUS_FIFO_ANY, packet, sizeof(packet)));
	EXPECT_EQ(clock + 600, torus_context_clock(context));
	EXPECT_EQ(-ERANGE, torus_compute(context, 1ull << 41));

	/*
	 * a process that has reported its clock cannot attach again, and other processes cannot
	 * attach at all
	 */
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

/*
 * Packets in a ring have been injected before the library asks for free space, even if they are
 * published together.
 */
TEST(many)
{
	struct torus_attach_config config = { .inject_chunks = 16 };
	struct torus_packet_buffer packets[20];
	unsigned char packet[BYTES];
	struct torus_fabric_counters counters;
	struct torus_context *context;
	struct torus_refusal refusal;
	__u32 dest[3] = { 1, 0, 0 };
	unsigned int i, sent;
	int ret;

	ASSERT_EQ(0, fabric_virtual(FABRIC, 1, 1));
	ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 0, &config));
	ASSERT_EQ(0, packet_make(packet, BYTES, dest, TORUS_ROUTE_DYNAMIC, 1));
	for (i = 0; i < 20; i++)
		packets[i] = (struct torus_packet_buffer){ .data = packet, .bytes = BYTES };
	for (sent = 0; sent < 20; sent += ret) {
		ret = torus_inject_many(context, 0, packets + sent, 20 - sent);
		if (ret == -EAGAIN)
			ret = torus_compute(context, 1000);
		ASSERT_LE(0, ret);
	}
	ASSERT_EQ(0, torus_compute(context, 100000));
	EXPECT_EQ(0, torus_inject_refused(context, &refusal));
	torus_context_detach(context);
	ASSERT_EQ(0, fabric_counters(FABRIC, &counters));
	EXPECT_EQ(20, counters.injected);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/* If TORUS_RECORD names a file that cannot be written, attaching fails. */
TEST(record)
{
	struct torus_context *context;

	ASSERT_EQ(0, fabric_virtual(FABRIC, 1, 1));
	ASSERT_EQ(0, setenv("TORUS_RECORD", "/nowhere/record", 1));
	EXPECT_EQ(-ENOENT, torus_context_attach(&context, FABRIC, 0, NULL));
	EXPECT_SAYS(torus_error_text(), "TORUS_RECORD /nowhere/record No such file or directory");
	ASSERT_EQ(0, fabric_virtual(FABRIC, 1, 1));
	ASSERT_EQ(0, setenv("TORUS_RECORD", "/dev/full", 1));
	EXPECT_EQ(-ENOSPC, torus_context_attach(&context, FABRIC, 0, NULL));
	EXPECT_SAYS(torus_error_text(), "TORUS_RECORD /dev/full No space left on device");
	ASSERT_EQ(0, unsetenv("TORUS_RECORD"));
	EXPECT_EQ(0, fabric_del(FABRIC));
}

static int ask_reset(struct torus_nl *nl, const void *arg)
{
	return torus_nl_fabric_reset(nl, arg);
}

/* Invalid stamps are rejected. After a reset of the fabric, programs can attach again. */
TEST(stamps)
{
	struct torus_context *context;
	struct torus_refusal refusal;
	unsigned char packet[BYTES];
	__u32 dest[3] = { 1, 0, 0 };
	char words[256] = "";

	ASSERT_EQ(0, fabric_virtual(FABRIC, 1, 1));
	ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 0, NULL));
	ASSERT_EQ(0, torus_compute(context, 1000));
	ASSERT_EQ(0, packet_make(packet, BYTES, dest, TORUS_ROUTE_DYNAMIC, 1));
	/* before the program's clock */
	ASSERT_EQ(0, torus_inject_try(context, 0, packet, BYTES));
	context->inject[0].stamps[0] = 999;
	EXPECT_EQ(1, torus_inject_refused(context, &refusal));
	EXPECT_EQ(TORUS_REFUSE_STAMP, refusal.code);
	EXPECT_EQ(0, refusal.index);
	/* after the program's clock */
	ASSERT_EQ(0, torus_inject_try(context, 0, packet, BYTES));
	context->inject[0].stamps[4] = 1ull << 40;
	EXPECT_EQ(1, torus_inject_refused(context, &refusal));
	EXPECT_EQ(4, refusal.index);
	/* less than the previous packet's stamp */
	ASSERT_EQ(0, torus_inject_try(context, 0, packet, BYTES));
	ASSERT_EQ(0, torus_inject_try(context, 0, packet, BYTES));
	context->inject[0].stamps[12] = context->inject[0].stamps[8] - 1;
	ASSERT_EQ(0, torus_compute(context, 1000));
	EXPECT_EQ(1, torus_inject_refused(context, &refusal));
	EXPECT_EQ(12, refusal.index);
	EXPECT_EQ(1, refusal.packets);

	EXPECT_EQ(-EBUSY, nl_with(ask_reset, FABRIC, words, sizeof(words)));
	EXPECT_SAYS(words, "virtual 1 context");
	torus_context_detach(context);
	EXPECT_EQ(0, nl_with(ask_reset, FABRIC, words, sizeof(words)));
	ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 0, NULL));
	EXPECT_EQ(0, torus_context_clock(context));
	torus_context_detach(context);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/*
 * More packets with invalid stamps than one poll of a ring handles: each is rejected, and a valid
 * packet after them is sent.
 */
TEST(many_stamps)
{
	struct torus_fabric_counters counters;
	struct torus_context *context;
	struct torus_refusal refusal;
	unsigned char packet[BYTES];
	__u32 dest[3] = { 1, 0, 0 };
	__u64 refused = 0;
	int i;

	ASSERT_EQ(0, fabric_virtual(FABRIC, 1, 1));
	ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 0, NULL));
	ASSERT_EQ(0, torus_compute(context, 1000));
	ASSERT_EQ(0, packet_make(packet, BYTES, dest, TORUS_ROUTE_DYNAMIC, 1));
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, torus_inject_try(context, 0, packet, BYTES));
		context->inject[0].stamps[i * BYTES / 32] = i;
	}
	ASSERT_EQ(0, torus_inject_try(context, 0, packet, BYTES));
	ASSERT_EQ(0, torus_compute(context, 1000));
	/* the poll advances the fabric to the clock, when all packets have been checked */
	EXPECT_EQ(-EAGAIN, torus_receive_poll(context, TORUS_FIFO_ANY, packet, sizeof(packet)));
	while (torus_inject_refused(context, &refusal) == 1) {
		EXPECT_EQ(TORUS_REFUSE_STAMP, refusal.code);
		refused += refusal.packets;
	}
	EXPECT_EQ(100, refused);
	ASSERT_EQ(0, fabric_counters(FABRIC, &counters));
	EXPECT_EQ(1, counters.injected);
	torus_context_detach(context);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/* A fabric in free time has no clock for programs. */
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
