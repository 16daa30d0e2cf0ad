// SPDX-License-Identifier: GPL-2.0
/*
 * A process ends while another process keeps its file open: a forked child, a child of vfork(), or
 * a process that got the descriptor. Its FIFO group is free at once, and the packets in its rings
 * arrive.
 */
#include "device.h"
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include "kselftest_harness.h"

#define FABRIC	"keeptest"
#define ROUNDS	10
#define PACKETS	60u

static const __u32 shape[3] = { 3, 2, 2 };

/* The other process with the owner's file. */
enum keeper { FORK, VFORK, RECEIVER };

/* How the owner ends. */
enum end { KILLED, EXITS, EXECUTES, THREAD_LAST };

/*
 * @keeper: process that keeps the file, 0 before it exists
 * @sent: packets that the owner has injected
 * @call: request to the keeper to call the device; @code: errno of its calls, @answered: number
 */
struct keep_shared {
	pid_t keeper;
	__u32 sent;
	__u32 call;
	__u32 answered;
	int code;
};

FIXTURE(keep)
{
	struct keep_shared *shared;
	struct torus_context *peer;
	char drain_ms[16];
	int pair[2];
};

FIXTURE_VARIANT(keep)
{
	enum keeper keeper;
	enum end end;
};

FIXTURE_VARIANT_ADD(keep, fork_killed) { .keeper = FORK, .end = KILLED };
FIXTURE_VARIANT_ADD(keep, fork_exits) { .keeper = FORK, .end = EXITS };
FIXTURE_VARIANT_ADD(keep, fork_executes) { .keeper = FORK, .end = EXECUTES };
FIXTURE_VARIANT_ADD(keep, fork_thread_last) { .keeper = FORK, .end = THREAD_LAST };
FIXTURE_VARIANT_ADD(keep, vfork_killed) { .keeper = VFORK, .end = KILLED };
FIXTURE_VARIANT_ADD(keep, passed_killed) { .keeper = RECEIVER, .end = KILLED };
FIXTURE_VARIANT_ADD(keep, passed_executes) { .keeper = RECEIVER, .end = EXECUTES };

FIXTURE_SETUP(keep)
{
	fabric_del(FABRIC);
	self->shared = shared_alloc(sizeof(*self->shared));
	ASSERT_NE(NULL, self->shared);
	/* A busy host must not end the draining before the receiver has read. */
	ASSERT_TRUE(module_parameter("drain_ms", "60000", self->drain_ms, sizeof(self->drain_ms)));
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_DGRAM, 0, self->pair));
	ASSERT_EQ(0, torus_context_attach(&self->peer, FABRIC, 4, NULL));
}

FIXTURE_TEARDOWN(keep)
{
	if (self->shared->keeper)
		kill(self->shared->keeper, SIGKILL);
	torus_context_detach(self->peer);
	close(self->pair[0]);
	close(self->pair[1]);
	EXPECT_EQ(0, fabric_del(FABRIC));
	EXPECT_TRUE(module_parameter("drain_ms", self->drain_ms, NULL, 0));
}

static void must(const char *what, int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "# %s: %s\n", what, torus_error_text());
	_exit(1);
}

static bool until_set(__u32 *flag, __u32 value)
{
	double until = now_s() + WAIT_MS / 1000;

	while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) != value) {
		if (now_s() > until)
			return false;
		usleep(500);
	}
	return true;
}

/*
 * Keep @fd open, and call the device on request. Shares the owner's memory after vfork(), so it
 * calls the kernel alone.
 */
static void keep(struct keep_shared *shared, int fd)
{
	__u32 calls;

	prctl(PR_SET_PDEATHSIG, 0);
	__atomic_store_n(&shared->keeper, getpid(), __ATOMIC_RELEASE);
	for (calls = 1;; calls++) {
		while (__atomic_load_n(&shared->call, __ATOMIC_ACQUIRE) < calls)
			usleep(500);
		shared->code = ioctl(fd, TORUS_IOC_DOORBELL) ? errno : 0;
		__atomic_store_n(&shared->answered, calls, __ATOMIC_RELEASE);
	}
}

static void pass_descriptor(int to, int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = {};
	struct iovec one = { .iov_base = (char *)"d", .iov_len = 1 };
	struct msghdr message = {
		.msg_iov = &one, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	must("sendmsg", sendmsg(to, &message, 0) == 1 ? 0 : -1);
}

static int get_descriptor(int from)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = {};
	char byte;
	struct iovec one = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = {
		.msg_iov = &one, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	int fd;

	if (recvmsg(from, &message, 0) != 1 || !CMSG_FIRSTHDR(&message))
		return -1;
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	return fd;
}

static void send_packets(struct keep_shared *shared, struct torus_context *context, __u32 count)
{
	const __u32 dest[3] = { 1, 1, 0 };
	unsigned char packet[256];
	__u32 id;

	for (id = 0; id < count; id++) {
		packet_make(packet, 256, dest, TORUS_ROUTE_ORDERED, id);
		must("inject", torus_inject_packet(context, 0, packet, 256, -1));
		__atomic_store_n(&shared->sent, id + 1, __ATOMIC_RELAXED);
	}
}

/* Start the process that keeps the owner's file. */
static void start_keeper(struct keep_shared *shared, struct torus_context *context,
			 enum keeper keeper, int to)
{
	pid_t pid = 0;

	if (keeper == RECEIVER)
		pass_descriptor(to, torus_context_fd(context));
	else if (keeper == FORK)
		pid = fork();
	else if (!vfork())
		keep(shared, torus_context_fd(context));
	if (keeper == FORK && !pid)
		keep(shared, torus_context_fd(context));
	while (keeper == FORK && !__atomic_load_n(&shared->keeper, __ATOMIC_ACQUIRE))
		usleep(500);
}

struct owner {
	struct keep_shared *shared;
	enum keeper keeper;
	enum end end;
	int to;
};

/* Attach, send packets and let another process keep the file. */
static struct torus_context *own(const struct owner *owner)
{
	struct torus_context *context;

	must("attach", torus_context_attach(&context, FABRIC, 0, NULL));
	send_packets(owner->shared, context, PACKETS);
	start_keeper(owner->shared, context, owner->keeper, owner->to);
	return context;
}

/* Attach in a thread that outlives the leader of the thread group. */
static void *last_thread(void *arg)
{
	own(arg);
	usleep(20000);
	kill(getpid(), SIGKILL);
	return NULL;
}

static void run_owner(struct owner *owner)
{
	pthread_t thread;

	if (owner->end == THREAD_LAST) {
		if (pthread_create(&thread, NULL, last_thread, owner))
			_exit(2);
		pthread_exit(NULL);
	}
	own(owner);
	if (owner->end == EXECUTES)
		execlp("sleep", "sleep", "600", NULL);
	else if (owner->end == KILLED)
		kill(getpid(), SIGKILL);
	_exit(0);
}

/* Receive exactly the packets 0 to @count - 1, in order. Return: true if all are correct. */
static bool received(struct torus_context *context, __u32 count)
{
	unsigned char packet[256];
	__u32 id, expected;

	for (expected = 0; expected < count; expected++) {
		if (torus_receive_packet(context, TORUS_FIFO_ANY, packet, 256, WAIT_MS) != 256)
			return false;
		memcpy(&id, packet + 8, sizeof(id));
		if (id != expected || !packet_right(packet, 256))
			return false;
	}
	return true;
}

/* Have the keeper call the device. Return: its errno, or -1. */
static int call_by_keeper(struct keep_shared *shared)
{
	__u32 calls = shared->call + 1;

	__atomic_store_n(&shared->call, calls, __ATOMIC_RELEASE);
	return until_set(&shared->answered, calls) ? shared->code : -1;
}

/* End the owner. Return: true if it ended as it should. */
static bool end_owner(struct keep_shared *shared, const struct owner *owner, pid_t pid)
{
	if (owner->keeper == VFORK) {
		/* The owner sleeps in vfork(). */
		while (!__atomic_load_n(&shared->keeper, __ATOMIC_ACQUIRE))
			usleep(500);
		kill(pid, SIGKILL);
	}
	if (owner->end == EXECUTES)
		return true;
	return status_of(pid) == (owner->end == EXITS ? 0 : 256 + SIGKILL);
}

TEST_F(keep, group_is_free)
{
	struct owner owner = { self->shared, variant->keeper, variant->end, self->pair[1] };
	struct torus_context *next;
	unsigned char packet[256];
	pid_t pid = start();
	int passed = -1;

	if (!pid)
		run_owner(&owner);
	if (owner.keeper == RECEIVER) {
		passed = get_descriptor(self->pair[0]);
		ASSERT_LE(0, passed);
	}
	ASSERT_TRUE(end_owner(self->shared, &owner, pid));
	ASSERT_TRUE(received(self->peer, PACKETS));
	/* An owner that executes another program ends at a time that this test does not see. */
	while (torus_context_attach(&next, FABRIC, 0, NULL)) {
		ASSERT_EQ(EXECUTES, owner.end);
		usleep(1000);
	}
	EXPECT_EQ(-EAGAIN, torus_receive_poll(self->peer, TORUS_FIFO_ANY, packet, 256));
	if (passed < 0) {
		EXPECT_EQ(0, kill(self->shared->keeper, 0));
		EXPECT_EQ(ENODEV, call_by_keeper(self->shared));
	} else {
		struct pollfd poll_for = { .fd = passed, .events = POLLIN };

		EXPECT_EQ(-1, ioctl(passed, TORUS_IOC_DOORBELL));
		EXPECT_EQ(ENODEV, errno);
		EXPECT_EQ(1, poll(&poll_for, 1, 0));
		EXPECT_EQ(POLLHUP, poll_for.revents & POLLHUP);
		close(passed);
	}
	/* The end of the file must not take the group from its next owner. */
	if (self->shared->keeper)
		kill(self->shared->keeper, SIGKILL);
	self->shared->keeper = 0;
	send_packets(self->shared, next, 1);
	EXPECT_TRUE(received(self->peer, 1));
	torus_context_detach(next);
	if (owner.end == EXECUTES) {
		kill(pid, SIGKILL);
		EXPECT_EQ(256 + SIGKILL, status_of(pid));
	}
}

/* Owners with a forked child are killed while they send: the next owner gets the group. */
FIXTURE(rounds)
{
	struct keep_shared *shared;
};

FIXTURE_SETUP(rounds)
{
	fabric_del(FABRIC);
	self->shared = shared_alloc(sizeof(*self->shared));
	ASSERT_NE(NULL, self->shared);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, "rx_stall", 1000000));
}

FIXTURE_TEARDOWN(rounds)
{
	fabric_del(FABRIC);
}

/* Let a child keep the file, then send without end to a node that does not read. */
static void send_endlessly(struct keep_shared *shared)
{
	struct torus_context *context;

	must("attach", torus_context_attach(&context, FABRIC, 0, NULL));
	start_keeper(shared, context, FORK, -1);
	send_packets(shared, context, ~0u);
	_exit(0);
}

TEST_F(rounds, killed_while_sending)
{
	struct torus_context *context;
	pid_t pid, keeper;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		self->shared->keeper = 0;
		self->shared->sent = 0;
		pid = start();
		if (!pid)
			send_endlessly(self->shared);
		while (__atomic_load_n(&self->shared->sent, __ATOMIC_RELAXED) < 20)
			usleep(500);
		usleep(round * 300);
		kill(pid, SIGKILL);
		ASSERT_EQ(256 + SIGKILL, status_of(pid));
		keeper = self->shared->keeper;
		/* In some rounds the file is closed before or while its context drains. */
		if (round % 2)
			kill(keeper, SIGKILL);
		ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 0, NULL));
		kill(keeper, SIGKILL);
		torus_context_detach(context);
	}
}

/* The fabric is deleted while the context of a dead owner drains. */
TEST_F(rounds, fabric_deleted)
{
	pid_t pid;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		self->shared->keeper = 0;
		self->shared->sent = 0;
		pid = start();
		if (!pid)
			send_endlessly(self->shared);
		while (__atomic_load_n(&self->shared->sent, __ATOMIC_RELAXED) < 20)
			usleep(500);
		kill(pid, SIGKILL);
		if (round % 2)
			ASSERT_EQ(256 + SIGKILL, status_of(pid));
		ASSERT_EQ(0, fabric_del(FABRIC));
		if (!(round % 2))
			ASSERT_EQ(256 + SIGKILL, status_of(pid));
		kill(self->shared->keeper, SIGKILL);
		ASSERT_EQ(0, fabric_add(FABRIC, shape, "rx_stall", 1000000));
	}
}

TEST_HARNESS_MAIN
