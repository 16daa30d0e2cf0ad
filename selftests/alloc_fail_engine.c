// SPDX-License-Identifier: GPL-2.0
/*
 * Each allocation of a fabric's leader thread fails in turn while it runs a workload, packets of
 * programs, or an engine's put. The fabric continues without the memory, or it stops and reports
 * FAILED. Programs are notified, and a reset repairs the fabric.
 *
 * The test is skipped on kernels without fault injection; make check-debug uses a kernel with it.
 */
#include "faults.h"
#include <dirent.h>
#include <utofu.h>
#include "../user/netlink/traffic.h"
#include "vtime.h"
#include "kselftest_harness.h"

#define FABRIC		"starved"
#define LEADER		"torus/" FABRIC
#define MOST		500	/* maximum allocations of a run */
#define PACKETS		64
#define BYTES		60000

static const __u32 shape[3] = { 2, 2, 2 };

FIXTURE(starved)
{
	bool able;
	struct torus_nl *nl;
	unsigned int failed;	/* number of runs in which the fabric stopped */
};

FIXTURE_SETUP(starved)
{
	self->able = !access("/proc/thread-self/fail-nth", W_OK) && faults_ready();
	if (!self->able)
		return;
	fabric_del(FABRIC);
	self->nl = torus_nl_new();
	ASSERT_NE(NULL, self->nl);
	ASSERT_EQ(0, torus_nl_connect(self->nl));
}

FIXTURE_TEARDOWN(starved)
{
	torus_nl_free(self->nl);
}

/*
 * Open the fail-nth file of the thread with this name. Return: the descriptor, or -1 if there is no
 * such thread.
 */
static int thread_open(const char *name)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	char path[80], comm[32];
	int at = -1;
	FILE *file;

	while (dir && at < 0 && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%.20s/comm", entry->d_name);
		file = atoi(entry->d_name) ? fopen(path, "r") : NULL;
		if (file && fgets(comm, sizeof(comm), file) && !strncmp(comm, name, strlen(name)) &&
		    comm[strlen(name)] == '\n') {
			snprintf(path, sizeof(path), "/proc/%.20s/fail-nth", entry->d_name);
			at = open(path, O_RDWR | O_CLOEXEC);
		}
		if (file)
			fclose(file);
	}
	if (dir)
		closedir(dir);
	return at;
}

static bool stopped(void)
{
	struct torus_nl_fabric fabric;

	return !fabric_get(FABRIC, &fabric) && fabric.state == TORUS_FABRIC_FAILED;
}

/* --------------------------------------------------------------- workload */

/* Run a workload to its end. @progress: [out] its result. Return: 0 or a negative errno. */
static int workload(struct torus_nl *nl, struct torus_nl_progress *progress)
{
	static const struct torus_traffic traffic = {
		.pattern = TORUS_PATTERN_UNIFORM, .size_min = 64, .size_max = 256, .packets = 50,
	};
	double until = now_s() + WAIT_MS / 1000;
	int ret = torus_nl_traffic_start(nl, FABRIC, &traffic, NULL);

	progress->done = false;
	while (!ret && !progress->done) {
		usleep(2000);
		ret = torus_nl_traffic_get(nl, FABRIC, progress);
		if (!ret && now_s() > until)
			ret = -ETIMEDOUT;
	}
	return ret;
}

static int workload_add(struct torus_nl *nl)
{
	const struct torus_nl_param ber = { .key = "ber", .text = "1e-4", .is_text = true };
	const struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "bgl", .ndims = 3, .dims = { 2, 2, 2 }, .seed = 5,
		.has_seed = true, .domains = 2, .has_domains = true, .params = &ber, .nparams = 1,
	};

	return torus_nl_fabric_add(nl, &spec);
}

/*
 * Run a workload with the @nth allocation failing. Use a new fabric, because a fabric keeps memory
 * once allocated. Return: 0, 1 if there were fewer than @nth allocations, or a negative error.
 */
static int workload_once(struct torus_nl *nl, unsigned int nth, __u64 *hash, unsigned int *failed)
{
	struct torus_nl_progress progress;
	bool hit = false;
	int file, ret;

	if (workload_add(nl))
		return -1;
	file = thread_open(LEADER);
	if (file < 0)
		return -1;
	fail_at(file, nth);
	ret = workload(nl, &progress);
	hit = fail_over(file);
	close(file);
	if (!ret && hit && progress.result.done == 3) {
		++*failed;
		ret = torus_nl_fabric_reset(nl, FABRIC) ?: workload(nl, &progress);
	}
	if (!*hash)
		*hash = progress.result.hash;
	if (ret || progress.result.done != 1 || progress.result.hash != *hash) {
		fprintf(stderr, "# allocation %u: %d, %llu (%s)\n", nth, ret,
			progress.result.done, torus_nl_error(nl));
		return -1;
	}
	return torus_nl_fabric_del(nl, FABRIC) ?: !hit;
}

TEST_F_TIMEOUT(starved, workload, 3600)
{
	unsigned int nth = 0;
	__u64 hash = 0;
	int ret;

	if (!self->able)
		SKIP(return, NO_FAULTS);
	/* the first run has no fault */
	do
		ret = workload_once(self->nl, nth, &hash, &self->failed);
	while (ret >= 0 && (!nth || !ret) && nth++ < MOST);
	EXPECT_EQ(1, ret);
	EXPECT_LT(0, self->failed);
	TH_LOG("%u allocations, %u of them needed", nth - 1, self->failed);
}

/* --------------------------------------------------------------- programs */

/* Send and receive packets. Return: 0 if all arrive, 1 if the fabric stops before, -1 on error. */
static int packets_pass(struct torus_context *from, struct torus_context *to)
{
	const __u32 dest[3] = { 1, 1, 1 };
	double until = now_s() + WAIT_MS / 1000;
	unsigned char packet[256];
	unsigned int sent = 0, got = 0, idle = 0;
	int ret;

	while (got < PACKETS && now_s() < until) {
		packet_make(packet, sizeof(packet), dest, TORUS_ROUTE_DYNAMIC, sent);
		if (sent < PACKETS && !torus_inject_try(from, 0, packet, sizeof(packet)))
			sent++;
		ret = torus_receive_poll(to, TORUS_FIFO_ANY, packet, sizeof(packet));
		if (ret == -EAGAIN) {
			if (!(++idle % 256) && stopped())
				return 1;
			usleep(100);
			continue;
		}
		if (ret != sizeof(packet) || !packet_right(packet, sizeof(packet)))
			return -1;
		got++;
	}
	return got == PACKETS ? 0 : -1;
}

/* Return: true if the program got a notice that the fate of its packets is unknown. */
static bool reported_unknown(struct torus_context *context)
{
	struct torus_notice notice;
	bool reported = false;

	while (!torus_notice_take(context, &notice))
		reported |= notice.reason == TORUS_NOTICE_UNKNOWN &&
			    notice.flags & TORUS_NOTICE_ALL;
	return reported;
}

static int programs_once(struct torus_nl *nl, unsigned int nth, unsigned int *failed)
{
	struct torus_context *from, *to;
	int file, ret;
	bool hit;

	if (fabric_add(FABRIC, shape, NULL, 0))
		return -1;
	if (torus_context_attach(&from, FABRIC, 0, NULL) ||
	    torus_context_attach(&to, FABRIC, 7, NULL))
		return -1;
	file = thread_open(LEADER);
	fail_at(file, nth);
	ret = packets_pass(from, to);
	hit = fail_over(file);
	close(file);
	if (ret > 0 && hit) {
		++*failed;
		ret = !reported_unknown(from);
		if (ret)
			fprintf(stderr, "# allocation %u: the program was not notified\n", nth);
		ret = ret ?: torus_nl_fabric_reset(nl, FABRIC) ?: packets_pass(from, to);
	}
	torus_context_detach(from);
	torus_context_detach(to);
	return ret || fabric_del(FABRIC) ? -1 : !hit;
}

TEST_F_TIMEOUT(starved, programs, 3600)
{
	unsigned int nth = 0;
	int ret = 0;

	if (!self->able)
		SKIP(return, NO_FAULTS);
	while (!ret && nth < MOST)
		ret = programs_once(self->nl, ++nth, &self->failed);
	/* a few packets need no further memory, so the fabric may continue in all runs */
	EXPECT_EQ(1, ret);
	TH_LOG("%u allocations, %u of them needed", nth - 1, self->failed);
}

/* ---------------------------------------------------------------- engines */

static unsigned char source[BYTES], target[BYTES];

/*
 * Wait for the notice of a put. Return: 0 if all bytes arrived, 1 if the put failed, -1 on error.
 */
static int put_ended(utofu_vcq_hdl_t vcq)
{
	struct utofu_mrq_notice notice;
	double until = now_s() + WAIT_MS / 1000;
	int ret;

	while (now_s() < until) {
		ret = utofu_poll_mrq(vcq, 0, &notice);
		if (ret == UTOFU_SUCCESS)
			return memcmp(source, target, BYTES) ? -1 : 0;
		if (ret != UTOFU_ERR_NOT_FOUND || stopped())
			return 1;
		usleep(500);
	}
	return -1;
}

/*
 * Run a put with the @nth allocation failing. Runs in a child process, because libtofucom reads the
 * environment once per process. Return: 0 success, 1 too few allocations, 4 reported failure, other
 * values: error.
 */
static int put_once(int file, unsigned int nth)
{
	utofu_stadd_t local, remote;
	utofu_vcq_hdl_t vcq;
	utofu_vcq_id_t id;
	int ret;
	bool hit;

	setenv("TORUS_FABRIC", FABRIC, 1);
	setenv("TORUS_NODE", "0", 1);
	if (utofu_create_vcq(0, 0, &vcq) || utofu_query_vcq_id(vcq, &id) ||
	    utofu_reg_mem(vcq, source, BYTES, 0, &local) ||
	    utofu_reg_mem(vcq, target, BYTES, 0, &remote))
		return 2;
	memset(source, (int)nth, BYTES);
	memset(target, ~(int)nth, BYTES);
	fail_at(file, nth);
	ret = utofu_put(vcq, id, local, remote, BYTES, 0, UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE,
			NULL);
	if (!ret)
		ret = put_ended(vcq);
	hit = fail_over(file);
	return ret < 0 ? 2 : ret && !hit ? 3 : ret ? 4 : !hit;
}

TEST_F_TIMEOUT(starved, put, 3600)
{
	const struct torus_nl_fabric_spec spec = {
		.name = FABRIC, .arch = "tofu", .ndims = 3, .dims = { 1, 1, 1 },
	};
	unsigned int nth = 0;
	int file, ret;
	pid_t pid;

	if (!self->able)
		SKIP(return, NO_FAULTS);
	do {
		ASSERT_EQ(0, torus_nl_fabric_add(self->nl, &spec));
		file = thread_open(LEADER);
		ASSERT_LE(0, file);
		pid = start();
		if (!pid)
			_exit(put_once(file, ++nth));
		nth++;
		ret = status_of(pid);
		self->failed += ret == 4;
		close(file);
		ASSERT_EQ(0, torus_nl_fabric_del(self->nl, FABRIC));
	} while ((!ret || ret == 4) && nth < MOST);
	EXPECT_EQ(1, ret);
	TH_LOG("%u allocations, %u of them needed", nth - 1, self->failed);
}

TEST_HARNESS_MAIN
