// SPDX-License-Identifier: GPL-2.0
/*
 * A fabric that stops because memory has run out ends every call that sleeps for an event of it:
 * TORUS_IOC_WAIT with EIO, poll() with EPOLLERR.
 */
#include <poll.h>
#include <sys/epoll.h>
#include "device.h"
#include "programs.h"
#include "kselftest_harness.h"

#define FABRIC		"stopped"
#define STOP_S		60	/* after which the fabric is taken for one that does not stop */

#define SHAPE		"arch bgl shape 2x2x2 domains 2"

static int call(int fd, unsigned long request, void *ask)
{
	int ret = ioctl(fd, request, ask);

	return ret < 0 ? -errno : ret;
}

/* Sleep for a packet at @node, by TORUS_IOC_WAIT or by poll(); 0 if the call ends as it must. */
static int sleep_in_vain(bool wait, __u32 node)
{
	struct torus_ioc_wait ask = { .events = EPOLLIN, .timeout_ms = -1 };
	struct pollfd at = { .fd = open(DEVICE, O_RDWR | O_CLOEXEC), .events = POLLIN };

	if (raw_attach(at.fd, FABRIC, node, 0, 0))
		return 1;
	if (wait)
		return call(at.fd, TORUS_IOC_WAIT, &ask) != -EIO;
	return poll(&at, 1, -1) != 1 || at.revents != POLLERR;
}

static bool failed(void)
{
	struct torus_nl_fabric fabric;

	return !fabric_get(FABRIC, &fabric) && fabric.state == TORUS_FABRIC_FAILED;
}

/* Have the memory that a packet takes where it is sent: its own domain is the plane z = 0. */
static bool begins(struct torus_context *context)
{
	struct torus_notice notice;
	unsigned char packet[256];

	packet_make(packet, sizeof(packet), (const __u32[3]){ 1, 1, 0 }, TORUS_ROUTE_DYNAMIC, 0);
	if (torus_inject_packet(context, 0, packet, sizeof(packet), WAIT_MS))
		return false;
	/* nobody listens there */
	while (!torus_notice_take(context, &notice))
		usleep(1000);
	return true;
}

/*
 * Send from @context until the fabric has stopped: a packet that moves cannot wait for the memory
 * that it needs in the other domain.
 */
static bool stops(struct torus_context *context)
{
	double until = now_s() + STOP_S;
	unsigned char packet[256];
	unsigned int sent = 0;

	while (!failed() && now_s() < until) {
		packet_make(packet, sizeof(packet), (const __u32[3]){ 1, 1, 1 },
			    TORUS_ROUTE_DYNAMIC, sent++);
		torus_inject_try(context, 0, packet, sizeof(packet));
		usleep(1000);
	}
	return failed();
}

FIXTURE(stopped)
{
	struct torus_context *context;
	pid_t sleepers[2];
};

FIXTURE_SETUP(stopped)
{
	int i;

	fabric_del(FABRIC);
	ASSERT_EQ(0, system("torusctl fabric add " FABRIC " " SHAPE));
	for (i = 0; i < 2; i++) {
		self->sleepers[i] = start();
		if (!self->sleepers[i])
			_exit(sleep_in_vain(i, 1 + i));
	}
	ASSERT_EQ(0, torus_context_attach(&self->context, FABRIC, 0, NULL));
	usleep(200000);		/* usually they sleep by then; a later sleep must end, too */
}

FIXTURE_TEARDOWN(stopped)
{
	torus_context_detach(self->context);
	fabric_del(FABRIC);
}

TEST_F(stopped, sleepers_are_woken)
{
	char old[64] = "";
	bool stopped;
	int i;

	ASSERT_TRUE(begins(self->context));
	ASSERT_TRUE(module_parameter("max_bytes", "1", old, sizeof(old)));
	stopped = stops(self->context);
	EXPECT_TRUE(module_parameter("max_bytes", old, NULL, 0));
	if (!stopped)
		fabric_del(FABRIC);
	EXPECT_TRUE(stopped);
	for (i = 0; i < 2; i++)
		EXPECT_EQ(0, status_of(self->sleepers[i]));
}

TEST_HARNESS_MAIN
