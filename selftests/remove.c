// SPDX-License-Identifier: GPL-2.0
/*
 * A fabric is deleted while programs use it: calls return ENODEV, poll() reports POLLHUP, and no
 * program gets a signal.
 */
#include "device.h"
#include <sys/epoll.h>
#include "../user/lib/context/context.h"
#include "kselftest_harness.h"

#define FABRIC	"removetest"

static const __u32 shape[3] = { 2, 2, 2 };

/* Counts of attached processes, and of packets sent and received. */
struct remove_shared {
	int attached;
	int sent;
	int received;
};

FIXTURE(remove)
{
	struct remove_shared *shared;
};

FIXTURE_SETUP(remove)
{
	fabric_del(FABRIC);
	self->shared = shared_alloc(sizeof(*self->shared));
	ASSERT_NE(NULL, self->shared);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
}

FIXTURE_TEARDOWN(remove)
{
	fabric_del(FABRIC);
}

static bool reached(int *counter, int value)
{
	double until = now_s() + WAIT_MS / 1000;

	while (__atomic_load_n(counter, __ATOMIC_ACQUIRE) < value) {
		if (now_s() > until)
			return false;
		usleep(1000);
	}
	return true;
}

/*
 * Check all calls and mappings of a context whose fabric is gone. @untouched: the program has
 * written nothing to its mappings. Return: 0, or the number of the failed check.
 */
static int afterlife(struct torus_context *context, bool untouched)
{
	const struct torus_ioc_info *info = torus_context_info(context);
	struct pollfd fd = { .fd = torus_context_fd(context), .events = POLLIN | POLLOUT };
	struct torus_ioc_locate locate = {};
	struct torus_ioc_info again;
	struct pollfd hup = { .fd = torus_context_fd(context) };
	unsigned int i;
	size_t byte;

	/* The state page changes first; POLLHUP is reported last. */
	if (poll(&hup, 1, WAIT_MS) != 1)
		return 9;
	if (ioctl(fd.fd, TORUS_IOC_INFO, &again) != -1 || errno != ENODEV)
		return 10;
	if (ioctl(fd.fd, TORUS_IOC_LOCATE, &locate) != -1 || errno != ENODEV)
		return 11;
	if (ioctl(fd.fd, TORUS_IOC_DOORBELL) != -1 || errno != ENODEV)
		return 12;
	if (raw_attach(fd.fd, FABRIC, 0, 0, 0) != EISCONN)
		return 13;
	if (mmap(NULL, info->page_bytes, PROT_READ, MAP_SHARED, fd.fd,
		 TORUS_MAP_TOKEN(TORUS_MAP_STATUS, 0)) != MAP_FAILED || errno != ENODEV)
		return 14;
	if (poll(&fd, 1, WAIT_MS) != 1 || fd.revents != (POLLHUP | POLLERR))
		return 15;
	if (*(__u32 *)(context->status + info->status_state_offset) != TORUS_STATE_DEAD)
		return 16;
	if (!(*(__u32 *)(context->status + info->status_flags_offset) & TORUS_STATUS_DOORBELL))
		return 17;
	for (i = 0; i < info->receive_fifos; i++) {
		for (byte = 0; byte < (size_t)info->receive_chunks * info->chunk_bytes; byte++) {
			if (context->receive[i].ring[byte])
				return 18;
		}
	}
	for (byte = 0; untouched && byte < info->page_bytes; byte++) {
		if (context->control[byte])
			return 19;
	}
	for (byte = 0; untouched && byte < info->page_bytes; byte++) {
		if (context->inject[0].ring[byte])
			return 21;
	}
	/* Writing to the mappings has no effect. */
	for (i = 0; i < info->inject_fifos; i++)
		memset(context->inject[i].ring, 0x5a,
		       (size_t)info->inject_chunks * info->chunk_bytes);
	memset(context->control, 0x5a, info->page_bytes);
	if (torus_context_check(context) != -ENODEV)
		return 20;
	return 0;
}

static void come(struct remove_shared *shared, struct torus_context **context, __u32 node)
{
	if (torus_context_attach(context, FABRIC, node, NULL))
		_exit(1);
	__atomic_add_fetch(&shared->attached, 1, __ATOMIC_RELEASE);
}

static void sender(struct remove_shared *shared, __u32 node, enum torus_route route)
{
	const __u32 dest[3] = { 1, 1, 1 };
	struct torus_context *context;
	unsigned char packet[256];
	int ret;

	come(shared, &context, node);
	packet_make(packet, sizeof(packet), dest, route, node);
	do {
		ret = torus_inject_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1);
		if (!ret)
			__atomic_add_fetch(&shared->sent, 1, __ATOMIC_RELAXED);
	} while (!ret);
	_exit(ret == -ENODEV ? afterlife(context, false) : 2);
}

static void receiver(struct remove_shared *shared, __u32 node)
{
	struct torus_context *context;
	unsigned char packet[256];
	int ret;

	come(shared, &context, node);
	while ((ret = torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1)) >
	       0) {
		/* Each received packet must be intact, until the end. */
		if (!packet_right(packet, ret))
			_exit(3);
		__atomic_add_fetch(&shared->received, 1, __ATOMIC_RELAXED);
	}
	_exit(ret == -ENODEV ? afterlife(context, false) : 2);
}

/* Sleep in poll() until the fabric is deleted. */
static void poller(struct remove_shared *shared, __u32 node)
{
	struct pollfd fd = { .events = POLLIN };
	struct torus_context *context;

	come(shared, &context, node);
	fd.fd = torus_context_fd(context);
	if (poll(&fd, 1, WAIT_MS) != 1)
		_exit(4);
	_exit(fd.revents == (POLLHUP | POLLERR) ? afterlife(context, true) : 5);
}

static void epoller(struct remove_shared *shared, __u32 node)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	struct torus_context *context;
	int fd = epoll_create1(0);

	come(shared, &context, node);
	if (epoll_ctl(fd, EPOLL_CTL_ADD, torus_context_fd(context), &event))
		_exit(6);
	if (epoll_wait(fd, &event, 1, WAIT_MS) != 1)
		_exit(4);
	_exit(event.events == (EPOLLHUP | EPOLLERR) ? afterlife(context, true) : 5);
}

/* Read and write the mappings continuously, without any call. */
static void toucher(struct remove_shared *shared, __u32 node)
{
	const volatile __u32 *state;
	struct torus_context *context;
	unsigned int i;

	come(shared, &context, node);
	state = (const __u32 *)(context->status + context->info.status_state_offset);
	for (i = 0; *state == TORUS_STATE_ALIVE; i += 4096) {
		i %= context->info.inject_chunks * context->info.chunk_bytes;
		*(volatile unsigned char *)(context->inject[0].ring + i) = 1;
		(void)*(const volatile unsigned char *)(context->receive[0].ring + i);
	}
	/* Touch the zeroed pages once more, whatever the page tables contained before. */
	memset((void *)context->inject[0].ring, 0, context->info.page_bytes);
	_exit(afterlife(context, false));
}

static void starter(struct remove_shared *shared, int role)
{
	switch (role) {
	case 0:
		sender(shared, 0, TORUS_ROUTE_DYNAMIC);
		break;
	case 1:
		sender(shared, 1, TORUS_ROUTE_ORDERED);
		break;
	case 2:
		receiver(shared, 7);
		break;
	case 3:
		poller(shared, 3);
		break;
	case 4:
		epoller(shared, 4);
		break;
	case 5:
		toucher(shared, 5);
		break;
	}
	_exit(99);
}

#define ROLES	6

TEST_F(remove, under_everybody)
{
	pid_t pid[ROLES];
	int role, round;

	for (round = 0; round < 5; round++) {
		memset(self->shared, 0, sizeof(*self->shared));
		for (role = 0; role < ROLES; role++) {
			pid[role] = start();
			if (!pid[role])
				starter(self->shared, role);
		}
		EXPECT_TRUE(reached(&self->shared->attached, ROLES));
		EXPECT_TRUE(reached(&self->shared->received, 50));
		EXPECT_EQ(0, fabric_del(FABRIC));
		for (role = 0; role < ROLES; role++)
			EXPECT_EQ(0, status_of(pid[role]));
		EXPECT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	}
}

/* Delete the fabric when rings and FIFOs are full and no program reads. */
TEST_F(remove, while_all_is_full)
{
	pid_t pid = start();

	if (!pid)
		sender(self->shared, 0, TORUS_ROUTE_ORDERED);
	EXPECT_TRUE(reached(&self->shared->attached, 1));
	EXPECT_TRUE(reached(&self->shared->sent, 20));
	usleep(100000);
	EXPECT_EQ(0, fabric_del(FABRIC));
	EXPECT_EQ(0, status_of(pid));
}

/* A fabric's name can be reused while contexts of the deleted fabric are open. */
TEST_F(remove, and_made_again)
{
	struct torus_context *old, *new;

	ASSERT_EQ(0, torus_context_attach(&old, FABRIC, 0, NULL));
	ASSERT_EQ(0, fabric_del(FABRIC));
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&new, FABRIC, 0, NULL));
	EXPECT_EQ(-ENODEV, torus_context_check(old));
	EXPECT_EQ(0, torus_context_check(new));
	torus_context_detach(old);
	EXPECT_EQ(0, torus_context_check(new));
	torus_context_detach(new);
}

TEST_F(remove, with_its_namespace)
{
	struct torus_context *context;
	int ready[2], ns, home;
	pid_t pid;
	char byte;

	ASSERT_EQ(0, pipe(ready));
	home = open("/proc/self/ns/net", O_RDONLY);
	pid = start();
	if (!pid) {
		if (unshare(CLONE_NEWNET) || fabric_add(FABRIC, shape, NULL, 0) ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	{
		char path[64];

		snprintf(path, sizeof(path), "/proc/%d/ns/net", pid);
		ns = open(path, O_RDONLY);
	}
	ASSERT_EQ(0, setns(ns, CLONE_NEWNET));
	ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 3, NULL));
	ASSERT_EQ(0, setns(home, CLONE_NEWNET));
	close(ns);
	kill(pid, SIGKILL);
	status_of(pid);
	/* An attached context does not keep the network namespace alive. */
	{
		struct pollfd fd = { .fd = torus_context_fd(context), .events = POLLIN };

		EXPECT_EQ(1, poll(&fd, 1, WAIT_MS));
		EXPECT_EQ(POLLHUP | POLLERR, fd.revents);
	}
	EXPECT_EQ(0, afterlife(context, true));
	torus_context_detach(context);
}

TEST_HARNESS_MAIN
