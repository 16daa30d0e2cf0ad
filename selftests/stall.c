// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual time that stalls. A program that neither computes nor waits is named by an event and by
 * `torusctl fabric show`. A deadlock of waiting programs is reported, too. Waits with a time-out
 * end exactly at its tick, whatever other programs do. A program evicted before time starts is not
 * waited for.
 */
#include <signal.h>

#include "vtime.h"
#include "../user/lib/context/context.h"
#include "../user/netlink/event.h"
#include "kselftest_harness.h"

#define FABRIC		"stalltest"
#define STALL_MS	"300"
#define EVER		(~0ull)
#define DEADLOCK	"all program wait time-out"	/* words of the error message */

/* Nodes of the programs. The spinner's coordinates appear in the output of torusctl. */
#define WAITER		0
#define SPINNER		21
#define SPINNER_COORDS	"1,1,1"

FIXTURE(time)
{
	struct torus_nl *nl;
	struct torus_nl_event event;
	struct torus_context *context;
	char stall_ms[32];
};

FIXTURE_SETUP(time)
{
	ASSERT_TRUE(module_parameter("virtual_stall_ms", STALL_MS, self->stall_ms,
				     sizeof(self->stall_ms)));
	self->nl = torus_nl_new();
	ASSERT_NE(NULL, self->nl);
	ASSERT_EQ(0, torus_nl_connect(self->nl));
	ASSERT_EQ(1, torus_nl_listen(self->nl));
}

FIXTURE_TEARDOWN(time)
{
	if (self->context)
		torus_context_detach(self->context);
	torus_nl_free(self->nl);
	EXPECT_TRUE(module_parameter("virtual_stall_ms", self->stall_ms, NULL, 0));
	fabric_del(FABRIC);
}

static int on_event(const struct torus_nl_reply *reply, void *arg)
{
	struct torus_nl_event *event = arg;

	return !torus_nl_event_parse(reply, event) && !strcmp(event->fabric, FABRIC) &&
	       event->event == TORUS_EVENT_STALL;
}

/* Return: true if `torusctl fabric show` prints these words. */
static bool shown(const char *words)
{
	FILE *out = popen("torusctl fabric show " FABRIC, "r");
	char text[4096] = "";
	bool found;

	if (!out)
		return false;
	text[fread(text, 1, sizeof(text) - 1, out)] = '\0';
	found = says(text, words);
	if (pclose(out) || !found)
		fprintf(stderr, "# \"%s\" must be in:\n%s", words, text);
	return found;
}

/*
 * Run a program that waits for a packet for @timeout_ms, or without limit, until the wait fails.
 * Return: 1 if it fails with @error.
 */
static int waiter(__u32 node, int timeout_ms, int error)
{
	struct torus_context *context;
	unsigned char packet[256];

	if (torus_context_attach(&context, FABRIC, node, NULL))
		return 2;
	return torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), timeout_ms) ==
	       error;
}

/* Run a program that computes for a while, and then makes no more calls. */
static int spinner(void)
{
	struct torus_attach_config config = { .group = 1 };
	struct torus_context *context;

	prctl(PR_SET_NAME, "spinner");
	if (torus_context_attach(&context, FABRIC, SPINNER, &config) ||
	    torus_compute(context, 12345))
		return 2;
	for (;;)
		continue;
}

/*
 * A spinning program is named. When it has been killed, the remaining programs are in a deadlock.
 */
TEST_F(time, spinner_then_deadlock)
{
	struct torus_nl_fabric fabric;
	char line[160];
	pid_t spins, waits;

	ASSERT_EQ(0, fabric_virtual(FABRIC, 2, 1));
	waits = start();
	if (!waits)
		_exit(waiter(WAITER, -1, -ENODEV));
	spins = start();
	if (!spins)
		_exit(spinner());

	ASSERT_EQ(1, torus_nl_receive(self->nl, on_event, &self->event));
	EXPECT_EQ(SPINNER, self->event.link.node);
	EXPECT_TRUE(self->event.present & TORUS_NL_HAS(TORUS_A_GROUP));
	EXPECT_EQ(1, self->event.group);
	EXPECT_STREQ("spinner", self->event.command);
	EXPECT_SAYS(self->event.text, "12345 spinner advance");

	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_TRUE(fabric.time_held);
	EXPECT_EQ(SPINNER, fabric.time_holder.node);
	EXPECT_EQ(1, fabric.time_holder.group);
	EXPECT_EQ(spins, fabric.time_holder.pid);
	EXPECT_STREQ("spinner", fabric.time_holder.command);
	EXPECT_EQ(12345, fabric.time_held_at);
	EXPECT_LE(strtoull(STALL_MS, NULL, 10), fabric.time_held_ms);
	snprintf(line, sizeof(line), "time node " SPINNER_COORDS
		 " group 1 spinner pid %d uid %u tick 12345", spins, getuid());
	EXPECT_TRUE(shown(line));

	kill(spins, SIGKILL);
	EXPECT_EQ(256 + SIGKILL, status_of(spins));
	ASSERT_EQ(1, torus_nl_receive(self->nl, on_event, &self->event));
	EXPECT_FALSE(self->event.present & TORUS_NL_HAS(TORUS_A_NODE));
	EXPECT_SAYS(self->event.text, DEADLOCK);
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_EQ(TORUS_FABRIC_DEADLOCKED, fabric.state);
	EXPECT_FALSE(fabric.time_held);
	EXPECT_TRUE(shown("time " DEADLOCK));
	/* a signal ends a wait that no other program can end */
	kill(waits, SIGTERM);
	EXPECT_EQ(256 + SIGTERM, status_of(waits));
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/* Before all programs have attached, no program counts as stalling time. */
TEST_F(time, not_begun)
{
	struct torus_nl_fabric fabric;

	ASSERT_EQ(0, fabric_virtual(FABRIC, 2, 1));
	ASSERT_EQ(0, torus_context_attach(&self->context, FABRIC, WAITER, NULL));
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_FALSE(fabric.time_held);
	EXPECT_EQ(0, fabric.clock);
}

static int ask_node(struct torus_nl *nl, const void *node)
{
	return torus_nl_node_set(nl, FABRIC, node);
}

/*
 * Start a program at node 1 and evict it before virtual time has started. @another: the program has
 * another context, which it closes before. Return: its pid, or -1.
 */
static pid_t evicted(bool another)
{
	const struct torus_nl_node evict = {
		.present = TORUS_NL_HAS(TORUS_A_EVICT), .node = 1,
	};
	struct torus_context *context, *other;
	unsigned char packet[256];
	pid_t pid;
	int ready[2];
	char there;

	if (pipe(ready))
		return -1;
	pid = start();
	if (!pid) {
		if (torus_context_attach(&context, FABRIC, 1, NULL) ||
		    (another && torus_context_attach(&other, FABRIC, SPINNER, NULL)) ||
		    torus_compute(context, 10))
			_exit(2);
		if (another)
			torus_context_detach(other);
		if (write(ready[1], "", 1) != 1)
			_exit(3);
		_exit(torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1) ==
		      -ENODEV);
	}
	if (read(ready[0], &there, 1) != 1 || nl_with(ask_node, &evict, NULL, 0))
		return -1;
	close(ready[0]);
	close(ready[1]);
	return pid;
}

/*
 * The place of a program that is evicted completely becomes free: time starts when others have
 * attached.
 */
TEST_F(time, evicted_before)
{
	pid_t pid, other;

	ASSERT_EQ(0, fabric_virtual(FABRIC, 2, 1));
	pid = evicted(false);
	ASSERT_LT(0, pid);
	EXPECT_EQ(1, status_of(pid));
	other = start();
	if (!other)
		_exit(waiter(WAITER, 1, -ETIMEDOUT));
	EXPECT_EQ(0, torus_context_attach(&self->context, FABRIC, 2, NULL));
	EXPECT_EQ(0, torus_compute(self->context, 1000000));
	EXPECT_EQ(1, status_of(other));
}

/* A program that has closed another context before counts as present, and leaves at its clock. */
TEST_F(time, evicted_in_part)
{
	pid_t pid;

	ASSERT_EQ(0, fabric_virtual(FABRIC, 2, 1));
	pid = evicted(true);
	ASSERT_LT(0, pid);
	EXPECT_EQ(1, status_of(pid));
	pid = start();
	if (!pid)
		_exit(waiter(WAITER, 1, -ETIMEDOUT));
	EXPECT_EQ(1, status_of(pid));
}

/*
 * Wait with a plain ioctl. @clock: [in, out] the program's clock. Return: the events that happened,
 * or a negative errno.
 */
static int wait_until(struct torus_context *context, __u32 wants, __u64 until, __u64 *clock)
{
	struct torus_ioc_clock ask = {
		.op = TORUS_CLOCK_WAIT, .wants = wants, .clock = *clock, .until = until,
	};

	if (ioctl(torus_context_fd(context), TORUS_IOC_CLOCK, &ask))
		return -errno;
	*clock = ask.clock;
	return ask.got;
}

/* Run a program that reads nothing and waits for notices, although it has sent nothing. */
static int reader(void)
{
	struct torus_attach_config config = { .receive_chunks = 64 };
	struct torus_context *context;
	__u64 clock = 0;

	if (torus_context_attach(&context, FABRIC, 1, &config))
		return 2;
	return wait_until(context, TORUS_CLOCK_NOTICE, EVER, &clock) == -ENODEV;
}

/*
 * Run a program that sends more than the reader's ring and FIFO can hold, and waits for an answer.
 */
static int sender(void)
{
	struct torus_context *context;
	__u32 dest[3] = { 1, 0, 0 };
	unsigned char packet[256];
	int i;

	if (torus_context_attach(&context, FABRIC, 0, NULL) ||
	    packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_DYNAMIC, 1))
		return 2;
	for (i = 0; i < 20; i++)
		if (torus_inject_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1))
			return 3;
	return torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1) == -ENODEV;
}

/* All programs wait while a full ring keeps packets in the network: a deadlock with packets. */
TEST_F(time, deadlock_with_packets)
{
	struct torus_nl_fabric fabric;
	pid_t reads, sends;

	ASSERT_EQ(0, fabric_virtual(FABRIC, 2, 1));
	reads = start();
	if (!reads)
		_exit(reader());
	sends = start();
	if (!sends)
		_exit(sender());
	/* on a slow host, a program that has not yet started may be reported as spinning first */
	do {
		ASSERT_EQ(1, torus_nl_receive(self->nl, on_event, &self->event));
	} while (!says(self->event.text, DEADLOCK));
	EXPECT_SAYS(self->event.text, "packet " DEADLOCK);
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	EXPECT_EQ(TORUS_FABRIC_DEADLOCKED, fabric.state);
	EXPECT_LT(0, fabric.in_flight);
	/* the waits end when the fabric is deleted */
	EXPECT_EQ(0, fabric_del(FABRIC));
	EXPECT_EQ(1, status_of(reads));
	EXPECT_EQ(1, status_of(sends));
}

#define COMPUTES	200
#define TICKS		5000
#define SENDS_AT	50	/* index of the computed piece after which the packet is sent */

/* Results of the waiting programs. */
struct stall_seen {
	__u64 until, arrived, behind, library;
	int timed_out, got;
};

/* Run a program that computes all the time, and sends one packet to node 1 meanwhile. */
static int computer(void)
{
	struct torus_context *context;
	__u32 dest[3] = { 1, 0, 0 };
	unsigned char packet[256];
	int i;

	if (torus_context_attach(&context, FABRIC, 63, NULL) ||
	    packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_DYNAMIC, 1))
		return 2;
	for (i = 0; i < COMPUTES; i++) {
		if (torus_compute(context, TICKS))
			return 3;
		if (i == SENDS_AT &&
		    torus_inject_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), -1))
			return 4;
	}
	torus_context_detach(context);
	return 1;
}

static int wait_in_vain(struct stall_seen *seen)
{
	struct torus_context *context;

	if (torus_context_attach(&context, FABRIC, 0, NULL))
		return 2;
	seen->until = 1000;
	seen->timed_out = wait_until(context, TORUS_CLOCK_ARRIVAL | TORUS_CLOCK_NOTICE, 77777,
				     &seen->until);
	return 1;
}

static int wait_for_packet(struct stall_seen *seen)
{
	struct torus_context *context;
	__u64 arrived;
	unsigned int i;

	if (torus_context_attach(&context, FABRIC, 1, NULL))
		return 2;
	seen->got = wait_until(context, TORUS_CLOCK_ARRIVAL, COMPUTES * TICKS, &seen->behind);
	for (i = 0; i < context->info.receive_fifos; i++) {
		arrived = context->receive[i].status->arrived;
		seen->arrived = arrived > seen->arrived ? arrived : seen->arrived;
	}
	return 1;
}

static int wait_by_library(struct stall_seen *seen)
{
	struct torus_context *context;
	unsigned char packet[256];

	if (torus_context_attach(&context, FABRIC, 2, NULL) || torus_compute(context, 321) ||
	    torus_receive_packet(context, TORUS_FIFO_ANY, packet, sizeof(packet), 3) != -ETIMEDOUT)
		return 2;
	seen->library = torus_context_clock(context);
	torus_context_detach(context);
	return 1;
}

/*
 * Time-outs end at their tick while another program computes. A wait that a packet ends has no
 * time-out. @early: the computing program finishes before the others attach, and counts as present.
 */
static void play(struct __test_metadata *_metadata, __u32 domains, bool early,
		 struct stall_seen *seen)
{
	pid_t pid[4];
	int i;

	ASSERT_EQ(0, fabric_virtual(FABRIC, 4, domains));
	for (i = 0; i < 4; i++) {
		pid[i] = start();
		if (!pid[i])
			_exit(i == 0 ? computer() : i == 1 ? wait_in_vain(seen) :
			      i == 2 ? wait_for_packet(seen) : wait_by_library(seen));
		if (!i && early)
			EXPECT_EQ(1, status_of(pid[i]));
	}
	for (i = early; i < 4; i++)
		EXPECT_EQ(1, status_of(pid[i]));
}

TEST_F(time, time_outs)
{
	struct stall_seen *seen = shared_alloc(2 * sizeof(*seen));
	__u64 tick_fs, ns;
	struct torus_nl_fabric fabric;

	ASSERT_NE(NULL, seen);
	play(_metadata, 1, false, &seen[0]);
	ASSERT_EQ(0, fabric_get(FABRIC, &fabric));
	play(_metadata, 4, true, &seen[1]);
	EXPECT_EQ(0, memcmp(&seen[0], &seen[1], sizeof(*seen)));

	EXPECT_EQ(0, seen->timed_out);
	EXPECT_EQ(77777, seen->until);
	EXPECT_EQ(TORUS_CLOCK_ARRIVAL, seen->got);
	EXPECT_LT((SENDS_AT + 1) * TICKS + INJECT_TICKS, seen->arrived);
	EXPECT_GT((SENDS_AT + 2) * TICKS, seen->arrived);
	EXPECT_EQ(seen->arrived + 1, seen->behind);
	/*
	 * the wait ends at the first tick that is 3 ms after its start, which is rounded down to
	 * nanoseconds
	 */
	tick_fs = fabric.tick_fs;
	ns = 321 * tick_fs / 1000000 + 3000000;
	EXPECT_EQ((ns * 1000000 + tick_fs - 1) / tick_fs, seen->library);
	munmap(seen, 2 * sizeof(*seen));
}

TEST_HARNESS_MAIN
