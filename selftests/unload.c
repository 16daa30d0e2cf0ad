// SPDX-License-Identifier: GPL-2.0
/*
 * The module cannot be unloaded while it is in use. If no program uses it, unloading deletes its
 * fabrics.
 */
#include "device.h"
#include "kselftest_harness.h"

#define FABRIC	"unloadtest"

static const __u32 shape[3] = { 4, 4, 4 };

/* Open the device node, which devtmpfs creates when the module is loaded. */
static int device(void)
{
	return open(DEVICE, O_RDWR);
}

TEST(while_in_use)
{
	void *at;
	int fd;

	if (access("/sys/module/torus", F_OK))
		ASSERT_EQ(0, module_load());
	fabric_del(FABRIC);
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));

	fd = device();
	ASSERT_LE(0, fd);
	EXPECT_EQ(EAGAIN, module_unload());	/* because of the open file */
	ASSERT_EQ(0, raw_attach(fd, FABRIC, 7, 0, 0));
	at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, TORUS_MAP_TOKEN(TORUS_MAP_STATUS, 0));
	ASSERT_NE(MAP_FAILED, at);
	close(fd);
	EXPECT_EQ(EAGAIN, module_unload());	/* because of the mapping */
	EXPECT_EQ(TORUS_STATE_ALIVE, *(__u32 *)at);

	/* The mapping keeps the module loaded even after the fabric is deleted. */
	EXPECT_EQ(0, fabric_del(FABRIC));
	EXPECT_EQ(TORUS_STATE_DEAD, *(__u32 *)at);
	EXPECT_EQ(EAGAIN, module_unload());

	munmap(at, 4096);
	EXPECT_EQ(0, module_unload());
	EXPECT_NE(0, access(DEVICE, F_OK));
	EXPECT_EQ(0, module_load());
}

TEST(with_fabrics)
{
	struct torus_context *a, *b;
	unsigned char packet[256];
	const __u32 dest[3] = { 3, 2, 1 };
	int i;

	if (access("/sys/module/torus", F_OK))
		ASSERT_EQ(0, module_load());
	ASSERT_EQ(0, fabric_add(FABRIC, shape, NULL, 0));
	ASSERT_EQ(0, fabric_add(FABRIC "2", shape, NULL, 0));
	/*
	 * One fabric has packets in flight to a context that does not read; then both contexts
	 * detach.
	 */
	ASSERT_EQ(0, torus_context_attach(&a, FABRIC, 0, NULL));
	ASSERT_EQ(0, torus_context_attach(&b, FABRIC, 27, NULL));
	packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_DYNAMIC, 1);
	for (i = 0; i < 100 && !torus_inject_try(a, TORUS_FIFO_ANY, packet, 256); i++)
		;
	torus_context_detach(a);
	torus_context_detach(b);
	EXPECT_EQ(0, module_unload());
	EXPECT_EQ(0, module_load());
	EXPECT_EQ(-ENOENT, fabric_del(FABRIC));
}

TEST_HARNESS_MAIN
