// SPDX-License-Identifier: GPL-2.0
/*
 * Traffic of programs around dead nodes. The paper (Blue Gene/L): "full connectivity can be
 * maintained when there are up to three noncolinear faulty nodes". A process on each living node of
 * 4x4x4 sends messages to all others, and all messages must arrive intact.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <torus/message.h>
#include <torus/route.h>
#include "../user/netlink/counter.h"
#include "../user/netlink/link.h"
#include "kselftest_harness.h"

#define FABRIC		"routetest"
#define KEY		0x40075u
#define NODES		64
#define WAIT_MS		120000
#define LENGTH		300		/* bytes of a message: two packets */

/* 1,1,0 and 2,3,1 and 0,2,3: no two of them share a line along an axis */
static const __u32 dead[] = { 5, 30, 56 };

#define LIVING	(NODES - ARRAY_SIZE(dead))

struct route_shared {
	unsigned int attached;
	unsigned int left;
	struct torus_job_counts counts[NODES];
};

static bool is_dead(__u32 node)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(dead); i++)
		if (dead[i] == node)
			return true;
	return false;
}

static void must(__u32 rank, const char *what, int ret)
{
	if (ret >= 0)
		return;
	fprintf(stderr, "rank %u: %s: %s (%d)\n", rank, what, torus_error_text(), ret);
	_exit(1);
}

static void meet(unsigned int *count)
{
	__atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(count, __ATOMIC_SEQ_CST) < LIVING)
		usleep(2000);
}

static void fill(unsigned char *bytes, __u32 source, __u32 dest)
{
	__u32 i;

	for (i = 0; i < LENGTH; i++)
		bytes[i] = (unsigned char)((source * 67 + dest * 13 + i * 5) >> i % 3);
}

static void exchange(struct torus_job *job, __u32 rank)
{
	static unsigned char out[NODES][LENGTH], in[LENGTH], wanted[LENGTH];
	struct torus_message_info info;
	__u32 i, other;

	for (i = 1; i < NODES; i++) {
		other = (rank + i) % NODES;
		fill(out[other], rank, other);
		if (!is_dead(other))
			must(rank, "send", torus_message_start(job, other, rank, out[other],
							       LENGTH, NULL));
	}
	for (i = 1; i < LIVING; i++) {
		must(rank, "receive",
		     torus_message_receive(job, TORUS_MESSAGE_ANY, TORUS_MESSAGE_ANY, in,
					   sizeof(in), &info, WAIT_MS));
		fill(wanted, info.source, rank);
		if (info.tag != info.source || info.length != LENGTH ||
		    memcmp(in, wanted, LENGTH)) {
			fprintf(stderr, "rank %u: message of %u bytes from %u is wrong\n", rank,
				info.length, info.source);
			_exit(1);
		}
	}
}

static void process(struct route_shared *shared, __u32 rank, enum torus_route route)
{
	const struct torus_attach_config attach = { .inject_chunks = 64, .receive_chunks = 256 };
	const struct torus_job_config config = { .key = KEY, .route = route };
	struct torus_context *context;
	struct torus_job *job;

	must(rank, "attach", torus_context_attach(&context, FABRIC, rank, &attach));
	must(rank, "open", torus_job_open(&job, context, &config));
	meet(&shared->attached);
	if (torus_message_send(job, dead[0], 0, "x", 1) != -EHOSTUNREACH) {
		fprintf(stderr, "rank %u: a message to a dead node is not refused\n", rank);
		_exit(1);
	}
	exchange(job, rank);
	must(rank, "flush", torus_message_flush(job, WAIT_MS));
	must(rank, "barrier", torus_job_barrier(job, WAIT_MS));
	must(rank, "flush", torus_message_flush(job, WAIT_MS));
	torus_job_counts(job, &shared->counts[rank]);
	/*
	 * stay until all have left: the last message of a barrier needs no relay, but its receiver
	 * must be attached
	 */
	meet(&shared->left);
	torus_job_close(job);
	torus_context_detach(context);
	_exit(0);
}

FIXTURE(route) {
	struct route_shared *shared;
};

FIXTURE_SETUP(route)
{
	self->shared = mmap(NULL, sizeof(*self->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->shared);
	ASSERT_EQ(0, system("torusctl fabric add " FABRIC " arch bgl shape 4x4x4 seed 11"));
	ASSERT_EQ(0, system("torusctl node set " FABRIC " 1,1,0 state dead"));
	ASSERT_EQ(0, system("torusctl node set " FABRIC " 2,3,1 state dead"));
	ASSERT_EQ(0, system("torusctl node set " FABRIC " 0,2,3 state dead"));
}

FIXTURE_TEARDOWN(route)
{
	EXPECT_EQ(0, system("torusctl fabric del " FABRIC));
	munmap(self->shared, sizeof(*self->shared));
}

FIXTURE_VARIANT(route) {
	enum torus_route route;
	bool relays;
};

FIXTURE_VARIANT_ADD(route, dynamic) {
	.route = TORUS_ROUTE_DYNAMIC,
};

/* Ordered packets need relays where dynamic packets do not. */
FIXTURE_VARIANT_ADD(route, ordered) {
	.route = TORUS_ROUTE_ORDERED,
	.relays = true,
};

static void look_at_fabric(struct __test_metadata *_metadata)
{
	struct torus_fabric_counters counters;
	struct torus_nl_link *links;
	struct torus_nl *nl;
	size_t count, i;
	unsigned int j;

	nl = torus_nl_new();
	ASSERT_NE(NULL, nl);
	ASSERT_EQ(0, torus_nl_connect(nl));
	ASSERT_EQ(0, torus_nl_counter_get(nl, FABRIC, &counters));
	/* Ranks look for each other before all are attached: such packets may be dropped. */
	for (j = 0; j < ARRAY_SIZE(counters.dropped); j++)
		if (j != TORUS_DROP_NO_LISTENER)
			EXPECT_EQ(0, counters.dropped[j]);
	EXPECT_EQ(0, counters.in_flight);
	EXPECT_EQ(0, counters.refused);
	EXPECT_EQ(counters.injected,
		  counters.delivered + counters.dropped[TORUS_DROP_NO_LISTENER]);
	/* no packet was ever sent to a dead node */
	ASSERT_EQ(0, torus_nl_link_dump_off(nl, FABRIC, &links, &count));
	EXPECT_EQ(12 * ARRAY_SIZE(dead), count);
	for (i = 0; i < count; i++) {
		EXPECT_TRUE(is_dead(links[i].node) || is_dead(links[i].peer));
		EXPECT_EQ(0, links[i].counters.busy_ticks);
	}
	free(links);
	torus_nl_free(nl);
}

TEST_F_TIMEOUT(route, all_to_all_with_three_dead_nodes, 200)
{
	__u64 relayed = 0;
	pid_t pid[NODES];
	int status;
	__u32 i;

	for (i = 0; i < NODES; i++) {
		if (is_dead(i))
			continue;
		pid[i] = fork();
		if (!pid[i]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			process(self->shared, i, variant->route);
		}
		ASSERT_LT(0, pid[i]);
	}
	for (i = 0; i < NODES; i++) {
		const struct torus_job_counts *counts = &self->shared->counts[i];

		if (is_dead(i))
			continue;
		waitpid(pid[i], &status, 0);
		EXPECT_EQ(0, status);
		EXPECT_LE(LIVING - 1, counts->received_messages);
		EXPECT_EQ(0, counts->damaged);
		EXPECT_EQ(0, counts->lost);
		EXPECT_EQ(0, counts->rejected_key);
		EXPECT_EQ(0, counts->rejected_relay);
		relayed += counts->relayed_packets;
	}
	TH_LOG("%llu packets were sent on by relays", relayed);
	if (variant->relays)
		EXPECT_LT(0, relayed);
	look_at_fabric(_metadata);
}

TEST_HARNESS_MAIN
