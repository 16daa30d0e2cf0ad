// SPDX-License-Identifier: GPL-2.0
/*
 * A fabric that fails for lack of memory ends every call that waits for its events: TORUS_IOC_WAIT
 * with EIO, poll() with POLLERR.
 */
#include <poll.h>
#include <sys/epoll.h>
#include "device.h"
#include "vtime.h"
#include "kselftest_harness.h"

#define FABRIC		"stopped"
#define STOP_S		60	/* time limit for the fabric to fail */

#define SHAPE		"arch bgl shape 2x2x2 domains 2"

static int call(int fd, unsigned long request, void *ask)
{
	int ret = ioctl(fd, request, ask);

	return ret < 0 ? -errno : ret;
}

/*
 * Wait for a packet at @node with TORUS_IOC_WAIT (@wait) or poll(). Return: 0 if the call ends with
 * the expected error.
 */
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

/*
 * Send a packet to the plane z = 0, which is the sender's own domain, so that this domain allocates
 * memory for packets.
 */
static bool begins(struct torus_context *context)
{
	struct torus_notice notice;
	unsigned char packet[256];

	packet_make(packet, sizeof(packet), (const __u32[3]){ 1, 1, 0 }, TORUS_ROUTE_DYNAMIC, 0);
	if (torus_inject_packet(context, 0, packet, sizeof(packet), WAIT_MS))
		return false;
	/* the destination has no context: wait for the notice of the loss */
	while (!torus_notice_take(context, &notice))
		usleep(1000);
	return true;
}

/*
 * Send packets to the other domain until the fabric has failed. A packet on its way cannot wait for
 * memory in the other domain.
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
	usleep(200000);		/* the children usually wait by now; a later wait must end, too */
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
