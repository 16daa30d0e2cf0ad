// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel memory that a user's requests allocate is limited, counted and charged: packets of barrier
 * gates, and each allocating call in a memory cgroup that has reached its limit.
 */
#include <malloc.h>
#include "../user/netlink/job.h"
#include "../user/netlink/traffic.h"
#include "cgroup.h"
#include "memory.h"
#include "vtime.h"
#include "kselftest_harness.h"

#define FABRIC		"allowance"
#define WIDE		"allowwide"	/* with nodes for a job of many members */
#define WIDE_NODES	16000u
#define CHAIN		33u		/* gates that fire after one start */
#define STARTS		20000u
#define GROWN_MAX	(16u << 10)	/* limit of the growth, in KiB */
#define SLACK		(32u << 10)
#define REGION		(16u << 20)
#define PAIRS		(1u << 20)
#define FILES		24u
#define STRANGER	65534

FIXTURE(allowance)
{
	bool mounted;
};

static int tofu_add(void)
{
	struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "tofu", .ndims = 3, .dims = { 3, 1, 1 },
	};

	return nl_with(ask_add, &spec, NULL, 0);
}

FIXTURE_SETUP(allowance)
{
	fabric_del(FABRIC);
	fabric_del(WIDE);
	ASSERT_EQ(0, tofu_add());
	ASSERT_EQ(0, fabric_add(WIDE, (const __u32[3]){ 32, 32, 16 }, NULL, 0));
}

FIXTURE_TEARDOWN(allowance)
{
	if (self->mounted)
		cgroup_end();
	EXPECT_EQ(0, fabric_del(FABRIC));
	EXPECT_EQ(0, fabric_del(WIDE));
}

/* ------------------------------------------------------------------- gates */

/*
 * Open a file that controls gates of @node. Return: the descriptor, or -1 if the module rejects the
 * request.
 */
static int gates_open(__u32 node, __u32 *engines)
{
	struct torus_ioc_gates_open ask = { .node = node, .fabric = FABRIC };
	int fd = open(DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, TORUS_IOC_GATES_OPEN, &ask)) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	*engines = ask.engines;
	return fd;
}

/* Return: the ioctl's result, or a negative errno. */
static int gates_alloc(int fd, __u32 engine, __u32 count, __u64 *ids)
{
	struct torus_ioc_gates ask = {
		.engine = engine, .count = count, .ids = (unsigned long)ids,
	};
	int ret = ioctl(fd, TORUS_IOC_GATES_ALLOC, &ask);

	return ret < 0 ? -errno : ret;
}

static int gates_set(int fd, const struct torus_gate_setting *settings, __u32 count)
{
	const struct torus_ioc_gates_set ask = {
		.settings = (unsigned long)settings, .count = count,
	};
	int ret = ioctl(fd, TORUS_IOC_GATES_SET, &ask);

	return ret < 0 ? -errno : ret;
}

static int gate_start(int fd, __u64 gate)
{
	const struct torus_ioc_gate ask = { .gate = gate, .op = TORUS_GATE_BARRIER };
	int ret = ioctl(fd, TORUS_IOC_GATE_START, &ask);

	return ret < 0 ? -errno : ret;
}

/* Configure a chain of gates on engine 0. Each gate sends to the remote gate @far. */
static int chain_set(int fd, __u64 far, __u64 ids[CHAIN], struct torus_gate_setting *head)
{
	struct torus_gate_setting settings[CHAIN];
	int ret = gates_alloc(fd, 0, CHAIN, ids);
	__u32 i;

	for (i = 0; i < CHAIN; i++)
		settings[i] = (struct torus_gate_setting){
			.gate = ids[i], .remote_dest = far, .path = TORUS_GATE_PATH_DEFAULT,
			.local_source = i ? ids[i - 1] : TORUS_GATE_NONE,
			.remote_source = i ? TORUS_GATE_NONE : far,
			.local_dest = i < CHAIN - 1 ? ids[i + 1] : TORUS_GATE_NONE,
		};
	*head = settings[0];
	return ret ?: gates_set(fd, settings, CHAIN);
}

/*
 * Setting and starting gates in a loop queues a bounded number of packets; further starts are
 * rejected as busy.
 */
TEST_F_TIMEOUT(allowance, gates_set_and_started, 3600)
{
	unsigned int fine = 0, busy = 0, other = 0, i;
	struct torus_gate_setting head;
	__u64 ids[CHAIN], far_id;
	__u32 engines;
	int near, far, ret = TORUS_GATE_BUSY;
	long before;

	near = gates_open(0, &engines);
	far = gates_open(24, &engines);
	ASSERT_GE(near, 0);
	ASSERT_GE(far, 0);
	ASSERT_EQ(0, gates_alloc(far, 0, 1, &far_id));
	ASSERT_EQ(0, chain_set(near, far_id, ids, &head));
	before = available_kib();
	for (i = 0; i < STARTS; i++) {
		other += !!gates_set(near, &head, 1);
		ret = gate_start(near, ids[0]);
		fine += !ret;
		busy += ret == TORUS_GATE_BUSY;
	}
	EXPECT_EQ(other, 0);
	EXPECT_EQ(fine + busy, STARTS);
	EXPECT_GT(fine, 0);
	EXPECT_GT(busy, 0);
	EXPECT_LT(before - available_kib(), GROWN_MAX);
	EXPECT_FALSE(fabric_failed(FABRIC));
	/* after queued packets have left, gates can be started again */
	for (ret = TORUS_GATE_BUSY; ret == TORUS_GATE_BUSY; usleep(1000)) {
		EXPECT_EQ(0, gates_set(near, &head, 1));
		ret = gate_start(near, ids[0]);
	}
	EXPECT_EQ(ret, 0);
	close(near);
	close(far);
}

/*
 * Memory of gates counts toward the user's limit for rings until the file of the gates is closed.
 */
TEST_F(allowance, gates_count)
{
	char kept[32] = "";
	__u32 engines, i;
	__u64 id;
	int fd, ret;
	pid_t pid;

	ASSERT_TRUE(module_parameter("max_user_bytes", "150000", kept, sizeof(kept)));
	pid = start();
	if (!pid) {
		if (setresuid(STRANGER, STRANGER, STRANGER))
			_exit(1);
		for (i = 0; i < 3; i++) {
			fd = gates_open(i, &engines);
			if (fd < 0 || engines < 4)
				_exit(2);
			ret = gates_alloc(fd, 0, 1, &id) ?: gates_alloc(fd, 1, 1, &id);
			/* further gates of the same engine do not increase the count */
			ret = ret ?: gates_alloc(fd, 0, 2, (__u64[2]){ 0 });
			if (ret)
				_exit(10 + i);
			if (gates_alloc(fd, 2, 1, &id) != -EDQUOT)
				_exit(20 + i);
			close(fd);
		}
		_exit(0);
	}
	EXPECT_EQ(0, status_of(pid));
	EXPECT_TRUE(module_parameter("max_user_bytes", kept, NULL, 0));
}

/* ----------------------------------------------------------------- cgroups */

/*
 * Limit the cgroup to its present use plus SLACK. This process has allocated and locked all memory
 * that it needs. Opening a file allocates, so open the file that later lifts the limit (@limit)
 * before.
 */
static bool full(int *limit)
{
	char text[32];
	void *heap;

	*limit = open(GROUP "/memory.max", O_WRONLY | O_CLOEXEC);
	if (*limit < 0)
		return false;

	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_MMAP_THRESHOLD, 64 << 20);
	heap = malloc(4 << 20);
	if (!heap)
		return false;
	memset(heap, 1, 4 << 20);
	free(heap);
	if (mlockall(MCL_CURRENT))
		return false;
	snprintf(text, sizeof(text), "%lld",
		 number_in(GROUP "/memory.current", NULL) + SLACK);
	return write(*limit, text, strlen(text)) == (ssize_t)strlen(text);
}

struct allowance_calls {
	struct torus_nl *nl;
	struct torus_context *context;
	struct torus_pair *pairs;
	__u32 *nodes;
	void *region;
	int fd;
	int gates[FILES];
};

static int call_attach(struct allowance_calls *c)
{
	struct torus_ioc_attach ask = {
		.fabric = FABRIC, .node = 5, .inject_chunks = 32768, .receive_chunks = 65536,
	};

	return ioctl(c->fd, TORUS_IOC_ATTACH, &ask) ? errno : 0;
}

static int call_register(struct allowance_calls *c)
{
	struct torus_ioc_register ask = {
		.address = (unsigned long)c->region, .length = REGION,
	};
	int i, ret = 0;

	for (i = 0; i < 200 && !ret; i++)
		ret = registered(c->context, &ask);
	return ret;
}

static int call_gates(struct allowance_calls *c)
{
	int ret = 0;
	__u32 i, e;
	__u64 id;

	for (i = 0; i < FILES && !ret; i++)
		for (e = 0; e < 4 && !ret; e++)
			ret = -gates_alloc(c->gates[i], e, 1, &id);
	return ret;
}

static int call_capture(struct allowance_calls *c)
{
	struct torus_ioc_capture ask = {
		.fabric = FABRIC, .node = TORUS_CAPTURE_ANY, .dir = TORUS_CAPTURE_ANY,
		.src = TORUS_CAPTURE_ANY, .dst = TORUS_CAPTURE_ANY, .buffer = 16 << 20,
	};

	return ioctl(c->fd, TORUS_IOC_CAPTURE, &ask) ? errno : 0;
}

static int call_upload(struct allowance_calls *c)
{
	return -torus_nl_traffic_pairs(c->nl, FABRIC, c->pairs, PAIRS);
}

/* Pinned regions fill the cgroup first, so that the job's own allocation exceeds the limit. */
static int call_job(struct allowance_calls *c)
{
	struct torus_ioc_register ask = {
		.address = (unsigned long)c->region, .length = REGION,
	};
	struct torus_nl_job job = { .name = "full", .count = WIDE_NODES, .nodes = c->nodes };
	int ret;

	for (; ask.length >= REGION / 2; ask.length /= 2)
		while (!registered(c->context, &ask))
			;
	ret = -torus_nl_job_add(c->nl, WIDE, &job);
	if (!ret)
		torus_nl_job_del(c->nl, WIDE, "full");
	return ret;
}

static bool calls_ready(struct allowance_calls *c)
{
	__u32 engines, i;

	c->nl = torus_nl_new();
	c->fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	c->region = mmap(NULL, REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	c->pairs = calloc(PAIRS, sizeof(*c->pairs));
	c->nodes = calloc(WIDE_NODES, sizeof(*c->nodes));
	if (!c->nl || torus_nl_connect(c->nl) || c->fd < 0 || c->region == MAP_FAILED ||
	    !c->pairs || !c->nodes || torus_context_attach(&c->context, FABRIC, 4, NULL))
		return false;
	memset(c->region, 1, REGION);
	for (i = 0; i < PAIRS; i++)
		c->pairs[i] = (struct torus_pair){ .dst = 1 };
	for (i = 0; i < WIDE_NODES; i++)
		c->nodes[i] = i;
	for (i = 0; i < FILES; i++) {
		c->gates[i] = gates_open(i, &engines);
		if (c->gates[i] < 0)
			return false;
	}
	return true;
}

/* In a full memory cgroup, an allocating call returns ENOMEM, and the kernel kills no process. */
TEST_F_TIMEOUT(allowance, full_cgroup, 3600)
{
	static const struct {
		const char *name;
		int (*call)(struct allowance_calls *c);
	} all[] = {
		{ "attach", call_attach }, { "register", call_register }, { "gates", call_gates },
		{ "capture", call_capture }, { "upload", call_upload }, { "job", call_job },
	};
	unsigned int i;
	int status;
	pid_t pid;

	if (!cgroup_begin())
		SKIP(return, "no cgroup of memory");
	self->mounted = true;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		ASSERT_TRUE(put_in(GROUP "/memory.max", "max"));
		pid = start();
		if (!pid) {
			struct allowance_calls c = { .fd = -1 };
			int limit;

			if (!put_in(GROUP "/cgroup.procs", "0") || !calls_ready(&c) ||
			    !full(&limit))
				_exit(255);
			status = all[i].call(&c);
			if (pwrite(limit, "max", 3, 0) != 3)
				_exit(254);
			_exit(status);
		}
		status = status_of(pid);
		EXPECT_EQ(status, ENOMEM)
			TH_LOG("%s", all[i].name);
		EXPECT_EQ(0, number_in(GROUP "/memory.events", "oom_kill"));
	}
	EXPECT_FALSE(fabric_failed(FABRIC));
}

TEST_HARNESS_MAIN
