// SPDX-License-Identifier: GPL-2.0
/* poll(), TORUS_IOC_WAIT and the doorbell: no task keeps sleeping when a packet has arrived. */
#include "idle.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include "kselftest_harness.h"

#define FABRIC	"polltest"

static const __u32 shape[3] = { 4, 2, 2 };
static const __u32 node0[3] = { 0, 0, 0 };
static const __u32 node1[3] = { 1, 0, 0 };

FIXTURE(poll)
{
	struct torus_context *a;
	struct torus_context *b;
};

FIXTURE_SETUP(poll)
{
	fabric_del(FABRIC);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&self->a, FABRIC, 0, NULL));
	ASSERT_EQ(0, torus_context_attach(&self->b, FABRIC, 1, NULL));
}

FIXTURE_TEARDOWN(poll)
{
	torus_context_detach(self->a);
	torus_context_detach(self->b);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

static int events_of(struct torus_context *context, short events, int timeout_ms)
{
	struct pollfd fd = { .fd = torus_context_fd(context), .events = events };
	int ret = poll(&fd, 1, timeout_ms);

	return ret > 0 ? fd.revents : ret;
}

static int send_to(struct torus_context *context, const __u32 dest[3], __u32 id)
{
	unsigned char packet[256];

	packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_ORDERED, id);
	return torus_inject_packet(context, 0, packet, sizeof(packet), WAIT_MS);
}

static void send_after(useconds_t us)
{
	struct torus_context *context;

	usleep(us);
	_exit(torus_context_attach(&context, FABRIC, 2, NULL) || send_to(context, node0, 1));
}

/*
 * Start a process that sends a packet to node 0 after a delay. By then its parent sleeps; if not,
 * it finds the packet without waiting.
 */
static pid_t send_later(void)
{
	pid_t pid = start();

	if (!pid)
		send_after(50000);
	return pid;
}

TEST_F(poll, quiet)
{
	EXPECT_EQ(POLLOUT, events_of(self->a, POLLIN | POLLOUT, 0));
	EXPECT_EQ(0, events_of(self->a, POLLIN, 20));
}

static int wait_of(struct torus_context *context, __u32 events, __s32 timeout_ms)
{
	struct torus_ioc_wait ask = { .events = events, .timeout_ms = timeout_ms };

	return ioctl(torus_context_fd(context), TORUS_IOC_WAIT, &ask);
}

TEST_F(poll, wait_quiet)
{
	EXPECT_TRUE(self->a->info.features & TORUS_FEATURE_WAIT);
	EXPECT_EQ(POLLOUT, wait_of(self->a, POLLIN | POLLOUT, 0));
	EXPECT_EQ(POLLOUT, wait_of(self->a, POLLOUT, -1));
	EXPECT_EQ(0, wait_of(self->a, POLLIN, 0));
	EXPECT_EQ(0, wait_of(self->a, POLLIN | POLLPRI, 20));
}

TEST_F(poll, wait_refuses)
{
	EXPECT_EQ(-1, wait_of(self->a, 0, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, wait_of(self->a, POLLIN | POLLHUP, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(torus_context_fd(self->a), TORUS_IOC_WAIT, NULL));
	EXPECT_EQ(EFAULT, errno);
}

TEST_F(poll, wait_wakes_for_a_packet)
{
	pid_t pid = send_later();

	EXPECT_EQ(POLLIN, wait_of(self->a, POLLIN, -1));
	EXPECT_EQ(0, status_of(pid));
}

static int take_one(struct torus_context *context)
{
	unsigned char got[256];

	return torus_receive_packet(context, TORUS_FIFO_ANY, got, sizeof(got), WAIT_MS);
}

/*
 * A wait leaves its timer armed when it ends early. A later wait must use its own time limit,
 * shorter or longer.
 */
TEST_F(poll, wait_as_long_as_it_was_asked)
{
	pid_t pid = send_later();
	double began;

	EXPECT_EQ(POLLIN, wait_of(self->a, POLLIN, 3600000));
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(256, take_one(self->a));
	EXPECT_EQ(0, wait_of(self->a, POLLIN, 20));
	pid = send_later();
	EXPECT_EQ(POLLIN, wait_of(self->a, POLLIN, 3600000));
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(256, take_one(self->a));
	/*
	 * the alarm of this wait fires during the next one, which must still last as long as
	 * requested
	 */
	pid = send_later();
	wait_of(self->a, POLLIN, 300);
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(256, take_one(self->a));
	began = now_s();
	EXPECT_EQ(0, wait_of(self->a, POLLIN, 700));
	EXPECT_LE(0.6, now_s() - began);
	/* and the alarm of this wait fires during a wait without a limit */
	pid = send_later();
	wait_of(self->a, POLLIN, 100);
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(256, take_one(self->a));
	pid = start();
	if (!pid)
		send_after(300000);
	EXPECT_EQ(POLLIN, wait_of(self->a, POLLIN, -1));
	EXPECT_EQ(0, status_of(pid));
}

static void *wait_long(void *context)
{
	return (void *)(long)wait_of(context, POLLIN, 3600000);
}

/*
 * Two threads wait on one context. The thread with the shorter limit wakes, and the other one
 * continues to wait.
 */
TEST_F(poll, wait_of_two)
{
	pthread_t other;
	void *got;
	pid_t pid;

	ASSERT_EQ(0, pthread_create(&other, NULL, wait_long, self->a));
	usleep(50000);
	EXPECT_EQ(0, wait_of(self->a, POLLIN, 20));
	EXPECT_EQ(0, wait_of(self->a, POLLIN, 60));
	EXPECT_EQ(EBUSY, pthread_tryjoin_np(other, &got));
	pid = send_later();
	ASSERT_EQ(0, pthread_join(other, &got));
	EXPECT_EQ(POLLIN, (long)got);
	EXPECT_EQ(0, status_of(pid));
}

static void woken(int number)
{
}

TEST_F(poll, wait_ends_by_a_signal)
{
	struct sigaction action = { .sa_handler = woken };
	/* repeat the signal: the first one may arrive before the wait */
	struct itimerval soon = { { .tv_usec = 50000 }, { .tv_usec = 50000 } }, never = { 0 };

	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &soon, NULL));
	EXPECT_EQ(-1, wait_of(self->a, POLLIN, -1));
	EXPECT_EQ(EINTR, errno);
	EXPECT_EQ(0, setitimer(ITIMER_REAL, &never, NULL));
}

TEST_F(poll, wait_ends_with_the_fabric)
{
	pid_t pid = start();

	if (!pid) {
		usleep(50000);
		_exit(fabric_del(FABRIC) != 0);
	}
	EXPECT_EQ(-1, wait_of(self->a, POLLIN, -1));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(0, status_of(pid));
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
}

TEST_F(poll, wait_of_a_child)
{
	pid_t pid = start();

	if (!pid)
		_exit(wait_of(self->a, POLLOUT, 0) != -1 || errno != ECHILD);
	EXPECT_EQ(0, status_of(pid));
}

TEST_F(poll, wakes_for_a_packet)
{
	pid_t pid = send_later();

	EXPECT_EQ(POLLIN, events_of(self->a, POLLIN, WAIT_MS));
	EXPECT_EQ(0, status_of(pid));
}

/* Wait up to a minute for a packet in a ring other than @fifo. Return: the ring, or -1. */
static int other_ring(struct torus_context *context, int fifo, struct torus_view *view)
{
	int i, round;

	for (round = 0; round < 60000; round++) {
		for (i = 0; i < (int)context->info.receive_fifos; i++) {
			if (i != fifo && !torus_receive_peek(context, i, view))
				return i;
		}
		usleep(1000);
	}
	return -1;
}

/*
 * Packets from two sides arrive in two rings. Reading the later packet does not clear POLLIN for
 * the earlier one.
 */
TEST_F(poll, ring_before_the_last)
{
	struct torus_view view;
	struct torus_context *c;
	int first, second;

	ASSERT_EQ(0, torus_context_attach(&c, FABRIC, 4, NULL));
	ASSERT_EQ(0, send_to(self->b, node0, 1));
	first = other_ring(self->a, -1, &view);
	ASSERT_LE(0, first);
	ASSERT_EQ(0, send_to(c, node0, 2));
	second = other_ring(self->a, first, &view);
	ASSERT_LE(0, second);
	ASSERT_EQ(0, torus_receive_advance(self->a, &view));
	EXPECT_EQ(POLLIN, events_of(self->a, POLLIN, 0));
	EXPECT_EQ(POLLIN, wait_of(self->a, POLLIN, 0));
	ASSERT_EQ(0, torus_receive_peek(self->a, first, &view));
	ASSERT_EQ(0, torus_receive_advance(self->a, &view));
	EXPECT_EQ(0, events_of(self->a, POLLIN, 0));
	torus_context_detach(c);
}

TEST_F(poll, watermark)
{
	struct torus_view view;

	ASSERT_EQ(0, torus_receive_watermark(self->b, 0, 16));
	ASSERT_EQ(0, send_to(self->a, node1, 1));
	ASSERT_EQ(0, send_to(self->a, node1, 2));
	ASSERT_TRUE(asleep(self->a));
	/* 16 chunks wait, but a watermark of 16 needs more than 16. */
	EXPECT_EQ(0, events_of(self->b, POLLIN, 20));
	ASSERT_EQ(0, send_to(self->a, node1, 3));
	EXPECT_EQ(POLLIN, events_of(self->b, POLLIN, WAIT_MS));
	/* A watermark above the ring's length means a full ring. */
	self->b->receive[0].control->watermark = 0xffffffff;
	EXPECT_EQ(0, events_of(self->b, POLLIN, 0));
	while (!torus_receive_peek(self->b, TORUS_FIFO_ANY, &view))
		ASSERT_EQ(0, torus_receive_advance(self->b, &view));
}

/* A full ring wakes its reader even with the highest watermark. */
TEST_F(poll, full_ring)
{
	const struct torus_attach_config small = { .receive_chunks = 16 };
	struct torus_context *c;
	const __u32 dest[3] = { 2, 0, 0 };
	int i;

	ASSERT_EQ(0, torus_context_attach(&c, FABRIC, 2, &small));
	c->receive[0].control->watermark = 0xffffffff;
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, send_to(self->b, dest, i));
	EXPECT_EQ(POLLIN, events_of(c, POLLIN, WAIT_MS));
	torus_context_detach(c);
}

/* POLLOUT is cleared when the rings are full, and set again when the reader reads. */
TEST_F(poll, room)
{
	const struct torus_attach_config small = { .inject_chunks = 8, .receive_chunks = 8 };
	struct torus_context *from, *to;
	const __u32 dest[3] = { 3, 0, 0 };
	unsigned char packet[256], got[256];
	unsigned int fifo, sent = 0, received = 0;

	ASSERT_EQ(0, torus_context_attach(&from, FABRIC, 2, &small));
	ASSERT_EQ(0, torus_context_attach(&to, FABRIC, 3, &small));
	packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_ORDERED, 9);
	for (fifo = 0; fifo < 3; fifo++) {
		while (!torus_inject_packet(from, fifo, packet, sizeof(packet), 300))
			sent++;
	}
	/* Rings, FIFOs and buffers are full, and nothing moves. */
	ASSERT_TRUE(asleep(from));
	EXPECT_EQ(0, events_of(from, POLLOUT, 0));
	while (received < sent) {
		ASSERT_EQ(256, torus_receive_packet(to, TORUS_FIFO_ANY, got, 256, WAIT_MS));
		ASSERT_TRUE(packet_right(got, 256));
		received++;
	}
	EXPECT_EQ(POLLOUT, events_of(from, POLLOUT, WAIT_MS));
	TH_LOG("%u packets in flight", sent);
	torus_context_detach(from);
	torus_context_detach(to);
}

static int ask_stall(struct torus_nl *nl, const void *arg)
{
	const struct torus_nl_param stall = { .key = "rx_stall", .value = 1000 };

	return torus_nl_fabric_set(nl, FABRIC, &stall, 1);
}

static int ask_state(struct torus_nl *nl, const void *arg)
{
	static struct torus_nl_fabric fabric;
	int ret = torus_nl_fabric_get(nl, FABRIC, &fabric);

	return ret ? ret : (int)fabric.state;
}

static bool comes_to(int state)
{
	double until = now_s() + WAIT_MS / 1000;

	while (nl_with(ask_state, NULL, NULL, 0) != state) {
		if (now_s() > until)
			return false;
		usleep(10000);
	}
	return true;
}

/*
 * A reader that does not read blocks its fabric, whose state becomes WAITING. With rx_stall the
 * blocked packets are dropped, although no other activity advances the clock.
 */
TEST_F(poll, reader_that_does_not_read)
{
	const struct torus_attach_config small = { .inject_chunks = 8, .receive_chunks = 8 };
	struct torus_fabric_counters counters;
	struct torus_context *from, *to;
	const __u32 dest[3] = { 3, 0, 0 };
	unsigned char packet[256];

	ASSERT_EQ(0, torus_context_attach(&from, FABRIC, 2, &small));
	ASSERT_EQ(0, torus_context_attach(&to, FABRIC, 3, &small));
	EXPECT_TRUE(comes_to(TORUS_FABRIC_IDLE));
	packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_ORDERED, 9);
	while (!torus_inject_packet(from, 0, packet, sizeof(packet), 300))
		;
	EXPECT_TRUE(comes_to(TORUS_FABRIC_WAITING));
	ASSERT_EQ(0, fabric_counters(FABRIC, &counters));
	EXPECT_EQ(0, counters.dropped[TORUS_DROP_RX_STALL]);
	EXPECT_LT(0, counters.in_flight);

	ASSERT_EQ(0, nl_with(ask_stall, NULL, NULL, 0));
	EXPECT_TRUE(comes_to(TORUS_FABRIC_IDLE));
	ASSERT_EQ(0, fabric_counters(FABRIC, &counters));
	EXPECT_LT(0, counters.dropped[TORUS_DROP_RX_STALL]);
	EXPECT_EQ(0, counters.in_flight);
	EXPECT_EQ(counters.injected,
		  counters.delivered + counters.dropped[TORUS_DROP_RX_STALL]);
	EXPECT_EQ(POLLOUT, events_of(from, POLLOUT, WAIT_MS));
	torus_context_detach(from);
	torus_context_detach(to);
}

TEST_F(poll, epoll_both_ways)
{
	struct epoll_event ask = { .events = EPOLLIN | EPOLLET }, got[2];
	int fd = epoll_create1(0);
	unsigned char packet[256];
	int i;

	ASSERT_LE(0, fd);
	ask.data.u32 = 0;
	ASSERT_EQ(0, epoll_ctl(fd, EPOLL_CTL_ADD, torus_context_fd(self->a), &ask));
	ask.data.u32 = 1;
	ASSERT_EQ(0, epoll_ctl(fd, EPOLL_CTL_ADD, torus_context_fd(self->b), &ask));
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, send_to(i & 1 ? self->b : self->a, i & 1 ? node0 : node1, i));
		do {
			ASSERT_EQ(1, epoll_wait(fd, got, 2, WAIT_MS));
			ASSERT_EQ(!(i & 1), got[0].data.u32);
		} while (torus_receive_poll(i & 1 ? self->a : self->b, TORUS_FIFO_ANY, packet,
					    sizeof(packet)) != sizeof(packet));
	}
	close(fd);
}

/*
 * Play one end of a ping-pong, sleeping in poll() only. Return: 0, or the number of the failed
 * step.
 */
static int volley(struct torus_context *context, const __u32 dest[3], bool serve, int rounds)
{
	unsigned char packet[256];
	int i, ret;

	torus_wait_tune(context, 0, 0);
	if (serve && send_to(context, dest, 0))
		return 1;
	for (i = 0; i < rounds; i++) {
		for (;;) {
			ret = torus_receive_poll(context, TORUS_FIFO_ANY, packet, sizeof(packet));
			if (ret == sizeof(packet))
				break;
			if (ret != -EAGAIN)
				return 2;
			if (events_of(context, POLLIN, WAIT_MS) != POLLIN)
				return 3;
		}
		if (!packet_right(packet, sizeof(packet)))
			return 4;
		if ((!serve || i + 1 < rounds) && send_to(context, dest, i))
			return 5;
	}
	return 0;
}

/* Thousands of opportunities to miss a wake-up, on both sides. */
TEST_F(poll, ping_pong)
{
	pid_t pid = start();

	if (!pid) {
		if (torus_context_attach(&self->a, FABRIC, 2, NULL))
			_exit(9);
		_exit(volley(self->a, node1, true, 3000));
	}
	EXPECT_EQ(0, volley(self->b, (const __u32[3]){ 2, 0, 0 }, false, 3000));
	EXPECT_EQ(0, status_of(pid));
}

TEST_HARNESS_MAIN
