// SPDX-License-Identifier: GPL-2.0
/* A thousand fabrics that are created, used and deleted leave no memory allocated. */
#include "device.h"
#include "kselftest_harness.h"

#define FABRIC	"slabtest"
#define ROUNDS	1000
#define WARM	50
#define LEFT_KB	1024	/* tolerance for other activity of the system */

static const __u32 shape[3] = { 2, 2, 2 };

/* Return: the value of a line of /proc/meminfo, in kB. */
static long memory_kb(const char *name)
{
	FILE *file = fopen("/proc/meminfo", "re");
	char line[128];
	long kb = -1;

	while (file && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
			kb = strtol(line + strlen(name) + 1, NULL, 10);
	}
	if (file)
		fclose(file);
	return kb;
}

/* Return: kB of objects in use in slab caches that only the kernel fills. */
static long slab_kb(void)
{
	FILE *file = fopen("/proc/slabinfo", "re");
	unsigned long active, all, size;
	char line[512], name[64];
	double sum = 0;

	/* Wait for memory that RCU and work queues free later. */
	usleep(500000);
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %lu %lu %lu", name, &active, &all, &size) == 4 &&
		    (!strncmp(name, "kmalloc", 7) || !strcmp(name, "task_struct")))
			sum += (double)active * size;
	}
	if (file)
		fclose(file);
	return sum / 1024;
}

static int round_of(struct torus_nl *nl, int i)
{
	const struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "bgl", .ndims = 3,
		.dims = { shape[0], shape[1], shape[2] },
		.has_domains = true, .domains = 1 + i % 2,
	};
	const __u32 dest[3] = { 1, 1, 1 };
	struct torus_context *context = NULL;
	unsigned char packet[64];

	if (torus_nl_fabric_add(nl, &spec))
		return 1;
	/* In turns: unused; used and detached; used, and detached after the deletion. */
	if (i % 3) {
		if (torus_context_attach(&context, FABRIC, 0, NULL))
			return 2;
		packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_DYNAMIC, i);
		if (torus_inject_try(context, 0, packet, sizeof(packet)))
			return 3;
	}
	if (i % 3 == 1)
		torus_context_detach(context);
	if (torus_nl_fabric_del(nl, FABRIC))
		return 4;
	if (i % 3 == 2)
		torus_context_detach(context);
	return 0;
}

TEST(create_and_delete)
{
	struct torus_nl *nl = torus_nl_new();
	long slab, vmalloc, percpu;
	int i;

	ASSERT_NE(NULL, nl);
	ASSERT_EQ(0, torus_nl_connect(nl));
	for (i = 0; i < WARM; i++)
		ASSERT_EQ(0, round_of(nl, i));
	slab = slab_kb();
	vmalloc = memory_kb("VmallocUsed");
	percpu = memory_kb("Percpu");
	for (i = 0; i < ROUNDS; i++)
		ASSERT_EQ(0, round_of(nl, i));
	/* With KASAN, freed memory is kept for a while; kmemleak finds leaks instead. */
	if (!access("/sys/kernel/debug/kmemleak", F_OK))
		SKIP(return, "kmemleak watches instead");
	TH_LOG("after %d rounds: slab %+ld kB, vmalloc %+ld kB", ROUNDS, slab_kb() - slab,
	       memory_kb("VmallocUsed") - vmalloc);
	EXPECT_GT(LEFT_KB, slab_kb() - slab);
	EXPECT_GT(LEFT_KB, memory_kb("VmallocUsed") - vmalloc);
	EXPECT_GT(LEFT_KB, memory_kb("Percpu") - percpu);
	torus_nl_free(nl);
}

TEST_HARNESS_MAIN
