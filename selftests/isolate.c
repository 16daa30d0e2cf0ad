// SPDX-License-Identifier: GPL-2.0
/*
 * Isolation of neighbours: on a ring of eight nodes an owner has two nodes, and a neighbour the
 * next two. The neighbour must not block the owner's packets if it:
 * - does not read
 * - sends the long way round
 * - is throttled by its CPU cgroup
 */
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "device.h"
#include "../user/netlink/event.h"
#include "kselftest_harness.h"

#define FABRIC		"isolatetest"
#define OWNER		1000
#define STRANGER	65534
#define BYTES		256
#define PACKETS		500	/* packets of the owner */
#define STRANGE		4000	/* packets of the neighbour: more than all buffers hold */
#define SILENCE_MS	2000
#define THROTTLES	30

static const __u32 shape[3] = { 8, 1, 1 };

/* Results that child processes report. */
struct isolate_result {
	__u32 ready;
	__u32 code;		/* code of the neighbour's last rejected packet */
	__u64 sent;		/* packets that the neighbour injected */
	__u64 arrived;		/* packets of the owner that arrived */
	__u64 rung;		/* doorbells of the neighbour after injected packets */
	__u64 asked;		/* calls of the neighbour that asked for the owner's resources */
	__u64 come;		/* attachments of the neighbour */
	__u64 heard;		/* netlink events for these attachments */
};

FIXTURE(isolate)
{
	struct torus_nl *nl;
	struct isolate_result *seen;
	char cgroup[64];
};

static bool file_write(const char *directory, const char *name, const char *text)
{
	char path[160];
	FILE *file;
	bool good;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	good = file && fputs(text, file) >= 0;
	return (!file || !fclose(file)) && good;
}

static int node_give(struct torus_nl *nl, __u32 node, __u32 uid, __u32 partition)
{
	const struct torus_nl_node set = {
		.present = TORUS_NL_HAS(TORUS_A_UID) | TORUS_NL_HAS(TORUS_A_PARTITION),
		.node = node, .uid = uid, .partition = partition,
	};

	return torus_nl_node_set(nl, FABRIC, &set);
}

FIXTURE_SETUP(isolate)
{
	__u32 node;

	fabric_del(FABRIC);
	ASSERT_EQ(0, chmod(DEVICE, 0666));
	self->seen = shared_alloc(sizeof(*self->seen));
	ASSERT_NE(NULL, self->seen);
	self->nl = torus_nl_new();
	ASSERT_NE(NULL, self->nl);
	ASSERT_EQ(0, torus_nl_connect(self->nl));
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, fabric_key(self->nl, FABRIC, "attach", "owner"));
	ASSERT_EQ(0, fabric_key(self->nl, FABRIC, "watch", "owner"));
	for (node = 0; node < 4; node++)
		ASSERT_EQ(0, node_give(self->nl, node, node < 2 ? OWNER : STRANGER,
				       1 + node / 2));
}

FIXTURE_TEARDOWN(isolate)
{
	torus_nl_free(self->nl);
	EXPECT_EQ(0, fabric_del(FABRIC));
	if (self->cgroup[0]) {
		char slow[80];

		file_write(self->cgroup, "slow/cpu.max", "max");
		snprintf(slow, sizeof(slow), "%s/slow", self->cgroup);
		rmdir(slow);
		umount(self->cgroup);
		rmdir(self->cgroup);
	}
}

/* Build an ordered packet that leaves in the direction of @hints. */
static void packet_by(unsigned char *packet, __u32 to, __u8 hints)
{
	const __u32 dest[3] = { to, 0, 0 };
	struct torus_bgl_header header;

	memset(packet, 0, BYTES);
	torus_bgl_header_init(&header, TORUS_ROUTE_ORDERED, dest, 0, BYTES);
	header.hints = hints;
	torus_bgl_header_build(packet, &header);
}

static struct torus_context *attach(__u32 node, uid_t uid)
{
	const struct torus_attach_config small = { .inject_chunks = 64, .receive_chunks = 64 };
	struct torus_context *context;

	if ((geteuid() != uid && setresuid(uid, uid, uid)) ||
	    torus_context_attach(&context, FABRIC, node, &small)) {
		fprintf(stderr, "# uid %u node %u: %s\n", uid, node, torus_error_text());
		_exit(1);
	}
	return context;
}

/* The neighbour sends from 2 to 3 the long way round, over the owner's nodes. No process reads. */
static void neighbour_fills(struct isolate_result *seen)
{
	struct torus_context *from = attach(2, STRANGER);
	struct torus_refusal refusal = {};
	unsigned char packet[BYTES];

	attach(3, STRANGER);
	packet_by(packet, 3, TORUS_BGL_HINT_XM);
	while (seen->sent < STRANGE && !refusal.packets &&
	       !torus_inject_packet(from, 0, packet, BYTES, SILENCE_MS)) {
		torus_inject_refused(from, &refusal);
		seen->sent++;
	}
	seen->code = refusal.code;
	__atomic_store_n(&seen->ready, 1, __ATOMIC_RELEASE);
	pause();
	_exit(0);
}

/* The owner sends from 1 to 0 over the link between them, and counts arrivals. */
static void owner_sends(struct isolate_result *seen)
{
	struct torus_context *from = attach(1, OWNER), *to = attach(0, OWNER);
	unsigned char packet[BYTES], got[BYTES];

	packet_by(packet, 0, TORUS_BGL_HINT_XM);
	for (seen->arrived = 0; seen->arrived < PACKETS; seen->arrived++)
		if (torus_inject_packet(from, 0, packet, BYTES, SILENCE_MS) ||
		    torus_receive_packet(to, TORUS_FIFO_ANY, got, BYTES, SILENCE_MS) < 0)
			break;
	_exit(0);
}

static bool wait_for(const __u32 *flag)
{
	double until = now_s() + WAIT_MS / 1000;

	while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE) && now_s() < until)
		usleep(1000);
	return *flag;
}

static void neighbours(struct isolate_result *seen)
{
	pid_t neighbour = start(), owner;

	if (!neighbour)
		neighbour_fills(seen);
	if (wait_for(&seen->ready)) {
		owner = start();
		if (!owner)
			owner_sends(seen);
		status_of(owner);
	}
	kill(neighbour, SIGKILL);
	status_of(neighbour);
}

/*
 * With isolate=off the neighbour's packets fill the owner's link and block all of the owner's
 * packets.
 */
TEST_F(isolate, off)
{
	ASSERT_EQ(0, fabric_key(self->nl, FABRIC, "isolate", "off"));
	neighbours(self->seen);
	EXPECT_EQ(1, self->seen->ready);
	EXPECT_LT(8, self->seen->sent);
	EXPECT_EQ(0, self->seen->code);
	EXPECT_EQ(0, self->seen->arrived);
}

/* With isolate on, the default, the neighbour's packets are rejected. */
TEST_F(isolate, on)
{
	struct torus_fabric_counters counters;

	neighbours(self->seen);
	EXPECT_EQ(1, self->seen->ready);
	EXPECT_EQ(TORUS_REFUSE_ISOLATE, self->seen->code);
	EXPECT_EQ(PACKETS, self->seen->arrived);
	ASSERT_EQ(0, fabric_counters(FABRIC, &counters));
	EXPECT_LE(1, counters.refused);
}

/*
 * The neighbour sends from 2 to 3 by the shortest path, and does not read: packets fill its own
 * partition only.
 */
static void neighbour_reads_nothing(struct isolate_result *seen)
{
	struct torus_context *from = attach(2, STRANGER);
	unsigned char packet[BYTES];

	attach(3, STRANGER);
	packet_by(packet, 3, 0);
	while (seen->sent < STRANGE && !torus_inject_packet(from, 0, packet, BYTES, SILENCE_MS))
		seen->sent++;
	__atomic_store_n(&seen->ready, 1, __ATOMIC_RELEASE);
	pause();
	_exit(0);
}

TEST_F(isolate, reads_nothing)
{
	struct isolate_result *seen = self->seen;
	pid_t neighbour = start(), owner;

	if (!neighbour)
		neighbour_reads_nothing(seen);
	ASSERT_TRUE(wait_for(&seen->ready));
	EXPECT_GT(STRANGE, seen->sent);
	owner = start();
	if (!owner)
		owner_sends(seen);
	EXPECT_EQ(0, status_of(owner));
	EXPECT_EQ(PACKETS, seen->arrived);
	kill(neighbour, SIGKILL);
	status_of(neighbour);
}

/* ------------------------------------------------------- one percent of a processor */

/*
 * Create a cgroup @at/slow with one percent of a processor. Its quota of 5 ms is longer than a
 * timer tick of the kernel.
 */
static bool cgroup_make(char *at, size_t size)
{
	char slow[80];

	snprintf(at, size, "/tmp/torus-cgroup-XXXXXX");
	if (!mkdtemp(at))
		return false;
	snprintf(slow, sizeof(slow), "%s/slow", at);
	return !mount("none", at, "cgroup2", 0, NULL) &&
	       file_write(at, "cgroup.subtree_control", "+cpu") && !mkdir(slow, 0755) &&
	       file_write(slow, "cpu.max", "5000 500000");
}

/* Return: the number of times that the cgroup was throttled. */
static unsigned long long cgroup_throttles(const char *at)
{
	unsigned long long value, throttles = 0;
	char path[160], name[80];
	FILE *file;

	snprintf(path, sizeof(path), "%s/slow/cpu.stat", at);
	file = fopen(path, "r");
	while (file && fscanf(file, "%79s %llu", name, &value) == 2)
		if (!strcmp(name, "nr_throttled"))
			throttles = value;
	if (file)
		fclose(file);
	return throttles;
}

/*
 * Ring the doorbell in an endless loop, with packets to the neighbour's own node and to the owner.
 */
static void neighbour_rings(struct isolate_result *seen)
{
	struct torus_context *from = attach(2, STRANGER), *to = attach(3, STRANGER);
	unsigned char packet[BYTES], foreign[BYTES], got[BYTES];
	struct torus_refusal refusal;

	packet_by(packet, 3, 0);
	packet_by(foreign, 1, 0);
	for (;;) {
		torus_inject_try(from, 0, packet, BYTES);
		torus_inject_try(from, 0, foreign, BYTES);
		if (torus_inject_refused(from, &refusal) >= 0 && refusal.packets)
			seen->code = refusal.code;
		ioctl(torus_context_fd(from), TORUS_IOC_DOORBELL);
		torus_receive_packet(to, TORUS_FIFO_ANY, got, BYTES, 0);
		__atomic_fetch_add(&seen->rung, 1, __ATOMIC_RELAXED);
	}
}

/* Ask for the owner's resources in a loop: its node, its counters, its eviction. */
static void neighbour_asks(struct isolate_result *seen)
{
	const struct torus_nl_node evict = { .present = TORUS_NL_HAS(TORUS_A_EVICT), .node = 0 };
	struct torus_fabric_counters counters;
	struct torus_nl *nl = torus_nl_new();
	int fd = open(DEVICE, O_RDWR);

	if (!nl || torus_nl_connect(nl) || fd < 0 || setresuid(STRANGER, STRANGER, STRANGER))
		_exit(1);
	for (;;) {
		if (raw_attach(fd, FABRIC, 0, 0, 0) != EACCES)
			_exit(2);
		if (torus_nl_counter_get(nl, FABRIC, &counters) != -EACCES)
			_exit(3);
		if (torus_nl_node_set(nl, FABRIC, &evict) != -EPERM)
			_exit(4);
		__atomic_fetch_add(&seen->asked, 1, __ATOMIC_RELAXED);
	}
}

/* Attach to a group of the neighbour's own node and detach, which raises events, in a loop. */
static void neighbour_comes(struct isolate_result *seen)
{
	if (setresuid(STRANGER, STRANGER, STRANGER))
		_exit(1);
	for (;;) {
		int fd = open(DEVICE, O_RDWR);

		if (fd < 0 || raw_attach(fd, FABRIC, 2, 1, 0))
			_exit(5);
		close(fd);
		__atomic_fetch_add(&seen->come, 1, __ATOMIC_RELAXED);
	}
}

static int on_event(const struct torus_nl_reply *reply, void *arg)
{
	struct torus_nl_event event;
	struct isolate_result *seen = arg;

	if (!torus_nl_event_parse(reply, &event) && event.event == TORUS_EVENT_ATTACH)
		__atomic_fetch_add(&seen->heard, 1, __ATOMIC_RELAXED);
	return 0;
}

/* Receive events as an administrator, so that the kernel sends them. */
static void listens(struct isolate_result *seen)
{
	struct torus_nl *nl = torus_nl_new();

	if (!nl || torus_nl_connect(nl) || torus_nl_listen(nl) != 1)
		_exit(1);
	for (;;)
		torus_nl_receive(nl, on_event, seen);
}

/* Send a packet there and one back in an endless loop. */
static void owner_plays(struct isolate_result *seen)
{
	struct torus_context *a = attach(0, OWNER), *b = attach(1, OWNER);
	unsigned char there[BYTES], back[BYTES], got[BYTES];

	packet_by(there, 1, 0);
	packet_by(back, 0, 0);
	while (!torus_inject_packet(a, 0, there, BYTES, WAIT_MS) &&
	       torus_receive_packet(b, TORUS_FIFO_ANY, got, BYTES, WAIT_MS) == BYTES &&
	       !torus_inject_packet(b, 0, back, BYTES, WAIT_MS) &&
	       torus_receive_packet(a, TORUS_FIFO_ANY, got, BYTES, WAIT_MS) == BYTES)
		__atomic_fetch_add(&seen->arrived, 2, __ATOMIC_RELAXED);
	_exit(1);
}

/*
 * A throttled neighbour does not block the owner. The owner's packets continue during the
 * neighbour's throttled periods, many per period, and at most a quarter of the periods is without
 * packets.
 */
TEST_F_TIMEOUT(isolate, throttled, 300)
{
	void (*const does[])(struct isolate_result *seen) = {
		neighbour_rings, neighbour_asks, neighbour_comes,
	};
	struct isolate_result *seen = self->seen;
	unsigned long long now, last;
	__u64 before, arrived = 0, come, asked;
	char pid[16];
	pid_t neighbours[ARRAY_SIZE(does)], owner, listener;
	__u32 throttles, stood = 0;
	double until;
	size_t i;

	if (!cgroup_make(self->cgroup, sizeof(self->cgroup)))
		SKIP(return, "no cgroup with a limit of processor time");
	listener = start();
	if (!listener)
		listens(seen);
	owner = start();
	if (!owner)
		owner_plays(seen);
	for (i = 0; i < ARRAY_SIZE(does); i++) {
		neighbours[i] = start();
		if (!neighbours[i])
			does[i](seen);
	}
	/*
	 * wait for each child's first result: afterwards no child has kernel locks for program
	 * start
	 */
	until = now_s() + WAIT_MS / 1000;
	while (!(seen->code && seen->asked && seen->come && seen->arrived) && now_s() < until)
		usleep(1000);
	for (i = 0; i < ARRAY_SIZE(does); i++) {
		snprintf(pid, sizeof(pid), "%d", neighbours[i]);
		EXPECT_TRUE(file_write(self->cgroup, "slow/cgroup.procs", pid));
	}
	come = seen->come;
	asked = seen->asked;
	last = cgroup_throttles(self->cgroup);
	before = seen->arrived;
	until = now_s() + WAIT_MS / 1000;
	for (throttles = 0; throttles < THROTTLES && now_s() < until; ) {
		usleep(1000);
		now = cgroup_throttles(self->cgroup);
		if (now == last)
			continue;
		last = now;
		throttles++;
		stood += seen->arrived == before;
		arrived += seen->arrived - before;
		before = seen->arrived;
	}
	come = seen->come - come;
	asked = seen->asked - asked;
	/* also lift the limit so that the throttled processes can end */
	EXPECT_TRUE(file_write(self->cgroup, "slow/cpu.max", "max"));
	for (i = 0; i < ARRAY_SIZE(does); i++) {
		EXPECT_EQ(0, waitpid(neighbours[i], NULL, WNOHANG));
		kill(neighbours[i], SIGKILL);
		status_of(neighbours[i]);
	}
	kill(owner, SIGKILL);
	status_of(owner);
	kill(listener, SIGKILL);
	status_of(listener);
	TH_LOG("%llu packets of the owner's, none in %u of %u intervals; neighbours "
	       "rang %llu times, asked %llu and attached %llu times; %llu events reported that",
	       (unsigned long long)arrived, stood, throttles, (unsigned long long)seen->rung,
	       (unsigned long long)asked, (unsigned long long)come,
	       (unsigned long long)seen->heard);
	EXPECT_EQ(THROTTLES, throttles);
	EXPECT_LT(0, asked);
	EXPECT_LT(0, come);
	EXPECT_LT(0, seen->heard);
	EXPECT_EQ(TORUS_REFUSE_PARTITION, seen->code);
	EXPECT_LT(8 * THROTTLES, arrived);
	EXPECT_GE(THROTTLES / 4, stood);
}

TEST_HARNESS_MAIN
