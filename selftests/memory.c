// SPDX-License-Identifier: GPL-2.0
/*
 * Registered memory: put, get and atomics between processes, rejected requests, and pages that
 * remain pinned.
 */
#include "idle.h"
#include "memory.h"
#include "arch/tests/tofu_latency.h"
#include <signal.h>
#include <sys/resource.h>
#include "kselftest_harness.h"

#define FABRIC		"memorytest"
#define LONGEST		TORUS_TOFU_LENGTH_MAX
#define NOTIFY_ALL	(TORUS_TOFU_TELL_TCQ | TORUS_TOFU_TELL_LOCAL | TORUS_TOFU_TELL_REMOTE)
#define KILLS		20	/* with TORUS_SOAK=1, ten times as many */
#define KILL_BYTES	(1u << 21)
#define ADDERS		16
#define ADDS		100
#define OWN		50000

static int tofu_add(const char *name)
{
	const struct torus_nl_fabric_spec spec = {
		.name = name, .arch = "tofu", .ndims = 3, .dims = { 2, 1, 1 },
	};

	return nl_with(ask_add, &spec, NULL, 0);
}

FIXTURE(memory)
{
	struct torus_context *a;
	struct torus_context *b;
	__u64 pins;
};

/* Return: KiB of pinned memory charged to this process, or -1. */
static long charged_kib(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	long kib = -1;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmPin: %ld", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib;
}

FIXTURE_SETUP(memory)
{
	fabric_del(FABRIC);
	self->pins = pinned_pages();
	ASSERT_EQ(0, tofu_add(FABRIC));
	ASSERT_EQ(0, torus_context_attach(&self->a, FABRIC, 0, NULL));
	ASSERT_EQ(0, torus_context_attach(&self->b, FABRIC, 1, NULL));
}

FIXTURE_TEARDOWN(memory)
{
	torus_context_detach(self->b);
	torus_context_detach(self->a);
	EXPECT_EQ(self->pins, pinned_pages());
	EXPECT_EQ(0, charged_kib());
	EXPECT_EQ(0, fabric_del(FABRIC));
}

static void fill(unsigned char *at, size_t bytes, unsigned int seed)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		at[i] = (unsigned char)(seed * 89 + i * 7 + (i >> 8) * 3);
}

/*
 * A put of eight bytes over 0, 1 and 2 hops takes as many ticks, there and back, as in the test of
 * the core.
 */
TEST_F(memory, put_takes_its_ticks)
{
	/* node 0 itself, its neighbour in a+, and that node's neighbour in b+ */
	static const __u32 nodes[] = { 0, 1, 3 };
	static unsigned char from[64], to[64];
	__u64 local = stadd_of(self->a, from, sizeof(from), 0, 0);
	struct torus_tofu_notice notice;
	struct torus_context *peer;
	__u64 clock, there, back;
	__u32 hops;

	for (hops = 0; hops < sizeof(nodes) / sizeof(nodes[0]); hops++) {
		struct torus_tofu_command c = {
			.op = TORUS_TOFU_PUT, .flags = NOTIFY_ALL, .length = 8, .local = local,
		};

		peer = hops == 1 ? self->b : hops ? NULL : self->a;
		if (!peer)
			ASSERT_EQ(0, torus_context_attach(&peer, FABRIC, nodes[hops], NULL));
		c.remote = stadd_of(peer, to, sizeof(to), 0, 0);
		/*
		 * wait for the end of activity that attaching started, because it also advances the
		 * clock
		 */
		ASSERT_TRUE(asleep_since(self->a) && asleep_since(self->b) && asleep_since(peer));
		clock = torus_context_clock(self->a);
		ASSERT_EQ(0, post(self->a, nodes[hops], &c));
		ASSERT_EQ(0, next_notice(peer, TORUS_TOFU_RMT_PUT, &notice));
		ASSERT_EQ(0, torus_receive_arrived(peer, TORUS_FIFO_ANY, &there));
		ASSERT_EQ(0, next_notice(self->a, TORUS_TOFU_LCL_PUT, &notice));
		ASSERT_EQ(0, torus_receive_arrived(self->a, TORUS_FIFO_ANY, &back));
		/* a process that is its own peer gets both notices in one FIFO */
		if (peer != self->a)
			EXPECT_EQ(clock + tofu_latency_there(hops), there);
		EXPECT_EQ(clock + tofu_latency_there(hops) + tofu_latency_back(hops), back);
		TH_LOG("%u hops: %llu ticks there and back", hops, back - clock);
		if (hops > 1)
			torus_context_detach(peer);
	}
}

/* Put and get various lengths at unaligned addresses. No other byte may change. */
TEST_F(memory, put_and_get)
{
	static const __u32 lengths[] = { 1, 8, 1984, 1985, 100003, LONGEST };
	static unsigned char from[LONGEST + 64], to[LONGEST + 64], right[LONGEST + 64];
	__u64 local = stadd_of(self->a, from + 3, LONGEST + 32, 0, 0);
	__u64 remote = stadd_of(self->b, to + 5, LONGEST + 32, 0, 0);
	struct torus_tofu_notice notice;
	unsigned int i;

	ASSERT_NE(~0ull, local);
	ASSERT_NE(~0ull, remote);
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct torus_tofu_command c = {
			.op = TORUS_TOFU_PUT, .flags = NOTIFY_ALL, .length = lengths[i],
			.local = local + 7, .remote = remote + 2, .cookie = i,
		};

		fill(from, sizeof(from), i);
		fill(to, sizeof(to), 77);
		fill(right, sizeof(right), 77);
		memcpy(right + 7, from + 10, lengths[i]);
		ASSERT_EQ(0, post(self->a, 1, &c));
		ASSERT_EQ(0, next_notice(self->a, TORUS_TOFU_TCQ, &notice));
		ASSERT_EQ(i, notice.cookie);
		ASSERT_EQ(0, next_notice(self->b, TORUS_TOFU_RMT_PUT, &notice));
		ASSERT_EQ(remote + 2 + lengths[i], notice.remote);
		ASSERT_EQ(0, memcmp(right, to, sizeof(to)));
		ASSERT_EQ(0, next_notice(self->a, TORUS_TOFU_LCL_PUT, &notice));
		c.op = TORUS_TOFU_GET;
		c.local = local + 11;
		fill(right, sizeof(right), i);
		memcpy(right + 14, to + 7, lengths[i]);
		ASSERT_EQ(0, post(self->a, 1, &c));
		ASSERT_EQ(0, next_notice(self->a, TORUS_TOFU_LCL_GET, &notice));
		ASSERT_EQ(0, memcmp(right, from, sizeof(from)));
	}
}

/* Post a put. Return: the code of its notice, or -1 if the put cannot be posted. */
static int fails(struct torus_context *context, __u64 local, __u64 remote, __u32 length)
{
	const struct torus_tofu_command c = {
		.op = TORUS_TOFU_PUT, .flags = TORUS_TOFU_TELL_LOCAL, .length = length,
		.local = local, .remote = remote,
	};
	struct torus_tofu_notice notice;

	return post(context, 1, &c) ? -1 : next_notice(context, TORUS_TOFU_LCL_PUT, &notice);
}

TEST_F(memory, out_of_bounds)
{
	static unsigned char from[8192], to[8192];
	__u64 local = stadd_of(self->a, from, 4000, 0, 0);
	__u64 remote = stadd_of(self->b, to + 100, 4000, 0, 0), only, gone;
	size_t i;

	EXPECT_EQ(TORUS_TOFU_FINE, fails(self->a, local, remote, 4000));
	fill(from, sizeof(from), 5);
	EXPECT_EQ(TORUS_TOFU_LENGTH, fails(self->a, local, remote + 1, 4000));
	EXPECT_EQ(TORUS_TOFU_LENGTH, fails(self->a, local + 1, remote, 4000));
	EXPECT_EQ(TORUS_TOFU_LENGTH, fails(self->a, local, remote + (1ull << 40) - 8, 16));
	EXPECT_EQ(TORUS_TOFU_STADD, fails(self->a, local, remote - 1, 16));
	EXPECT_EQ(TORUS_TOFU_STADD, fails(self->a, local, 7ull << 40, 16));
	only = stadd_of(self->b, to, 4000, TORUS_REGISTER_READ_ONLY | TORUS_REGISTER_STAG, 9);
	EXPECT_EQ(9ull << 40, only);
	EXPECT_EQ(TORUS_TOFU_MEMORY, fails(self->a, local, only, 16));
	gone = stadd_of(self->b, to, 4000, 0, 0);
	EXPECT_EQ(0, unregistered(self->b, gone));
	EXPECT_EQ(TORUS_TOFU_STADD, fails(self->a, local, gone, 16));
	EXPECT_NE(gone, stadd_of(self->b, to, 4000, 0, 0));
	for (i = 0; i < sizeof(to); i++)
		ASSERT_EQ(0, to[i]);
}

/*
 * A page that is registered several times is charged once, until its last region is unregistered.
 */
TEST_F(memory, charged_once)
{
	unsigned char *at = shared_alloc(1 << 20);
	struct torus_ioc_register ask = { .address = (unsigned long)at, .length = 1 << 20 };
	__u64 stadd[3];
	__u32 i;

	ASSERT_NE(NULL, at);
	for (i = 0; i < 3; i++) {
		ask.vcq = i;
		ask.fifo = i;
		ASSERT_EQ(0, registered(self->a, &ask));
		stadd[i] = ask.stadd;
		EXPECT_EQ(1024, charged_kib());
	}
	for (i = 0; i < 3; i++) {
		const struct torus_ioc_unregister give = {
			.stadd = stadd[i], .fifo = i, .vcq = i,
		};

		EXPECT_EQ(0, ioctl(torus_context_fd(self->a), TORUS_IOC_UNREGISTER, &give));
		EXPECT_EQ(i == 2 ? 0 : 1024, charged_kib());
	}
	EXPECT_EQ(self->pins, pinned_pages());
	munmap(at, 1 << 20);
}

TEST_F(memory, refused)
{
	unsigned char *page = shared_alloc(4096);
	struct torus_ioc_register ask = { .address = (unsigned long)page, .length = 4096 }, bad;
	struct torus_ioc_unregister give = { 0 };
	int fd = torus_context_fd(self->a), file;
	void *mapped;

	bad = ask;
	bad.length = 0;
	EXPECT_EQ(EINVAL, registered(self->a, &bad));
	bad = ask;
	bad.flags = 4;
	EXPECT_EQ(EINVAL, registered(self->a, &bad));
	bad = ask;
	bad.fifo = 6;
	EXPECT_EQ(EINVAL, registered(self->a, &bad));
	bad = ask;
	bad.vcq = 8;
	EXPECT_EQ(EINVAL, registered(self->a, &bad));
	bad = ask;
	bad.stag = 1;
	EXPECT_EQ(EINVAL, registered(self->a, &bad));
	bad.stag = 256;
	bad.flags = TORUS_REGISTER_STAG;
	EXPECT_EQ(EINVAL, registered(self->a, &bad));
	bad = ask;
	bad.reserved[1] = 1;
	EXPECT_EQ(EINVAL, registered(self->a, &bad));
	bad = ask;
	bad.address = ~0ull - 100;
	EXPECT_EQ(EFAULT, registered(self->a, &bad));
	bad = ask;
	bad.address = 4096;
	EXPECT_EQ(EFAULT, registered(self->a, &bad));
	ask.flags = TORUS_REGISTER_STAG;
	EXPECT_EQ(0, registered(self->a, &ask));
	EXPECT_EQ(EADDRINUSE, registered(self->a, &ask));
	EXPECT_EQ(0, registered(self->b, &ask));
	EXPECT_EQ(ENOENT, unregistered(self->a, 1ull << 40));
	EXPECT_EQ(ENOENT, unregistered(self->a, 1));
	give.reserved[0] = 1;
	EXPECT_EQ(-1, ioctl(fd, TORUS_IOC_UNREGISTER, &give));
	EXPECT_EQ(EINVAL, errno);
	give = (struct torus_ioc_unregister){ .fifo = 6 };
	EXPECT_EQ(-1, ioctl(fd, TORUS_IOC_UNREGISTER, &give));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(fd, TORUS_IOC_UNREGISTER, NULL));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-1, ioctl(fd, TORUS_IOC_REGISTER, NULL));
	EXPECT_EQ(EFAULT, errno);
	/* read-only memory may be registered with the read-only flag, but not without */
	mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT_EQ(~0ull, stadd_of(self->a, mapped, 4096, 0, 0));
	EXPECT_NE(~0ull, stadd_of(self->a, mapped, 4096, TORUS_REGISTER_READ_ONLY, 0));
	/* shared pages of a file must not be registered; private copies of the pages may be */
	file = open("/proc/self/exe", O_RDONLY);
	mapped = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
	bad = (struct torus_ioc_register){ .address = (unsigned long)mapped, .length = 4096 };
	EXPECT_EQ(EOPNOTSUPP, registered(self->a, &bad));
	mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
	EXPECT_NE(~0ull, stadd_of(self->a, mapped, 4096, 0, 0));
	close(file);
}

/* A context can register 16384 regions, even of one byte of the same page, and no more. */
TEST_F(memory, too_many)
{
	unsigned char *at = shared_alloc(4096);
	__u32 i;

	for (i = 0; i < 16384; i++)
		ASSERT_NE(~0ull, stadd_of(self->a, at, 1, 0, 0));
	EXPECT_EQ(~0ull, stadd_of(self->a, at, 1, 0, 0));
	EXPECT_EQ(ENOSPC, errno);
	EXPECT_EQ(4, charged_kib());
}

/* Test the RLIMIT_MEMLOCK of an ordinary user. Return: 0, or the number of the failed step. */
static int limited(void)
{
	const struct rlimit limit = { 1 << 16, 1 << 16 };
	struct torus_context *context;
	unsigned char *at = shared_alloc(1 << 20);
	__u64 stadd;

	if (setrlimit(RLIMIT_MEMLOCK, &limit) || setuid(65534) ||
	    torus_context_attach(&context, FABRIC, 2, NULL))
		return 1;
	if (stadd_of(context, at, (1 << 16) + 1, 0, 0) != ~0ull || errno != ENOMEM)
		return 2;
	stadd = stadd_of(context, at, 1 << 15, 0, 0);
	if (stadd == ~0ull || stadd_of(context, at + (1 << 15), 1 << 15, 0, 0) == ~0ull)
		return 3;
	if (stadd_of(context, at + (1 << 16), 4096, 0, 0) != ~0ull || errno != ENOMEM)
		return 4;
	/*
	 * registering a pinned page again needs no further memory, and an unregistered page frees
	 * some
	 */
	if (stadd_of(context, at, 4096, 0, 0) == ~0ull || unregistered(context, stadd) ||
	    stadd_of(context, at + (1 << 16), 4096, 0, 0) == ~0ull)
		return 5;
	return 0;
}

TEST_F(memory, limit)
{
	pid_t pid = start();

	if (!pid)
		_exit(limited());
	EXPECT_EQ(0, status_of(pid));
}

/* Add to a word of the parent process with atomics. Return: 0, or the number of the failed step. */
static int adder(__u32 node, __u64 remote)
{
	struct torus_tofu_command c = {
		.op = TORUS_TOFU_ATOMIC, .atomic = TORUS_ATOMIC_ADD, .size = 8, .remote = remote,
		.flags = TORUS_TOFU_TELL_LOCAL, .data = { 1 },
	};
	struct torus_tofu_notice notice;
	struct torus_context *context;
	__u64 before = 0;
	int i;

	if (torus_context_attach(&context, FABRIC, node, NULL))
		return 1;
	for (i = 0; i < ADDS; i++) {
		if (post(context, 0, &c) || next_notice(context, TORUS_TOFU_LCL_ATOMIC, &notice))
			return 2;
		if (i && notice.value <= before)
			return 3;
		before = notice.value;
	}
	return 0;
}

TEST_F(memory, atomics)
{
	static __u64 word[2];
	__u64 stadd = stadd_of(self->a, word, sizeof(word), 0, 0);
	pid_t pids[ADDERS];
	int i;

	for (i = 0; i < ADDERS; i++) {
		pids[i] = start();
		if (!pids[i])
			_exit(adder(2 + i, stadd + 8));
	}
	/* this process adds to the word at the same time */
	for (i = 0; i < OWN; i++) {
		__atomic_fetch_add(&word[1], 3, __ATOMIC_SEQ_CST);
		if (!(i % 64))
			sched_yield();
	}
	for (i = 0; i < ADDERS; i++)
		EXPECT_EQ(0, status_of(pids[i]));
	EXPECT_EQ(ADDERS * ADDS + 3 * OWN, word[1]);
	EXPECT_EQ(0, word[0]);
}

/*
 * After fork(), puts change the parent's memory. The child keeps a copy of the previous contents.
 */
TEST_F(memory, fork)
{
	unsigned char *to = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				 -1, 0);
	static unsigned char from[64] = "parent";
	struct torus_tofu_command c = {
		.op = TORUS_TOFU_PUT, .flags = TORUS_TOFU_TELL_LOCAL, .length = 64,
	};
	struct torus_ioc_register ask = { .address = (unsigned long)to, .length = 64 };
	struct torus_tofu_notice notice;
	int go[2];
	pid_t pid;
	char byte;

	strcpy((char *)to, "before");
	c.local = stadd_of(self->a, from, 64, 0, 0);
	c.remote = stadd_of(self->b, to, 64, 0, 0);
	ASSERT_EQ(0, pipe(go));
	pid = start();
	if (!pid) {
		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		_exit(registered(self->a, &ask) != ECHILD ? 2 : strcmp((char *)to, "before") != 0);
	}
	to[50] = 1;	/* the parent writes first to the page that fork() made copy-on-write */
	ASSERT_EQ(0, post(self->a, 1, &c));
	ASSERT_EQ(0, next_notice(self->a, TORUS_TOFU_LCL_PUT, &notice));
	EXPECT_EQ(0, strcmp((char *)to, "parent"));
	ASSERT_EQ(1, write(go[1], "", 1));
	EXPECT_EQ(0, status_of(pid));
}

/* Put to the parent process and get from it as fast as possible, until this process is killed. */
static void victim(int *ready, __u64 remote)
{
	static unsigned char own[KILL_BYTES];
	struct torus_context *context;
	struct torus_tofu_command c = {
		.op = TORUS_TOFU_PUT, .length = KILL_BYTES, .remote = remote,
	};

	memset(own, 0x5a, sizeof(own));
	if (torus_context_attach(&context, FABRIC, 4, NULL))
		_exit(1);
	c.local = stadd_of(context, own, sizeof(own), 0, 0);
	if (stadd_of(context, own, sizeof(own), TORUS_REGISTER_STAG, 3) != 3ull << 40)
		_exit(2);
	__atomic_store_n(ready, 1, __ATOMIC_RELEASE);
	for (;; c.op = c.op == TORUS_TOFU_PUT ? TORUS_TOFU_GET : TORUS_TOFU_PUT)
		if (post(context, 0, &c))
			_exit(3);
}

/*
 * A process is killed during transfers. Its pages are unpinned, and puts to its memory fail with an
 * error.
 */
TEST_F_TIMEOUT(memory, killed, 3600)
{
	static unsigned char own[KILL_BYTES];
	__u64 local = stadd_of(self->a, own, sizeof(own), 0, 0), pins = pinned_pages();
	struct torus_tofu_command c = {
		.op = TORUS_TOFU_PUT, .length = KILL_BYTES, .local = local, .remote = 3ull << 40,
	};
	int *ready = shared_alloc(sizeof(*ready));
	struct torus_tofu_notice notice;
	double until;
	pid_t pid;
	int kills = getenv("TORUS_SOAK") ? 10 * KILLS : KILLS, i;

	for (i = 0; i < kills; i++) {
		*ready = 0;
		pid = start();
		if (!pid)
			victim(ready, local);
		for (until = now_s() + WAIT_MS / 1000;
		     !__atomic_load_n(ready, __ATOMIC_ACQUIRE) && now_s() < until;)
			usleep(1000);
		ASSERT_EQ(0, post(self->a, 4, &c));
		usleep(300 * i);
		kill(pid, SIGKILL);
		ASSERT_EQ(256 + SIGKILL, status_of(pid));
		/* the first put of the round may have failed, too */
		c.edata = (__u8)(i + 1);
		ASSERT_EQ(0, post(self->a, 4, &c));
		do {
			ASSERT_EQ(TORUS_TOFU_PEER,
				  next_notice(self->a, TORUS_TOFU_LCL_PUT, &notice));
		} while (notice.edata != i + 1);
		c.edata = 0;
		EXPECT_EQ(4, notice.peer_node);
		EXPECT_EQ(pins, pinned_pages());
	}
}

/* Deleting a fabric unpins all registered memory, although the contexts are still open. */
TEST_F(memory, deleted)
{
	static unsigned char at[1 << 16];
	__u64 stadd = stadd_of(self->a, at, sizeof(at), 0, 0);

	EXPECT_NE(~0ull, stadd);
	EXPECT_NE(0, charged_kib());
	/* check that pinned pages are counted: otherwise the checks of their number cannot fail */
	EXPECT_LE(self->pins + sizeof(at) / sysconf(_SC_PAGESIZE), pinned_pages());
	EXPECT_EQ(0, fabric_del(FABRIC));
	EXPECT_EQ(0, charged_kib());
	EXPECT_EQ(self->pins, pinned_pages());
	EXPECT_EQ(ENODEV, unregistered(self->a, stadd));
	EXPECT_EQ(~0ull, stadd_of(self->a, at, 64, 0, 0));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(0, tofu_add(FABRIC));
}

/* A machine without RDMA engines rejects registrations. */
TEST(other_machine)
{
	static const __u32 shape[3] = { 2, 1, 1 };
	struct torus_context *context;
	struct torus_ioc_register ask = { .address = (unsigned long)shape, .length = 4 };

	ASSERT_EQ(0, fabric_add("memorybgl", shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&context, "memorybgl", 0, NULL));
	EXPECT_EQ(0, torus_context_info(context)->features & TORUS_FEATURE_MEMORY);
	EXPECT_EQ(EOPNOTSUPP, registered(context, &ask));
	EXPECT_EQ(EOPNOTSUPP, unregistered(context, 0));
	torus_context_detach(context);
	EXPECT_EQ(0, fabric_del("memorybgl"));
}

TEST_HARNESS_MAIN
