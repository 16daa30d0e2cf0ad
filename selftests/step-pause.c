// SPDX-License-Identifier: GPL-2.0
/*
 * A paused fabric: its clock stands still and its readers keep sleeping, no limit of real time
 * elapses in an hour, and attach, evict, fabric del and the removal of the module work.
 */
#include "vtime.h"
#include "../user/lib/context/context.h"
#include "../user/netlink/event.h"
#include "../user/netlink/paused_run.h"
#include "../user/netlink/reg.h"
#include "kselftest_harness.h"

#define FABRIC		"pausetest"
#define SENDER		0
#define READER		1
#define PACKETS		5

/* Limits of real time during these tests, and a pause that is longer, after a jump of the clock. */
#define LIMIT_MS	"60000"
#define JUMP_SECONDS	"3600"
#define PAUSE_US	1000000

/* The kernel's own detectors of stalls, and how each is switched off: they notice the jump. */
static const char *const detectors[][2] = {
	{ "/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress", "1" },
	{ "/sys/module/workqueue/parameters/watchdog_thresh", "0" },
	{ "/proc/sys/kernel/hung_task_timeout_secs", "0" },
};

static const __u32 shape[3] = { 2, 2, 2 };
static const __u32 reader_at[3] = { 1, 0, 0 };

FIXTURE(paused)
{
	struct torus_nl *nl;
	struct torus_nl *events;
	struct torus_context *sender;
	struct torus_context *reader;
	char drain_ms[32];
	char stall_ms[32];
};

FIXTURE_SETUP(paused)
{
	fabric_del(FABRIC);
	ASSERT_TRUE(module_parameter("drain_ms", LIMIT_MS, self->drain_ms, sizeof(self->drain_ms)));
	ASSERT_TRUE(module_parameter("virtual_stall_ms", LIMIT_MS, self->stall_ms,
				     sizeof(self->stall_ms)));
	self->nl = torus_nl_new();
	self->events = torus_nl_new();
	ASSERT_NE(NULL, self->nl);
	ASSERT_NE(NULL, self->events);
	ASSERT_EQ(0, torus_nl_connect(self->nl));
	ASSERT_EQ(0, torus_nl_connect(self->events));
	ASSERT_EQ(1, torus_nl_listen(self->events));
}

FIXTURE_TEARDOWN(paused)
{
	if (self->sender)
		torus_context_detach(self->sender);
	if (self->reader)
		torus_context_detach(self->reader);
	torus_nl_free(self->nl);
	torus_nl_free(self->events);
	fabric_del(FABRIC);
	module_parameter("drain_ms", self->drain_ms, NULL, 0);
	module_parameter("virtual_stall_ms", self->stall_ms, NULL, 0);
}

/* Write a text to a file, if it exists. */
static void file_write(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		fprintf(stderr, "# %s: %s\n", file, strerror(errno));
	close(fd);
}

/* Set the kernel's clock of time-outs forward by an hour. Return: 0 or a negative errno. */
static int hour_passes(void)
{
	const char *torus = getenv("TORUS_KO");
	char file[4096];
	size_t i;
	int fd, ret;

	if (!torus)
		return -ENOENT;
	for (i = 0; i < sizeof(detectors) / sizeof(detectors[0]); i++)
		file_write(detectors[i][0], detectors[i][1]);
	snprintf(file, sizeof(file), "%.*storus_clock_test.ko",
		 (int)(strrchr(torus, '/') + 1 - torus), torus);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, "seconds=" JUMP_SECONDS, 0) ? -errno : 0;
	close(fd);
	if (!ret && syscall(SYS_delete_module, "torus_clock_test", O_NONBLOCK))
		ret = -errno;
	/* timers expire at the next tick */
	usleep(PAUSE_US);
	return ret;
}

/* Create a paused fabric. Return: 0 or a negative errno. */
static int paused_fabric(struct torus_nl *nl)
{
	int ret = fabric_add(FABRIC, shape, NULL, 0);

	return ret ? ret : torus_nl_fabric_pause(nl, FABRIC);
}

/* Send packets to node READER, without waiting. Return: 0 or a negative errno. */
static int send_packets(struct torus_context *context)
{
	unsigned char packet[256];
	__u32 i;
	int ret;

	for (i = 0; i < PACKETS; i++) {
		ret = packet_make(packet, sizeof(packet), reader_at, TORUS_ROUTE_DYNAMIC, i);
		if (!ret)
			ret = torus_inject_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet),
						  0);
		if (ret)
			return ret;
	}
	return 0;
}

/* Return: number of packets that arrive intact, at most PACKETS. */
static int receive_packets(struct torus_context *context)
{
	unsigned char packet[256];
	int i, ret;

	for (i = 0; i < PACKETS; i++) {
		ret = torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet),
					   WAIT_MS);
		if (ret != sizeof(packet) || !packet_right(packet, sizeof(packet)))
			break;
	}
	return i;
}

/* Wait for the next event of the fabric. */
static int on_event(const struct torus_nl_reply *reply, void *arg)
{
	struct torus_nl_event *event = arg;

	return !torus_nl_event_parse(reply, event) && !strcmp(event->fabric, FABRIC);
}

/* Return: type of the fabric's next event, or a negative errno. */
static int next_event(struct torus_nl *events, struct torus_nl_event *event)
{
	int ret = torus_nl_receive(events, on_event, event);

	return ret < 0 ? ret : (int)event->event;
}

/* Packets wait in the rings, and poll() sleeps, until the fabric is resumed. */
TEST_F(paused, poll_sleeps)
{
	struct torus_nl_fabric fabric;
	struct pollfd fd = { .events = POLLIN };

	ASSERT_EQ(0, paused_fabric(self->nl));
	ASSERT_EQ(0, torus_context_attach(&self->sender, FABRIC, SENDER, NULL));
	ASSERT_EQ(0, torus_context_attach(&self->reader, FABRIC, READER, NULL));
	ASSERT_EQ(0, send_packets(self->sender));
	fd.fd = torus_context_fd(self->reader);
	EXPECT_EQ(0, poll(&fd, 1, PAUSE_US / 1000));
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_TRUE(fabric.paused);
	EXPECT_EQ(0, fabric.clock);
	EXPECT_EQ(0, fabric.in_flight);
	EXPECT_EQ(0, torus_nl_fabric_resume(self->nl, FABRIC));
	EXPECT_EQ(1, poll(&fd, 1, WAIT_MS));
	EXPECT_EQ(PACKETS, receive_packets(self->reader));
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_FALSE(fabric.paused);
	EXPECT_LT(0, fabric.clock);
}

/* A running fabric with a sleeping leader stops and continues: no wake-up is lost. */
TEST_F(paused, again_and_again)
{
	int i;

	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&self->sender, FABRIC, SENDER, NULL));
	ASSERT_EQ(0, torus_context_attach(&self->reader, FABRIC, READER, NULL));
	for (i = 0; i < 100; i++) {
		ASSERT_EQ(0, torus_nl_fabric_pause(self->nl, FABRIC));
		ASSERT_EQ(0, send_packets(self->sender));
		ASSERT_EQ(0, torus_nl_fabric_resume(self->nl, FABRIC));
		ASSERT_EQ(PACKETS, receive_packets(self->reader));
	}
}

/* fabric show and events report who has paused the fabric; a second pause changes nothing. */
TEST_F(paused, reported)
{
	struct torus_nl_fabric fabric;
	struct torus_nl_event event;

	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(TORUS_EVENT_FABRIC_ADD, next_event(self->events, &event));
	EXPECT_EQ(-EINVAL, torus_nl_fabric_resume(self->nl, FABRIC));
	EXPECT_SAYS(torus_nl_error(self->nl), FABRIC " not paused");
	prctl(PR_SET_NAME, "pauser");
	ASSERT_EQ(0, torus_nl_fabric_pause(self->nl, FABRIC));
	prctl(PR_SET_NAME, "other");
	EXPECT_EQ(0, torus_nl_fabric_pause(self->nl, FABRIC));
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_TRUE(fabric.paused);
	EXPECT_STREQ("pauser", fabric.pause.command);
	EXPECT_EQ(getpid(), fabric.pause.pid);
	EXPECT_EQ(getuid(), fabric.pause.uid);
	EXPECT_SAYS(fabric.pause.why, "request");
	ASSERT_EQ(0, torus_nl_fabric_resume(self->nl, FABRIC));
	ASSERT_EQ(TORUS_EVENT_FABRIC_PAUSE, next_event(self->events, &event));
	EXPECT_STREQ("pauser", event.command);
	EXPECT_SAYS(event.text, "request");
	EXPECT_EQ(TORUS_EVENT_FABRIC_RESUME, next_event(self->events, &event));
}

/*
 * A closed file keeps its group while it has packets left, even longer than drain_ms; ATTACH to
 * this group fails at once. The packets arrive after the pause.
 */
TEST_F(paused, closing_group)
{
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, paused_fabric(self->nl));
	ASSERT_EQ(0, torus_context_attach(&self->reader, FABRIC, READER, NULL));
	ASSERT_EQ(0, torus_context_attach(&self->sender, FABRIC, SENDER, NULL));
	ASSERT_EQ(0, send_packets(self->sender));
	torus_context_detach(self->sender);
	self->sender = NULL;
	EXPECT_EQ(EBUSY, raw_attach(fd, FABRIC, SENDER, 0, 0));
	ASSERT_EQ(0, hour_passes());
	EXPECT_EQ(EBUSY, raw_attach(fd, FABRIC, SENDER, 0, 0));
	EXPECT_EQ(0, raw_attach(fd, FABRIC, SENDER, 1, 0));
	close(fd);
	/* A file without packets gives its group back at once. */
	fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, raw_attach(fd, FABRIC, SENDER, 1, 0));
	close(fd);
	EXPECT_EQ(0, torus_nl_fabric_resume(self->nl, FABRIC));
	EXPECT_EQ(PACKETS, receive_packets(self->reader));
	EXPECT_EQ(0, torus_context_attach(&self->sender, FABRIC, SENDER, NULL));
}

/* Without a pause, an hour ends the drain of the closed file: the jump of the clock counts. */
TEST_F(paused, running_group)
{
	struct torus_attach_config config = { .receive_chunks = 64 };
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	struct torus_nl_fabric fabric;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&self->reader, FABRIC, READER, &config));
	ASSERT_EQ(0, torus_context_attach(&self->sender, FABRIC, SENDER, NULL));
	while (!send_packets(self->sender))
		;
	torus_context_detach(self->sender);
	self->sender = NULL;
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_EQ(2, fabric.contexts);
	ASSERT_EQ(0, hour_passes());
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_EQ(1, fabric.contexts);
	EXPECT_EQ(0, raw_attach(fd, FABRIC, SENDER, 0, 0));
	close(fd);
}

/* A task that waits for a group when the pause begins gets EBUSY. */
TEST_F(paused, attach_waits)
{
	struct torus_attach_config config = { .receive_chunks = 64 };
	struct torus_nl_fabric fabric;
	pid_t pid;

	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&self->reader, FABRIC, READER, &config));
	ASSERT_EQ(0, torus_context_attach(&self->sender, FABRIC, SENDER, NULL));
	/* The reader reads nothing: the rings of the sender stay filled. */
	while (!send_packets(self->sender))
		;
	torus_context_detach(self->sender);
	self->sender = NULL;
	pid = start();
	if (!pid)
		_exit(raw_attach(open(DEVICE, O_RDWR | O_CLOEXEC), FABRIC, SENDER, 0, 0));
	usleep(PAUSE_US / 4);
	EXPECT_EQ(0, torus_nl_fabric_pause(self->nl, FABRIC));
	EXPECT_EQ(EBUSY, status_of(pid));
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_EQ(2, fabric.contexts);
}

/* Evict a node, and delete the fabric, while programs wait on it. */
TEST_F(paused, evict_and_delete)
{
	const struct torus_nl_node evict = {
		.present = TORUS_NL_HAS(TORUS_A_EVICT), .node = READER,
	};
	struct pollfd fd = { .events = POLLIN };
	struct torus_nl_fabric fabric;

	ASSERT_EQ(0, paused_fabric(self->nl));
	ASSERT_EQ(0, torus_context_attach(&self->sender, FABRIC, SENDER, NULL));
	ASSERT_EQ(0, torus_context_attach(&self->reader, FABRIC, READER, NULL));
	ASSERT_EQ(0, torus_nl_node_set(self->nl, FABRIC, &evict));
	fd.fd = torus_context_fd(self->reader);
	EXPECT_EQ(1, poll(&fd, 1, WAIT_MS));
	EXPECT_EQ(POLLHUP | POLLERR, fd.revents & (POLLHUP | POLLERR));
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_EQ(1, fabric.contexts);
	EXPECT_EQ(0, fabric_del(FABRIC));
	fd.fd = torus_context_fd(self->sender);
	EXPECT_EQ(1, poll(&fd, 1, WAIT_MS));
	EXPECT_EQ(POLLHUP | POLLERR, fd.revents & (POLLHUP | POLLERR));
}

/* A program that stalls virtual time is reported only after the pause; its time stands still. */
TEST_F(paused, virtual_stall)
{
	struct torus_nl_event event;
	struct torus_nl_fabric fabric;
	int type;

	ASSERT_EQ(0, fabric_virtual(FABRIC, 1, 1));
	ASSERT_EQ(0, torus_nl_fabric_pause(self->nl, FABRIC));
	ASSERT_EQ(0, torus_context_attach(&self->sender, FABRIC, SENDER, NULL));
	ASSERT_EQ(0, torus_compute(self->sender, 100));
	ASSERT_EQ(0, hour_passes());
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_TRUE(fabric.time_held);
	EXPECT_EQ(0, fabric.time_held_ms);
	EXPECT_EQ(0, torus_nl_fabric_resume(self->nl, FABRIC));
	ASSERT_EQ(0, hour_passes());
	do {
		type = next_event(self->events, &event);
		ASSERT_LE(0, type);
		EXPECT_NE(TORUS_EVENT_STALL, type);
	} while (type != TORUS_EVENT_FABRIC_RESUME);
	EXPECT_EQ(TORUS_EVENT_STALL, next_event(self->events, &event));
}

/* A packet without a reader is lost: a run to the notice ends after the tick of the loss. */
TEST_F(paused, until_notice)
{
	const struct torus_nl_run run = { .event = "notice" };
	static struct torus_nl_piece piece;
	struct torus_notice notice;

	ASSERT_EQ(0, paused_fabric(self->nl));
	ASSERT_EQ(0, torus_context_attach(&self->sender, FABRIC, SENDER, NULL));
	ASSERT_EQ(0, send_packets(self->sender));
	ASSERT_EQ(0, torus_nl_run_begin(self->nl, FABRIC, &run));
	do {
		ASSERT_EQ(0, torus_nl_run_next(self->nl, FABRIC, &piece));
	} while (!piece.done);
	EXPECT_FALSE(piece.early);
	EXPECT_STREQ("notice", piece.event);
	EXPECT_EQ(SENDER, piece.node);
	ASSERT_EQ(1, torus_notice_take(self->sender, &notice));
	EXPECT_EQ(TORUS_DROP_NO_LISTENER, notice.reason);
	EXPECT_EQ(notice.tick + 1, piece.clock);
	EXPECT_EQ(0, torus_notice_take(self->sender, &notice));
}

/* A register is accessed between two requests of a run: the clock does not move. */
TEST_F(paused, until_access)
{
	const struct torus_nl_run run = { .event = "access" };
	static struct torus_nl_piece piece;
	struct torus_nl_reg reg;

	ASSERT_EQ(0, paused_fabric(self->nl));
	ASSERT_EQ(0, torus_context_attach(&self->sender, FABRIC, SENDER, NULL));
	ASSERT_EQ(0, torus_context_attach(&self->reader, FABRIC, READER, NULL));
	ASSERT_EQ(0, send_packets(self->sender));
	ASSERT_EQ(0, torus_nl_run_begin(self->nl, FABRIC, &run));
	ASSERT_EQ(0, torus_nl_reg_read(self->nl, FABRIC, READER, "timeout_x", 0, &reg));
	ASSERT_EQ(0, torus_nl_run_next(self->nl, FABRIC, &piece));
	EXPECT_TRUE(piece.done);
	EXPECT_FALSE(piece.early);
	EXPECT_STREQ("access", piece.event);
	EXPECT_STREQ("timeout_x", piece.reg);
	EXPECT_EQ(READER, piece.node);
	EXPECT_EQ(0, piece.clock);
}

/* A stopped reader blocks packets: rx_stall does not elapse in an hour. */
TEST_F(paused, rx_stall)
{
	struct torus_attach_config config = { .receive_chunks = 64 };
	struct torus_fabric_counters counters;
	struct torus_nl_fabric fabric;
	__u64 clock;

	/* 2^40 ticks are more than an hour: the clock must not get there by itself */
	ASSERT_EQ(0, fabric_add(FABRIC, shape, "rx_stall", 1ull << 40));
	ASSERT_EQ(0, torus_context_attach(&self->reader, FABRIC, READER, &config));
	ASSERT_EQ(0, torus_context_attach(&self->sender, FABRIC, SENDER, NULL));
	while (!send_packets(self->sender))
		;
	do {
		ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	} while (fabric.state != TORUS_FABRIC_WAITING);
	ASSERT_EQ(0, torus_nl_fabric_pause(self->nl, FABRIC));
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	clock = fabric.clock;
	ASSERT_EQ(0, hour_passes());
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_EQ(clock, fabric.clock);
	ASSERT_EQ(0, fabric_counters(FABRIC, &counters));
	EXPECT_EQ(0, counters.dropped[TORUS_DROP_RX_STALL]);
	/* after the pause the clock of the blocked fabric moves again */
	ASSERT_EQ(0, torus_nl_fabric_resume(self->nl, FABRIC));
	do {
		ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	} while (fabric.clock == clock);
}

/* The module is removed with a paused fabric. */
TEST_F(paused, unload)
{
	ASSERT_EQ(0, paused_fabric(self->nl));
	torus_nl_free(self->nl);
	torus_nl_free(self->events);
	self->nl = NULL;
	self->events = NULL;
	EXPECT_EQ(0, module_unload());
	EXPECT_EQ(0, module_load());
}

TEST_HARNESS_MAIN
