// SPDX-License-Identifier: GPL-2.0
/*
 * Queries of an ordinary user through /dev/torus: existing fabrics, their machine and shape, and
 * the FIFO groups that the user may attach to.
 */
#include "device.h"
#include "kselftest_harness.h"

#define FABRIC		"querytest"
#define SECOND		"querytest2"
#define NOBODY		65534
#define SOMEBODY	4711
#define GROUPS		32	/* 4 x 2 x 2 nodes with two groups each */

static const __u32 shape[3] = { 4, 2, 2 };

FIXTURE(query)
{
	int fd;
};

/* Create a fabric in which packets wait if no context is attached to their group. */
static int add_holding(void)
{
	const struct torus_nl_param hold = {
		.key = "no_listener", .text = "hold", .is_text = true,
	};
	const struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "bgl", .ndims = 3,
		.dims = { shape[0], shape[1], shape[2] }, .params = &hold, .nparams = 1,
	};

	return nl_with(ask_add, &spec, NULL, 0);
}

FIXTURE_SETUP(query)
{
	fabric_del(FABRIC);
	fabric_del(SECOND);
	ASSERT_EQ(0, add_holding());
	self->fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(query)
{
	EXPECT_EQ(0, fabric_del(FABRIC));
	fabric_del(SECOND);
	close(self->fd);
}

static int ask_fabric(int fd, const char *name, __u32 index, struct torus_ioc_fabric *ask)
{
	memset(ask, 0, sizeof(*ask));
	snprintf(ask->name, sizeof(ask->name), "%s", name);
	ask->index = index;
	return ioctl(fd, TORUS_IOC_FABRIC, ask) ? errno : 0;
}

/* Query up to @count groups from position @first. Return: their number, or a negative errno. */
static int ask_groups(int fd, __u32 first, __u32 count, struct torus_group *groups)
{
	struct torus_ioc_groups ask = {
		.fabric = FABRIC, .first = first, .count = count,
		.groups = (__u64)(unsigned long)groups,
	};

	return ioctl(fd, TORUS_IOC_GROUPS, &ask) ? -errno : (int)ask.count;
}

TEST_F(query, a_fabric)
{
	struct torus_ioc_fabric ask;

	ASSERT_EQ(0, ask_fabric(self->fd, FABRIC, 0, &ask));
	EXPECT_STREQ(FABRIC, ask.name);
	EXPECT_STREQ("bgl", ask.arch);
	EXPECT_EQ(3, ask.ndims);
	EXPECT_EQ(0, memcmp(ask.dims, shape, sizeof(shape)));
	EXPECT_EQ(3, ask.nshape);
	EXPECT_EQ(0, memcmp(ask.shape, shape, sizeof(shape)));
	EXPECT_EQ(0, ask.mesh);
	EXPECT_EQ(16, ask.nodes);
	EXPECT_EQ(15, ask.numbering.last);
	EXPECT_EQ(2, ask.groups);
	EXPECT_EQ(TORUS_BGL_INJECT_FIFOS, ask.inject_fifos);
	EXPECT_EQ(1u << TORUS_BGL_INJECT_PRIORITY, ask.inject_priority);
	EXPECT_EQ(TORUS_BGL_RECEIVE_FIFOS, ask.receive_fifos);
	EXPECT_EQ(1u << TORUS_BGL_RECEIVE_PRIORITY, ask.receive_priority);
	EXPECT_EQ(32, ask.chunk_bytes);
	EXPECT_EQ(8, ask.packet_chunks_max);
	EXPECT_EQ(32, ask.fifo_chunks);
	EXPECT_EQ(512, ask.inject_chunks);
	EXPECT_EQ(2048, ask.receive_chunks);
	EXPECT_EQ(65536, ask.ring_chunks_max);
	EXPECT_EQ(0, ask.attached);
	EXPECT_EQ(TORUS_FABRIC_IDLE, ask.state);
	EXPECT_EQ(1, ask.hold);
	EXPECT_EQ(0, ask.traffic);
	EXPECT_NE(0, ask.tick_fs);
}

TEST_F(query, fabrics_in_turn)
{
	struct torus_ioc_fabric ask;
	__u32 list, i, found = 0;

	ASSERT_EQ(0, fabric_add(SECOND, shape, NULL, 0));
	for (i = 0; !ask_fabric(self->fd, "", i, &ask); i++) {
		found += !strcmp(ask.name, FABRIC) ? 1 : !strcmp(ask.name, SECOND) ? 100 : 0;
		list = ask.list;
	}
	EXPECT_EQ(ENOENT, errno);
	EXPECT_EQ(101, found);
	ASSERT_EQ(0, ask_fabric(self->fd, SECOND, 0, &ask));
	EXPECT_EQ(0, ask.hold);
	ASSERT_EQ(0, fabric_del(SECOND));
	EXPECT_EQ(ENOENT, ask_fabric(self->fd, SECOND, 0, &ask));
	ASSERT_EQ(0, ask_fabric(self->fd, FABRIC, 0, &ask));
	EXPECT_NE(list, ask.list);
}

TEST_F(query, bad_questions)
{
	struct torus_ioc_groups groups = { .fabric = FABRIC };
	struct torus_ioc_fabric ask;
	struct torus_group group;

	EXPECT_EQ(ENOENT, ask_fabric(self->fd, "nofabric", 0, &ask));
	EXPECT_EQ(ENOENT, ask_fabric(self->fd, "", 100000, &ask));
	memset(&ask, 'x', sizeof(ask.name));
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_FABRIC, &ask));
	EXPECT_EQ(EINVAL, errno);
	memset(&ask, 0, sizeof(ask));
	ask.reserved[15] = 1;
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_FABRIC, &ask));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_FABRIC, NULL));
	EXPECT_EQ(EFAULT, errno);

	groups.reserved[5] = 1;
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_GROUPS, &groups));
	EXPECT_EQ(EINVAL, errno);
	groups = (struct torus_ioc_groups){ .count = 1 };
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_GROUPS, &groups));
	EXPECT_EQ(EINVAL, errno);
	memset(groups.fabric, 'x', sizeof(groups.fabric));
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_GROUPS, &groups));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_GROUPS, NULL));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-EFAULT, ask_groups(self->fd, 0, 1, NULL));
	EXPECT_EQ(0, ask_groups(self->fd, 0, 0, NULL));
	EXPECT_EQ(0, ask_groups(self->fd, GROUPS, 1, &group));
	EXPECT_EQ(0, ask_groups(self->fd, 0xffffffff, 0xffffffff, &group));
}

static int ask_node_set(struct torus_nl *nl, const void *arg)
{
	return torus_nl_node_set(nl, FABRIC, arg);
}

static int node_set(torus_nl_set what, __u32 node, __u32 uid, __u32 partition)
{
	const struct torus_nl_node change = {
		.present = what, .node = node, .uid = uid, .partition = partition,
	};

	return nl_with(ask_node_set, &change, NULL, 0);
}

/* Query the group at position @place as user @uid. Return: 16 * flags + state. */
static int query_as(uid_t uid, __u32 place)
{
	struct torus_group group;
	pid_t pid = start();
	int fd;

	if (!pid) {
		if (setresuid(uid, uid, uid))
			_exit(255);
		fd = open(DEVICE, O_RDWR);
		if (fd < 0 || ask_groups(fd, place, 1, &group) != 1)
			_exit(254);
		_exit(group.flags << 4 | group.state);
	}
	return status_of(pid);
}

#define PRIORITY	(TORUS_GROUP_PRIORITY << 4)

TEST_F(query, groups)
{
	struct torus_group groups[GROUPS + 8];
	__u32 i, seen = 0;
	int fd;

	EXPECT_EQ(12, sizeof(struct torus_group));
	ASSERT_EQ(GROUPS, ask_groups(self->fd, 0, GROUPS + 8, groups));
	for (i = 0; i < GROUPS; i++) {
		EXPECT_EQ(i % 2, groups[i].group);
		EXPECT_EQ(TORUS_GROUP_FREE, groups[i].state);
		EXPECT_EQ(TORUS_GROUP_PRIORITY, groups[i].flags);
		EXPECT_EQ(0, groups[i].partition);
		seen |= 1u << (groups[i].node * 2 + groups[i].group);
	}
	EXPECT_EQ(~0u, seen);
	/* Query a range of groups. */
	ASSERT_EQ(3, ask_groups(self->fd, 5, 3, groups));
	EXPECT_EQ(1, groups[0].group);
	EXPECT_EQ(3, ask_groups(self->fd, GROUPS - 3, 8, groups));

	fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, raw_attach(fd, FABRIC, 2, 1, 0));
	ASSERT_EQ(GROUPS, ask_groups(self->fd, 0, GROUPS, groups));
	EXPECT_EQ(TORUS_GROUP_FREE, groups[4].state);
	EXPECT_EQ(TORUS_GROUP_MINE, groups[5].state);
	EXPECT_EQ(TORUS_GROUP_HELD, query_as(NOBODY, 5));
	EXPECT_EQ(TORUS_GROUP_FREE, query_as(NOBODY, 4));
	EXPECT_EQ(PRIORITY | TORUS_GROUP_MINE, query_as(0, 5));
	/* An attached file sees the same groups, and only its own fabric. */
	EXPECT_EQ(GROUPS, ask_groups(fd, 0, GROUPS, groups));
	close(fd);
	EXPECT_EQ(TORUS_GROUP_FREE, query_as(NOBODY, 5));

	ASSERT_EQ(0, node_set(TORUS_NL_HAS(TORUS_A_UID), 3, SOMEBODY, 0));
	EXPECT_EQ(TORUS_GROUP_FORBIDDEN, query_as(NOBODY, 6));
	EXPECT_EQ(PRIORITY | TORUS_GROUP_FREE, query_as(SOMEBODY, 6));
	EXPECT_EQ(PRIORITY | TORUS_GROUP_FREE, query_as(0, 6));
	ASSERT_EQ(0, node_set(TORUS_NL_HAS(TORUS_A_PARTITION), 3, 0, 7));
	ASSERT_EQ(2, ask_groups(self->fd, 6, 2, groups));
	EXPECT_EQ(3, groups[0].node);
	EXPECT_EQ(7, groups[0].partition);
	ASSERT_EQ(0, node_set(TORUS_NL_HAS(TORUS_A_NODE_STATE), 5, 0, 0));
	EXPECT_EQ(TORUS_GROUP_DEAD << 4, query_as(NOBODY, 10));
	EXPECT_EQ(0, query_as(NOBODY, 12));
}

/*
 * Each attachment gives a group a new holder number. Users without permission to watch the node do
 * not see it.
 */
TEST_F(query, holders)
{
	struct torus_group groups[4];
	__u32 holders[4], first;
	struct torus_ioc_groups ask = {
		.fabric = FABRIC, .first = 4, .count = 4, .groups = (uintptr_t)groups,
		.holders = (uintptr_t)holders,
	};
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	ASSERT_EQ(0, raw_attach(fd, FABRIC, 2, 1, 0));
	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_GROUPS, &ask));
	EXPECT_EQ(4, ask.count);
	EXPECT_EQ(TORUS_GROUP_MINE, groups[1].state);
	first = holders[1];
	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_GROUPS, &ask));
	EXPECT_EQ(first, holders[1]);
	close(fd);
	fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, raw_attach(fd, FABRIC, 2, 1, 0));
	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_GROUPS, &ask));
	EXPECT_NE(first, holders[1]);
	close(fd);
	ask.holders = 8;
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_GROUPS, &ask));
	EXPECT_EQ(EFAULT, errno);
}

/*
 * A file sees the fabrics of the namespace in which it was opened; an attached file sees only its
 * fabric.
 */
TEST_F(query, what_a_file_sees)
{
	struct torus_group group;
	struct torus_ioc_fabric ask;
	pid_t pid;
	int fd, i;

	ASSERT_EQ(0, fabric_add(SECOND, shape, NULL, 0));
	EXPECT_EQ(0, ask_fabric(self->fd, SECOND, 0, &ask));
	pid = start();
	if (!pid) {
		if (unshare(CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC))
			_exit(255);
		if (ask_fabric(self->fd, FABRIC, 0, &ask))
			_exit(1);
		if (ask_groups(self->fd, 0, 1, &group) != 1)
			_exit(2);
		fd = open(DEVICE, O_RDWR);
		if (ask_fabric(fd, FABRIC, 0, &ask) != ENOENT ||
		    ask_fabric(fd, "", 0, &ask) != ENOENT)
			_exit(3);
		if (ask_groups(fd, 0, 1, &group) != -ENOENT)
			_exit(4);
		_exit(raw_attach(self->fd, FABRIC, 0, 0, 0) ? 5 : 0);
	}
	EXPECT_EQ(0, status_of(pid));
	EXPECT_EQ(EISCONN, raw_attach(self->fd, FABRIC, 1, 0, 0));
	/* The child attached the shared file. */
	EXPECT_EQ(ENOENT, ask_fabric(self->fd, SECOND, 0, &ask));
	EXPECT_EQ(ENOENT, ask_fabric(self->fd, "", 1, &ask));
	EXPECT_EQ(0, ask_fabric(self->fd, "", 0, &ask));
	EXPECT_STREQ(FABRIC, ask.name);
	/* The child has ended, so its group is given back soon, although the file is open. */
	for (i = 0; i < 1000 && ask.attached; i++) {
		usleep(10000);
		EXPECT_EQ(0, ask_fabric(self->fd, "", 0, &ask));
	}
	EXPECT_EQ(0, ask.attached);
	ASSERT_EQ(0, fabric_del(FABRIC));
	EXPECT_EQ(ENODEV, ask_fabric(self->fd, FABRIC, 0, &ask));
	EXPECT_EQ(-ENODEV, ask_groups(self->fd, 0, 1, &group));
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
}

TEST_HARNESS_MAIN
