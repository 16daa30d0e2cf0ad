// SPDX-License-Identifier: GPL-2.0
/* A rejected ATTACH, GATES_OPEN, GATE_POLL or REGISTER leaves the file unchanged. */
#include <grp.h>
#include "device.h"
#include "memory.h"
#include "vtime.h"
#include "kselftest_harness.h"

#define FREE	"undonefree"
#define VIRTUAL	"undonevirtual"
#define TOFU	"undonetofu"
#define NOBODY	65534

static const __u32 shape[3] = { 2, 2, 2 };
static const __u32 groups[3] = { 1, 1, 1 };

FIXTURE(undone)
{
	int fd;
	void *page;	/* a page that the kernel can read only */
};

FIXTURE_SETUP(undone)
{
	fabric_del(FREE);
	fabric_del(TOFU);
	ASSERT_EQ(0, fabric_add(FREE, shape, NULL, 0));
	ASSERT_EQ(0, fabric_virtual_of(VIRTUAL, "bgl", shape, 2, 1));
	self->fd = open(DEVICE, O_RDWR);
	ASSERT_LE(0, self->fd);
	self->page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->page);
}

FIXTURE_TEARDOWN(undone)
{
	close(self->fd);
	EXPECT_EQ(0, fabric_del(FREE));
	EXPECT_EQ(0, fabric_del(VIRTUAL));
	fabric_del(TOFU);
}

static int tofu_add(void)
{
	struct torus_nl_fabric_spec spec = {
		.name = TOFU, .arch = "tofu", .ndims = 3,
		.dims = { groups[0], groups[1], groups[2] },
	};

	return nl_with(ask_add, &spec, NULL, 0);
}

/*
 * Copy the argument of a call to @page, where the kernel can read the argument but cannot write its
 * result.
 */
static void *read_only(void *page, const void *ask, size_t bytes)
{
	if (mprotect(page, 4096, PROT_READ | PROT_WRITE))
		return NULL;
	memcpy(page, ask, bytes);
	return mprotect(page, 4096, PROT_READ) ? NULL : page;
}

static int info_errno(int fd)
{
	struct torus_ioc_info info;

	return ioctl(fd, TORUS_IOC_INFO, &info) ? errno : 0;
}

static int map_errno(int fd, size_t bytes, int prot, __u64 token)
{
	void *at = mmap(NULL, bytes, prot, MAP_SHARED, fd, token);

	if (at == MAP_FAILED)
		return errno;
	munmap(at, bytes);
	return 0;
}

/*
 * Attach with rings that are longer than an ordinary user's limit. Return: 0 or a positive errno.
 */
static int attach_long(int fd)
{
	struct torus_ioc_attach ask = {
		.fabric = VIRTUAL, .inject_chunks = 65536, .receive_chunks = 65536,
	};

	return ioctl(fd, TORUS_IOC_ATTACH, &ask) ? errno : 0;
}

TEST_F(undone, ticks_of_virtual_time)
{
	char before[32];

	ASSERT_TRUE(module_parameter("max_user_bytes", "2000000", before, sizeof(before)));
	ASSERT_EQ(0, setgroups(0, NULL));
	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, 0));
	EXPECT_EQ(EDQUOT, attach_long(self->fd));
	EXPECT_EQ(0, setresuid(0, 0, 0));
	ASSERT_TRUE(module_parameter("max_user_bytes", before, NULL, 0));
	EXPECT_EQ(ENOTCONN, info_errno(self->fd));
	EXPECT_EQ(0, raw_attach(self->fd, FREE, 0, 0, 0));
	EXPECT_EQ(EINVAL, map_errno(self->fd, 65536 * 8, PROT_READ | PROT_WRITE,
				    TORUS_MAP_TOKEN(TORUS_MAP_STAMP, 0)));
	EXPECT_EQ(EINVAL, map_errno(self->fd, 65536 * 8, PROT_READ,
				    TORUS_MAP_TOKEN(TORUS_MAP_ARRIVAL, 0)));
}

TEST_F(undone, attach_without_answer)
{
	struct torus_ioc_attach ask = { .fabric = FREE };
	int other = open(DEVICE, O_RDWR);

	ASSERT_LE(0, other);
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_ATTACH,
			    read_only(self->page, &ask, sizeof(ask))));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(ENOTCONN, info_errno(self->fd));
	EXPECT_EQ(0, raw_attach(other, FREE, 0, 0, 0));
	EXPECT_EQ(0, raw_attach(self->fd, FREE, 1, 0, 0));
	close(other);
}

TEST_F(undone, gates_open_without_answer)
{
	struct torus_ioc_gates_open ask = { .fabric = TOFU };

	ASSERT_EQ(0, tofu_add());
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_GATES_OPEN,
			    read_only(self->page, &ask, sizeof(ask))));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(0, raw_attach(self->fd, TOFU, 0, 0, 0));
}

/* Configure a chain of one start/end gate and one relay gate that signal each other. */
TEST_F(undone, poll_without_answer)
{
	struct torus_ioc_gates_open open = { .fabric = TOFU };
	__u64 ids[2];
	struct torus_ioc_gates alloc = { .count = 2, .ids = (unsigned long)ids };
	struct torus_gate_setting settings[2];
	struct torus_ioc_gates_set set = { .settings = (unsigned long)settings, .count = 2 };
	struct torus_ioc_gate ask = { .op = TORUS_GATE_BARRIER };
	unsigned int i;
	int ret;

	ASSERT_EQ(0, tofu_add());
	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_GATES_OPEN, &open));
	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_GATES_ALLOC, &alloc));
	for (i = 0; i < 2; i++)
		settings[i] = (struct torus_gate_setting) {
			.gate = ids[i], .local_source = ids[!i], .local_dest = ids[!i],
			.remote_source = TORUS_GATE_NONE, .remote_dest = TORUS_GATE_NONE,
			.path = TORUS_GATE_PATH_DEFAULT,
		};
	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_GATES_SET, &set));
	ask.gate = ids[0];
	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_GATE_START, &ask));
	ASSERT_NE(NULL, read_only(self->page, &ask, sizeof(ask)));
	do
		ret = ioctl(self->fd, TORUS_IOC_GATE_POLL, self->page);
	while (ret == TORUS_GATE_RUNNING);
	EXPECT_EQ(-1, ret);
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(TORUS_GATE_FINE, ioctl(self->fd, TORUS_IOC_GATE_POLL, &ask));
	EXPECT_EQ(TORUS_GATE_IDLE, ioctl(self->fd, TORUS_IOC_GATE_POLL, &ask));
}

TEST_F(undone, register_without_answer)
{
	struct torus_ioc_register ask = {
		.address = (unsigned long)&ask, .length = 8, .flags = TORUS_REGISTER_STAG,
		.stag = 3,
	};

	ASSERT_EQ(0, tofu_add());
	ASSERT_EQ(0, raw_attach(self->fd, TOFU, 0, 0, 0));
	EXPECT_EQ(-1, ioctl(self->fd, TORUS_IOC_REGISTER,
			    read_only(self->page, &ask, sizeof(ask))));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(0, ioctl(self->fd, TORUS_IOC_REGISTER, &ask));
}

TEST_HARNESS_MAIN
