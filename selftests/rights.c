// SPDX-License-Identifier: GPL-2.0
/*
 * Permissions that change while programs run:
 * - a new owner of a node can evict other users' programs, and then finds its groups and gates free
 * - attaching to a fabric does not discard the result of a workload
 * - the keys attach and watch also restrict queries through an open file
 */
#include "device.h"
#include <sys/stat.h>
#include "../user/netlink/traffic.h"
#include "kselftest_harness.h"

#define FABRIC		"rightstest"
#define GATES		"rightsgates"
#define NODE		3
#define OWNER		1000
#define STRANGER	65534

static const __u32 shape[3] = { 2, 2, 2 };

FIXTURE(rights)
{
	struct torus_nl *nl;
	int *attached;
};

FIXTURE_SETUP(rights)
{
	fabric_del(FABRIC);
	self->attached = shared_alloc(sizeof(*self->attached));
	ASSERT_NE(NULL, self->attached);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	self->nl = torus_nl_new();
	ASSERT_NE(NULL, self->nl);
	ASSERT_EQ(0, torus_nl_connect(self->nl));
	ASSERT_EQ(0, chmod(DEVICE, 0666));
}

FIXTURE_TEARDOWN(rights)
{
	torus_nl_free(self->nl);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

static int owner_set(struct torus_nl *nl, __u32 uid, bool evict)
{
	const struct torus_nl_node node = {
		.present = TORUS_NL_HAS(TORUS_A_UID) | (evict ? TORUS_NL_HAS(TORUS_A_EVICT) : 0),
		.node = NODE, .uid = uid,
	};

	return torus_nl_node_set(nl, FABRIC, &node);
}

/* Attach to the node as user @uid. Return: 0 or a positive errno. */
static int attach_as(uid_t uid)
{
	pid_t pid = start();
	int fd;

	if (!pid) {
		fd = open(DEVICE, O_RDWR);
		_exit(fd < 0 || setuid(uid) ? 255 : raw_attach(fd, FABRIC, NODE, 0, 0));
	}
	return status_of(pid);
}

/*
 * Run a program of STRANGER that stays attached until it is evicted. Return: 0, or the number of
 * the failed step.
 */
static int stay(int *attached)
{
	struct pollfd fd = { .fd = open(DEVICE, O_RDWR) };
	struct torus_ioc_info info;

	if (fd.fd < 0 || setuid(STRANGER) || raw_attach(fd.fd, FABRIC, NODE, 0, 0))
		return 1;
	__atomic_store_n(attached, 1, __ATOMIC_RELEASE);
	if (poll(&fd, 1, WAIT_MS) != 1 || !(fd.revents & POLLHUP))
		return 2;
	if (!ioctl(fd.fd, TORUS_IOC_DOORBELL) || errno != ENODEV)
		return 3;
	if (!ioctl(fd.fd, TORUS_IOC_INFO, &info) || errno != ENODEV)
		return 4;
	return 0;
}

TEST_F(rights, owner_evicts)
{
	pid_t other_user = start();
	double until = now_s() + WAIT_MS / 1000;
	int mine;

	if (!other_user)
		_exit(stay(self->attached));
	while (!__atomic_load_n(self->attached, __ATOMIC_ACQUIRE) && now_s() < until)
		usleep(1000);
	ASSERT_EQ(0, owner_set(self->nl, OWNER, false));
	EXPECT_EQ(EBUSY, attach_as(OWNER));
	ASSERT_EQ(0, owner_set(self->nl, OWNER, true));
	EXPECT_EQ(0, status_of(other_user));
	EXPECT_EQ(0, attach_as(OWNER));
	EXPECT_EQ(EACCES, attach_as(STRANGER));

	/* The owner's own programs are not evicted. */
	ASSERT_EQ(0, owner_set(self->nl, 0, false));
	mine = open(DEVICE, O_RDWR);
	ASSERT_EQ(0, raw_attach(mine, FABRIC, NODE, 0, 0));
	ASSERT_EQ(0, owner_set(self->nl, 0, true));
	EXPECT_EQ(0, ioctl(mine, TORUS_IOC_DOORBELL));
	close(mine);
}

TEST_F(rights, gates_are_taken_away)
{
	const struct torus_nl_fabric_spec spec = {
		.name = GATES, .arch = "tofu", .ndims = 3, .dims = { 1, 1, 1 },
	};
	const struct torus_nl_node evict = { .present = TORUS_NL_HAS(TORUS_A_EVICT), .node = 0 };
	struct torus_ioc_gates_open open_gates = { .fabric = GATES };
	__u64 id;
	struct torus_ioc_gates ask = { .count = 1, .ids = (__u64)(unsigned long)&id };
	struct torus_ioc_gate poll_gate = { };
	int fd = open(DEVICE, O_RDWR);

	ASSERT_EQ(0, torus_nl_fabric_add(self->nl, &spec));
	ASSERT_EQ(0, ioctl(fd, TORUS_IOC_GATES_OPEN, &open_gates));
	ASSERT_EQ(0, ioctl(fd, TORUS_IOC_GATES_ALLOC, &ask));
	ASSERT_EQ(0, torus_nl_node_set(self->nl, GATES, &evict));
	poll_gate.gate = id;
	EXPECT_EQ(-1, ioctl(fd, TORUS_IOC_GATE_POLL, &poll_gate));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(-1, ioctl(fd, TORUS_IOC_GATES_ALLOC, &ask));
	EXPECT_EQ(ENODEV, errno);
	/* The evicted file has no gates left: they and the node are free for another file. */
	close(fd);
	fd = open(DEVICE, O_RDWR);
	EXPECT_EQ(0, ioctl(fd, TORUS_IOC_GATES_OPEN, &open_gates));
	EXPECT_EQ(0, ioctl(fd, TORUS_IOC_GATES_ALLOC, &ask));
	close(fd);
	ASSERT_EQ(0, fabric_del(GATES));
}

TEST_F(rights, result_is_kept)
{
	const struct torus_traffic traffic = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 64, .size_max = 64, .packets = 10,
	};
	struct torus_nl_progress before = { .done = false }, after;
	double until = now_s() + WAIT_MS / 1000;
	int fd = open(DEVICE, O_RDWR);

	ASSERT_EQ(0, torus_nl_traffic_start(self->nl, FABRIC, &traffic, NULL));
	while (!before.done && now_s() < until)
		ASSERT_EQ(0, torus_nl_traffic_get(self->nl, FABRIC, &before));
	ASSERT_EQ(80, before.result.delivered);
	ASSERT_EQ(0, raw_attach(fd, FABRIC, NODE, 0, 0));
	ASSERT_EQ(0, torus_nl_traffic_get(self->nl, FABRIC, &after));
	EXPECT_TRUE(after.done);
	EXPECT_EQ(before.share, after.share);
	EXPECT_EQ(0, memcmp(&before.result, &after.result, sizeof(after.result)));
	ASSERT_EQ(0, torus_nl_traffic_stop(self->nl, FABRIC));
	EXPECT_EQ(-ENODATA, torus_nl_traffic_get(self->nl, FABRIC, &after));
	close(fd);
}

/*
 * Query the fabric and its groups through an open file of STRANGER. @owned: STRANGER owns the node.
 * Return: 0, or the number of the failed check.
 */
static int receives_event(bool owned)
{
	struct torus_group group[2 * 8];
	struct torus_ioc_groups groups = {
		.fabric = FABRIC, .count = 16, .groups = (__u64)(unsigned long)group,
	};
	struct torus_ioc_fabric fabric = { .name = FABRIC };
	int fd = open(DEVICE, O_RDWR);
	unsigned int i;

	if (fd < 0 || setuid(STRANGER) || ioctl(fd, TORUS_IOC_FABRIC, &fabric) ||
	    ioctl(fd, TORUS_IOC_GROUPS, &groups) || groups.count != 16)
		return 1;
	if (fabric.attached != 0 || fabric.clock)
		return 2;
	for (i = 0; i < 16; i++) {
		bool mine = owned && group[i].node == NODE;

		if (group[i].state != (mine ? TORUS_GROUP_FREE : TORUS_GROUP_FORBIDDEN))
			return 3;
		if (group[i].partition != (mine ? 7 : 0))
			return 4;
	}
	return 0;
}

TEST_F(rights, open_files_hear_what_is_theirs)
{
	const struct torus_nl_node all = {
		.present = TORUS_NL_HAS(TORUS_A_PARTITION), .node = NODE, .partition = 7,
	};
	int fd = open(DEVICE, O_RDWR), owned;
	pid_t pid;

	ASSERT_EQ(0, torus_nl_node_set(self->nl, FABRIC, &all));
	ASSERT_EQ(0, raw_attach(fd, FABRIC, 1, 0, 0));
	ASSERT_EQ(0, fabric_key(self->nl, FABRIC, "attach", "owner"));
	ASSERT_EQ(0, fabric_key(self->nl, FABRIC, "watch", "owner"));
	for (owned = 0; owned < 2; owned++) {
		EXPECT_EQ(owned ? 0 : EACCES, attach_as(STRANGER));
		pid = start();
		if (!pid)
			_exit(receives_event(owned));
		EXPECT_EQ(0, status_of(pid));
		ASSERT_EQ(0, owner_set(self->nl, STRANGER, false));
	}
	close(fd);
}

TEST_HARNESS_MAIN
