// SPDX-License-Identifier: GPL-2.0
/*
 * A task that rings the doorbell of a sleeping engine runs the fabric inline. Test the conditions,
 * and that:
 * - packets for a full reception ring are still delivered
 * - the fabric survives a killed task
 * - the task's cgroup is not charged for the fabric's memory
 */
#include <dirent.h>
#include <signal.h>
#include "cgroup.h"
#include "idle.h"
#include "vtime.h"
#include "kselftest_harness.h"

#define FABRIC		"belltest"
#define STRANGER	65534
#define BYTES		256
#define ROUNDS		40
/* sleeps that may be missing because a slow leader was still awake */
#define FEW		20
#define KILLS		60
#define GROWN_MAX	16384
#define SETTLED_S	5
#define SETTLED_MAX_S	60

static const __u32 shape[3] = { 4, 2, 2 };

FIXTURE(bell)
{
	struct torus_context *a;
	struct torus_context *b;
};

FIXTURE_SETUP(bell)
{
	fabric_del(FABRIC);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, torus_context_attach(&self->a, FABRIC, 0, NULL));
	ASSERT_EQ(0, torus_context_attach(&self->b, FABRIC, 1, NULL));
}

FIXTURE_TEARDOWN(bell)
{
	torus_context_detach(self->a);
	torus_context_detach(self->b);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/*
 * Poll once without waiting. After a poll that finds no event, the next doorbell counts as a single
 * packet and not as part of a burst.
 */
static short events_of(struct torus_context *context)
{
	struct pollfd fd = { .fd = torus_context_fd(context), .events = POLLIN };

	return poll(&fd, 1, 0) > 0 ? fd.revents : 0;
}

static int send_to(struct torus_context *from, __u32 x, __u32 id)
{
	unsigned char packet[BYTES];

	packet_make(packet, BYTES, (const __u32[3]){ x, 0, 0 }, TORUS_ROUTE_ORDERED, id);
	return torus_inject_packet(from, 0, packet, BYTES, 0);
}

/*
 * Return: how often the fabric's leader thread has gone to sleep, or -1 if the thread is not found.
 */
static long leader_sleeps(void)
{
	char path[300], line[128];
	struct dirent *entry;
	long sleeps = -1;
	FILE *file;
	DIR *all = opendir("/proc");

	while (all && sleeps < 0 && (entry = readdir(all))) {
		bool found = false;

		if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
			continue;
		snprintf(path, sizeof(path), "/proc/%s/status", entry->d_name);
		file = fopen(path, "r");
		while (file && fgets(line, sizeof(line), file)) {
			found |= !strcmp(line, "Name:\ttorus/" FABRIC "\n");
			if (found)
				sscanf(line, "voluntary_ctxt_switches: %ld", &sleeps);
		}
		if (file)
			fclose(file);
	}
	if (all)
		closedir(all);
	return sleeps;
}

/*
 * Send one packet at a time between @a and @b, in both directions. Return: how often the leader
 * slept meanwhile, or -1 on error. The count may be off by one, because the leader asks for
 * doorbells shortly before it sleeps.
 */
static long volley(struct torus_context *a, struct torus_context *b)
{
	unsigned char packet[BYTES];
	long before;
	int i;

	if (!asleep(a))
		return -1;
	before = leader_sleeps();
	for (i = 0; i < 2 * ROUNDS; i++) {
		events_of(i & 1 ? b : a);
		if (send_to(i & 1 ? b : a, !(i & 1), i) ||
		    torus_receive_packet(i & 1 ? a : b, TORUS_FIFO_ANY, packet, BYTES,
					 WAIT_MS) != BYTES || !packet_right(packet, BYTES) ||
		    !asleep(a))
			return -1;
	}
	return before < 0 ? -1 : leader_sleeps() - before;
}

TEST_F(bell, who_rings_runs_the_fabric)
{
	long sleeps = volley(self->a, self->b);

	TH_LOG("%d packets, %ld sleeps of the engine", 2 * ROUNDS, sleeps);
	EXPECT_LE(0, sleeps);
	EXPECT_GT(ROUNDS / 2, sleeps);
	/* The packet has arrived when the call returns: no thread has to run in between. */
	ASSERT_EQ(0, events_of(self->a));
	ASSERT_EQ(0, send_to(self->a, 1, 1));
	EXPECT_EQ(POLLIN, events_of(self->b));
}

/*
 * A task does not run the fabric inline if another user's programs are attached and would wait for
 * it.
 */
TEST_F(bell, programs_do_not_wait_for_each_other)
{
	struct torus_context *c;
	int ready[2];
	char byte;
	pid_t pid;

	ASSERT_EQ(0, chmod(DEVICE, 0666));
	ASSERT_EQ(0, pipe(ready));
	pid = start();
	if (!pid) {
		if (setuid(STRANGER) || torus_context_attach(&c, FABRIC, 2, NULL) ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	EXPECT_LE(2 * ROUNDS - FEW, volley(self->a, self->b));
	kill(pid, SIGKILL);
	EXPECT_EQ(256 + SIGKILL, status_of(pid));
	EXPECT_GT(ROUNDS / 2, volley(self->a, self->b));
}

/* A task does not run the fabric inline if it has changed its effective user since it attached. */
TEST_F(bell, another_user_rings)
{
	ASSERT_EQ(0, seteuid(STRANGER));
	EXPECT_LE(2 * ROUNDS - FEW, volley(self->a, self->b));
	ASSERT_EQ(0, seteuid(0));
	EXPECT_GT(ROUNDS / 2, volley(self->a, self->b));
}

/*
 * A sender of a burst rings for the first packet only. The leader takes the other packets without a
 * doorbell and while no receiver sleeps in the kernel.
 */
TEST_F(bell, many_at_a_time)
{
	double until = now_s() + WAIT_MS / 1000;
	unsigned char packet[BYTES];
	int i, came = 0, ret;

	ASSERT_TRUE(asleep(self->a));
	for (i = 0; i < ROUNDS; i++)
		ASSERT_EQ(0, send_to(self->a, 1, i));
	while (came < ROUNDS && now_s() < until) {
		ret = torus_receive_poll(self->b, TORUS_FIFO_ANY, packet, BYTES);
		if (ret == -EAGAIN)
			continue;
		ASSERT_EQ(BYTES, ret);
		ASSERT_TRUE(packet_right(packet, BYTES));
		came++;
	}
	EXPECT_EQ(ROUNDS, came);
}

/* Delete a fabric whose leader is about to be woken for the rest of a burst. */
TEST_F(bell, many_then_gone)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		ASSERT_TRUE(asleep(self->a));
		ASSERT_EQ(0, send_to(self->a, 1, 0));
		ASSERT_EQ(0, send_to(self->a, 1, 1));
		ASSERT_EQ(0, fabric_del(FABRIC));
		torus_context_detach(self->a);
		torus_context_detach(self->b);
		ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
		ASSERT_EQ(0, torus_context_attach(&self->a, FABRIC, 0, NULL));
		ASSERT_EQ(0, torus_context_attach(&self->b, FABRIC, 1, NULL));
	}
}

/*
 * A packet that found the reception ring full is delivered when the ring has space, even if the
 * sender ran the fabric.
 */
TEST_F(bell, full_ring)
{
	const struct torus_attach_config small = { .receive_chunks = 8 };
	unsigned char packet[BYTES];
	struct torus_context *c;
	int i;

	ASSERT_EQ(0, torus_context_attach(&c, FABRIC, 2, &small));
	for (i = 0; i < 2; i++) {
		ASSERT_TRUE(asleep(c));
		ASSERT_EQ(0, events_of(self->a));
		ASSERT_EQ(0, send_to(self->a, 2, i));
	}
	ASSERT_TRUE(asleep(c));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(BYTES, torus_receive_packet(c, TORUS_FIFO_ANY, packet, BYTES, 5000));
		ASSERT_TRUE(packet_right(packet, BYTES));
	}
	torus_context_detach(c);
}

/* Send packets between two contexts of this process until it is killed. */
static void ring_on(void)
{
	struct torus_context *c, *d;
	unsigned char packet[BYTES];
	__u32 i;

	if (torus_context_attach(&c, FABRIC, 2, NULL) || torus_context_attach(&d, FABRIC, 3, NULL))
		_exit(1);
	for (i = 0;; i++) {
		events_of(c);
		if (send_to(c, 3, i) ||
		    torus_receive_packet(d, TORUS_FIFO_ANY, packet, BYTES, WAIT_MS) != BYTES)
			_exit(2);
	}
}

/* A fabric survives when a task that runs it inline is killed. */
TEST_F(bell, killed_ringer)
{
	int i;

	for (i = 0; i < KILLS; i++) {
		pid_t pid = start();

		if (!pid)
			ring_on();
		usleep(5000 + 977 * (i % 16));
		kill(pid, SIGKILL);
		EXPECT_EQ(256 + SIGKILL, status_of(pid));
		ASSERT_FALSE(fabric_failed(FABRIC));
	}
	EXPECT_LE(0, volley(self->a, self->b));
}

/* Return: bytes of kernel memory charged to the cgroup, or -1 if the value cannot be read. */
static long charged_now(void)
{
	return number_in(GROUP "/memory.stat", "kernel");
}

/*
 * The kernel sums a cgroup's charges at most every two seconds, and later on a busy host. Read
 * until the value is stable for SETTLED_S seconds. Ignore the small growth that reading itself
 * causes.
 */
static long charged(void)
{
	double until = now_s() + SETTLED_MAX_S, since = now_s();
	long bytes = charged_now(), now;

	while (now_s() - since < SETTLED_S && now_s() < until) {
		usleep(200000);
		now = charged_now();
		if (labs(now - bytes) > GROWN_MAX / 2) {
			since = now_s();
			bytes = now;
		}
	}
	return bytes;
}

/*
 * Memory that the fabric allocates while it runs is not charged to the cgroup of the ringing task,
 * which may be full.
 */
TEST_F(bell, memory)
{
	unsigned char packet[BYTES];
	struct torus_context *c, *d;
	pid_t pid;

	if (!cgroup_begin())
		SKIP(return, "no cgroup of memory");
	pid = start();
	if (!pid) {
		long before, after, i;

		if (!put_in(GROUP "/cgroup.procs", "0") ||
		    torus_context_attach(&c, FABRIC, 2, NULL) ||
		    torus_context_attach(&d, FABRIC, 3, NULL))
			_exit(1);
		before = asleep_since(c) && asleep_since(d) ? charged() : -1;
		for (i = 0; i < 4; i++) {
			if (!asleep(c) || events_of(c) || send_to(c, 3, i))
				_exit(2);
			if (torus_receive_packet(d, TORUS_FIFO_ANY, packet, BYTES, WAIT_MS) !=
			    BYTES)
				_exit(3);
		}
		after = charged();
		fprintf(stderr, "# %ld bytes, then %ld\n", before, after);
		_exit(before < 0 || after - before > GROWN_MAX ? 4 : 0);
	}
	EXPECT_EQ(0, status_of(pid));
	cgroup_end();
}

TEST_HARNESS_MAIN
