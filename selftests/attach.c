// SPDX-License-Identifier: GPL-2.0
/*
 * Attaching to a FIFO group: rejected arguments, permissions, and the attributes that a program can
 * read.
 */
#include "device.h"
#include <sys/stat.h>
#include "kselftest_harness.h"

#define FABRIC		"attachtest"
#define NOBODY		65534
#define SOMEBODY	1234

static const __u32 shape[3] = { 4, 3, 2 };

FIXTURE(attach)
{
	int fd;
};

FIXTURE_SETUP(attach)
{
	fabric_del(FABRIC);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	self->fd = open(DEVICE, O_RDWR);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(attach)
{
	close(self->fd);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

TEST_F(attach, anybody_may_open)
{
	struct stat stat_buf;

	ASSERT_EQ(0, stat(DEVICE, &stat_buf));
	EXPECT_EQ(0666, stat_buf.st_mode & 0777);
	EXPECT_TRUE(S_ISCHR(stat_buf.st_mode));
}

TEST_F(attach, before)
{
	struct torus_ioc_locate locate = {};
	struct torus_ioc_info info;
	struct pollfd poll_fd = { .fd = self->fd, .events = POLLIN | POLLOUT };

	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_INFO, &info));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_DOORBELL));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_WAIT, NULL));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_LOCATE, &locate));
	EXPECT_EQ(ENOTCONN, errno);
	EXPECT_EQ(1, poll(&poll_fd, 1, 0));
	EXPECT_EQ(POLLERR, poll_fd.revents);
}

TEST_F(attach, unknown_ioctl)
{
	EXPECT_EQ(-1, ioctl(self->fd, _IO(TORUS_IOC_MAGIC, 0x7f)));
	EXPECT_EQ(ENOTTY, errno);
	EXPECT_EQ(0, raw_attach(self->fd, FABRIC, 0, 0, 0));
	EXPECT_EQ(-1, ioctl(self->fd, _IO(TORUS_IOC_MAGIC, 0x7f)));
	EXPECT_EQ(ENOTTY, errno);
	EXPECT_EQ(-1, ioctl(self->fd, _IOC(_IOC_READ, TORUS_IOC_MAGIC, 1, 4), NULL));
	EXPECT_EQ(ENOTTY, errno);
}

TEST_F(attach, bad_arguments)
{
	struct torus_ioc_attach ask = { .fabric = FABRIC };
	const __u32 bad_chunks[] = { 1, 4, 12, 1000, 131072, 0x80000000u };
	unsigned int i;

	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_ATTACH, NULL));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(ENOENT, raw_attach(self->fd, "nosuchfabric", 0, 0, 0));
	EXPECT_EQ(ENOENT, raw_attach(self->fd, "", 0, 0, 0));
	EXPECT_EQ(EINVAL, raw_attach(self->fd, FABRIC, 24, 0, 0));
	EXPECT_EQ(EINVAL, raw_attach(self->fd, FABRIC, 0xffffffff, 0, 0));
	EXPECT_EQ(EINVAL, raw_attach(self->fd, FABRIC, 0, 2, 0));
	EXPECT_EQ(EINVAL, raw_attach(self->fd, FABRIC, 0, 0, 2));
	ask.reserved[6] = 1;
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_ATTACH, &ask));
	EXPECT_EQ(EINVAL, errno);
	ask.reserved[6] = 0;
	memset(ask.fabric, 'x', sizeof(ask.fabric));
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_ATTACH, &ask));
	EXPECT_EQ(EINVAL, errno);
	memset(ask.fabric, 0, sizeof(ask.fabric));
	strcpy(ask.fabric, FABRIC);
	for (i = 0; i < sizeof(bad_chunks) / sizeof(bad_chunks[0]); i++) {
		ask.inject_chunks = bad_chunks[i];
		EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_ATTACH, &ask));
		EXPECT_EQ(EINVAL, errno);
		ask.inject_chunks = 0;
		ask.receive_chunks = bad_chunks[i];
		EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_ATTACH, &ask));
		EXPECT_EQ(EINVAL, errno);
		ask.receive_chunks = 0;
	}
	/* The rejected calls have not taken the group. */
	EXPECT_EQ(0, raw_attach(self->fd, FABRIC, 0, 0, 0));
}

TEST_F(attach, twice)
{
	struct torus_ioc_attach ask = { .fabric = FABRIC, .node = 5 };
	int other = open(DEVICE, O_RDWR);
	__u32 first;

	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_ATTACH, &ask));
	first = ask.generation;
	EXPECT_EQ(EISCONN, raw_attach(self->fd, FABRIC, 6, 0, 0));
	EXPECT_EQ(EBUSY, raw_attach(other, FABRIC, 5, 0, 0));
	/* The node's other group is free for another file. */
	EXPECT_EQ(0, raw_attach(other, FABRIC, 5, 1, 0));
	close(other);
	close(self->fd);
	self->fd = open(DEVICE, O_RDWR);
	EXPECT_EQ(0, ioctl(self->fd, TORUS_IOC_ATTACH, &ask));
	EXPECT_LT(first, ask.generation);
}

TEST_F(attach, in_words)
{
	static const struct {
		__u32 node;
		struct torus_attach_config config;
		const char *text;
	} wrong[] = {
		{ 99, { }, "node 99 " FABRIC " 24 23" },
		{ 2, { .group = 2 }, "group 2 " FABRIC },
		{ 2, { .inject_chunks = 12 }, "injection ring 12 " FABRIC " 8 65536" },
		{ 2, { .receive_chunks = 131072 }, "reception ring 131072 " FABRIC
		  " 8 65536" },
	};
	struct torus_context *context, *second;
	unsigned int i;

	ASSERT_EQ(0, torus_context_attach(&context, FABRIC, 1, NULL));
	EXPECT_EQ(-EBUSY, torus_context_attach(&second, FABRIC, 1, NULL));
	EXPECT_SAYS(torus_error_text(), "node 1 " FABRIC " group 0");
	torus_context_detach(context);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		EXPECT_EQ(-EINVAL, torus_context_attach(&second, FABRIC, wrong[i].node,
							&wrong[i].config));
		EXPECT_SAYS(torus_error_text(), wrong[i].text);
	}
}

TEST_F(attach, info)
{
	struct torus_ioc_info info;
	unsigned int i;

	memset(&info, 0xff, sizeof(info));
	ASSERT_EQ(0, raw_attach(self->fd, FABRIC, 17, 1, TORUS_ATTACH_PRIORITY));
	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_INFO, &info));
	EXPECT_EQ(TORUS_ABI_VERSION, info.abi_version);
	EXPECT_EQ(3, info.ndims);
	EXPECT_NE(0, info.features & TORUS_FEATURE_PRIORITY);
	EXPECT_STREQ(FABRIC, info.fabric);
	EXPECT_STREQ("bgl", info.arch);
	for (i = 0; i < TORUS_DIMS_MAX; i++)
		EXPECT_EQ(i < 3 ? shape[i] : 0, info.dims[i]);
	EXPECT_EQ(24, info.nodes);
	EXPECT_EQ(17, info.node);
	/* 17 = 1 + 4 (1 + 3 * 1) */
	EXPECT_EQ(1, info.coords[0]);
	EXPECT_EQ(1, info.coords[1]);
	EXPECT_EQ(1, info.coords[2]);
	EXPECT_EQ(1, info.group);
	EXPECT_EQ(2, info.groups);
	EXPECT_EQ(32, info.chunk_bytes);
	EXPECT_EQ(8, info.packet_chunks_max);
	EXPECT_EQ(4, info.inject_fifos);
	EXPECT_EQ(1 << TORUS_BGL_INJECT_PRIORITY, info.inject_priority);
	EXPECT_EQ(7, info.receive_fifos);
	EXPECT_EQ(1 << TORUS_BGL_RECEIVE_PRIORITY, info.receive_priority);
	EXPECT_EQ(32, info.fifo_chunks);
	EXPECT_EQ(5714286, info.tick_fs);
	for (i = 0; i < sizeof(info.reserved) / sizeof(info.reserved[0]); i++)
		EXPECT_EQ(0, info.reserved[i]);
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_INFO, NULL));
	EXPECT_EQ(EFAULT, errno);
}

TEST_F(attach, ring_lengths)
{
	struct torus_ioc_attach ask = {
		.fabric = FABRIC, .inject_chunks = 8, .receive_chunks = 65536,
	};
	struct torus_ioc_info info;

	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_ATTACH, &ask));
	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_INFO, &info));
	EXPECT_EQ(8, info.inject_chunks);
	EXPECT_EQ(65536, info.receive_chunks);
}

TEST_F(attach, locate)
{
	struct torus_ioc_locate ask = { .coords = { 3, 2, 1 } };

	ASSERT_EQ(0, raw_attach(self->fd, FABRIC, 0, 0, 0));
	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_LOCATE, &ask));
	EXPECT_EQ(23, ask.node);
	ask = (struct torus_ioc_locate){ .node = 22, .direction = TORUS_LOCATE_COORDS };
	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_LOCATE, &ask));
	EXPECT_EQ(2, ask.coords[0]);
	EXPECT_EQ(2, ask.coords[1]);
	EXPECT_EQ(1, ask.coords[2]);

	ask = (struct torus_ioc_locate){ .node = 24, .direction = TORUS_LOCATE_COORDS };
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_LOCATE, &ask));
	EXPECT_EQ(EINVAL, errno);
	ask = (struct torus_ioc_locate){ .coords = { 4 } };
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_LOCATE, &ask));
	EXPECT_EQ(EINVAL, errno);
	ask = (struct torus_ioc_locate){ .coords = { 0, 0, 0, 1 } };
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_LOCATE, &ask));
	EXPECT_EQ(EINVAL, errno);
	ask = (struct torus_ioc_locate){ .direction = 2 };
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_LOCATE, &ask));
	EXPECT_EQ(EINVAL, errno);
	ask = (struct torus_ioc_locate){ .reserved = { 0, 0, 0, 1 } };
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_LOCATE, &ask));
	EXPECT_EQ(EINVAL, errno);
}

/* -------------------------------------------------------------- permissions */

static int ask_node_set(struct torus_nl *nl, const void *arg)
{
	return torus_nl_node_set(nl, FABRIC, arg);
}

static int own(__u32 node, __u32 uid)
{
	const struct torus_nl_node change = {
		.present = TORUS_NL_HAS(TORUS_A_UID), .node = node, .uid = uid,
	};

	return nl_with(ask_node_set, &change, NULL, 0);
}

/* Attach as user @uid. Return: the errno, or 0 on success. */
static int attach_as(uid_t uid, __u32 node, __u32 flags)
{
	pid_t pid = start();
	int fd;

	if (!pid) {
		if (setresuid(uid, uid, uid))
			_exit(255);
		fd = open(DEVICE, O_RDWR);
		_exit(fd < 0 ? 254 : raw_attach(fd, FABRIC, node, 0, flags));
	}
	return status_of(pid);
}

/*
 * Attach as user @uid, which must fail. Return: 0 if the library's error message contains @words.
 */
static int words_as(uid_t uid, __u32 node, bool priority, const char *words)
{
	const struct torus_attach_config config = { .priority = priority };
	struct torus_context *context;
	pid_t pid = start();

	if (!pid) {
		if (setresuid(uid, uid, uid))
			_exit(255);
		if (!torus_context_attach(&context, FABRIC, node, &config))
			_exit(254);
		if (says(torus_error_text(), words))
			_exit(0);
		fprintf(stderr, "# %s\n", torus_error_text());
		_exit(1);
	}
	return status_of(pid);
}

TEST_F(attach, owners)
{
	EXPECT_EQ(0, attach_as(NOBODY, 3, 0));
	EXPECT_EQ(EPERM, attach_as(NOBODY, 3, TORUS_ATTACH_PRIORITY));
	EXPECT_EQ(0, words_as(NOBODY, 3, true, "node 3 " FABRIC " priority CAP_NET_ADMIN"));
	EXPECT_EQ(0, attach_as(0, 3, TORUS_ATTACH_PRIORITY));

	ASSERT_EQ(0, own(3, SOMEBODY));
	EXPECT_EQ(EACCES, attach_as(NOBODY, 3, 0));
	EXPECT_EQ(0, words_as(NOBODY, 3, false, "node 3 " FABRIC " user owner"));
	EXPECT_EQ(EACCES, attach_as(NOBODY, 3, TORUS_ATTACH_PRIORITY));
	EXPECT_EQ(0, attach_as(SOMEBODY, 3, 0));
	EXPECT_EQ(0, attach_as(SOMEBODY, 3, TORUS_ATTACH_PRIORITY));
	EXPECT_EQ(0, attach_as(0, 3, TORUS_ATTACH_PRIORITY));
	EXPECT_EQ(0, attach_as(NOBODY, 4, 0));

	ASSERT_EQ(0, own(3, 0xffffffff));
	EXPECT_EQ(0, attach_as(NOBODY, 3, 0));
}

/*
 * A user who may not attach to a node, or asks for a group that is taken, is rejected before any
 * memory is allocated.
 */
TEST_F(attach, refused_without_memory)
{
	char before[32];
	int fd;

	ASSERT_EQ(0, own(3, SOMEBODY));
	fd = open(DEVICE, O_RDWR);
	ASSERT_EQ(0, raw_attach(fd, FABRIC, 4, 0, 0));
	ASSERT_TRUE(module_parameter("max_bytes", "1", before, sizeof(before)));
	EXPECT_EQ(EACCES, attach_as(NOBODY, 3, 0));
	EXPECT_EQ(EBUSY, attach_as(NOBODY, 4, 0));
	EXPECT_EQ(ENOSPC, attach_as(NOBODY, 5, 0));
	EXPECT_EQ(0, words_as(NOBODY, 5, false, "node 5 " FABRIC " group 0 ring max_bytes 1"));
	EXPECT_TRUE(module_parameter("max_bytes", before, NULL, 0));
	EXPECT_EQ(0, attach_as(NOBODY, 5, 0));
	close(fd);
	ASSERT_EQ(0, own(3, 0xffffffff));
}

/*
 * Start a child that attaches to one node after the other as user @uid and keeps all contexts.
 * Return: the child's pid.
 * @got: [out] the number of successful attaches, and the errno of the failed one
 */
static pid_t attach_all_as(uid_t uid, int got[2])
{
	int fds[2], fd;
	pid_t pid;

	if (pipe(fds))
		return -1;
	pid = start();
	if (!pid) {
		if (setresuid(uid, uid, uid))
			_exit(255);
		got[1] = 0;
		for (got[0] = 0; got[0] < 24 && !got[1]; got[0] += !got[1]) {
			fd = open(DEVICE, O_RDWR);
			got[1] = fd < 0 ? errno : raw_attach(fd, FABRIC, (__u32)got[0], 0, 0);
		}
		if (write(fds[1], got, 2 * sizeof(*got)) != 2 * sizeof(*got))
			_exit(253);
		pause();
		_exit(0);
	}
	close(fds[1]);
	if (read(fds[0], got, 2 * sizeof(*got)) != 2 * sizeof(*got))
		got[0] = -1;
	close(fds[0]);
	return pid;
}

/* The rings of one user do not prevent other users from attaching. */
TEST_F(attach, limit_of_a_user)
{
	char before[32];
	int got[2], i;
	pid_t pid;

	ASSERT_TRUE(module_parameter("max_user_bytes", "2000000", before, sizeof(before)));
	pid = attach_all_as(NOBODY, got);
	EXPECT_LT(0, got[0]);
	EXPECT_GT(24, got[0]);
	EXPECT_EQ(EDQUOT, got[1]);
	EXPECT_EQ(EDQUOT, attach_as(NOBODY, 23, 0));
	EXPECT_EQ(0, words_as(NOBODY, 23, false, "node 23 " FABRIC " group 0 rings user "
			      "max_user_bytes=2000000"));
	/* other users have limits of their own; a task with CAP_SYS_RESOURCE has none */
	EXPECT_EQ(0, attach_as(SOMEBODY, 23, 0));
	EXPECT_EQ(0, attach_as(0, 22, 0));
	kill(pid, SIGKILL);
	EXPECT_EQ(256 + SIGKILL, status_of(pid));
	/* packets left in the rings of the killed process may drain first */
	for (i = 0; i < 300 && attach_as(NOBODY, 23, 0) == EDQUOT; i++)
		usleep(100000);
	EXPECT_GT(300, i);
	EXPECT_TRUE(module_parameter("max_user_bytes", before, NULL, 0));
}

/* Return: bytes of max_bytes that fabrics and rings use, or 0 if they cannot be determined. */
static __u64 taken(void)
{
	const struct torus_nl_fabric_spec spec = {
		.name = "attachtest2", .arch = "bgl", .ndims = 3, .dims = { 2, 2, 2 },
	};
	unsigned long long bytes = ~0ull;
	char before[32], words[256] = "";

	if (!module_parameter("max_bytes", "1", before, sizeof(before)))
		return 0;
	if (nl_with(ask_add, &spec, words, sizeof(words)) == -ENOSPC)
		bytes = number_before(words, "max_bytes");
	if (!module_parameter("max_bytes", before, NULL, 0) || bytes == ~0ull)
		return 0;
	return bytes;
}

/*
 * The default limit per user also leaves memory to others, even if fabrics use more than half of
 * max_bytes.
 */
TEST_F(attach, default_limit_of_a_user)
{
	static const __u32 large[3] = { 16, 16, 16 };
	char before[32], max[32];
	int got[2];
	__u64 bytes;
	pid_t pid;

	ASSERT_EQ(0, fabric_add("attachtest3", large, NULL, 0));
	bytes = taken();
	EXPECT_LT(3000000, bytes);
	snprintf(max, sizeof(max), "%llu", (unsigned long long)bytes + 3000000);
	ASSERT_TRUE(module_parameter("max_bytes", max, before, sizeof(before)));
	pid = attach_all_as(NOBODY, got);
	EXPECT_LT(0, got[0]);
	EXPECT_EQ(EDQUOT, got[1]);
	/*
	 * half of the rest is left to another user; a task with CAP_SYS_RESOURCE may take all of it
	 */
	EXPECT_EQ(0, attach_as(SOMEBODY, 23, 0));
	EXPECT_EQ(0, attach_as(0, 22, 0));
	EXPECT_EQ(0, words_as(NOBODY, 23, false, "node 23 " FABRIC " group 0 rings user "
			      "max_user_bytes)"));
	kill(pid, SIGKILL);
	EXPECT_EQ(256 + SIGKILL, status_of(pid));
	EXPECT_TRUE(module_parameter("max_bytes", before, NULL, 0));
	EXPECT_EQ(0, fabric_del("attachtest3"));
}

TEST_F(attach, unprivileged_configuration)
{
	const struct torus_nl_fabric_spec spec = {
		.name = "attachtest2", .arch = "bgl", .ndims = 3, .dims = { 2, 2, 2 },
	};
	struct torus_fabric_counters counters;
	char words[256] = "";
	pid_t pid = start();

	if (!pid) {
		if (setresuid(NOBODY, NOBODY, NOBODY))
			_exit(255);
		/* Root of a user namespace has no privileges in the initial namespace. */
		if (unshare(CLONE_NEWUSER))
			_exit(254);
		if (nl_with(ask_add, &spec, words, sizeof(words)) != -EPERM ||
		    !says(words, "CAP_NET_ADMIN"))
			_exit(1);
		if (nl_with(ask_del, FABRIC, NULL, 0) != -EPERM)
			_exit(2);
		if (own(0, NOBODY) != -EPERM)
			_exit(3);
		/* Reading counters needs no privilege. */
		_exit(fabric_counters(FABRIC, &counters) ? 4 : 0);
	}
	EXPECT_EQ(0, status_of(pid));
}

TEST_F(attach, network_namespaces)
{
	pid_t pid = start();
	int fd;

	if (!pid) {
		if (unshare(CLONE_NEWNET))
			_exit(255);
		/* The file was opened in the initial namespace, where the fabric exists. */
		if (raw_attach(self->fd, FABRIC, 0, 0, 0))
			_exit(1);
		fd = open(DEVICE, O_RDWR);
		if (raw_attach(fd, FABRIC, 1, 0, 0) != ENOENT)
			_exit(2);
		/*
		 * In this namespace the name is free. The fabric is deleted together with the
		 * namespace.
		 */
		if (fabric_add(FABRIC, shape, NULL, 0))
			_exit(3);
		_exit(raw_attach(fd, FABRIC, 1, 0, 0) ? 4 : 0);
	}
	EXPECT_EQ(0, status_of(pid));
}

TEST_HARNESS_MAIN
