// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual time with threads: while a thread waits, other threads of the process can neither advance
 * its clock nor wait for other events, on any context of the process. They may join the wait.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include "vtime.h"
#include "../user/lib/context/context.h"
#include "kselftest_harness.h"

#define FABRIC	"threadstest"
#define BYTES	256
#define NEVER	(~0ull)

/* A thread that waits for a packet. */
struct thread_sleeper {
	pthread_t thread;
	int fd;
	pid_t tid;
	struct torus_ioc_clock ask;
	int error;
};

static void on_signal(int signal)
{
	(void)signal;
}

static void *sleeper_run(void *arg)
{
	struct thread_sleeper *s = arg;

	__atomic_store_n(&s->tid, (pid_t)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
	s->error = ioctl(s->fd, TORUS_IOC_CLOCK, &s->ask) ? errno : 0;
	return NULL;
}

/*
 * Wait until the thread sleeps interruptibly, which it does only in its wait. Return: false on
 * time-out.
 */
static bool sleeps(struct thread_sleeper *s)
{
	double until = now_s() + WAIT_MS / 1000;
	char path[64], state;
	bool so = false;
	FILE *file;

	for (; !so && now_s() < until; usleep(1000)) {
		snprintf(path, sizeof(path), "/proc/self/task/%d/stat",
			 __atomic_load_n(&s->tid, __ATOMIC_SEQ_CST));
		file = fopen(path, "r");
		so = file && fscanf(file, "%*d (%*[^)]) %c", &state) == 1 && state == 'S';
		if (file)
			fclose(file);
	}
	return so;
}

/* Start a thread that waits for a packet from clock 0. Return: true when the thread sleeps. */
static bool sleeper_start(struct thread_sleeper *s, int fd)
{
	*s = (struct thread_sleeper) {
		.fd = fd,
		.ask = { .op = TORUS_CLOCK_WAIT, .wants = TORUS_CLOCK_ARRIVAL, .until = NEVER },
	};
	return !pthread_create(&s->thread, NULL, sleeper_run, s) && sleeps(s);
}

/*
 * Call TORUS_IOC_CLOCK. @now: [out] the program's clock, may be NULL. Return: 0 or a positive
 * errno.
 */
static int clock_call(int fd, __u32 op, __u32 wants, __u64 clock, __u64 until, __u64 *now)
{
	struct torus_ioc_clock ask = {
		.op = op, .wants = wants, .clock = clock, .until = until,
	};

	if (ioctl(fd, TORUS_IOC_CLOCK, &ask))
		return errno;
	if (now)
		*now = ask.clock;
	return 0;
}

/*
 * Run the other program. Time starts when it attaches, and stalls until it gets a byte and sends.
 */
static int other(int start)
{
	static const __u32 to[3] = { 0, 0, 0 };
	unsigned char packet[BYTES];
	struct torus_context *context;
	char byte;
	int ret;

	if (torus_context_attach(&context, FABRIC, 3, NULL) || write(start, "", 1) != 1 ||
	    read(start, &byte, 1) != 1)
		return 1;
	ret = packet_make(packet, BYTES, to, TORUS_ROUTE_ORDERED, 1) ?:
	      torus_inject_packet(context, TORUS_FIFO_ANY, packet, BYTES, 0) ?:
	      torus_compute(context, 1000000);
	torus_context_detach(context);
	return ret ? 2 : 0;
}

FIXTURE(threads)
{
	struct torus_context *a;
	struct torus_context *b;
	int start[2];
	pid_t pid;
};

FIXTURE_SETUP(threads)
{
	struct sigaction action = { .sa_handler = on_signal };
	char byte;

	ASSERT_EQ(0, sigaction(SIGUSR1, &action, NULL));
	ASSERT_EQ(0, fabric_virtual(FABRIC, 2, 1));
	ASSERT_EQ(0, torus_context_attach(&self->a, FABRIC, 0, NULL));
	ASSERT_EQ(0, torus_context_attach(&self->b, FABRIC, 1, NULL));
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, self->start));
	self->pid = start();
	if (!self->pid)
		_exit(other(self->start[1]));
	ASSERT_EQ(1, read(self->start[0], &byte, 1));
}

FIXTURE_TEARDOWN(threads)
{
	torus_context_detach(self->a);
	torus_context_detach(self->b);
	kill(self->pid, SIGKILL);
	status_of(self->pid);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

TEST_F(threads, clock_stands)
{
	int a = torus_context_fd(self->a), b = torus_context_fd(self->b);
	struct thread_sleeper s;
	__u64 now = 0;

	ASSERT_TRUE(sleeper_start(&s, a));
	ASSERT_EQ(EBUSY, clock_call(a, TORUS_CLOCK_MOVE, 0, 5000, 0, NULL));
	EXPECT_EQ(EBUSY, clock_call(b, TORUS_CLOCK_MOVE, 0, 0, 0, NULL));
	EXPECT_EQ(EBUSY, clock_call(b, TORUS_CLOCK_WAIT, 0, 0, 0, NULL));
	EXPECT_EQ(EBUSY, clock_call(b, TORUS_CLOCK_WAIT, TORUS_CLOCK_ARRIVAL, 0, 100, NULL));
	EXPECT_EQ(EBUSY, clock_call(a, TORUS_CLOCK_WAIT, TORUS_CLOCK_ARRIVAL, 5000, NEVER, NULL));
	EXPECT_EQ(-EBUSY, torus_compute(self->b, 5000));
	EXPECT_SAYS(torus_error_text(), "thread process");
	EXPECT_EQ(0, torus_context_clock(self->b));
	EXPECT_EQ(1, write(self->start[0], "", 1));
	EXPECT_EQ(0, pthread_join(s.thread, NULL));
	EXPECT_EQ(0, s.error);
	EXPECT_EQ(TORUS_CLOCK_ARRIVAL, s.ask.got);
	EXPECT_LT(0, s.ask.clock);
	EXPECT_GT(5000, s.ask.clock);
	/* after the wait the clock can advance again */
	EXPECT_EQ(0, clock_call(b, TORUS_CLOCK_MOVE, 0, s.ask.clock + 7, 0, &now));
	EXPECT_EQ(s.ask.clock + 7, now);
	EXPECT_EQ(0, status_of(self->pid));
}

TEST_F(threads, join)
{
	struct thread_sleeper s[3];
	unsigned int i;

	for (i = 0; i < 3; i++)
		ASSERT_TRUE(sleeper_start(&s[i], torus_context_fd(i & 1 ? self->b : self->a)));
	EXPECT_EQ(1, write(self->start[0], "", 1));
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(0, pthread_join(s[i].thread, NULL));
		EXPECT_EQ(0, s[i].error);
		EXPECT_EQ(TORUS_CLOCK_ARRIVAL, s[i].ask.got);
		EXPECT_EQ(s[0].ask.clock, s[i].ask.clock);
	}
}

/* A wait ended by a signal does not block other calls, unless another thread still waits. */
TEST_F(threads, signal)
{
	int a = torus_context_fd(self->a), b = torus_context_fd(self->b);
	struct thread_sleeper s[2];

	ASSERT_TRUE(sleeper_start(&s[0], a));
	ASSERT_TRUE(sleeper_start(&s[1], b));
	ASSERT_EQ(0, pthread_kill(s[0].thread, SIGUSR1));
	EXPECT_EQ(0, pthread_join(s[0].thread, NULL));
	EXPECT_EQ(EINTR, s[0].error);
	EXPECT_EQ(EBUSY, clock_call(a, TORUS_CLOCK_MOVE, 0, 300, 0, NULL));
	ASSERT_EQ(0, pthread_kill(s[1].thread, SIGUSR1));
	EXPECT_EQ(0, pthread_join(s[1].thread, NULL));
	EXPECT_EQ(EINTR, s[1].error);
	EXPECT_EQ(0, clock_call(a, TORUS_CLOCK_MOVE, 0, 300, 0, NULL));
}

static int ask_evict(struct torus_nl *nl, const void *arg)
{
	const struct torus_nl_node node = {
		.present = TORUS_NL_HAS(TORUS_A_UID) | TORUS_NL_HAS(TORUS_A_EVICT), .uid = 12345,
	};

	(void)arg;
	return torus_nl_node_set(nl, FABRIC, &node);
}

/* A thread whose context is evicted leaves the wait; other contexts of the process continue. */
TEST_F(threads, evicted)
{
	int a = torus_context_fd(self->a);
	struct thread_sleeper s;

	ASSERT_TRUE(sleeper_start(&s, a));
	ASSERT_EQ(0, nl_with(ask_evict, NULL, NULL, 0));
	EXPECT_EQ(0, pthread_join(s.thread, NULL));
	EXPECT_EQ(ENODEV, s.error);
	EXPECT_EQ(0, clock_call(torus_context_fd(self->b), TORUS_CLOCK_MOVE, 0, 300, 0, NULL));
}

TEST_HARNESS_MAIN
