// SPDX-License-Identifier: GPL-2.0
/* Mappings of a context: valid and invalid sizes, offsets and protections, and their lifetime. */
#include "device.h"
#include <signal.h>
#include "kselftest_harness.h"

#define FABRIC	"mmaptest"

static const __u32 shape[3] = { 2, 2, 2 };

FIXTURE(mmap)
{
	int fd;
	size_t page;
	size_t inject;
	size_t receive;
};

FIXTURE_SETUP(mmap)
{
	struct torus_ioc_info info;

	fabric_del(FABRIC);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	self->fd = open(DEVICE, O_RDWR);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, raw_attach(self->fd, FABRIC, 0, 0, 0));
	ASSERT_EQ(0, ioctl(self->fd, TORUS_IOC_INFO, &info));
	self->page = info.page_bytes;
	self->inject = (size_t)info.inject_chunks * info.chunk_bytes;
	self->receive = (size_t)info.receive_chunks * info.chunk_bytes;
}

FIXTURE_TEARDOWN(mmap)
{
	close(self->fd);
	EXPECT_EQ(0, fabric_del(FABRIC));
}

/* Map and unmap. Return: 0 or the errno of mmap(). */
static int try_map(int fd, size_t bytes, int prot, int flags, __u64 token)
{
	void *at = mmap(NULL, bytes, prot, flags, fd, token);

	if (at == MAP_FAILED)
		return errno;
	munmap(at, bytes);
	return 0;
}

#define RW	(PROT_READ | PROT_WRITE)
#define TOKEN(kind, index) TORUS_MAP_TOKEN(TORUS_MAP_##kind, index)

TEST_F(mmap, right)
{
	unsigned int i;

	EXPECT_EQ(0, try_map(self->fd, self->page, PROT_READ, MAP_SHARED, TOKEN(STATUS, 0)));
	EXPECT_EQ(0, try_map(self->fd, self->page, RW, MAP_SHARED, TOKEN(CONTROL, 0)));
	for (i = 0; i < 4; i++)
		EXPECT_EQ(0, try_map(self->fd, self->inject, RW, MAP_SHARED, TOKEN(INJECT, i)));
	for (i = 0; i < 7; i++)
		EXPECT_EQ(0, try_map(self->fd, self->receive, PROT_READ, MAP_SHARED,
				     TOKEN(RECEIVE, i)));
}

TEST_F(mmap, before_attach)
{
	int fd = open(DEVICE, O_RDWR);

	EXPECT_EQ(ENOTCONN, try_map(fd, self->page, PROT_READ, MAP_SHARED, TOKEN(STATUS, 0)));
}

TEST_F(mmap, wrong_size)
{
	EXPECT_EQ(EINVAL, try_map(self->fd, 2 * self->page, PROT_READ, MAP_SHARED,
				  TOKEN(STATUS, 0)));
	EXPECT_EQ(EINVAL, try_map(self->fd, 2 * self->page, RW, MAP_SHARED, TOKEN(CONTROL, 0)));
	EXPECT_EQ(EINVAL, try_map(self->fd, self->inject - 4096, RW, MAP_SHARED,
				  TOKEN(INJECT, 0)));
	EXPECT_EQ(EINVAL, try_map(self->fd, self->inject + 4096, RW, MAP_SHARED,
				  TOKEN(INJECT, 0)));
	EXPECT_EQ(EINVAL, try_map(self->fd, self->inject, PROT_READ, MAP_SHARED,
				  TOKEN(RECEIVE, 0)));
	EXPECT_EQ(EINVAL, try_map(self->fd, 1ul << 40, PROT_READ, MAP_SHARED | MAP_NORESERVE,
				  TOKEN(RECEIVE, 0)));
}

TEST_F(mmap, wrong_offset)
{
	const __u64 wrong[] = {
		0, 4096, TOKEN(STATUS, 1), TOKEN(STATUS, 0) + 4096, TOKEN(CONTROL, 1),
		TORUS_MAP_TOKEN(5, 0), TORUS_MAP_TOKEN(17, 0), TORUS_MAP_TOKEN(0x100001, 0),
		1ull << 62 | TOKEN(STATUS, 0),
	};
	unsigned int i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		EXPECT_NE(0, try_map(self->fd, self->page, PROT_READ, MAP_SHARED, wrong[i]));
	EXPECT_EQ(EINVAL, try_map(self->fd, self->page, PROT_READ, MAP_SHARED, 0));
	EXPECT_EQ(EINVAL, try_map(self->fd, self->inject, RW, MAP_SHARED, TOKEN(INJECT, 4)));
	EXPECT_EQ(EINVAL, try_map(self->fd, self->inject, RW, MAP_SHARED, TOKEN(INJECT, 255)));
	EXPECT_EQ(EINVAL, try_map(self->fd, self->inject, RW, MAP_SHARED,
				  TOKEN(INJECT, 0) + 4096));
	EXPECT_EQ(EINVAL, try_map(self->fd, self->receive, PROT_READ, MAP_SHARED,
				  TOKEN(RECEIVE, 7)));
}

TEST_F(mmap, wrong_protection)
{
	int fd;
	void *at;

	EXPECT_EQ(EACCES, try_map(self->fd, self->page, RW, MAP_SHARED, TOKEN(STATUS, 0)));
	EXPECT_EQ(EACCES, try_map(self->fd, self->receive, RW, MAP_SHARED, TOKEN(RECEIVE, 6)));
	EXPECT_EQ(EACCES, try_map(self->fd, self->page, RW | PROT_EXEC, MAP_SHARED,
				  TOKEN(CONTROL, 0)));
	EXPECT_EQ(EACCES, try_map(self->fd, self->page, PROT_READ | PROT_EXEC, MAP_SHARED,
				  TOKEN(STATUS, 0)));
	EXPECT_EQ(EINVAL, try_map(self->fd, self->page, PROT_READ, MAP_PRIVATE,
				  TOKEN(STATUS, 0)));
	EXPECT_EQ(EINVAL, try_map(self->fd, self->page, RW, MAP_PRIVATE, TOKEN(CONTROL, 0)));

	/* mprotect() must not add these rights afterwards. */
	at = mmap(NULL, self->page, PROT_READ, MAP_SHARED, self->fd, TOKEN(STATUS, 0));
	ASSERT_NE(MAP_FAILED, at);
	EXPECT_EQ(-1, mprotect(at, self->page, RW));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(-1, mprotect(at, self->page, PROT_READ | PROT_EXEC));
	EXPECT_EQ(EACCES, errno);
	/* The mapping must not grow. */
	EXPECT_EQ(MAP_FAILED, mremap(at, self->page, 2 * self->page, MREMAP_MAYMOVE));

	/* The kernel treats a MAP_SHARED mapping of a file opened read-only as not shared. */
	fd = open(DEVICE, O_RDONLY);
	ASSERT_EQ(0, raw_attach(fd, FABRIC, 1, 0, 0));
	EXPECT_EQ(EACCES, try_map(fd, self->page, RW, MAP_SHARED, TOKEN(CONTROL, 0)));
	EXPECT_EQ(EINVAL, try_map(fd, self->page, PROT_READ, MAP_SHARED, TOKEN(CONTROL, 0)));
}

/* A mapping may be moved, and unmapped in parts. */
TEST_F(mmap, moved_and_split)
{
	unsigned char *at, *to;

	at = mmap(NULL, self->inject, RW, MAP_SHARED, self->fd, TOKEN(INJECT, 1));
	ASSERT_NE(MAP_FAILED, at);
	at[0] = 1;
	at[self->inject - 1] = 2;
	to = mremap(at, self->inject, self->inject, MREMAP_MAYMOVE | MREMAP_FIXED,
		    at + (1 << 26));
	ASSERT_NE(MAP_FAILED, to);
	EXPECT_EQ(1, to[0]);
	EXPECT_EQ(2, to[self->inject - 1]);
	EXPECT_EQ(0, munmap(to + 4096, 4096));
	EXPECT_EQ(1, to[0]);
	EXPECT_EQ(2, to[self->inject - 1]);
}

TEST_F(mmap, two_contexts_apart)
{
	int fd = open(DEVICE, O_RDWR);
	unsigned char *first, *second;

	ASSERT_EQ(0, raw_attach(fd, FABRIC, 1, 0, 0));
	first = mmap(NULL, self->inject, RW, MAP_SHARED, self->fd, TOKEN(INJECT, 0));
	second = mmap(NULL, self->inject, RW, MAP_SHARED, fd, TOKEN(INJECT, 0));
	ASSERT_NE(MAP_FAILED, first);
	ASSERT_NE(MAP_FAILED, second);
	memset(first, 0x55, self->inject);
	EXPECT_EQ(0, second[0]);
	EXPECT_EQ(0, second[self->inject - 1]);
}

TEST_F(mmap, zeroed_at_attach)
{
	unsigned char *at;
	size_t i;

	at = mmap(NULL, self->inject, RW, MAP_SHARED, self->fd, TOKEN(INJECT, 2));
	ASSERT_NE(MAP_FAILED, at);
	memset(at, 0x5a, self->inject);
	munmap(at, self->inject);
	close(self->fd);
	self->fd = open(DEVICE, O_RDWR);
	ASSERT_EQ(0, raw_attach(self->fd, FABRIC, 0, 0, 0));
	at = mmap(NULL, self->inject, RW, MAP_SHARED, self->fd, TOKEN(INJECT, 2));
	ASSERT_NE(MAP_FAILED, at);
	for (i = 0; i < self->inject && !at[i]; i++)
		;
	EXPECT_EQ(self->inject, i);
}

/* Closing the descriptor does not release the FIFO group while a mapping exists. */
TEST_F(mmap, mapping_holds_the_group)
{
	int other = open(DEVICE, O_RDWR);
	void *at = mmap(NULL, self->page, PROT_READ, MAP_SHARED, self->fd, TOKEN(STATUS, 0));

	ASSERT_NE(MAP_FAILED, at);
	close(self->fd);
	self->fd = -1;
	EXPECT_EQ(EBUSY, raw_attach(other, FABRIC, 0, 0, 0));
	munmap(at, self->page);
	EXPECT_EQ(0, raw_attach(other, FABRIC, 0, 0, 0));
}

/* Handle SIGSEGV, so that the kernel does not log it. */
static void on_segv(int sig)
{
	_exit(99);
}

TEST_F(mmap, not_inherited)
{
	volatile unsigned char *at;
	pid_t pid;

	at = mmap(NULL, self->page, RW, MAP_SHARED, self->fd, TOKEN(CONTROL, 0));
	ASSERT_NE(MAP_FAILED, at);
	at[0] = 1;
	pid = start();
	if (!pid) {
		signal(SIGSEGV, on_segv);
		_exit(at[0]);
	}
	EXPECT_EQ(99, status_of(pid));
}

TEST_HARNESS_MAIN
